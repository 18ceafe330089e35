"""What went wrong, by kind of edit: a breakdown of a word error rate.

Source and reference are aligned, and source and hypothesis. What the reference changes is *expected*; the hypothesis
has it *done*, *missed* (the source stands) or *wrong* (something else stands there). What the hypothesis changes where
the reference copies is *extra*; extra edits of no known kind are damage to what should have been copied.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from eval.edit_kinds import KindNamer, edit_kinds
from eval.tokenize import tokenizer_name
from eval.wer import Tokens, check_parallel, tokenize
from rewriter.installation.extras import require

__all__ = ["EditReport", "count_edits"]

#: the kind of an edit that has no name; an extra edit of this kind is copy damage
OTHER = "other"

#: a stretch of changes with more pairs of tokens than this is one edit: taking it apart would need too much memory
LARGEST_BLOCK = 40_000

#: costs of pairing tokens inside a stretch: the same word in another case, two words that make a known edit, any two
#: words, a token without a partner (two of which are dearer than any pair); whole numbers, so that ties are ties
SAME_WORD, RELATED, UNRELATED, UNPAIRED = 5, 10, 20, 14


@dataclass(frozen=True, slots=True)
class TokenEdit:
    """Tokens ``start`` to ``end`` of the source (``before``) became ``after``; an insertion has ``start == end``."""

    start: int
    end: int
    before: Tokens
    after: Tokens
    kind: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one edit.

    Attributes:
        sentence: index of the sentence in its set.
        kind: kind of the edit.
        status: ``done``, ``missed``, ``wrong`` or ``extra``.
        before: tokens of the source.
        expected: tokens of the reference.
        got: tokens of the hypothesis.
    """

    sentence: int
    kind: str
    status: str
    before: Tokens
    expected: Tokens
    got: Tokens


@dataclass(slots=True)
class KindCount:
    """Counts of one kind of edit; ``done + missed + wrong`` are what the reference has."""

    done: int = 0
    missed: int = 0
    wrong: int = 0
    extra: int = 0

    @property
    def expected(self) -> int:
        """Return how many edits of the kind the reference has."""
        return self.done + self.missed + self.wrong


