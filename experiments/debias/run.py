"""The stages of the experiment, and its run.

text -> rewritten, swapped -> corpus/NAME -> data/NAME -> cells/NAME/seed-N/bert -> cds
   `--> balance/NAME -^  `--> tokenizer -^        stem/bert -^          `-> measure  `-> measure-cds
stem/text -----------------^--> stem/data ---------^ `-> diet/scores -> diet/NAME -> data/NAME
"""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Iterable, Sequence
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import Any

from augment.about import ABOUT_VERSION
from augment.balance.run import COUNT_VERSION, SELECT_VERSION
from augment.neutral import NEUTRAL_VERSION
from augment.sources import find_inputs
from eval.mlm_bias.measure import find_sources
from eval.suite_report import toolkit_commit
from experiments.debias import cells, corpora, diets
from experiments.debias.config import Cell, DebiasRecipe, load_debias_recipe
from experiments.debias.level import LEVEL_VERSION
from experiments.debias.sections import CDA, REWRITTEN, STEM, UNTOUCHED, UNTRAINED, CorpusSpec, StemConfig, TextConfig
from rewriter.installation.extras import require
from rewriter.io.files import atomic_write, write_json
from rewriter.runs.manifest import Manifest
from rewriter.runs.recipes import to_yaml
from rewriter.version import __version__
from train.bert import cds
from train.bert.run import STAGE_VERSION as BERT_VERSION
from train.bert.run import copied_tokenizer
from train.bert.start import weight_files
from train.bert.wordpiece import train_wordpiece
from train.recipe.kinds import RecipeKind
from train.stages import RECORD, Choice, Stage, StageContext, Step, plan, run_stages_together

#: raised by hand when text, corpora or measurements come out otherwise
TEXT_VERSION = CORPUS_VERSION = MEASURE_VERSION = 1
#: stages of the model from which all cells begin
_STEM_TEXT, _STEM_DATA, _STEM_MODEL = f"{STEM}/text", f"{STEM}/data", f"{STEM}/bert"
RECIPE, REPORT, CELL = "recipe.yaml", "run.json", "cell.json"


def run_debias(recipe: DebiasRecipe, *, output: Path, choice: Choice | None = None) -> list[Step]:
    """Run the chosen cells and what they need, or what is missing of it; write the results of all finished cells.

    Several calls may share one folder: each takes the cells that no other has in hand.

    Raises:
        ResumeError: a stage's folder holds the output of something else.
        UsageError: ``choice`` names a stage that there is not.
        InputError: an input is missing, or there is too little text.
        MetricError: the corpus cannot be balanced.
        ModelError: a checkpoint is damaged.
        OutputError: the disk is full.
        MissingExtraError: torch, transformers or tokenizers are missing.
    """
    from experiments.debias.results import write_results

    for module in ("torch", "transformers", "tokenizers", "accelerate"):
        require(module, extra="train")
    choice = choice or Choice()
    if recipe.bias is not None and not choice.until and not choice.dry_run:
        find_sources(recipe.bias.options(lang=recipe.lang))  # items that are missing are told before hours of training

    def report(steps: Sequence[Step]) -> None:
        if steps[-1].stage.startswith("cells/") and steps[-1].action != "elsewhere":
            describe_cell(output, steps[-1].stage.rpartition("/")[0])
        write_json(output / REPORT, describe_run(recipe, steps))
        with atomic_write(output / RECIPE) as stream:
            stream.write(to_yaml(recipe).encode("utf-8"))

    steps = run_stages_together(debias_stages(recipe), output, choice, report=report)
    if steps and not choice.dry_run:
        write_results(recipe, finished_cells(recipe, output), output)
    return steps


def describe_run(recipe: DebiasRecipe, steps: Sequence[Step]) -> dict[str, Any]:
    """Return the record of a run: recorded, never compared."""
    return {
        "recipe": recipe.name,
        "size": recipe.size,
        "toolkit": __version__,
        "commit": toolkit_commit(),
        "machine": machine(),
        "seconds": round(sum(step.seconds for step in steps), 1),
        "stages": [asdict(step) for step in steps],
    }


