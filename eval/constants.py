"""Constants in the network's place that fit training labels best: what can be known without reading a sentence.

One weight for each outcome; a candidate takes one of its options with a probability in proportion to their weights. The
weights of greatest likelihood are found as in Hunter (2004), "MM Algorithms for Generalized Bradley-Terry Models",
section 4 (Luce's choice axiom): an outcome's weight is how often it was chosen, divided by the sum of 1 / (total weight
of the options) over the candidates that offered it; repeated until nothing moves.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from rewriter.errors import InputError
from rewriter.language.interface import Language
from rewriter.model.alignment import match_outcomes
from rewriter.model.proposer import Sentence, analyze
from rewriter.policy.protect import protected_spans
from rewriter.records import Pair

#: (outcomes that a candidate offers, the one that its label is) -> how often
Choices = Counter[tuple[tuple[int, ...], int]]

#: added to the count of every outcome that is offered: one that never occurs keeps a small weight
_SMOOTHING = 0.5
_STEPS, _STILL = 1000, 1e-7


@dataclass(frozen=True, slots=True)
class Constants:
    """Fitted constants.

    Attributes:
        log_odds: of each outcome of the language.
        candidates: labels that they were fitted on.
        pairs: pairs that gave labels.
        unexplained: pairs whose target the grammar does not explain.
    """

    log_odds: tuple[float, ...]
    candidates: int
    pairs: int
    unexplained: int


def fit_constants(pairs: Iterable[Pair], language: Language) -> Constants:
    """Return the constants that fit the labels of training pairs best.

    Args:
        pairs: as a model is trained on; doubtful spans are left out.
        language: with the settings of the model.

    Raises:
        InputError: no pair gives a label.
    """
    choices, counts = _choices(pairs, language)
    if not choices:
        raise InputError("the pairs hold no candidate that the model would decide; they are no training pairs")
    weights = _fit(choices, len(language.outcomes))
    log_odds = tuple(round(math.log(weight), 6) for weight in weights)
    return Constants(log_odds, choices.total(), counts["labelled"], counts["unexplained"])


def _choices(pairs: Iterable[Pair], language: Language) -> tuple[Choices, Counter[str]]:
    choices: Choices = Counter()
    counts: Counter[str] = Counter()
    for pair in pairs:
        before = (pair.before,) if pair.before and language.reads_before(pair.source) else ()
        analysis = analyze(language, Sentence(pair.source, tuple(protected_spans(pair.source)), before))
        if not analysis.open:
            continue
        chosen = match_outcomes(pair.source, pair.target, analysis.candidates)
        counts["unexplained" if chosen is None else "labelled"] += 1
        if chosen is None:
            continue
        for index in analysis.open:
            candidate = analysis.candidates[index]
            if not any(start < candidate.end and candidate.start < end for start, end in pair.doubtful):
                offered = tuple(sorted({outcome for outcome, _ in candidate.options}))
                choices[offered, candidate.options[chosen[index]][0]] += 1
    return choices, counts


def _fit(choices: Choices, outcomes: int) -> list[float]:
    """Return the weights of greatest likelihood; those of outcomes that nothing offers are small."""
    sets = sorted({offered for offered, _ in choices})
    offers = np.zeros((len(sets), outcomes))
    for row, offered in enumerate(sets):
        offers[row, list(offered)] = 1.0
    row_of = {offered: row for row, offered in enumerate(sets)}
    times, wins = np.zeros(len(sets)), np.zeros(outcomes)
    for (offered, chosen), count in choices.items():
        times[row_of[offered]] += count
        wins[chosen] += count
    known = offers.any(axis=0)
    wins = np.where(known, wins + _SMOOTHING, 0.0)
    weights = np.where(known, 1.0, 0.0)
    for _ in range(_STEPS):
        shares = (times / (offers @ weights)) @ offers
        fresh = np.divide(wins, shares, out=np.zeros(outcomes), where=known)
        fresh /= fresh.sum()
        moved = np.abs(fresh - weights).max()
        weights = fresh
        if moved < _STILL:
            break
    return [float(weight) for weight in np.maximum(weights, 1e-9)]
