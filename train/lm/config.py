"""What a causal language model is trained from and how (``kind: lm``)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from rewriter.errors import UsageError
from rewriter.options import MOST_PIECES, at_least, at_most, check_share, folder_name, one_of
from rewriter.runs.recipes import build, read_values, without_roots
from train.bert.config import PackingConfig
from train.loop.updates import UpdateConfig

__all__ = ["LmRecipe", "load_lm_recipe"]


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
        check_share(zero=True, dropout=self.dropout)
        if self.hidden % self.heads:
            raise UsageError(f"hidden ({self.hidden}) must be a multiple of heads ({self.heads})")


@dataclass(frozen=True, kw_only=True)
class LmTrainConfig(UpdateConfig):
    """The training.

    Attributes:
        seed: of weights and order.
    """

    steps: int = 20_000
    batch_size: int = 16
    learning_rate: float = 6e-4
    save_every: int = 250
    seed: int = 1


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
    values = without_roots(read_values(path, overrides=overrides))
    return build(LmRecipe, {"name": Path(path).stem, **values}, where=str(path))
