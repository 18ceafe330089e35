"""A share of a corpus: which texts belong to it depends on the text and a seed alone.

So the choice is the same whatever process, order or machine looks at the texts, copies of a text share one fate, and a
smaller share is a part of a larger one (what is rewritten at 0.25 is rewritten at 0.5, too).
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from rewriter.corpus.engine import Selector
from rewriter.formats.base import Content
from rewriter.options import check_share

_SCALE = 1 << 64


def in_share(text: str, share: float, seed: int = 1) -> bool:
    """Return True if a text belongs to a share (0 to 1) of the texts.

    The text's BLAKE2b hash with the seed as its key is taken as a number between 0 and 1.
    """
    key = seed.to_bytes(8, "little", signed=True)
    digest = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8, key=key).digest()
    return int.from_bytes(digest, "little") < share * _SCALE


@dataclass(frozen=True)
class ShareSelector:
    """Takes a share of the texts (see :data:`rewriter.corpus.engine.Selector`).

    Attributes:
        share: between 0 and 1.
        seed: another one takes other texts.

    Raises:
        UsageError: the share is none.
    """

    share: float
    seed: int = 1

    def __post_init__(self) -> None:
        check_share(zero=True, one=True, share=self.share)

    def __call__(self, contents: Sequence[Content]) -> list[bool]:
        """Return for every text whether it belongs to the share."""
        return [in_share(content.text, self.share, self.seed) for content in contents]


@dataclass(frozen=True)
class Both:
    """Takes the texts that two selectors take.

    Attributes:
        first: one of them.
        second: the other.
    """

    first: Selector
    second: Selector

    def __call__(self, contents: Sequence[Content]) -> list[bool]:
        """Return for every text whether both take it."""
        return [a and b for a, b in zip(self.first(contents), self.second(contents), strict=True)]
