"""The shape of a BERT that is there, read from its folder; needs neither torch nor the weights."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

from eval.pretrained import first_line
from rewriter.errors import InputError, UsageError
from rewriter.io.files import read_json
from train.encoder.pretrained import VARIABLE

CONFIG = "config.json"
WEIGHTS = "*.safetensors"


class Shape(NamedTuple):
    """Of a network: layers, width, heads, width of the feed-forward layer, longest sequence."""

    layers: int
    hidden: int
    heads: int
    feed_forward: int
    positions: int


def find_bert(folder: Path) -> Path:
    """Return the folder itself, or the one of this name below ``GENDER_FAIR_ENCODERS`` where only that is there."""
    root = os.environ.get(VARIABLE)
    return Path(root) / folder if root and not folder.is_dir() and (Path(root) / folder).is_dir() else folder


def read_shape(folder: Path) -> Shape:
    """Return the shape of the BERT in a folder.

    Raises:
        UsageError: there is no such folder, or no BERT with its weights in it; the message says what is missing.
    """
    if not folder.is_dir():
        raise UsageError(
            f"start: there is no folder {folder}; name the folder of a BERT, such as RUN/seed-1/model, or one below "
            f"{VARIABLE}"
        )
    try:
        values = read_json(folder / CONFIG)
    except (InputError, ValueError):
        raise UsageError(f"start: {folder} holds no {CONFIG} that can be read{_inside(folder)}") from None
    kind = values.get("model_type", "")
    if kind != "bert":
        raise UsageError(f"start: {folder} holds no BERT, but a model of type '{kind}'; name the folder of a BERT")
    if not any(folder.glob(WEIGHTS)):
        raise UsageError(f"start: {folder} holds no model.safetensors; a model in another format must be saved anew")
    keys = ("num_hidden_layers", "hidden_size", "num_attention_heads", "intermediate_size", "max_position_embeddings")
    try:
        return Shape(*(int(values[key]) for key in keys))
    except (KeyError, TypeError, ValueError) as error:
        raise UsageError(f"start: {folder / CONFIG} says nothing about {first_line(error)}") from None


def _inside(folder: Path) -> str:
    """Return a hint where the folder of a stage was named in place of the model inside it."""
    return f"; did you mean {folder / 'model'}?" if (folder / "model" / CONFIG).exists() else ""
