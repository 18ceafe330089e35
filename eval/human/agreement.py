"""Do raters agree? Krippendorff's alpha.

Krippendorff (2011), "Computing Krippendorff's Alpha-Reliability": any number of raters, of whom any may have left any
unit out, and a difference between values that fits their scale.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from eval.bootstrap import Floats, Interval, Resampling, percentile_interval
from rewriter.errors import UsageError


def krippendorff_alpha(units: Sequence[Sequence[float]], *, metric: str = "ordinal") -> float | None:
    """Return Krippendorff's alpha: 1 is full agreement, 0 that of chance.

    Args:
        units: the values that each unit was given, by however many raters; units with fewer than two do not count.
        metric: how far two values differ: ``nominal``, ``ordinal`` or ``interval``.

    Returns:
        Alpha; None where all values are the same, or no unit has two, so that nothing can be said.

    Raises:
        UsageError: the metric is unknown.
    """
    coincidences, values = _coincidences(units)
    return _alpha(coincidences.sum(axis=0), values, _metric(metric))


def alpha_interval(
    units: Sequence[Sequence[float]], resampling: Resampling, *, metric: str = "ordinal"
) -> Interval | None:
    """Return a bootstrap interval of alpha, drawn over units.

    Raters are not drawn: one who is drawn twice would agree with themself.

    Returns:
        The interval; None with fewer than two units that count, or where alpha is not defined.
    """
    coincidences, values = _coincidences(units)
    distance = _metric(metric)
    if len(coincidences) < 2 or _alpha(coincidences.sum(axis=0), values, distance) is None:
        return None
    generator = resampling.generator()
    drawn = generator.multinomial(
        len(coincidences), np.full(len(coincidences), 1 / len(coincidences)), resampling.samples
    )
    found = [_alpha(np.tensordot(weights, coincidences, 1), values, distance) for weights in drawn.astype(float)]
    defined = np.array([alpha for alpha in found if alpha is not None])
    return percentile_interval(defined, resampling.level)


_Distance = Callable[[Floats, Floats], Floats]


def _coincidences(units: Sequence[Sequence[float]]) -> tuple[Floats, Floats]:
    """Return matrices of coincidences of the units that count (units, values, values), and the values in order."""
    counted = [np.asarray(unit, dtype=float) for unit in units if len(unit) > 1]
    values = np.unique(np.concatenate([*counted, np.empty(0)]))
    found = np.zeros((len(counted), len(values), len(values)))
    for matrix, unit in zip(found, counted, strict=True):
        counts = (unit[:, None] == values).sum(axis=0).astype(float)
        matrix[:] = (np.outer(counts, counts) - np.diag(counts)) / (len(unit) - 1)
    return found, values


def _alpha(coincidences: Floats, values: Floats, distance: _Distance) -> float | None:
    totals = coincidences.sum(axis=0)
    far = distance(values, totals)
    expected = float(totals @ far @ totals) - float((np.diag(far) * totals).sum())
    if expected <= 0:
        return None
    observed = float((coincidences * far).sum())
    return 1.0 - (float(totals.sum()) - 1.0) * observed / expected


def _nominal(values: Floats, totals: Floats) -> Floats:
    return 1.0 - np.eye(len(values))


def _interval(values: Floats, totals: Floats) -> Floats:
    return np.asarray((values[:, None] - values[None, :]) ** 2, dtype=float)


def _ordinal(values: Floats, totals: Floats) -> Floats:
    """Return the squared number of ranks between two values, their own counted half."""
    middle = np.cumsum(totals) - totals / 2
    return np.asarray((middle[:, None] - middle[None, :]) ** 2, dtype=float)


_METRICS: Mapping[str, _Distance] = {"nominal": _nominal, "ordinal": _ordinal, "interval": _interval}
METRICS = tuple(_METRICS)


def _metric(name: str) -> _Distance:
    if name not in _METRICS:
        raise UsageError(f"metric '{name}' is unknown; known: {', '.join(METRICS)}")
    return _METRICS[name]
