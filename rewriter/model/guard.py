"""The guard: a model proposes, the language's edit grammar decides, and when in doubt the source stands.

A proposed edit is made only if it coincides with a candidate of the language (a pronoun of the closed class, a verb
form, a contraction, a noun of the table with its article) and is one of that candidate's options; agreement is settled
behind that. Everything else of the source is copied, so copying is exact whatever a model says.

Five modes: ``strict`` enforces this; ``report`` makes the edits as they were proposed and lists what ``strict`` would
have refused; ``off`` makes the edits as they were proposed and lists nothing that could be made; ``covered`` does too,
unless words were lost or repeated (:mod:`rewriter.model.coverage`): then the whole sentence stays; ``learned`` makes
those that a sequence-to-sequence model was taught (:mod:`rewriter.model.learned`).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from rewriter.errors import UsageError
from rewriter.language.candidates import Analysis, Candidate
from rewriter.language.interface import Language
from rewriter.model.alignment import cut
from rewriter.model.coverage import FAULTS, fault
from rewriter.model.learned import UNKNOWN, LearnedChanges
from rewriter.model.proposer import Proposal, Proposer, Sentence
from rewriter.options import one_of
from rewriter.records import Edit, apply_edits

LEARNED = "learned"
MODES = ("strict", "report", "off", "covered", LEARNED)
#: the modes that ask no grammar
UNGUARDED = ("off", "covered", LEARNED)

OUTSIDE = "outside the edit grammar"
NO_OPTION = "not a form that the grammar allows for this word"
SETTLED = "the grammar settles this word otherwise"
PROTECTED = "in a protected span"
SPACE = "changes white space only"
OVERLAP = "overlaps another edit"
MISFIT = "does not fit the sentence"
#: every reason that a rejection can have
REASONS = (OUTSIDE, NO_OPTION, SETTLED, PROTECTED, SPACE, OVERLAP, MISFIT, UNKNOWN, *FAULTS)

#: characters of a replaced span and of its replacement beyond which they are not cut into smaller edits
_MOST_CUT = 2000

Span = tuple[int, int]


def check_mode(mode: str, *, changes: LearnedChanges | None = None) -> str:
    """Return ``mode``.

    Args:
        mode: of the guard.
        changes: what the model was taught, where it says so.

    Raises:
        UsageError: it is none of :data:`MODES`, or ``learned`` for what was taught nothing.
    """
    one_of(MODES, guard=mode)
    if mode == LEARNED and changes is None:
        raise UsageError(
            "the guard 'learned' lets stand what a sequence-to-sequence model was taught by its pairs, and only such a "
            "model lists that; use 'strict' or 'covered' here"
        )
    return mode


def check(
    text: str, protected: Sequence[Span], proposal: Proposal, language: Language, *, mode: str = "strict"
) -> Proposal:
    """Return what of a proposal stands; offsets are those of the sentence.

    Args:
        text: the sentence.
        protected: its spans that must stay, in order.
        proposal: edits in any order; they may overlap, lie outside the sentence or replace anything.
        language: knows the candidates.
        mode: one of :data:`MODES`. In every mode an edit that cannot be made (it does not fit the sentence, it
            overlaps one before it) is left out and listed.

    Raises:
        UsageError: the mode is ``learned``, which only the model that was taught can keep.
    """
    check_mode(mode)
    if not proposal.edits and mode not in UNGUARDED:
        return proposal
    fitting, rejected = _fitting(text, proposal.edits)
    if mode in UNGUARDED:
        loose = _as_proposed(fitting, rejected)
        return loose if mode == "off" else covered(text, apply_edits(text, loose.edits), loose)
    checked, refused = enforce(text, protected, fitting, language, language.analyze(text, protected, training=True))
    if mode == "strict":
        return Proposal(checked, [*proposal.rejected, *rejected, *refused])
    loose = _as_proposed(fitting, rejected)
    return Proposal(loose.edits, [*proposal.rejected, *loose.rejected, *refused])


def covered(text: str, answer: str, proposal: Proposal) -> Proposal:
    """Return a proposal if the answer that it comes to still says what the sentence says; else one without edits."""
    reason = fault(text, answer)
    return Proposal([], [*proposal.rejected, (answer, reason)]) if reason else proposal


def learned(text: str, protected: Sequence[Span], answer: str, changes: LearnedChanges) -> Proposal:
    """Return what of an answer the model was taught, outside of protected spans; the rest is listed."""
    taught, foreign = changes.split(text, answer)
    inside = [edit for edit in taught if _touches(edit, protected)]
    listed = [(shown(edit), PROTECTED) for edit in inside] + [(shown(edit), UNKNOWN) for edit in foreign]
    return Proposal([edit for edit in taught if edit not in inside], listed)


def enforce(
    text: str, protected: Sequence[Span], edits: Iterable[Edit], language: Language, analysis: Analysis
) -> tuple[list[Edit], list[tuple[str, str]]]:
    """Return the edits that the grammar allows, settled, and (proposed, reason) for the others.

    Args:
        text: the sentence.
        protected: its spans that must stay, in order.
        edits: edits that fit the text.
        language: settles agreement.
        analysis: of the sentence.
    """
    places = {(c.start, c.end): i for i, c in enumerate(analysis.candidates)}
    options = [0] * len(analysis.candidates)
    scores = [1.0] * len(analysis.candidates)
    rejected: list[tuple[str, str]] = []
    for edit in _in_pieces(edits, analysis.candidates, places, language):
        index = places.get((edit.start, edit.end), -1)
        option = _option(analysis.candidates[index], edit.after) if index >= 0 else 0
        if not option:
            rejected.append((shown(edit), _objection(edit, analysis.candidates, protected)))
        elif options[index]:
            rejected.append((shown(edit), OVERLAP))
        else:
            options[index], scores[index] = option, edit.score
    settled = language.settle(text, analysis, options, scores)
    chosen = ((c, option) for c, option in zip(analysis.candidates, options, strict=True) if option)
    return settled, rejected + overruled(text, chosen, settled)


def overruled(text: str, chosen: Iterable[tuple[Candidate, int]], settled: Sequence[Edit]) -> list[tuple[str, str]]:
    """Return (proposed, reason) for chosen options, indices other than 0, that are not among the settled edits."""
    made = {(edit.start, edit.after) for edit in settled}
    larger = [(edit.start, edit.end) for edit in settled]  # a phrase that was repeated as a whole (German pair form)
    rejected = []
    for candidate, option in chosen:
        before, after = text[candidate.start : candidate.end], candidate.options[option][1]
        if (candidate.start, after) in made or before == after:
            continue
        if not any(a <= candidate.start and candidate.end <= b and b - a > len(before) for a, b in larger):
            rejected.append((f"{before} -> {after}", SETTLED))
    return rejected


def refused(
    text: str, protected: Sequence[Span], loose: Sequence[Edit], strict: Sequence[Edit]
) -> list[tuple[str, str]]:
    """Return (proposed, reason) for the edits of ``loose`` that are not in ``strict``."""
    stands = {(edit.start, edit.end, edit.after) for edit in strict}
    return [
        (shown(edit), PROTECTED if _touches(edit, protected) else SETTLED)
        for edit in loose
        if (edit.start, edit.end, edit.after) not in stands
    ]


def shown(edit: Edit) -> str:
    """Return ``before -> after``."""
    return f"{edit.before} -> {edit.after}"


class Checked:
    """A proposer behind the guard: whatever ``proposer`` says, only what :func:`check` lets stand comes out."""

    def __init__(self, proposer: Proposer, language: Language, mode: str = "strict") -> None:
        self._proposer, self._language, self._mode = proposer, language, check_mode(mode)

    def propose(self, sentences: Sequence[Sentence]) -> list[Proposal]:
        """Return one checked proposal per sentence.

        Raises:
            UsageError: the proposer answered with another number of proposals.
        """
        proposals = list(self._proposer.propose(sentences))
        if len(proposals) != len(sentences):
            raise UsageError(
                f"{type(self._proposer).__name__}.propose() answered {len(proposals)} proposals for "
                f"{len(sentences)} sentences; it must return one per sentence, in their order"
            )
        return [
            check(sentence.text, sentence.protected, proposal, self._language, mode=self._mode)
            for sentence, proposal in zip(sentences, proposals, strict=True)
        ]


def _fitting(text: str, edits: Iterable[Edit]) -> tuple[list[Edit], list[tuple[str, str]]]:
    """Return the edits that fit the text, in order, and (proposed, reason) for the others."""
    fitting: list[Edit] = []
    rejected: list[tuple[str, str]] = []
    for edit in sorted(edits, key=lambda e: (e.start, e.end)):
        if not 0 <= edit.start <= edit.end <= len(text) or text[edit.start : edit.end] != edit.before:
            rejected.append((shown(edit), MISFIT))
        elif edit.before != edit.after:
            fitting.append(edit)
    return fitting, rejected


def _as_proposed(fitting: Iterable[Edit], rejected: list[tuple[str, str]]) -> Proposal:
    """Return the edits without those that overlap one before them."""
    kept: list[Edit] = []
    overlapping = []
    for edit in fitting:
        if kept and edit.start < kept[-1].end:
            overlapping.append((shown(edit), OVERLAP))
        else:
            kept.append(edit)
    return Proposal(kept, rejected + overlapping)


def _in_pieces(
    edits: Iterable[Edit], candidates: Sequence[Candidate], places: dict[Span, int], language: Language
) -> Iterator[Edit]:
    """Yield the edits; one that spans more than a candidate (*She knows -> They know*) is cut into its parts."""
    for edit in edits:
        inside = [c for c in candidates if edit.start <= c.start and c.end <= edit.end]
        size = max(edit.end - edit.start, len(edit.after))
        if (edit.start, edit.end) in places or not inside or size > _MOST_CUT:
            yield edit
            continue
        moved = [replace(c, start=c.start - edit.start, end=c.end - edit.start) for c in inside]
        for part in cut(edit.before, edit.after, moved, language.tokenize):
            yield replace(part, start=part.start + edit.start, end=part.end + edit.start, score=edit.score)


def _option(candidate: Candidate, after: str) -> int:
    """Return the index of the option that reads ``after``, white space aside, which is the option's own; 0 for none."""
    words = after.split()
    for index, (_, option) in enumerate(candidate.options[1:], 1):
        if option == after or option.split() == words:
            return index
    return 0


def _objection(edit: Edit, candidates: Sequence[Candidate], protected: Sequence[Span]) -> str:
    if not edit.before.strip() and not edit.after.strip():
        return SPACE
    if _touches(edit, protected):
        return PROTECTED
    ends = [c.end for c in candidates]
    first = bisect_right(ends, edit.start)
    touches = first < len(candidates) and candidates[first].start < edit.end
    return NO_OPTION if touches else OUTSIDE


def _touches(edit: Edit, spans: Sequence[Span]) -> bool:
    return any(start < edit.end and edit.start < end for start, end in spans)
