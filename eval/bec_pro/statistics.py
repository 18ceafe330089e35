"""What the figures of BEC-Pro are made with: the signed-rank test, resampling over models and templates."""

from __future__ import annotations

from dataclasses import dataclass
from math import atan, cos, erfc, pi, sin, sqrt
from typing import Any

import numpy as np

from eval.bootstrap import Floats, Resampling


@dataclass(frozen=True, slots=True)
class SignedRank:
    """Result of a Wilcoxon signed-rank test of paired differences.

    Attributes:
        pairs: differences that are not zero.
        statistic: W, the smaller of the two sums of ranks.
        z: its standardised form; positive where the differences are mostly positive.
        p_value: two-sided, by the normal approximation.
        r: effect size z / sqrt(pairs), from -1 to 1.
    """

    pairs: int
    statistic: float
    z: float
    p_value: float
    r: float


def signed_rank(differences: Floats) -> SignedRank:
    """Test whether paired differences lie around zero (Wilcoxon 1945, normal approximation, ties corrected).

    Zero differences are left out, as Wilcoxon did; the effect size is r = z / sqrt(n) (Rosenthal 1994), which unlike W
    does not grow with the number of pairs. Without any difference p is 1 and r is 0.
    """
    nonzero = differences[differences != 0]
    n = len(nonzero)
    if n == 0:
        return SignedRank(0, 0.0, 0.0, 1.0, 0.0)
    ranks, ties = _ranks(np.abs(nonzero))
    positive = float(ranks[nonzero > 0].sum())
    total = n * (n + 1) / 2
    variance = n * (n + 1) * (2 * n + 1) / 24 - float((ties**3 - ties).sum()) / 48
    z = (positive - total / 2) / sqrt(variance) if variance > 0 else 0.0
    return SignedRank(n, min(positive, total - positive), z, erfc(abs(z) / sqrt(2)), z / sqrt(n))


def _ranks(values: Floats) -> tuple[Floats, Any]:
    """Return mean ranks from 1, and how often each value occurs."""
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    return (ends - (counts - 1) / 2)[inverse].astype(float), counts.astype(float)


def mean_differs(values: Floats) -> float:
    """Return the two-sided p-value of Student's t-test that the mean of a few values is zero.

    With five templates a bootstrap interval excludes zero as soon as all five agree in sign, which happens by chance
    once in sixteen times; the t-test knows how few they are. One value proves nothing: p is 1.
    """
    n = len(values)
    if n < 2 or not values.any():
        return 1.0
    error = float(values.std(ddof=1)) / sqrt(n)
    return student_p(float(values.mean()) / error, n - 1) if error > 0 else 0.0


def student_p(t: float, freedom: int) -> float:
    """Return P(abs(T) > abs(t)) for Student's t with whole degrees of freedom (Abramowitz & Stegun 26.7.3, 26.7.4)."""
    theta = atan(abs(t) / sqrt(freedom))
    odd = freedom % 2
    term, total = (cos(theta) if odd else 1.0), 0.0
    for k in range(1, freedom // 2 + 1):
        total += term
        term *= cos(theta) ** 2 * ((2 * k) / (2 * k + 1) if odd else (2 * k - 1) / (2 * k))
    inside = 2 / pi * (theta + sin(theta) * total) if odd else sin(theta) * total
    return min(1.0, max(0.0, 1.0 - inside))


def resampled_means(cells: Floats, resampling: Resampling) -> Floats:
    """Return means of cells over resampled models and templates.

    Models (seeds) and templates are drawn with replacement, independently of each other, and each drawn model meets
    each drawn template (a two-way bootstrap; Owen 2007, "The pigeonhole bootstrap"). What is measured on a few
    templates is an interval for other templates like these, and wide if they disagree.

    Args:
        cells: shape (models, templates, figures).
        resampling: how many sets and with which seed.

    Returns:
        Shape (samples, figures).
    """
    generator = resampling.generator()
    models, templates, _ = cells.shape
    rows = generator.integers(models, size=(resampling.samples, models))
    columns = generator.integers(templates, size=(resampling.samples, templates))
    return np.stack([cells[r][:, c].mean(axis=(0, 1)) for r, c in zip(rows, columns, strict=True)])