def machine() -> str:
    """Return what kind of machine this is."""
    device = ""
    torch = sys.modules.get("torch")
    if torch is not None and torch.cuda.is_available():
        device = f", {torch.cuda.get_device_name(0)}"
    return f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores{device}"


def describe_cell(run: Path, folder: str) -> None:
    """Write ``cell.json``: time and size of what was done for a cell so far."""
    stages = {}
    for name in ("bert", "measure", "cds", "measure-cds"):
        record = Manifest.load(run / folder / name, RECORD)
        if record is not None and record.complete:
            stages[name] = {"seconds": round(record.seconds, 1), **record.counts}
    if not stages:
        return
    bert = stages.get("bert", {})
    seconds, busy = bert.get("seconds", 0), bert.get("processor_seconds", 0)
    speed, busy_speed = (round(bert.get("pieces", 0) / value) if value else 0 for value in (seconds, busy))
    files = [path for path in (run / folder).rglob("*") if path.is_file()]
    write_json(
        run / folder / CELL,
        {
            "seconds": round(sum(stage["seconds"] for stage in stages.values()), 1),
            "bytes": sum(path.stat().st_size for path in files if path.exists()),
            "pieces_per_second": speed,
            "pieces_per_processor_second": busy_speed,
            "machine": machine(),
            "toolkit": __version__,
            "stages": stages,
        },
    )


def finished_cells(recipe: DebiasRecipe, output: Path) -> list[Path]:
    """Return the folders of measurements of this recipe that are finished, of all cells, whoever made them."""
    stages = debias_stages(replace(recipe, cells=[]))
    done = {step.stage for step in plan(stages, output) if step.action == "skip"}
    return [output / stage.name for stage in stages if stage.name in done and "measure" in stage.name]


def debias_stages(recipe: DebiasRecipe) -> list[Stage]:
    """Return the stages that the chosen cells need, in order.

    Raises:
        InputError: an input is missing.
    """
    chosen = recipe.chosen()
    specs = list({cell.corpus.name: cell.corpus for cell in chosen}.values())
    made = _taken_over(recipe, specs) if recipe.prepared is not None else _corpus_stages(recipe, specs)
    made += _untrained_stages(recipe)
    made += _stem_stages(recipe)
    made += _diet_stages(recipe, specs)
    for cell in chosen:
        made += _cell_stages(recipe, cell)
    return made


def _taken_over(recipe: DebiasRecipe, specs: Sequence[CorpusSpec]) -> list[Stage]:
    """Stages that take vocabulary and packed corpora from another run; what they write is the same."""
    assert recipe.prepared is not None
    stem = [_STEM_DATA] if recipe.stem is not None else []
    names = ["tokenizer", "data/held-out", *stem, *(f"data/{spec.name}" for spec in specs)]
    stages = []
    for name in names:
        source = recipe.prepared / name
        files = {path.name: path for path in sorted(source.glob("*.npy")) + sorted(source.glob("tokenizer.json"))}
        outputs = ("tokenizer*", "vocab.txt") if name == "tokenizer" else ("*.npy",)
        run = partial(_take_over, source)
        stages.append(Stage(name, CORPUS_VERSION, run, {"taken from": "prepared"}, files, outputs=outputs))
    return stages


def _take_over(source: Path, stage: StageContext) -> None:
    corpora.take_over(source, stage.output)


def _corpus_stages(recipe: DebiasRecipe, specs: Sequence[CorpusSpec]) -> list[Stage]:
    bases = {spec.base for spec in specs if spec.base != UNTOUCHED}
    changes = {REWRITTEN, *(spec.lines_of for spec in specs if spec.change)}
    if bases & set(recipe.diets):
        changes.add("swapped")
    stages = [_text_stage(recipe)]
    stages += [_change_stage(recipe, change) for change in sorted(changes)]
    stages += [_balance_stage(recipe, base) for base in recipe.balance if base in bases]
    stages += [_compose_stage(recipe, spec) for spec in specs if corpora.corpus_file(spec).startswith("corpus/")]
    if recipe.stem is not None:
        stages.append(_stem_text_stage(recipe, recipe.stem))
    stages.append(_tokenizer_stage(recipe))
    if recipe.stem is not None:
        stages.append(_stem_data_stage(recipe))
    stages.append(
        Stage(
            "data/held-out", CORPUS_VERSION, lambda stage: corpora.pack_held_out(recipe, stage.run, stage.output),
            _packing(recipe), after=("text", "rewritten", "tokenizer"), outputs=("*.npy",),
        )
    )  # fmt: skip
    return stages + [_data_stage(recipe, spec) for spec in specs if spec.base not in recipe.diets]


