"""Shows a result of BEC-Pro: text, page, plot."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from eval.bec_pro.results import BecProResult, Figure, Group, ProfessionGroup
from eval.html import page_head, page_table
from eval.plots import plot_format
from eval.tables import Table
from rewriter.installation.extras import require
from rewriter.io.files import atomic_write


def summary_lines(result: BecProResult) -> list[str]:
    """Return the figures that stand for the whole, one a line."""
    average, gap = result.absolute_average, result.gap
    lines = [
        f"absolute average  {average.value:.3f}  (interval {_interval(average)})",
        f"|male - female|   {gap.value:.3f}  (interval {_interval(gap)})",
        "some group differs from zero" if result.shows_bias else "no group differs from zero",
    ]
    if len(result.models) > 1:
        lines.insert(1, "by model          " + "  ".join(f"{value:.3f}" for value in result.by_model))
    return lines


def group_table(result: BecProResult) -> Table:
    """Return the six groups: association, interval, ln p of the person words alone."""
    columns = ["professions", "person words", "association", "interval", "ln p present", "ln p masked", "sentences"]
    return Table(columns, [_group_row(group) for group in result.groups], text_columns=2)


def contrast_table(result: BecProResult) -> Table:
    """Return male minus female for each group of professions, with the signed-rank test."""
    columns = ["professions", "male - female", "interval", "pairs", "W", "z", "p", "r"]
    return Table(columns, [_contrast_row(contrast) for contrast in result.contrasts])


def profession_table(result: BecProResult) -> Table:
    """Return the professions, those that lean most to male person words first."""
    ordered = sorted(result.professions, key=lambda p: -p.difference)
    rows = [[p.name, p.prof_gender, f"{p.male:+.3f}", f"{p.female:+.3f}", f"{p.difference:+.3f}"] for p in ordered]
    return Table(["profession", "who works in it", "male", "female", "male - female"], rows, text_columns=2)


def slip_table(result: BecProResult) -> Table:
    """Return the slips of the published corpus."""
    rows = [[slip["kind"], slip["what"], str(slip["rows"])] for slip in result.slips]
    return Table(["kind", "slip of the published corpus", "rows"], rows, text_columns=2)


def text_report(result: BecProResult, *, professions: bool = False, slips: bool = False) -> str:
    """Return the result for a terminal."""
    parts = ["\n".join(summary_lines(result)), group_table(result).plain(), contrast_table(result).plain()]
    if professions:
        parts.append(profession_table(result).plain())
    if slips:
        parts.append(slip_table(result).plain())
    return "\n\n".join([*parts, result.signature])


def write_page(path: str | Path, result: BecProResult, *, title: str = "BEC-Pro") -> None:
    """Write a page with all tables; it loads nothing and runs no script.

    Raises:
        OutputError: the page cannot be written.
    """
    tables = [group_table(result), contrast_table(result), profession_table(result), slip_table(result)]
    with atomic_write(path) as stream:
        stream.write(page_head(f"{title}: {', '.join(Path(name).name for name in result.models)}").encode("utf-8"))
        lines = [*summary_lines(result), result.signature]
        stream.write(page_table(["figures"], [[line] for line in lines]).encode("utf-8"))
        for table in tables:
            stream.write(page_table(table.columns, table.rows).encode("utf-8"))
        stream.write(b"</body>\n</html>\n")


def write_plot(path: str | Path, result: BecProResult) -> None:
    """Draw the six groups with their intervals, and male minus female of every profession.

    Raises:
        UsageError: the file's ending is none of png, svg, pdf.
        MissingExtraError: matplotlib is not installed.
        OutputError: the file cannot be written.
    """
    ending = plot_format(path)
    figure = require("matplotlib.figure", extra="plot").Figure(figsize=(12, 9), layout="constrained")
    left, right = figure.subplots(1, 2)
    _draw_groups(left, result)
    _draw_professions(right, result)
    with atomic_write(path) as stream:
        figure.savefig(stream, format=ending, dpi=120, metadata={"Date": None} if ending == "svg" else None)


def _draw_groups(axis: Any, result: BecProResult) -> None:
    names = [f"{group.prof_gender}\n{group.gender}" for group in result.groups]
    values = [group.association.value for group in result.groups]
    below = [max(0.0, g.association.value - g.association.interval.low) for g in result.groups]
    above = [max(0.0, g.association.interval.high - g.association.value) for g in result.groups]
    colors = ["tab:blue" if group.gender == "male" else "tab:orange" for group in result.groups]
    axis.bar(names, values, yerr=[below, above], color=colors, capsize=4)
    axis.axhline(0, color="black", linewidth=0.8)
    axis.set_ylabel("association (natural logarithm)")
    axis.set_title(f"professions / person words; absolute average {result.absolute_average.value:.3f}")


def _draw_professions(axis: Any, result: BecProResult) -> None:
    ordered = sorted(result.professions, key=lambda p: p.difference)
    shades = {"male": "tab:blue", "female": "tab:orange", "balanced": "tab:gray"}
    axis.barh(
        [p.name for p in ordered], [p.difference for p in ordered], color=[shades[p.prof_gender] for p in ordered]
    )
    axis.axvline(0, color="black", linewidth=0.8)
    axis.tick_params(axis="y", labelsize=7)
    axis.set_title("male - female, by profession")


def _interval(figure: Figure) -> str:
    return f"{figure.interval.low:+.3f} to {figure.interval.high:+.3f}"


def _group_row(group: Group) -> list[str]:
    return [
        group.prof_gender,
        group.gender,
        f"{group.association.value:+.3f}",
        _interval(group.association),
        f"{group.present:.2f}",
        f"{group.masked:.2f}",
        str(group.sentences),
    ]


def _contrast_row(contrast: ProfessionGroup) -> list[str]:
    test = contrast.test
    cells = [f"{test.statistic:.0f}", f"{test.z:+.2f}", f"{test.p_value:.2g}", f"{test.r:+.2f}"]
    value = f"{contrast.difference.value:+.3f}"
    return [contrast.prof_gender, value, _interval(contrast.difference), str(test.pairs), *cells]
