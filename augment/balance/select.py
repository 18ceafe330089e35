"""Selecting: which paragraphs to add or to remove so that every term meets the target ratio (Becker 2022, 3.4 and 3.5).

Two methods stand side by side. *as-published* works on one term after the other with the sums of the beginning; what
another term has changed already is not changed again, but counted as if it were; so terms interfere (4.12). *joint*
keeps the sums of all terms current, makes only steps that bring all terms together closer to their targets, goes over
the terms until no step (and no pair of steps) helps, chooses exactly among the paragraphs of one term where steps get
stuck, takes back what turns out needless, and never empties a category.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

import numpy as np
import numpy.typing as npt

from augment.balance.statistics import Ints, Statistics
from rewriter.errors import UsageError

MODES = ("add", "remove")
ORDERS = ("prioritised", "random")
METHODS = ("joint", "as-published")

_SMALL = 1e-9
#: times over all terms; each step lowers what is left, so this is only a bound
_ROUNDS = 50
#: moves that are tried in pairs
_KINDS = 150
#: sums that are kept in mind when paragraphs are chosen exactly
_STATES = 5000
#: gain of a step that must not be made
_IMPOSSIBLE = float("-inf")


@dataclass(frozen=True)
class Target:
    """What the counts of a term should be like.

    Attributes:
        weights: parts of the categories, (1, 1) for balanced.
        threshold: the smallest part, divided by its weight, must be at least this share of the largest.
    """

    weights: tuple[float, ...]
    threshold: float = 0.95

    def __post_init__(self) -> None:
        if any(weight <= 0 for weight in self.weights):
            raise UsageError("every part of the target ratio must be above 0")
        if not 0 < self.threshold <= 1:
            raise UsageError(f"the threshold is a share above 0 and at most 1, not {self.threshold}")

    @classmethod
    def parse(cls, text: str, categories: int, threshold: float = 0.95) -> Target:
        """Read ``balanced`` or ``2:1`` (``1:1:3`` ...), one part per category in the order of the metadata.

        Raises:
            UsageError: it is neither, or has another number of parts.
        """
        if text == "balanced":
            return cls((1.0,) * categories, threshold)
        try:
            weights = tuple(float(part) for part in text.split(":"))
        except ValueError:
            raise UsageError(f"the target ratio is 'balanced' or numbers with colons (1:2), not '{text}'") from None
        if len(weights) != categories:
            raise UsageError(f"the ratio {text} has {len(weights)} parts for {categories} categories")
        return cls(weights, threshold)

    def shares(self, counts: Sequence[float]) -> list[float]:
        """Return the counts divided by their parts; equal where the target is met exactly."""
        return [count / weight for count, weight in zip(counts, self.weights, strict=True)]

    def missing(self, counts: Sequence[float], mode: str = "add") -> float:
        """Return how far counts are from the target: what is to be added (or removed), up to the threshold."""
        shares = self.shares(counts)
        if mode == "add":
            goal = self.threshold * max(shares)
            return sum(max(0.0, goal - share) for share in shares)
        goal = min(shares) / self.threshold
        return sum(max(0.0, share - goal) for share in shares)

    def met(self, counts: Sequence[float]) -> bool:
        """Return True if the counts are within the threshold."""
        shares = self.shares(counts)
        return min(shares) >= self.threshold * max(shares) - _SMALL

    def extremes(self, counts: Sequence[float]) -> tuple[int, int]:
        """Return the numbers of the strongest and the weakest category."""
        shares = self.shares(counts)
        return shares.index(max(shares)), len(shares) - 1 - shares[::-1].index(min(shares))


@dataclass(frozen=True)
class SelectOptions:
    """How paragraphs are chosen.

    Attributes:
        mode: ``add`` copies of paragraphs or ``remove`` paragraphs.
        order: ``prioritised`` (largest effect first) or ``random``.
        zeros_first: paragraphs in which a term has one category only go before all others.
        method: ``joint`` or ``as-published``.
        copies: how often one paragraph may be added.
        seed: of everything random.
    """

    mode: Literal["add", "remove"] = "add"
    order: Literal["prioritised", "random"] = "prioritised"
    zeros_first: bool = True
    method: Literal["joint", "as-published"] = "joint"
    copies: int = 100
    seed: int = 1

    def __post_init__(self) -> None:
        for name, value, known in (("mode", self.mode, MODES), ("order", self.order, ORDERS)):
            if value not in known:
                raise UsageError(f"unknown {name} '{value}'; known: {', '.join(known)}")
        if self.method not in METHODS:
            raise UsageError(f"unknown method '{self.method}'; known: {', '.join(METHODS)}")
        if self.copies < 1:
            raise UsageError("copies must be at least 1")


@dataclass(frozen=True)
class Plan:
    """What is to be done, and what comes of it.

    Attributes:
        statistics: the counts it was made from.
        target: the target.
        options: how it was made.
        times: how often each paragraph stands in the new corpus: 0 removed, 1 as before, more: added.
        order: paragraphs in the order in which they were changed for the first time.
        expected: counts that the method believed to reach; for ``as-published`` not what comes of it.
        own: change of each term's counts by the steps that were made for that term.
    """

    statistics: Statistics
    target: Target
    options: SelectOptions
    times: Ints
    order: tuple[int, ...]
    expected: Ints
    own: Ints

    @cached_property
    def before(self) -> Ints:
        """Counts at the beginning."""
        return self.statistics.totals()

    @cached_property
    def after(self) -> Ints:
        """Counts of the new corpus."""
        return self.statistics.totals(self.times)

    @property
    def removed(self) -> int:
        """Number of removed paragraphs."""
        return int((self.times == 0).sum())

    @property
    def added(self) -> int:
        """Number of added copies."""
        return int(np.maximum(self.times - 1, 0).sum())

    def interference(self) -> npt.NDArray[np.int64]:
        """Return for each term by how many counts steps made for other terms changed it (as a sum over categories)."""
        others: npt.NDArray[np.int64] = np.abs(self.after - self.before - self.own).sum(axis=1)
        return others

    def unforeseen(self) -> npt.NDArray[np.int64]:
        """Return for each term by how many counts what came out differs from what the method believed to reach."""
        off: npt.NDArray[np.int64] = np.abs(self.after - self.expected).sum(axis=1)
        return off

    def outcome(self, term: int) -> str:
        """Return how a term came out: ``met``, ``missed``, ``one category only``, ``not found``."""
        return outcome(self.target, self.before[term].tolist(), self.after[term].tolist())


def outcome(target: Target, before: Sequence[int], after: Sequence[int]) -> str:
    """Return ``met``, ``missed``, ``not found`` (no count at all), ``one category only`` (a category has no count, so
    that neither adding nor removing can balance the term)."""
    if not any(before):
        return "not found"
    if not all(before):
        return "one category only"
    return "met" if all(after) and target.met(after) else "missed"


def select(statistics: Statistics, target: Target, options: SelectOptions | None = None) -> Plan:
    """Choose the paragraphs to add or remove.

    Args:
        statistics: what was counted.
        target: ratio and threshold, for every term.
        options: how to choose.

    Raises:
        UsageError: the target has another number of parts than there are categories.
    """
    options = options or SelectOptions()
    if len(target.weights) != len(statistics.categories):
        raise UsageError(f"the ratio has {len(target.weights)} parts for {len(statistics.categories)} categories")
    work = _Work(statistics, target, options)
    _as_published(work) if options.method == "as-published" else _joint(work)
    return work.plan()


@dataclass
class _Work:
    """The state of a selection."""

    statistics: Statistics
    target: Target
    options: SelectOptions
    order: dict[int, None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.start: list[list[int]] = self.statistics.totals().tolist()
        self.sums = [list(row) for row in self.start]
        self.expected = [list(row) for row in self.start]
        self.own = [[0] * len(row) for row in self.start]
        self.extra = [0] * len(self.statistics)
        self.behalf: dict[int, list[int]] = {}
        self.rng = np.random.default_rng(self.options.seed)
        self.sign = 1 if self.options.mode == "add" else -1
        self.most = self.options.copies if self.options.mode == "add" else 1
        rows: list[list[tuple[int, list[int]]]] = [[] for _ in self.start]
        paragraphs = np.repeat(np.arange(len(self.statistics)), np.diff(self.statistics.starts)).tolist()
        for paragraph, term, counts in zip(
            paragraphs, self.statistics.term.tolist(), self.statistics.counts.tolist(), strict=True
        ):
            rows[term].append((paragraph, counts))
        self.rows = rows

    def possible(self, term: int) -> bool:
        """Return True if a term has every category, without which it cannot be balanced."""
        return all(self.start[term])

    def missing(self, counts: Sequence[float]) -> float:
        """Return how far counts are from the target."""
        return self.target.missing(counts, self.options.mode)

    def apply(self, paragraph: int, term: int) -> None:
        """Add or remove a paragraph on behalf of a term, and keep the sums."""
        self.behalf.setdefault(paragraph, []).append(term)
        self._change(paragraph, self.sign, term)

    def undo(self, paragraph: int) -> None:
        """Take back the last change of a paragraph."""
        self._change(paragraph, -self.sign, self.behalf[paragraph].pop())

    def _change(self, paragraph: int, step: int, term: int) -> None:
        self.extra[paragraph] += step
        for other, counts in self.statistics.rows(paragraph):
            for category, number in enumerate(counts):
                self.sums[other][category] += step * number
                if other == term:
                    self.own[other][category] += step * number
        if self.extra[paragraph]:
            self.order.setdefault(paragraph)
        else:
            self.order.pop(paragraph, None)

    def candidates(self, term: int, sums: Sequence[int], harm: Callable[[int], float]) -> list[tuple[int, list[int]]]:
        """Return the paragraphs that move a term in the right direction, in the order in which they are to be taken."""
        strong, weak = self.target.extremes(sums)
        if self.sign < 0:
            gaining, losing = weak, strong
        else:
            gaining, losing = strong, weak
        found = []
        chance = self.rng.random(len(self.rows[term])) if self.options.order == "random" else None
        for place, (paragraph, counts) in enumerate(self.rows[term]):
            shares = self.target.shares(counts)
            effect = shares[losing] - shares[gaining]
            if effect > 0:
                mixed = sum(1 for count in counts if count) > 1
                rank = -effect if chance is None else float(chance[place])
                key = (mixed and self.options.zeros_first, harm(paragraph), rank, paragraph)
                found.append((key, paragraph, counts))
        found.sort()
        if self.options.order == "random" and self.options.method == "as-published":
            # "if possible only paragraphs that have only one value greater than zero are used"
            found = [f for f in found if not f[0][0]] or found
        return [(paragraph, counts) for _, paragraph, counts in found]

    def plan(self) -> Plan:
        times = 1 + np.array(self.extra, np.int64)
        width = len(self.statistics.categories)
        expected = self.expected if self.options.method == "as-published" else self.sums
        return Plan(
            self.statistics,
            self.target,
            self.options,
            times,
            tuple(self.order),
            np.array(expected, np.int64).reshape(-1, width),
            np.array(self.own, np.int64).reshape(-1, width),
        )


# ---------------------------------------------------------------- as published


def _as_published(work: _Work) -> None:
    """One term after the other, each from the sums of the beginning."""
    for term in range(len(work.start)):
        if work.possible(term):
            _one_term(work, term)


def _one_term(work: _Work, term: int) -> None:
    sums = work.expected[term]
    used: dict[int, int] = {}
    queues: dict[tuple[int, int], Iterator[tuple[int, list[int]]]] = {}
    while not work.target.met(sums):
        side = work.target.extremes(sums)
        if side not in queues:
            queues[side] = _rounds(work, work.candidates(term, sums, lambda _: 0.0))
        chosen = _next(work, queues[side], sums, used)
        if chosen is None:
            return
        paragraph, counts = chosen
        used[paragraph] = used.get(paragraph, 0) + 1
        for category, number in enumerate(counts):
            sums[category] += work.sign * number
        if abs(work.extra[paragraph]) < used[paragraph]:  # else another term has changed it already: only the score
            work.apply(paragraph, term)


def _rounds(work: _Work, candidates: Sequence[tuple[int, list[int]]]) -> Iterator[tuple[int, list[int]]]:
    for _ in range(work.most):
        yield from candidates


def _next(
    work: _Work, queue: Iterator[tuple[int, list[int]]], sums: Sequence[int], used: dict[int, int]
) -> tuple[int, list[int]] | None:
    """Return the next paragraph that may be taken; an addition must bring the term closer, else it would not end."""
    for paragraph, counts in queue:
        if used.get(paragraph, 0) >= work.most:
            continue
        new = [a + work.sign * b for a, b in zip(sums, counts, strict=True)]
        if work.sign < 0 or work.missing(new) < work.missing(sums) - _SMALL:
            return paragraph, counts
    return None


# ---------------------------------------------------------------- joint


def _joint(work: _Work) -> None:
    """Steps that bring all terms together closer, until there is none; then needless ones are taken back."""
    terms = [term for term in range(len(work.start)) if work.possible(term)]
    for _ in range(_ROUNDS):
        open_terms = [term for term in terms if not work.target.met(work.sums[term])]
        open_terms.sort(key=lambda term: (len(work.rows[term]), term))
        steps = sum(_closer(work, term) for term in open_terms)
        if not steps and not any(_exchange(work, term) for term in open_terms):
            break
    if work.sign < 0:
        for term in terms:
            if not work.target.met(work.sums[term]):
                _exact(work, term)
    _take_back(work)


def _closer(work: _Work, term: int) -> int:
    """Make steps for a term, first by taking back what was done; return how many."""
    steps = 0
    for paragraph, _ in work.rows[term]:
        while work.extra[paragraph] and _gain(work, paragraph, -work.sign) > _SMALL:
            work.undo(paragraph)
            steps += 1
    for _ in range(work.most):
        before = steps
        for paragraph, _ in work.candidates(term, work.sums[term], lambda p: _harm(work, p)):
            if work.target.met(work.sums[term]):
                return steps
            if abs(work.extra[paragraph]) < work.most and _gain(work, paragraph, work.sign) > _SMALL:
                work.apply(paragraph, term)
                steps += 1
        if steps == before or work.sign < 0:
            break
    return steps


def _exchange(work: _Work, term: int) -> bool:
    """Make two steps at once that help together where none helps alone; return True if there were any.

    The second step may be one that mends what the first spoils for another term.
    Paragraphs with the same counts are alike, so one of each kind is tried, :data:`_KINDS` kinds at most.
    """
    moves = _moves(work, term)
    for number, (first, first_step) in enumerate(moves):
        gain = _gain(work, first, first_step)
        if gain <= _IMPOSSIBLE:
            continue
        _make(work, first, first_step, term)
        others = [other for other, _ in work.statistics.rows(first) if other != term and work.possible(other)]
        repairs = [move for other in others for move in _moves(work, other)]
        for second, second_step in moves[number:] + repairs:
            fits = second != first and gain + _gain(work, second, second_step) > _SMALL
            if fits:
                _make(work, second, second_step, term)
                return True
        _make(work, first, -first_step, term)
    return False


def _exact(work: _Work, term: int) -> None:
    """Choose the paragraphs of a term alone to be kept by dynamic programming over the sums that they can make.

    Of all choices that meet the target, the one that keeps most is taken; other terms are not touched. Terms with more
    than :data:`_STATES` possible sums are left as they are: there, single steps do not get stuck.
    """
    single = [(paragraph, counts) for paragraph, counts in work.rows[term] if len(work.statistics.rows(paragraph)) == 1]
    kept = [counts for paragraph, counts in single if not work.extra[paragraph]]
    fixed = [total - sum(row[n] for row in kept) for n, total in enumerate(work.sums[term])]
    states = {tuple(fixed): 0}
    for place, (_, counts) in enumerate(single):
        for sums, chosen in list(states.items()):
            states.setdefault(tuple(a + b for a, b in zip(sums, counts, strict=True)), chosen | 1 << place)
        if len(states) > _STATES:
            return
    good = [sums for sums in states if min(sums) > 0 and work.target.met(sums)]
    if good:
        chosen = states[max(good, key=lambda sums: (sum(sums), sums))]
        for place, (paragraph, _) in enumerate(single):
            keep = bool(chosen >> place & 1)
            if keep and work.extra[paragraph]:
                work.undo(paragraph)
            elif not keep and not work.extra[paragraph]:
                work.apply(paragraph, term)


def _moves(work: _Work, term: int) -> list[tuple[int, int]]:
    """Return (paragraph, step) of what can be done with the paragraphs of a term, two of each kind."""
    found: list[tuple[int, int]] = []
    seen: dict[object, int] = {}
    for paragraph, _ in work.rows[term]:
        kind = tuple((other, tuple(counts)) for other, counts in work.statistics.rows(paragraph))
        steps = [work.sign] if abs(work.extra[paragraph]) < work.most else []
        steps += [-work.sign] if work.extra[paragraph] else []
        for step in steps:
            seen[kind, step] = seen.get((kind, step), 0) + 1
            if seen[kind, step] <= 2:
                found.append((paragraph, step))
        if len(found) >= _KINDS:
            break
    return found


def _make(work: _Work, paragraph: int, step: int, term: int) -> None:
    if step == work.sign:
        work.apply(paragraph, term)
    else:
        work.undo(paragraph)


def _gain(work: _Work, paragraph: int, step: int) -> float:
    """Return by how much all terms come closer together by a step; nothing where it empties a category."""
    gain = 0.0
    for term, counts in work.statistics.rows(paragraph):
        if work.possible(term):
            sums = work.sums[term]
            new = [a + step * b for a, b in zip(sums, counts, strict=True)]
            if min(new) <= 0:
                return _IMPOSSIBLE
            gain += work.missing(sums) - work.missing(new)
    return gain


def _harm(work: _Work, paragraph: int) -> float:
    """Return what a step costs other terms now, less what they win."""
    rows = work.statistics.rows(paragraph)
    if len(rows) == 1:
        return 0.0
    total = 0.0
    for term, counts in rows:
        if work.possible(term):
            new = [a + work.sign * b for a, b in zip(work.sums[term], counts, strict=True)]
            total += max(0.0, work.missing(new) - work.missing(work.sums[term]))
    return total


def _take_back(work: _Work) -> None:
    """Undo changes without which all terms are as close: the corpus should stay as it was where it can."""
    for paragraph in list(work.order)[::-1]:
        while work.extra[paragraph] and _gain(work, paragraph, -work.sign) > -_SMALL:
            work.undo(paragraph)
