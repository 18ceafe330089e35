"""A German sentence as swapping reads it: with the neuter, and noun phrases of its persons."""

from __future__ import annotations

from collections.abc import Sequence

from augment.de.swapping.lexicon import SwapLexicon, closed_with_neuter
from rewriter.de.lexicon import Word
from rewriter.de.phrase import Phrase
from rewriter.de.phrases import PhraseFinder
from rewriter.de.sentence import Sentence

_SUBJECTS = frozenset("ich du er es wir man wer".split())


class SwapSentence(Sentence):
    """A sentence whose determiners and adjectives may be neuter."""

    def __init__(self, text: str, lexicon: SwapLexicon, protected: Sequence[tuple[int, int]]) -> None:
        """Cut a sentence into tokens.

        Args:
            text: the sentence.
            lexicon: says what words may be.
            protected: spans of the sentence that stay, in order.
        """
        super().__init__(text, lexicon, protected)
        self.closed = closed_with_neuter()

    def is_capital(self, index: int) -> bool:
        """Return True if a token is a word with a capital first letter only."""
        return 0 <= index < len(self.tokens) and self.tokens[index].shape == 1 and self.norms[index].isalpha()

    def is_adjective(self, index: int) -> bool:
        """Return True if a token looks like an inflected adjective, no verb behind its subject (*wir suchten*)."""
        return self.norm(index - 1) not in _SUBJECTS and super().is_adjective(index)

    def find_phrase(self, head: int, word: Word) -> Phrase:
        """Return the phrase of a person."""
        return _Finder(self, head, word).find()


class _Finder(PhraseFinder):
    def _is_first_adjective(self, at: int) -> bool:
        """Tell whether the sentence begins with an adjective, be it *junge*."""
        if at == 0 and self.phrase.start == 1 and self.norms[0] in ("junge", "jungen"):
            return True
        return super()._is_first_adjective(at)

    def _is_capital_adjective(self, at: int) -> bool:
        """Return True if an adjective with a capital stands before its noun, no adjective of a town in *-er*."""
        norm, before = self.norms[at], self.sentence.norm(at - 1)
        of_town = norm.endswith("er") and not before.endswith(("ein", "mein", "dein", "sein", "ihr", "unser", "euer"))
        return not of_town and super()._is_capital_adjective(at)

    def _look_behind_names(self) -> None:
        """Leave a determiner before names to the person whom they name (*die Lehrerin Anna Schneider*)."""

    def _take_determiner(self, at: int) -> bool:
        """Make the token the phrase's determiner; in *die beiden Freundinnen* that is the first word."""
        reading, adjectives = self.determiners[self.norms[at]][0], self.phrase.adjectives
        if adjectives and self._lacks_ending(adjectives[0], reading.ending, reading.paradigm):
            return False  # denn ihr fehlte Geld
        if at > 0 and reading.kind == "plural" and self.norms[at - 1] in self.determiners:
            first = self.determiners[self.norms[at - 1]][0]
            if first.kind != "plural" and super()._take_determiner(at - 1):
                adjectives.insert(0, at)
                return True
        return super()._take_determiner(at)

    def _lacks_ending(self, adjective: int, ending: str, paradigm: str) -> bool:
        """Tell whether an adjective in *-e* cannot stand behind *ein, ihr* without an ending."""
        return not ending and paradigm in ("indefinite", "possessive") and self.norms[adjective].endswith("e")
