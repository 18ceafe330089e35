"""A linear mixed-effects model of ratings: versions as fixed effects, participants and texts as crossed random ones.

    rating = mean of the first version + effect of the version + participant + text + error

Fitted by restricted maximum likelihood, profiled over the two ratios of standard deviations as in Bates, Mächler,
Bolker & Walker (2015), "Fitting Linear Mixed-Effects Models Using lme4", section 3. With two crossed factors, all that
is solved is a system as large as the number of texts; no library is needed.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import erfc, log, pi, sqrt
from typing import Any

import numpy as np

from eval.bootstrap import Floats, Interval
from eval.human.ratings import Ratings
from rewriter.errors import MetricError

#: ratios of standard deviations that are tried first: 0, then 1/64 to 64
_START = np.concatenate([[0.0], 2.0 ** np.arange(-6.0, 7.0)])
#: how often the grid of ratios is halved
_HALVINGS = 26


@dataclass(frozen=True, slots=True)
class Effect:
    """A fixed effect.

    Attributes:
        estimate: the effect; of the first version the mean, of the others the difference from it.
        error: its standard error.
        interval: of 95 %, estimate ± 1.96 standard errors.
        p_value: Wald's test that it is zero.
    """

    estimate: float
    error: float
    interval: Interval
    p_value: float


@dataclass(frozen=True, slots=True)
class MixedModel:
    """A fitted model.

    Attributes:
        effects: of every version, in order.
        participant: standard deviation of participants.
        text: standard deviation of texts.
        residual: standard deviation of the error.
        criterion: the REML criterion, -2 log of the restricted likelihood.
    """

    effects: tuple[Effect, ...]
    participant: float
    text: float
    residual: float
    criterion: float


def fit_mixed(ratings: Ratings) -> MixedModel:
    """Fit the model.

    Raises:
        MetricError: a version has no ratings, or there are too few for the effects to be told from each other.
    """
    terms = _Terms(ratings)
    ratios = _best(terms, [(a, b) for a in _START for b in _START])
    step = max(0.5 * max(ratios), _START[1])
    for _ in range(_HALVINGS):
        offsets = (-step, -step / 2, 0.0, step / 2, step)
        ratios = _best(terms, [(max(0.0, ratios[0] + x), max(0.0, ratios[1] + y)) for x in offsets for y in offsets])
        step /= 2
    solved = terms.solve(ratios)
    sigma = sqrt(solved.rest / (terms.n - terms.p))
    errors = sigma * np.sqrt(np.diag(np.linalg.inv(solved.cross)))
    effects = tuple(_effect(float(b), float(e)) for b, e in zip(solved.beta, errors, strict=True))
    return MixedModel(effects, sigma * ratios[0], sigma * ratios[1], sigma, solved.criterion)


@dataclass(frozen=True)
class _Solved:
    """The profiled criterion at a pair of ratios, and what it was made of."""

    criterion: float
    beta: Floats
    cross: Floats
    rest: float


class _Terms:
    """Cross products of the model that do not depend on the ratios."""

    def __init__(self, ratings: Ratings) -> None:
        people, person = np.unique(ratings.participant, return_inverse=True)
        texts, text = np.unique(ratings.text, return_inverse=True)
        fixed = np.zeros((len(ratings), ratings.shape[2]))
        fixed[:, 0] = 1.0
        for version in range(1, fixed.shape[1]):
            fixed[:, version] = ratings.version == version
        self.n, self.p = fixed.shape
        if self.n <= self.p or np.linalg.matrix_rank(fixed) < self.p:
            raise MetricError("the mixed model needs more ratings than versions, and some of every version")
        both = np.column_stack([fixed, ratings.value])
        self._squares = both.T @ both
        self._of_people, self._of_texts = _summed(both, person, len(people)), _summed(both, text, len(texts))
        self._people, self._texts = np.bincount(person).astype(float), np.bincount(text).astype(float)
        self._cells = np.zeros((len(people), len(texts)))
        np.add.at(self._cells, (person, text), 1.0)

    def solve(self, ratios: tuple[float, float]) -> _Solved:
        """Return the criterion at these ratios of the standard deviations of participants and texts to the error's."""
        person, text = ratios
        diagonal = person**2 * self._people + 1.0
        corner = person * text * self._cells
        left = person * self._of_people / diagonal[:, None]
        schur = np.diag(text**2 * self._texts + 1.0) - corner.T @ (corner / diagonal[:, None])
        below = text * self._of_texts - corner.T @ left
        weighted = self._squares - (left * diagonal[:, None]).T @ left - below.T @ np.linalg.solve(schur, below)
        cross, aimed = weighted[:-1, :-1], weighted[:-1, -1]
        beta: Floats = np.linalg.solve(cross, aimed).astype(np.float64)
        freedom = self.n - self.p
        rest = max(float(weighted[-1, -1] - aimed @ beta), 1e-12)
        logs = float(np.log(diagonal).sum()) + _log_det(schur) + _log_det(cross)
        return _Solved(logs + freedom * (1.0 + log(2.0 * pi * rest / freedom)), beta, cross, rest)


def _summed(rows: Floats, group: Any, groups: int) -> Floats:
    found = np.zeros((groups, rows.shape[1]))
    np.add.at(found, group, rows)
    return found


def _best(terms: _Terms, tried: list[tuple[float, float]]) -> tuple[float, float]:
    return min(tried, key=lambda ratios: terms.solve(ratios).criterion)


def _log_det(matrix: Floats) -> float:
    return float(np.linalg.slogdet(matrix)[1])


def _effect(estimate: float, error: float) -> Effect:
    half = 1.959963984540054 * error
    p_value = erfc(abs(estimate) / error / sqrt(2.0)) if error > 0 else 1.0
    return Effect(estimate, error, Interval(estimate - half, estimate + half), p_value)
