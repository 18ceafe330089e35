"""English behind the language interface."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from copy import copy
from dataclasses import replace
from typing import Any

from lexicons.loader import read_table
from rewriter.en.candidates import KEEP, OUTCOMES, analyze
from rewriter.en.closed_words import REFLEXIVES
from rewriter.en.dialect import DIALECT_WORDS
from rewriter.en.lexicon import EnglishLexicon
from rewriter.en.run_on import RUN_ON_WORDS
from rewriter.en.segmenter import segment
from rewriter.en.settings import NOUNS
from rewriter.en.settling import settled
from rewriter.en.tokens import tokenize
from rewriter.language.candidates import Analysis
from rewriter.language.interface import Profile
from rewriter.language.rules import Rules, decider
from rewriter.language.tokens import Token
from rewriter.options import one_of
from rewriter.records import Edit
from rewriter.text.word_pattern import any_word

PROFILE = Profile(
    convention="en-singular-they",
    names=("en", "eng", "english"),
    example="She knows her stuff.",
    limits="The model rewrites every he and she, named people included, after its convention. It may misread *her*, "
    "*his*, *'s* and the number of distant verbs. It knows nothing about how a person wants to be called. The "
    "reflexive is *themself*; who rewrites by hand writes *themselves* (104 times against 4 in human references "
    "elsewhere), which the setting `reflexive` does.",
)


def make(
    *,
    reflexive: str = "themself",
    nouns: str = "literature",
    extra_nouns: Iterable[dict[str, str]] = (),
    without_rules: Iterable[str] = (),
) -> English:
    """Return English under the convention ``en-singular-they`` with its settings.

    Args:
        reflexive: ``themself`` or ``themselves``.
        nouns: ``literature``, the table of the convention, or ``wide``, which adds to it.
        extra_nouns: rows of a user's own table.
        without_rules: names of rules that are left out.

    Raises:
        UsageError: ``reflexive`` or ``nouns`` is none of their values, or there is no such rule.
    """
    one_of(REFLEXIVES, reflexive=reflexive)
    one_of(NOUNS, nouns=nouns)
    rules = Rules("en", without_rules)
    return English(EnglishLexicon.load(reflexive=reflexive, nouns=nouns, extra_nouns=extra_nouns, rules=rules))


#: kind of edit -> why there is one, beside who decided it
_WHY = {
    "pronoun": "gendered pronoun, ",
    "noun": "noun of the table, ",
    "verb": "its subject became 'they', ",
    "contraction": "follows 'they', ",
}


class English:
    """English: singular *they*."""

    code = "en"
    outcomes = OUTCOMES

    def __init__(self, lexicon: EnglishLexicon) -> None:
        self.lexicon = lexicon
        words = [row["gendered"] for row in read_table("en", "pronouns")]
        #: the words that :meth:`gate` looks for, without apostrophes before them; s/he and (s)he hold "he"
        self.gate_words = (*words, *RUN_ON_WORDS, *DIALECT_WORDS, *lexicon.nouns)
        dialect = (f"{mark}{word}" for mark in "'’" for word in DIALECT_WORDS)
        self._gate = any_word((*words, *RUN_ON_WORDS, *dialect, *lexicon.nouns))

    @property
    def rules(self) -> Rules:
        """The rules that are asked."""
        return self.lexicon.rules

    def with_rules(self, rules: Rules) -> English:
        """Return the same language with other rules.

        Args:
            rules: that are asked.
        """
        other = copy(self)
        other.lexicon = replace(self.lexicon, rules=rules)
        return other

    def tokenize(self, text: str) -> list[Token]:
        """Return the tokens of a text; see :func:`rewriter.en.tokens.tokenize`."""
        return tokenize(text)

    def segment(self, text: str) -> list[tuple[int, int]]:
        """Return sentence spans (start, end in characters)."""
        return segment(text)

    def units(self, text: str) -> list[tuple[int, int]]:
        """Return sentence spans: English is rewritten by sentences."""
        return self.segment(text)

    def respelt(self, text: str) -> None:
        """Return None: English is read as it stands."""

    def reads_before(self, text: str) -> bool:
        """Return False: an English sentence is read alone."""
        return False

    def gate(self, text: str) -> bool:
        """Return True if ``text`` holds a pronoun or a noun of the table."""
        return self._gate.search(text.lower()) is not None

    def analyze(
        self,
        text: str,
        protected: Sequence[tuple[int, int]] = (),
        *,
        training: bool = False,
        before: Sequence[str] = (),
    ) -> Analysis:
        """Return tokens and candidates of a sentence; sentences before it are not read."""
        return analyze(text, self.lexicon, protected=protected, training=training)

    def settle(
        self, text: str, analysis: Analysis, options: Sequence[int], scores: Sequence[float], probabilities: Any = None
    ) -> list[Edit]:
        """Make verbs and clitics follow their pronouns, and return the edits.

        Args:
            text: the sentence.
            analysis: of the sentence.
            options: index of the chosen option per candidate.
            scores: confidence per candidate.
            probabilities: per candidate a sequence over outcome ids, or None; settles a clitic whose pronoun changed.
        """
        chosen, corrected = settled(analysis, options, probabilities, self.lexicon.rules)
        edits = []
        for index, (candidate, score) in enumerate(zip(analysis.candidates, scores, strict=True)):
            outcome, after = candidate.options[chosen[index]]
            before = text[candidate.start : candidate.end]
            if outcome != KEEP and after != before:
                who = decider(candidate, outcome, score, corrected.get(index))
                reason = f"{before} -> {after}: {_WHY.get(candidate.kind, '')}{who}"
                edits.append(Edit(candidate.start, candidate.end, before, after, candidate.kind, reason, score))
        return edits
