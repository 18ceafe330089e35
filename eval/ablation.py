"""What decides: a model beside the same model with constant answers, and beside the grammar alone.

A rewriter is a grammar and a network. What the network is worth is what is lost when something that cannot read stands
in its place: its share of the errors that the whole model removes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from eval.bootstrap import Interval, Resampling, percentile_interval, resampled_rates
from eval.significance import Comparison, Scored, compare
from rewriter.errors import UsageError
from rewriter.model.deciders import CONSTANT, GRAMMAR, NETWORK
from rewriter.model.guard import LEARNED
from rewriter.pipeline import Rewriter

__all__ = ["Ablation", "NeuralShare", "neural_share"]

#: the model as it answers by itself, neither guard nor gate around it
RAW = "raw"
#: what stands behind the name of a model in the rows beside it
SUFFIXES = {RAW: "guard off", CONSTANT: "constant answers", GRAMMAR: "grammar alone"}
#: how a score is taken: as the model is used, or every answer as the model gave it
GUARDS = ("strict", "covered", LEARNED, "off")


@dataclass(frozen=True)
class Ablation:
    """How models are measured.

    Attributes:
        guard: ``strict``; ``off``, ``covered`` or ``learned``, which turn the gate off, too.
        parts: measure beside every model what it answers without the guard, constant answers, and the grammar alone.
        constants: log-odds of the outcomes for the constant answers; none takes the network's bias.
    """

    guard: str = "strict"
    parts: bool = False
    constants: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        if self.guard not in GUARDS:
            raise UsageError(f"guard must be one of {', '.join(GUARDS)}, not '{self.guard}'")

    def load(self, model: Any, **options: Any) -> dict[str, Rewriter]:
        """Return a model's rewriter, and those of its parts where they are asked for, by what decides.

        The grammar alone has nothing that a guard could hold back, so it is the same in all modes.

        Args:
            model: bundled name or directory.
            **options: of :meth:`rewriter.pipeline.Rewriter.from_pretrained`.
        """
        held = {"guard": self.guard, "gate": self.guard == "strict", **options}
        found = {NETWORK: Rewriter.from_pretrained(model, **held)}
        if self.parts and found[NETWORK].info.target != GRAMMAR:
            if self.guard != "off":
                found[RAW] = Rewriter.from_pretrained(model, **options, guard="off", gate=False)
            if self.guard == LEARNED:  # constant answers and the grammar were taught nothing
                return found
            fitted = self.constants if found[NETWORK].info.target == "edits" else ()
            found[CONSTANT] = Rewriter.from_pretrained(model, decides=CONSTANT, constants=fitted, **held)
            found[GRAMMAR] = Rewriter.from_pretrained(model, decides=GRAMMAR, **held)
        return found


def part_name(model: str, decides: str) -> str:
    """Return what the row of a model, or one beside it, is called."""
    return model if decides == NETWORK else f"{model}, {SUFFIXES[decides]}"


@dataclass(frozen=True, slots=True)
class NeuralShare:
    """What the network is worth on one set.

    Attributes:
        percent: of the errors that the model removes from the source, those that remain without its network; None
            where it removes none.
        interval: bootstrap confidence interval; None where that is not defined.
        test: the model against the same without its network.
    """

    percent: float | None
    interval: Interval | None
    test: Comparison

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        interval = None if self.interval is None else [self.interval.low, self.interval.high]
        return {"percent": self.percent, "interval": interval, "test": self.test.to_dict()}


def neural_share(*, model: Scored, without: Scored, nothing: Scored, resampling: Resampling) -> NeuralShare:
    """Return the share of the removed errors that is the network's.

    Args:
        model: score of the whole model.
        without: score with something else in the network's place.
        nothing: score of the source as it is.
        resampling: samples, seed and level of the test and the interval; the same sentences are drawn for all three.

    Raises:
        MetricError: the three were not scored alike on the same set.
    """
    test = compare(system=model, baseline=without, resampling=resampling)
    errors = np.stack([model.errors, without.errors, nothing.errors])
    removed = int((nothing.errors - model.errors).sum())
    if removed <= 0:
        return NeuralShare(None, None, test)
    rates = resampled_rates(errors, model.lengths, resampling)
    removes = rates[2] - rates[0]
    drawn = 100.0 * (rates[1] - rates[0])[removes > 0] / removes[removes > 0]
    percent = 100.0 * float((without.errors - model.errors).sum()) / removed
    return NeuralShare(percent, percentile_interval(drawn, resampling.level), test)
