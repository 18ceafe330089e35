"""Labelled texts, their counterfactuals and their scores, from one table or two."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from pathlib import Path

import numpy as np
import numpy.typing as npt

from rewriter.errors import InputError
from rewriter.io.columns import Columns, read_columns

Floats = npt.NDArray[np.float64]

#: names of columns in published tables (Zayed et al. 2023), tried where the usual one is missing
_OTHER_NAMES = {"text": "tweet", "label": "Class"}
#: what the authors call the scores in their flipped tables -> the name in the paper
_SCORE_NAMES = {
    "El2N_fairness": "GE",
    "El2N_performance": "EL2N",
    "GradN": "GraNd",
    "forgetting_scores": "forget",
    **{name: name for name in ("GE", "EL2N", "GraNd", "forget")},
}
_TOKEN = re.compile(r"\w+(?:['’]\w+)*|\s+|[^\w\s]")


@dataclass(frozen=True)
class Examples:
    """A labelled set with the same texts gender-flipped.

    Attributes:
        texts: the texts as they are (factual).
        counterfactuals: the same texts with their gendered words flipped; a text without any is the same.
        labels: class of each text, of any kind; the counterfactual has the same.
        scores: importance of each example by name of the score, the higher the more important.
    """

    texts: Sequence[str]
    counterfactuals: Sequence[str]
    labels: Sequence[object]
    scores: Mapping[str, Floats] = field(default_factory=dict)

    def __post_init__(self) -> None:
        sizes = {len(self.texts), len(self.counterfactuals), len(self.labels), *map(len, self.scores.values())}
        if len(sizes) != 1:
            raise InputError(f"texts, counterfactuals, labels and scores differ in length: {sorted(sizes)}")
        if not len(self.texts):
            raise InputError("there are no examples")

    def __len__(self) -> int:
        """Return the number of factual examples."""
        return len(self.texts)

    @property
    def changed(self) -> npt.NDArray[np.bool_]:
        """Whether the counterfactual differs from the text."""
        pairs = zip(self.texts, self.counterfactuals, strict=True)
        return np.array([text != other for text, other in pairs], dtype=np.bool_)

    def score(self, name: str) -> Floats:
        """Return a score by its name, or by the end of its name where only one ends so (``GE``).

        Raises:
            InputError: there is none, or there are several.
        """
        if name in self.scores:
            return self.scores[name]
        found = [known for known in self.scores if known.endswith(f" {name}")]
        if len(found) != 1:
            listed = ", ".join(f"'{known}'" for known in (found or self.scores)) or "none"
            raise InputError(f"{'several scores are' if found else 'no score is'} called '{name}'; there are: {listed}")
        return self.scores[found[0]]


@dataclass(frozen=True, slots=True)
class ExampleColumns:
    """Where a table of examples holds what.

    Attributes:
        text: the texts; ``tweet`` is tried too.
        label: the classes; ``Class`` is tried too.
        counterfactual: the flipped texts, in the same table.
        scores: columns of scores; every column whose name ends in that of a known score is found without.
    """

    text: str = "text"
    label: str = "label"
    counterfactual: str = "counterfactual"
    scores: tuple[str, ...] = ()


def read_examples(
    path: str | Path,
    *,
    columns: ExampleColumns | None = None,
    flipped: str | Path | None = None,
    swap: Callable[[list[str]], Sequence[str]] | None = None,
) -> Examples:
    """Read examples with their counterfactuals.

    Args:
        path: table with texts, labels and scores (CSV, TSV, JSON lines, Parquet).
        columns: which column is what.
        flipped: table with the flipped texts, row by row (the form in which Zayed et al. published theirs).
        swap: makes the flipped texts where no table holds them.

    Raises:
        InputError: a column is missing, a score is no number, the tables do not fit together, or no counterfactual
            differs from its text.
    """
    columns, table = columns or ExampleColumns(), read_columns(path)
    texts = table.texts(_known(table, "text", columns.text))
    labels = list(table.values(_known(table, "label", columns.label)))
    if flipped is not None:
        others = _flipped_texts(table, read_columns(flipped), columns, labels)
    elif swap is not None:
        others = list(swap(texts))
    else:
        others = table.texts(columns.counterfactual)
    examples = Examples(texts, others, labels, _scores(table, columns.scores))
    if not examples.changed.any():
        raise InputError(f"{flipped or path}: no counterfactual differs from its text; was anything swapped?")
    return examples


def blind(text: str, counterfactual: str) -> str:
    """Return a text without its gendered words, which are those that the counterfactual has otherwise.

    Gender blindness: De-Arteaga et al. (2019), "Bias in Bios", section 4.2.
    """
    if text == counterfactual:
        return text
    tokens, others = _TOKEN.findall(text), _TOKEN.findall(counterfactual)
    kept: list[str] = []
    for block in SequenceMatcher(None, tokens, others, autojunk=False).get_matching_blocks():
        kept += tokens[block.a : block.a + block.size]
    return re.sub(r"[ \t]{2,}", " ", "".join(kept)).strip(" ")


def _known(table: Columns, what: str, name: str) -> str:
    """Return ``name``, or the published name where the table has only that."""
    other = _OTHER_NAMES[what]
    return other if name == what and name not in table and other in table else name


def _flipped_texts(table: Columns, flipped: Columns, columns: ExampleColumns, labels: Sequence[object]) -> list[str]:
    if len(table) != len(flipped):
        raise InputError(
            f"{table.source} has {len(table)} rows, {flipped.source} has {len(flipped)}; row N of one must be row N "
            "of the other, flipped"
        )
    label = _known(flipped, "label", columns.label)
    if label in flipped:
        pairs = enumerate(zip(labels, flipped.values(label), strict=True), 1)
        differing = next((row for row, (mine, other) in pairs if str(mine) != str(other)), None)
        if differing:
            raise InputError(f"{flipped.source}: row {differing} has another label than in {table.source}")
    return flipped.texts(_known(flipped, "text", columns.text))


def _scores(table: Columns, wanted: Sequence[str]) -> dict[str, Floats]:
    """Return the scores by name; ``bert-base-cased El2N_fairness`` becomes ``bert-base-cased GE``."""
    found = {}
    for name in table.columns:
        model, _, ending = name.rpartition(" ")
        if ending in _SCORE_NAMES and name not in wanted:
            found[f"{model} {_SCORE_NAMES[ending]}".strip()] = table.numbers(name)
    return found | {name: table.numbers(name) for name in wanted}
