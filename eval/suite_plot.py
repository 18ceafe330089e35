"""Draws the scores of a suite: a panel per set, a row per system, with the intervals that the table leaves out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from eval.plots import plot_format
from eval.suite import SuiteResult
from rewriter.installation.extras import require
from rewriter.io.files import atomic_write

#: ours, and what stands beside them
_OURS, _OTHERS = "tab:blue", "tab:gray"


def write_plot(path: str | Path, result: SuiteResult) -> None:
    """Draw word error rates with their intervals, the systems in the order of the table.

    Args:
        path: a .png, .svg or .pdf file.
        result: scores of a suite.

    Raises:
        UsageError: the ending is none of these.
        MissingExtraError: matplotlib is not installed.
        OutputError: the file cannot be written.
    """
    ending = plot_format(path)
    systems = list(result.scores)
    size = (1.5 + 4 * len(result.sets), 1 + 0.4 * len(systems))
    figure = require("matplotlib.figure", extra="plot").Figure(figsize=size, layout="constrained")
    panels = figure.subplots(1, len(result.sets), squeeze=False, sharey=True)[0]
    for name, axis in zip(result.sets, panels, strict=True):
        _draw(axis, result, name, systems)
    with atomic_write(path) as stream:
        figure.savefig(stream, format=ending, dpi=150, metadata={"Date": None} if ending == "svg" else None)


def _draw(axis: Any, result: SuiteResult, name: str, systems: list[str]) -> None:
    for place, system in enumerate(systems):
        if name not in result.scores[system]:
            continue
        score = result.part(system, name)
        low, high = score.score - score.interval.low, score.interval.high - score.score
        color = _OURS if system in result.ours else _OTHERS
        axis.errorbar(score.score, place, xerr=[[max(0, low)], [max(0, high)]], fmt="o", color=color, capsize=3)
    axis.set_yticks(range(len(systems)), systems)
    axis.set_ylim(len(systems) - 0.5, -0.5)
    axis.set_xlim(left=0)
    axis.set_xlabel("word error rate, %")
    axis.set_title(name)
    axis.grid(axis="x", alpha=0.3)
