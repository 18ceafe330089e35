"""What a file format is to corpus rewriting: records as they stand in the file, the texts in them, and the way back.

A :class:`RecordFormat` groups the lines of a file into records, names the texts of a record, and puts other texts in
their place, so that every byte outside them stays. It is made once per file (:func:`rewriter.formats.open_format`),
can be pickled, and keeps no state from one record to the next; so records can be worked on in any process. Parquet,
which has no lines, is apart: :mod:`rewriter.formats.parquet`.
"""

from __future__ import annotations

import codecs
import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple, Protocol

from rewriter.errors import UsageError
from rewriter.io.files import read_raw_lines

__all__ = ["Content", "FormatOptions", "RawLine", "RawRecord", "RecordError", "RecordFormat"]

FormatName = Literal["txt", "jsonl", "csv", "tsv", "parquet"]
UnitName = Literal["auto", "line", "paragraph", "document"]

#: of the name of a column, or of a path to one
COLUMN_CHARACTERS = 1000
#: a record of several lines is held in memory as a whole; one that grows beyond this is cut off behind a line
RECORD_BYTES = 16 << 20


class RawLine(NamedTuple):
    """A line as it stands in the file: number from 1, bytes with the line end."""

    number: int
    data: bytes

    @property
    def line(self) -> int:
        """Number of the (first) line."""
        return self.number


#: A record as it stands in the file: number of its first line, all its bytes with the line ends. A record of one line
#: is that line, so that line formats cost nothing here.
RawRecord = RawLine


class Content(NamedTuple):
    """A text of a record.

    Attributes:
        text: the text, decoded and without the format's escapes and quotes.
        language: value of the language column, where one is asked for and given.
        place: which of the record's texts it is, from 0; for :meth:`RecordFormat.replace`.
    """

    text: str
    language: str | None = None
    place: int = 0


class RecordError(Exception):
    """A record, or a part of it, cannot be processed; it is written through and listed.

    Attributes:
        reason: for people ("not UTF-8 (...)", "not JSON (...)", "no column 'text'").
        problems: (line, reason) of everything that is wrong; one entry for most records.
        contents: the texts of the record that can be processed all the same.
    """

    def __init__(
        self,
        reason: str,
        *,
        problems: Sequence[tuple[int, str]] = (),
        contents: Sequence[Content] = (),
    ) -> None:
        super().__init__(reason)
        self.reason = reason
        self.problems = tuple(problems)
        self.contents = tuple(contents)


@dataclass(frozen=True, slots=True)
class FormatOptions:
    r"""How files are read.

    Attributes:
        format: name of the format, or ``auto``, which goes by the file's name beneath ``.gz`` and ``.zst``.
        unit: of plain text: ``line``, ``paragraph`` (up to the next blank line), ``document``, or ``auto``, which is
            ``document`` for Markdown, HTML, reST and TeX, and ``paragraph`` for text that is hard-wrapped.
        columns: keys or columns that hold texts. JSON: ``meta.body`` for nested keys, ``messages.*.content`` for all
            elements of a list, ``\.`` for a dot in a key. CSV and TSV: name in the header, or number from 1.
        delimiter: of CSV and TSV, one character; None finds it.
        header: whether the first record of CSV and TSV names the columns.
        lang_column: key or column with the language of the record.
        code_comments: rewrite comments and docstrings of source code; otherwise source code is left alone.
    """

    format: Literal["auto", "txt", "jsonl", "csv", "tsv", "parquet"] = "auto"
    unit: UnitName = "auto"
    columns: tuple[str, ...] = ("text",)
    delimiter: str | None = None
    header: bool = True
    lang_column: str | None = None
    code_comments: bool = False

    def __post_init__(self) -> None:
        if not self.columns or not all(self.columns):
            raise UsageError("name at least one column that holds text")
        if any(len(name) > COLUMN_CHARACTERS for name in (*self.columns, self.lang_column or "")):
            raise UsageError(f"names of columns have at most {COLUMN_CHARACTERS:,} characters here")
        if self.delimiter is not None and (len(self.delimiter) != 1 or self.delimiter in '"\r\n'):
            raise UsageError(f"the delimiter must be one character, not {self.delimiter!r}")


class RecordFormat(Protocol):
    """Reads and writes the records of one file; see the module."""

    @property
    def name(self) -> FormatName:
        """Name of the format."""
        ...

    @property
    def one_line(self) -> bool:
        """Whether every record is exactly one line."""
        ...

    @property
    def raw_gate_safe(self) -> bool:
        """Whether the bytes of a record show the words of its texts as they are, in UTF-8 and with their context.

        Then a gate may look at records, or at many at once, without taking them apart. A record that is not looked at
        further should still be UTF-8 (plain text) to go without a report.
        """
        ...

    def records(self, lines: Iterable[RawLine]) -> Iterator[RawRecord]:
        """Group lines, the first of which begins a record, into records; joined, these are the lines again.

        Raises:
            InputError: the file as a whole cannot be this format.
        """
        ...

    def contents(self, record: RawRecord) -> list[Content]:
        """Return the texts of a record; none for a blank line, a header, a null.

        Raises:
            RecordError: it cannot be read, wholly or in part.
        """
        ...

    def replace(self, record: RawRecord, changes: Sequence[tuple[Content, str]]) -> bytes:
        """Return the record with other texts in place of some.

        Args:
            record: as it came from :meth:`records`.
            changes: contents of this record, each with its new text.

        Returns:
            The same bytes but for the spans of the texts that differ; these are escaped and quoted as they were.

        Raises:
            RecordError: the new text cannot stand in this format (a line end in a line).
        """
        ...

    def cut(self, path: str | Path, *, lines: int, size: int) -> Iterator[tuple[int, int, int]]:
        """Yield (first line, lines, offset in bytes) of pieces that begin and end with records.

        Args:
            path: a plain, .gz or .zst file.
            lines: about how many lines a piece has at most; it goes on to the end of the record.
            size: about how many bytes (of the uncompressed file).

        Raises:
            InputError: the file cannot be read, or its compressed data is damaged or truncated.
        """
        ...


def split_bom(record: RawRecord) -> tuple[bytes, bytes]:
    """Return the byte-order mark, if the record begins the file with one, and the rest."""
    if record.number == 1 and record.data.startswith(codecs.BOM_UTF8):
        return codecs.BOM_UTF8, record.data[3:]
    return b"", record.data


def line_end(data: bytes) -> bytes:
    r"""Return the line end of ``data``: ``\r\n``, ``\n`` or nothing."""
    if data.endswith(b"\n"):
        return b"\r\n" if data.endswith(b"\r\n") else b"\n"
    return b""


def not_utf8(error: UnicodeDecodeError, before: int = 0) -> str:
    """Return the reason for people; ``before`` is how many bytes stand before what was decoded."""
    return f"not UTF-8 ({error.reason} at byte {error.start + before})"


def cut_records(fmt: RecordFormat, path: str | Path, *, lines: int, size: int) -> Iterator[tuple[int, int, int]]:
    """Yield (first line, lines, offset) of pieces of whole records, for formats whose records span lines.

    Raises:
        InputError: the file cannot be read.
    """
    first, offset, count, length = 1, 0, 0, 0
    for _, data in fmt.records(map(RawLine, itertools.count(1), read_raw_lines(path))):
        count += data.count(b"\n") + (not data.endswith(b"\n"))
        length += len(data)
        if count >= lines or length >= size:
            yield first, count, offset
            first, offset, count, length = first + count, offset + length, 0, 0
    if length:
        yield first, count, offset
