"""The stages of ``gender-fair train bert``: vocabulary, packed corpus, one model for each seed."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from augment.sources import find_inputs
from rewriter.installation.extras import require
from rewriter.io.files import atomic_write, write_json
from rewriter.model.downloads import loading
from rewriter.runs.manifest import Manifest
from rewriter.runs.recipes import to_yaml
from train.bert.config import BertConfig, BertRecipe
from train.bert.packing import Examples
from train.bert.start import copy_tokenizer, has_head, start_model, vocabulary_files, weight_files
from train.loop import processes
from train.stages import Choice, Stage, StageContext, Step, run_stages

__all__ = ["run_bert"]

STAGE_VERSION = 1
RECIPE = "recipe.yaml"
REPORT = "run.json"


def run_bert(recipe: BertRecipe, *, output: Path, choice: Choice | None = None) -> list[Step]:
    """Train the models of a recipe, or what is missing of them.

    Leaves in ``output`` the folders ``tokenizer``, ``data`` and ``seed-N`` (with ``model``, ``metrics.jsonl`` and
    checkpoints), the resolved recipe and what was done (``run.json``).

    Raises:
        ResumeError: a stage's folder holds the output of something else.
        InputError: an input is missing, or there is too little text.
        ModelError: a checkpoint is damaged.
        OutputError: the disk is full, or another process works in ``output``.
        MissingExtraError: torch, transformers or tokenizers are missing.
    """
    for module in ("torch", "transformers", "tokenizers", "accelerate"):
        require(module, extra="train")
    stages = bert_stages(recipe)

    def report(steps: Sequence[Step]) -> None:
        write_json(output / REPORT, {"recipe": recipe.name, "stages": [vars(step) for step in steps]})
        with atomic_write(output / RECIPE) as stream:
            stream.write(to_yaml(recipe).encode("utf-8"))

    return run_stages(stages, output, choice or Choice(), report=report)


def bert_stages(recipe: BertRecipe) -> list[Stage]:
    """Return the stages of a recipe."""
    files = find_inputs(recipe.inputs, recipe.exclude)
    named = {path.name: path for path in files}
    start = recipe.model.start
    made = [
        Stage("tokenizer", STAGE_VERSION, partial(_tokenizer, recipe, files), recipe.tokenizer.identity(), named)
        if start is None
        else copied_tokenizer(start),
        Stage(
            "data", STAGE_VERSION, partial(_data, recipe, files), vars(recipe.data) | {"lang": recipe.lang}, named,
            after=("tokenizer",),
        ),
    ]  # fmt: skip
    options = {"model": recipe.model.identity(), "train": recipe.train.identity()}
    for seed in recipe.seeds:
        made.append(
            Stage(
                f"seed-{seed}",
                STAGE_VERSION,
                partial(_train, recipe, seed),
                options | {"seed": seed},
                weight_files(start) if start is not None else {},
                after=("tokenizer", "data"),
                outputs=("model/*",),
                parallel=True,
            )
        )
    return made


def _finished(context: StageContext, name: str, counts: dict[str, Any]) -> None:
    """Leave the counts where the runner finds them."""
    if processes.rank() == 0:
        Manifest(name, {}, complete=True, counts=counts).save(context.output)


def _tokenizer(recipe: BertRecipe, files: list[Path], context: StageContext) -> None:
    from train.bert.wordpiece import train_wordpiece

    _finished(context, "tokenizer", {"pieces": train_wordpiece(files, recipe.tokenizer, context.output)})


def copied_tokenizer(start: Path) -> Stage:
    """Return the stage ``tokenizer`` of a run that begins from the weights of a folder: it takes its tokenizer."""

    def run(context: StageContext) -> None:
        _finished(context, "tokenizer", {"pieces": copy_tokenizer(start, context.output)})

    files, outputs = vocabulary_files(start), ("tokenizer*", "vocab.txt")
    return Stage("tokenizer", STAGE_VERSION, run, {"taken from": "start"}, files, outputs=outputs)


def load_tokenizer(folder: Path) -> Any:
    """Return the tokenizer that the stage ``tokenizer`` left."""
    return require("transformers", extra="train").AutoTokenizer.from_pretrained(folder, **loading(folder))


def _data(recipe: BertRecipe, files: list[Path], context: StageContext) -> None:
    from train.bert.packing import Encoder, pack_corpus

    encoder = Encoder(load_tokenizer(context.run / "tokenizer"), recipe.lang)
    _finished(context, "data", pack_corpus(files, encoder, recipe.data, recipe.lang, context.output))


def _train(recipe: BertRecipe, seed: int, context: StageContext) -> None:
    from train.bert.trainer import Sets, train_masked

    tokenizer = load_tokenizer(context.run / "tokenizer")
    data = context.run / "data"
    sets = Sets(Examples.load(data, "train"), Examples.load(data, "held-out"), tokenizer)
    require("transformers", extra="train").set_seed(seed)
    model = new_bert(recipe.model, tokenizer, sets.train, next_sentence=recipe.train.next_sentence)
    config = recipe.train.over(len(sets.train))
    counts = train_masked(model, sets, config, seed=seed, output=context.output)
    if recipe.model.start is not None and not has_head(recipe.model.start):
        counts["head"] = "new"
    _finished(context, f"seed-{seed}", counts)


def new_bert(config: BertConfig, tokenizer: Any, text: Examples, *, next_sentence: bool = False) -> Any:
    """Return the network of a configuration: with the weights of its start, vectors of the text, or random ones.

    Args:
        config: the network.
        tokenizer: the vocabulary.
        text: the packed training text.
        next_sentence: with the part that tells whether a unit follows.

    Raises:
        ModelError: the start cannot be loaded, or has another vocabulary than ``tokenizer``.
    """
    from train.bert.trainer import build_bert
    from train.bert.vectors import begin_from_vectors

    if config.start is not None:
        return start_model(config.start, tokenizer, dropout=config.dropout, text=text, next_sentence=next_sentence)
    model = build_bert(config, len(tokenizer), next_sentence=next_sentence)
    if config.vectors:
        begin_from_vectors(model, text)
    return model
