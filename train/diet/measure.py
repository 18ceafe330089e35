"""Figures of a diet run: fairness and performance over seeds, costs, agreement of scores with other people's."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np

from augment.diet.examples import ExampleColumns, read_examples
from eval.bootstrap import Resampling
from eval.example_scores.agreement import agreement
from eval.example_scores.run import score_file
from eval.fairness.measure import fairness_signature
from eval.fairness.predictions import ColumnNames, Predictions, by_group, by_pair, by_pair_column
from eval.fairness.runs import Answers, Run, RunsResult, measure_runs
from eval.signature import signature
from rewriter.errors import InputError, ModelError
from rewriter.io.columns import Columns, read_columns, write_columns
from rewriter.io.files import file_digest, read_json, write_json
from rewriter.runs.manifest import Manifest, fingerprint
from train.diet.recipe import FLIPPED_TEST, TEST, VANILLA, DietRecipe
from train.diet.tables import row_by_row

#: raise by hand when the same predictions give other figures
FAIRNESS_VERSION = 2
AGREEMENT_VERSION = 1
#: the test table without groups
PERFORMANCE = "performance"
#: trainings of a seed at most, and what is added to it for the next one
STARTS, RESTART_STEP = 3, 1000
#: figures that go into the log of measurements
LOGGED = ("DP", "EqOpp1", "EqOdd", "AUC")


@dataclass(frozen=True)
class SetFigures:
    """All diets on one set.

    Attributes:
        name: of the set; ``performance`` is the test table without groups.
        result: figures.
        signature: what they were computed with.
        rates: diet -> group -> share of positive predictions, mean over the seeds; a classifier that calls (almost)
            everything negative has a DP of 1 and is of no use.
    """

    name: str
    result: RunsResult
    signature: str
    rates: Mapping[str, Mapping[str, float]]


def seed_folders(recipe: DietRecipe, run: Path, system: str) -> list[Path]:
    """Return the folders of a diet's finished seeds; of one that was started again, that of the last start.

    Raises:
        ModelError: one is missing, or collapsed every time.
    """
    found = []
    for seed in recipe.classifier_config().seeds:
        folder = next((one for one in starts(run / "train" / system, seed) if not collapsed(recipe, one)), None)
        if folder is None:
            raise ModelError(
                f"{run / 'train' / system}: all {STARTS} trainings of seed {seed} ended with an AUC below "
                f"{recipe.restart_below:g} on the development table; take another learning rate"
            )
        found.append(folder)
    return found


def starts(folder: Path, seed: int) -> list[Path]:
    """Return the folders of a seed's trainings: the first, and those that follow where it collapsed."""
    return [folder / f"seed-{seed + RESTART_STEP * number}" for number in range(STARTS)]


def collapsed(recipe: DietRecipe, folder: Path) -> bool:
    """Return whether a training came to nothing, by the development table alone.

    Raises:
        ModelError: it is not finished.
    """
    if not (folder / "metrics.json").is_file():
        raise ModelError(f"{folder}: holds no finished classifier; run the stage train/{folder.parent.name}")
    return float(read_json(folder / "metrics.json")["dev AUC"]) < recipe.restart_below


def measure_diets(recipe: DietRecipe, run: Path) -> list[SetFigures]:
    """Measure all diets on the test table and on every set.

    Raises:
        ModelError: predictions are missing.
        InputError: a table of predictions cannot be read.
    """
    options = recipe.fairness
    resampling = Resampling(samples=options.samples, seed=options.seed)
    found = []
    for name in (PERFORMANCE, TEST, *recipe.sets):
        methods = {
            system: [_read(recipe, folder, name) for folder in seed_folders(recipe, run, system)]
            for system in recipe.systems
        }
        result = measure_runs(methods, resampling=resampling)
        first = methods[VANILLA][0]
        signed = _signature(recipe, name, first, len(methods[VANILLA]), resampling)
        found.append(SetFigures(name, result, signed, {system: _rates(runs) for system, runs in methods.items()}))
    return found


