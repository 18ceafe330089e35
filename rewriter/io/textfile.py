r"""Rewriting one file or pipe as it is read: records in, records out, every byte that no edit touches stays as it is.

This is what small files, pipes and the displays of the command use; :mod:`rewriter.corpus` rewrites large inputs by
shards. A *unit* is what is rewritten at a time: a line, a paragraph, a document, a record of JSONL or CSV
(:mod:`rewriter.formats`). What cannot be read is written through and reported.
"""

from __future__ import annotations

import io
import os
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Any

from rewriter.corpus.engine import Block, RecordRewriter, RewritesTexts, Selector, batches
from rewriter.corpus.parquet import RowGroupRewriter
from rewriter.corpus.results import (
    KEPT_REJECTS,
    Observer,
    Summary,
    TextResult,
    count_lines,
    cut_lines,
)
from rewriter.corpus.targets import STANDARD, same_file
from rewriter.errors import OutputError, UsageError
from rewriter.formats import FormatOptions, RecordFormat, detect, open_format, unit_of
from rewriter.formats.base import RawLine, RawRecord
from rewriter.formats.parquet import ParquetTexts
from rewriter.formats.text import TextUnits
from rewriter.io.files import atomic_write, read_blocks, read_raw_lines
from rewriter.io.limits import bounded_blocks

__all__ = [
    "BATCH_BYTES",
    "BATCH_LINES",
    "DOCUMENT_BYTES",
    "KEPT_REJECTS",
    "STANDARD",
    "Observer",
    "Summary",
    "TextFileOptions",
    "TextResult",
    "cut_lines",
    "rewrite_file",
    "unit_of",
]

#: records, and about how many bytes, that are rewritten at a time
BATCH_LINES = 4096
BATCH_BYTES = 4 << 20
#: a document is held in memory as a whole
DOCUMENT_BYTES = 16 << 20

#: makes the output of one text from its result
Render = Callable[[TextResult], bytes]


@dataclass(frozen=True)
class TextFileOptions:
    """How a file is rewritten.

    Attributes:
        format: format, unit and columns; ``auto`` goes by the name of the source.
        in_place: the target may be the source.
        render: what is written per text; None writes the rewritten file.
        observe: called with the results of every batch.
        every: observe the results of all texts; otherwise of those with edits, rejects or refused proposals.
        advance: called with the number of units of every batch, for showing progress.
        select: tells which texts are to be rewritten, by language; None takes all.
    """

    format: FormatOptions = field(default_factory=FormatOptions)
    in_place: bool = False
    render: Render | None = None
    observe: Observer | None = None
    every: bool = True
    advance: Callable[[int], object] | None = None
    select: Selector | None = None


def rewrite_file(
    source: str | Path, target: str | Path | None, *, rewriter: RewritesTexts, options: TextFileOptions | None = None
) -> Summary:
    """Rewrite one file as it is read.

    Args:
        source: a plain, .gz or .zst file, or ``-`` for standard input.
        target: where to write (compressed by name), ``-`` for standard output, or None to write nothing. A file
            appears only when it is complete.
        rewriter: a :class:`rewriter.pipeline.Rewriter`.
        options: see :class:`TextFileOptions`.

    Returns:
        counts, and what was written through because it cannot be processed.

    Raises:
        UsageError: source and target are the same file without ``in_place``, or there is no such column.
        InputError: the source cannot be read, is damaged, or is too large for a document.
        OutputError: the target cannot be written; an earlier file of that name is untouched.
    """
    options = options or TextFileOptions()
    source, target = Path(source), None if target is None else Path(target)
    if target is not None and not options.in_place and same_file(source, target):
        raise UsageError(f"{target}: would overwrite the input; pass --in-place if that is meant")
    if source != STANDARD and detect(source, options.format) == "parquet":
        try:
            return _rewrite_parquet(source, target, rewriter, options)
        except OSError as error:
            raise OutputError(f"{target}: cannot be written ({error.strerror or error})") from error
    summary = Summary(files=1)
    with _open_target(source, target) as stream:
        for block in _blocks(source, rewriter, options):
            if stream is not None:
                stream.write(b"".join(block.output if options.render is None else map(options.render, block.results)))
                if target == STANDARD:
                    stream.flush()
            _tell(block.results, block.summary, options, summary)
    return summary


def _tell(results: Sequence[TextResult], counts: Summary, options: TextFileOptions, summary: Summary) -> None:
    summary.merge(counts)
    if options.observe:
        options.observe(results)
    if options.advance:
        options.advance(counts.units)


def _rewrite_parquet(source: Path, target: Path | None, rewriter: RewritesTexts, options: TextFileOptions) -> Summary:
    """Rewrite row group after row group, and join them at the end."""
    if target == STANDARD and options.render is None:
        raise UsageError(f"{source}: a Parquet file is no text for a pipe; name a file or folder with -o")
    texts = ParquetTexts(source, options.format.columns, options.format.lang_column)
    work = RowGroupRewriter(rewriter, texts, str(source), every=_every(options), select=options.select)
    summary = Summary(files=1)
    joins = target is not None and options.render is None
    with ExitStack() as stack:
        parts: list[Path] = []
        if joins:
            assert target is not None
            target.parent.mkdir(parents=True, exist_ok=True)
            folder = Path(stack.enter_context(TemporaryDirectory(dir=target.parent, prefix=f".{target.name}.")))
            parts = [folder / str(number) for number in range(texts.row_groups)]
        stream = None if joins else stack.enter_context(_open_target(source, target))
        for number in range(texts.row_groups):
            work.rewrite(number, parts[number] if joins else os.devnull)
            if stream is not None and options.render is not None:
                stream.write(b"".join(map(options.render, work.results)))
            _tell(work.results, work.summary, options, summary)
        if joins:
            texts.join(parts, str(target))
    return summary


