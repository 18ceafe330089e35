"""Where the published sets lie: a path that was given, or the folder of test sets."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rewriter.errors import InputError
from rewriter.io.csv_rows import CsvRows
from rewriter.io.files import file_digest, read_blocks, read_lines
from rewriter.io.limits import whole

VARIABLE = "GENDER_FAIR_TESTSETS"


def find_set(name: str) -> Path | None:
    """Return ``bias/NAME`` below ``GENDER_FAIR_TESTSETS``, or None where it is not there."""
    root = os.environ.get(VARIABLE)
    path = Path(root) / "bias" / name if root else None
    return path if path is not None and path.exists() else None


def read_set_json(path: Path) -> Any:
    """Return the JSON value that a file holds.

    Raises:
        InputError: it cannot be read, or is no JSON.
    """
    try:
        return json.loads(whole(read_blocks(path), path))
    except ValueError as error:
        raise InputError(f"{path}: no JSON ({error})") from None


def read_table(path: Path, columns: tuple[str, ...]) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the rows of a CSV file with the lines where they end.

    Raises:
        InputError: the file cannot be read, or has no such column.
    """
    rows = CsvRows((line + "\n" for line in read_lines(path)), path)
    for name in columns:
        if name not in rows.columns:
            raise InputError(f"{path}:1: the column '{name}' is missing; it has {', '.join(rows.columns)}")
    for row in rows:
        if None in row.values():
            raise InputError(f"{path}:{rows.line}: the row is shorter than the header")
        yield rows.line, row


def digest(*paths: Path) -> str:
    """Return the beginning of the digest of each file, for a signature."""
    return "+".join(file_digest(path)[:8] for path in paths)
