"""Trains the rows and measures them in one go."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from eval.suite import EvaluationSet, SuiteOptions, model_entry, score_entries
from eval.suite_report import append_measurements, text, to_dict
from experiments.round_trip.plan import Plan, slug
from experiments.round_trip.select import check_pool, chosen_pairs
from rewriter.errors import UsageError
from rewriter.io.files import write_json, write_lines, write_pairs
from rewriter.registry import did_you_mean
from train.recipe.run import run_recipe
from train.stages import Choice

#: how a row is measured -> options of the rewriter
MODES = {"raw": {"guard": "off", "gate": False}, "learned": {"guard": "learned", "gate": False}, "guarded": {}}


def run_rows(plan: Plan, pool: Path, output: Path, *, names: Sequence[str] = ()) -> None:
    """Train the rows that are not finished, the one that others go on from before them.

    Args:
        plan: the rows.
        pool: folder of the run that made the pairs.
        output: a folder for each row and seed.
        names: rows; all by default.

    Raises:
        UsageError: there is no such row.
        InputError: the pool lacks what a row needs.
    """
    chosen = list(names) or list(plan.rows)
    for name in chosen:
        if name not in plan.rows:
            known = list(plan.rows)
            raise UsageError(f"there is no row '{name}'{did_you_mean(name, known)}; rows: {', '.join(known)}")
    for name in chosen:  # what is missing is said before the first training
        check_pool(pool, plan.rows[name])
    first = [plan.first] if plan.first else []
    for seed in plan.seeds:
        for name in dict.fromkeys([*first, *chosen]):
            print(f"{name}, seed {seed}", file=sys.stderr)
            _run_row(plan, name, seed, pool, output)


def _run_row(plan: Plan, name: str, seed: int, pool: Path, output: Path) -> None:
    pairs = output / "pairs" / f"{slug(name)}.jsonl.zst"
    pairs.parent.mkdir(parents=True, exist_ok=True)
    write_pairs(pairs, chosen_pairs(pool, plan.rows[name]))
    before = run_folder(output, plan.first, seed) / "train" if plan.first and name != plan.first else None
    recipe = plan.recipe(name, seed, pairs=pairs, init=before)
    run_recipe(recipe, output=run_folder(output, name, seed), choice=Choice())


def run_folder(output: Path, name: str, seed: int) -> Path:
    """Return the folder of a row's run."""
    return output / f"{slug(name)}-{seed}"


def measure_rows(plan: Plan, output: Path, sets: Sequence[EvaluationSet], *, log: Path | None = None) -> str:
    """Score every finished row raw and guarded beside what was published; write ``scores.json`` and ``scores.md``.

    Args:
        plan: the rows.
        output: what :func:`run_rows` filled.
        sets: to score on; published ones for final models only.
        log: file to which the measurements are appended.

    Returns:
        The report.
    """
    from rewriter.pipeline import Rewriter

    entries = [
        model_entry(Rewriter.from_pretrained(str(model), **options), f"{name}, {mode}")
        for name, model in _models(plan, output)
        for mode, options in MODES.items()
    ]
    result = score_entries(entries, list(sets), SuiteOptions(plan.lang, plan.tokenizer))
    if log is not None:
        append_measurements(log, result)
    write_json(output / "scores.json", to_dict(result))
    report = text(result, markdown=True)
    write_lines(output / "scores.md", report.splitlines())
    return report


def _models(plan: Plan, output: Path) -> Iterator[tuple[str, Path]]:
    """Yield the finished models with the names of their rows."""
    for name in plan.rows:
        for seed in plan.seeds:
            model = run_folder(output, name, seed) / "export" / "model"
            if model.is_dir():
                yield (name if len(plan.seeds) == 1 else f"{name}, seed {seed}"), model
