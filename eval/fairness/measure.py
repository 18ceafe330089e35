"""Fairness of a classifier with intervals, and the difference between two classifiers with a test.

Demographic parity on *groups* (texts about women and other texts about men, as in template sets) and on *pairs* (the
same texts, kept and flipped, equation 3 of Zayed et al. 2023) are different figures and have different signatures.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from eval.bootstrap import Interval, Resampling, percentile_interval
from eval.fairness.auc import auc
from eval.fairness.predictions import Predictions
from eval.fairness.rates import GROUP_FIGURES, LOWER_IS_BETTER, RATES, rate
from eval.signature import signature
from eval.significance import shifted_p
from rewriter.errors import MetricError

__all__ = ["FairnessResult", "compare_fairness", "measure"]

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

#: how often a unit was drawn is held for this many units and samples at a time
_HELD_AT_ONCE = 4_000_000
#: figures for which the truth need not be known
_WITHOUT_LABELS = ("DP", "flip rate")


class _Drawn(Protocol):
    @property
    def drawn(self) -> Ints:
        """The unit of every row."""
        ...


_System = TypeVar("_System", bound=_Drawn)


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure.

    Attributes:
        value: the figure; nan where it is undefined.
        interval: bootstrap interval over the samples in which the figure is defined; None where there is none.
        undefined: why there is no value; empty where there is one.
    """

    value: float
    interval: Interval | None = None
    undefined: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form; an undefined value is null."""
        interval = None if self.interval is None else [self.interval.low, self.interval.high]
        record: dict[str, Any] = {"value": _json_number(self.value), "interval": interval}
        return record | ({"undefined": self.undefined} if self.undefined else {})


@dataclass(frozen=True)
class FairnessResult:
    """Figures of one classifier on one set.

    Attributes:
        figures: by name: DP, EqOpp0, EqOpp1, EqOdd (1 is fair), FPED, FNED, TPED, TNED (0 is fair), accuracy, AUC, and
            on pairs ``flip rate`` (share of texts whose prediction changes when their genders are flipped).
        groups: by name: number of examples and rates.
        signature: what it was computed with.
        predictions: what was measured, for comparing with another classifier.
    """

    figures: Mapping[str, Figure]
    groups: Mapping[str, Mapping[str, float]]
    signature: str
    predictions: Predictions

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        groups = {name: {key: _json_number(value) for key, value in row.items()} for name, row in self.groups.items()}
        figures = {name: figure.to_dict() for name, figure in self.figures.items()}
        return {"figures": figures, "groups": groups, "signature": self.signature}


@dataclass(frozen=True, slots=True)
class Difference:
    """A figure of a classifier minus that of another one on the same examples.

    Attributes:
        difference: system minus baseline.
        interval: bootstrap interval of the difference; None where a figure is undefined.
        p_value: two-sided; how likely a difference of this size would be if the classifiers did not differ.
        better: whether the system is the better one by this figure; None where both are equal or undefined.
    """

    difference: float
    interval: Interval | None
    p_value: float
    better: bool | None

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        interval = None if self.interval is None else [self.interval.low, self.interval.high]
        values = {"difference": _json_number(self.difference), "p_value": _json_number(self.p_value)}
        return {**asdict(self), **values, "interval": interval}


def measure(
    predictions: Predictions, *, resampling: Resampling | None = None, fields: Mapping[str, object] | None = None
) -> FairnessResult:
    """Measure a classifier.

    Args:
        predictions: groups (:func:`eval.fairness.predictions.by_group`) or pairs (``by_pair``).
        resampling: of the intervals; pairs are drawn as pairs, rows otherwise.
        fields: more fields of the signature (column, threshold, positive class).

    Returns:
        All figures; those that this set does not define have a reason instead of a value.
    """
    resampling = resampling or Resampling()
    values = weighted_figures(predictions, np.ones((1, len(predictions.predicted))))
    drawn = resampled([predictions], resampling, weighted_figures)[0]
    figures = {name: _figure(name, float(values[name][0]), drawn[name], predictions, resampling) for name in values}
    signed = fairness_signature(predictions, resampling, fields or {})
    return FairnessResult(figures, _group_rows(predictions), signed, predictions)


def compare_fairness(
    system: FairnessResult, baseline: FairnessResult, *, resampling: Resampling | None = None
) -> dict[str, Difference]:
    """Compare two classifiers on the same examples by a paired bootstrap test (see :mod:`eval.significance`).

    Raises:
        MetricError: the examples, their labels or their groups differ.
    """
    resampling = resampling or Resampling()
    pair = (system.predictions, baseline.predictions)
    refuse_unpaired(*pair)
    first, second = resampled(pair, resampling, weighted_figures)
    return {
        name: _difference(
            name,
            system.figures[name].value - baseline.figures[name].value,
            first[name] - second[name],
            differing=_differing(name, *pair),
            level=resampling.level,
        )
        for name in system.figures
        if name in baseline.figures
    }


def _figure(name: str, value: float, drawn: Floats, predictions: Predictions, resampling: Resampling) -> Figure:
    if math.isnan(value):
        return Figure(value, undefined=why_undefined(name, predictions))
    defined = drawn[~np.isnan(drawn)]
    return Figure(value, percentile_interval(defined, resampling.level) if len(defined) else None)


def why_undefined(name: str, predictions: Predictions) -> str:
    """Return why a set does not define a figure."""
    labels = predictions.labels
    if labels is None and name not in _WITHOUT_LABELS:
        return "the truth is not known (no labels)"
    if name == "AUC":
        return "there are no scores" if predictions.scores is None else "all examples have the same label"
    assert labels is not None
    for number, group in enumerate(predictions.names):
        present = set(labels[predictions.groups == number].tolist())
        if len(present) < 2:
            return f"the group '{group}' has no example with the label {1 - next(iter(present))}"
    return "not defined on this set"


def weighted_figures(predictions: Predictions, weights: Floats) -> dict[str, Floats]:
    """Return all figures for sets in which each row counts ``weights`` (sets, rows) times: shape (sets,) each."""
    counts = _counts(predictions, weights)
    known = predictions.labels is not None
    nothing = np.full(len(weights), np.nan)
    figures = {
        name: figure(counts) if known or name in _WITHOUT_LABELS else nothing for name, figure in GROUP_FIGURES.items()
    }
    both = known and predictions.scores is not None
    figures["AUC"] = auc(predictions.scores, predictions.labels, weights) if both else nothing  # type: ignore[arg-type]
    if predictions.paired:
        half = len(predictions.predicted) // 2
        flips = (predictions.predicted[:half] != predictions.predicted[half:]).astype(np.float64)
        figures["flip rate"] = weights[:, :half] @ flips / weights[:, :half].sum(axis=1)
    return figures


def _counts(predictions: Predictions, weights: Floats) -> Floats:
    """Return counts (sets, groups, label, prediction); without labels all rows count as label 0."""
    labels = np.zeros_like(predictions.predicted) if predictions.labels is None else predictions.labels
    cell = (predictions.groups * 2 + labels) * 2 + predictions.predicted
    size = len(predictions.names) * 4
    members = np.zeros((len(cell), size))
    members[np.arange(len(cell)), cell] = 1.0
    return (weights @ members).reshape(len(weights), len(predictions.names), 2, 2)


def resampled(
    systems: Sequence[_System],
    resampling: Resampling,
    figures: Callable[[_System, Floats], dict[str, Floats]],
) -> list[dict[str, Floats]]:
    """Return for each system the figures of resampled sets; all systems are given the same drawn units.

    Args:
        systems: predictions, or runs; each knows the unit of every row (``drawn``).
        resampling: samples and seed.
        figures: gives the figures of a system under weights of shape (samples, rows).
    """
    units = systems[0].drawn
    parts: list[list[dict[str, Floats]]] = [[] for _ in systems]
    for times in drawn_units(int(units.max()) + 1, resampling):
        weights = times[:, units]
        for collected, system in zip(parts, systems, strict=True):
            collected.append(figures(system, weights))
    return [{name: np.concatenate([part[name] for part in found]) for name in found[0]} for found in parts]


def drawn_units(units: int, resampling: Resampling) -> Iterator[Floats]:
    """Yield how often each unit was drawn, shape (some samples, units)."""
    generator = resampling.generator()
    rows = max(1, _HELD_AT_ONCE // units)
    for start in range(0, resampling.samples, rows):
        size = min(rows, resampling.samples - start)
        chosen = generator.integers(units, size=(size, units)) + np.arange(size)[:, None] * units
        yield np.bincount(chosen.ravel(), minlength=size * units).reshape(size, units).astype(np.float64)


def _group_rows(predictions: Predictions) -> dict[str, dict[str, float]]:
    counts = _counts(predictions, np.ones((1, len(predictions.predicted))))[0]
    names = RATES if predictions.labels is not None else ("positive_rate",)
    rates = {name: rate(counts, name) for name in names}
    return {
        group: {"n": float(counts[i].sum())} | {name: float(values[i]) for name, values in rates.items()}
        for i, group in enumerate(predictions.names)
    }


def fairness_signature(predictions: Predictions, resampling: Resampling, fields: Mapping[str, object]) -> str:
    """Return the signature of figures on a set."""
    kind = "pairs" if predictions.paired else "groups"
    size = len(predictions.predicted) // (2 if predictions.paired else 1)
    groups = ",".join(predictions.names) if len(predictions.names) <= 6 else str(len(predictions.names))
    return signature(
        f"fairness-{kind}", **fields, groups=groups, n=size, bootstrap=resampling.samples, seed=resampling.seed
    )


def _difference(name: str, observed: float, drawn: Floats, *, differing: int, level: float) -> Difference:
    defined = drawn[~np.isnan(drawn)]
    if math.isnan(observed) or not len(defined):
        return Difference(math.nan, None, math.nan, None)
    # As few examples as differ can prove no more than an exact paired test could (see eval.significance).
    p_value = max(shifted_p(defined, observed), min(1.0, 2.0 ** (1 - differing)))
    ahead = observed < 0 if name in LOWER_IS_BETTER else observed > 0
    return Difference(observed, percentile_interval(defined, level), p_value, ahead if observed else None)


def _differing(name: str, system: Predictions, baseline: Predictions) -> int:
    """Return how many units the classifiers treat differently."""
    if name == "AUC" and system.scores is not None and baseline.scores is not None:
        rows = system.scores != baseline.scores
    else:
        rows = system.predicted != baseline.predicted
    return len(np.unique(system.drawn[rows]))


def refuse_unpaired(system: Predictions, baseline: Predictions) -> None:
    """Refuse answers to different examples.

    Raises:
        MetricError: the examples, their labels or their groups differ.
    """
    if len(system.predicted) != len(baseline.predicted):
        raise MetricError(
            f"the classifiers answered {len(system.predicted)} and {len(baseline.predicted)} examples; "
            "a paired test needs the same examples"
        )
    same_labels = system.labels is None or baseline.labels is None or np.array_equal(system.labels, baseline.labels)
    same_groups = system.names == baseline.names and np.array_equal(system.groups, baseline.groups)
    if not same_labels or not same_groups or system.paired != baseline.paired:
        what = "labels" if not same_labels else "groups"
        raise MetricError(f"the classifiers' examples have different {what}; a paired test needs the same examples")


def _json_number(value: float) -> float | None:
    return None if math.isnan(value) else value
