"""Scoring a rewriter on a table of language cases: share of exact answers by construction, with intervals.

A table is a TSV with the columns ``id``, ``construction``, ``source`` and, where the source has to change, ``target``.
Rows may share a target (the masculine and the feminine source of one sentence) and are then not independent: intervals
resample targets or constructions, not rows (Cameron, Gelbach & Miller 2008, "Bootstrap-Based Improvements for Inference
with Clustered Errors", section III: draw whole clusters).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from eval.bootstrap import Interval, Resampling, percentile_interval, resampled_rates
from eval.intervals import wilson
from eval.signature import signature
from eval.significance import McNemar, mcnemar
from rewriter.errors import InputError
from rewriter.io.files import read_lines

__all__ = ["Case", "ConstructionScore", "compare_cases", "read_cases", "score_cases"]

#: name of a folder whose sentences are for measuring only
SEALED = "sealed"


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
        targets: target -> (exact answers, cases).
    """

    right: int = 0
    total: int = 0
    failures: list[tuple[Case, str]] = field(default_factory=list)
    targets: dict[str, tuple[int, int]] = field(default_factory=dict)

    @property
    def share(self) -> float:
        """Share of exact answers, 0 to 1."""
        return self.right / self.total if self.total else 1.0

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson score interval of the share at 95 %, in which cases of one target count as one observation.

        The number of observations is (sum of sizes)^2 / (sum of squared sizes) over the targets (Kish 1965, "Survey
        Sampling", section 5.4, for cases that always share their fate): that of the targets when all have as many
        cases, that of the cases when none is shared.
        """
        sizes = [total for _, total in self.targets.values()] or [1] * self.total
        effective = sum(sizes) ** 2 / sum(size**2 for size in sizes) if sizes else 0.0
        found = wilson(self.share * effective, effective)
        return found.low, found.high

    def add(self, case: Case, answer: str) -> None:
        """Count one answer."""
        is_right = answer == case.target
        right, total = self.targets.get(case.target, (0, 0))
        self.targets[case.target] = right + is_right, total + 1
        self.right += is_right
        self.total += 1
        if not is_right:
            self.failures.append((case, answer))


@dataclass(frozen=True, slots=True)
class Total:
    """Exact answers over all constructions.

    Attributes:
        right: exact answers.
        total: cases.
        targets: how many different targets the cases have.
        over_targets: interval of the share in percent, targets drawn with replacement.
        over_constructions: the same, constructions drawn.
        signature: what the figures were computed with.
    """

    right: int
    total: int
    targets: int
    over_targets: Interval
    over_constructions: Interval
    signature: str

    @property
    def share(self) -> float:
        """Share of exact answers in percent."""
        return 100.0 * self.right / self.total if self.total else 100.0


def read_cases(path: str | Path) -> list[Case]:
    """Read a table of cases; cells are kept exactly, quotes have no meaning.

    Raises:
        InputError: a column is missing, or a row has another number of cells; names file and line.
    """
    columns, rows = _read_rows(path)
    if columns[:3] != ["id", "construction", "source"]:
        found = ", ".join(columns)
        raise InputError(f"{path}:1: expected the columns id, construction, source and maybe target; found {found}")
    return [Case(row["id"], row["construction"], row["source"], row.get("target", row["source"])) for row in rows]


def read_cases_back(path: str | Path, to: str) -> list[Case]:
    """Read a table of cases of the way back.

    The source is the first of the columns ``fair``, ``source``, ``text`` and that of the other gender; the target is
    the column of the gender, or the source where there is none.

    Args:
        path: a TSV file.
        to: ``masculine`` or ``feminine``.

    Raises:
        InputError: there is no column of a source, or a row has another number of cells; names file and line.
    """
    columns, rows = _read_rows(path)
    other = "feminine" if to == "masculine" else "masculine"
    known = [name for name in ("source", "text", other, "fair") if name in columns]
    # the column of a gender comes first where a table is of gendered sources
    source = min(known, key=columns.index, default=None)
    if source is None or "id" not in columns:
        raise InputError(
            f"{path}:1: expected the columns id, one of fair, source and text, and {to}; found {', '.join(columns)}"
        )
    return [Case(row["id"], row.get("construction", ""), row[source], row.get(to, row[source])) for row in rows]


def _read_rows(path: str | Path) -> tuple[list[str], list[dict[str, str]]]:
    """Return the columns and the rows of a table.

    Raises:
        InputError: a row has another number of cells than the header.
    """
    lines = read_lines(path)
    columns = next(lines, "").split("\t")
    rows = []
    for number, line in enumerate(lines, 2):
        cells = line.split("\t")
        if len(cells) != len(columns):
            raise InputError(f"{path}:{number}: {len(cells)} cells where the header has {len(columns)}")
        rows.append(dict(zip(columns, cells, strict=True)))
    return columns, rows


def score_cases(cases: Sequence[Case], rewrite: Callable[[list[str]], list[str]]) -> dict[str, ConstructionScore]:
    """Return the scores by construction, in order of first appearance.

    Args:
        cases: from :func:`read_cases`.
        rewrite: list of sources in, list of answers out.
    """
    answers = rewrite([case.source for case in cases])
    scores: dict[str, ConstructionScore] = {}
    for case, answer in zip(cases, answers, strict=True):
        scores.setdefault(case.construction, ConstructionScore()).add(case, answer)
    return scores


def total_of(
    scores: Mapping[str, ConstructionScore],
    *,
    lang: str = "-",
    resampling: Resampling | None = None,
    conditions: Mapping[str, str] | None = None,
) -> Total:
    """Return the share of exact answers over all constructions, with both intervals.

    Args:
        scores: from :func:`score_cases`.
        lang: for the signature.
        resampling: samples, seed, level.
        conditions: further fields of the signature: under which conditions the rewriter answered.
    """
    resampling = resampling or Resampling()
    targets: dict[str, tuple[int, int]] = {}
    for score in scores.values():
        for target, (right, total) in score.targets.items():
            before = targets.get(target, (0, 0))
            targets[target] = before[0] + right, before[1] + total
    cases = sum(score.total for score in scores.values())
    return Total(
        right=sum(score.right for score in scores.values()),
        total=cases,
        targets=len(targets),
        over_targets=_drawn(targets.values(), resampling),
        over_constructions=_drawn(((score.right, score.total) for score in scores.values()), resampling),
        signature=signature(
            "exact",
            lang=lang,
            n=cases,
            targets=len(targets),
            constructions=len(scores),
            bootstrap=resampling.samples,
            seed=resampling.seed,
            **(conditions or {}),
        ),
    )


def compare_cases(
    cases: Sequence[Case], system: Mapping[str, ConstructionScore], baseline: Mapping[str, ConstructionScore]
) -> McNemar:
    """Compare two systems on the same cases (McNemar's test, exact; cases of one target count each for itself).

    Args:
        cases: that both were scored on.
        system: scores by construction.
        baseline: likewise.
    """
    wrong, other = ({case.id for s in scores.values() for case, _ in s.failures} for scores in (system, baseline))
    return mcnemar((case.id not in wrong, case.id not in other) for case in cases)


def is_sealed(path: str | Path) -> bool:
    """Return whether a table lies in a folder named ``sealed``: its sentences are shown to nobody."""
    return SEALED in Path(path).resolve().parts


def _drawn(clusters: Iterable[tuple[int, int]], resampling: Resampling) -> Interval:
    """Return the percentile interval of the share, whole clusters (right, total) drawn with replacement.

    Where everything is right, or nothing, every draw is the same; then the score interval of so many clusters.
    """
    rows = np.array(list(clusters), dtype=np.int64).reshape(-1, 2)
    right, total = rows.sum(axis=0)
    if right in (0, total):
        bound = wilson(len(rows) if right else 0, len(rows), level=resampling.level)
        return Interval(100 * bound.low, 100 * bound.high)
    wrong = resampled_rates((rows[:, 1] - rows[:, 0])[None], rows[:, 1], resampling)[0]
    return percentile_interval(100.0 - wrong, resampling.level)
