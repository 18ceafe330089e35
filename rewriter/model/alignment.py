"""Which outcome of every candidate turns a source into a given text.

Two users: making labels for an edit model from a :class:`~rewriter.records.Pair` (the match must be exact), and the
guard that reads a sequence-to-sequence model's answer (what no candidate explains is rejected and the source stands).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from rewriter.language.candidates import Candidate
from rewriter.language.tokens import Token
from rewriter.records import Edit

_INFINITE = float("inf")
#: text -> its tokens, :meth:`rewriter.language.interface.Language.tokenize`
_Tokenize = Callable[[str], list[Token]]


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
class _Unit:
    """A literal token, or a candidate with the token sequences of its options; where it stands in the source."""

    options: tuple[tuple[str, ...], ...]
    candidate: int
    start: int
    end: int


def cut(source: str, answer: str, candidates: Sequence[Candidate], tokenize: _Tokenize) -> list[Edit]:
    """Cut the difference between a sentence and a model's answer into edits, as small as the alignment allows.

    The alignment of tokens is a cheapest one, without white space: where the answer holds one of a candidate's options,
    that is an edit of its own. Replaying all edits gives the answer exactly, white space included.

    Args:
        source: the sentence.
        answer: what the model wrote.
        candidates: in order of their start, not overlapping.
        tokenize: cuts a text of the language into tokens.

    Returns:
        Edits in order; their kind is the candidate's, or ``other`` where no option of a candidate explains them.
    """
    if source == answer:
        return []
    edits: list[Edit] = []
    at = answer_at = 0
    for start, end, answer_start, answer_end, kind in _anchors(source, answer, candidates, tokenize):
        edits += _trimmed(at, source[at:start], answer[answer_at:answer_start])
        before, after = source[start:end], answer[answer_start:answer_end]
        if before != after:
            edits.append(Edit(start, end, before, after, kind, "proposed"))
        at, answer_at = end, answer_end
    return edits + _trimmed(at, source[at:], answer[answer_at:])


def _anchors(
    source: str, answer: str, candidates: Sequence[Candidate], tokenize: _Tokenize
) -> Iterator[tuple[int, int, int, int, str]]:
    """Yield (start, end, start in the answer, end there, kind) for all that the alignment holds against each other."""
    units, tokens = _units(source, candidates, tokenize), tokenize(answer)
    back = _align(units, _words(answer, tokens))
    for i, j, (step_i, step_j, option) in reversed(list(_path(back, len(units), len(tokens)))):
        if step_i and step_j:
            unit = units[i - 1]
            kind = candidates[unit.candidate].kind if option and unit.candidate >= 0 else "other"
            yield unit.start, unit.end, tokens[j - step_j].start, tokens[j - 1].end, kind


def _trimmed(at: int, before: str, after: str) -> list[Edit]:
    """Return the edit between two anchors, without what begins and ends alike; none where nothing differs."""
    if before == after:
        return []
    shorter = min(len(before), len(after))
    head = next((i for i in range(shorter) if before[i] != after[i]), shorter)
    tail = next((i for i in range(shorter - head) if before[-1 - i] != after[-1 - i]), shorter - head)
    before, after = before[head : len(before) - tail], after[head : len(after) - tail]
    return [Edit(at + head, at + head + len(before), before, after, "other", "proposed")]


def _words(text: str, tokens: Sequence[Token]) -> tuple[str, ...]:
    return tuple(text[token.start : token.end] for token in tokens)


def _units(source: str, candidates: Sequence[Candidate], tokenize: _Tokenize) -> list[_Unit]:
    units: list[_Unit] = []
    position = 0
    for index, candidate in enumerate(candidates):
        units += _literals(source, position, candidate.start, tokenize)
        options = tuple(_words(text, tokenize(text)) for _, text in candidate.options)
        units.append(_Unit(options, index, candidate.start, candidate.end))
        position = candidate.end
    return units + _literals(source, position, len(source), tokenize)


def _literals(source: str, start: int, end: int, tokenize: _Tokenize) -> list[_Unit]:
    piece = source[start:end]
    return [
        _Unit(((piece[token.start : token.end],),), -1, start + token.start, start + token.end)
        for token in tokenize(piece)
    ]


_Step = tuple[int, int, int | None]


def _path(back: list[list[_Step]], i: int, j: int) -> Iterator[tuple[int, int, _Step]]:
    """Yield (units, tokens, step that leads there) of the cheapest path, from its end to its beginning."""
    while i or j:
        step = back[i][j]
        yield i, j, step
        i, j = i - step[0], j - step[1]


def _align(units: list[_Unit], tokens: tuple[str, ...]) -> list[list[_Step]]:
    """Return back pointers (units back, tokens back, option) of a cheapest path; what no option explains costs."""
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
    return back
