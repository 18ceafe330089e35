"""Turns a rewriter recipe into the stages of its run.

parser -> augment/NAME ... -> filter -> mix -> tokenizer -> train -> export -> score     (target: full)
                                           `-> encoder -> edits -> export -> score     (target: edits)
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from augment import filtering, generate, gold, mixing
from augment.sources import data_card, find_inputs, pair_files
from lexicons.loader import LEXICON_VERSION
from rewriter.errors import UsageError
from rewriter.io.files import file_digest, read_pairs
from rewriter.language.interface import get_language, profile
from rewriter.model.directory import EDITS, SEQ2SEQ, ModelInfo, resolve, seal
from rewriter.model.learned import CHANGES
from rewriter.runs.manifest import fingerprint
from rewriter.version import __version__
from train import parser, scoring
from train.edits import train as edits
from train.edits.config import EditsConfig
from train.edits.labels import variations_version
from train.encoder import pretraining
from train.encoder.pretrained import START_FILES, TOKENIZER, find_start, start_digests
from train.explained import check_explained
from train.export.changes import CHANGES_VERSION
from train.loop import processes
from train.recipe.kinds import RecipeKind
from train.recipe.schema import TRAINED_PARSER, RewriterRecipe, load_rewriter_recipe, portable
from train.seq2seq import config as seq2seq_config
from train.seq2seq import tokenizer, train_seq2seq
from train.stages import Stage, StageContext

#: raise by hand when the same checkpoint gives another model directory, of an edit model and of a whole one
EXPORT_VERSION = {EDITS: 1, SEQ2SEQ: 2}
MODEL = "model"
#: how fast, not what: these never count
_SPEED = {"processes", "threads", "device", "most_dropped"}


def recipe_stages(recipe: RewriterRecipe, *, before: Sequence[Stage] = (), sources: Sequence[str] = ()) -> list[Stage]:
    """Return the stages of a recipe in the order in which they run; a section that is missing gives none.

    Args:
        recipe: what to do.
        before: stages of another kind of recipe that run first.
        sources: those of them whose pairs are filtered and mixed with the others.

    Raises:
        InputError: an input file is missing.
        UsageError: options that do not go together.
    """
    made = [*before, *_pair_stages(recipe, tuple(sources))]
    made += _full_stages(recipe) if recipe.target == SEQ2SEQ else _edits_stages(recipe)
    if recipe.export is not None:
        made.append(_export_stage(recipe))
    if recipe.score is not None:
        made.append(scoring.score_stage(recipe))
    return made


def _options(config: Any, *left_out: str) -> dict[str, Any]:
    return {k: v for k, v in asdict(config).items() if k not in _SPEED and k not in left_out}


def _labelled(paths: Sequence[Path]) -> dict[str, Path]:
    """Return paths by base name, with the folder's name where two are alike."""
    labelled: dict[str, Path] = {}
    for path in paths:
        labelled[path.name if path.name not in labelled else f"{path.parent.name}/{path.name}"] = path
    return labelled


def _pair_stages(recipe: RewriterRecipe, made: tuple[str, ...]) -> list[Stage]:
    stages = []
    if recipe.parser is not None:
        stages.append(_parser_stage(recipe.parser))
    stages += [_augment_stage(name, config) for name, config in recipe.augment.items()]
    sources = (*made, *(stage.name for stage in stages if stage.name.startswith("augment/")))
    if recipe.filter is not None and (sources or recipe.pairs):
        stages.append(_filter_stage(recipe, sources))
        sources = ("filter",)
    if recipe.gold is not None:
        stages.append(_gold_stage(recipe, recipe.gold))
        sources = (*sources, stages[-1].name)
    if recipe.mix is not None:
        stages.append(_mix_stage(recipe, sources))
    return stages


def _parser_stage(config: parser.ParserConfig) -> Stage:
    return Stage(
        "parser",
        parser.STAGE_VERSION,
        lambda stage: _ignore(parser.train_parser(config, output=stage.output)),
        _options(config, "treebank"),
        config.parts(),
        outputs=("pipeline/**/*",),
    )


def _augment_stage(name: str, config: generate.GenerateConfig) -> Stage:
    trained = config.parser == TRAINED_PARSER

    def run(stage: StageContext) -> None:
        path = str(stage.run / TRAINED_PARSER) if trained else config.parser
        generate.generate(replace(config, parser=path), output=stage.output)

    options = _options(config, "inputs", "exclude", "hold_out", "parser") | {"lexicon": LEXICON_VERSION}
    options |= generate.teacher_identity(config)
    if config.hold_out:
        options["held out"] = fingerprint(sorted(generate.held_lines(config.hold_out)))
    if config.parser and not trained:
        options["pipeline"] = generate.parser_identity(config.parser)
    return Stage(
        f"augment/{name}",
        generate.STAGE_VERSION,
        run,
        options,
        _labelled(find_inputs(config.inputs, config.exclude)),
        ("parser",) if trained else (),
        ("pairs-*",),
    )


