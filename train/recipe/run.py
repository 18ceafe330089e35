"""Runs a recipe of any kind, stage by stage: what ``gender-fair run`` and ``gender-fair train rewriter`` call."""

from __future__ import annotations

import os
import platform
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from eval.suite_report import toolkit_commit
from rewriter.errors import UsageError
from rewriter.io.files import atomic_write, write_json
from rewriter.runs.recipes import to_yaml
from rewriter.version import __version__
from train.recipe.kinds import Recipe, get_kind
from train.stages import Choice, Step, duration, run_stages

__all__ = ["describe_run", "run_recipe"]

RECIPE = "recipe.yaml"
REPORT = "run.json"
TIMES = "times.md"


def run_recipe(recipe: Recipe, *, output: Path, choice: Choice | None = None) -> list[Step]:
    """Run the stages of a recipe, or what is missing of them.

    Leaves in ``output`` a folder per stage, the resolved recipe (``recipe.yaml``), what was done (``run.json``) and the
    time by stage (``times.md``).

    Args:
        recipe: what to do.
        output: folder of the run.
        choice: which stages, and what to begin anew; all that is missing by default.

    Returns:
        what was done (or, in a dry run, would be done) with each stage.

    Raises:
        ResumeError: a stage's folder holds the output of something else; the message names what differs.
        UsageError: ``choice`` names a stage that there is not, or ``output`` is a file.
        InputError: an input is missing.
    """
    choice = choice or Choice()
    if output.exists() and not output.is_dir():
        raise UsageError(f"{output}: is a file; a run needs a folder (-o DIR)")
    kind = get_kind(recipe.kind, where=recipe.name)
    if kind.run is not None:
        return kind.run(recipe, output=output, choice=choice)
    stages = kind.stages(recipe)
    if choice.dry_run:
        return run_stages(stages, output, choice)

    def report(steps: Sequence[Step]) -> None:
        write_json(output / REPORT, describe_run(recipe, steps))
        _write_text(output / TIMES, times_table(recipe.name, steps))
        _write_text(output / RECIPE, to_yaml(recipe))

    return run_stages(stages, output, choice, report=report)


def describe_run(recipe: Recipe, steps: Sequence[Step]) -> dict[str, Any]:
    """Return the record of a run: recorded, never compared."""
    return {
        "recipe": recipe.name,
        "target": getattr(recipe, "target", ""),
        "toolkit": __version__,
        "commit": toolkit_commit(),
        "python": platform.python_version(),
        "machine": f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores",
        "seconds": round(sum(step.seconds for step in steps), 1),
        "stages": [
            {"stage": s.stage, "action": s.action, "why": s.why, "seconds": round(s.seconds, 1), "counts": s.counts}
            for s in steps
        ],
    }


def times_table(name: str, steps: Sequence[Step]) -> str:
    """Return the time by stage as a Markdown table."""
    rows = [f"| {step.stage} | {duration(step.seconds)} |" for step in steps]
    total = f"| together | {duration(sum(step.seconds for step in steps))} |"
    return "\n".join([f"Time by stage of `{name}`:", "", "| stage | time |", "|---|---|", *rows, total, ""])


def _write_text(path: Path, content: str) -> None:
    with atomic_write(path) as stream:
        stream.write(content.encode("utf-8"))
