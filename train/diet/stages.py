"""The stages of a diet recipe.

data -> swap -> vocabulary -> train/vanilla -> scores -> diet/NAME ... -> train/NAME ... -> fairness -> report
                                          `-> agreement
"""

from __future__ import annotations

import shutil
from dataclasses import asdict, replace
from pathlib import Path

from augment.diet import files as diet_files
from augment.swap.strategies import SwapperSpec
from eval.example_scores import run as scores
from eval.suite_report import append_rows
from lexicons.loader import LEXICON_VERSION
from rewriter.errors import InputError
from rewriter.io.columns import read_columns
from train.classifier import run as classifier
from train.classifier.data import make_tokenizer
from train.diet import measure, report, tables
from train.diet.recipe import FLIPPED_TEST, TEST, VANILLA, DietRecipe, load_diet_recipe
from train.recipe.kinds import RecipeKind
from train.stages import Stage, StageContext

#: raise by hand when the same texts give another vocabulary
VOCABULARY_VERSION = 2
#: how fast, not what; and how far, which is a limit
_NOT_COMPARED = ("threads", "seeds", "train", "dev", "test", "name")
_SCORES = "scores.parquet"


def diet_stages(recipe: DietRecipe) -> list[Stage]:
    """Return the stages of a recipe in the order in which they run.

    Raises:
        InputError: a table is missing.
    """
    made = [_data_stage(recipe), _swap_stage(recipe)]
    if _has_vocabulary(recipe):
        made.append(_vocabulary_stage(recipe))
    others = recipe.systems[1:]
    made += [_train_stage(recipe, VANILLA), _scores_stage(recipe)]
    made += [_diet_stage(recipe, name) for name in others]
    made += [_train_stage(recipe, name) for name in others]
    made += [_fairness_stage(recipe), _report_stage(recipe)]
    return [*made, _agreement_stage(recipe)] if recipe.agreement else made


def _file(path: str, key: str) -> Path:
    if not Path(path).is_file():
        raise InputError(f"{path}: there is no such table ({key})")
    return Path(path)


def _has_vocabulary(recipe: DietRecipe) -> bool:
    config = recipe.classifier_config()
    return not (config.model or config.tokenizer)


def _data_stage(recipe: DietRecipe) -> Stage:
    parts = {part: _file(getattr(recipe.data, part), f"data.{part}") for part in tables.PARTS}
    published = {name: section for name, section in recipe.sets.items() if section.published}
    parts |= {name: _file(section.published, f"sets.{name}.published") for name, section in published.items()}
    names = ("text", "label", "positive")
    options = {name: getattr(recipe.data, name) for name in names} | {"lexicon": LEXICON_VERSION}
    options["sets"] = {
        name: {key: value for key, value in asdict(section).items() if key != "published"}
        for name, section in recipe.sets.items()
    }
    return Stage(
        "data", tables.STAGE_VERSION, lambda stage: _ignore(tables.write_data(recipe, stage.output)), options, parts
    )


def _swap_stage(recipe: DietRecipe) -> Stage:
    given = {"flipped": _file(recipe.swap.flipped, "swap.flipped")} if recipe.swap.flipped else {}
    options = {"lang": recipe.swap.lang, "text": recipe.swap.text, "lexicon": LEXICON_VERSION}

    def run(stage: StageContext) -> None:
        tables.write_counterfactuals(recipe, stage.run / "data", stage.output)

    identity = SwapperSpec(lang=recipe.swap.lang).identity()
    return Stage("swap", tables.STAGE_VERSION, run, options | identity, given, ("data",))


def _vocabulary_stage(recipe: DietRecipe) -> Stage:
    def run(stage: StageContext) -> None:
        train = read_columns(stage.run / "swap" / "train.parquet")
        texts = [*train.texts("text"), *train.texts("counterfactual")]
        length = recipe.classifier_config().max_length
        made = make_tokenizer(
            texts, vocab_size=recipe.vocabulary.vocab_size, lower=recipe.vocabulary.lower, max_length=length
        )
        made.save_pretrained(str(stage.output))

    options = asdict(recipe.vocabulary) | {"max_length": recipe.classifier_config().max_length}
    return Stage("vocabulary", VOCABULARY_VERSION, run, options, after=("swap",))


def _train_stage(recipe: DietRecipe, name: str) -> Stage:
    vocabulary = _has_vocabulary(recipe)
    config = recipe.classifier_config()

    def run(stage: StageContext) -> None:
        train_diet(recipe, name, stage)

    options = {key: value for key, value in asdict(config).items() if key not in _NOT_COMPARED}
    folder = Path(config.model)
    weights = sorted(folder.glob("*.safetensors")) if config.model and folder.is_dir() else []
    source = ("data", "swap") if name == VANILLA else ("data", "swap", f"diet/{name}")
    return Stage(
        f"train/{name}",
        classifier.STAGE_VERSION,
        run,
        options,
        {path.name: path for path in weights},
        (*source, "vocabulary") if vocabulary else source,
        outputs=("seed-*/predictions-*.parquet", "seed-*/metrics.json", "seed-*/checkpoints/*/model.safetensors"),
        limits={"seeds": config.seeds, "restart_below": recipe.restart_below},
    )