def _gold_stage(recipe: RewriterRecipe, config: gold.GoldConfig) -> Stage:
    data = recipe.data_root
    assert data is not None
    options = _options(config, "files", "hold_out", "weight", "readers") | {"lexicon": LEXICON_VERSION}
    if config.hold_out:
        options["held out"] = fingerprint(sorted(generate.held_lines(config.hold_out)))
    return Stage(
        f"augment/{gold.GOLD}",
        gold.STAGE_VERSION,
        lambda stage: _ignore(gold.make_gold(config, data=data, output=stage.output)),
        options,
        _labelled(gold.gold_files(config.files)),
        outputs=("pairs-*",),
    )


def _filter_stage(recipe: RewriterRecipe, sources: tuple[str, ...]) -> Stage:
    config, given = recipe.filter, pair_files(recipe.pairs)
    assert config is not None

    def run(stage: StageContext) -> None:
        inputs = [*(stage.run / name for name in sources), *given]
        filtering.filter_pairs(config, inputs=inputs, output=stage.output)

    options = _options(config, "shard_lines")
    return Stage("filter", filtering.STAGE_VERSION, run, options, _labelled(given), sources, (filtering.PAIRS,))


def _mix_stage(recipe: RewriterRecipe, sources: tuple[str, ...]) -> Stage:
    config = recipe.mix
    given = [] if recipe.filter is not None else pair_files(recipe.pairs)
    assert config is not None
    if recipe.gold is not None:
        config = replace(config, weights={gold.GOLD: recipe.gold.weight, **config.weights})

    def run(stage: StageContext) -> None:
        mixing.mix(config, inputs=[*(stage.run / name for name in sources), *given], output=stage.output)

    return Stage("mix", mixing.STAGE_VERSION, run, _options(config), _labelled(given), sources, ("train.*", "dev.*"))


def _full_stages(recipe: RewriterRecipe) -> list[Stage]:
    stages = []
    if recipe.tokenizer is not None:
        stages.append(_tokenizer_stage(recipe))
    if recipe.train is not None:
        stages.append(_train_stage(recipe, recipe.train))
    return stages


def _tokenizer_stage(recipe: RewriterRecipe) -> Stage:
    config, start = recipe.tokenizer, recipe.train.start if recipe.train is not None else ""
    assert config is not None
    return vocabulary_stage(config, "tokenizer", "mix", init=recipe.init, start=start)


def vocabulary_stage(config: tokenizer.TokenizerConfig, name: str, pairs: str, *, init: str, start: str) -> Stage:
    """Return the stage that makes the vocabulary of a sequence-to-sequence model.

    Args:
        config: of the vocabulary.
        name: of the stage.
        pairs: the stage whose pairs are read.
        init: weights to start from, whose vocabulary is taken; or nothing.
        start: pretrained encoder whose vocabulary is cut; or nothing.

    Raises:
        InputError: there is no such encoder.
        UsageError: beside the weights lies no vocabulary.
    """
    if not init:
        return Stage(
            name,
            tokenizer.VERSION,
            lambda stage: _ignore(
                tokenizer.train_tokenizer(config, pairs=stage.run / pairs, output=stage.output, start=start)
            ),
            _options(config),
            {f"start {TOKENIZER}": find_start(start) / TOKENIZER} if start else {},
            after=(pairs,),
            outputs=(tokenizer.MODEL_FILE,),
        )
    vocabulary = init_vocabulary(init)
    return Stage(
        name,
        tokenizer.VERSION,
        lambda stage: _ignore(shutil.copyfile(vocabulary, stage.output / tokenizer.MODEL_FILE)),
        {"taken from": "init"},
        {"init": vocabulary},
        outputs=(tokenizer.MODEL_FILE,),
    )


def init_folder(init: str) -> Path:
    """Return the folder that ``init`` names: a path, or a bundled model.

    Raises:
        ModelError: there is none.
    """
    return resolve(init)


