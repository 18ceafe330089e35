"""Noun phrases for swapping: those of persons, names and things, with more ways to stand than the rewriter reads."""

from __future__ import annotations

from rewriter.de.lexicon import Word
from rewriter.de.phrase import Phrase
from rewriter.de.phrases import PhraseFinder
from rewriter.de.sentence import Sentence
from rewriter.de.turning.grammar import ANY
from rewriter.de.turning.verbs import finite

_MEASURES = frozenset("jahre jahr monate wochen tage meter zentimeter kilo kilogramm euro prozent".split())


def find_any_phrase(sentence: Sentence, head: int, word: Word) -> Phrase:
    """Return the phrase of a noun, be it a person's, a name or a thing.

    Args:
        sentence: that holds it.
        head: token of the noun.
        word: what the noun may be.
    """
    return _AnyPhraseFinder(sentence, head, word).find()


class _AnyPhraseFinder(PhraseFinder):
    def _look_behind_names(self) -> None:
        """Leave a determiner before names to the person whom they name (*die Lehrerin Anna*)."""

    def _is_capital_adjective(self, at: int) -> bool:
        """Return False: what is read here is a title or no adjective."""
        return False

    def _is_first_adjective(self, at: int) -> bool:
        """Tell whether the sentence begins with an adjective, be it *junge*."""
        if at == 0 and self.phrase.start == 1 and self.norms[0] in ("junge", "jungen"):
            return True
        return super()._is_first_adjective(at)

    def _is_inside(self, at: int) -> bool:
        """Tell whether a token may stand within a phrase, also the comma of *ein neuer, sehr guter Arzt*."""
        sentence, phrase = self.sentence, self.phrase
        if finite(self.norms[at])[1] > 2:
            return False  # Ihr seid gute Schüler
        word = sentence.words[at]
        if word is not None and word.noun is not None and word.noun.certain and sentence.tokens[at].shape == 1:
            return False  # dessen Vater Bäcker ist: no adjective of a town
        if self.norms[at] == "," and phrase.adjectives and phrase.start - at == 2 and sentence.is_adjective(at - 1):
            return True
        return super()._is_inside(at)

    def _take_determiner(self, at: int) -> bool:
        """Make the token the phrase's determiner; in *die beiden Freundinnen* that is the first word."""
        reading, adjectives = self.determiners[self.norms[at]][0], self.phrase.adjectives
        if adjectives and self._lacks_ending(adjectives[0], reading.ending, reading.paradigm):
            return False  # denn ihr fehlte Geld
        before = self.sentence.norm(at - 1)
        if at > 0 and reading.kind == "plural" and before in self.determiners:
            first = self.determiners[before][0]
            if first.kind != "plural" and super()._take_determiner(at - 1):
                adjectives.insert(0, at)
                return True
        return super()._take_determiner(at)

    def _lacks_ending(self, adjective: int, ending: str, paradigm: str) -> bool:
        """Tell whether an adjective in *-e* cannot stand behind *ein, ihr* without an ending."""
        return not ending and paradigm in ("indefinite", "possessive") and self.norms[adjective].endswith("e")

    def _look_further(self, at: int) -> None:
        """Find the determiner of a long attribute, also of *der 40 Jahre alte Fahrer*."""
        if not self.phrase.adjectives:
            return  # bei den über 80-Jährigen: perhaps several
        super()._look_further(at)
        if self.phrase.determiner < 0 and at > 1 and self.norms[at] in _MEASURES:
            readings = self.determiners.get(self.norms[at - 2], ())
            noun = self.phrase.word.noun
            if readings and readings[0].mask & (noun.mask if noun else ANY):
                self._take_determiner(at - 2)
