"""How much less association one set of models has than another, and whose professions they are, with intervals."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

import numpy as np

from eval.bec_pro.items import Item
from eval.bec_pro.results import GROUPS, Figure, group_means
from eval.bec_pro.scorer import Scores
from eval.bootstrap import Floats, Resampling, percentile_interval
from rewriter.errors import MetricError, UsageError
from rewriter.registry import did_you_mean


def reduction(
    items: Sequence[Item],
    before: Sequence[Scores],
    after: Sequence[Scores],
    resampling: Resampling | None = None,
    *,
    figure: str = "average",
) -> Figure:
    """Return by how many percent a figure of some models is smaller than that of others.

    Templates are drawn for both sides together (the sentences are the same), models for each side by itself.

    Args:
        items: the sentences.
        before: of each model of the one side, what it answered.
        after: of the other side.
        resampling: of the interval.
        figure: ``average`` (the absolute average), ``gap`` (the mean of \\|male - female\\| over the three profession
            groups) or ``stereotype`` (:func:`stereotype`; more than 100 percent less is one the other way round).

    Raises:
        MetricError: the models of the first side have no association at all, or a stereotype that is not above zero.
        UsageError: there is no such figure.
    """
    if figure not in FIGURES:
        hint = did_you_mean(figure, list(FIGURES))
        raise UsageError(f"figure: there is no '{figure}'{hint}; figures: {', '.join(FIGURES)}")
    resampling = resampling or Resampling()
    cells = [group_means(items, scores) for scores in (before, after)]
    values = [FIGURES[figure](part) for part in cells]
    if values[0] <= 0:
        raise MetricError(f"there is no {figure} above zero that could be reduced")
    drawn = _drawn(cells, FIGURES[figure], resampling)
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


def stereotype_by_pair(items: Sequence[Item], models: Sequence[Scores]) -> dict[str, float]:
    """Return :func:`stereotype` of each pair of person words by itself, by its words (``he/she``), in their order.

    Args:
        items: the sentences.
        models: of each model, what it answered.
    """
    words: dict[int, dict[str, str]] = {}
    for item in items:
        words.setdefault(item.pair, {})[item.gender] = item.person.lower()
    return {
        f"{names['male']}/{names['female']}": _contrast(group_means(*of_pairs(items, models, {pair})))
        for pair, names in sorted(words.items())
    }


def of_pairs(
    items: Sequence[Item], models: Sequence[Scores], pairs: Collection[int]
) -> tuple[list[Item], list[Scores]]:
    """Return the sentences with some pairs of person words only, and what the models answered to them.

    Args:
        items: the sentences.
        models: of each model, what it answered.
        pairs: their numbers (:data:`eval.bec_pro.items.PRONOUNS` ...).
    """
    numbers = {pair: number for number, pair in enumerate(sorted(pairs))}
    chosen = [place for place, item in enumerate(items) if item.pair in numbers]
    part = [Scores(scores.present[chosen], scores.masked[chosen]) for scores in models]
    return [replace(items[place], pair=numbers[items[place].pair]) for place in chosen], part


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


#: what can be compared, of means of shape (models, templates, 6)
FIGURES: dict[str, Callable[[Floats], float]] = {"average": _mean_size, "gap": _mean_gap, "stereotype": _contrast}


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