def init_vocabulary(init: str) -> Path:
    """Return the vocabulary of the model to start from, which the new one keeps.

    Raises:
        UsageError: there is none beside the weights.
    """
    folder = init_folder(init)
    for candidate in (folder, folder / seq2seq_config.CHECKPOINT, folder.parent):
        if (candidate / tokenizer.MODEL_FILE).is_file():
            return candidate / tokenizer.MODEL_FILE
    raise UsageError(
        f"{folder}: holds no {tokenizer.MODEL_FILE}, so it is no sequence-to-sequence model to start from; pass a "
        "train folder of a run, its checkpoint, or a model directory with target 'full'"
    )


def _train_stage(recipe: RewriterRecipe, config: seq2seq_config.Seq2SeqConfig) -> Stage:
    return training_stage(config, "train", "mix", "tokenizer", init=recipe.init)


def training_stage(config: seq2seq_config.Seq2SeqConfig, name: str, pairs: str, pieces: str, *, init: str) -> Stage:
    """Return the stage that trains a sequence-to-sequence model.

    Args:
        config: model and training.
        name: of the stage.
        pairs: the stage whose pairs are learnt.
        pieces: the stage that made the vocabulary.
        init: weights to start from; or nothing.

    Raises:
        InputError: there is no such pretrained encoder.
        ModelError: there are no such weights.
    """
    folder = init_folder(init) if init else None

    def run(stage: StageContext) -> None:
        data, vocabulary = stage.run / pairs, stage.run / pieces
        train_seq2seq(config, data=data, tokenizer=vocabulary, output=stage.output, init=folder)

    options = config.options(*seq2seq_config.NOT_COMPARED)
    if folder is not None:
        options["init"] = seq2seq_config.weights_digest(folder)
    return Stage(
        name,
        seq2seq_config.VERSION,
        run,
        options,
        seq2seq_config.start_files(config),
        after=(pairs, pieces),
        outputs=(f"{seq2seq_config.CHECKPOINT}/**/*",),
        limits=seq2seq_config.limits(config),
        parallel=True,
    )


def _edits_stages(recipe: RewriterRecipe) -> list[Stage]:
    stages = []
    if recipe.init:
        stages.append(_start_stage(init_folder(recipe.init), recipe.init_layers))
    elif recipe.encoder is not None:
        stages.append(_encoder_stage(recipe.encoder))
    if recipe.edits is not None:
        most_dropped = recipe.mix.most_dropped if recipe.mix is not None else 1.0
        stages.append(_edit_model_stage(recipe.edits, most_dropped))
    return stages


def _weights(init: Path) -> list[Path]:
    """Return the files that may hold the weights of a model to start from."""
    return [init / "model.bin", init / "encoder" / "model.safetensors", init / "head.json"]


def _start_stage(init: Path, layers: int) -> Stage:
    """The stage that stands in the encoder's place in fine-tuning: vocabulary, weights and head of another model."""
    from train.edits.start import write_start

    return Stage(
        "encoder",
        pretraining.STAGE_VERSION,
        lambda stage: write_start(init, stage.output, layers=layers),
        {"taken from": "init"} | ({"init_layers": layers} if layers else {}),
        {path.name: path for path in _weights(init) if path.is_file()},
        outputs=("pieces.model", "head.json", "encoder/*"),
    )


def _encoder_stage(config: pretraining.EncoderConfig) -> Stage:
    paths = find_inputs(config.inputs, config.exclude)
    resolved = replace(config, inputs=[str(path) for path in paths], exclude=[])
    start = find_start(config.start) if config.start else None
    pretrained = {f"start {name}": start / name for name in START_FILES} if start else {}
    return Stage(
        "encoder",
        pretraining.STAGE_VERSION,
        lambda stage: pretraining.train_encoder(resolved, output=stage.output),
        _options(config, "inputs", "exclude", "max_minutes", *([] if start else ["start", "start_layers"])),
        _labelled(paths) | pretrained,
        outputs=("pieces.model", "encoder/*"),
        parallel=True,
    )


def _edit_model_stage(config: EditsConfig, most_dropped: float) -> Stage:
    def run(stage: StageContext) -> None:
        if processes.rank() == 0:
            pairs = read_pairs(tokenizer.find_pairs(stage.run / "mix", "train"))
            check_explained(pairs, get_language(config.lang, **config.language), most_dropped)
        edits.train_edits(config, data=stage.run / "mix", output=stage.output, encoder=stage.run / "encoder")

    return Stage(
        "edits",
        edits.STAGE_VERSION,
        run,
        _options(config, "max_minutes") | variations_version(config),
        after=("mix", "encoder"),
        outputs=("encoder/*", "head.json"),
        parallel=True,
    )