def _every(options: TextFileOptions) -> bool:
    return options.render is not None or (options.observe is not None and options.every)


def _blocks(source: Path, rewriter: RewritesTexts, options: TextFileOptions) -> Iterator[Block]:
    fmt = _open_format(source, options.format)
    if isinstance(fmt, TextUnits):
        fmt = replace(fmt, limit=DOCUMENT_BYTES, source="standard input" if source == STANDARD else str(source))
    name = "standard input" if source == STANDARD else str(source)
    engine = RecordRewriter(rewriter, fmt, name, every=_every(options), select=options.select, batch=BATCH_LINES)
    if not fmt.one_line:
        for records in _batches(source, fmt):
            yield engine.records(records)
        return
    line = 1
    for data in _arriving(sys.stdin.buffer) if source == STANDARD else _pieces(source):
        yield from engine.rewrite(data, line)
        line += count_lines(data)


def _open_format(source: Path, options: FormatOptions) -> RecordFormat:
    if source == STANDARD or source.is_file() or not source.exists():
        return open_format(source, options)
    # a named pipe must not be looked into, for what is read is gone
    return open_format(STANDARD, replace(options, format=detect(source, options), unit=unit_of(source, options)))


def _pieces(source: Path) -> Iterator[bytes]:
    """Yield whole lines, about :data:`BATCH_BYTES` at a time."""
    parts: list[bytes] = []
    size = 0
    for block in read_blocks(source):
        end = block.rfind(b"\n") + 1 if size + len(block) >= BATCH_BYTES else 0
        if end:
            yield b"".join([*parts, block[:end]])
            parts, size = [], 0
        if block[end:]:
            parts.append(block[end:])
            size += len(block) - end
    if parts:
        yield b"".join(parts)


def _arriving(stream: Any) -> Iterator[bytes]:
    """Yield the complete lines of every read, so that a pipe is answered without waiting for a full batch."""
    rest: list[bytes] = []
    for data in bounded_blocks(iter(partial(stream.read1, BATCH_BYTES), b""), "standard input"):
        end = data.rfind(b"\n") + 1
        if end:
            yield b"".join([*rest, data[:end]])
            rest = []
        if data[end:]:
            rest.append(data[end:])
    if rest:
        yield b"".join(rest)


def _batches(source: Path, fmt: RecordFormat) -> Iterator[list[RawRecord]]:
    """Yield records of several lines; from standard input those that are complete with what has arrived."""
    if source != STANDARD:
        lines = map(RawLine, count(1), read_raw_lines(source))
        yield from batches(fmt.records(lines), BATCH_LINES, BATCH_BYTES)
        return
    arriving = _ArrivingLines(sys.stdin.buffer)
    batch: list[RawRecord] = []
    for record in fmt.records(arriving):
        batch.append(record)
        if arriving.used_up or len(batch) >= BATCH_LINES:
            yield batch
            batch = []
    if batch:
        yield batch


class _ArrivingLines:
    """The lines of a pipe; knows whether the next one would have to be waited for."""

    def __init__(self, stream: Any) -> None:
        self._pieces = _arriving(stream)
        self._lines: Iterator[bytes] = iter(())
        self._left = 0
        self._number = 0

    @property
    def used_up(self) -> bool:
        return self._left == 0

    def __iter__(self) -> Iterator[RawLine]:
        return self

    def __next__(self) -> RawLine:
        if self._left == 0:
            data = next(self._pieces)
            # a BytesIO splits behind line feeds only, unlike splitlines()
            self._lines, self._left = iter(io.BytesIO(data)), count_lines(data)
        self._left -= 1
        self._number += 1
        return RawLine(self._number, next(self._lines))


@contextmanager
def _open_target(source: Path, target: Path | None) -> Iterator[IO[bytes] | None]:
    if target is None:
        yield None
    elif target == STANDARD:
        with _standard_output() as stream:
            yield stream
    else:
        with atomic_write(target) as stream:
            yield stream
            if same_file(source, target):
                _copy_mode(source, stream)


def _copy_mode(source: Path, stream: IO[bytes]) -> None:
    """Give the file behind ``stream`` the permissions that ``source`` has, where the system knows such a thing."""
    name = getattr(getattr(stream, "fileobj", stream), "name", None)
    if isinstance(name, str) and Path(name).is_file():
        shutil.copymode(source, name)


@contextmanager
def _standard_output() -> Iterator[IO[bytes]]:
    sys.stdout.flush()
    try:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        raise  # the reader has gone away, which is no error
    except OSError as error:
        raise OutputError(f"standard output: cannot be written ({error.strerror or error})") from error
