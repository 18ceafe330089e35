"""English behind the language interface."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from lexicons.loader import read_table
from rewriter.en.candidates import CHANGE, HAS, IS, KEEP, OBJECT, OUTCOMES, analyze, governs_verbs
from rewriter.en.checks import checked_case, checked_verbs
from rewriter.en.clauses import left_out
from rewriter.en.dialect import DIALECT_WORDS
from rewriter.en.foreign import FUNCTION_WORDS
from rewriter.en.lexicon import EnglishLexicon
from rewriter.en.run_on import RUN_ON_WORDS
from rewriter.en.segmenter import segment
from rewriter.en.settings import NOUNS, REFLEXIVES
from rewriter.en.tokens import tokenize
from rewriter.language.candidates import Analysis
from rewriter.language.interface import Profile
from rewriter.language.tokens import Token
from rewriter.options import one_of
from rewriter.records import Edit
from rewriter.text.word_pattern import any_word

#: so many function words make a sentence English enough for its lower-case pronouns to be some
_ENGLISH_ENOUGH = 2
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
    *, reflexive: str = "themself", nouns: str = "literature", extra_nouns: Iterable[dict[str, str]] = ()
) -> English:
    """Return English under the convention ``en-singular-they`` with its settings.

    Args:
        reflexive: ``themself`` or ``themselves``.
        nouns: ``literature``, the table of the convention, or ``wide``, which adds to it.
        extra_nouns: rows of a user's own table.

    Raises:
        UsageError: ``reflexive`` or ``nouns`` is none of their values.
    """
    one_of(REFLEXIVES, reflexive=reflexive)
    one_of(NOUNS, nouns=nouns)
    return English(EnglishLexicon.load(reflexive=reflexive, nouns=nouns, extra_nouns=extra_nouns))


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

    def tokenize(self, text: str) -> list[Token]:
        """Return the tokens of a text; see :func:`rewriter.en.tokens.tokenize`."""
        return tokenize(text)

    def segment(self, text: str) -> list[tuple[int, int]]:
        """Return sentence spans (start, end in characters)."""
        return segment(text)

    def units(self, text: str) -> list[tuple[int, int]]:
        """Return sentence spans: English is rewritten by sentences."""
        return self.segment(text)

    def reads_before(self, text: str) -> bool:
        """Return False: an English sentence is read alone."""
        return False

    def gate(self, text: str) -> bool:
        """Tell whether ``text`` holds a pronoun or a noun of the table."""
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
        chosen = [self._follow(analysis, i, options, probabilities) for i in range(len(options))]
        subjects = self._changed_subjects(analysis, chosen)
        if not subjects:
            chosen = [0 if analysis.candidates[i].kind == "verb" else option for i, option in enumerate(chosen)]
        else:
            checked_verbs(analysis, chosen, subjects)
        self._complete(analysis, chosen)
        edits = []
        for candidate, option, score in zip(analysis.candidates, chosen, scores, strict=True):
            outcome, after = candidate.options[option]
            before = text[candidate.start : candidate.end]
            if outcome != KEEP and after != before:
                reason = _reason(candidate.kind, before, after)
                edits.append(Edit(candidate.start, candidate.end, before, after, candidate.kind, reason, score))
        return edits

    def _follow(self, analysis: Analysis, index: int, options: Sequence[int], probabilities: Any) -> int:
        candidate = analysis.candidates[index]
        if candidate.governor < 0:
            return self._checked(analysis, index, self._read(analysis, index, options[index], probabilities))
        pronoun = analysis.candidates[candidate.governor]
        if pronoun.options[options[candidate.governor]][0] == KEEP:
            return 0
        if candidate.kind == "contraction" and options[index] == 0:
            # "they's" is never right: take the likelier of 're and 've
            if probabilities is None or probabilities[index] is None:
                return 1
            return 1 if probabilities[index][IS] >= probabilities[index][HAS] else 2
        # a verb right beside its pronoun follows it: "they knows" is never right either
        return 1 if candidate.kind == "verb" else options[index]

    @staticmethod
    def _checked(analysis: Analysis, index: int, option: int) -> int:
        """Return the option of *her* or *his* that the word behind it allows."""
        candidate = analysis.candidates[index]
        if not option or candidate.forced is not None or candidate.kind != "pronoun" or len(candidate.options) < 3:
            return option
        outcome = checked_case(analysis.tokens, candidate.token, candidate.options[option][0])
        return next(place for place, known in enumerate(candidate.options) if known[0] == outcome)

    @staticmethod
    def _read(analysis: Analysis, index: int, option: int, probabilities: Any) -> int:
        """Return the likelier reading of a lower-case *her* or *his* in English; the encoder's doubt is about names."""
        candidate = analysis.candidates[index]
        if option or candidate.kind != "pronoun" or len(candidate.options) < 3 or not probabilities:
            return option
        token, row = analysis.tokens[candidate.token], probabilities[index]
        if token.shape or row is None or sum(t.norm in FUNCTION_WORDS for t in analysis.tokens) < _ENGLISH_ENOUGH:
            return option
        return max(range(1, len(candidate.options)), key=lambda place: row[candidate.options[place][0]])

    @staticmethod
    def _complete(analysis: Analysis, options: list[int]) -> None:
        """Change the verbs that were left out of a list of changed ones."""
        verbs = {c.token: i for i, c in enumerate(analysis.candidates) if c.kind == "verb"}
        changed = [token for token, i in verbs.items() if options[i]]
        if len(changed) > 1:
            kept = [t for t, i in verbs.items() if not options[i] and analysis.candidates[i].forced is None]
            subjects = [t for t, token in enumerate(analysis.tokens) if token.norm in ("he", "she")] if kept else []
            for token in left_out(analysis.tokens, changed, kept, subjects):
                options[verbs[token]] = 1

    @staticmethod
    def _changed_subjects(analysis: Analysis, options: Sequence[int]) -> set[int]:
        """Return the places of the pronouns that change and can have verbs."""
        return {
            candidate.token
            for candidate, option in zip(analysis.candidates, options, strict=True)
            if candidate.kind == "pronoun"
            and candidate.options[option][0] in (CHANGE, OBJECT)
            and governs_verbs(analysis.tokens, candidate.token)
        }


def _reason(kind: str, before: str, after: str) -> str:
    return {
        "verb": f"{before} -> {after}: its subject became 'they'",
        "contraction": f"{before} -> {after}: follows 'they'",
    }.get(kind, f"{before} -> {after}")
