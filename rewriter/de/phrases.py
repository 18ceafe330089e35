"""Noun phrases of persons: which determiner and adjectives belong to a noun.

No parser: German writes its nouns with a capital and inflects what stands before them, so a walk to the left from the
noun finds the phrase.
"""

from __future__ import annotations

import re

from rewriter.de.closed_classes import CONJUNCTIONS
from rewriter.de.compounds import genders
from rewriter.de.given_names import first_names
from rewriter.de.marks import before_marks
from rewriter.de.phrase import Phrase
from rewriter.de.phrase_cases import noun_mask, restrict
from rewriter.de.phrase_words import DEGREES, FUNCTION, NO_FIELD, SAYING
from rewriter.de.sentence import ADJECTIVE, Sentence
from rewriter.de.word_readings import MASC, Determiner, Word

#: adjectives that are written with a capital as part of a title (der Parlamentarische Staatssekretär)
_TITLE = re.compile(r"[a-zäöüß]+(?:isch|lich|ig|end|iert|haft|ere)e[nmrs]?")
_MIDDLE = frozenset({"und", "oder", "sowie", "aber", ",", "bzw"})
#: adverbs that stand before an attribute (ein sehr guter Lehrer)
_ADVERB = re.compile(r"[a-zäöüß]{2,}")
#: adjectives of towns and the like (die Berliner Lehrer), which stay
_CITY = re.compile(r"[A-ZÄÖÜ][a-zäöüß]+er")
_LONGEST = 14


def find_phrase(sentence: Sentence, head: int, word: Word) -> Phrase:
    """Return the phrase of a person noun: its words, and what is left of its gender, number and case.

    Args:
        sentence: that holds it.
        head: token of the noun.
        word: what the noun may be.
    """
    return PhraseFinder(sentence, head, word).find()


