"""Confidence intervals of shares."""

from __future__ import annotations

from math import sqrt
from statistics import NormalDist

from eval.bootstrap import Interval
from rewriter.errors import UsageError


def check_level(level: float) -> float:
    """Return a confidence level in percent.

    Raises:
        UsageError: it does not lie between 0 and 100.
    """
    if not 0 < level < 100:
        raise UsageError(f"a confidence level lies between 0 and 100 percent, not at {level}")
    return level


def wilson(count: float, total: float, *, level: float = 95.0) -> Interval:
    """Return the score interval of a share (Wilson 1927, "Probable inference", equation for p).

    It never leaves 0 to 1 and holds for few observations too, unlike the plain normal interval.

    Args:
        count: how many of the observations are of the kind in question.
        total: how many observations there are; with none the interval is 0 to 1. Both may be fractions, where
            observations that depend on each other count for fewer.
        level: confidence level in percent.

    Raises:
        UsageError: the level does not lie between 0 and 100, or the count not between 0 and the total.
    """
    if not 0 <= count <= total:
        raise UsageError(f"a count lies between 0 and the total, not {count} of {total}")
    z = NormalDist().inv_cdf(0.5 + check_level(level) / 200)
    if not total:
        return Interval(0.0, 1.0)
    share = count / total
    centre = (share + z * z / (2 * total)) / (1 + z * z / total)
    half = z / (1 + z * z / total) * sqrt(share * (1 - share) / total + z * z / (4 * total * total))
    return Interval(
        0.0 if count == 0 else max(0.0, centre - half),
        1.0 if count == total else min(1.0, centre + half),
    )
