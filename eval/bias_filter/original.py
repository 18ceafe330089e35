"""The original's way of finding words, errors included, for figures that are to be compared with it.

After the universal bias filter of NL-Augmenter (Shvets 2021; Dhole et al. 2021, "NL-Augmenter"): the text is cut at
white space only, so a word that punctuation touches is not seen (``her.``), and a phrase never is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from eval.bias_filter.matcher import Scan, check_groups
from rewriter.errors import UsageError

#: all that the original keeps; every other character parts words
_KEPT = "():,.!?\"'"
_PARTS = re.compile(f"[^A-Za-z0-9{re.escape(_KEPT)}]+")


def original_words(text: str) -> set[str]:
    """Return the words that the original sees in a text: lower case, cut at white space, web addresses cut off."""
    words = set()
    for word in text.lower().split():
        before, address, _ = word.partition("http")
        words.update(_PARTS.split(before))
        if address:
            words.add("__url__")
    return words


class OriginalMatcher:
    """Finds words of groups as the original does.

    Args:
        groups: name of the group -> its words, which are compared as they are written.

    Raises:
        UsageError: as :class:`~eval.bias_filter.matcher.GroupMatcher`.
    """

    def __init__(self, groups: Mapping[str, Iterable[str]]) -> None:
        self._lists = {name: frozenset(words) for name, words in check_groups(groups).items()}
        self.groups = tuple(self._lists)

    def scan(self, texts: Sequence[str]) -> Scan:
        """Return what each of ``texts`` holds; a word counts once per text.

        Raises:
            UsageError: an element is not a string.
        """
        masks = np.zeros(len(texts), np.uint64)
        tokens = np.zeros(len(self.groups), np.int64)
        for at, text in enumerate(texts):
            if not isinstance(text, str):
                raise UsageError(f"a sentence must be a string; {text!r} is {type(text).__name__}")
            words = original_words(text)
            for number, group in enumerate(self._lists.values()):
                found = len(words & group)
                tokens[number] += found
                masks[at] |= np.uint64((found > 0) << number)
        return Scan(masks, tokens)
