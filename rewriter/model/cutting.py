"""Cut a text into the sentences that a model is asked about, and put its answers back into the text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from rewriter.language.interface import Language
from rewriter.model.proposer import Proposal, Sentence
from rewriter.policy.protect import protected_spans
from rewriter.records import Edit, Rejection, Rewrite, apply_edits
from rewriter.text.offsets import moved, within

if TYPE_CHECKING:
    from rewriter.policy import Policy

#: sentences before one that a language may read with it
CONTEXT = 3


class Cut(NamedTuple):
    """(offset, sentence) of what the proposer is asked about, and how many sentences there are."""

    asked: list[tuple[int, Sentence]]
    sentences: int


_NOTHING = Cut([], 0)


def cut_text(text: str, language: Language, *, gate: bool) -> Cut:
    """Return the sentences of ``text`` that may hold a candidate.

    Args:
        text: the text.
        language: cuts it, knows the candidates.
        gate: leave sentences without a gendered word out.
    """
    every = not gate
    if not every and not language.gate(text):
        return _NOTHING
    protected = protected_spans(text)
    cut = []
    spans = language.units(text)
    every = every or len(spans) == 1  # which the gate has seen
    for number, (start, end) in enumerate(spans):
        piece = text[start:end]
        if every or language.gate(piece):
            earlier = spans[max(0, number - CONTEXT) : number] if language.reads_before(piece) else ()
            before = tuple(text[a:b] for a, b in earlier)
            cut.append((start, Sentence(piece, within(protected, start, end), before)))
    return Cut(cut, len(spans))


def reassemble(
    text: str, cut: Cut, proposals: Iterator[Proposal], language: Language, policy: Policy | None
) -> Rewrite:
    """Return what becomes of a text.

    Args:
        text: the text.
        cut: its sentences.
        proposals: those of the sentences, in order; more may follow.
        language: of the text.
        policy: withholds edits; None withholds none.
    """
    if not cut.asked:
        return Rewrite(text, sentences=cut.sentences)
    edits: list[Edit] = []
    rejected: list[Rejection] = []
    left: list[tuple[Edit, str]] = []
    for offset, sentence in cut.asked:
        proposal = next(proposals)
        edits += (moved(edit, offset) for edit in proposal.edits)
        rejected += (Rejection(*item, sentence.text) for item in proposal.rejected)
    if edits and policy is not None:  # behind the model: a policy takes edits away, it never makes others
        edits, left = policy.filter(text, edits, language)
    result = apply_edits(text, edits) if edits else text
    return Rewrite(result, tuple(edits), tuple(rejected), cut.sentences, len(cut.asked), tuple(left))
