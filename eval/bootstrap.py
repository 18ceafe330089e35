"""Bootstrap resampling of error rates from per-sentence statistics.

Errors and lengths of a sentence add up, so a resampled score is two sums over drawn indices: no string is ever scored
again (Koehn 2004, "Statistical Significance Tests for Machine Translation Evaluation", section 3).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from rewriter.errors import UsageError

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

#: indices drawn at a time, which bounds the memory whatever the number of sentences
DRAWN_AT_ONCE = 4_000_000


@dataclass(frozen=True, slots=True)
class Resampling:
    """How to resample.

    Attributes:
        samples: number of resampled sets.
        seed: seed of the generator; the same seed on the same statistics gives the same figures.
        level: confidence level of intervals in percent.
    """

    samples: int = 1000
    seed: int = 12345
    level: float = 95.0

    def __post_init__(self) -> None:
        if self.samples < 1:
            raise UsageError(f"bootstrap needs at least one sample, not {self.samples}")
        if not 0 < self.level < 100:
            raise UsageError(f"a confidence level lies between 0 and 100 percent, not at {self.level}")

    def generator(self) -> np.random.Generator:
        """Return a fresh generator; every metric starts its own."""
        return np.random.default_rng(self.seed)


@dataclass(frozen=True, slots=True)
class Interval:
    """A confidence interval, ``low`` to ``high``."""

    low: float
    high: float


def resampled_rates(errors: Ints, lengths: Ints, resampling: Resampling) -> Floats:
    """Return error rates in percent of resampled sets.

    Args:
        errors: errors per sentence, shape (systems, sentences); all systems are given the same drawn sentences.
        lengths: reference tokens per sentence, shape (sentences,).
        resampling: how many sets and with which seed.

    Returns:
        Rates of shape (systems, samples).
    """
    rates = [
        100.0 * errors[:, drawn].sum(axis=-1) / lengths[drawn].sum(axis=-1)
        for drawn in _draws(len(lengths), resampling)
    ]
    return np.concatenate(rates, axis=1)


def percentile_interval(values: Floats, level: float) -> Interval:
    """Return the percentile interval of resampled values."""
    tail = (100.0 - level) / 2
    low, high = np.percentile(values, [tail, 100.0 - tail])
    return Interval(float(low), float(high))


def _draws(size: int, resampling: Resampling) -> Iterator[Ints]:
    """Yield drawn sentence indices, shape (some samples, sentences)."""
    generator = resampling.generator()
    rows = max(1, DRAWN_AT_ONCE // size)
    for start in range(0, resampling.samples, rows):
        yield generator.integers(size, size=(min(rows, resampling.samples - start), size))
