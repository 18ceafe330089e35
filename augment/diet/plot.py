"""Fairness against performance of diets, with the front of those that no other one beats."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from augment.diet.rule import Outcome, Rule, mean_outcomes, pareto
from rewriter.errors import OutputError
from rewriter.installation.extras import require


def plot_pareto(path: str | Path, outcomes: Sequence[Outcome], rule: Rule | None = None) -> None:
    """Draw the diets and the front, and write the picture (.png, .svg, .pdf).

    Raises:
        MissingExtraError: matplotlib is not installed.
        MetricError: a figure, or the baseline, is missing.
        OutputError: the file cannot be written.
    """
    figure_module = require("matplotlib.figure", extra="plot")
    rule, means = rule or Rule(), mean_outcomes(outcomes)
    figure = figure_module.Figure(figsize=(7, 5), layout="constrained")
    axes = figure.subplots()
    for name in dict.fromkeys(outcome.diet for outcome in means):
        points = [outcome.figures for outcome in means if outcome.diet == name]
        axes.scatter([p[rule.limit] for p in points], [p[rule.objective] for p in points], label=name)
    front = pareto(means, rule)
    axes.plot(
        [o.figures[rule.limit] for o in front], [o.figures[rule.objective] for o in front], color="grey", linewidth=0.8
    )
    axes.axvline(rule.least(means), color="grey", linestyle="dotted", label=f"least {rule.limit}")
    axes.set_xlabel(rule.limit)
    axes.set_ylabel(rule.objective)
    axes.legend()
    try:
        figure.savefig(path)
    except (OSError, ValueError) as error:
        raise OutputError(f"{path}: cannot be written ({error})") from None
