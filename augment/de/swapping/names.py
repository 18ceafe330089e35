"""German given names: which words of a sentence are given names of persons."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from augment.de.swapping.sentence import SwapSentence
from rewriter.de.lexicon import genders

_CAPITAL = re.compile(r"[A-ZÄÖÜ][^\W\d_]+")
#: behind these stands a surname
SURNAME_TITLES = frozenset("herr herrn frau fräulein familie firma bäckerei dr prof professor eheleute ehepaar".split())
#: behind these stands the name of a saint or of a place
_SAINTS = frozenset("sankt st santa san saint heilige heiligen heiliger heiligem hl".split())
_NAMED_AFTER = tuple(
    (
        "stiftung schule straße strasse platz preis institut universität haus museum krankenhaus gmbh ag verlag "
        "weg gymnasium allee bibliothek gesellschaft theater fonds brücke akademie hochschule klinik archiv "
        "center kg halle"
    ).split()
)
_PARTICLES = frozenset({"von", "van", "de", "zu", "da", "di"})


@dataclass(frozen=True, slots=True)
class FoundName:
    """A given name: its token, the name in lower case, whether it is a genitive (*Annas*)."""

    token: int
    name: str
    genitive: bool = False


@dataclass(frozen=True)
class NameFinder:
    """Finds given names.

    Attributes:
        known: given names in lower case -> ``feminine`` or ``masculine``.
    """

    known: Mapping[str, str]

    def may_hold(self, text: str) -> bool:
        """Return True if a text holds a capitalised word that may be a given name."""
        return any(self._base(word.lower()) is not None for word in set(_CAPITAL.findall(text)))

    def _base(self, lower: str) -> tuple[str, bool] | None:
        if lower in self.known:
            return lower, False
        if lower.endswith("s") and lower[:-1] in self.known:
            return lower[:-1], True
        return None

    def find(self, sentence: SwapSentence) -> tuple[list[FoundName], set[str]]:
        """Return the given names of a sentence, and the surnames that look like given names."""
        given: list[FoundName] = []
        surnames: set[str] = set()
        for index, token in enumerate(sentence.tokens):
            base = self._base(token.norm) if token.shape else None
            if base is None or sentence.is_blocked(index):
                continue
            if self._is_surname(sentence, index):
                surnames.add(base[0])
            elif self._is_given(sentence, index) and (base[1] or not self._is_organisation(sentence, index)):
                given.append(FoundName(index, *base))
        return given, surnames

    def _is_surname(self, sentence: SwapSentence, index: int) -> bool:
        """Return True if a name stands where a surname does (*Herr Peter*, *Klaus Walter*, *H. Otto*)."""
        before = sentence.norm(index - 1)
        if before == "." and index > 1:
            title = sentence.norms[index - 2]
            is_title = title in SURNAME_TITLES or (len(title) == 1 and title.isalpha())
            return is_title and not self._is_before_capital(sentence, index)
        if before in SURNAME_TITLES and index:
            # Frau Anna Weber: the surname comes behind
            return not self._is_followed_by_name(sentence, index)
        if before in _PARTICLES and index > 1 and self._base(sentence.norms[index - 2]) is not None:
            return True
        if index == 0 or not sentence.tokens[index - 1].shape or self._base(before) is None:
            return False
        return not self._is_followed_by_name(sentence, index)

    def _is_before_capital(self, sentence: SwapSentence, index: int) -> bool:
        following = index + 1
        return following < len(sentence.tokens) and sentence.tokens[following].shape == 1

    def _is_followed_by_name(self, sentence: SwapSentence, index: int) -> bool:
        following = index + 1
        if following >= len(sentence.tokens) or sentence.tokens[following].shape != 1:
            return False
        surface = sentence.surface(following)
        if len(surface) < 2 or not surface.isalpha():
            return False
        return self._base(surface.lower()) is not None or surface not in genders()

    def _is_given(self, sentence: SwapSentence, index: int) -> bool:
        if sentence.tokens[index].shape != 1 and not sentence.text.isupper():
            return False
        if sentence.norm(index - 1) in _SAINTS or (
            sentence.norm(index - 1) == "." and sentence.norm(index - 2) in _SAINTS
        ):
            return False
        return self._chain_is_name(sentence, index)

    def _is_organisation(self, sentence: SwapSentence, index: int) -> bool:
        """Return True if a name belongs to what is named after somebody (*die Robert Bosch Stiftung*)."""
        for at in range(index + 1, min(index + 5, len(sentence.tokens))):
            if sentence.norms[at] == "-":
                continue
            if not sentence.tokens[at].shape:
                return False
            if sentence.norms[at].endswith(_NAMED_AFTER) and sentence.norm(at - 1) not in (",", "."):
                return True
        return sentence.norm(index - 1) in ("big", "saint")

    def _chain_is_name(self, sentence: SwapSentence, index: int) -> bool:
        """Return True if all parts of a hyphened word are given names (*Hans-Peter*, not *Peter-Weiss-Platz*)."""
        first = last = index
        while (
            first > 1
            and sentence.norms[first - 1] == "-"
            and sentence.touches(first - 1)
            and sentence.touches(first - 2)
        ):
            first -= 2
        while sentence.touches(last) and sentence.norm(last + 1) == "-" and sentence.touches(last + 1):
            last += 2
        return all(self._base(sentence.norm(i)) is not None for i in range(first, last + 1, 2))
