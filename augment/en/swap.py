"""English rules for swapping genders: pronouns, nouns, titles, given names (see :mod:`augment.swap`)."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from augment.en.swap_names import NameFinder
from augment.en.swap_nouns import NounFinder, NounTable, fixed_phrases
from augment.en.swap_pairs import PairFinder
from augment.en.swap_pronouns import PRONOUNS, CaseLanguage
from augment.en.swap_things import animals, things_called_she
from augment.en.swap_works import works
from augment.swap.settings import Plan, SwapSettings
from rewriter.en.segmenter import segment
from rewriter.model.proposer import Sentence
from rewriter.text.offsets import joined, within
from rewriter.text.word_pattern import any_word

_PRONOUN = any_word(PRONOUNS)


def make(settings: SwapSettings) -> EnglishSwap:
    """Return the rules under some settings."""
    return EnglishSwap(settings)


class EnglishSwap:
    """Swaps English words; what it does is told in ``docs/train/swap.md``.

    Args:
        settings: direction, names, a user's own words.
    """

    #: the case of *her* and *his* is the model's to decide
    asks = True

    def __init__(self, settings: SwapSettings) -> None:
        self.settings = settings
        self.language = CaseLanguage(settings.targets)
        self.names = NameFinder.load(settings)
        self.nouns = NounFinder(NounTable.load(settings.targets, settings.own_words), self.names.known)
        self.pairs = PairFinder(NounTable.load(("masculine", "feminine"), settings.own_words).words)
        words = {*PRONOUNS, *self.nouns.table.words}
        self._names = frozenset(self.names.known)
        self._letters, self._first = _first_parts(words, self._names)
        #: words one of which every text holds in which something is swapped
        self.gate_words = tuple(sorted(words | set(self.names.known)))

    def gate(self, text: str) -> bool:
        """Tell whether a text holds a word of the tables, or what is written like a name of the tables."""
        parts = self._letters.findall(text.lower())
        if not self._first.isdisjoint(parts):
            return True
        return not self._names.isdisjoint(parts) and self.names.may_hold(text)

    def segment(self, text: str) -> list[tuple[int, int]]:
        """Return the spans of sentences."""
        return segment(text)

    def plan(self, text: str, protected: Sequence[tuple[int, int]]) -> Plan:
        """Return the edits of nouns and names, and the sentences with pronouns."""
        lower = _lowered(text)
        plan = Plan()
        spans = segment(text)
        titles = works(text)
        stays = joined([*protected, *fixed_phrases(lower), *titles])
        things = (*things_called_she(text, lower), *animals(lower, spans))
        held = joined([*protected, *titles, *self.pairs.spans(lower), *things])
        if self.names.may_hold(text):
            plan.edits += self.names.edits(text, spans, stays)
        plan.edits += self.nouns.edits(text, lower, joined([*stays, *held]))
        for start, end in spans:
            if _PRONOUN.search(lower, start, end):
                plan.questions.append((start, Sentence(text[start:end], within(held, start, end))))
        return plan


#: runs of the letters that English words of the tables have; half as long to find as those of every alphabet
_LETTERS = re.compile(r"[a-zà-ÿ]+")
_ANY_LETTERS = re.compile(r"[^\W\d_]+")


def _first_parts(words: Collection[str], names: Collection[str]) -> tuple[re.Pattern[str], frozenset[str]]:
    """Return what finds runs of letters, and runs one of which every text with one of ``words`` has.

    Of a word with several parts (*maid of honor*) that is a part which is a word of its own, else the first.

    Args:
        words: of the tables.
        names: given names, whose letters are to be found, too.
    """
    found = []
    for word in words:
        parts = _ANY_LETTERS.findall(word.lower())
        found += [next((part for part in parts if part in words), parts[0])] if parts else []
    is_plain = all(_LETTERS.fullmatch(part) for part in (*found, *names))
    return _LETTERS if is_plain else _ANY_LETTERS, frozenset(found)


def _lowered(text: str) -> str:
    """Return a text in lower case with the same length (some letters have longer lower cases)."""
    lower = text.lower()
    if len(lower) == len(text):
        return lower
    return re.sub(r"\w", lambda m: m[0].lower() if len(m[0].lower()) == 1 else m[0], text)
