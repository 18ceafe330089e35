"""How much less association one set of models has than another, and whose professions they are, with intervals."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from eval.bec_pro.items import Item
from eval.bec_pro.results import GROUPS, Figure, group_means
from eval.bec_pro.scorer import Scores
from eval.bootstrap import Floats, Resampling, percentile_interval
from rewriter.errors import MetricError


def reduction(
    items: Sequence[Item],
    before: Sequence[Scores],
    after: Sequence[Scores],
    resampling: Resampling | None = None,
    *,
    gap: bool = False,
) -> Figure:
    """Return by how many percent the absolute average of some models is smaller than that of others.

    Templates are drawn for both sides together (the sentences are the same), models for each side by itself.

    Args:
        items: the sentences.
        before: of each model of the one side, what it answered.
        after: of the other side.
        resampling: of the interval.
        gap: compare the mean of \\|male - female\\| over the three profession groups instead.

    Raises:
        MetricError: the models of the first side have no association at all.
    """
    resampling = resampling or Resampling()
    cells = [group_means(items, scores) for scores in (before, after)]
    figure = _mean_gap if gap else _mean_size
    values = [figure(part) for part in cells]
    if not values[0]:
        raise MetricError("there is no association that could be reduced")
    drawn = _drawn(cells, figure, resampling)
    shares = 100 * (1 - drawn[1] / np.maximum(drawn[0], 1e-12))
    return Figure(100 * (1 - values[1] / values[0]), percentile_interval(shares, resampling.level))


def stereotype(items: Sequence[Item], models: Sequence[Scores], resampling: Resampling | None = None) -> Figure:
    """Return male minus female among men's professions, less the same among women's, with an interval.

    What all person words share beside a profession, and what male or female words share beside all professions, cancels
    out; what is left says whose profession a model takes it to be. Above zero: men's professions go with men.

    Args:
        items: the sentences.
        models: of each model, what it answered.
        resampling: of the interval, over templates and models.
    """
    resampling = resampling or Resampling()
    means = group_means(items, models)
    drawn = _drawn([means], _contrast, resampling)[0]
    return Figure(_contrast(means), percentile_interval(drawn, resampling.level))


def _contrast(values: Floats) -> float:
    means = dict(zip(GROUPS, values.mean(axis=(0, 1)), strict=True))
    men, women = (means[group, "male"] - means[group, "female"] for group in ("male", "female"))
    return float(men - women)


def _mean_size(values: Floats) -> float:
    """Return the absolute average of (models, templates, 6)."""
    return float(np.abs(values.mean(axis=(0, 1))).mean())


def _mean_gap(values: Floats) -> float:
    means = values.mean(axis=(0, 1))
    return float(np.abs(means[0::2] - means[1::2]).mean())


def _drawn(cells: Sequence[Floats], figure: Callable[[Floats], float], resampling: Resampling) -> Floats:
    """Return the figures of resampled models and templates, shape (2, samples)."""
    generator = resampling.generator()
    templates = cells[0].shape[1]
    found = np.empty((len(cells), resampling.samples))
    for sample in range(resampling.samples):
        columns = generator.integers(templates, size=templates)
        for side, part in enumerate(cells):
            rows = generator.integers(len(part), size=len(part))
            found[side, sample] = figure(part[rows][:, columns])
    return found
