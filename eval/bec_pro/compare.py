"""How much less association one set of models has than another, with an interval."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from eval.bec_pro.items import Item
from eval.bec_pro.results import Figure, group_means
from eval.bec_pro.scorer import Scores
from eval.bootstrap import Floats, Resampling, percentile_interval
from rewriter.errors import MetricError


def reduction(
    items: Sequence[Item], before: Sequence[Scores], after: Sequence[Scores], resampling: Resampling | None = None
) -> Figure:
    """Return by how many percent the absolute average of some models is smaller than that of others.

    Templates are drawn for both sides together (the sentences are the same), models for each side by itself.

    Args:
        items: the sentences.
        before: of each model of the one side, what it answered.
        after: of the other side.
        resampling: of the interval.

    Raises:
        MetricError: the models of the first side have no association at all.
    """
    resampling = resampling or Resampling()
    cells = [group_means(items, scores) for scores in (before, after)]
    values = [float(np.abs(part.mean(axis=(0, 1))).mean()) for part in cells]
    if not values[0]:
        raise MetricError("there is no association that could be reduced")
    drawn = _drawn(cells, resampling)
    shares = 100 * (1 - drawn[1] / np.maximum(drawn[0], 1e-12))
    return Figure(100 * (1 - values[1] / values[0]), percentile_interval(shares, resampling.level))


def _drawn(cells: Sequence[Floats], resampling: Resampling) -> Floats:
    """Return absolute averages of resampled models and templates, shape (2, samples)."""
    generator = resampling.generator()
    templates = cells[0].shape[1]
    found = np.empty((len(cells), resampling.samples))
    for sample in range(resampling.samples):
        columns = generator.integers(templates, size=templates)
        for side, part in enumerate(cells):
            rows = generator.integers(len(part), size=len(part))
            found[side, sample] = np.abs(part[rows][:, columns].mean(axis=(0, 1))).mean()
    return found
