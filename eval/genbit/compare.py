"""Two corpora, before and after: the difference of their scores with a bootstrap interval over documents.

Documents are kept apart in units (a line's number modulo the number of units, so with as many units as documents every
document is its own). Their counts add up: a resampled corpus is a weighted sum of units, and no text is counted again.

The score is a mean of absolute values, which noise makes larger: a resampled corpus scores higher than the corpus it
was drawn from, as that one scores higher than a larger one of the same kind. So the spread of the resampled scores is
put around the score itself: the interval tells how far the scores of other samples of this size and kind would lie
apart. How much resampling added stands beside it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from eval.bootstrap import Interval, Resampling, percentile_interval
from eval.genbit.counts import DOCUMENTS, WORDS, Counts
from eval.genbit.lexicon import GROUPS, Lexicon
from eval.genbit.metrics import (
    GenBitResult,
    Matrix,
    Settings,
    cut_off,
    evaluate,
    mean,
    merged_words,
    score_rows,
    scored_words,
    smoothing_of,
    weigh_sparse,
)
from rewriter.errors import MetricError, UsageError

__all__ = ["Comparison", "compare"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
#: units of a comparison where nothing else is said
UNITS = 1000


@dataclass(frozen=True, eq=False)
class Comparison:
    """Two corpora and how their scores differ.

    Attributes:
        before: figures of the first.
        after: figures of the second.
        difference: score after minus score before.
        interval: of the difference.
        before_interval: of the first score.
        after_interval: of the second score.
        added: what resampling added to the two scores on average.
        paired: the same documents were drawn from both.
        units: how many groups of documents were drawn from.
        resampling: how.
    """

    before: GenBitResult
    after: GenBitResult
    difference: float
    interval: Interval
    before_interval: Interval
    after_interval: Interval
    added: tuple[float, float]
    paired: bool
    units: int
    resampling: Resampling

    def to_dict(self) -> dict[str, Any]:
        """Return the comparison as plain values."""
        intervals = {"interval": self.interval, "before": self.before_interval, "after": self.after_interval}
        return {
            "before": {"genbit_score": self.before.score, "signature": self.before.signature},
            "after": {"genbit_score": self.after.score, "signature": self.after.signature},
            "difference": self.difference,
            "intervals": {name: [interval.low, interval.high] for name, interval in intervals.items()},
            "added_by_resampling": list(self.added),
            "paired": self.paired,
            "units": self.units,
            "samples": self.resampling.samples,
            "seed": self.resampling.seed,
            "level": self.resampling.level,
        }


def compare(
    before: Counts,
    after: Counts,
    lexicon: Lexicon,
    settings: Settings | None = None,
    *,
    resampling: Resampling | None = None,
    paired: bool | None = None,
) -> Comparison:
    """Compare two corpora.

    Args:
        before: counts of the first, made with ``units``.
        after: counts of the second, with as many units.
        lexicon: the word lists.
        settings: weight, cut-off, lemmas.
        resampling: samples, seed and level.
        paired: whether document N of one belongs to document N of the other (a corpus before and after rewriting);
            without it that is assumed where both have as many documents in every unit.

    Raises:
        UsageError: the counts keep no units, or not as many.
        MetricError: a corpus has no word, too few documents, or its score is not defined in a resampled corpus.
    """
    settings, resampling = settings or Settings(), resampling or Resampling()
    paired = _are_paired(before, after, paired)
    results = evaluate(before, lexicon, settings), evaluate(after, lexicon, settings)
    scores = _resampled(results, resampling, paired)
    point = results[0].score, results[1].score
    own = [_around(score, values, resampling.level) for score, values in zip(point, scores, strict=True)]
    difference = point[1] - point[0]
    return Comparison(
        *results,
        difference=difference,
        interval=_around(difference, scores[1] - scores[0], resampling.level),
        before_interval=Interval(max(0.0, own[0].low), own[0].high),
        after_interval=Interval(max(0.0, own[1].low), own[1].high),
        added=(float(scores[0].mean() - point[0]), float(scores[1].mean() - point[1])),
        paired=paired,
        units=before.identity.units,
        resampling=resampling,
    )


def _are_paired(before: Counts, after: Counts, paired: bool | None) -> bool:
    """Return whether the documents are resampled as pairs; refuse what cannot be compared."""
    first, second = before.identity.units, after.identity.units
    if first != second or first < 2:
        raise UsageError(
            f"a comparison needs counts with the same number of units, at least 2, not {first} and {second}: "
            "count with units (--units)"
        )
    same = bool(np.array_equal(before.unit_totals[:, DOCUMENTS], after.unit_totals[:, DOCUMENTS]))
    if paired and not same:
        raise UsageError(
            f"the corpora are not parallel ({before.documents} and {after.documents} documents), so they cannot be "
            "resampled as pairs; leave 'paired' out to resample each by itself"
        )
    return same if paired is None else paired


def _around(value: float, resampled: Floats, level: float) -> Interval:
    """Return the percentile interval of the resampled values, moved from their mean to the value."""
    drawn = percentile_interval(resampled, level)
    shift = value - float(resampled.mean())
    return Interval(drawn.low + shift, drawn.high + shift)


def _resampled(results: tuple[GenBitResult, GenBitResult], resampling: Resampling, paired: bool) -> Floats:
    """Return the scores of resampled corpora, shape (2, samples)."""
    generator = resampling.generator()
    units = [_Units(result) for result in results]
    scores = np.zeros((2, resampling.samples))
    for number in range(resampling.samples):
        drawn = [units[0].draw(generator)]
        drawn.append(drawn[0] if paired else units[1].draw(generator))
        scores[:, number] = [unit.score(weights) for unit, weights in zip(units, drawn, strict=True)]
    return scores


class _Units:
    """The counts of one corpus by unit, ready to be weighted and added."""

    def __init__(self, result: GenBitResult) -> None:
        self._result, self._counts = result, result.counts
        self._filled = np.flatnonzero(self._counts.unit_totals[:, DOCUMENTS])
        if len(self._filled) < 2:
            raise MetricError(
                f"a corpus of {self._counts.documents} documents in {len(self._filled)} units cannot be resampled"
            )
        matrix, settings = result.matrix, result.settings
        _, place = merged_words(self._counts, result.lexicon, settings.lemmas)
        word, unit, group, distance = self._counts.parts()
        cells = (unit * len(matrix.words) + place[word]) * len(GROUPS) + group
        cells[place[word] < 0] = -1
        cells, values = weigh_sparse(cells, distance, self._counts, settings.distance_weight)
        # The distances of a cell are of no more interest.
        first = np.flatnonzero(np.concatenate(([True], cells[1:] != cells[:-1]))) if len(cells) else cells
        self._values = np.add.reduceat(values, first) if len(cells) else values
        self._unit, self._cell = np.divmod(cells[first], len(matrix.words) * len(GROUPS))
        totals = self._counts.unit_totals.sum(axis=0)
        # What a lemma brought to the words of a list is known for the corpus as a whole only.
        self._by_lemma = matrix.totals - totals[: len(GROUPS)]

    def draw(self, generator: np.random.Generator) -> Ints:
        """Return how often each unit was drawn, as many as there are, with replacement."""
        number = len(self._filled)
        weights = np.zeros(self._counts.identity.units, np.int64)
        weights[self._filled] = generator.multinomial(number, np.full(number, 1 / number))
        return weights

    def score(self, weights: Ints) -> float:
        """Return the score of the corpus in which each unit stands ``weights`` times."""
        old, lexicon, settings = self._result.matrix, self._result.lexicon, self._result.settings
        weighted = np.bincount(self._cell, self._values * weights[self._unit], minlength=old.weighted.size).astype(
            np.float64
        )
        totals = weights @ self._counts.unit_totals
        matrix: Matrix = replace(
            old,
            weighted=weighted.reshape(old.weighted.shape),
            totals=totals[: len(GROUPS)] + self._by_lemma,
            seen=int(totals[WORDS]),
        )
        smoothing = smoothing_of(matrix, settings)
        cutoff = cut_off(matrix.weighted, lexicon, settings, smoothing)
        try:
            rows = score_rows(matrix, scored_words(matrix, lexicon, cutoff, smoothing), settings, smoothing)
        except MetricError as error:
            raise MetricError(f"too few documents with gendered words to resample: {error}") from None
        return mean(abs(rows.conditional_ratio))
