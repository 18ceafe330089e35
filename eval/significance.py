"""Is one system better than another on the same set? Paired bootstrap resampling.

Koehn (2004), "Statistical Significance Tests for Machine Translation Evaluation": sentences are drawn with
replacement, both systems are scored on the same drawn sentences, and one counts how often which is ahead. The p-value
is two-sided and follows Riezler & Maxwell (2005), "On Some Pitfalls in Automatic Evaluation and Significance Testing
for MT", section 4: the resampled differences are shifted to a mean of zero, which is what they would be if the systems
did not differ, and one counts those at least as large as the difference that was observed. Resampling has no idea how
little a handful of sentences can prove, so p is never below the smallest value that an exact paired test (flipping the
systems of each sentence) could reach with as many sentences as differ.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from math import comb
from typing import Any, Protocol

import numpy as np

from eval.bootstrap import Floats, Interval, Ints, Resampling, percentile_interval, resampled_rates
from eval.signature import signature
from rewriter.errors import MetricError

__all__ = ["Comparison", "McNemar", "compare", "mcnemar"]


class Scored(Protocol):
    """What can be compared: a score with its statistics per sentence, as :class:`eval.wer.WerResult` is one."""

    @property
    def errors(self) -> Ints:
        """Errors of each sentence."""
        ...

    @property
    def lengths(self) -> Ints:
        """Reference tokens of each sentence."""
        ...

    @property
    def signature(self) -> str:
        """What the score was computed with."""
        ...


@dataclass(frozen=True, slots=True)
class Comparison:
    """System against baseline on one set; negative differences mean that the system makes fewer errors.

    Attributes:
        difference: score of the system minus score of the baseline, in points of the score.
        interval: bootstrap confidence interval of the difference.
        p_value: two-sided; how likely a difference of this size would be if the systems did not differ.
        better: share of samples in which the system is ahead, in percent (Koehn's figure).
        equal: share of samples in which both score the same, in percent.
        signature: what it was computed with.
    """

    difference: float
    interval: Interval
    p_value: float
    better: float
    equal: float
    signature: str

    def significant(self, alpha: float = 0.05) -> bool:
        """Return whether the p-value lies below ``alpha``."""
        return self.p_value < alpha

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {**asdict(self), "interval": [self.interval.low, self.interval.high]}


def compare(*, system: Scored, baseline: Scored, resampling: Resampling | None = None) -> Comparison:
    """Compare two systems that were scored against the same references.

    Swapping the two changes the sign of the difference and leaves the p-value.

    Raises:
        MetricError: they were scored against different references or with different settings.
    """
    resampling = resampling or Resampling()
    _refuse_unpaired(system, baseline)
    errors = np.stack([system.errors, baseline.errors])
    rates = resampled_rates(errors, system.lengths, resampling)
    differences = rates[0] - rates[1]
    # From whole numbers, so that it is exactly zero for equal systems and exactly antisymmetric.
    observed = 100.0 * float((system.errors - baseline.errors).sum()) / float(system.lengths.sum())
    return Comparison(
        difference=observed,
        interval=percentile_interval(differences, resampling.level),
        p_value=max(shifted_p(differences, observed), _smallest_p(system, baseline)),
        better=100.0 * float((differences < 0).mean()),
        equal=100.0 * float((differences == 0).mean()),
        signature=signature(
            "paired-bootstrap", n=len(system.errors), bootstrap=resampling.samples, seed=resampling.seed
        ),
    )


def shifted_p(differences: Floats, observed: float) -> float:
    """Return the two-sided p-value of an observed difference from resampled ones, shifted to a mean of zero."""
    extreme = int((np.abs(differences - differences.mean()) >= abs(observed)).sum())
    return (extreme + 1) / (len(differences) + 1)


def _smallest_p(system: Scored, baseline: Scored) -> float:
    """Return 2 / 2^k for k sentences that differ: all of them in favour of one system, or of the other."""
    differing = int((system.errors != baseline.errors).sum())
    return min(1.0, 2.0 ** (1 - differing))


def _refuse_unpaired(system: Scored, baseline: Scored) -> None:
    if len(system.errors) != len(baseline.errors):
        raise MetricError(
            f"the systems were scored on {len(system.errors)} and {len(baseline.errors)} sentences; "
            "a paired test needs the same set"
        )
    if system.signature.partition("|n:")[0] != baseline.signature.partition("|n:")[0]:
        raise MetricError(f"the scores were made differently: {system.signature} against {baseline.signature}")
    if not np.array_equal(system.lengths, baseline.lengths):
        raise MetricError("the systems were scored against different references; a paired test needs the same ones")


@dataclass(frozen=True, slots=True)
class McNemar:
    """Which of two systems is right more often on the same sentences.

    Attributes:
        better: sentences that the system alone has right.
        worse: sentences that the baseline alone has right.
        total: all sentences.
        p_value: two-sided.
    """

    better: int
    worse: int
    total: int
    p_value: float

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        return asdict(self)


def mcnemar(right: Iterable[tuple[bool, bool]]) -> McNemar:
    """Compare two systems by the sentences that only one of them has right.

    McNemar (1947), "Note on the sampling error of the difference between correlated proportions", in the exact form: if
    the systems did not differ, each such sentence would fall to either with equal chance (sign test).

    Args:
        right: whether the system and whether the baseline is right, of every sentence.
    """
    pairs = list(right)
    better, worse = sum(a and not b for a, b in pairs), sum(b and not a for a, b in pairs)
    differing = better + worse
    tail = sum(comb(differing, k) for k in range(min(better, worse) + 1))
    return McNemar(better, worse, len(pairs), min(1.0, 2 * tail / 2**differing))