def _read(recipe: DietRecipe, folder: Path, name: str) -> Run:
    """Return what one classifier answered on a set."""
    columns = ColumnNames(score="score", threshold=recipe.fairness.threshold)
    table = read_columns(folder / f"predictions-{TEST if name == PERFORMANCE else name}.parquet")
    if name == PERFORMANCE:
        scores = table.numbers("score")
        labels = table.numbers("label").astype(np.int64)
        return Answers((scores >= columns.threshold).astype(np.int64), labels, scores)
    if name == TEST:
        flipped = read_columns(folder / f"predictions-{FLIPPED_TEST}.parquet")
        return by_pair(table, flipped, columns, columns)
    if recipe.sets[name].published:
        return by_group(table, columns, "group", groups=recipe.sets[name].groups)
    return by_pair_column(table, columns, "group", "pair")


def _rates(runs: Sequence[Run]) -> dict[str, float]:
    """Return the share of positive predictions of each group, mean over the runs."""
    first = runs[0]
    if not isinstance(first, Predictions):
        return {"all": fmean(float(run.predicted.mean()) for run in runs)}
    chosen = {name: first.groups == number for number, name in enumerate(first.names)}
    return {name: fmean(float(run.predicted[rows].mean()) for run in runs) for name, rows in chosen.items()}


def _signature(recipe: DietRecipe, name: str, run: Run, runs: int, resampling: Resampling) -> str:
    fields = {"set": name, "threshold": recipe.fairness.threshold, "runs": runs}
    if isinstance(run, Predictions):
        return fairness_signature(run, resampling, fields)
    fields["n"] = len(run.predicted)
    return signature("classification", **fields, bootstrap=resampling.samples, seed=resampling.seed)


def write_figures(recipe: DietRecipe, run: Path, output: Path) -> dict[str, Any]:
    """Measure, and write ``figures.json`` and ``outcomes.csv`` (for ``augment diet-choose``); return counts."""
    found = measure_diets(recipe, run)
    record = {
        "sets": {one.name: _set_record(recipe, one) for one in found},
        "diets": {system: describe_diet(recipe, run, system) for system in recipe.systems},
    }
    write_json(output / "figures.json", record)
    write_columns(output / "outcomes.csv", outcome_columns(recipe, found))
    return {"sets": len(found), "diets": len(recipe.systems), "seeds": len(recipe.classifier_config().seeds)}


def _set_record(recipe: DietRecipe, one: SetFigures) -> dict[str, Any]:
    figures = one.result.figures
    return {
        "signature": one.signature,
        "positive rates": one.rates,
        "diets": {name: {key: figure.to_dict() for key, figure in row.items()} for name, row in figures.items()},
        "against": {
            other: {
                name: {key: d.to_dict() for key, d in one.result.difference(name, other).items()}
                for name in figures
                if name != other
            }
            for other in recipe.fairness.against
        },
    }


def describe_diet(recipe: DietRecipe, run: Path, system: str) -> dict[str, Any]:
    """Return what training on a diet cost and which weights came of it: means over the seeds."""
    manifests = [manifest for folder in seed_folders(recipe, run, system) if (manifest := Manifest.load(folder))]
    weights = [file_digest(folder / "model" / "model.safetensors") for folder in seed_folders(recipe, run, system)]
    training = [manifest.notes.get("training", {}) for manifest in manifests]
    diet = recipe.diet(system)
    return {
        "examples": manifests[0].counts["examples"],
        "steps": fmean(manifest.counts["steps"] for manifest in manifests),
        "seconds": fmean(spent.get("seconds", 0.0) for spent in training),
        "processor seconds": fmean(spent.get("processor seconds", 0.0) for spent in training),
        "factual": 100 * diet.factual,
        "counterfactual": 0.0 if diet.name in (VANILLA, "blindness") else 100 * diet.counterfactual,
        "seeds": [manifest.counts["seed"] for manifest in manifests],
        "fingerprint": fingerprint(weights)[:16],
    }


def outcome_columns(recipe: DietRecipe, found: Sequence[SetFigures]) -> dict[str, list[Any]]:
    """Return a row for each diet and seed: fairness on the set of the recipe's rule, AUC on the test table."""
    figures = {one.name: one.result.figures for one in found}
    columns: dict[str, list[Any]] = {"diet": [], "seed": [], "factual": [], "counterfactual": []}
    for system in recipe.systems:
        diet, fair = recipe.diet(system), figures[recipe.fairness.set][system]
        for place, seed in enumerate(recipe.classifier_config().seeds):
            values = {"diet": system, "seed": seed}
            values |= {"factual": 100 * diet.factual, "counterfactual": 100 * diet.counterfactual}
            values |= {name: figure.runs[place] for name, figure in fair.items() if name != "AUC"}
            values["AUC"] = figures[PERFORMANCE][system]["AUC"].runs[place]
            for name, value in values.items():
                columns.setdefault(name, []).append(value)
    return columns


