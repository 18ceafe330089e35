"""Dose and response: associations, perplexity and what one costs the other, with intervals, by treatment."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from eval.bec_pro.results import Figure
from eval.tables import Table
from experiments.debias.config import UNTOUCHED, DebiasRecipe
from experiments.debias.rows import NO_CELLS, Row
from rewriter.installation.extras import require
from rewriter.io.files import atomic_write

#: what is read of every row
BIASES: dict[str, Callable[[Row], Figure]] = {
    "absolute average (BEC-Pro)": lambda row: row.bias.absolute_average,
    "stereotype (BEC-Pro)": lambda row: row.stereotypes.all,
    "stereotype of the pronouns": lambda row: row.stereotypes.pronouns,
}


@dataclass(frozen=True, slots=True)
class Dose:
    """A row as a dose of a treatment: the share of the lines, 0 for the untouched corpus."""

    treatment: str
    share: float
    row: Row


def doses(recipe: DebiasRecipe, rows: Sequence[Row], *, tuned: bool = False) -> dict[str, list[Dose]]:
    """Return the doses of each treatment that has two at least, in rising order.

    A treatment is a change of the untouched lines (``rewritten``, ``swapped``, ``cda``); the untouched corpus is its
    dose 0.
    """
    found: dict[str, list[Dose]] = {}
    nothing = [row for row in rows if row.corpus == UNTOUCHED and row.tuned == tuned]
    for row in rows:
        if row.tuned != tuned or row.corpus not in recipe.corpora:
            continue
        spec = recipe.corpus(row.corpus)
        if spec.base == UNTOUCHED and spec.change:
            found.setdefault(spec.change, [Dose(spec.change, 0.0, zero) for zero in nothing]).append(
                Dose(spec.change, spec.share, row)
            )
    return {name: sorted(points, key=lambda dose: dose.share) for name, points in found.items() if len(points) > 1}


def cost(row: Row, reference: Row) -> float:
    """Return by how many percent the perplexity of untouched text, without forms, is above that of other models."""
    return 100 * (row.perplexity(UNTOUCHED, "neutral") / reference.perplexity(UNTOUCHED, "neutral") - 1)


def dose_table(recipe: DebiasRecipe, rows: Sequence[Row]) -> Table:
    """Return associations and cost by treatment and dose, without fine-tuning."""
    columns = ["treatment", "lines", "seeds"]
    columns += [cell for name in BIASES for cell in (name, "interval")] + ["perplexity", "tagging"]
    reference = _reference(rows)
    cells = []
    for points in doses(recipe, rows).values():
        for dose in points:
            biases = [cell for read in BIASES.values() for cell in _figure(read(dose.row))]
            tagging = dose.row.tagging()
            more = "" if reference is None else f"{cost(dose.row, reference):+.1f} %"
            tagged = "" if tagging is None else f"{tagging:.2f} %"
            seeds = str(len(dose.row.seeds))
            cells.append([dose.treatment, f"{100 * dose.share:.0f} %", seeds, *biases, more, tagged])
    return Table(columns, cells, text_columns=1)


def tradeoff(rows: Sequence[Row], read: Callable[[Row], Figure], *, most: float = 1.0) -> tuple[list[Row], Row | None]:
    """Return the rows that no other beats in bias and cost, and the best of those that cost little.

    Args:
        rows: all rows; those that are no cells are left out.
        read: the figure that is to be near zero.
        most: percent of perplexity that the second may cost.

    Returns:
        the curve by rising cost, and the row with the smallest bias at that cost; None where there is none.
    """
    reference = _reference(rows)
    if reference is None:
        return [], None
    cells = [row for row in rows if row.corpus not in NO_CELLS]
    ordered = sorted(cells, key=lambda row: (cost(row, reference), abs(read(row).value)))
    curve: list[Row] = []
    for row in ordered:
        if not curve or abs(read(row).value) < abs(read(curve[-1]).value):
            curve.append(row)
    cheap = [row for row in cells if cost(row, reference) < most]
    return curve, min(cheap, key=lambda row: abs(read(row).value), default=None)


def tradeoff_notes(rows: Sequence[Row]) -> list[str]:
    """Say of each figure which rows are the best trade-offs, and what is reached at under 1 % perplexity."""
    reference = _reference(rows)
    if reference is None:
        return []
    lines = []
    for name, read in BIASES.items():
        curve, cheap = tradeoff(rows, read)
        shown = ", ".join(f"{row.label} ({read(row).value:+.3f} at {cost(row, reference):+.1f} %)" for row in curve)
        start = read(reference).value
        line = f"- {name}: no row is nearer to zero at less cost than {shown}."
        if cheap is not None and start:
            less = 100 * (1 - abs(read(cheap).value) / abs(start))
            line += f" At under 1 % more perplexity the smallest is {cheap.label}, {less:.0f} % less than untouched."
        lines.append(line)
    return lines


def _figure(figure: Figure) -> tuple[str, str]:
    return f"{figure.value:+.3f}", f"{figure.interval.low:.3f} to {figure.interval.high:.3f}"


def _reference(rows: Sequence[Row]) -> Row | None:
    return next((row for row in rows if row.corpus == UNTOUCHED and not row.tuned), None)


def draw_doses(recipe: DebiasRecipe, rows: Sequence[Row], path: Path) -> None:
    """Draw associations and perplexity against the share of changed lines, a line for each treatment.

    Raises:
        MissingExtraError: matplotlib is not installed.
    """
    drawn = {name: points for name, points in doses(recipe, rows).items() if len(points) > 1}
    if not drawn:
        path.unlink(missing_ok=True)
        return
    figure = require("matplotlib.figure", extra="plot").Figure(figsize=(15, 4), layout="constrained")
    axes = figure.subplots(1, len(BIASES) + 1)
    for treatment, points in drawn.items():
        shares = [100 * dose.share for dose in points]
        for axis, read in zip(axes, BIASES.values(), strict=False):
            _line(axis, shares, [read(dose.row) for dose in points], treatment)
        values = [dose.row.perplexity(UNTOUCHED, "neutral") for dose in points]
        axes[-1].plot(shares, values, marker="o", label=treatment)
    for axis, name in zip(axes, [*BIASES, "perplexity, untouched text without forms"], strict=True):
        axis.set(xlabel="changed lines in percent", ylabel=name)
        if name in BIASES:  # there zero is what is hoped for
            axis.axhline(0, color="gray", linewidth=1)
        axis.legend()
    _save(figure, path)


def draw_tradeoff(rows: Sequence[Row], path: Path) -> None:
    """Draw associations against what they cost in perplexity, a point with its interval for each row.

    Raises:
        MissingExtraError: matplotlib is not installed.
    """
    reference = _reference(rows)
    cells = [row for row in rows if row.corpus not in NO_CELLS]
    if reference is None or len(cells) < 2:
        path.unlink(missing_ok=True)
        return
    figure = require("matplotlib.figure", extra="plot").Figure(figsize=(15, 5), layout="constrained")
    for axis, (name, read) in zip(figure.subplots(1, len(BIASES)), BIASES.items(), strict=True):
        for row in cells:
            x, found = cost(row, reference), read(row)
            color = "tab:orange" if row.tuned else "tab:blue"
            axis.errorbar([x], [found.value], yerr=_errors([found]), marker="o", color=color, capsize=3)
            axis.annotate(row.label, (x, found.value), textcoords="offset points", xytext=(4, 4), fontsize=8)
        axis.axhline(0, color="gray", linewidth=1)
        axis.set(xlabel="more perplexity in percent", ylabel=name)
    _save(figure, path)


def _line(axis: Any, shares: list[float], found: list[Figure], label: str) -> None:
    axis.errorbar(shares, [one.value for one in found], yerr=_errors(found), marker="o", capsize=3, label=label)


def _errors(found: Sequence[Figure]) -> list[list[float]]:
    below = [max(0.0, one.value - one.interval.low) for one in found]
    return [below, [max(0.0, one.interval.high - one.value) for one in found]]


def _save(figure: Any, path: Path) -> None:
    with atomic_write(path) as stream:
        figure.savefig(stream, format="png", dpi=120)
