"""Filters of our own for OpusFilter configurations (``module: augment.opusfilters``).

They have the interface of ``opusfilter.FilterABC`` without deriving from it, so that importing this module needs no
OpusFilter.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any

from rewriter.installation.extras import require

Segments = Sequence[str]


class SimilarityAtLeast:
    """Accepts pairs whose texts have much in common: the lower bound that OpusFilter's ``SimilarityFilter`` lacks.

    A rewrite changes few words, so a pair with little in common comes from a slip. The score is the length of the
    longest common subsequence of characters, twice, over the sum of the lengths.
    """

    score_direction = "clean_high"
    accept_threshold = 0
    reject_threshold = 1

    def __init__(self, threshold: float = 0.5, name: str | None = None, workdir: str = "") -> None:
        self.threshold, self.name, self.workdir = threshold, name, workdir
        self._similarity = require("rapidfuzz", extra="augment").distance.Indel.normalized_similarity

    def score(self, pairs: Iterable[Segments]) -> Iterator[float]:
        """Yield the similarity of each pair."""
        for first, second in pairs:
            yield self._similarity(first, second)

    def accept(self, score: float) -> bool:
        """Return whether a pair with this score is kept."""
        return score >= self.threshold


class LongTextLanguage:
    """OpusFilter's ``LinguaFilter`` for texts of some length; shorter ones are accepted.

    On one to three words ("Okay.", "They do.") the detector is wrong in one of six English utterances, on eight or
    more in one of 250; so short ones are not asked about. Lingua brings its models in its wheel and downloads nothing.
    """

    score_direction = "clean_high"
    accept_threshold = -1
    reject_threshold = 1

    def __init__(
        self, min_words: int = 5, threshold: float = 0.0, name: str | None = None, workdir: str = "", **lingua: Any
    ) -> None:
        self.min_words, self.threshold, self.name, self.workdir = min_words, threshold, name, workdir
        self._filter = require("opusfilter.lid", extra="augment").LinguaFilter(**lingua)
        # The variants of one target follow each other, and asking is what takes the time.
        self._confidence = lru_cache(maxsize=1000)(self._filter.confidence)

    def score(self, pairs: Iterable[Segments]) -> Iterator[list[float]]:
        """Yield per text the confidence that it is in its language; 0 where another language is likelier."""
        for pair in pairs:
            yield [self._score(text, self._filter.languages[index]) for index, text in enumerate(pair)]

    def _score(self, text: str, lang: str) -> float:
        return self._confidence(text, lang) if len(text.split()) >= self.min_words else 1.0

    def accept(self, score: Sequence[float]) -> bool:
        """Return whether a pair with these scores is kept."""
        return all(confidence > self.threshold for confidence in score)
