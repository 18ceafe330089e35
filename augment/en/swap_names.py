"""English given names for swapping: each has a partner, and keeps it throughout a document."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from augment.swap.name_pairs import NamePairs
from augment.swap.settings import SwapSettings
from rewriter.en.given_names import GivenName, find_names
from rewriter.en.inflection import match_case
from rewriter.records import Edit
from rewriter.text.offsets import within

_CAPITAL = re.compile(r"[A-Z][^\W\d_]+")
#: James' book, not 'we saw James' in quotation marks
_BARE_GENITIVE = re.compile(r"['’] [a-z]")


class NameFinder(NamePairs):
    """Finds given names and gives their partners."""

    @classmethod
    def load(cls, settings: SwapSettings) -> NameFinder:
        """Read the shipped pairs (none where names stay) behind a user's own."""
        return cls.of_language("en", settings)

    def may_hold(self, text: str) -> bool:
        """Tell whether a text holds a capitalised word that may be a given name."""
        known = self.known
        return bool(known) and any(word.lower() in known for word in _CAPITAL.findall(text))

    def edits(
        self, text: str, spans: Sequence[tuple[int, int]], protected: Sequence[tuple[int, int]]
    ) -> Iterator[Edit]:
        """Yield the edits of a document's given names.

        Args:
            text: the document.
            spans: its sentences.
            protected: spans that stay.
        """
        found: list[tuple[int, GivenName]] = []
        surnames: set[str] = set()
        for start, end in spans:
            sentence = text[start:end]
            if not self.may_hold(sentence):
                continue
            names = find_names(sentence, self.known)
            surnames |= names.surnames
            found += ((start, name) for name in names.given)
        sure = {name.norm for _, name in found if name.is_certain}
        chosen: dict[str, str] = {}
        for offset, name in found:
            if not name.is_certain and name.norm not in sure:
                continue
            start, end = offset + name.start, offset + name.end
            before = text[start:end]
            if name.norm in surnames and not self._is_first_name(text, end):
                continue
            if within(protected, start, end):
                continue
            after = self.partner(name.norm, sure, chosen)
            if after:
                styled = match_case(before, after) if before.isupper() else self.styled(after)
                if name.norm.endswith("s") and not after.endswith("s") and _BARE_GENITIVE.match(text, end):
                    before, styled, end = text[start : end + 1], f"{styled}{text[end]}s", end + 1  # James' -> Mary's
                yield Edit(start, end, before, styled, "name", f"{before} -> {styled}: pair of names")

    @staticmethod
    def _is_first_name(text: str, end: int) -> bool:
        """Tell whether another capitalised word follows, so that this one is no surname."""
        return re.match(r" [A-Z][a-z]", text[end : end + 3]) is not None