def _diet_stages(recipe: DebiasRecipe, specs: Sequence[CorpusSpec]) -> list[Stage]:
    """Stages of the corpora that are chosen by what the stem expects."""
    chosen = [spec for spec in specs if spec.base in recipe.diets]
    if not chosen or recipe.prepared is not None:
        return []

    def score(stage: StageContext) -> None:
        diets.write_scores(recipe, stage.run, stage.output, cells.device_of(recipe))

    options = {"length": recipe.packing.length, "mask_share": recipe.train.mask_share, "lang": recipe.lang}
    stem = (_STEM_MODEL,) if recipe.stem is not None else ()
    stages = [
        Stage(
            "diet/scores",
            diets.DIET_VERSION,
            score,
            options,
            weight_files(recipe.model.start) if recipe.model.start is not None and recipe.stem is None else {},
            after=("text", "swapped", *stem),
            outputs=(diets.SCORES,),
        )
    ]
    stages += [_diet_stage(recipe, spec.base) for spec in chosen]
    return stages + [_data_stage(recipe, spec) for spec in chosen]


def _diet_stage(recipe: DebiasRecipe, name: str) -> Stage:
    config = recipe.diets[name]

    def run(stage: StageContext) -> None:
        diets.write_diet(config, stage.run, stage.output)

    return Stage(
        f"diet/{name}", diets.DIET_VERSION, run, asdict(config), after=("diet/scores",), outputs=("*.txt.zst",)
    )


def _text_stage(recipe: DebiasRecipe) -> Stage:
    files = find_inputs(recipe.data.inputs, recipe.data.exclude)
    options = _text_options(recipe.data)
    own, shipped = _metadata(recipe.data.about)
    if recipe.data.about:
        options |= {"about": shipped, "lang": recipe.lang}
    if recipe.data.about_gendered:
        options["gendered"] = True
    return Stage(
        "text",
        f"{TEXT_VERSION}.{ABOUT_VERSION}" if recipe.data.about else TEXT_VERSION,
        lambda stage: corpora.split_text(recipe, files, stage.output),
        options,
        {path.name: path for path in files} | own,
        outputs=("*.txt.zst",),
    )


def _text_options(config: TextConfig) -> dict[str, Any]:
    """Return how lines are drawn; which files and which sentences counts beside it."""
    drawn = ("words", "held_out", "held_out_words", "seed")
    return {key: value for key, value in asdict(config).items() if key in drawn}


def _metadata(names: Iterable[str]) -> tuple[dict[str, Path], list[str]]:
    """Return metadata that are files, by a label, and the names of those that are shipped."""
    listed = sorted(set(names))
    own = {f"metadata {Path(name).name}": Path(name) for name in listed if Path(name).suffix == ".json"}
    return own, [name for name in listed if Path(name).suffix != ".json"]


def _change_stage(recipe: DebiasRecipe, change: str) -> Stage:
    """The stage that changes all lines of the text, or with ``rewritten+swapped`` those of another such stage."""
    before, plus, last = change.rpartition("+")
    source = before if plus else "text"
    spec = corpora.change_spec(recipe.change, last, recipe.lang)

    def run(stage: StageContext) -> None:
        corpora.change_text(spec, recipe.change.processes, stage.run / source, stage.output)

    return Stage(change, CORPUS_VERSION, run, spec.identity(), after=(source,), outputs=("*.txt.zst",))


def _balance_stage(recipe: DebiasRecipe, base: str) -> Stage:
    config = recipe.balance[base]

    def run(stage: StageContext) -> None:
        corpora.balance_text(config, recipe.lang, recipe.change.processes, stage.run / "text", stage.output)

    return Stage(
        f"balance/{base}",
        f"{CORPUS_VERSION}.{COUNT_VERSION}.{SELECT_VERSION}",
        run,
        {**config.identity(), "lang": recipe.lang},
        {key: path for key in ("metadata", "apart") if (path := Path(getattr(config, key))).suffix == ".json"},
        after=("text",),
        outputs=("*.txt.zst", "counts/counts.jsonl.zst"),
    )


