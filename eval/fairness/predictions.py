"""Predictions of a classifier: labels, scores, groups, and which rows are two versions of one text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from rewriter.errors import InputError, MetricError
from rewriter.io.columns import Columns

__all__ = ["ColumnNames", "Predictions", "by_group", "by_pair"]

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

#: groups of a set of pairs
KEPT, FLIPPED = "kept", "flipped"
_TRUE, _FALSE = frozenset({"1", "1.0", "true"}), frozenset({"0", "0.0", "false"})


@dataclass(frozen=True)
class Predictions:
    """What a classifier answered on examples that belong to groups.

    Attributes:
        predicted: 0 or 1 for each row.
        groups: number of the group of each row.
        names: names of the groups.
        labels: 0 or 1 for each row; None where the truth is not known (then only DP and the flip rate are defined).
        scores: the higher the more positive; None without (then there is no AUC).
        units: what is drawn in the bootstrap: rows with the same number are drawn together (pairs).
    """

    predicted: Ints
    groups: Ints
    names: tuple[str, ...]
    labels: Ints | None = None
    scores: Floats | None = None
    units: Ints | None = None

    def __post_init__(self) -> None:
        rows = {len(column) for column in (self.labels, self.scores, self.units) if column is not None}
        if rows | {len(self.groups)} != {len(self.predicted)}:
            raise MetricError("predictions, groups, labels and scores must have the same number of rows")
        if not len(self.predicted):
            raise MetricError("there are no predictions to measure")
        if len(self.names) < 2:
            raise MetricError(f"fairness compares at least two groups; found: {', '.join(self.names) or 'none'}")
        missing = [name for number, name in enumerate(self.names) if not (self.groups == number).any()]
        if missing:
            raise MetricError(f"no example belongs to the group {', '.join(missing)}; found: {self._found()}")

    def _found(self) -> str:
        return ", ".join(name for number, name in enumerate(self.names) if (self.groups == number).any())

    @property
    def paired(self) -> bool:
        """Whether the rows are pairs of a kept and a flipped text."""
        return self.units is not None

    @property
    def drawn(self) -> Ints:
        """Number of the unit of each row."""
        return np.arange(len(self.predicted)) if self.units is None else self.units


@dataclass(frozen=True, slots=True)
class ColumnNames:
    """Where a table holds what.

    Attributes:
        label: column of the truth; None where it is not known.
        prediction: column of the predicted class; None takes ``score`` and ``threshold``.
        score: column of the score of the positive class.
        threshold: a score of at least this is a positive prediction.
        positive: class that counts as positive; None asks for 0 and 1.
    """

    label: str | None = "label"
    prediction: str | None = None
    score: str | None = None
    threshold: float = 0.5
    positive: str | None = None

    def __post_init__(self) -> None:
        if self.prediction is None and self.score is None:
            raise MetricError("name the column of predictions or that of scores (--prediction, --score)")


def by_group(table: Columns, names: ColumnNames, group: str, *, groups: Sequence[str] = ()) -> Predictions:
    """Return the predictions of a table with the groups of one column.

    Args:
        table: the predictions.
        names: which column is what.
        group: column of the groups; several joined with ``+`` are crossed (``gender+age``).
        groups: the groups to compare; rows of others are left out. All by default.

    Raises:
        InputError: a column is missing, or a label is no class.
        MetricError: fewer than two groups, or one that is asked for has no example.
    """
    parts = [table.texts(name) for name in group.split("+")]
    member = np.array(["+".join(values) for values in zip(*parts, strict=True)], dtype=np.str_)
    if any("" in values for values in parts):
        row = next(i for i, values in enumerate(zip(*parts, strict=True)) if "" in values)
        raise InputError(f"{table.source}: row {row + 1}: column '{group}' names no group")
    wanted = tuple(groups) or tuple(sorted(set(member.tolist())))
    chosen = np.isin(member, list(wanted))
    number = {name: i for i, name in enumerate(wanted)}
    columns = _columns(table, names)
    return Predictions(
        columns.predicted[chosen],
        np.array([number[name] for name in member[chosen].tolist()], dtype=np.int64),
        wanted,
        None if columns.labels is None else columns.labels[chosen],
        None if columns.scores is None else columns.scores[chosen],
    )


def by_pair(kept: Columns, flipped: Columns, names: ColumnNames, flipped_names: ColumnNames) -> Predictions:
    """Return the predictions on texts (group ``kept``) and on the same texts with their genders flipped (``flipped``).

    Args:
        kept: predictions on the texts; row N belongs to row N of ``flipped``.
        flipped: predictions on the counterfactuals; may be the same table with other columns.
        names: columns of ``kept``.
        flipped_names: columns of ``flipped``; a label there must be that of the text.

    Raises:
        InputError: a column is missing, or a label is no class.
        MetricError: the tables differ in length or labels.
    """
    if len(kept) != len(flipped):
        raise MetricError(
            f"{kept.source} has {len(kept)} rows, {flipped.source} has {len(flipped)}; row N of one belongs to row N "
            "of the other"
        )
    first, second = _columns(kept, names), _columns(flipped, flipped_names)
    if first.labels is not None and second.labels is not None:
        differing = np.flatnonzero(first.labels != second.labels)
        if len(differing):
            raise MetricError(f"row {differing[0] + 1}: the flipped text has another label; are the rows in order?")
    size = len(kept)
    scores = None if first.scores is None or second.scores is None else np.concatenate([first.scores, second.scores])
    return Predictions(
        np.concatenate([first.predicted, second.predicted]),
        np.repeat(np.array([0, 1]), size),
        (KEPT, FLIPPED),
        None if first.labels is None else np.concatenate([first.labels, first.labels]),
        scores,
        np.tile(np.arange(size), 2),
    )


def by_pair_column(table: Columns, names: ColumnNames, group: str, pair: str) -> Predictions:
    """Return pairs from a table that holds both versions of each text as rows, as template sets do.

    Args:
        table: the predictions.
        names: which column is what.
        group: column that tells the version; it must hold exactly two groups.
        pair: column whose value the two rows of a pair share.

    Raises:
        InputError: a column is missing, or a label is no class.
        MetricError: there are not two groups, or a pair has not one row of each with the same label.
    """
    member, pairs = table.texts(group), table.texts(pair)
    groups = sorted(set(member))
    if len(groups) != 2:
        raise MetricError(f"{table.source}: pairs need two groups; column '{group}' holds {_listed(groups)}")
    rows: dict[str, list[int]] = {}
    for row, name in enumerate(pairs):
        rows.setdefault(name, []).append(row)
    for name, found in rows.items():
        if sorted(member[row] for row in found) != groups:
            raise MetricError(f"{table.source}: pair '{name}' has not one row of each group ({' and '.join(groups)})")
    read = _columns(table, names)
    order = np.array([sorted(found, key=lambda row: member[row]) for found in rows.values()], dtype=np.int64)
    if read.labels is not None and (read.labels[order[:, 0]] != read.labels[order[:, 1]]).any():
        raise MetricError(f"{table.source}: a pair has two different labels; its rows are no versions of one text")
    flat = order.T.ravel()
    return Predictions(
        read.predicted[flat],
        np.repeat(np.array([0, 1]), len(order)),
        (groups[0], groups[1]),
        None if read.labels is None else read.labels[flat],
        None if read.scores is None else read.scores[flat],
        np.tile(np.arange(len(order)), 2),
    )


@dataclass(frozen=True, slots=True)
class _Read:
    predicted: Ints
    labels: Ints | None
    scores: Floats | None


def _columns(table: Columns, names: ColumnNames) -> _Read:
    scores = None if names.score is None else table.numbers(names.score)
    if names.prediction is not None:
        predicted = classes(table, names.prediction, names.positive)
    else:
        assert scores is not None  # refused by ColumnNames
        predicted = (scores >= names.threshold).astype(np.int64)
    labels = None if names.label is None else classes(table, names.label, names.positive)
    return _Read(predicted, labels, scores)


def classes(table: Columns, column: str, positive: str | None = None) -> Ints:
    """Return a column of classes as 0 and 1.

    Args:
        table: the table.
        column: its column.
        positive: the class that counts as 1, all others as 0; None asks for 0/1 or true/false.

    Raises:
        InputError: there is no such column, classes are text and no positive one was named, or no row has it.
    """
    values = [_class_text(value) for value in table.values(column)]
    found = sorted(set(values))
    if positive is not None:
        if positive not in found and not {positive} <= {"0", "1"}:
            raise InputError(
                f"{table.source}: no row of column '{column}' holds '{positive}'; it holds {_listed(found)}"
            )
        return np.array([value == positive for value in values], dtype=np.int64)
    unknown = [value for value in found if value.lower() not in _TRUE | _FALSE]
    if unknown:
        raise InputError(
            f"{table.source}: column '{column}' holds {_listed(found)}, not 0 and 1; name the class that counts as "
            "positive (--positive); with more than two classes it is measured against all others"
        )
    return np.array([value.lower() in _TRUE for value in values], dtype=np.int64)


def _class_text(value: Any) -> str:
    return str(int(value)) if isinstance(value, bool | float) and value == int(value) else str(value)


def _listed(found: Sequence[str]) -> str:
    shown = ", ".join(repr(value) for value in found[:6])
    return shown + (f" and {len(found) - 6} more" if len(found) > 6 else "")
