"""Fairness of a training method: the mean over its seeds, with intervals over examples and seeds together.

A classifier trained with another seed is another classifier. The bootstrap here has two levels (Davison & Hinkley 1997,
"Bootstrap Methods and their Application", section 3.8): each sample draws examples, the same for all runs and methods,
and draws as many runs of a method, with replacement, as it has. With few runs such intervals are still too narrow: of n
runs the variance is underestimated by the factor (n - 1) / n.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from eval.bootstrap import Interval, Resampling, percentile_interval
from eval.fairness.auc import auc
from eval.fairness.measure import refuse_unpaired, resampled, weighted_figures, why_undefined
from eval.fairness.predictions import Predictions
from eval.significance import shifted_p
from rewriter.errors import MetricError

__all__ = ["RunsResult", "measure_runs"]

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Answers:
    """What a classifier answered on examples without groups: performance, not fairness.

    Attributes:
        predicted: 0 or 1 for each row.
        labels: the truth, 0 or 1.
        scores: the higher the more positive.
    """

    predicted: Ints
    labels: Ints
    scores: Floats

    @property
    def drawn(self) -> Ints:
        """Number of the unit of each row."""
        return np.arange(len(self.predicted))


Run = Predictions | Answers


@dataclass(frozen=True, slots=True)
class MeanFigure:
    """A figure of a method.

    Attributes:
        value: mean over the runs; nan where it is undefined in one of them.
        deviation: standard deviation between the runs (n - 1); nan of one run.
        interval: bootstrap interval of the mean over examples and runs; None where there is none.
        runs: the figure of each run.
        undefined: why there is no value.
    """

    value: float
    deviation: float
    interval: Interval | None
    runs: tuple[float, ...]
    undefined: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form; an undefined value is null."""
        interval = None if self.interval is None else [self.interval.low, self.interval.high]
        record = {"value": _plain(self.value), "deviation": _plain(self.deviation), "interval": interval}
        return {**record, "runs": [_plain(value) for value in self.runs], "undefined": self.undefined}


@dataclass(frozen=True, slots=True)
class MeanDifference:
    """A figure of a method minus that of another one.

    Attributes:
        difference: of the means.
        interval: bootstrap interval over examples and runs; None where a figure is undefined.
        p_value: two-sided, of the shifted bootstrap distribution (see :mod:`eval.significance`).
    """

    difference: float
    interval: Interval | None
    p_value: float

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        interval = None if self.interval is None else [self.interval.low, self.interval.high]
        return {"difference": _plain(self.difference), "interval": interval, "p_value": _plain(self.p_value)}


@dataclass(frozen=True)
class RunsResult:
    """Figures of several methods on one set.

    Attributes:
        figures: method -> name -> figure.
        drawn: method -> name -> means of the resampled sets, for :meth:`difference`.
        level: of the intervals in percent.
    """

    figures: Mapping[str, Mapping[str, MeanFigure]]
    drawn: Mapping[str, Mapping[str, Floats]]
    level: float

    def difference(self, method: str, baseline: str) -> dict[str, MeanDifference]:
        """Return how a method differs from another one in every figure.

        Raises:
            MetricError: there is no such method.
        """
        for name in (method, baseline):
            if name not in self.figures:
                raise MetricError(f"no runs of '{name}' were measured; there are {', '.join(self.figures)}")
        return {name: self._difference(method, baseline, name) for name in self.figures[method]}

    def _difference(self, method: str, baseline: str, name: str) -> MeanDifference:
        observed = self.figures[method][name].value - self.figures[baseline][name].value
        drawn = self.drawn[method][name] - self.drawn[baseline][name]
        defined = drawn[~np.isnan(drawn)]
        if math.isnan(observed) or not len(defined):
            return MeanDifference(math.nan, None, math.nan)
        return MeanDifference(observed, percentile_interval(defined, self.level), shifted_p(defined, observed))


def measure_runs(methods: Mapping[str, Sequence[Run]], *, resampling: Resampling | None = None) -> RunsResult:
    """Measure methods by the answers of their runs on one set.

    Args:
        methods: name -> what the classifier of each seed answered; all on the same examples.
        resampling: of examples and runs.

    Raises:
        MetricError: no runs, or runs that answered other examples.
    """
    resampling = resampling or Resampling()
    flat = [run for runs in methods.values() for run in runs]
    if not flat or not all(methods.values()):
        raise MetricError("a method is measured by at least one run")
    for run in flat[1:]:
        _refuse_other_examples(run, flat[0])
    whole = [_weighted(run, np.ones((1, len(run.predicted)))) for run in flat]
    parts = resampled(flat, resampling, _weighted)
    figures, drawn, start = {}, {}, 0
    for number, (name, runs) in enumerate(methods.items()):
        chosen = slice(start, start + len(runs))
        rng = np.random.default_rng([resampling.seed, number])
        drawn[name] = _mean_of_drawn(parts[chosen], rng)
        figures[name] = _means(whole[chosen], drawn[name], runs[0], resampling.level)
        start += len(runs)
    return RunsResult(figures, drawn, resampling.level)


def _weighted(run: Run, weights: Floats) -> dict[str, Floats]:
    if isinstance(run, Predictions):
        return weighted_figures(run, weights)
    right = (run.predicted == run.labels).astype(np.float64)
    return {"AUC": auc(run.scores, run.labels, weights), "accuracy": weights @ right / weights.sum(axis=1)}


def _mean_of_drawn(runs: Sequence[Mapping[str, Floats]], rng: np.random.Generator) -> dict[str, Floats]:
    """Return the means over drawn runs, one for each sample: the second level."""
    samples, number = len(next(iter(runs[0].values()))), len(runs)
    chosen = rng.integers(number, size=(samples, number))
    rows = np.arange(samples)[:, None]
    return {name: np.stack([run[name] for run in runs], axis=1)[rows, chosen].mean(axis=1) for name in runs[0]}


def _means(
    whole: Sequence[Mapping[str, Floats]], drawn: Mapping[str, Floats], example: Run, level: float
) -> dict[str, MeanFigure]:
    found = {}
    for name in whole[0]:
        values = np.array([float(run[name][0]) for run in whole])
        if np.isnan(values).any():
            reason = why_undefined(name, example) if isinstance(example, Predictions) else "one class only"
            found[name] = MeanFigure(math.nan, math.nan, None, tuple(values.tolist()), reason)
            continue
        defined = drawn[name][~np.isnan(drawn[name])]
        deviation = float(values.std(ddof=1)) if len(values) > 1 else math.nan
        interval = percentile_interval(defined, level) if len(defined) else None
        found[name] = MeanFigure(float(values.mean()), deviation, interval, tuple(values.tolist()))
    return found


def _refuse_other_examples(run: Run, first: Run) -> None:
    if isinstance(run, Predictions) and isinstance(first, Predictions):
        refuse_unpaired(run, first)
    elif isinstance(run, Predictions) or isinstance(first, Predictions) or not np.array_equal(run.labels, first.labels):
        raise MetricError("the runs answered different examples; figures of runs need the same")


def _plain(value: float) -> float | None:
    return None if math.isnan(value) else value
