"""English rules for swapping genders: pronouns, nouns, titles, given names (see :mod:`augment.swap`)."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from augment.en.swap_names import NameFinder
from augment.en.swap_nouns import NounFinder, NounTable, fixed_phrases
from augment.en.swap_pairs import PairFinder
from augment.en.swap_pronouns import PRONOUNS, CaseLanguage
from augment.en.swap_things import animals, things_called_she
from augment.en.swap_works import works
from augment.swap.settings import Plan, SwapSettings
from rewriter.en.segmenter import segment
from rewriter.language.rules import Decision, Rules
from rewriter.model.proposer import Sentence
from rewriter.text.offsets import joined, within
from rewriter.text.word_pattern import any_word

Span = tuple[int, int]

_PRONOUN = any_word(PRONOUNS)
#: the rules of these answer with spans of a document: titles, in which everything stays
TITLES = Decision("en", "blocks", asked="swapping")
#: phrases whose nouns and names stay
PHRASES = Decision("en", "blocks", asked="swapping")
#: pairs, things and animals, whose nouns and pronouns stay
HELD = Decision("en", "blocks", asked="swapping")


def make(settings: SwapSettings) -> EnglishSwap:
    """Return the rules under some settings."""
    return EnglishSwap(settings)


class EnglishSwap:
    """Swaps English words; what it does is told in ``docs/train/swap.md``.

    Args:
        settings: direction, names, a user's own words, rules that are left out.
        rules: that are asked; None asks those that the settings leave.
    """

    #: the case of *her* and *his* is the model's to decide
    asks = True

    def __init__(self, settings: SwapSettings, rules: Rules | None = None) -> None:
        self.settings, self._rules = settings, rules or Rules("en", settings.without_rules)
        self.language = CaseLanguage(settings.targets, self._rules)
        self.names = NameFinder.load(settings)
        table = NounTable.load(settings.targets, settings.own_words)
        self.nouns = NounFinder(table, self._rules, self.names.known)
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

    def segment(self, text: str) -> list[Span]:
        """Return the spans of sentences."""
        return segment(text)

    def plan(self, text: str, protected: Sequence[Span]) -> Plan:
        """Return the edits of nouns and names, and the sentences with pronouns."""
        lower = _lowered(text)
        plan = Plan()
        document = _Document(text, lower, segment(text), self.pairs)
        titles = self._spans(TITLES, document)
        stays = joined([*protected, *titles, *self._spans(PHRASES, document)])
        held = joined([*protected, *titles, *self._spans(HELD, document)])
        if self.names.may_hold(text):
            plan.edits += self.names.edits(text, document.sentences, stays, self._rules)
        plan.edits += self.nouns.edits(text, lower, joined([*stays, *held]))
        for start, end in document.sentences:
            if _PRONOUN.search(lower, start, end):
                plan.questions.append((start, Sentence(text[start:end], within(held, start, end))))
        return plan

    def _spans(self, decision: Decision, document: _Document) -> list[Span]:
        return [span for _, spans in self._rules.answers(decision, document) for span in spans]


@dataclass(frozen=True, slots=True)
class _Document:
    """A text, the same in lower case and as long, its sentences, and what finds pairs in it."""

    text: str
    lower: str
    sentences: Sequence[Span]
    pairs: PairFinder


def _some(spans: Iterable[Span]) -> list[Span] | None:
    return list(spans) or None


@TITLES.rule("title in quotation marks", example="He read “The [King] of Ys”.", counter="He said “the [king] left”.")
def _titles(document: _Document) -> list[Span] | None:
    return _some(works(document.text))


@PHRASES.rule("phrase that stays", example="The [king] crab fled.", counter="The [king] fled.")
def _phrases(document: _Document) -> list[Span] | None:
    return _some(fixed_phrases(document.lower))


@HELD.rule("both of a pair", example="[He or she] sang.", counter="[He] sang.")
def _pairs(document: _Document) -> list[Span] | None:
    return _some(document.pairs.side_by_side(document.lower))


@HELD.rule("one man, one woman", example="We chose one [man] one woman.", counter="We chose one [man] two women.")
def _pairs_told_twice(document: _Document) -> list[Span] | None:
    return _some(document.pairs.told_twice(document.lower))


@HELD.rule("thing called she", example="The ship sank when [she] hit us.", counter="Ann sank when [she] hit us.")
def _things(document: _Document) -> list[Span] | None:
    return _some(things_called_she(document.text, document.lower))


@HELD.rule("animals and plants", example="The [male] of this spider is small.", counter="The [male] teacher is small.")
def _animals(document: _Document) -> list[Span] | None:
    return _some(animals(document.lower, document.sentences))


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
