"""The stages of ``gender-fair train bert``: vocabulary, packed corpus, one model for each seed."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from augment.sources import find_inputs
from rewriter.extras import require
from rewriter.files import atomic_write, write_json
from rewriter.recipes import to_yaml
from rewriter.runs import Manifest
from train import processes
from train.bert.config import BertRecipe
from train.stages import Choice, Stage, StageContext, Step, run_stages

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
    made = [
        Stage("tokenizer", STAGE_VERSION, partial(_tokenizer, recipe, files), vars(recipe.tokenizer), named),
        Stage(
            "data", STAGE_VERSION, partial(_data, recipe, files), vars(recipe.data) | {"lang": recipe.lang}, named,
            after=("tokenizer",),
        ),
    ]  # fmt: skip
    options = {"model": vars(recipe.model), "train": recipe.train.identity()}
    for seed in recipe.seeds:
        made.append(
            Stage(
                f"seed-{seed}",
                STAGE_VERSION,
                partial(_train, recipe, seed),
                options | {"seed": seed},
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


def load_tokenizer(folder: Path) -> Any:
    """Return the tokenizer that the stage ``tokenizer`` left."""
    return require("transformers", extra="train").BertTokenizerFast.from_pretrained(folder)


def _data(recipe: BertRecipe, files: list[Path], context: StageContext) -> None:
    from train.bert.packing import Encoder, pack_corpus

    encoder = Encoder(load_tokenizer(context.run / "tokenizer"), recipe.lang)
    _finished(context, "data", pack_corpus(files, encoder, recipe.data, recipe.lang, context.output))


def _train(recipe: BertRecipe, seed: int, context: StageContext) -> None:
    from train.bert.packing import Examples
    from train.bert.trainer import Sets, build_bert, train_masked

    tokenizer = load_tokenizer(context.run / "tokenizer")
    data = context.run / "data"
    sets = Sets(Examples.load(data, "train"), Examples.load(data, "held-out"), tokenizer)
    require("transformers", extra="train").set_seed(seed)
    model = build_bert(recipe.model, len(tokenizer))
    counts = train_masked(model, sets, recipe.train, seed=seed, output=context.output)
    _finished(context, f"seed-{seed}", counts)
