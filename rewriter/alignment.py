"""Which outcome of every candidate turns a source into a given text.

Two users: making labels for an edit model from a :class:`~rewriter.records.Pair` (the match must be exact), and the
guard that reads a sequence-to-sequence model's answer (what no candidate explains is rejected and the source stands).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rewriter.candidates import Candidate
from rewriter.en.tokens import tokenize

_INFINITE = float("inf")


def match_outcomes(source: str, target: str, candidates: Sequence[Candidate]) -> list[int] | None:
    """Return the index of the option of each candidate that gives ``target`` exactly, or None where none does.

    Args:
        source: the sentence.
        target: the text to explain.
        candidates: in order of their start, not overlapping.
    """
    chosen: list[int] = []

    def fits(number: int, source_at: int, target_at: int) -> bool:
        if number == len(candidates):
            return source[source_at:] == target[target_at:]
        candidate = candidates[number]
        literal = source[source_at : candidate.start]
        if not target.startswith(literal, target_at):
            return False
        at = target_at + len(literal)
        for index, (_, text) in enumerate(candidate.options):
            if target.startswith(text, at):
                chosen.append(index)
                if fits(number + 1, candidate.end, at + len(text)):
                    return True
                chosen.pop()
        return False

    return chosen if len(candidates) < 400 and fits(0, 0, 0) else None


@dataclass(frozen=True, slots=True)
class Reading:
    """How a proposed text was read: an option per candidate, and how much of it nothing explains.

    Attributes:
        options: index of the option per candidate (0: keep).
        unexplained: number of token insertions, deletions and replacements outside the grammar.
    """

    options: list[int]
    unexplained: int


@dataclass(frozen=True, slots=True)
class _Unit:
    """A literal token, or a candidate with the token sequences of its options."""

    options: tuple[tuple[str, ...], ...]
    candidate: int


def read_proposal(source: str, proposal: str, candidates: Sequence[Candidate]) -> Reading:
    """Read ``proposal`` as a choice among the candidates' options, by a cheapest alignment of tokens.

    White space is not compared. Every token that no option explains costs one and counts as unexplained; the source
    stands there.
    """
    exact = match_outcomes(source, proposal, candidates)
    if exact is not None:
        return Reading(exact, 0)
    units = _units(source, candidates)
    tokens = _words(proposal)
    back, cost = _align(units, tokens)
    options = [0] * len(candidates)
    i, j = len(units), len(tokens)
    while i or j:
        step_i, step_j, option = back[i][j]
        if step_i and option is not None and units[i - 1].candidate >= 0:
            options[units[i - 1].candidate] = option
        i, j = i - step_i, j - step_j
    return Reading(options, round(cost))


def _words(text: str) -> tuple[str, ...]:
    return tuple(text[token.start : token.end] for token in tokenize(text))


def _units(source: str, candidates: Sequence[Candidate]) -> list[_Unit]:
    units: list[_Unit] = []
    position = 0
    for index, candidate in enumerate(candidates):
        units += [_Unit(((word,),), -1) for word in _words(source[position : candidate.start])]
        units.append(_Unit(tuple(_words(text) for _, text in candidate.options), index))
        position = candidate.end
    return units + [_Unit(((word,),), -1) for word in _words(source[position:])]


_Step = tuple[int, int, int | None]


def _align(units: list[_Unit], tokens: tuple[str, ...]) -> tuple[list[list[_Step]], float]:
    """Return back pointers (units back, tokens back, option) and the cost of the cheapest path."""
    width = len(tokens) + 1
    cost: list[list[float]] = [[float(j) for j in range(width)]]
    back: list[list[_Step]] = [[(0, 1, None)] * width]
    for i, unit in enumerate(units, 1):
        row: list[float] = [_INFINITE] * width
        steps: list[_Step] = [(1, 0, None)] * width
        above, left_cost = cost[i - 1], len(unit.options[0])
        for j in range(width):
            best: float = above[j] + left_cost
            step: _Step = (1, 0, None)
            if j and row[j - 1] + 1 < best:
                best, step = row[j - 1] + 1, (0, 1, None)
            if j and above[j - 1] + 1 < best:
                best, step = above[j - 1] + 1, (1, 1, None)
            for option, words in enumerate(unit.options):
                size = len(words)
                if size <= j and above[j - size] < best and tokens[j - size : j] == words:
                    best, step = above[j - size], (1, size, option)
            row[j], steps[j] = best, step
        cost.append(row)
        back.append(steps)
    return back, cost[-1][-1]
