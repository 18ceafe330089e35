"""One loader for all word tables: TSV with a ``#`` header that names source and licence."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from lexicons.languages import LanguageError, resource
from lexicons.side_files import read_side_file

__all__ = ["LEXICON_VERSION", "TableError", "read_table", "read_table_file"]

#: raised when the content of a shipped table changes, so that models and runs can tell which one they used
LEXICON_VERSION = "2"


class TableError(Exception):
    """A table is missing or malformed; callers above this package turn it into their own error type."""


@cache
def read_table(lang: str, name: str) -> tuple[dict[str, str], ...]:
    """Return the rows of ``lexicons/<lang>/<name>.tsv`` as mappings of column to cell.

    The table may be of a language that another package brings, see :mod:`lexicons.languages`.

    Raises:
        TableError: there is no such table, or a row has another number of cells than the header.
    """
    try:
        path = resource("lexicons", lang, f"{name}.tsv")
    except LanguageError as error:
        raise TableError(str(error)) from None
    if path is None:
        raise TableError(f"there is no table '{name}' for language '{lang}'")
    return parse_table(path.read_text(encoding="utf-8"), where=f"lexicons/{lang}/{name}.tsv")


def read_table_file(path: str | Path) -> tuple[dict[str, str], ...]:
    """Return the rows of a user's own table in the same format.

    Raises:
        TableError: the file cannot be read, or a row is malformed.
    """
    try:
        text = read_side_file(path)
    except (OSError, UnicodeDecodeError) as error:
        raise TableError(f"{path}: cannot be read ({error})") from None
    return parse_table(text, where=str(path))


def parse_table(text: str, *, where: str) -> tuple[dict[str, str], ...]:
    """Parse a table: comment lines, a header row, rows.

    Raises:
        TableError: names file and line of the first malformed row.
    """
    columns: list[str] | None = None
    rows = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        cells = line.split("\t")
        if columns is None:
            columns = cells
        elif len(cells) != len(columns):
            raise TableError(f"{where}:{number}: {len(cells)} cells where the header has {len(columns)}")
        else:
            rows.append(dict(zip(columns, cells, strict=True)))
    return tuple(rows)
