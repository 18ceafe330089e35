"""Area under the receiver operating characteristic curve, also for many weightings of the same examples at once."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


def auc(scores: Floats, labels: npt.NDArray[np.int64], weights: Floats | None = None) -> Floats:
    """Return the area: the chance that a positive example scores above a negative one, a tie counting half.

    This is the Mann-Whitney statistic (Hanley & McNeil 1982, "The meaning and use of the area under a receiver
    operating characteristic (ROC) curve"), and equal to the area by trapezoids.

    Args:
        scores: shape (examples,), the higher the more positive.
        labels: shape (examples,), 0 or 1.
        weights: shape (..., examples), how often each example counts; once by default.

    Returns:
        Shape (...) of ``weights`` without its last axis; nan where a class has no example.
    """
    weights = np.ones(len(scores)) if weights is None else weights
    order = np.argsort(scores, kind="stable")
    ranked, positive = scores[order], labels[order] == 1
    # The last example of each run of equal scores; sums up to there minus those before are the sums of the run.
    ends = np.flatnonzero(np.append(ranked[1:] != ranked[:-1], True)) if len(ranked) else np.empty(0, dtype=np.int64)
    ordered = weights[..., order]
    up = np.cumsum(np.where(positive, ordered, 0.0), axis=-1)[..., ends]
    down = np.cumsum(np.where(positive, 0.0, ordered), axis=-1)[..., ends]
    return _area(up, down)


def _area(up: Floats, down: Floats) -> Floats:
    """Return the area from cumulated weights of positives and negatives, one entry for each different score."""
    if not up.shape[-1]:
        return np.full(up.shape[:-1], np.nan)
    before = np.concatenate([np.zeros((*down.shape[:-1], 1)), down[..., :-1]], axis=-1)
    here = np.diff(up, axis=-1, prepend=0.0)
    won = np.asarray((here * (before + down) / 2.0).sum(axis=-1))
    pairs = np.asarray(up[..., -1] * down[..., -1])
    return np.asarray(np.divide(won, pairs, out=np.full(won.shape, np.nan), where=pairs > 0))
