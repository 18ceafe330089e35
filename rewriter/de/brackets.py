"""German pairs with the feminine in brackets: *der (die) Leiter (Leiterin)*, *ein(e)*, *vom (von der)*, *er (sie)*."""

from __future__ import annotations

import re

from rewriter.de.drafts import CASE, CONTRACTED, KEEP, PLURAL, SINGULAR, Draft
from rewriter.de.inflection import ACCUSATIVE, DATIVE, FEMININE, NOMINATIVE, match_case
from rewriter.de.pronouns import PronounFinder

#: one word, and another one or an ending in brackets
BRACKETED = re.compile(r"(?<!\w)(?P<one>[^\W\d_]+)(?P<gap> ?)\((?P<other>[^\W\d_]+(?: der)?)\)(?!\w)")
#: what stands in brackets behind a word that lacks it (*ein(e), diese(r)*)
_ENDINGS = frozenset({"e", "r", "n", "s"})


class BracketFinder(PronounFinder):
    """Finds pairs in brackets, before all others."""

    def drafts(self) -> list[Draft]:
        """Return all drafts."""
        if "(" in self.sentence.text:
            self._add_bracketed()
        return super().drafts()

    def _add_bracketed(self) -> None:
        sentence = self.sentence
        places = {token.start: index for index, token in enumerate(sentence.tokens)}
        for match in BRACKETED.finditer(sentence.text):
            index = places.get(match.start())
            if index is None or sentence.is_protected(match.start()):
                continue
            kind, options = self._options(match)
            if not options:
                continue
            self.found.append(Draft(match.start(), match.end(), index, kind, ((KEEP, match[0]), *options)))
            at = index
            while at < len(sentence.tokens) and sentence.tokens[at].start < match.end():
                self.taken.add(at)
                at += 1
            self.referents.append(index)

    def _options(self, match: re.Match[str]) -> tuple[str, list[tuple[int, str]]]:
        """Return the kind of a pair in brackets and its options, none where it is no pair."""
        one, other = match["one"], match["other"]
        if other in _ENDINGS:
            return "article", self._with_ending(one, other)
        if not match["gap"] or one == other:
            return "pair", []
        if one[0].isupper() and other[0].isupper() and one.lower() not in self.sentence.lexicon.determiners:
            return "pair", self._nouns(one, other)
        if CONTRACTED.get(one.lower()) == other.lower():
            return "article", [(CASE + DATIVE, match_case(one, self._contraction(one.lower())))]
        return "article", self._pronoun_pair_of(one, other)

    def _pronoun_pair_of(self, one: str, other: str) -> list[tuple[int, str]]:
        return [(outcome, match_case(one, text)) for outcome, text in self.paired(one, one.lower(), other.lower())]

    def _nouns(self, one: str, other: str) -> list[tuple[int, str]]:
        look_up = self.sentence.lexicon.word
        first, second = look_up(one), look_up(other)
        if first is not None and second is not None and first.noun is not None and second.noun is not None:
            if second.noun.gender != FEMININE or first.noun.gender == FEMININE:
                return []
            if first.noun.stem.lower() != second.noun.stem.lower():
                return []
            number = PLURAL if other.endswith("innen") else SINGULAR
            return [(number, self._noun(one, first.noun, number=number))]
        return self._inflected(one, other)

    def _inflected(self, one: str, other: str) -> list[tuple[int, str]]:
        """Return the option of *Vorsitzender (Vorsitzende), Vorsitzenden (Vorsitzende)*."""
        if not other.endswith("e") or one not in (other + "r", other + "n"):
            return []
        case = NOMINATIVE if one.endswith("r") else ACCUSATIVE
        return [(CASE + case, self.style.inflected(one, other))]

    def _with_ending(self, one: str, ending: str) -> list[tuple[int, str]]:
        lower = one.lower()
        readings = self.sentence.lexicon.determiners.get(lower, ())
        if any(reading.kind == "definite" for reading in readings) or not (readings or lower.endswith("e")):
            return []  # dem(n) is dem or den
        case = ACCUSATIVE if ending == "n" else NOMINATIVE
        return [(CASE + case, one + self.style.sign + ending)]
