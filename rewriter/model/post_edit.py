"""The guard as a post-editor: of what any other rewriter answered, only what the edit grammar allows is made.

The other rewriter may be anything: a language model, a service, a person. Its answer to a text is cut into edits, and
each goes the way of a proposal (:mod:`rewriter.model.guard`).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from rewriter.errors import UsageError
from rewriter.language.interface import Language, completed
from rewriter.model.alignment import cut
from rewriter.model.guard import OUTSIDE, check, check_mode
from rewriter.model.proposer import Proposal
from rewriter.policy.protect import protected_spans
from rewriter.records import Edit, Rejection, Rewrite, apply_edits
from rewriter.text.offsets import moved, within

__all__ = ["PostEditor"]

#: characters of a text and of its answer, multiplied, beyond which texts with another number of sentences are not
#: aligned: that takes time and memory in proportion
_MOST_ALIGNED = 4_000_000

Span = tuple[int, int]


class PostEditor:
    """Makes of the answers of another rewriter what the grammar of a language allows.

    Args:
        language: knows the candidates.
        guard: mode of the guard, one of :data:`rewriter.model.guard.MODES`.
    """

    def __init__(self, language: Language, *, guard: str = "strict") -> None:
        self._language, self._guard = completed(language), check_mode(guard)

    def edit(self, sources: Sequence[str], answers: Sequence[str]) -> list[Rewrite]:
        """Return what of each answer stands.

        Args:
            sources: texts.
            answers: what the other rewriter made of each.

        Raises:
            UsageError: there are more texts than answers, or fewer.
        """
        if len(sources) != len(answers):
            raise UsageError(f"{len(answers)} answers to {len(sources)} texts; there must be one of each, in order")
        return [self._one(source, answer) for source, answer in zip(sources, answers, strict=True)]

    def _one(self, text: str, answer: str) -> Rewrite:
        if text == answer:
            return Rewrite(text)
        spans, own = self._language.units(text), self._language.units(answer)
        if len(spans) != len(own):
            return self._unpaired(text, answer)
        protected = protected_spans(text)
        edits: list[Edit] = []
        rejected = [Rejection(*gap, text) for gap in _gaps(text, spans, answer, own)]
        for (start, end), (low, high) in zip(spans, own, strict=True):
            held = self._checked(text[start:end], answer[low:high], within(protected, start, end))
            edits += (moved(edit, start) for edit in held.edits)
            rejected += (Rejection(*item, text[start:end]) for item in held.rejected)
        return Rewrite(apply_edits(text, edits), tuple(edits), tuple(rejected), len(spans), len(spans))

    def _unpaired(self, text: str, answer: str) -> Rewrite:
        """Return what stands of an answer with another number of sentences: the text is read as one."""
        if len(text) * len(answer) > _MOST_ALIGNED:
            whole = f"{text[:40]} ... -> {answer[:40]} ..."
            return Rewrite(text, rejected=(Rejection(whole, OUTSIDE, text),))
        held = self._checked(text, answer, tuple(protected_spans(text)))
        rejected = tuple(Rejection(*item, text) for item in held.rejected)
        return Rewrite(apply_edits(text, held.edits), tuple(held.edits), rejected, 1, 1)

    def _checked(self, text: str, answer: str, protected: Sequence[Span]) -> Proposal:
        if text == answer:
            return Proposal()
        candidates = self._language.analyze(text, protected, training=True).candidates
        edits = cut(text, answer, candidates, self._language.tokenize)
        return check(text, protected, Proposal(edits), self._language, mode=self._guard)


def _gaps(text: str, spans: Sequence[Span], answer: str, own: Sequence[Span]) -> list[tuple[str, str]]:
    """Return what differs between the sentences (white space) as refused edits."""
    pieces = zip(_between(text, spans), _between(answer, own), strict=True)
    return [(f"{before} -> {after}", OUTSIDE) for before, after in pieces if before != after]


def _between(text: str, spans: Sequence[Span]) -> list[str]:
    ends = [(0, 0), *spans, (len(text), len(text))]
    return [text[a:b] for (_, a), (b, _) in pairwise(ends)]
