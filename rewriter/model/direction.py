"""The way back: masculine or feminine text instead of fair text (``--to``), behind the interface of a proposer.

The rules of the language (``rewriter/<code>/back.py``) turn fair words into gendered ones. Words that are gendered
already are decided by the model of the way forward, whose answer tells the case of *her* and *his*; and verbs that
stand away from their pronoun are changed only where that model would change them back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from rewriter.errors import UsageError
from rewriter.language.candidates import Analysis
from rewriter.language.complete import Defaults, complete, never
from rewriter.language.interface import Language, find_module
from rewriter.language.rules import Rules
from rewriter.language.tokens import Token
from rewriter.model.proposer import Proposal, Proposer, Sentence
from rewriter.options import one_of
from rewriter.records import Edit, apply_edits
from rewriter.text.offsets import moved, within
from rewriter.text.word_pattern import any_word

__all__ = ["Back", "BackEdit"]

FAIR = "fair"
#: what a text can be turned to
DIRECTIONS = (FAIR, "masculine", "feminine")
#: which *they* the way back takes
THEY = ("singular", "all")


@dataclass(frozen=True, slots=True)
class BackEdit:
    """An edit on the way back.

    Attributes:
        edit: with offsets in the sentence.
        is_certain: False for words that stand away from what they follow; the way forward should agree on them.
    """

    edit: Edit
    is_certain: bool = True


class Back(Protocol):
    """The rules of a language, made by ``rewriter.<code>.back``; :data:`DEFAULTS` has what may be left out."""

    def gate(self, text: str) -> bool:
        """Return True if ``text`` is worth a look, whatever the list of words says."""
        ...

    def resolver(self, text: str) -> Any:
        """Return what remembers the persons of a paragraph."""
        ...

    def fair_to_gendered(self, text: str, protected: Sequence[tuple[int, int]], resolver: Any) -> list[BackEdit]:
        """Return the edits that turn fair words."""
        ...

    def gendered_to_other(self, text: str, edits: Iterable[Edit]) -> list[Edit]:
        """Turn the edits of the way forward into edits to the gender."""
        ...


#: what rules have that leave a member of :class:`Back` out
DEFAULTS: Defaults = {"gate": lambda rules: never}


def check_direction(to: str, they: str = "singular") -> None:
    """Refuse unknown settings.

    Raises:
        UsageError: ``to`` or ``they`` has an unknown value.
    """
    one_of(DIRECTIONS, to=to)
    one_of(THEY, they=they)


def turn(
    language: Language, proposer: Proposer, to: str, they: str = "singular", extra_nouns: Iterable[dict[str, str]] = ()
) -> tuple[Language, Proposer]:
    """Return language and proposer of a direction.

    Args:
        language: of the way forward.
        proposer: the model of the way forward.
        to: ``fair`` (both are returned as they are), ``masculine`` or ``feminine``.
        they: ``singular`` for what is recognised as one person, ``all`` for every *they* that may be one.
        extra_nouns: a user's own nouns; rows with a column ``gender`` are read backwards too.

    Raises:
        UsageError: an unknown setting, or the language has no rules for the way back.
    """
    check_direction(to, they)
    if to == FAIR:
        return language, proposer
    module = find_module("rewriter", language.code, "back")
    if module is None:
        raise UsageError(
            f"the language '{language.code}' has no way back: there is no rewriter/{language.code}/back.py"
        )
    rules: Back = complete(module.make(to, they, tuple(extra_nouns), language), DEFAULTS)
    return BackLanguage(language, module.words(rules), rules.gate), BackProposer(language, proposer, rules)


class BackLanguage:
    """A language whose texts are looked at paragraph by paragraph, since *they* refers to sentences before."""

    def __init__(self, forward: Language, words: Iterable[str], gate: Callable[[str], bool] | None = None) -> None:
        """Take the language of the way forward.

        Args:
            forward: the language.
            words: that make a text worth a look on the way back.
            gate: tells that instead, where words are not enough.
        """
        own = tuple(words)
        self._forward, self._own_gate = forward, gate
        self._words = any_word(own) if own else None
        self.code, self.outcomes = forward.code, forward.outcomes
        known = forward.gate_words
        #: what the gate looks for, where the language says it
        self.gate_words = None if known is None else (*known, *own)

    def gate(self, text: str) -> bool:
        """Return True if ``text`` may hold something to turn."""
        if self._own_gate is not None and self._own_gate(text):
            return True
        return (self._words is not None and self._words.search(text.lower()) is not None) or self._forward.gate(text)

    def tokenize(self, text: str) -> list[Token]:
        """Return the tokens of the way forward."""
        return self._forward.tokenize(text)

    def respelt(self, text: str) -> None:
        """Return None: what is gender-fair already is found however it is spelt."""

    def reads_before(self, text: str) -> bool:
        """Return False: a paragraph is read as a whole."""
        return False

    def segment(self, text: str) -> list[tuple[int, int]]:
        """Return the spans of sentences."""
        return self._forward.segment(text)

    def units(self, text: str) -> list[tuple[int, int]]:
        """Return the spans of paragraphs (sentences with no empty line between them), which are rewritten as one."""
        spans: list[tuple[int, int]] = []
        for start, end in self._forward.segment(text):
            if spans and text.count("\n", spans[-1][1], start) < 2:
                spans[-1] = (spans[-1][0], end)
            else:
                spans.append((start, end))
        return spans

    def analyze(
        self,
        text: str,
        protected: Sequence[tuple[int, int]] = (),
        *,
        training: bool = False,
        before: Sequence[str] = (),
    ) -> Analysis:
        """Return tokens and candidates of a sentence on the way forward; sentences before it are not read."""
        return self._forward.analyze(text, protected, training=training)

    @property
    def rules(self) -> Rules:
        """The rules of the way forward."""
        return self._forward.rules

    def with_rules(self, rules: Rules) -> Language:
        """Return the language of the way forward with other rules; :func:`turn` makes the way back from it."""
        return self._forward.with_rules(rules)

    def settle(
        self, text: str, analysis: Analysis, options: Sequence[int], scores: Sequence[float], probabilities: Any = None
    ) -> list[Edit]:
        """Make the chosen options of the way forward agree with each other and return the edits."""
        return self._forward.settle(text, analysis, options, scores, probabilities)


class BackProposer:
    """Proposes edits to a gender (see :class:`rewriter.model.proposer.Proposer`); a "sentence" here is a paragraph."""

    def __init__(self, language: Language, forward: Proposer, rules: Back) -> None:
        self._language, self._forward, self._rules = language, forward, rules

    def propose(self, sentences: Sequence[Sentence]) -> list[Proposal]:
        """Return one proposal per paragraph."""
        cut = [self._cut(paragraph) for paragraph in sentences]
        flat = [piece for pieces in cut for _, piece in pieces]
        gendered = iter(self._gendered(flat))
        work: list[_Turned] = []
        for paragraph, pieces in zip(sentences, cut, strict=True):
            resolver = self._rules.resolver(paragraph.text)
            for _, piece in pieces:
                back = self._rules.fair_to_gendered(piece.text, piece.protected, resolver)
                work.append(_Turned(piece, next(gendered), back))
        self._check(work)
        results = iter(work)
        return [_join([(offset, next(results).edits) for offset, _ in pieces]) for pieces in cut]

    def _cut(self, paragraph: Sentence) -> list[tuple[int, Sentence]]:
        spans = self._language.segment(paragraph.text)
        return [(a, Sentence(paragraph.text[a:b], within(paragraph.protected, a, b))) for a, b in spans]

    def _forward_edits(self, pieces: Sequence[Sentence]) -> list[list[Edit]]:
        """Return what the way forward proposes; only sentences that its gate lets through reach the model."""
        places = [i for i, piece in enumerate(pieces) if self._language.gate(piece.text)]
        found: list[list[Edit]] = [[] for _ in pieces]
        for place, proposal in zip(places, self._forward.propose([pieces[i] for i in places]), strict=True):
            found[place] = proposal.edits
        return found

    def _gendered(self, pieces: Sequence[Sentence]) -> list[list[Edit]]:
        forward = self._forward_edits(pieces)
        return [self._rules.gendered_to_other(p.text, edits) for p, edits in zip(pieces, forward, strict=True)]

    def _check(self, work: Sequence[_Turned]) -> None:
        """Take back uncertain verbs that the way forward would leave singular."""
        doubtful = [item for item in work if item.has_doubts]
        if not doubtful:
            return
        answers = self._forward_edits([item.result() for item in doubtful])
        for item, edits in zip(doubtful, answers, strict=True):
            item.keep_confirmed(edits)


class _Turned:
    """One sentence with its edits, some of them uncertain."""

    def __init__(self, sentence: Sentence, gendered: list[Edit], back: list[BackEdit]) -> None:
        self.sentence = sentence
        taken = [(e.start, e.end) for e in gendered]
        free = [b for b in back if not any(b.edit.start < end and start < b.edit.end for start, end in taken)]
        self.edits = sorted([*gendered, *(b.edit for b in free)], key=lambda e: e.start)
        self._doubtful = {b.edit.start for b in free if not b.is_certain}

    @property
    def has_doubts(self) -> bool:
        return bool(self._doubtful)

    def result(self) -> Sentence:
        """Return the turned sentence, protected where it was."""
        shifted = tuple((self._new_place(a), self._new_place(b)) for a, b in self.sentence.protected)
        return Sentence(apply_edits(self.sentence.text, self.edits), shifted)

    def _new_place(self, offset: int) -> int:
        return offset + sum(len(e.after) - len(e.before) for e in self.edits if e.end <= offset)

    def keep_confirmed(self, forward: Sequence[Edit]) -> None:
        """Drop uncertain edits that ``forward``, the edits of the turned sentence, does not undo."""
        undone = {edit.start: edit.after for edit in forward}
        self.edits = [
            edit
            for edit in self.edits
            if edit.start not in self._doubtful or undone.get(self._new_place(edit.start)) == edit.before
        ]


def _join(parts: Iterable[tuple[int, list[Edit]]]) -> Proposal:
    return Proposal([moved(edit, offset) for offset, edits in parts for edit in edits])
