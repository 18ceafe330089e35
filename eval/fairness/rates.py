"""Rates of groups and the figures made of them: demographic parity, equality of opportunity, equality differences.

Everything works on counts, ``(..., groups, label, prediction)``, so that thousands of resampled sets are one call.
A rate without examples (a group that is empty, or has no example of a class) is undefined, written ``nan``, and so is
every figure that needs it: leaving such a group out, or calling its rate 0, would make a classifier look fair that was
not measured.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

#: of which cells of (label, prediction) a rate is a share: numerator, denominator
_CELLS: Mapping[str, tuple[tuple[tuple[int, int], ...], tuple[tuple[int, int], ...]]] = {
    "positive_rate": (((0, 1), (1, 1)), ((0, 0), (0, 1), (1, 0), (1, 1))),
    "true_positive_rate": (((1, 1),), ((1, 0), (1, 1))),
    "false_positive_rate": (((0, 1),), ((0, 0), (0, 1))),
    "true_negative_rate": (((0, 0),), ((0, 0), (0, 1))),
    "false_negative_rate": (((1, 0),), ((1, 0), (1, 1))),
    "accuracy": (((0, 0), (1, 1)), ((0, 0), (0, 1), (1, 0), (1, 1))),
}
RATES = tuple(_CELLS)


def rate(counts: Floats, name: str) -> Floats:
    """Return a rate of each group.

    Args:
        counts: shape (..., 2, 2), examples by label and prediction.
        name: one of :data:`RATES`.

    Returns:
        Shape (...), between 0 and 1; nan where there is nothing to take a share of.
    """
    over, under = _CELLS[name]
    numerator = sum((counts[..., label, predicted] for label, predicted in over), np.zeros(counts.shape[:-2]))
    denominator = sum((counts[..., label, predicted] for label, predicted in under), np.zeros(counts.shape[:-2]))
    return np.divide(numerator, denominator, out=np.full_like(numerator, np.nan), where=denominator > 0)


def parity(counts: Floats, name: str = "positive_rate") -> Floats:
    """Return 1 minus the largest difference of a rate between two groups.

    With two groups this is equation 3 (``positive_rate``: DP), 4 (``true_positive_rate``: EqOpp1) and 5
    (``false_positive_rate``: EqOpp0) of Zayed et al. (2023), "Deep Learning on a Healthy Data Diet".

    Args:
        counts: shape (..., groups, 2, 2).
        name: the rate.

    Returns:
        Shape (...); 1 is equal, nan where a group has no such rate.
    """
    rates = rate(counts, name)
    return np.asarray(1.0 - (rates.max(axis=-1) - rates.min(axis=-1)))


def equality_of_odds(counts: Floats) -> Floats:
    """Return the mean of EqOpp1 and EqOpp0 (Zayed et al. 2023, equation 6)."""
    return 0.5 * (parity(counts, "true_positive_rate") + parity(counts, "false_positive_rate"))


def equality_difference(counts: Floats, name: str) -> Floats:
    """Return the sum over groups of the distance between a group's rate and that of all examples.

    Dixon et al. (2018), "Measuring and Mitigating Unintended Bias in Text Classification", section 4: FPED and FNED;
    TPED and TNED likewise. 0 is equal.
    """
    overall = rate(counts.sum(axis=-3), name)
    return np.asarray(np.abs(rate(counts, name) - overall[..., None]).sum(axis=-1), dtype=np.float64)


#: figures that follow from the counts of groups
GROUP_FIGURES: Mapping[str, Callable[[Floats], Floats]] = {
    "DP": parity,
    "EqOpp0": lambda counts: parity(counts, "false_positive_rate"),
    "EqOpp1": lambda counts: parity(counts, "true_positive_rate"),
    "EqOdd": equality_of_odds,
    "FPED": lambda counts: equality_difference(counts, "false_positive_rate"),
    "FNED": lambda counts: equality_difference(counts, "false_negative_rate"),
    "TPED": lambda counts: equality_difference(counts, "true_positive_rate"),
    "TNED": lambda counts: equality_difference(counts, "true_negative_rate"),
    "accuracy": lambda counts: rate(counts.sum(axis=-3), "accuracy"),
}

#: figures of which less is better
LOWER_IS_BETTER = frozenset({"FPED", "FNED", "TPED", "TNED", "flip rate"})
