"""The paragraphs of a corpus: files cut into pieces that can be counted apart, records with their numbers and bytes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count, islice
from pathlib import Path
from typing import TypeVar

from rewriter.errors import InputError, UsageError
from rewriter.formats import PACKED, FormatOptions, detect, open_format, unit_of
from rewriter.formats.base import RawLine, RawRecord, RecordError, RecordFormat
from rewriter.formats.inputs import STANDARD, find
from rewriter.formats.parquet import ParquetTexts
from rewriter.io.files import file_digest, read_raw_lines
from rewriter.runs.shard import Shard

T = TypeVar("T")

#: bytes of a piece, about
PIECE = 8 << 20


@dataclass(frozen=True)
class Corpus:
    """The files that are counted and written.

    Attributes:
        paths: the files, in order.
        names: where each belongs in an output folder.
        format: how they are read; a record is a paragraph.
    """

    paths: tuple[Path, ...]
    names: tuple[str, ...]
    format: FormatOptions

    @classmethod
    def find(cls, names: Sequence[str | Path], options: FormatOptions | None = None) -> Corpus:
        """Return the corpus of files, folders and patterns.

        Raises:
            InputError: a name matches nothing.
            UsageError: it is a pipe, which cannot be read twice.
        """
        sources = find(names)
        if any(str(source.path) == STANDARD for source in sources):
            raise UsageError("a pipe cannot be balanced, since the corpus is read twice; pass files")
        options = options or FormatOptions()
        for path in (source.path for source in sources):
            if detect(path, options) == "txt" and unit_of(path, options) == "document":
                raise UsageError(f"{path}: as one document it is no run of paragraphs; pass --unit paragraph or line")
        return cls(tuple(s.path for s in sources), tuple(str(s.name) for s in sources), options)

    def identity(self) -> dict[str, str]:
        """Return the digest of each file, by number and name.

        Raises:
            InputError: a file cannot be read.
        """
        return {f"input {n} {path.name}": file_digest(path) for n, path in enumerate(self.paths)}

    def pieces(self, size: int = PIECE) -> Iterator[Shard]:
        """Yield the pieces of all files, in order.

        Raises:
            InputError: a file cannot be read.
        """
        number = 0
        for file, path in enumerate(self.paths):
            for shard in self._cut(path, size):
                yield replace(shard, number=number, file=file)
                number += 1

    def _cut(self, path: Path, size: int) -> Iterator[Shard]:
        if detect(path, self.format) == "parquet":
            first = 1
            for group, rows in enumerate(ParquetTexts(path, self.format.columns).rows):
                yield Shard(0, str(path), first, rows, group=group)
                first += rows
        elif path.suffix.lower() in PACKED:
            yield from self._packed(path, size)
        else:
            fmt = open_format(path, self.format)
            for first, lines, offset in fmt.cut(path, lines=1 << 62, size=size):
                yield Shard(0, str(path), first, lines, offset)

    def _packed(self, path: Path, size: int) -> Iterator[Shard]:
        fmt = open_format(path, self.format)
        parts: list[bytes] = []
        first = length = 0
        for record in fmt.records(map(RawLine, count(1), read_raw_lines(path))):
            if not parts:
                first, length = record.number, 0
            parts.append(record.data)
            length += len(record.data)
            if length >= size:
                yield Shard(0, str(path), first, data=b"".join(parts))
                parts = []
        if parts:
            yield Shard(0, str(path), first, data=b"".join(parts))

    def texts(self, piece: Shard) -> tuple[Sequence[int], list[str]]:
        """Return the numbers and texts of the records of a piece; without those that hold no text.

        Raises:
            InputError: a record is not what the format says; file and line are named.
        """
        if piece.group is not None:
            return self._rows(piece, piece.group)
        if detect(piece.path, self.format) == "txt" and unit_of(piece.path, self.format) == "line":
            return self._lines(piece)
        numbers, texts = [], []
        for record, text in records(Path(piece.path), open_format(piece.path, self.format), piece.raw_lines()):
            if text is not None:
                numbers.append(record.number)
                texts.append(text)
        return numbers, texts

    def _lines(self, piece: Shard) -> tuple[Sequence[int], list[str]]:
        data = piece.data if piece.data is not None else b"".join(line.data for line in piece.raw_lines())
        try:
            texts = data.decode("utf-8").split("\n")
        except UnicodeDecodeError as error:
            line = piece.first + data.count(b"\n", 0, error.start)
            raise InputError(f"{piece.path}:{line}: not UTF-8 ({error.reason})") from None
        if not texts[-1]:
            texts.pop()
        return range(piece.first, piece.first + len(texts)), texts

    def _rows(self, piece: Shard, group: int) -> tuple[Sequence[int], list[str]]:
        rows: dict[int, list[str]] = {}
        file = ParquetTexts(piece.path, self.format.columns)
        for row, text in file.read_row_group(group):
            rows.setdefault(row, []).append(text)
        numbers = sorted(rows)
        return [piece.first + row for row in numbers], ["\n".join(rows[row]) for row in numbers]


def records(path: Path, fmt: RecordFormat, lines: Iterable[RawLine]) -> Iterator[tuple[RawRecord, str | None]]:
    """Yield the records of some lines with their text; None where there is none (blank lines, headers).

    Raises:
        InputError: a record is not what the format says; file and line are named.
    """
    for record in fmt.records(lines):
        try:
            texts = [content.text for content in fmt.contents(record)]
        except RecordError as error:
            raise InputError(f"{path}:{record.number}: {error.reason}") from None
        yield record, "\n".join(texts) if texts else None


def groups_of(items: Iterable[T], size: int) -> Iterator[tuple[T, ...]]:
    """Yield ``size`` items at a time; the last group may be smaller."""
    waiting = iter(items)
    while group := tuple(islice(waiting, size)):
        yield group
