"""Scores the exported model of a run and writes the figures into its description and model card."""

from __future__ import annotations

import csv
import dataclasses
import sys
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from itertools import islice
from pathlib import Path

import numpy as np

from eval.ablation import Ablation
from eval.bootstrap import Resampling
from eval.constants import fit_constants
from eval.suite import EvaluationSet, SuiteOptions, SuiteResult, find_sets, model_entries, score_entries
from eval.suite_report import append_measurements, text, to_dict
from eval.tokenize import nearest_tokenizer
from rewriter.errors import InputError
from rewriter.io.csv_rows import CsvRows
from rewriter.io.files import read_lines, read_pairs, write_json, write_lines
from rewriter.language.interface import get_language
from rewriter.model.directory import load_info, seal
from train.recipe.schema import RewriterRecipe, ScoreConfig
from train.seq2seq.tokenizer import find_pairs
from train.stages import Stage, StageContext

#: raise by hand when the same model gets other figures
STAGE_VERSION = 2
#: set of the run's own development pairs
DEV = "dev-pairs"


def score_stage(recipe: RewriterRecipe) -> Stage:
    """Return the stage that measures the exported model.

    Raises:
        InputError: a set or table is missing.
    """
    config = recipe.score or ScoreConfig()
    sets = published_sets(recipe, config)
    tables = list(find_tables(config.tables))
    files = {f"{one.name}.{part}": path for one in sets for part, path in _parts(one)}
    files |= {path.name: path for path in tables}

    def run(stage: StageContext) -> None:
        score_model(recipe, config, stage, sets, tables)

    options = {k: v for k, v in asdict(config).items() if k not in ("tables", "log")} | {"lang": recipe.lang}
    reads_pairs = config.dev_pairs or _fits(recipe, config)
    after = ("export", "mix") if recipe.mix is not None and reads_pairs else ("export",)
    return Stage("score", STAGE_VERSION, run, options, files, after, ("scores.json", "scores.md"))


def _parts(one: EvaluationSet) -> Iterator[tuple[str, Path]]:
    yield "src", one.source
    yield "ref", one.reference


def published_sets(recipe: RewriterRecipe, config: ScoreConfig) -> list[EvaluationSet]:
    """Return the sets below ``testsets.root``, none where there is no such folder.

    The folder that the environment names need not know every language; one that the recipe names is meant.

    Raises:
        InputError: the folder has no sets, or a set that the recipe names is missing.
    """
    root = recipe.testsets_root
    if root is None:
        return []
    folder, meant = root / recipe.lang, recipe.testsets.root is not None or config.sets
    return find_sets(folder, config.sets) if meant or folder.is_dir() else []


def find_tables(paths: Iterable[Path]) -> Iterator[Path]:
    """Yield TSV files; a folder stands for those in it that have a ``target`` or ``source`` column.

    Raises:
        InputError: a path does not exist.
    """
    for path in paths:
        if path.is_dir():
            yield from sorted(path.glob("*.tsv"))
        elif path.is_file():
            yield path
        else:
            raise InputError(
                f"{path}: no such table of sentences; score.tables lists tables (.tsv) or folders that hold some"
            )


def score_model(
    recipe: RewriterRecipe, config: ScoreConfig, stage: StageContext, sets: list[EvaluationSet], tables: list[Path]
) -> None:
    """Measure, write ``scores.json`` and ``scores.md``, log, and complete the model's description."""
    model = stage.run / "export" / "model"
    own = [table_set(path, stage.output / "sets") for path in tables]
    if recipe.mix is not None and config.dev_pairs:
        own.append(dev_set(stage.run / "mix", config.dev_pairs, stage.output / "sets"))
    options = SuiteOptions(recipe.lang, nearest_tokenizer(recipe.lang), resampling=Resampling(samples=config.samples))
    entries = model_entries(model, ablation=ablation_of(recipe, config, stage.run))
    entry = entries[0]
    result = score_entries(entries, [*sets, *own], options)
    log_published(result, [one.name for one in sets], config, stage.output)
    info = load_info(model)
    info.scores = result.card_scores(entry.name)
    seal(model, info)
    write_json(stage.output / "scores.json", to_dict(result))
    write_lines(stage.output / "scores.md", text(result, markdown=True).splitlines())
    print(text(result), file=sys.stderr)


def ablation_of(recipe: RewriterRecipe, config: ScoreConfig, run: Path) -> Ablation:
    """Return how the model of a run is measured; the constant answers are fitted on the run's own training pairs."""
    if not _fits(recipe, config):
        return Ablation(guard=config.guard, parts=config.ablate)
    settings = recipe.edits.language if recipe.edits is not None else {}
    pairs = islice(read_pairs(find_pairs(run / "mix", "train")), config.labels)
    fitted = fit_constants(pairs, get_language(recipe.lang, **settings))
    return Ablation(guard=config.guard, parts=True, constants=fitted.log_odds)


def _fits(recipe: RewriterRecipe, config: ScoreConfig) -> bool:
    """Return True if constant answers are fitted on the run's training pairs."""
    return bool(config.ablate and config.labels and recipe.target == "edits" and recipe.mix is not None)


def log_published(result: SuiteResult, names: list[str], config: ScoreConfig, output: Path) -> None:
    """Append what was measured on sets from outside to the log: every such run is written down."""
    if not names:
        return
    scores = {system: {n: s for n, s in row.items() if n in names} for system, row in result.scores.items()}
    published = dataclasses.replace(result, sets=tuple(names), scores=scores)
    for path in (output / "measurements.tsv", config.log):
        if path is not None:
            append_measurements(path, published)


def table_set(path: Path, folder: Path) -> EvaluationSet:
    """Make a set of a table of sentences; one without ``target`` holds sentences that must stay.

    Raises:
        InputError: the table has no column ``source``.
    """
    rows = list(CsvRows(read_lines(path), path, delimiter="\t", quoting=csv.QUOTE_NONE))
    if not rows or "source" not in rows[0]:
        raise InputError(f"{path}:1: a table of sentences has a header row with a column 'source'")
    sources = [row["source"] for row in rows]
    targets = [row.get("target") or row["source"] for row in rows]
    blocks = [row["construction"] for row in rows] if "construction" in rows[0] else None
    return write_set(path.stem, sources, targets, folder, blocks)


def dev_set(mix: Path, count: int, folder: Path) -> EvaluationSet:
    """Make a set of ``count`` development pairs, evenly spread over the part."""
    pairs = list(islice(read_pairs(find_pairs(mix, "dev")), 1_000_000))
    rows = np.linspace(0, len(pairs) - 1, min(count, len(pairs))).astype(int)
    chosen = [pairs[row] for row in rows]
    sources, targets = ([_line(getattr(pair, side)) for pair in chosen] for side in ("source", "target"))
    return write_set(DEV, sources, targets, folder, [pair.strategy for pair in chosen])


def _line(text: str) -> str:
    return " ".join(text.splitlines())


def write_set(
    name: str, sources: list[str], targets: list[str], folder: Path, blocks: list[str] | None
) -> EvaluationSet:
    """Write a set in the form that :mod:`eval.suite` reads."""
    paths = {part: folder / f"{name}.{part}" for part in ("src", "ref", "block")}
    write_lines(paths["src"], sources)
    write_lines(paths["ref"], targets)
    if blocks is not None:
        write_lines(paths["block"], blocks)
    return EvaluationSet(name, paths["src"], paths["ref"], paths["block"] if blocks is not None else None)
