"""Tables and plots of a diet run: figures with intervals, differences, the best diet, costs, agreement of scores."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from augment.diet.plot import plot_pareto
from augment.diet.rule import best, read_outcomes
from eval.tables import Table
from rewriter.errors import MetricError
from rewriter.installation.extras import require
from rewriter.io.columns import read_columns
from rewriter.io.files import atomic_write, read_json, write_lines
from train.diet.measure import PERFORMANCE, read_figures
from train.diet.recipe import DietRecipe

#: raise by hand when the same figures give another report
STAGE_VERSION = 2
_FAIR = ("DP", "EqOpp1", "EqOdd", "flip rate", "AUC", "accuracy")
_TITLES = {PERFORMANCE: "Performance on the test table", "test": "Fairness on pairs: the test table, kept and flipped"}


def write_report(recipe: DietRecipe, figures: Path, output: Path) -> dict[str, Any]:
    """Write ``report.md`` and ``pareto.png``.

    Args:
        recipe: the recipe.
        figures: folder of :func:`train.diet.measure.write_figures`.
        output: folder to write into.

    Returns:
        The best diet by the recipe's rule.

    Raises:
        MissingExtraError: matplotlib is not installed.
    """
    record = read_figures(figures)
    chosen = choice(recipe, figures)
    write_lines(output / "report.md", "\n\n".join([*sections(recipe, record), chosen]).splitlines())
    draw_sweeps(recipe, record, output / "shares.png")
    plot_pareto(output / "pareto.png", read_outcomes(read_columns(figures / "outcomes.csv")), recipe.fairness.rule())
    return {"best": chosen}


def sweeps(recipe: DietRecipe, record: Mapping[str, Any]) -> Iterator[tuple[str, list[tuple[float, str]]]]:
    """Yield the curves of the grids: a label, and for each share of counterfactuals its diet."""
    known = record["diets"]
    for name, grid in recipe.grid.items():
        for a in grid.factual:
            for score in grid.scores:
                one = replace(grid, factual=(a,), scores=(score,))
                keys = [key if len(grid.scores) == 1 else f"{key}-{score}" for key in one.diets(name)]
                points = [(b, key) for b, key in zip(grid.counterfactual, keys, strict=True) if key in known]
                if points:
                    yield f"{name}, a {a:g} %" + (f", {score}" if len(grid.scores) > 1 else ""), points


def draw_sweeps(recipe: DietRecipe, record: Mapping[str, Any], path: Path) -> None:
    """Draw fairness and performance against the share of counterfactuals, as in figures 2 and 3 of the paper.

    Raises:
        MissingExtraError: matplotlib is not installed.
    """
    curves = list(sweeps(recipe, record))
    if not curves:
        return
    fair, performance = (record["sets"][name]["diets"] for name in (recipe.fairness.set, PERFORMANCE))
    drawn = ((recipe.fairness.objective, fair), ("AUC", performance))
    figure = require("matplotlib.figure", extra="plot").Figure(figsize=(11, 4), layout="constrained")
    for axis, (name, diets) in zip(figure.subplots(1, len(drawn)), drawn, strict=True):
        for label, points in curves:
            axis.plot([b for b, _ in points], [diets[key][name]["value"] for _, key in points], marker="o", label=label)
        axis.set(xlabel="counterfactual examples in percent (b)", ylabel=name)
        axis.legend(fontsize=7)
    with atomic_write(path) as stream:
        figure.savefig(stream, format="png", dpi=120)


def sections(recipe: DietRecipe, record: Mapping[str, Any]) -> Iterator[str]:
    """Yield the parts of the report in Markdown."""
    for name, one in record["sets"].items():
        title = _TITLES.get(name, f"Fairness on the set '{name}'")
        yield f"## {title}"
        yield figure_table(one["diets"], one["positive rates"]).markdown()
        for other, rows in one["against"].items():
            yield f"Difference to {other}:"
            yield difference_table(rows).markdown()
        yield f"`{one['signature']}`"
    yield "## Cost"
    yield cost_table(record["diets"]).markdown()


def figure_table(diets: Mapping[str, Any], rates: Mapping[str, Mapping[str, float]]) -> Table:
    """Return a row for each diet: mean over the seeds, deviation between them, interval; share of positives."""
    names = [name for name in _FAIR if name in next(iter(diets.values()))]
    rows = [
        [diet, *(_figure(row[name]) for name in names), " / ".join(f"{rate:.3f}" for rate in rates[diet].values())]
        for diet, row in diets.items()
    ]
    return Table(["diet", *names, f"positive: {' / '.join(next(iter(rates.values())))}"], rows)


def difference_table(rows: Mapping[str, Any]) -> Table:
    """Return a row for each diet: difference with interval and p-value."""
    names = [name for name in _FAIR if name in next(iter(rows.values()), {})]
    return Table(["diet", *names], [[diet, *(_difference(row[name]) for name in names)] for diet, row in rows.items()])


def cost_table(diets: Mapping[str, Any]) -> Table:
    """Return what training on each diet cost: mean of a seed."""
    rows = [
        [
            name,
            f"{row['examples']:,}",
            f"{row['steps']:,.0f}",
            f"{row['processor seconds'] / 60:.2f}",
            f"{row['seconds'] / 60:.2f}",
            ", ".join(map(str, row["seeds"])),
        ]
        for name, row in diets.items()
    ]
    return Table(["diet", "examples", "steps", "processor minutes", "minutes", "seeds"], rows)


def agreement_table(rows: list[Mapping[str, Any]]) -> Table:
    """Return a row for each comparison of scores."""
    return Table(
        ["score", "flips", "examples", "theirs", "Spearman", "95 % interval", "ours between seeds"],
        [
            [
                row["score"],
                row["flips"],
                f"{row['rows']} ({row['n']:,})",
                row["other"],
                _number(row["spearman"]),
                f"{row['interval']['low']:.3f} to {row['interval']['high']:.3f}" if row["interval"] else "-",
                _number(row["ceiling"]),
            ]
            for row in rows
        ],
        text_columns=4,
    )


def choice(recipe: DietRecipe, figures: Path) -> str:
    """Return the best diet in words."""
    rule = recipe.fairness.rule()
    outcomes = read_outcomes(read_columns(figures / "outcomes.csv"))
    said = f"highest {rule.objective} on '{recipe.fairness.set}' with at most {recipe.fairness.loss:g} % less AUC"
    try:
        found = best(outcomes, rule)
    except MetricError as error:
        return f"Best diet ({said}): none, {error}."
    figures_of = ", ".join(f"{name} {found.figures[name]:.4f}" for name in (rule.objective, rule.limit))
    return f"Best diet ({said} than {rule.baseline}): {found.diet}, {figures_of}."


def _figure(figure: Mapping[str, Any]) -> str:
    if figure["value"] is None:
        return "-"
    spread = "" if figure["deviation"] is None else f" ± {figure['deviation']:.3f}"
    interval = f" ({figure['interval'][0]:.3f} to {figure['interval'][1]:.3f})" if figure["interval"] else ""
    return f"{figure['value']:.3f}{spread}{interval}"


def _difference(one: Mapping[str, Any]) -> str:
    if one["difference"] is None:
        return "-"
    low, high = one["interval"]
    return f"{one['difference']:+.3f} ({low:+.3f} to {high:+.3f}), p {one['p_value']:.3f}"


def _number(value: float | None) -> str:
    return "-" if value is None or value != value else f"{value:.3f}"


def write_agreement_report(folder: Path) -> None:
    """Write ``agreement.md`` beside ``agreement.json``."""
    record = read_json(folder / "agreement.json")
    parts = [agreement_table(record["agreement"]).markdown(), f"`{record['signature']}`"]
    write_lines(folder / "agreement.md", "\n\n".join(parts).splitlines())
