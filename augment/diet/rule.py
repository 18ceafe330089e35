"""Which diet is the best one: fairness as far as performance allows, and what is not worth more seeds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from rewriter.errors import InputError, MetricError, UsageError
from rewriter.io.columns import Columns

__all__ = ["Rule", "best"]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of training on a diet.

    Attributes:
        diet: its name.
        figures: of the classifier by name (``DP``, ``AUC`` ...); a mean over seeds in what :func:`mean_outcomes` gives.
        factual: share of factual examples.
        counterfactual: share of counterfactual examples.
        seeds: how many runs the figures are a mean of.
    """

    diet: str
    figures: Mapping[str, float]
    factual: float = 1.0
    counterfactual: float = 1.0
    seeds: int = 1

    @property
    def key(self) -> tuple[str, float, float]:
        """What runs with other seeds have in common."""
        return self.diet, self.factual, self.counterfactual


@dataclass(frozen=True, slots=True)
class Rule:
    """How to choose: the best ``objective`` among the diets that lose little of ``limit``.

    The default is that of Zayed et al. (2023), section 5.4: the highest DP with at most 3 % less AUC than vanilla.

    Attributes:
        objective: figure to make large.
        limit: figure that must not suffer.
        loss: how much of it may be lost.
        relative: the loss is a share of vanilla's figure; else it is in the figure's own points.
        baseline: the diet to compare with.
    """

    objective: str = "DP"
    limit: str = "AUC"
    loss: float = 0.03
    relative: bool = True
    baseline: str = "vanilla"

    def __post_init__(self) -> None:
        if not 0 <= self.loss < 1:
            raise UsageError(f"a loss lies between 0 and 1, not at {self.loss}")

    def least(self, outcomes: Iterable[Outcome]) -> float:
        """Return the smallest figure that a diet may have.

        Raises:
            MetricError: the baseline is not among the outcomes.
        """
        found = [outcome for outcome in outcomes if outcome.diet == self.baseline]
        if not found:
            raise MetricError(f"no outcome of the diet '{self.baseline}', with which the others are compared")
        value = _figure(found[0], self.limit)
        return value * (1 - self.loss) if self.relative else value - self.loss


def mean_outcomes(outcomes: Iterable[Outcome]) -> list[Outcome]:
    """Return one outcome for each diet and pair of shares: means over the seeds, in order of appearance.

    Raises:
        InputError: runs of one diet have different figures.
    """
    found: dict[tuple[str, float, float], list[Outcome]] = {}
    for outcome in outcomes:
        found.setdefault(outcome.key, []).append(outcome)
    means = []
    for key, runs in found.items():
        names = runs[0].figures.keys()
        if any(run.figures.keys() != names for run in runs):
            raise InputError(f"the runs of the diet '{key[0]}' have different figures")
        figures = {name: fmean(run.figures[name] for run in runs) for name in names}
        means.append(Outcome(key[0], figures, key[1], key[2], sum(run.seeds for run in runs)))
    return means


def best(outcomes: Iterable[Outcome], rule: Rule | None = None) -> Outcome:
    """Return the best diet by a rule; of equal ones that with the fewest examples.

    Raises:
        MetricError: there is no baseline, a figure is missing, or no diet keeps to the limit.
    """
    rule, means = rule or Rule(), mean_outcomes(outcomes)
    least = rule.least(means)
    others = [outcome for outcome in means if outcome.diet != rule.baseline]
    allowed = [outcome for outcome in others if _figure(outcome, rule.limit) >= least]
    if not allowed:
        nearest = max(others, key=lambda outcome: _figure(outcome, rule.limit), default=None)
        told = f"; the nearest is '{nearest.diet}' with {_figure(nearest, rule.limit):.4f}" if nearest else ""
        raise MetricError(f"no diet has {rule.limit} of at least {least:.4f}{told}; allow a larger loss")
    return max(
        allowed, key=lambda outcome: (_figure(outcome, rule.objective), -(outcome.factual + outcome.counterfactual))
    )


def survivors(outcomes: Iterable[Outcome], rule: Rule | None = None, *, tolerance: float = 0.02) -> list[Outcome]:
    """Return the diets that are worth training with more seeds (early pruning of a grid).

    One is dropped when it misses the limit, or the objective of the best that keeps to it, by more than ``tolerance``,
    which should be about twice what a figure wanders from seed to seed. The baseline always stays.

    Raises:
        MetricError: there is no baseline, or a figure is missing.
    """
    rule, means = rule or Rule(), mean_outcomes(outcomes)
    least = rule.least(means)
    near = [outcome for outcome in means if _figure(outcome, rule.limit) >= least - tolerance]
    fair = [_figure(outcome, rule.objective) for outcome in near if _figure(outcome, rule.limit) >= least]
    enough = max(fair, default=float("-inf")) - tolerance
    return [outcome for outcome in near if outcome.diet == rule.baseline or _figure(outcome, rule.objective) >= enough]


def pareto(outcomes: Iterable[Outcome], rule: Rule | None = None) -> list[Outcome]:
    """Return the diets that no other one beats in both figures, by falling ``limit``.

    Raises:
        MetricError: a figure is missing.
    """
    rule = rule or Rule()
    means = mean_outcomes(outcomes)
    points = sorted(means, key=lambda o: (_figure(o, rule.limit), _figure(o, rule.objective)), reverse=True)
    front: list[Outcome] = []
    for outcome in points:
        if not front or _figure(outcome, rule.objective) > _figure(front[-1], rule.objective):
            front.append(outcome)
    return front


def read_outcomes(table: Columns) -> list[Outcome]:
    """Read outcomes from a table: ``diet``, ``factual`` and ``counterfactual`` (percent), and columns of figures.

    Other columns that hold text, and ``seed``, are left out.

    Raises:
        InputError: there is no column ``diet``, or a share is no number.
    """
    shares = {name: table.numbers(name) / 100 if name in table else [1.0] * len(table) for name in _SHARES}
    names = [name for name in table.columns if name not in ("diet", "seed", *_SHARES) and _numeric(table.values(name))]
    figures = {name: table.numbers(name) for name in names}
    return [
        Outcome(
            diet,
            {name: float(values[row]) for name, values in figures.items()},
            float(shares["factual"][row]),
            float(shares["counterfactual"][row]),
        )
        for row, diet in enumerate(table.texts("diet"))
    ]


_SHARES = ("factual", "counterfactual")


def _numeric(values: Sequence[object]) -> bool:
    try:
        return bool([float(value) for value in values])  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return False


def _figure(outcome: Outcome, name: str) -> float:
    if name not in outcome.figures:
        known = ", ".join(outcome.figures) or "none"
        raise MetricError(f"the outcome of the diet '{outcome.diet}' has no figure '{name}'; it has {known}")
    return outcome.figures[name]