class PhraseFinder:
    """Finds one phrase; where other nouns than those of persons are read, its rules are overridden.

    Args:
        sentence: that holds the phrase.
        head: token of the noun.
        word: what the noun may be.
    """

    def __init__(self, sentence: Sentence, head: int, word: Word) -> None:
        self.sentence, self.norms, self.determiners = sentence, sentence.norms, sentence.lexicon.determiners
        self.phrase, self.noun_mask = Phrase(head, word, head), noun_mask(sentence, word)

    def find(self) -> Phrase:
        """Return the phrase."""
        phrase = self.phrase
        self._walk()
        if phrase.determiner >= 0 and self.sentence.is_fair(phrase.determiner):
            phrase.fair = True
        cases = self._take_double()
        restrict(self.sentence, phrase)
        if cases:
            phrase.mask &= cases
        return phrase

    # -- the walk to the left

    def _walk(self) -> None:
        phrase, at = self.phrase, self._before_hyphens()
        phrase.start = at + 1
        for _ in range(_LONGEST):
            at = before_marks(self.sentence, at)
            if at < 0:
                break
            if self.norms[at] in self.determiners and not self._is_the_one(at) and self._take_determiner(at):
                return
            if phrase.start == at + 1 and self._is_preterite(at):
                break  # Gestern sagte Ministerin Kern
            if (
                self.sentence.is_adjective(at)
                or self._is_first_adjective(at)
                or self._is_title(at)
                or self._is_the_one(at)
            ):
                phrase.adjectives.insert(0, at)
                phrase.start = at
                at = self._before_prefix(at)
            elif not self._is_inside(at):
                break
            at -= 1
        # dem aus der Last Berechtigten: a participle as a noun, with what belongs to it before it
        if at >= 0 and (phrase.adjectives or phrase.word.noun is None):
            self._look_further(at)
        if phrase.determiner < 0 and not phrase.adjectives:
            self._look_behind_names()

    def _is_the_one(self, at: int) -> bool:
        """Return True if *eine, einen* stands behind an article (*der eine Anbieter*)."""
        return self.norms[at] in _ONE and self.sentence.norm(at - 1) in _ARTICLES

    def _before_prefix(self, at: int) -> int:
        """Return the first token of an adjective with hyphens (*pro-russischen, US-amerikanische*)."""
        touches = self.sentence.touches
        while at > 1 and self.norms[at - 1] == "-" and touches(at - 1) and touches(at - 2):
            at -= 2
        self.phrase.start = at
        return at

    def _look_behind_names(self) -> None:
        """Find the determiner before names and foreign words (*der Open Data Koordinatorin, deinen git Benutzer*)."""
        phrase, sentence = self.phrase, self.sentence
        at = phrase.start - 1
        for index in range(at, max(-1, at - _NAMES_AT_MOST), -1):
            if self.norms[index] in self.determiners:
                if index < at:
                    phrase.certain = False
                    self._take_determiner(index)
                return
            if self.norms[index] in _MIDDLE or (not self.norms[index].isalpha() and self.norms[index] != "-"):
                return
            if sentence.surface(index) in genders() or self.norms[index] in FUNCTION or sentence.is_adjective(index):
                return
            if self.norms[index] in sentence.closed.prepositions:
                return

    def _before_hyphens(self) -> int:
        """Return the token before the noun and the parts that hyphens join to it."""
        at, touches = self.phrase.head - 1, self.sentence.touches
        while at > 0 and self.norms[at] == "-" and touches(at) and touches(at - 1):
            at -= 2
        return at

    def _is_preterite(self, at: int) -> bool:
        """Return True if a word that ends like an adjective is a preterite (*Gestern sagte Ministerin Kern*)."""
        sentence, norms, norm = self.sentence, self.norms, self.norms[at]
        if not norm.endswith("te") or sentence.tokens[at].shape or at == 0:
            return False
        if norm in SAYING:
            return norms[at - 1] not in self.determiners or norms[at - 1] in ("das", "es")
        opening = norms[0]
        opens = opening in sentence.closed.prepositions or opening in _CONTRACTIONS
        if at > 1 and not (at < 5 and opens and sentence.tokens[at - 1].shape):
            return False
        # als gelernte Köchin, eine erfahrene Ärztin; Das eröffnete Ministerin Kern
        return at > 1 or opening == "das" or not (opening in self.determiners or opening in NO_FIELD)

    def _is_first_adjective(self, at: int) -> bool:
        """Return True if the sentence begins with an adjective (Junge Lehrer ...)."""
        sentence = self.sentence
        return (
            at == 0
            and at == self.phrase.start - 1
            and sentence.tokens[0].shape == 1
            and ADJECTIVE.fullmatch(self.norms[0]) is not None
            and self.norms[0] not in FUNCTION
            and (sentence.words[0] is None or sentence.words[0].noun is None)
            and sentence.surface(0) not in first_names()
        )

    def _is_title(self, at: int) -> bool:
        """Return True if an adjective with a capital stands between determiner and noun (der Vorsitzende Richter)."""
        sentence, word = self.sentence, self.sentence.words[at]
        if self._is_capital_adjective(at):
            return True
        return (
            at == self.phrase.head - 1
            and sentence.tokens[at].shape == 1
            and sentence.norm(at - 1) in self.determiners
            and (word is None or word.noun is None)
            and (_TITLE.fullmatch(self.norms[at]) is not None or (word is not None and word.nominalised is not None))
            and self.phrase.word.noun is not None
        )

    def _is_capital_adjective(self, at: int) -> bool:
        """Return True if an adjective with a capital stands before its noun (*Netter Arzt, die Hohe Rätin*)."""
        sentence, norm = self.sentence, self.norms[at]
        if at != self.phrase.head - 1 or sentence.tokens[at].shape != 1:
            return False
        word = sentence.words[at]
        if word is not None and word.noun is not None:
            return False
        if sentence.norm(at - 1) in self.determiners and _TITLE.fullmatch(norm) is not None:
            return True
        if sentence.surface(at) in genders():
            return False
        if sentence.norm(at - 1) in self.determiners:
            return ADJECTIVE.fullmatch(norm) is not None
        return self.phrase.word.noun is not None and _TITLE.fullmatch(norm) is not None

    def _is_inside(self, at: int) -> bool:
        """Return True if a token may stand within a phrase though it is no adjective."""
        sentence, phrase, norm = self.sentence, self.phrase, self.norms[at]
        token = sentence.tokens[at]
        if norm == "aber" and phrase.adjectives and phrase.start == at + 1 and sentence.norm(at - 1) == ",":
            phrase.start = at  # den klugen, aber faulen Lehrer
            return True
        if norm in _MIDDLE:
            return phrase.start == at + 1 and bool(phrase.adjectives) and sentence.is_adjective(at - 1)
        if token.shape == 1 and at + 1 == phrase.start and at and self._is_of_town(at):
            phrase.start = at
            return True
        if norm in ("-", ".") or norm.isdigit():
            # der 1. Vorsitzende, der 40-jährige, der 25jährige Mann
            return sentence.norm(at + 1) in ("-", ".") or norm in ("-", ".") or sentence.touches(at)
        if phrase.word.noun is None and phrase.start == phrase.head == at + 1 and norm in DEGREES:
            return True  # einen schwer Kranken
        if not phrase.adjectives or norm in sentence.closed.prepositions or norm in FUNCTION or token.shape:
            return False
        return _ADVERB.fullmatch(norm) is not None and phrase.start - at <= 2

    def _is_of_town(self, at: int) -> bool:
        """Return True if a word may be the adjective of a town (*die Berliner Lehrer*), no noun (*ihre Tochter*)."""
        surface = self.sentence.surface(at)
        if _CITY.fullmatch(surface) is None:
            return False
        return self.norms[at] in self.sentence.lexicon.towns or genders().get(surface) != "f"

    # -- the determiner

    def _take_determiner(self, at: int) -> bool:
        """Make the token the phrase's determiner if gender, number and case leave anything."""
        phrase = self.phrase
        for reading in self.determiners[self.norms[at]]:
            if reading.mask & self.noun_mask and not (reading.kind == "definite" and self._is_strong()):
                phrase.determiner, phrase.reading, phrase.start = at, reading, at
                phrase.paradigm = reading.adjectives
                return True
        return False

    def _is_strong(self) -> bool:
        """Return True if an adjective of the phrase ends as behind no article (*der kaiserlicher Minister war*)."""
        phrase = self.phrase
        if phrase.word.noun is None and phrase.word.nominalised is not None and phrase.word.nominalised.ending == "er":
            return True
        return any(self.norms[at].endswith("er") and self.sentence.is_adjective(at) for at in phrase.adjectives)

    def _take_double(self) -> int:
        """Take the other determiner of *die oder der Vorsitzende* into the phrase; return the mask of their cases."""
        reading, at = self.phrase.reading, self.phrase.determiner - 2
        if self.norms[max(at, 0) : at + 2] == ["bzw", "."]:
            at -= 1
        given = self.sentence.norm(self.phrase.determiner)
        if reading is None or self.sentence.norm(at + 1) not in _JOINTS:
            return 0
        for other in self.determiners.get(self.sentence.norm(at), ()):
            if other.stem != reading.stem or other.kind != reading.kind or self.norms[at] == given:
                continue
            cases = _shared_cases(reading, other)
            if cases & self.noun_mask and not self.sentence.is_blocked(at):
                self.phrase.double = self.phrase.start = at
                return cases
        return 0

    def _look_further(self, at: int) -> None:
        """Find the determiner of a long attribute: *der von der Regierung ernannte Minister*.

        Adjectives before a comma belong to it, too: *mit der jungen, aus Kiel stammenden Forscherin*.
        """
        before: list[int] = []
        for index in range(at, max(-1, at - _LONGEST), -1):
            norm = self.norms[index]
            if norm == "," and self.sentence.is_adjective(index - 1):
                before = [index - 1]
                continue
            if norm in (",", ";", ":", ".", "!", "?"):
                return
            if before and index + 1 == before[0] and self.sentence.is_adjective(index):
                before.insert(0, index)
                continue
            if norm not in self.determiners or index + 1 > at:
                continue
            if (self._opens_attribute(index + 1) or index + 1 in before) and self._fits(before, index):
                self.phrase.certain = False
                self.phrase.adjectives[:0] = before
                self._take_determiner(index)
                return

    def _opens_attribute(self, index: int) -> bool:
        """Return True if what stands right behind a determiner begins a long attribute."""
        norm = self.norms[index]
        opens = norm in _CONTRACTIONS or norm in self.sentence.closed.prepositions or norm in _OPENERS
        return opens or self._is_adverb(index)

    def _is_adverb(self, index: int) -> bool:
        return (
            self.sentence.tokens[index].shape == 0
            and not self.sentence.is_adjective(index)
            and self.norms[index].isalpha()
            and self.norms[index] not in self.determiners
        )

    def _fits(self, before: list[int], index: int) -> bool:
        """Return True if a determiner agrees with the noun and all its adjectives."""
        reading = self.determiners[self.norms[index]][0]
        if reading.kind == "contraction":
            return False
        mask = self.noun_mask & reading.mask
        for adjective in [*before, *self.phrase.adjectives]:
            mask &= self.sentence.adjective_mask(reading.adjectives, adjective)
        return bool(mask)


def _shared_cases(one: Determiner, other: Determiner) -> int:
    """Return the mask of the cases that the masculine of one determiner and the feminine of the other share."""
    cases = (other.mask & MASC) & (one.mask >> 4 & MASC) | (one.mask & MASC) & (other.mask >> 4 & MASC)
    return cases | cases << 4


#: of two determiners for both genders (*jede und jeder*)
_JOINTS = CONJUNCTIONS | {"/"}
_ONE = frozenset({"eine", "einen"})
_ARTICLES = frozenset({"der", "die", "den", "dem", "des"})
#: words between a determiner and its noun that are no adjectives
_NAMES_AT_MOST = 4
_CONTRACTIONS = frozenset("am beim im ins ans vom zum zur".split())
#: what follows the determiner of a long attribute
_OPENERS = frozenset("mir dir ihm ihr uns euch ihnen sich ihn sie es mich dich nicht nie".split())