def _compose_stage(recipe: DebiasRecipe, spec: CorpusSpec) -> Stage:
    balance = (f"balance/{spec.base}",) if spec.base in recipe.balance else ()
    return Stage(
        f"corpus/{spec.name}",
        CORPUS_VERSION,
        lambda stage: corpora.compose(recipe, spec, stage.run, stage.output),
        {"share": spec.share, "seed": recipe.change.seed, **({"adds": True} if spec.change == CDA else {})},
        after=("text" if spec.base != REWRITTEN else REWRITTEN, spec.lines_of, *balance),
        outputs=("*.txt.zst",),
    )


def _tokenizer_stage(recipe: DebiasRecipe) -> Stage:
    if recipe.model.start is not None:
        return copied_tokenizer(recipe.model.start)

    after = ("text", "rewritten", *([_STEM_TEXT] if recipe.stem is not None else []))

    def run(stage: StageContext) -> None:
        files = [stage.run / folder / corpora.TRAIN for folder in after]
        pieces = train_wordpiece(files, recipe.tokenizer, stage.output)
        corpora.finished(stage.output, "tokenizer", pieces=pieces)

    return Stage(
        "tokenizer", BERT_VERSION, run, recipe.tokenizer.identity(), after=after,
        outputs=("tokenizer*", "vocab.txt"),
    )  # fmt: skip


def _packing(recipe: DebiasRecipe) -> dict[str, Any]:
    return {**asdict(recipe.packing), "lang": recipe.lang}


def _data_stage(recipe: DebiasRecipe, spec: CorpusSpec) -> Stage:
    file = corpora.corpus_file(spec, recipe.diets)

    def run(stage: StageContext) -> None:
        corpora.pack_corpus_file(recipe, stage.run / file, stage.run / "tokenizer", stage.output)

    after = (file.rpartition("/")[0], "tokenizer")
    return Stage(f"data/{spec.name}", CORPUS_VERSION, run, _packing(recipe), after=after, outputs=("*.npy",))


def _untrained_stages(recipe: DebiasRecipe) -> list[Stage]:
    def run(stage: StageContext) -> None:
        cells.untrained(recipe, stage.run, stage.output)

    model = Stage(
        UNTRAINED, BERT_VERSION, run, {"model": recipe.model.identity()}, after=("tokenizer",), outputs=("model/*",)
    )
    return [model, _measure_stage(recipe, f"{UNTRAINED}/measure", UNTRAINED)]


def _stem_stages(recipe: DebiasRecipe) -> list[Stage]:
    """Stages of the model from which all cells begin: trained here, or only measured."""
    if recipe.stem is not None:
        return [_stem_training(recipe, recipe.stem), _measure_stage(recipe, f"{STEM}/measure", _STEM_MODEL)]
    start = recipe.model.start
    if start is None:
        return []
    stage = _measure_stage(recipe, f"{STEM}/measure", "")
    run = partial(_measure_folder, recipe, start)
    after = tuple(name for name in stage.after if name)
    return [replace(stage, run=run, files={**stage.files, **weight_files(start)}, after=after)]


def _stem_training(recipe: DebiasRecipe, stem: StemConfig) -> Stage:
    def run(stage: StageContext) -> None:
        cells.train_stem(recipe, stage.run, stage.output)

    train = stem.train or recipe.train
    options = {"model": recipe.model.identity(), "train": train.identity(), "seed": stem.seed}
    after = ("tokenizer", _STEM_DATA)
    version = f"{BERT_VERSION}.{LEVEL_VERSION}"
    start = recipe.model.start
    weights = weight_files(start) if start is not None else {}
    return Stage(_STEM_MODEL, version, run, options, weights, after=after, outputs=("model/*",), parallel=True)


