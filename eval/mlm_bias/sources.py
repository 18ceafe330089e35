"""Where the published sets lie: a path that was given, or the folder of test sets."""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rewriter.errors import InputError
from rewriter.io.files import file_digest, read_lines

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
        return json.loads("\n".join(read_lines(path)))
    except ValueError as error:
        raise InputError(f"{path}: no JSON ({error})") from None


def read_table(path: Path, columns: tuple[str, ...]) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the rows of a CSV file with the lines where they end.

    Raises:
        InputError: the file cannot be read, or has no such column.
    """
    reader = csv.DictReader(line + "\n" for line in read_lines(path))
    for name in columns:
        if name not in (reader.fieldnames or ()):
            raise InputError(f"{path}:1: the column '{name}' is missing; it has {', '.join(reader.fieldnames or ())}")
    for row in reader:
        if None in row.values():
            raise InputError(f"{path}:{reader.line_num}: the row is shorter than the header")
        yield reader.line_num, row


def digest(*paths: Path) -> str:
    """Return the beginning of the digest of each file, for a signature."""
    return "+".join(file_digest(path)[:8] for path in paths)