def log_rows(recipe: DietRecipe, record: Mapping[str, Any]) -> Iterator[tuple[str, str, str, str, str]]:
    """Yield what goes into the log of measurements: fingerprint, set and figure, diet, score, signature."""
    for name, one in record["sets"].items():
        if name in recipe.sets and not recipe.sets[name].published:
            continue
        for system, row in one["diets"].items():
            for figure in LOGGED:
                if figure in row and row[figure]["value"] is not None:
                    model = record["diets"][system]["fingerprint"]
                    yield model, f"{name}:{figure}", system, f"{row[figure]['value']:.4f}", one["signature"]


def write_agreement(recipe: DietRecipe, run: Path, output: Path) -> dict[str, Any]:
    """Score the training examples, compare with other people's scores, write ``agreement.json``.

    Raises:
        InputError: their table does not hold the training texts row by row.
    """
    section = recipe.agreement
    assert section is not None
    source, seeds = run / "swap" / "train.parquet", seed_folders(recipe, run, VANILLA)
    train = read_columns(source)
    theirs = _their_scores(recipe, train)
    found = _compare("ours", recipe, source, output / "scores.parquet", theirs, section.names)
    if section.flipped and "GE" in section.names:
        others = row_by_row(section.flipped, section.text or recipe.data.text, train)
        path = output / "their-flips.parquet"
        write_columns(path, {**train.columns, "counterfactual": others})
        found += _compare("theirs", recipe, path, output / "scores-their-flips.parquet", theirs, ("GE",))
    fields = {"n": len(train), "seeds": len(seeds), "early": recipe.scores.early}
    resampling = Resampling(samples=recipe.fairness.samples, seed=recipe.fairness.seed)
    signed = signature("spearman", **fields, bootstrap=resampling.samples, seed=resampling.seed)
    write_json(output / "agreement.json", {"signature": signed, "agreement": found})
    return {"comparisons": len(found)}


def _their_scores(recipe: DietRecipe, train: Columns) -> Mapping[str, Any]:
    section = recipe.agreement
    assert section is not None
    if row_by_row(section.table, recipe.data.text, train) != train.texts("text"):
        raise InputError(f"{section.table}: the texts are not those of {recipe.data.train}, row by row")
    columns = ExampleColumns(recipe.data.text, recipe.data.label)
    return read_examples(section.table, columns=columns, swap=lambda _: train.texts("counterfactual")).scores


def _compare(
    flips: str, recipe: DietRecipe, table: Path, output: Path, theirs: Mapping[str, Any], names: Sequence[str]
) -> list[dict[str, Any]]:
    """Score a table by all vanilla classifiers and compare each score with theirs of the same kind."""
    folders = [folder / "checkpoints" for folder in seed_folders(recipe, table.parents[1], VANILLA)]
    scored = score_file(table, folders, output, options=recipe.score_options(*names))
    resampling = Resampling(samples=recipe.fairness.samples, seed=recipe.fairness.seed)
    pairs = zip(scored.texts("text"), scored.texts("counterfactual"), strict=True)
    changed = np.array([text != other for text, other in pairs], dtype=np.bool_)
    found = []
    for name in names:
        numbered = [f"{name} {number}" for number in range(1, len(folders) + 1)] if len(folders) > 1 else [name]
        own = [scored.numbers(column) for column in numbered]
        others = {other: values for other, values in theirs.items() if other.split()[-1] == name}
        # Examples without a gendered word have GE 0 on both sides, which alone makes ranks agree.
        for part, rows in {"all": None, "changed": changed}.items() if name == "GE" else [("all", None)]:
            made = agreement(name, own, others, rows=rows, resampling=resampling)
            found += [{"flips": flips, "rows": part, **asdict(one)} for one in made]
    return found


def read_figures(folder: Path) -> dict[str, Any]:
    """Return what :func:`write_figures` wrote."""
    return dict(read_json(folder / "figures.json"))
