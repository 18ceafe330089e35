"""Which files a run reads and writes, and how they are cut into shards, by seeking where that is possible.

A plain file whose records are lines is entered at multiples of the shard size and cut at the next line end, without
being read. What is compressed is decompressed once, from front to back, and its bytes go along with the shard. Where a
cut falls depends on the file and on the shard size alone, so that a run that is started again makes the same shards.
"""

from __future__ import annotations

import stat
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count, pairwise
from pathlib import Path
from typing import IO

from rewriter.corpus.engine import batches
from rewriter.corpus.job import CorpusShard
from rewriter.errors import InputError
from rewriter.formats import PACKED, FormatOptions, detect, open_format
from rewriter.formats.base import RawLine, RecordFormat
from rewriter.formats.parquet import ParquetTexts
from rewriter.io.files import read_blocks, read_raw_lines
from rewriter.io.limits import LINE_BYTES, too_long


@dataclass(frozen=True, slots=True)
class CorpusFile:
    """One input file and where its rewritten form goes.

    Attributes:
        number: place in the run, from 0.
        path: the input.
        target: the output.
        name: the input's name in reports.
        size: bytes of the file as it is on disk.
        modified: time of its last change, in nanoseconds.
    """

    number: int
    path: Path
    target: Path
    name: str
    size: int
    modified: int

    @property
    def packed(self) -> bool:
        """Whether the file is compressed."""
        return self.path.suffix.lower() in PACKED

    def changed(self) -> bool:
        """Return whether the file is no longer what it was."""
        try:
            now = self.path.stat()
        except OSError:
            return True
        return (now.st_size, now.st_mtime_ns) != (self.size, self.modified)


@dataclass(frozen=True)
class Cutting:
    """How files are cut.

    Attributes:
        size: bytes of a shard (uncompressed), up to the end of the record in which they end.
        lines: most lines of a shard; None leaves it to ``size``.
        format: how files are read.
    """

    size: int
    lines: int | None
    format: FormatOptions


def open_files(jobs: Sequence[tuple[str | Path, str | Path]]) -> list[CorpusFile]:
    """Return the files of a run.

    Args:
        jobs: (source, target) of every file.

    Raises:
        InputError: names every file that cannot be read, before any work is done.
    """
    check_readable([source for source, _ in jobs])
    files = []
    for number, (source, target) in enumerate(jobs):
        info = Path(source).stat()
        if not stat.S_ISREG(info.st_mode):
            raise InputError(f"{source}: is no file that can be read twice; give it as a pipe (-)")
        files.append(CorpusFile(number, Path(source), Path(target), str(source), info.st_size, info.st_mtime_ns))
    return files


def check_readable(sources: Iterable[str | Path]) -> None:
    """Open every regular file and read its first byte.

    Raises:
        InputError: names every file that cannot be read.
    """
    problems = []
    for source in map(Path, sources):
        try:
            if source.exists() and not (source.is_file() or source.is_dir()):
                continue  # a named pipe, of which nothing may be taken
            with source.open("rb") as stream:
                stream.read(1)
        except OSError as error:
            problems.append(f"{source}: cannot be read ({error.strerror or error})")
    if problems:
        raise InputError(_several(problems))


def _several(problems: Sequence[str]) -> str:
    if len(problems) == 1:
        return problems[0]
    return f"{len(problems)} input files cannot be read; nothing was done:\n  " + "\n  ".join(problems[:20])


def cut_file(file: CorpusFile, cutting: Cutting) -> Iterator[CorpusShard]:
    """Yield the shards of a file in order; an empty file gives none.

    Raises:
        InputError: the file cannot be read or is damaged.
        UsageError: it has no such column.
    """
    if detect(file.path, cutting.format) == "parquet":
        yield from _row_groups(file, cutting.format)
        return
    fmt = open_format(file.path, cutting.format)
    pieces = _packed(file, fmt, cutting) if file.packed else _plain(file, fmt, cutting)
    for number, (offset, size, data) in enumerate(pieces):
        yield CorpusShard(file.number, number, str(file.path), file.name, fmt, offset, size, data)


def _row_groups(file: CorpusFile, options: FormatOptions) -> Iterator[CorpusShard]:
    texts = ParquetTexts(file.path, options.columns, options.lang_column)
    total, offset = max(1, sum(texts.rows)), 0
    for number, rows in enumerate(texts.rows):
        size = file.size * rows // total
        yield CorpusShard(file.number, number, str(file.path), file.name, texts, offset, size)
        offset += size


def with_part(shard: CorpusShard, part: Path | None) -> CorpusShard:
    """Return the shard with the file that it is to be written to."""
    return replace(shard, part=None if part is None else str(part))


#: offset, size, and the bytes where they cannot be found by the offset
_Piece = tuple[int, int, bytes | None]


def _plain(file: CorpusFile, fmt: RecordFormat, cutting: Cutting) -> Iterator[_Piece]:
    if fmt.one_line and cutting.lines is None:
        yield from _by_seeking(file, cutting.size)
        return
    pieces = fmt.cut(file.path, lines=cutting.lines or 1 << 62, size=cutting.size)
    offsets = (offset for _, _, offset in pieces)
    for start, end in pairwise(_with_end(offsets, file.size)):
        yield start, end - start, None


def _with_end(offsets: Iterator[int], end: int) -> Iterator[int]:
    found = False
    for offset in offsets:
        found = True
        yield offset
    if found:
        yield end


def _by_seeking(file: CorpusFile, size: int) -> Iterator[_Piece]:
    try:
        with file.path.open("rb") as stream:
            start = 0
            while start < file.size:
                stream.seek(start + size)
                _pass_line(stream, file.path)
                end = min(stream.tell(), file.size)
                yield start, end - start, None
                start = end
    except OSError as error:
        raise InputError(f"{file.path}: cannot be read ({error.strerror or error})") from None


def _pass_line(stream: IO[bytes], path: Path) -> None:
    """Go to the end of the line, which may be that of the file."""
    for _ in range(LINE_BYTES >> 20):
        if len(line := stream.readline(1 << 20)) < 1 << 20 or line.endswith(b"\n"):
            return
    raise too_long(path)


def _packed(file: CorpusFile, fmt: RecordFormat, cutting: Cutting) -> Iterator[_Piece]:
    pieces = _line_pieces(file, cutting.size) if fmt.one_line and cutting.lines is None else _pieces(file, fmt, cutting)
    offset = 0
    for data in pieces:
        yield offset, len(data), data
        offset += len(data)


def _line_pieces(file: CorpusFile, size: int) -> Iterator[bytes]:
    parts: list[bytes] = []
    length = 0
    for block in read_blocks(file.path):
        end = block.find(b"\n", max(0, size - length)) + 1 if length + len(block) > size else 0
        while end:
            yield b"".join([*parts, block[:end]])
            parts, length, block = [], 0, block[end:]
            end = block.find(b"\n", size) + 1 if len(block) > size else 0
        if block:
            parts.append(block)
            length += len(block)
    if parts:
        yield b"".join(parts)


def _pieces(file: CorpusFile, fmt: RecordFormat, cutting: Cutting) -> Iterator[bytes]:
    lines = map(RawLine, count(1), read_raw_lines(file.path))
    for records in batches(fmt.records(lines), cutting.lines or 1 << 62, cutting.size):
        yield b"".join(record.data for record in records)
