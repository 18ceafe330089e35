"""Both genders of what was chosen: the masculine and the feminine of every starred word of a sentence.

The pair form is put together from these, and a sentence can be turned to one gender as a whole: what is certain about
a masculine sentence is certain about its feminine twin, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from rewriter.de.drafts import FIRST, KEEP, PLURAL, SINGULAR, case_of
from rewriter.de.inflection import DATIVE, MASCULINE, NOMINATIVE, endings
from rewriter.de.inflection import PLURAL as PLURAL_FORM
from rewriter.de.lexicon import GermanLexicon
from rewriter.de.phrase import Phrase
from rewriter.de.phrases import find_phrase
from rewriter.de.sentence import Sentence
from rewriter.de.word_readings import Noun, Word, bit
from rewriter.language.candidates import Analysis, Candidate

SIGN = "*"
#: endings of the masculine and the feminine behind sein*ihr*, by the last part
_THREE_PARTS = {"e": ("", "e"), "n": ("n", ""), "r": ("", "r")}

#: how words end whose ending *der\\*diejenige* writes once
_SAME_WORDS = ("jenige", "jenigen", "selbe", "selben")


def halves(star: str) -> tuple[str, str]:
    """Return masculine and feminine of a starred word that is no noun (*eine\\*n* -> *einen*, *eine*).

    A word without a sign is both; three parts (*sein\\*ihr\\*e*) give possessor and possessed in one gender.
    """
    left, sign, right = star.partition(SIGN)
    if not sign:
        return star, star
    middle, sign, last = right.partition(SIGN)
    if sign:
        masculine, feminine = _THREE_PARTS[last.lower()]
        return left + masculine, (middle[:-1] if last.lower() == "r" else middle) + feminine
    if " " in left and " " not in right:  # von dem*der
        preposition = left.rpartition(" ")[0]
        return left, f"{preposition} {right}"
    ending = right.lower()
    if ending.endswith(_SAME_WORDS) and len(left) == 3:
        return left + right[3:], match_first(left, right)
    if ending == "e":
        return left, (left[:-2] + "r" if left.lower() == "euer" else left) + right
    if ending == "n":
        return left + right, left
    if ending == "r" and left.lower() == "eure":
        return left[:2] + ("ER" if left.isupper() else "er"), left
    if ending == "r":
        return (left, left[:-1] + right) if left[-1:].lower() in ("m", "s", "n") else (left + right, left)
    return left, match_first(left, right)


def match_first(left: str, right: str) -> str:
    """Return the second word of two with the capital of the first (*Der\\*die* -> *Die*)."""
    return right[:1].upper() + right[1:] if left[:1].isupper() else right


class Genders:
    """Masculine and feminine of the candidates of a sentence, by the outcomes chosen for them."""

    def __init__(self, text: str, analysis: Analysis, outcomes: Sequence[int], lexicon: GermanLexicon) -> None:
        """Take a sentence with an analysis in star form.

        Args:
            text: the sentence.
            analysis: of the sentence, with star forms.
            outcomes: per candidate, made to agree.
            lexicon: knows the forms of the nouns.
        """
        self.text, self.analysis, self.outcomes, self.lexicon = text, analysis, outcomes, lexicon
        self._sentence = Sentence(text, lexicon, ())

    def of(self, index: int) -> tuple[str, str]:
        """Return masculine and feminine of a candidate; a word that stays is both."""
        candidate, outcome = self.analysis.candidates[index], self.outcomes[index]
        star = dict(candidate.options)[outcome]
        if candidate.kind == "noun" and outcome in (SINGULAR, PLURAL):
            return self.noun(candidate, self.case(index), plural=outcome == PLURAL)
        if outcome == FIRST:
            return self._first_part(self.text[candidate.start : candidate.end], star), star.replace(SIGN, "")
        if outcome == KEEP or candidate.kind in ("pair", "existing"):
            return (self.text[candidate.start : candidate.end],) * 2
        return halves(star)

    def _first_part(self, surface: str, star: str) -> str:
        """Return a compound with the masculine plural as its first part, which links (Studenten-, Ärzte-, Lehrer-)."""
        stem, _, rest = star.partition(SIGN)
        noun = self._noun(stem + "in")
        if noun is None or "innen" + rest.removeprefix("innen") not in surface.lower():
            return surface
        return like(surface, noun.prefix + noun.person.plural + rest.removeprefix("innen"))

    def members(self, head: int) -> list[int]:
        """Return what stands in the phrase of a head and agrees with it; a relative pronoun has a case of its own."""
        return self._members.get(head, [])

    @cached_property
    def _members(self) -> dict[int, list[int]]:
        members: dict[int, list[int]] = {}
        for index, candidate in enumerate(self.analysis.candidates):
            if candidate.governor >= 0 and candidate.kind != "relative":
                members.setdefault(candidate.governor, []).append(index)
        return members

    def case(self, index: int) -> int:
        """Return the case of a noun: that of what agrees with it, else what its phrase leaves."""
        cases = [case_of(self.outcomes[i]) for i in (index, *self.members(index)) if case_of(self.outcomes[i]) >= 0]
        if cases:
            return cases[0]
        mask = self._mask(self.analysis.candidates[index])
        if self.outcomes[index] == PLURAL:
            is_dative = mask & bit(PLURAL_FORM, DATIVE) and not mask & bit(PLURAL_FORM, NOMINATIVE)
            return DATIVE if is_dative else NOMINATIVE
        return next((case for case in range(4) if (mask | mask >> 4) >> case & 1), NOMINATIVE)

    def noun(self, candidate: Candidate, case: int, *, plural: bool) -> tuple[str, str]:
        """Return masculine and feminine of a noun in a case."""
        surface = self.text[candidate.start : candidate.end]
        noun = self._noun(surface)
        if noun is None:
            return surface, surface
        masculine = masculine_noun(noun, case, plural=plural, paradigm=self._phrase(candidate).paradigm)
        feminine = noun.prefix + noun.person.feminine + ("nen" if plural else "")
        return like(surface, masculine), like(surface, feminine)

    def _noun(self, surface: str) -> Noun | None:
        word = self.lexicon.word(surface)
        return None if word is None else word.noun

    def _mask(self, candidate: Candidate) -> int:
        return self._phrase(candidate).mask

    def _phrase(self, candidate: Candidate) -> Phrase:
        word = self.lexicon.word(self.text[candidate.start : candidate.end])
        if word is None:
            return Phrase(candidate.token, Word(), candidate.token, mask=0)
        return find_phrase(self._sentence, candidate.token, word)


def masculine_noun(noun: Noun, case: int, *, plural: bool, paradigm: str = "strong") -> str:
    """Return the masculine of a person noun in a case, in the spelling of the tables.

    Args:
        noun: a reading in either gender.
        case: 0 to 3.
        plural: number.
        paradigm: that adjectives of its phrase follow; *Beamter* is inflected like one (*der Beamte, ein Beamter*).
    """
    person = noun.person
    if person.declension == "adjectival":
        ending = endings(paradigm)[case][PLURAL_FORM if plural else MASCULINE]
        return noun.prefix + person.masculine.removesuffix("er") + (ending or "e")
    if person.declension == "mixed" and not plural and case != NOMINATIVE:
        return noun.prefix + person.plural  # dem Bauern, den Nachbarn
    return noun.prefix + person.masculine_form(case, plural=plural)


def like(surface: str, word: str) -> str:
    """Return a noun in the capitals of another."""
    if surface.isupper() and len(surface) > 1:
        return word.upper()
    return word[:1].upper() + word[1:].lower() if surface[:1].isupper() else word.lower()
