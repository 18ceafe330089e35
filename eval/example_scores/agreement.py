"""Do two sets of scores rank the same examples alike? Spearman's coefficient, with seeds against seeds as ceiling."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

import numpy as np
import numpy.typing as npt

from eval.bootstrap import Interval, Resampling, percentile_interval
from rewriter.errors import MetricError

__all__ = ["Agreement", "agreement"]

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Agreement:
    """How our scores go with others.

    Attributes:
        score: name of the score.
        other: whose, and of which model.
        n: examples compared.
        spearman: rank correlation of our mean over seeds with theirs; nan where one of them is constant.
        interval: bootstrap interval over examples.
        ceiling: mean rank correlation of our seeds with each other; None of one seed.
    """

    score: str
    other: str
    n: int
    spearman: float
    interval: Interval | None
    ceiling: float | None


def ranks(values: Floats) -> Floats:
    """Return ranks from 0; equal values have the mean of their ranks."""
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    return np.asarray((ends - (counts + 1) / 2.0)[place], dtype=np.float64)


def spearman(first: Floats, second: Floats) -> float:
    """Return Spearman's rank correlation, ties by mean ranks (Spearman 1904); nan where one side is constant.

    Raises:
        MetricError: the sides differ in length or are shorter than two.
    """
    if len(first) != len(second) or len(first) < 2:
        raise MetricError(f"a rank correlation needs two equally long sides; they have {len(first)} and {len(second)}")
    return _pearson(ranks(first), ranks(second))


def agreement(
    score: str,
    seeds: Sequence[Floats],
    others: Mapping[str, Floats],
    *,
    rows: npt.NDArray[np.bool_] | None = None,
    resampling: Resampling | None = None,
) -> list[Agreement]:
    """Compare our scores with each of several others.

    Args:
        score: its name.
        seeds: our scores, an array for each seed.
        others: their scores by name.
        rows: examples to compare; all by default.
        resampling: of the interval; the ranks are those of the whole set (drawing ranks, not values, is close to
            drawing values where examples are many).

    Raises:
        MetricError: fewer than two examples, or lengths that differ.
    """
    resampling = resampling or Resampling()
    chosen = np.ones(len(seeds[0]), dtype=np.bool_) if rows is None else rows
    own = [seed[chosen] for seed in seeds]
    mean = np.mean(own, axis=0)
    ceiling = fmean(spearman(a, b) for a, b in itertools.combinations(own, 2)) if len(own) > 1 else None
    found = []
    for name, values in others.items():
        value = spearman(mean, values[chosen])
        interval = _interval(ranks(mean), ranks(values[chosen]), resampling) if value == value else None
        found.append(Agreement(score, name, len(mean), value, interval, ceiling))
    return found


def _interval(first: Floats, second: Floats, resampling: Resampling) -> Interval | None:
    rng, size = resampling.generator(), len(first)
    drawn = (rng.integers(size, size=size) for _ in range(resampling.samples))
    values = np.array([_pearson(first[rows], second[rows]) for rows in drawn])
    defined = values[~np.isnan(values)]
    return percentile_interval(defined, resampling.level) if len(defined) else None


def _pearson(first: Floats, second: Floats) -> float:
    a, b = first - first.mean(), second - second.mean()
    norm = float(np.sqrt((a @ a) * (b @ b)))
    return float(a @ b) / norm if norm else float("nan")
