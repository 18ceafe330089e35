"""What a causal language model is trained from and how (``kind: lm``)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rewriter.errors import UsageError
from rewriter.options import DEVICES, MOST_PIECES, at_least, at_most, folder_name, one_of, share
from rewriter.runs.recipes import build, read_values
from train.bert.config import PRECISIONS, PackingConfig

__all__ = ["LmRecipe", "load_lm_recipe"]

#: how fast, how often and where: may differ when a run goes on
_NOT_COMPARED = ("device", "threads", "workers", "save_every", "log_every")


@dataclass(frozen=True)
class LmPiecesConfig:
    """The vocabulary: byte pairs over bytes, so that every text can be written.

    Attributes:
        vocab_size: pieces at most, bytes and special ones included.
        sample: lines to learn from; 0 takes all.
        min_frequency: how often a pair must occur.
    """

    vocab_size: int = 16_000
    sample: int = 300_000
    min_frequency: int = 2

    def __post_init__(self) -> None:
        at_least(300, vocab_size=self.vocab_size)
        at_most(MOST_PIECES, vocab_size=self.vocab_size)


@dataclass(frozen=True)
class LmNetworkConfig:
    """The network, of GPT-2's shape (Radford et al. 2019).

    Attributes:
        layers: Transformer layers.
        hidden: width.
        heads: attention heads.
        positions: longest text in pieces.
        dropout: of layers, attention and embeddings.
    """

    layers: int = 6
    hidden: int = 384
    heads: int = 6
    positions: int = 256
    dropout: float = 0.0

    def __post_init__(self) -> None:
        at_least(1, layers=self.layers, hidden=self.hidden, heads=self.heads)
        share(zero=True, dropout=self.dropout)
        if self.hidden % self.heads:
            raise UsageError(f"hidden ({self.hidden}) must be a multiple of heads ({self.heads})")


@dataclass(frozen=True)
class LmTrainConfig:
    """The training.

    Attributes:
        steps: updates.
        batch_size: examples of an update, over all processes.
        accumulation: parts in which a process computes its share of an update.
        learning_rate: peak, reached after ``warmup`` updates, then linear to zero.
        warmup: updates.
        weight_decay: of AdamW.
        precision: ``bf16`` or ``fp32``.
        eval_every: updates between measurements of perplexity.
        save_every: updates between checkpoints.
        log_every: updates between entries of the training loss.
        device: ``auto``, ``cpu`` or ``cuda``.
        threads: of torch (0: its default).
        workers: processes that make examples ahead.
        seed: of weights and order.
    """

    steps: int = 20_000
    batch_size: int = 16
    accumulation: int = 1
    learning_rate: float = 6e-4
    warmup: int = 500
    weight_decay: float = 0.01
    precision: str = "bf16"
    eval_every: int = 1000
    save_every: int = 250
    log_every: int = 50
    device: str = "auto"
    threads: int = 0
    workers: int = 0
    seed: int = 1

    def __post_init__(self) -> None:
        one_of(PRECISIONS, precision=self.precision)
        one_of(DEVICES, device=self.device)
        counts = ("steps", "batch_size", "accumulation", "eval_every", "save_every", "log_every")
        at_least(1, **{name: getattr(self, name) for name in counts})

    def identity(self) -> dict[str, Any]:
        """Return the options on which the result depends."""
        return {key: value for key, value in vars(self).items() if key not in _NOT_COMPARED}


@dataclass(frozen=True)
class LmRecipe:
    """A whole recipe.

    Attributes:
        name: of the run.
        inputs: text files, folders or globs.
        lang: language code.
        exclude: globs over file names, or ``licence:`` and a glob.
        tokenizer: the vocabulary.
        data: how text becomes examples: blocks of whole lines, one after the other.
        model: the network.
        train: the training.
        kind: ``lm``.
    """

    name: str
    inputs: list[str]
    lang: str = "de"
    exclude: list[str] = field(default_factory=list)
    tokenizer: LmPiecesConfig = field(default_factory=LmPiecesConfig)
    data: PackingConfig = field(default_factory=PackingConfig)
    model: LmNetworkConfig = field(default_factory=LmNetworkConfig)
    train: LmTrainConfig = field(default_factory=LmTrainConfig)
    kind: str = "lm"

    def __post_init__(self) -> None:
        folder_name(name=self.name)
        one_of(("lm",), kind=self.kind)
        if self.data.packing != "blocks":
            raise UsageError(f"data.packing is '{self.data.packing}': a causal language model reads blocks")
        if self.data.length > self.model.positions:
            raise UsageError(f"data.length ({self.data.length}) is more than model.positions ({self.model.positions})")


def load_lm_recipe(path: str | Path, *, overrides: Iterable[str] = ()) -> LmRecipe:
    """Read a recipe.

    Args:
        path: a YAML file.
        overrides: ``"train.steps=2000"``.

    Raises:
        RecipeError: the file, a key or a value is wrong; the message names the key's path and the nearest known one.
    """
    values = read_values(path, overrides=overrides)
    if isinstance(values.get("data"), dict):
        values["data"].pop("root", None)  # ${data.root} may be given by --set; it is no key of its own
    return build(LmRecipe, {"name": Path(path).stem, **values}, where=str(path))