def _export_stage(recipe: RewriterRecipe) -> Stage:
    config = recipe.export
    assert config is not None
    full = recipe.target == SEQ2SEQ

    def run(stage: StageContext) -> None:
        convert = _convert_full if full else _convert_edits
        convert(stage, config.quantization)
        seal(stage.output / MODEL, model_info(recipe))

    options = {**asdict(config), "name": recipe.name, "target": recipe.target, "lexicon": LEXICON_VERSION}
    options |= {"changes": CHANGES_VERSION} if full else {}
    return Stage(
        "export",
        EXPORT_VERSION[recipe.target],
        run,
        options,
        after=("train", "tokenizer", "mix") if full else ("edits", "encoder"),
        # The description and the card get the scores later; they are no part of what the model answers.
        outputs=tuple(f"{MODEL}/{name}" for name in ("*.bin", "*.model", "head.json", "*vocabulary*", CHANGES)),
    )


def _convert_full(stage: StageContext, quantization: str) -> None:
    from train.export.ctranslate import export_seq2seq

    export_seq2seq(
        checkpoint=stage.run / "train",
        tokenizer=stage.run / "tokenizer",
        output=stage.output / MODEL,
        quantization=quantization,
        pairs=stage.run / "mix",
    )


def _convert_edits(stage: StageContext, quantization: str) -> None:
    from rewriter.io.files import read_json
    from train.edits.export import export_edits

    export_edits(
        encoder_dir=stage.run / "edits" / "encoder",
        head=read_json(stage.run / "edits" / "head.json"),
        pieces=stage.run / "encoder" / "pieces.model",
        output=stage.output / MODEL,
        quantization=quantization,
    )


def model_info(recipe: RewriterRecipe) -> ModelInfo:
    """Return what the model directory says about where it comes from; scores are added when they are measured."""
    return ModelInfo(
        name=recipe.name,
        lang=recipe.lang,
        target=recipe.target,
        lexicon_version=LEXICON_VERSION,
        toolkit_version=__version__,
        recipe=portable(recipe),
        data=data_files(recipe),
        settings=_settings(recipe),
    )


def _settings(recipe: RewriterRecipe) -> dict[str, Any]:
    """Return the settings of the language under which an edit model was trained, by its directory's name for them."""
    if recipe.edits is None:
        return {}
    language = dict(profile(recipe.lang).model_settings) | recipe.edits.language
    return {"language": language} if language else {}


def data_files(recipe: RewriterRecipe) -> list[dict[str, Any]]:
    """Return file, licence, source and digest of everything that the recipe reads, each file once."""
    paths: dict[Path, None] = {}
    for inputs, exclude in recipe.text_inputs():
        paths |= dict.fromkeys(find_inputs(inputs, exclude))
    if recipe.gold is not None and recipe.data_root is not None:
        paths |= dict.fromkeys(gold.gold_texts(recipe.gold, recipe.data_root))
    rows: list[dict[str, Any]] = [
        {**row, "sha256": file_digest(path)} for path, row in zip(paths, data_card(paths), strict=True)
    ]
    if recipe.parser is not None:
        source = {"licence": recipe.parser.licence, "source": Path(recipe.parser.treebank).name}
        used = {part: path for part, path in recipe.parser.parts().items() if part != "test"}
        rows += [{"file": path.name, **source, "sha256": file_digest(path)} for path in used.values()]
    for section in (recipe.encoder, recipe.train):
        if section is not None and section.start:
            rows += pretrained_rows(section.start)
    if recipe.init:
        init = init_folder(recipe.init)
        weights = [path for path in _weights(init) if path.is_file()]
        rows += [
            {
                "file": f"{init.name}/{path.name}",
                "licence": "",
                "source": "model it began from",
                "sha256": file_digest(path),
            }
            for path in weights
        ]
    rows += [
        {"file": path.name, "licence": "", "source": "read sentences", "sha256": file_digest(path)}
        for path in (gold.gold_files(recipe.gold.files) if recipe.gold is not None else ())
    ]
    rows += [
        {"file": path.name, "licence": "", "source": "own pairs", "sha256": file_digest(path)}
        for path in pair_files(recipe.pairs)
    ]
    return rows


def pretrained_rows(start: str) -> list[dict[str, Any]]:
    """Return the rows of a model card that tell of the pretrained encoder that a model began from.

    Raises:
        InputError: there is no such encoder.
    """
    folder = find_start(start)
    return [
        {"file": f"{folder.name}/{name}", "licence": "", "source": "pretrained encoder", "sha256": digest}
        for name, digest in start_digests(folder).items()
    ]


def _ignore(value: object) -> None:
    """Drop a result: later stages read files."""


KIND = RecipeKind(load_rewriter_recipe, recipe_stages)
