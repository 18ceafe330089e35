"""Means of versions with bootstrap intervals, and permutation tests of their differences.

Ratings of one participant are not independent, nor are those of one text. Intervals therefore draw participants, and
on demand texts as well (the two-way bootstrap of Owen 2007, "The pigeonhole bootstrap"): the first speaks about these
texts read by other people, the second about other texts, too, of which a study mostly has few.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from eval.bootstrap import DRAWN_AT_ONCE, Floats, Interval, Resampling, percentile_interval
from eval.human.ratings import Ratings

PARTICIPANTS, BOTH = "participants", "both"
OVER = (PARTICIPANTS, BOTH)
#: up to as many participants all sign patterns are tried instead of drawn ones
EXACT = 14


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean of ratings with its interval; None for both where there is no rating."""

    value: float | None
    interval: Interval | None
    ratings: int


@dataclass(frozen=True, slots=True)
class Contrast:
    """One version against another.

    Attributes:
        version: number of the version.
        baseline: number of the one that it is compared with.
        difference: its mean less that of the baseline.
        interval: of the difference.
        p_value: of the permutation test; 1 without participants who saw both.
        adjusted: the p-value for all tests of the statement together (Holm 1979).
        higher: participants whose mean rating of the version is higher.
        equal: those whose means are equal.
        lower: those whose mean of the baseline is higher.
    """

    version: int
    baseline: int
    difference: float | None
    interval: Interval | None
    p_value: float
    adjusted: float
    higher: int
    equal: int
    lower: int


@dataclass(frozen=True)
class VersionMeans:
    """Means of a statement.

    Attributes:
        means: of every version.
        by_text: means of every text (rows) in every version; nan where nobody rated it.
        contrasts: every version against each before it.
    """

    means: tuple[Mean, ...]
    by_text: Floats
    contrasts: tuple[Contrast, ...]


def version_means(ratings: Ratings, resampling: Resampling, *, over: str = PARTICIPANTS) -> VersionMeans:
    """Compare the versions of a statement.

    Args:
        ratings: of the statement.
        resampling: of intervals and permutations.
        over: what intervals draw: ``participants``, or ``both`` participants and texts.
    """
    total, count = ratings.sums()
    drawn = resampled_means(total, count, resampling, over=over)
    numbers = count.sum(axis=(0, 1))
    means = _divided(total.sum(axis=(0, 1)), numbers)
    pairs = [(b, a) for b in range(len(means)) for a in range(b)]
    tests = [_contrast(total, count, b, a, resampling) for b, a in pairs]
    adjusted = holm([test[0] for test in tests])
    return VersionMeans(
        tuple(
            Mean(_number(m), _interval(d, resampling), int(n)) for m, d, n in zip(means, drawn.T, numbers, strict=True)
        ),
        _divided(total.sum(axis=0), count.sum(axis=0)),
        tuple(
            Contrast(
                b,
                a,
                _number(means[b] - means[a]),
                _interval(drawn[:, b] - drawn[:, a], resampling),
                test[0],
                p,
                *test[1:],
            )
            for (b, a), test, p in zip(pairs, tests, adjusted, strict=True)
        ),
    )


