"""Pairs of nouns that have one fair noun: *actors and actresses* (actors), *policemen and policewomen*."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple


class NounPair(NamedTuple):
    """A pair of nouns in a text.

    Attributes:
        start: offset of its first character, that of the first noun.
        end: offset behind the second noun.
        first: the first noun as it stands.
        fair: the noun that both become, in lower case.
    """

    start: int
    end: int
    first: str
    fair: str


class NounPairs:
    """Finds the pairs of a noun table.

    Args:
        nouns: gendered noun -> (fair noun, is plural).
    """

    def __init__(self, nouns: Mapping[str, tuple[str, bool]]) -> None:
        self._fair = {noun: entry for noun, entry in nouns.items() if noun.isalpha()}
        #: what stands beside a gendered noun may be the fair one itself: actors and actresses
        known = {**{fair: (fair, is_plural) for fair, is_plural in self._fair.values()}, **self._fair}
        self._known = known
        forms = "|".join(sorted(map(re.escape, known), key=lambda form: (-len(form), form))).replace(r"\ ", r"\s+")
        joint = r"(?:\s+(?:and|or|and/or|&)\s+|\s*/\s*)"
        self._pattern = re.compile(
            rf"(?<![\w@#/-])(?P<first>{forms}){joint}(?:an?\s+)?(?P<second>{forms})(?![\w/-])", re.IGNORECASE
        )

    def find(self, text: str) -> Iterator[NounPair]:
        """Yield the pairs of a text in order."""
        for match in self._pattern.finditer(text):
            first, second = (re.sub(r"\s+", " ", match[name].lower()) for name in ("first", "second"))
            is_gendered = first in self._fair or second in self._fair
            if first != second and is_gendered and self._known.get(first) == self._known.get(second):
                yield NounPair(*match.span(), match["first"], self._known[first][0])
