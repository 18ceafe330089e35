"""Options of classifier training."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rewriter.errors import UsageError
from rewriter.options import MOST_PIECES, at_least, at_most, different, folder_name, one_of
from train.bert.shape import find_bert

__all__ = ["ClassifierConfig"]

_METRICS = ("AUC", "accuracy", "loss")


@dataclass
class ClassifierConfig:
    """A recipe of ``gender-fair train classifier``.

    Attributes:
        train: table of training examples (CSV, TSV, JSON lines, Parquet).
        dev: table for early stopping and the choice of the best epoch.
        test: tables to predict, by name; each becomes ``predictions-NAME.parquet``.
        name: of the run.
        text: column of texts.
        label: column of classes.
        positive: class whose probability is the score; empty: the last one in order. Two classes only.
        model: name or folder of a model of transformers, or its name below ``GENDER_FAIR_ENCODERS``; empty: random
            weights by ``config``.
        tokenizer: name or folder; empty: that of ``model``, or a vocabulary made of the training texts.
        config: of a model with random weights: ``model_type`` (``bert``, ``roberta`` ...) and its values.
        vocab_size: pieces of a vocabulary made of the training texts.
        lower: that vocabulary does not tell capitals.
        max_length: tokens of a text at most.
        epochs: passes over the training examples at most; a checkpoint is kept of each.
        batch: texts of a step.
        learning_rate: peak, then linear to zero.
        warmup: share of the steps before the peak.
        weight_decay: of the optimiser.
        patience: stop after so many epochs without a better ``metric``; 0 does not stop.
        metric: what chooses the best epoch: AUC, accuracy or loss.
        seeds: one training for each.
        bf16: mixed precision.
        threads: of torch (0: its default).
        by_length: batches of texts of about the same length (less padding, faster), in random order.
    """

    train: str
    dev: str
    test: dict[str, str] = field(default_factory=dict)
    name: str = "classifier"
    text: str = "text"
    label: str = "label"
    positive: str = ""
    model: str = ""
    tokenizer: str = ""
    config: dict[str, Any] = field(default_factory=dict)
    vocab_size: int = 8000
    lower: bool = False
    max_length: int = 128
    epochs: int = 5
    batch: int = 32
    learning_rate: float = 2e-5
    warmup: float = 0.06
    weight_decay: float = 0.01
    patience: int = 0
    metric: str = "AUC"
    seeds: list[int] = field(default_factory=lambda: [1])
    bf16: bool = False
    threads: int = 0
    by_length: bool = False

    def __post_init__(self) -> None:
        if self.model:
            self.model = str(find_bert(Path(self.model)))
        one_of(_METRICS, metric=self.metric)
        folder_name(name=self.name)
        at_most(MOST_PIECES, vocab_size=self.vocab_size)
        if bool(self.model) == bool(self.config):
            raise UsageError("give either a 'model' to fine-tune or a 'config' with model_type for random weights")
        if self.config and "model_type" not in self.config:
            raise UsageError("config: the key 'model_type' is missing (bert, distilbert, roberta ...)")
        different("seeds", self.seeds)
        at_least(1, epochs=self.epochs, batch=self.batch, max_length=self.max_length)