def resampled_means(total: Floats, count: Floats, resampling: Resampling, *, over: str = PARTICIPANTS) -> Floats:
    """Return resampled means of versions, shape (samples, versions); nan where nothing was drawn.

    Args:
        total: sums of values, shape (participants, texts, versions).
        count: numbers of values, of the same shape.
        resampling: how many samples, with which seed.
        over: what is drawn.
    """
    generator = resampling.generator()
    people, texts, versions = total.shape
    flat = np.concatenate([total.reshape(people, -1), count.reshape(people, -1)], axis=1)
    rows = max(1, DRAWN_AT_ONCE // max(1, people + flat.shape[1]))
    found = []
    for start in range(0, resampling.samples, rows):
        size = min(rows, resampling.samples - start)
        sums = (_weights(people, size, generator) @ flat).reshape(size, 2, texts, versions)
        of_texts = _weights(texts, size, generator) if over == BOTH else np.ones((size, texts))
        sums = np.einsum("sktv,st->skv", sums, of_texts)
        found.append(_divided(sums[:, 0], sums[:, 1]))
    return np.concatenate(found)


def sign_flip(differences: Floats, resampling: Resampling) -> float:
    """Return the two-sided p-value that differences lie around zero (Fisher's permutation test of pairs).

    If two versions did not differ, each participant's difference could as well have had the other sign. All patterns
    of signs are tried for up to :data:`EXACT` differences that are not zero; else ``resampling.samples`` are drawn, and
    the observed one counts with them (Phipson & Smyth 2010, "Permutation p-values should never be zero").
    """
    nonzero = differences[np.abs(differences) > 1e-12]
    if not len(nonzero):
        return 1.0
    observed = abs(float(nonzero.sum())) - 1e-9
    if len(nonzero) <= EXACT:
        patterns = (np.arange(2 ** len(nonzero))[:, None] >> np.arange(len(nonzero))) & 1
        return float((np.abs((1 - 2 * patterns) @ nonzero) >= observed).mean())
    generator = resampling.generator()
    rows = max(1, DRAWN_AT_ONCE // len(nonzero))
    extreme = 0
    for start in range(0, resampling.samples, rows):
        signs = 1 - 2 * generator.integers(2, size=(min(rows, resampling.samples - start), len(nonzero)))
        extreme += int((np.abs(signs @ nonzero) >= observed).sum())
    return (extreme + 1) / (resampling.samples + 1)


def holm(p_values: Sequence[float]) -> list[float]:
    """Return p-values for several tests together.

    Holm (1979), "A simple sequentially rejective multiple test procedure".
    """
    order = sorted(range(len(p_values)), key=lambda place: p_values[place])
    adjusted, highest = [0.0] * len(p_values), 0.0
    for rank, place in enumerate(order):
        highest = max(highest, min(1.0, (len(p_values) - rank) * p_values[place]))
        adjusted[place] = highest
    return adjusted


def participant_means(total: Floats, count: Floats) -> Floats:
    """Return the mean of each participant (rows) for each version; nan where they rated none."""
    return _divided(total.sum(axis=1), count.sum(axis=1))


def _contrast(
    total: Floats, count: Floats, version: int, baseline: int, resampling: Resampling
) -> tuple[float, int, int, int]:
    """Return p-value, and how many participants rate the version higher, equal, lower.

    The test takes away from every rating what its text gets on average over the versions: a participant rates different
    texts in the two versions, and how texts differ is no difference between versions.
    """
    plain = participant_means(total, count)
    raw = plain[:, version] - plain[:, baseline]
    raw = raw[np.isfinite(raw)]
    cells = _divided(total.sum(axis=0), count.sum(axis=0))
    of_texts = _divided(np.nansum(cells, axis=1), np.isfinite(cells).sum(axis=1).astype(float))
    centred = participant_means(total - count * np.nan_to_num(of_texts)[None, :, None], count)
    differences = centred[:, version] - centred[:, baseline]
    p_value = sign_flip(differences[np.isfinite(differences)], resampling)
    return p_value, int((raw > 1e-12).sum()), int((np.abs(raw) <= 1e-12).sum()), int((raw < -1e-12).sum())


def _weights(size: int, samples: int, generator: np.random.Generator) -> Floats:
    """Return how often each of ``size`` things is drawn, for every sample."""
    return generator.multinomial(size, np.full(size, 1 / size), samples).astype(float)


def _divided(total: Floats, count: Floats) -> Floats:
    """Return total / count, nan where count is zero."""
    found: Floats = np.divide(total, count, out=np.full(total.shape, np.nan), where=count > 0)
    return found


def _number(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None


def _interval(values: Floats, resampling: Resampling) -> Interval | None:
    finite = values[np.isfinite(values)]
    return percentile_interval(finite, resampling.level) if len(finite) else None