def _stem_text_stage(recipe: DebiasRecipe, stem: StemConfig) -> Stage:
    """The stage of the stem's lines: those that no treatment touches, or those about none of the corpus's terms."""
    files = find_inputs(stem.inputs, stem.exclude)
    options = {**_text_options(stem.text()), "lang": recipe.lang}
    if stem.lines == "neutral":
        own, shipped = _metadata(config.metadata for config in recipe.balance.values())
        options |= {"metadata": shipped, "names": recipe.names_are_touched}
        version = f"{TEXT_VERSION}.{NEUTRAL_VERSION}"
    else:
        own, shipped = _metadata(recipe.data.about)
        options |= {"lines": stem.lines, "about": shipped, "gendered": recipe.data.about_gendered}
        version = f"{TEXT_VERSION}.{ABOUT_VERSION}"
    return Stage(
        _STEM_TEXT,
        version,
        lambda stage: corpora.stem_text(recipe, files, stage.run, stage.output),
        options,
        {path.name: path for path in files} | own,
        after=("text",),
        outputs=("*.txt.zst",),
    )


def _stem_data_stage(recipe: DebiasRecipe) -> Stage:
    return Stage(
        _STEM_DATA,
        CORPUS_VERSION,
        lambda stage: corpora.pack_stem(recipe, stage.run, stage.output),
        _packing(recipe),
        after=(_STEM_TEXT, "tokenizer"),
        outputs=("*.npy",),
    )


def _measure_folder(recipe: DebiasRecipe, model: Path, stage: StageContext) -> None:
    cells.measure_model(recipe, model, stage.run, stage.output)


def _cell_stages(recipe: DebiasRecipe, cell: Cell) -> list[Stage]:
    name, data = f"{cell.folder}/bert", f"data/{cell.corpus.name}"
    options = {"model": recipe.model.identity(), "train": recipe.train.identity(), "seed": cell.seed}

    def run(stage: StageContext) -> None:
        cells.train_cell(recipe, cell, stage.run, stage.output)

    bert = Stage(
        name,
        BERT_VERSION,
        run,
        options,
        weight_files(recipe.model.start) if recipe.model.start is not None and recipe.stem is None else {},
        after=("tokenizer", data, "data/held-out", *([_STEM_MODEL] if recipe.stem is not None else [])),
        outputs=("model/*",),
        parallel=True,
        apart=True,
    )
    stages = [bert, _measure_stage(recipe, f"{cell.folder}/measure", name)]
    if recipe.cds is not None:
        stages.append(_cds_stage(recipe, cell))
        stages.append(_measure_stage(recipe, f"{cell.folder}/measure-cds", f"{cell.folder}/cds"))
    return stages


def _cds_stage(recipe: DebiasRecipe, cell: Cell) -> Stage:
    assert recipe.cds is not None

    def run(stage: StageContext) -> None:
        cells.tune_cell(recipe, stage.run / cell.folder / "bert/model", stage.output)

    return Stage(
        f"{cell.folder}/cds",
        cds.STAGE_VERSION,
        run,
        recipe.cds.options.identity(),
        {"texts": recipe.cds.texts},
        after=(f"{cell.folder}/bert",),
        outputs=("model/*",),
        parallel=True,
        apart=True,
    )


def _measure_stage(recipe: DebiasRecipe, name: str, model: str) -> Stage:
    options: dict[str, Any] = {"lang": recipe.lang, "templates": recipe.bec_pro.templates}
    options |= {"mask_share": recipe.train.mask_share, "whole_words": recipe.train.whole_words}
    files: dict[str, Path] = {}
    if recipe.probe is not None:
        options["probe sentences"] = recipe.probe.sentences
        files = {part: recipe.probe.treebank / getattr(recipe.probe, part) for part in ("train", "test")}
    after = (model, "data/held-out")
    if recipe.bias is not None:
        options["bias"] = {key: value for key, value in asdict(recipe.bias).items() if key != "paths"}
        after = (*after, *(("text", REWRITTEN) if recipe.prepared is None else ()))

    def run(stage: StageContext) -> None:
        cells.measure_model(recipe, stage.run / model / "model", stage.run, stage.output)

    outputs = (cells.MEASURED, cells.SCORES)
    return Stage(name, MEASURE_VERSION, run, options, files, after, outputs, apart=name.startswith("cells/"))


KIND = RecipeKind(load_debias_recipe, debias_stages, run_debias)
