"""Scoring a rewriter on a table of language cases: share of exact answers by construction, with intervals.

A table is a TSV with the columns ``id``, ``construction``, ``source`` and, where the source has to change, ``target``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rewriter.errors import InputError
from rewriter.files import read_lines


@dataclass(frozen=True, slots=True)
class Case:
    """One case; ``target`` equals ``source`` where nothing may change."""

    id: str
    construction: str
    source: str
    target: str


@dataclass(slots=True)
class ConstructionScore:
    """How many cases of a construction came out exactly right.

    Attributes:
        right: exact answers.
        total: cases.
        failures: (case, answer) of the others.
    """

    right: int = 0
    total: int = 0
    failures: list[tuple[Case, str]] = field(default_factory=list)

    @property
    def share(self) -> float:
        """Share of exact answers, 0 to 1."""
        return self.right / self.total if self.total else 1.0

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson score interval of the share at 95 % (Wilson 1927)."""
        return wilson(self.right, self.total)


def wilson(right: int, total: int, *, z: float = 1.959964) -> tuple[float, float]:
    """Return the Wilson score interval of a share."""
    if not total:
        return 0.0, 1.0
    share = right / total
    center = share + z * z / (2 * total)
    spread = z * math.sqrt(share * (1 - share) / total + z * z / (4 * total * total))
    scale = 1 + z * z / total
    return max(0.0, (center - spread) / scale), min(1.0, (center + spread) / scale)


def read_cases(path: str | Path) -> list[Case]:
    """Read a table of cases; cells are kept exactly, quotes have no meaning.

    Raises:
        InputError: a column is missing, or a row has another number of cells; names file and line.
    """
    lines = read_lines(path)
    columns = next(lines, "").split("\t")
    if columns[:3] != ["id", "construction", "source"]:
        raise InputError(f"{path}:1: expected the columns id, construction, source and maybe target; found {columns}")
    cases = []
    for number, line in enumerate(lines, 2):
        cells = line.split("\t")
        if len(cells) != len(columns):
            raise InputError(f"{path}:{number}: {len(cells)} cells where the header has {len(columns)}")
        row = dict(zip(columns, cells, strict=True))
        cases.append(Case(row["id"], row["construction"], row["source"], row.get("target", row["source"])))
    return cases


def score_cases(cases: Sequence[Case], rewrite: Callable[[list[str]], list[str]]) -> dict[str, ConstructionScore]:
    """Return the scores by construction, in order of first appearance.

    Args:
        cases: from :func:`read_cases`.
        rewrite: list of sources in, list of answers out.
    """
    answers = rewrite([case.source for case in cases])
    scores: dict[str, ConstructionScore] = {}
    for case, answer in zip(cases, answers, strict=True):
        score = scores.setdefault(case.construction, ConstructionScore())
        score.total += 1
        if answer == case.target:
            score.right += 1
        else:
            score.failures.append((case, answer))
    return scores
