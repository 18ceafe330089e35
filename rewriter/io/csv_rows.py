"""Rows of CSV and TSV files by the names of their columns, with the errors of the module ``csv`` as sentences."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from typing import Any

from rewriter.errors import InputError

__all__ = ["FIELD_CHARACTERS", "CsvRows"]

#: a field may be a long document; a line has its own limit
FIELD_CHARACTERS = 1 << 28


class CsvRows:
    """A table that is read row by row.

    Attributes:
        columns: their names, of the header row; none where there is no row at all.
    """

    def __init__(self, lines: Iterable[str], where: object, **dialect: Any) -> None:
        """Read the header.

        Args:
            lines: of the file, with or without their ends; with them where a field may hold a line break.
            where: of the file, for messages.
            dialect: what ``csv.DictReader`` takes.

        Raises:
            InputError: the header is no row of this dialect; file and line are named.
        """
        csv.field_size_limit(FIELD_CHARACTERS)
        self._where = where
        self._reader: csv.DictReader[str] = csv.DictReader(lines, **dialect)
        try:
            self.columns = list(self._reader.fieldnames or ())
        except csv.Error as error:
            raise self._wrong(error) from None

    @property
    def line(self) -> int:
        """The line where the last row ends."""
        return self._reader.line_num

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """Yield the rows; None stands for a cell that a row lacks, and as the key of cells that it has too many.

        Raises:
            InputError: a line is no row of this dialect; file and line are named.
        """
        try:
            yield from self._reader
        except csv.Error as error:
            raise self._wrong(error) from None

    def _wrong(self, error: csv.Error) -> InputError:
        # ``DictReader.line_num`` is that of the last row without an error
        return InputError(f"{self._where}:{self._reader.reader.line_num}: {error}")