@dataclass(slots=True)
class EditReport:
    """The outcomes of all edits of a set.

    Attributes:
        kinds: all kinds that the language knows, in the order of its tables, then ``other``.
        outcomes: every edit of every sentence.
    """

    kinds: tuple[str, ...]
    outcomes: list[Outcome] = field(default_factory=list)

    def counts(self) -> dict[str, KindCount]:
        """Return the counts of every kind, kinds that do not occur included."""
        counts = {kind: KindCount() for kind in self.kinds}
        for outcome in self.outcomes:
            count = counts[outcome.kind]
            setattr(count, outcome.status, getattr(count, outcome.status) + 1)
        return counts

    def failures(self) -> list[Outcome]:
        """Return what is not ``done``."""
        return [outcome for outcome in self.outcomes if outcome.status != "done"]

    def damaged_sentences(self) -> int:
        """Return the number of sentences with copy damage."""
        return len({o.sentence for o in self.outcomes if o.status == "extra" and o.kind == OTHER})

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form: counts, no sentences."""
        counts = {kind: {"expected": c.expected, **asdict(c)} for kind, c in self.counts().items()}
        return {"kinds": counts, "copy_damage_sentences": self.damaged_sentences()}


def count_edits(
    *,
    source: Sequence[str],
    hypothesis: Sequence[str],
    reference: Sequence[str],
    lang: str = "en",
    tokenizer: str | None = None,
) -> EditReport:
    """Break the differences between ``hypothesis`` and ``reference`` down by kind of edit.

    Args:
        source: the text that was rewritten.
        hypothesis: what a system answered.
        reference: what it should have answered.
        lang: language; one without tables of kinds has all edits under ``other``.
        tokenizer: name of a tokenizer; ``moses-LANG`` by default. A language whose tables bring a ``cut`` of their own
            (German, whose gender-fair words a tokenizer takes apart) uses that instead.

    Raises:
        MetricError: the three have different lengths.
        UsageError: an unknown tokenizer.
    """
    check_parallel(source=source, hypothesis=hypothesis, reference=reference)
    kinds = edit_kinds(lang)
    name = tokenizer_name(lang, tokenizer)
    report = EditReport(kinds=(*kinds.names, OTHER))
    texts = (source, hypothesis, reference)
    triples = zip(*([*map(kinds.cut, t)] if kinds.cut else tokenize(t, name) for t in texts), strict=True)
    for number, (src, hyp, ref) in enumerate(triples):
        report.outcomes += judge(number, src, *(cut_edits(src, other, kinds.name_kind) for other in (hyp, ref)))
    return report


def cut_edits(source: Tokens, target: Tokens, name_kind: KindNamer) -> list[TokenEdit]:
    """Cut the difference of two sentences into the smallest edits that make sense.

    Words that changed side by side are taken apart (*she knows* → *they know* is a pronoun and a verb); tokens without
    a partner join their neighbour (*he or she* → *they*, *policeman* → *police officer*), unless that alone makes a
    known edit and they do not belong to it (*so she* → *they* is a lost word and a pronoun).
    """
    edits: list[TokenEdit] = []
    for start, end, first, last in _blocks(source, target):
        for a, b, c, d in _pieces(source[start:end], target[first:last], name_kind):
            before, after = source[start + a : start + b], target[first + c : first + d]
            if before != after:
                edits.append(TokenEdit(start + a, start + b, before, after, name_kind(before, after) or OTHER))
    return edits


def judge(sentence: int, source: Tokens, got: list[TokenEdit], expected: list[TokenEdit]) -> Iterator[Outcome]:
    """Yield what became of each edit of one sentence.

    Args:
        sentence: index of the sentence.
        source: its tokens.
        got: edits of the hypothesis.
        expected: edits of the reference.
    """
    for ours, theirs in _clusters(got, expected):
        start = min(edit.start for edit in (*ours, *theirs))
        end = max(edit.end for edit in (*ours, *theirs))
        same = _replay(source, ours, start, end) == _replay(source, theirs, start, end)
        for edit in theirs:
            touching = [other for other in ours if _overlap(edit, other)]
            status = "done" if same or edit in ours else "wrong" if touching else "missed"
            answer = (
                _replay(source, [e for e in ours if e in touching], edit.start, edit.end) if touching else edit.before
            )
            yield Outcome(
                sentence, edit.kind, status, edit.before, edit.after, edit.after if status == "done" else answer
            )
        for edit in ours if not same else ():
            if not any(_overlap(edit, other) for other in theirs):
                yield Outcome(sentence, edit.kind, "extra", edit.before, edit.before, edit.after)


def _blocks(source: Tokens, target: Tokens) -> Iterator[tuple[int, int, int, int]]:
    """Yield the stretches that differ: source start and end, target start and end."""
    levenshtein = require("rapidfuzz.distance", extra="eval").Levenshtein
    open_block: tuple[int, int, int, int] | None = None
    for tag, start, end, first, last in levenshtein.opcodes(source, target):
        if tag == "equal":
            if open_block:
                yield open_block
            open_block = None
        else:
            open_block = (*open_block[:1], end, open_block[2], last) if open_block else (start, end, first, last)
    if open_block:
        yield open_block


def _pieces(before: Tokens, after: Tokens, name_kind: KindNamer) -> Iterator[tuple[int, int, int, int]]:
    """Cut one stretch into pairs of tokens, each with the unpaired tokens that follow it (or lead the stretch)."""
    pairs = _pair_tokens(before, after, name_kind) if len(before) * len(after) <= LARGEST_BLOCK else []
    if not pairs:
        yield 0, len(before), 0, len(after)
        return
    starts = [(0, 0), *pairs[1:]]
    ends = [*pairs[1:], (len(before), len(after))]
    for (i, j), (a, c), (b, d) in zip(pairs, starts, ends, strict=True):
        alone = name_kind(before[i : i + 1], after[j : j + 1])
        if alone and not name_kind(before[a:b], after[c:d]):
            yield from ((a, i, c, j), (i, i + 1, j, j + 1), (i + 1, b, j + 1, d))
        else:
            yield a, b, c, d


def _pair_tokens(before: Tokens, after: Tokens, name_kind: KindNamer) -> list[tuple[int, int]]:
    """Return the cheapest pairing, in order; of equally cheap ones that with the unpaired tokens last."""
    rows, columns = len(before) + 1, len(after) + 1
    cost = [[UNPAIRED * (i + j) for j in range(columns)] for i in range(rows)]
    for i in range(1, rows):
        for j in range(1, columns):
            pair = cost[i - 1][j - 1] + _pair_cost(before[i - 1], after[j - 1], name_kind)
            cost[i][j] = min(pair, cost[i - 1][j] + UNPAIRED, cost[i][j - 1] + UNPAIRED)
    pairs = []
    i, j = len(before), len(after)
    while i and j:
        if cost[i][j] == cost[i - 1][j] + UNPAIRED:
            i -= 1
        elif cost[i][j] == cost[i][j - 1] + UNPAIRED:
            j -= 1
        else:
            i, j = i - 1, j - 1
            pairs.append((i, j))
    return pairs[::-1]


def _pair_cost(before: str, after: str, name_kind: KindNamer) -> int:
    if before.lower() == after.lower():
        return SAME_WORD
    return RELATED if name_kind((before,), (after,)) else UNRELATED


def _clusters(got: list[TokenEdit], expected: list[TokenEdit]) -> Iterator[tuple[list[TokenEdit], list[TokenEdit]]]:
    """Group edits of both sides that share tokens of the source, directly or through others."""
    ours: list[TokenEdit] = []
    theirs: list[TokenEdit] = []
    marked = [(edit.start, edit.end, 0, edit) for edit in got] + [(edit.start, edit.end, 1, edit) for edit in expected]
    for _, _, side, edit in sorted(marked, key=lambda item: item[:3]):
        if (ours or theirs) and not any(_overlap(edit, other) for other in (*ours, *theirs)):
            yield ours, theirs
            ours, theirs = [], []
        (theirs if side else ours).append(edit)
    if ours or theirs:
        yield ours, theirs


def _overlap(one: TokenEdit, other: TokenEdit) -> bool:
    """Return whether two edits share a token of the source; insertions meet at the same place only."""
    if one.start == one.end or other.start == other.end:
        return one.start == other.start and one.end == other.end
    return one.start < other.end and other.start < one.end


def _replay(source: Tokens, edits: Sequence[TokenEdit], start: int, end: int) -> Tokens:
    """Return tokens ``start`` to ``end`` of the source after the edits; edits reach over the borders whole."""
    parts: list[str] = []
    position = min([start, *(edit.start for edit in edits)])
    for edit in edits:
        parts += [*source[position : edit.start], *edit.after]
        position = edit.end
    return (*parts, *source[position:end])
