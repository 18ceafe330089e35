"""The stages of a causal language model: tokenizer -> data -> train."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from augment.sources import find_inputs
from rewriter.installation.extras import require
from rewriter.runs.manifest import Manifest
from train.bert.run import load_tokenizer
from train.lm.config import LmRecipe, load_lm_recipe
from train.loop import processes
from train.recipe.kinds import RecipeKind
from train.stages import Stage, StageContext

STAGE_VERSION = 1


def lm_stages(recipe: LmRecipe) -> list[Stage]:
    """Return the stages of a recipe in the order in which they run.

    Raises:
        InputError: an input file is missing.
    """
    for module in ("torch", "transformers", "tokenizers", "accelerate"):
        require(module, extra="train")
    files = find_inputs(recipe.inputs, recipe.exclude)
    named = {path.name: path for path in files}
    packing = vars(recipe.data) | {"lang": recipe.lang}
    options = {"model": vars(recipe.model), "train": recipe.train.identity()}
    return [
        Stage("tokenizer", STAGE_VERSION, partial(_tokenizer, recipe, files), vars(recipe.tokenizer), named),
        Stage("data", STAGE_VERSION, partial(_data, recipe, files), packing, named, after=("tokenizer",)),
        Stage(
            "train",
            STAGE_VERSION,
            partial(_train, recipe),
            options,
            after=("tokenizer", "data"),
            outputs=("model/*",),
            parallel=True,
        ),
    ]


def _tokenizer(recipe: LmRecipe, files: list[Path], stage: StageContext) -> None:
    from train.lm.pieces import train_pieces

    pieces = train_pieces(files, recipe.tokenizer, stage.output)
    Manifest("tokenizer", {}, complete=True, counts={"pieces": pieces}).save(stage.output)


def _data(recipe: LmRecipe, files: list[Path], stage: StageContext) -> None:
    from train.bert.packing import Encoder, pack_corpus

    encoder = Encoder(load_tokenizer(stage.run / "tokenizer"), recipe.lang)
    counts = pack_corpus(files, encoder, recipe.data, recipe.lang, stage.output)
    Manifest("data", {}, complete=True, counts=counts).save(stage.output)


def _train(recipe: LmRecipe, stage: StageContext) -> None:
    from train.bert.packing import Examples
    from train.lm.trainer import build_lm, train_causal

    tokenizer = load_tokenizer(stage.run / "tokenizer")
    data = (Examples.load(stage.run / "data", "train"), Examples.load(stage.run / "data", "held-out"))
    require("transformers", extra="train").set_seed(recipe.train.seed)
    counts = train_causal(build_lm(recipe.model, tokenizer), data, tokenizer, recipe.train, output=stage.output)
    if processes.rank() == 0:
        Manifest("train", {}, complete=True, counts=counts).save(stage.output)


KIND = RecipeKind(load_lm_recipe, lm_stages)
