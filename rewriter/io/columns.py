"""Tables in memory, column by column: CSV, TSV, JSON lines and Parquet, packed or not.

For tables of figures and labels (predictions, example scores), which fit into memory. Corpora are read record by
record by :mod:`rewriter.formats`.
"""

from __future__ import annotations

import csv
import io
import json
import math
import tempfile
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from rewriter.errors import InputError, OutputError
from rewriter.installation.extras import require
from rewriter.io.csv_rows import FIELD_CHARACTERS
from rewriter.io.files import atomic_write, open_bytes, read_lines, read_raw_lines
from rewriter.io.parquet import open_parquet
from rewriter.registry import did_you_mean

#: of a Parquet file, unpacked where it is packed
_TABLE_BYTES = 1 << 30


@dataclass(frozen=True)
class Columns:
    """A table: equally long columns by name.

    Attributes:
        source: where it was read from, for messages.
        columns: name to values; CSV and TSV give text, JSON lines and Parquet their own types.
    """

    source: str
    columns: Mapping[str, Sequence[Any]] = field(default_factory=dict)

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(next(iter(self.columns.values()), ()))

    def __contains__(self, name: object) -> bool:
        """Return whether there is a column of this name."""
        return name in self.columns

    def values(self, name: str) -> Sequence[Any]:
        """Return a column as it was read.

        Raises:
            InputError: there is none of this name; the message lists those that there are.
        """
        if name not in self.columns:
            known = list(self.columns)
            raise InputError(
                f"{self.source}: no column '{name}'{did_you_mean(name, known)}; columns: {', '.join(known) or 'none'}"
            )
        return self.columns[name]

    def texts(self, name: str) -> list[str]:
        """Return a column as text; nothing in a cell is the empty text.

        Raises:
            InputError: there is no such column.
        """
        return ["" if value is None else str(value) for value in self.values(name)]

    def numbers(self, name: str) -> npt.NDArray[np.float64]:
        """Return a column as numbers.

        Raises:
            InputError: there is no such column, or a cell holds no finite number (the message names the row).
        """
        found = np.empty(len(self), dtype=np.float64)
        for row, value in enumerate(self.values(name)):
            try:
                found[row] = float(value)
            except (TypeError, ValueError):
                found[row] = math.nan
            if not math.isfinite(found[row]):
                raise InputError(f"{self.source}: row {row + 1}: column '{name}' holds {value!r}, which is no number")
        return found


def read_columns(path: str | Path) -> Columns:
    """Read a table; the format goes by the file's name (.csv, .tsv, .jsonl, .parquet, each also .gz or .zst).

    Raises:
        InputError: the file cannot be read, is no such table, or its name tells no format.
        MissingExtraError: Parquet without pyarrow.
    """
    name = Path(path).name.removesuffix(".gz").removesuffix(".zst")
    if name.endswith((".csv", ".tsv")):
        return _read_delimited(path, "\t" if name.endswith(".tsv") else ",")
    if name.endswith((".jsonl", ".ndjson")):
        return _read_json_lines(path)
    if name.endswith(".parquet"):
        return _read_parquet(path)
    raise InputError(f"{path}: the name tells no format; use .csv, .tsv, .jsonl or .parquet (or with .gz, .zst)")


def write_columns(path: str | Path, columns: Mapping[str, Sequence[Any]]) -> int:
    """Write equally long columns atomically, in the format that the name tells; return the number of rows.

    Raises:
        OutputError: the file cannot be written, its name tells no format, or the columns differ in length.
        MissingExtraError: Parquet without pyarrow.
    """
    name = Path(path).name.removesuffix(".gz").removesuffix(".zst")
    if len({len(values) for values in columns.values()}) > 1:
        raise OutputError(f"{path}: the columns differ in length: { {k: len(v) for k, v in columns.items()} }")
    if name.endswith(".parquet"):
        return _write_parquet(path, columns)
    if name.endswith((".csv", ".tsv")):
        text = _delimited_text(columns, "\t" if name.endswith(".tsv") else ",")
    elif name.endswith((".jsonl", ".ndjson")):
        text = "".join(json.dumps(row, ensure_ascii=False, default=_plain) + "\n" for row in rows_of(columns))
    else:
        raise OutputError(f"{path}: the name tells no format; use .csv, .tsv, .jsonl or .parquet (or with .gz, .zst)")
    with atomic_write(path) as stream:
        stream.write(text.encode("utf-8"))
    return len(next(iter(columns.values()), ()))


