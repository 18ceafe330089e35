"""The recipe of ``gender-fair train bert``."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from rewriter.errors import UsageError
from rewriter.options import MOST_PIECES, at_least, at_most, check_share, different, folder_name, one_of
from rewriter.runs.recipes import build, read_values, without_roots
from train.bert.shape import find_bert, read_shape
from train.loop.updates import UpdateConfig

__all__ = ["BertConfig", "BertRecipe", "load_bert_recipe"]

#: name -> layers, width, heads, width of the feed-forward layer (Turc et al. 2019; base: Devlin et al. 2019)
SIZES = {
    "tiny": (2, 128, 2, 512),
    "mini": (4, 256, 4, 1024),
    "small": (4, 512, 8, 2048),
    "base": (12, 768, 12, 3072),
}
PACKINGS = ("blocks", "single", "pairs")
UNITS = ("line", "sentence")


@dataclass
class WordPieceConfig:
    """The vocabulary.

    Attributes:
        vocab_size: pieces at most, special ones included.
        lower_case: write everything in lower case and drop accents.
        sample: lines to learn from; 0 takes all.
        min_frequency: how often a piece must occur.
        alphabet: letters that are pieces of their own, and again as pieces inside words; words with others are unknown.
    """

    vocab_size: int = 12000
    lower_case: bool = True
    sample: int = 300_000
    min_frequency: int = 2
    alphabet: int = 1000

    def __post_init__(self) -> None:
        at_least(50, vocab_size=self.vocab_size)
        at_most(MOST_PIECES, vocab_size=self.vocab_size)
        at_least(1, alphabet=self.alphabet)

    def identity(self) -> dict[str, Any]:
        """Return the options on which the result depends."""
        left_out = {"alphabet"} if self.alphabet == 1000 else set()  # as before there was such a key
        return {key: value for key, value in vars(self).items() if key not in left_out}


@dataclass
class PackingConfig:
    """How text becomes training examples.

    Attributes:
        packing: ``blocks`` (all text in blocks of full length), ``single`` (a unit an example) or ``pairs`` (two
            units that follow each other, with their token types).
        unit: ``line`` or ``sentence``.
        length: pieces of an example at most, special ones included; longer units are cut.
        max_tokens: stop after so many pieces; 0 takes all text.
        held_out: share of the lines that is kept for measuring perplexity.
        held_out_tokens: pieces of the held-out part at most.
        seed: of the mixture of files and the held-out part.
    """

    packing: str = "blocks"
    unit: str = "line"
    length: int = 128
    max_tokens: int = 0
    held_out: float = 0.01
    held_out_tokens: int = 200_000
    seed: int = 1

    def __post_init__(self) -> None:
        one_of(PACKINGS, packing=self.packing)
        one_of(UNITS, unit=self.unit)
        at_least(8, length=self.length)
        check_share(held_out=self.held_out)


@dataclass
class BertConfig:
    """The network.

    Attributes:
        size: ``tiny``, ``mini``, ``small`` or ``base``.
        layers: Transformer layers; 0: of the size. Likewise the next three.
        hidden: width.
        heads: attention heads.
        feed_forward: width inside a layer.
        dropout: of hidden layers and attention.
        positions: the longest sequence that the model can read.
        vectors: begin from what the training text's co-occurrences say of the pieces (:mod:`train.bert.vectors`).
        start: folder of a BERT from whose weights the training begins, or its name below ``GENDER_FAIR_ENCODERS``;
            shape and vocabulary are then its own, and without a masked language model it gets a new one.
    """

    size: str = "mini"
    layers: int = 0
    hidden: int = 0
    heads: int = 0
    feed_forward: int = 0
    dropout: float = 0.1
    positions: int = 512
    vectors: bool = False
    start: Path | None = None

    def __post_init__(self) -> None:
        one_of(SIZES, size=self.size)
        if self.start is not None:
            if self.vectors:
                raise UsageError(
                    "vectors and start: a BERT that is there has vectors of its own; leave one of them out"
                )
            self.start = find_bert(self.start)
            self._take_shape(self.start)
        if self.shape()[1] % self.shape()[2]:
            raise UsageError(f"hidden ({self.shape()[1]}) must be a multiple of heads ({self.shape()[2]})")

    def shape(self) -> tuple[int, int, int, int]:
        """Return layers, width, heads, feed-forward width."""
        layers, hidden, heads, inside = SIZES[self.size]
        return self.layers or layers, self.hidden or hidden, self.heads or heads, self.feed_forward or inside

    def _take_shape(self, folder: Path) -> None:
        found = read_shape(folder)
        for name in ("layers", "hidden", "heads", "feed_forward"):
            asked, own = getattr(self, name), getattr(found, name)
            if asked and asked != own:
                raise UsageError(f"{name} is {asked}, but {folder} has {own}; leave the shape to the start")
            setattr(self, name, own)
        self.positions = found.positions

    def identity(self) -> dict[str, Any]:
        """Return the options on which the result depends; the weights of a start count by their digest, not here."""
        left_out = {"start"} if self.start is None else {"start", "size"}
        if not self.vectors:  # as before there was such a key, so that what was trained then stands
            left_out.add("vectors")
        return {key: value for key, value in vars(self).items() if key not in left_out}


@dataclass(frozen=True, kw_only=True)
class MlmConfig(UpdateConfig):
    """Masked-language-model training.

    Attributes:
        epochs: times over the training text, in place of ``steps`` and ``eval_every``; perplexity is measured before
            the first and after each. 0: ``steps`` holds.
        mask_share: share of the pieces (or words) that are masked.
        whole_words: mask words instead of pieces.
        next_sentence: learn, too, whether the second unit of a pair follows the first; half of the pairs get the second
            unit of another one (Devlin et al. 2019). For ``packing: pairs``.
    """

    steps: int = 10_000
    batch_size: int = 64
    learning_rate: float = 5e-4
    save_every: int = 500
    epochs: int = 0
    mask_share: float = 0.15
    whole_words: bool = False
    next_sentence: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        at_least(0, epochs=self.epochs)
        check_share(mask_share=self.mask_share)

    def identity(self) -> dict[str, Any]:
        """Return the options on which the result depends (not the device, nor how often something is written)."""
        left_out = {"steps", "eval_every"} if self.epochs else {"epochs"}  # as before there was such a key
        left_out |= set() if self.next_sentence else {"next_sentence"}
        return {key: value for key, value in super().identity().items() if key not in left_out}

    def over(self, examples: int) -> MlmConfig:
        """Return the same with the steps that its epochs over so many examples take; itself without epochs."""
        if not self.epochs:
            return self
        each = -(-examples // self.batch_size)
        return replace(self, steps=each * self.epochs, eval_every=each)


def needs_pairs(train: MlmConfig, packing: str, key: str) -> None:
    """Make sure that there are second units where the next one is asked for.

    Raises:
        UsageError: there are none.
    """
    if train.next_sentence and packing != "pairs":
        raise UsageError(f"train.next_sentence needs {key}: pairs, not {packing}")


@dataclass
class BertRecipe:
    """A whole recipe.

    Attributes:
        name: of the run.
        inputs: text files, folders or globs.
        lang: language code.
        exclude: globs over file names, or ``licence:`` and a glob.
        tokenizer: the vocabulary.
        data: how text becomes examples.
        model: the network.
        train: the training.
        seeds: one model for each.
    """

    name: str
    inputs: list[str]
    lang: str = "en"
    exclude: list[str] = field(default_factory=list)
    tokenizer: WordPieceConfig = field(default_factory=WordPieceConfig)
    data: PackingConfig = field(default_factory=PackingConfig)
    model: BertConfig = field(default_factory=BertConfig)
    train: MlmConfig = field(default_factory=MlmConfig)
    seeds: list[int] = field(default_factory=lambda: [1])

    def __post_init__(self) -> None:
        folder_name(name=self.name)
        different("seeds", self.seeds)
        needs_pairs(self.train, self.data.packing, "data.packing")
        if self.data.length > self.model.positions:
            raise UsageError(
                f"data.length ({self.data.length}) is more than model.positions ({self.model.positions}); lower the "
                "one or raise the other"
            )


def load_bert_recipe(path: str | Path, *, overrides: Iterable[str] = ()) -> BertRecipe:
    """Read a recipe.

    Args:
        path: a YAML file.
        overrides: ``"train.steps=2000"``.

    Raises:
        RecipeError: the file, a key or a value is wrong; the message names the key's path and the nearest known one.
    """
    values = without_roots(read_values(path, overrides=overrides))
    values.setdefault("name", Path(path).stem)
    return build(BertRecipe, values, where=str(path))
