"""The texts of a study: read from a table, drawn by genre, with their versions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from eval.texts import read_sentences
from rewriter.errors import InputError, UsageError
from rewriter.io.columns import Columns, read_columns

ORIGINAL, REFERENCE = "original", "reference"


@dataclass(frozen=True, slots=True)
class StudyText:
    """A text that participants read.

    Attributes:
        id: its name in tables.
        genre: its kind; texts are drawn evenly over genres.
        versions: name of a version -> the text in it, the original first.
    """

    id: str
    genre: str
    versions: Mapping[str, str]


@dataclass(frozen=True)
class TextSource:
    """A table of texts, and where their versions stand.

    Attributes:
        table: .csv, .tsv, .jsonl or .parquet, one text a row.
        text: column of the original.
        id: column of names; where there is none, rows are called t1, t2 ...
        genre: column of genres; where there is none, all texts are of one genre.
        columns: name of a version -> its column.
        answers: name of a version -> a text file with one line for every row of the table.
        reference: column of the versions that people wrote, or None.
    """

    table: Path
    text: str = "text"
    id: str = "id"
    genre: str = "genre"
    columns: Mapping[str, str] | None = None
    answers: Mapping[str, Path] | None = None
    reference: str | None = None


@dataclass(frozen=True)
class DrawnFrom:
    """What a table held.

    Attributes:
        texts: those that can be drawn.
        incomplete: rows left out because a version is empty.
        unchanged: rows left out because the reference equals the original.
    """

    texts: tuple[StudyText, ...]
    incomplete: int
    unchanged: int


def read_texts(source: TextSource, *, unchanged_too: bool = False) -> DrawnFrom:
    """Read the texts that can be drawn.

    Args:
        source: the table and where versions stand.
        unchanged_too: keep texts in which the reference changes nothing.

    Raises:
        InputError: a file cannot be read, a column is missing, lines and rows differ in number, two texts share a name.
        UsageError: two versions share a name.
    """
    table = read_columns(source.table)
    versions = _versions(source, table)
    ids = table.texts(source.id) if source.id in table else [f"t{row + 1}" for row in range(len(table))]
    if len(set(ids)) < len(ids):
        twice = next(name for name in ids if ids.count(name) > 1)
        raise InputError(f"{source.table}: two texts are called '{twice}' (column '{source.id}')")
    genres = table.texts(source.genre) if source.genre in table else [""] * len(table)
    texts, incomplete, unchanged = [], 0, 0
    for row, name in enumerate(ids):
        text = StudyText(name, genres[row], {version: values[row].strip() for version, values in versions.items()})
        if not all(text.versions.values()):
            incomplete += 1
        elif not unchanged_too and text.versions.get(REFERENCE) == text.versions[ORIGINAL]:
            unchanged += 1
        else:
            texts.append(text)
    return DrawnFrom(tuple(texts), incomplete, unchanged)


def draw_texts(texts: Sequence[StudyText], count: int, generator: np.random.Generator) -> list[StudyText]:
    """Draw texts at random, evenly over genres, and return them with the genres in turn.

    A genre that has too few gives all that it has, and the others give more.

    Raises:
        UsageError: there are fewer texts than asked for.
    """
    if len(texts) < count:
        raise UsageError(f"{count} texts are asked for and {len(texts)} can be drawn; give more texts or ask for fewer")
    by_genre: dict[str, list[StudyText]] = {}
    for place in generator.permutation(len(texts)):
        by_genre.setdefault(texts[place].genre, []).append(texts[place])
    drawn: list[StudyText] = []
    while len(drawn) < count:
        drawn += [found.pop() for _, found in sorted(by_genre.items()) if found]
    return drawn[:count]


def _versions(source: TextSource, table: Columns) -> dict[str, list[str]]:
    found = {ORIGINAL: table.texts(source.text)}
    for name, path in (source.answers or {}).items():
        lines = read_sentences(path)
        if len(lines) != len(table):
            raise InputError(f"{path}: {len(lines)} lines for the {len(table)} texts of {source.table}")
        _add(found, name, lines)
    for name, column in (source.columns or {}).items():
        _add(found, name, table.texts(column))
    if source.reference is not None:
        _add(found, REFERENCE, table.texts(source.reference))
    return found


def _add(found: dict[str, list[str]], name: str, values: list[str]) -> None:
    if name in found:
        raise UsageError(f"two versions are called '{name}'; give each a name of its own (NAME=...)")
    found[name] = values