def rows_of(columns: Mapping[str, Sequence[Any]]) -> Iterator[dict[str, Any]]:
    """Yield the rows of a table as mappings."""
    for values in zip(*columns.values(), strict=True):
        yield dict(zip(columns, values, strict=True))


def _read_delimited(path: str | Path, delimiter: str) -> Columns:
    csv.field_size_limit(FIELD_CHARACTERS)
    with closing(_text_lines(path)) as lines:
        rows = csv.reader(lines, delimiter=delimiter, strict=True)
        try:
            names = next(rows, [])
            if len(set(names)) != len(names):
                raise InputError(f"{path}: two columns have the same name: {', '.join(names)}")
            values: list[list[str]] = [[] for _ in names]
            for row in rows:
                if not row:
                    continue
                if len(row) != len(names):
                    raise InputError(f"{path}:{rows.line_num}: {len(row)} cells where the header has {len(names)}")
                for column, cell in zip(values, row, strict=True):
                    column.append(cell)
        except UnicodeDecodeError as error:
            raise InputError(f"{path}: not UTF-8 ({error.reason})") from None
        except csv.Error as error:
            raise InputError(f"{path}:{rows.line_num}: {error}") from None
    return Columns(str(path), dict(zip(names, values, strict=True)))


def _text_lines(path: str | Path) -> Generator[str, None, None]:
    """Yield lines with their ends, of which a lone carriage return is one, as the module ``csv`` wants them."""
    for number, line in enumerate(read_raw_lines(path)):
        yield from io.StringIO(line.decode("utf-8" if number else "utf-8-sig"), newline="")


def _read_json_lines(path: str | Path) -> Columns:
    values: dict[str, list[Any]] = {}
    count = 0
    for number, line in enumerate(read_lines(path), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except ValueError as error:
            raise InputError(f"{path}:{number}: not JSON ({error})") from None
        if not isinstance(row, dict):
            raise InputError(f"{path}:{number}: a row is an object with column names as keys")
        for name, value in row.items():
            # A column that begins later was empty until now.
            values.setdefault(name, [None] * count).append(value)
        count += 1
        for column in values.values():
            column.extend([None] * (count - len(column)))
    return Columns(str(path), values)


def _read_parquet(path: str | Path) -> Columns:
    with open_bytes(path) as stream, io.BytesIO(stream.read(_TABLE_BYTES)) as data, open_parquet(path, data) as file:
        if stream.read(1):
            raise InputError(f"{path}: more than {_TABLE_BYTES >> 20} MB, too much for a table in memory")
        table = file.read()
        return Columns(str(path), {name: table.column(name).to_pylist() for name in table.column_names})


def _write_parquet(path: str | Path, columns: Mapping[str, Sequence[Any]]) -> int:
    arrow, parquet = require("pyarrow", extra="data"), require("pyarrow.parquet", extra="data")
    table = arrow.table({name: arrow.array(values) for name, values in columns.items()})
    with tempfile.SpooledTemporaryFile(max_size=1 << 26) as buffer:
        parquet.write_table(table, buffer, compression="zstd")
        buffer.seek(0)
        with atomic_write(path) as stream:
            while block := buffer.read(1 << 20):
                stream.write(block)
    return int(table.num_rows)


def _delimited_text(columns: Mapping[str, Sequence[Any]], delimiter: str) -> str:
    buffer = io.StringIO()
    writer = csv.writer(buffer, delimiter=delimiter, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(zip(*columns.values(), strict=True))
    return buffer.getvalue()


def _plain(value: Any) -> Any:
    """Return a number of numpy as Python's own."""
    return value.item()
