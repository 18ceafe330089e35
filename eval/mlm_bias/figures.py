"""What a test of bias gives: scores with intervals over its items, a signature, the warning of those who made it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from eval.bootstrap import Interval, Ints, Resampling, percentile_interval

#: of drawn units, the figures; nan where they cannot be told
Statistic = Callable[[Ints], Sequence[float]]


@dataclass(frozen=True, slots=True)
class Score:
    """One figure of a test.

    Attributes:
        name: of the figure.
        value: nan where no item tells it.
        interval: over items; None where the items do not allow one.
        unbiased: what a model without the bias would have; None where the figure is none of bias.
        p_value: of the test's own significance test.
    """

    name: str
    value: float
    interval: Interval | None = None
    unbiased: float | None = None
    p_value: float | None = None


@dataclass(frozen=True, slots=True)
class Measured:
    """What one test gave for one model.

    Attributes:
        measure: name of the test.
        model: name of the model.
        scores: its figures.
        items: items that were measured.
        left_out: items that could not be, by reason.
        warning: what the authors of the test, or those who examined it, say about reading it.
        signature: what it was computed with.
    """

    measure: str
    model: str
    scores: tuple[Score, ...]
    items: int
    warning: str
    signature: str
    left_out: Mapping[str, int] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Findings:
    """What a test found, before it is signed: figures, counts, and fields of the signature."""

    scores: tuple[Score, ...]
    items: int
    fields: Mapping[str, object]
    left_out: Mapping[str, int] = field(default_factory=dict)


def resampled_scores(
    names: Sequence[str],
    statistic: Statistic,
    units: int,
    resampling: Resampling,
    *,
    unbiased: Sequence[float | None],
) -> tuple[Score, ...]:
    """Return figures with percentile intervals over drawn units.

    Args:
        names: of the figures.
        statistic: of drawn units (indices, some of them several times), the figures.
        units: how many there are.
        resampling: how to draw.
        unbiased: of each figure, its value without bias.
    """
    values = statistic(np.arange(units))
    rng = resampling.generator()
    drawn = np.array([statistic(rng.integers(units, size=units)) for _ in range(resampling.samples)])
    intervals = [_interval(column, resampling) for column in drawn.T]
    rows = zip(names, values, intervals, unbiased, strict=True)
    return tuple(Score(name, float(value), interval, zero) for name, value, interval, zero in rows)


def _interval(column: Any, resampling: Resampling) -> Interval | None:
    known = column[~np.isnan(column)]
    return percentile_interval(known, resampling.level) if len(known) else None


def share(hits: Any) -> float:
    """Return the share of true ones in percent, nan of none."""
    return 100.0 * float(np.mean(hits)) if len(hits) else float("nan")


def mean(values: Any) -> float:
    """Return the mean, nan of none."""
    return float(np.mean(values)) if len(values) else float("nan")
