"""Labelled tables for a classifier: classes, and the vocabulary of a model that begins with random weights."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rewriter.errors import InputError
from rewriter.installation.extras import require
from rewriter.io.columns import Columns, read_columns
from train.bert.config import WordPieceConfig
from train.bert.wordpiece import learn_vocabulary


@dataclass(frozen=True)
class LabelledTexts:
    """Texts with the numbers of their classes.

    Attributes:
        texts: the texts.
        labels: numbers in :attr:`classes`.
        classes: names of the classes in order.
        table: what was read.
    """

    texts: list[str]
    labels: list[int]
    classes: tuple[str, ...]
    table: Columns


def read_labelled(
    path: str | Path, *, text: str, label: str, classes: Sequence[str] | None = None, positive: str = ""
) -> LabelledTexts:
    """Read a labelled table.

    Args:
        path: the table.
        text: column of texts.
        label: column of classes, numbers or text.
        classes: the classes of the training set; None takes those of this table, in order, ``positive`` last.
        positive: see above.

    Raises:
        InputError: a column is missing, a row has no class or one that training does not know, or all rows have the
            same one.
    """
    table = read_columns(path)
    texts, found = table.texts(text), [_name(value) for value in table.values(label)]
    if not texts:
        raise InputError(f"{path}: there are no examples, only a header; give a table with rows")
    if "" in found:
        raise InputError(f"{path}: row {found.index('') + 1}: column '{label}' names no class")
    if classes is None:
        classes = sorted(set(found), key=lambda name: (name == positive, name))
        if len(classes) < 2:
            raise InputError(f"{path}: all examples have the class '{classes[0]}'; a classifier needs at least two")
        if positive and positive not in classes:
            raise InputError(f"{path}: no example has the class '{positive}'; there are {', '.join(classes)}")
    numbers = {name: number for number, name in enumerate(classes)}
    unknown = next((row for row, name in enumerate(found) if name not in numbers), None)
    if unknown is not None:
        raise InputError(
            f"{path}: row {unknown + 1}: the class '{found[unknown]}' has no training example; "
            f"known: {', '.join(classes)}"
        )
    return LabelledTexts(texts, [numbers[name] for name in found], tuple(classes), table)


def _name(value: Any) -> str:
    if value is None:
        return ""
    return str(int(value)) if isinstance(value, bool | float) and value == int(value) else str(value)


def make_tokenizer(texts: Sequence[str], *, vocab_size: int, lower: bool, max_length: int) -> Any:
    """Return a WordPiece tokenizer made of texts (Devlin et al. 2019, section 3), for models without a vocabulary.

    The same texts give the same vocabulary.

    Raises:
        MissingExtraError: transformers is not installed.
    """
    transformers = require("transformers", extra="train")
    config = WordPieceConfig(vocab_size=vocab_size, lower_case=lower)
    vocabulary = learn_vocabulary(list(texts), config)
    return transformers.BertTokenizerFast(vocab=vocabulary, do_lower_case=lower, model_max_length=max_length)
