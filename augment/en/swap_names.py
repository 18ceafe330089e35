"""English given names for swapping: each has a partner, and keeps it throughout a document."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from augment.swap.name_pairs import NamePairs
from augment.swap.settings import SwapSettings
from rewriter.en.given_names import GivenName, find_names
from rewriter.en.inflection import match_case
from rewriter.language.rules import Decision, Rules
from rewriter.records import Edit
from rewriter.text.offsets import within

_CAPITAL = re.compile(r"[A-Z][^\W\d_]+")
#: James' book, not 'we saw James' in quotation marks
_BARE_GENITIVE = re.compile(r"['’] [a-z]")

#: asked of every given name that was found
NAME = Decision("en", "blocks", asked="swapping")


@dataclass(frozen=True, slots=True)
class NamePlace:
    """A given name where it stands in a document.

    Attributes:
        name: of its sentence.
        text: the document.
        start: offset in the document.
        sure: names that are certain somewhere in the document.
        surnames: words that are surnames somewhere in it.
    """

    name: GivenName
    text: str
    start: int
    sure: AbstractSet[str]
    surnames: AbstractSet[str]

    @property
    def end(self) -> int:
        """The offset behind it."""
        return self.start + self.name.end - self.name.start


@NAME.rule("name that may be a word", example="[Will] reads.", counter="[Will] Ott reads.")
def _may_be_word(place: NamePlace) -> bool:
    return not place.name.is_certain and place.name.norm not in place.sure


@NAME.rule("surname of the document", example="Mr. James met us. [James] sang.", counter="Ann met us. [James] sang.")
def _is_surname(place: NamePlace) -> bool:
    """Not where another capitalised word follows."""
    follows = re.match(r" [A-Z][a-z]", place.text[place.end : place.end + 3]) is not None
    return place.name.norm in place.surnames and not follows


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
        self, text: str, spans: Sequence[tuple[int, int]], protected: Sequence[tuple[int, int]], rules: Rules
    ) -> Iterator[Edit]:
        """Yield the edits of a document's given names.

        Args:
            text: the document.
            spans: its sentences.
            protected: spans that stay.
            rules: that are asked.
        """
        found = self._places(text, spans)
        chosen: dict[str, str] = {}
        for place in found:
            if rules.first(NAME, place) or within(protected, place.start, place.end):
                continue
            after = self.partner(place.name.norm, place.sure, chosen)
            if after:
                yield self._written(place, after)

    def _places(self, text: str, spans: Sequence[tuple[int, int]]) -> list[NamePlace]:
        found: list[tuple[int, GivenName]] = []
        surnames: set[str] = set()
        for start, end in spans:
            sentence = text[start:end]
            if self.may_hold(sentence):
                names = find_names(sentence, self.known)
                surnames |= names.surnames
                found += ((start + name.start, name) for name in names.given)
        sure = {name.norm for _, name in found if name.is_certain}
        return [NamePlace(name, text, start, sure, surnames) for start, name in found]

    def _written(self, place: NamePlace, after: str) -> Edit:
        text, start, end, norm = place.text, place.start, place.end, place.name.norm
        before = text[start:end]
        styled = match_case(before, after) if before.isupper() else self.styled(after)
        if norm.endswith("s") and not after.endswith("s") and _BARE_GENITIVE.match(text, end):
            before, styled, end = text[start : end + 1], f"{styled}{text[end]}s", end + 1  # James' -> Mary's
        return Edit(start, end, before, styled, "name", f"{before} -> {styled}: pair of names")
