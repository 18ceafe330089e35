"""Choosing examples: what each diet keeps of the factual and of the counterfactual ones.

Zayed et al. (2023), "Deep Learning on a Healthy Data Diet: Finding Important Examples for Fairness", Table 3:

| diet             | factual examples    | counterfactual examples |
|------------------|---------------------|-------------------------|
| vanilla-ge       | lowest scores first | lowest scores first     |
| random           | random              | random                  |
| healthy-random   | random              | highest scores first    |
| unhealthy-random | random              | lowest scores first     |

Beside them ``vanilla`` (all factual, no counterfactual), ``cda`` (all of both: Lu et al. 2020), ``cds`` (each example
replaced by its counterfactual on a coin toss: Hall Maudslay et al. 2019) and ``blindness`` (gendered words taken out:
De-Arteaga et al. 2019). The ranked diets work with any score, not only with GE.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import numpy.typing as npt

from augment.diet.examples import Examples, blind
from rewriter.errors import InputError, UsageError
from rewriter.registry import did_you_mean

__all__ = ["Diet", "apply_diet", "grid"]

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Order = Literal["random", "ascending", "descending"]

#: diets that keep a share of each part, with the order in which the factual and the counterfactual ones are taken
RANKED: dict[str, tuple[Order, Order]] = {
    "vanilla-ge": ("ascending", "ascending"),
    "random": ("random", "random"),
    "healthy-random": ("random", "descending"),
    "unhealthy-random": ("random", "ascending"),
}
#: diets without shares
WHOLE = ("vanilla", "cda", "cds", "blindness")
DIETS = (*WHOLE, *RANKED)
FACTUAL, COUNTERFACTUAL, BLIND = "factual", "counterfactual", "blind"


@dataclass(frozen=True, slots=True)
class Diet:
    """What is kept.

    Attributes:
        name: one of :data:`DIETS`.
        factual: share of the factual examples, 0 to 1 (a in the paper); ranked diets only.
        counterfactual: share of the counterfactual examples, 0 to 1 (b in the paper); ranked diets only.
        score: name of the score that ranks.
        changed_only: counterfactuals that are the same as their text are never taken. The paper takes them.
        seed: of everything random. The same seed keeps the same factual examples in all diets that choose them at
            random, and a smaller share keeps a part of what a larger one keeps.
    """

    name: str
    factual: float = 1.0
    counterfactual: float = 1.0
    score: str = "GE"
    changed_only: bool = False
    seed: int = 1

    def __post_init__(self) -> None:
        if self.name not in DIETS:
            raise UsageError(
                f"unknown diet '{self.name}'{did_you_mean(self.name, list(DIETS))}; known: {', '.join(DIETS)}"
            )
        for share in (self.factual, self.counterfactual):
            if not 0 <= share <= 1:
                raise UsageError(f"a share of examples lies between 0 and 100 percent, not at {100 * share:g}")


@dataclass(frozen=True, slots=True)
class Chosen:
    """Rows that a diet keeps, each in the order of the input.

    Attributes:
        factual: rows kept as they are.
        counterfactual: rows kept with their counterfactual text.
    """

    factual: Ints
    counterfactual: Ints

    def __len__(self) -> int:
        """Return the number of examples."""
        return len(self.factual) + len(self.counterfactual)


@dataclass(frozen=True, slots=True)
class Row:
    """One example of the set that a diet makes.

    Attributes:
        text: what is trained on.
        label: its class.
        row: its row in the input, from 0.
        version: ``factual``, ``counterfactual`` or ``blind``.
    """

    text: str
    label: object
    row: int
    version: str


def choose(examples: Examples, diet: Diet) -> Chosen:
    """Return the rows that a diet keeps.

    Raises:
        InputError: the score is missing, or a class is left without an example.
    """
    size, every, nothing = len(examples), np.arange(len(examples)), np.empty(0, dtype=np.int64)
    pool = np.flatnonzero(examples.changed) if diet.changed_only else every
    if diet.name in ("vanilla", "blindness"):
        chosen = Chosen(every, nothing)
    elif diet.name == "cda":
        chosen = Chosen(every, pool)
    elif diet.name == "cds":
        flipped = _generator(diet, 0).random(size) < 0.5
        chosen = Chosen(np.flatnonzero(~flipped), np.flatnonzero(flipped))
    else:
        first, second = RANKED[diet.name]
        chosen = Chosen(
            _take(examples, diet, every, first, diet.factual, part=1),
            _take(examples, diet, pool, second, diet.counterfactual, part=2),
        )
    _refuse_lost_class(examples, chosen, diet)
    return chosen


def training_rows(examples: Examples, chosen: Chosen, *, without_gender: bool = False) -> Iterator[Row]:
    """Yield the examples that were chosen: factual ones first, then counterfactual ones.

    Args:
        examples: where they come from.
        chosen: which.
        without_gender: take the gendered words out of the factual texts (gender blindness).
    """
    for row in chosen.factual.tolist():
        text, other = examples.texts[row], examples.counterfactuals[row]
        if without_gender:
            yield Row(blind(text, other), examples.labels[row], row, BLIND)
        else:
            yield Row(text, examples.labels[row], row, FACTUAL)
    for row in chosen.counterfactual.tolist():
        yield Row(examples.counterfactuals[row], examples.labels[row], row, COUNTERFACTUAL)


def apply_diet(examples: Examples, diet: Diet) -> list[Row]:
    """Return the training set of a diet.

    Raises:
        InputError: the score is missing, or a class is left without an example.
    """
    return list(training_rows(examples, choose(examples, diet), without_gender=diet.name == "blindness"))


def ranked(scores: Floats | None, pool: Ints, order: Order, rng: np.random.Generator) -> Ints:
    """Return the rows of ``pool`` in an order; examples with equal scores stand in random order.

    Args:
        scores: of all rows; not needed for ``random``.
        pool: rows to order.
        order: ``random``, ``ascending`` (lowest scores first) or ``descending``.
        rng: decides between equal scores.
    """
    shuffled = rng.permutation(pool)
    if order == "random" or scores is None:
        return shuffled
    keys = scores[shuffled] if order == "ascending" else -scores[shuffled]
    return shuffled[np.argsort(keys, kind="stable")]


def grid(diet: Diet, factual: Sequence[float], counterfactual: Sequence[float]) -> list[Diet]:
    """Return a diet with all combinations of shares (paper, section 5.4: a of 0.3 to 0.5, b of 0 to 0.5)."""
    if diet.name not in RANKED:
        raise UsageError(f"the diet '{diet.name}' has no shares to try; ranked diets are {', '.join(RANKED)}")
    return [replace(diet, factual=a, counterfactual=b) for a in factual for b in counterfactual]


def _take(examples: Examples, diet: Diet, pool: Ints, order: Order, share: float, *, part: int) -> Ints:
    scores = None if order == "random" else examples.score(diet.score)
    # Half an example is a whole one; a share is one of the pool.
    count = int(np.floor(share * len(pool) + 0.5))
    return np.sort(ranked(scores, pool, order, _generator(diet, part))[:count])


def _generator(diet: Diet, part: int) -> np.random.Generator:
    return np.random.default_rng([diet.seed, part])


def _refuse_lost_class(examples: Examples, chosen: Chosen, diet: Diet) -> None:
    before = {str(label) for label in examples.labels}
    if len(before) < 2:
        raise InputError(f"all examples have the class '{next(iter(before))}'; a classifier needs at least two")
    rows = [*chosen.factual.tolist(), *chosen.counterfactual.tolist()]
    lost = before - {str(examples.labels[row]) for row in rows}
    if lost:
        raise InputError(
            f"the diet '{diet.name}' leaves no example of the class {', '.join(sorted(lost))}; take larger shares"
        )
