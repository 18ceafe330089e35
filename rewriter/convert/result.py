"""What a conversion of gender-fair words returns."""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import SequenceMatcher

from rewriter.records import Edit
from rewriter.text.offsets import Span

_TOKEN = re.compile(r"\s+|\w+|[^\w\s]")


@dataclass(frozen=True)
class Converted:
    """A converted text.

    Attributes:
        text: the result; ``apply_edits(source, edits) == text``.
        edits: what was replaced, with offsets in the source.
        left: spans of gender-fair words of the source that have no such form and stay.
    """

    text: str
    edits: tuple[Edit, ...] = ()
    left: tuple[Span, ...] = ()


def between(before: str, after: str) -> list[Edit]:
    """Return edits of whole words that make one text the other.

    Args:
        before: a sentence.
        after: what became of it.
    """
    one, other = _TOKEN.findall(before), _TOKEN.findall(after)
    edits, start = [], 0
    offsets = [0]
    for token in one:
        start += len(token)
        offsets.append(start)
    for tag, a, b, c, d in SequenceMatcher(None, one, other, autojunk=False).get_opcodes():
        if tag != "equal":
            old, new = "".join(one[a:b]), "".join(other[c:d])
            edits.append(Edit(offsets[a], offsets[b], old, new, "existing", f"{old} -> {new}"))
    return edits
