"""A shard: consecutive records of one file, which one process works on at a time."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from rewriter.formats.base import RawLine
from rewriter.io.files import read_raw_lines

__all__ = ["Shard"]


@dataclass(frozen=True, slots=True)
class Shard:
    """Consecutive records of one input file.

    Attributes:
        number: place in the run, from 0.
        path: the file.
        first: number of the first line, from 1; of the first row in Parquet.
        lines: how many lines; 0 where nobody counted them.
        offset: where the first line begins, in bytes of the uncompressed file.
        file: number of the file in the run, from 0.
        group: the row group, in Parquet.
        data: the bytes themselves, where the file is compressed and cannot be entered in the middle.
    """

    number: int
    path: str
    first: int
    lines: int = 0
    offset: int = 0
    file: int = 0
    group: int | None = None
    data: bytes | None = field(default=None, repr=False)

    @property
    def name(self) -> str:
        """Base name of the file."""
        return Path(self.path).name

    def raw_lines(self) -> Iterator[RawLine]:
        """Yield the lines as bytes, with their numbers.

        Raises:
            InputError: the file cannot be read.
        """
        if self.data is not None:
            lines: Iterator[bytes] = iter(io.BytesIO(self.data))
        else:
            lines = islice(read_raw_lines(self.path, offset=self.offset), self.lines)
        return (RawLine(number, data) for number, data in enumerate(lines, self.first))

    def __str__(self) -> str:
        if self.group is not None:
            place = f"row group {self.group}"
        elif self.lines:
            place = f"lines {self.first} to {self.first + self.lines - 1}"
        else:
            place = f"from line {self.first}"
        return f"shard {self.number} ({self.name}, {place})"