def train_diet(recipe: DietRecipe, name: str, stage: StageContext) -> None:
    """Train the classifiers of one diet, one for each seed, and let them answer the test table and all sets."""
    run, vanilla = stage.run, name == VANILLA
    tests = {TEST: run / "data" / f"{TEST}.parquet", FLIPPED_TEST: run / "swap" / f"{FLIPPED_TEST}.parquet"}
    tests |= {other: run / "data" / f"{other}.parquet" for other in recipe.sets}
    given = {
        "train": str(run / "swap" / "train.parquet" if vanilla else run / "diet" / name / "train.parquet"),
        "dev": str(run / "data" / "dev.parquet"),
        "test": {other: str(path) for other, path in tests.items()},
    }
    if _has_vocabulary(recipe):
        given["tokenizer"] = str(run / "vocabulary")
    config = recipe.classifier_config(**given)
    seeds = config.seeds
    for _ in range(measure.STARTS):
        classifier.train_classifier(replace(config, seeds=seeds), output=stage.output)
        again = [seed for seed in seeds if measure.collapsed(recipe, stage.output / f"seed-{seed}")]
        seeds = [seed + measure.RESTART_STEP for seed in again]
        if not seeds:
            break
    if not vanilla:  # scores are taken at the checkpoints of vanilla only
        for folder in stage.output.glob("seed-*/checkpoints"):
            shutil.rmtree(folder)


def _scores_stage(recipe: DietRecipe) -> Stage:
    def run(stage: StageContext) -> None:
        folders = [folder / "checkpoints" for folder in measure.seed_folders(recipe, stage.run, VANILLA)]
        table = stage.run / "swap" / "train.parquet"
        scores.score_file(table, folders, stage.output / _SCORES, options=recipe.score_options())

    options = {"names": recipe.scores.names, "early": recipe.scores.early}
    return Stage("scores", scores.STAGE_VERSION, run, options, after=("swap", f"train/{VANILLA}"), outputs=(_SCORES,))


def _diet_stage(recipe: DietRecipe, name: str) -> Stage:
    diet = recipe.diet(name)

    def run(stage: StageContext) -> None:
        config = diet_files.DietConfig(
            table=str(stage.run / "scores" / _SCORES),
            diet=diet.name,
            factual=100 * diet.factual,
            counterfactual=100 * diet.counterfactual,
            score=diet.score,
            changed_only=diet.changed_only,
            format="parquet",
            seed=diet.seed,
        )
        diet_files.diet_files(config, output=stage.output)

    return Stage(
        f"diet/{name}", diet_files.STAGE_VERSION, run, asdict(diet), after=("scores",), outputs=("train.parquet",)
    )


def _fairness_stage(recipe: DietRecipe) -> Stage:
    def run(stage: StageContext) -> None:
        measure.write_figures(recipe, stage.run, stage.output)
        rows = list(measure.log_rows(recipe, measure.read_figures(stage.output)))
        for path in (stage.output / "measurements.tsv", recipe.fairness.log):
            if path is not None and rows:
                append_rows(path, rows)

    options = {key: value for key, value in asdict(recipe.fairness).items() if key not in ("log", "loss")}
    options |= {"seeds": recipe.classifier_config().seeds, "restart_below": recipe.restart_below}
    after = tuple(f"train/{name}" for name in recipe.systems)
    outputs = ("figures.json", "outcomes.csv")
    return Stage("fairness", measure.FAIRNESS_VERSION, run, options, after=after, outputs=outputs)


def _report_stage(recipe: DietRecipe) -> Stage:
    def run(stage: StageContext) -> None:
        report.write_report(recipe, stage.run / "fairness", stage.output)

    figures = recipe.fairness
    options = {"set": figures.set, "objective": figures.objective, "loss": figures.loss, "against": figures.against}
    return Stage("report", report.STAGE_VERSION, run, options, after=("fairness",))


def _agreement_stage(recipe: DietRecipe) -> Stage:
    section = recipe.agreement
    assert section is not None
    files = {"table": _file(section.table, "agreement.table")}
    if section.flipped:
        files["flipped"] = _file(section.flipped, "agreement.flipped")

    def run(stage: StageContext) -> None:
        measure.write_agreement(recipe, stage.run, stage.output)
        report.write_agreement_report(stage.output)

    options = {"names": section.names, "text": section.text, "early": recipe.scores.early}
    options |= {"samples": recipe.fairness.samples, "seed": recipe.fairness.seed}
    outputs = ("agreement.json", "agreement.md")
    after = ("swap", f"train/{VANILLA}")
    return Stage("agreement", measure.AGREEMENT_VERSION, run, options, files, after, outputs)


def _ignore(value: object) -> None:
    """Drop a result: later stages read files."""


KIND = RecipeKind(load_diet_recipe, diet_stages)
