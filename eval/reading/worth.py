"""What the network is worth on read sentences: a model beside the same with something else in its network's place.

:mod:`eval.ablation` asks how many of the errors that a model removes from the source are its network's. Of sentences
that must stay the source has no error, so here the question is turned round: of the sentences that are wrong without
the network, how many does the network make right, less those that it makes wrong?
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from eval.ablation import SUFFIXES
from eval.bootstrap import Interval, Resampling, percentile_interval, resampled_rates
from eval.reading.score import ReadingScore, pair_up
from eval.significance import McNemar
from eval.tables import Table
from rewriter.model.deciders import CONSTANT, GRAMMAR

__all__ = ["Worth", "worth", "worths"]


@dataclass(frozen=True, slots=True)
class Worth:
    """What the network is worth on one part of a reading set.

    Attributes:
        left: sentences that are wrong without the network.
        test: the model against the same without its network: ``better`` of them are right with it, ``worse`` others
            are wrong with it.
        interval: bootstrap confidence interval of ``percent``; None where nothing is left.
    """

    left: int
    test: McNemar
    interval: Interval | None

    @property
    def percent(self) -> float | None:
        """Share of the errors left without the network that the network removes; below zero where it adds errors."""
        return 100.0 * (self.test.better - self.test.worse) / self.left if self.left else None

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        interval = None if self.interval is None else [self.interval.low, self.interval.high]
        return {"left": self.left, "percent": self.percent, "interval": interval, "test": self.test.to_dict()}


def worth(model: ReadingScore, without: ReadingScore, resampling: Resampling | None = None) -> dict[str, Worth]:
    """Return what the network is worth: over all sentences, over those to change, over those that must stay.

    Args:
        model: score of the whole model.
        without: score with something else in the network's place.
        resampling: samples, seed and level of the interval; sentences are drawn, the same for both.

    Raises:
        MetricError: the two were scored on different sentences.
    """
    tests = pair_up(model, without)
    pairs = zip(model.sentences, without.sentences, strict=True)
    rows = [(one.stays, not one.right, not other.right) for one, other in pairs]
    everything, change, stay = tests
    parts = {everything: rows, change: [r for r in rows if not r[0]], stay: [r for r in rows if r[0]]}
    return {name: _worth(parts[name], test, resampling or Resampling()) for name, test in tests.items()}


def _worth(rows: Sequence[tuple[bool, bool, bool]], test: McNemar, resampling: Resampling) -> Worth:
    left = sum(without for _, _, without in rows)
    if not left:
        return Worth(0, test, None)
    errors = np.array([[row[1] for row in rows], [row[2] for row in rows]], dtype=np.int64)
    rates = resampled_rates(errors, np.ones(len(rows), dtype=np.int64), resampling)
    some = rates[1] > 0
    drawn = 100.0 * (rates[1] - rates[0])[some] / rates[1][some]
    return Worth(left, test, percentile_interval(drawn, resampling.level))


def worths(
    model: ReadingScore, parts: Mapping[str, ReadingScore], resampling: Resampling | None = None
) -> dict[str, dict[str, Worth]]:
    """Return what the network is worth against each thing that stood in its place.

    Args:
        model: score of the whole model.
        parts: scores of the rows beside it, by what decided; those that leave the network in its place are not asked.
        resampling: of the intervals.
    """
    return {part: worth(model, score, resampling) for part, score in parts.items() if part in (CONSTANT, GRAMMAR)}


def worth_table(found: Mapping[str, Mapping[str, Mapping[str, Worth]]]) -> Table:
    """Return a table with a row for each model, thing in its network's place, and part of the set.

    Args:
        found: system -> what stood in the network's place -> part of the set -> what the network is worth.
    """
    rows = [
        [system, SUFFIXES[place], name, *_cells(one)]
        for system, places in found.items()
        for place, parts in places.items()
        for name, one in parts.items()
    ]
    heads = [
        "system",
        "in its place",
        "sentences",
        "n",
        "wrong without",
        "mended",
        "broken",
        "removed",
        "interval",
        "p",
    ]
    return Table(heads, rows, text_columns=3)


def _cells(one: Worth) -> list[str]:
    test, interval = one.test, one.interval
    share = "" if one.percent is None else f"{one.percent:.1f} %"
    shown = "" if interval is None else f"{interval.low:.1f} to {interval.high:.1f}"
    return [str(test.total), str(one.left), str(test.better), str(test.worse), share, shown, f"{test.p_value:.2g}"]
