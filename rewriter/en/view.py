"""A sentence as its words, for rules that look at neighbours."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from functools import cache

from lexicons.loader import read_table
from rewriter.en.back_words import ADVERB_PHRASES, BETWEEN, NOT_ADVERBS
from rewriter.en.tokens import tokenize


class View:
    """Words of a sentence with look-up beyond its ends.

    Args:
        text: the sentence.
        protected: spans that must stay, in order.
    """

    def __init__(self, text: str, protected: Sequence[tuple[int, int]] = ()) -> None:
        self.text, self.protected = text, protected
        self.tokens = tokenize(text)

        shapes = [token.shape for token in self.tokens if token.norm.isalpha()]
        #: most words begin with a capital, as in headings, so that capitals mean nothing for one word
        self.is_title_case = sum(shape > 0 for shape in shapes) > 0.6 * len(shapes)

    def __len__(self) -> int:
        return len(self.tokens)

    def norm(self, index: int) -> str:
        """Return the word at ``index`` in lower case with straight apostrophes; empty outside the sentence."""
        return self.tokens[index].norm if 0 <= index < len(self.tokens) else ""

    def surface(self, index: int) -> str:
        """Return the word at ``index`` as it stands."""
        token = self.tokens[index]
        return self.text[token.start : token.end]

    def norms(self, start: int, end: int) -> list[str]:
        """Return the words from ``start`` to before ``end``."""
        return [self.norm(i) for i in range(max(0, start), min(end, len(self.tokens)))]

    def is_protected(self, offset: int) -> bool:
        """Return True if the character at ``offset`` lies in a protected span."""
        place = bisect_right(self.protected, (offset, 1 << 60)) - 1
        return place >= 0 and offset < self.protected[place][1]

    def is_whole_word(self, index: int) -> bool:
        """Return True if a word is running text: not protected, not part of a longer word or of a compound."""
        token, text = self.tokens[index], self.text
        if self.is_protected(token.start):
            return False
        before, after = text[max(0, token.start - 2) : token.start], text[token.end : token.end + 2]
        return not (_joins(before[::-1]) or _joins(after))

    def places(self, start: int, end: int) -> range:
        """Return the places of the words that begin between two offsets."""
        return range(*(bisect_left(self.tokens, offset, key=lambda token: token.start) for offset in (start, end)))

    def is_adverb(self, index: int) -> bool:
        """Return True if the word at ``index`` may stand between a subject and its verb."""
        word = self.norm(index)
        return word in BETWEEN or word == "not" or (len(word) > 4 and word.endswith("ly") and word not in NOT_ADVERBS)

    def skip_adverbs(self, index: int) -> int:
        """Return the first place from ``index`` on that is no adverb."""
        while self.is_adverb(index) or self._begins_phrase(index):
            index += 2 if self._begins_phrase(index) else 1
        return index

    def _begins_phrase(self, index: int) -> bool:
        return (self.norm(index), self.norm(index + 1)) in ADVERB_PHRASES

    def has(self, words: Iterable[str], start: int, end: int) -> bool:
        """Return True if one of ``words`` stands between ``start`` and ``end``."""
        return not set(words).isdisjoint(self.norms(start, end))


def _joins(beside: str) -> bool:
    """Return True if the two characters beside a word, the nearer one first, make it a part of something longer."""
    if not beside:
        return False
    if beside[0].isalnum() or beside[0] in "@#_":
        return True
    return beside[0] in "-‐‑/" and beside[1:].isalnum()


@cache
def persons(kind: str, column: str = "word") -> frozenset[str]:
    """Return the words of a kind of ``lexicons/en/persons.tsv``."""
    return frozenset(row[column] for row in read_table("en", "persons") if row["kind"] == kind and row[column])
