r"""Plain text: a record is a line, a paragraph or the whole file.

Line ends (``\n``, ``\r\n``, none after the last line), blank lines around paragraphs and a byte-order mark are no part
of a text and are copied; a lone ``\r`` and NUL stay inside it like any other character.
"""

from __future__ import annotations

import codecs
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from rewriter.errors import InputError
from rewriter.formats.base import (
    RECORD_BYTES,
    Content,
    FormatName,
    RawLine,
    RawRecord,
    RecordError,
    cut_records,
    line_end,
    not_utf8,
    split_bom,
)
from rewriter.io.files import read_blocks

#: formats whose constructs span lines; other files are read line by line
DOCUMENT_SUFFIXES = frozenset({".md", ".markdown", ".html", ".htm", ".rst", ".tex"})


@dataclass(frozen=True)
class TextLines:
    """Plain text, line by line."""

    name: FormatName = "txt"
    one_line: bool = True
    raw_gate_safe: bool = True

    def records(self, lines: Iterable[RawLine]) -> Iterator[RawRecord]:
        """Return the lines: each is a record."""
        return iter(lines)

    def contents(self, record: RawRecord) -> list[Content]:
        """Return the line without its end; none for an empty one.

        Raises:
            RecordError: it is not UTF-8.
        """
        number, data = record
        body = data
        if data.endswith(b"\n"):
            body = data[:-2] if data.endswith(b"\r\n") else data[:-1]
        if number == 1:
            body = body.removeprefix(codecs.BOM_UTF8)
        if not body:
            return []
        try:
            return [Content(body.decode("utf-8"))]
        except UnicodeDecodeError as error:
            raise RecordError(not_utf8(error, len(split_bom(record)[0]))) from None

    def replace(self, record: RawRecord, changes: Sequence[tuple[Content, str]]) -> bytes:
        """Return the line with another text before its end.

        Raises:
            RecordError: the text holds a line end.
        """
        text = _new_text(changes)
        if text is None:
            return record.data
        end = line_end(record.data)
        if "\n" in text or (text.endswith("\r") and end == b"\n"):
            raise RecordError("the new text holds a line end")
        return split_bom(record)[0] + encode(text) + end

    def cut(self, path: str | Path, *, lines: int, size: int) -> Iterator[tuple[int, int, int]]:
        """Cut behind line ends; see :meth:`rewriter.formats.base.RecordFormat.cut`."""
        return cut_lines(read_blocks(path), lines=lines, size=size)


@dataclass(frozen=True)
class TextUnits:
    """Plain text by paragraphs or whole documents.

    A paragraph is a run of lines that are not blank, with the blank lines behind it; blank lines that begin a file are
    a record without text. A paragraph of more than ``limit`` bytes is cut behind a line; a document of that size is
    refused.

    Attributes:
        unit: ``paragraph`` or ``document``.
        source: name of the file, for messages.
        limit: most bytes of a record.
    """

    unit: Literal["paragraph", "document"]
    source: str = "input"
    limit: int = RECORD_BYTES
    name: FormatName = "txt"
    one_line: bool = False
    raw_gate_safe: bool = True

    def records(self, lines: Iterable[RawLine]) -> Iterator[RawRecord]:
        """Group the lines of a paragraph or document.

        Raises:
            InputError: the document is larger than the limit.
        """
        return self._document(lines) if self.unit == "document" else self._paragraphs(lines)

    def _document(self, lines: Iterable[RawLine]) -> Iterator[RawRecord]:
        parts: list[bytes] = []
        size = 0
        for _, data in lines:
            parts.append(data)
            size += len(data)
            if size > self.limit:
                raise InputError(
                    f"{self.source}: larger than {self.limit >> 20} MB, too much for one document; pass --unit line"
                )
        if parts:
            yield RawRecord(1, b"".join(parts))

    def _paragraphs(self, lines: Iterable[RawLine]) -> Iterator[RawRecord]:
        parts: list[bytes] = []
        first = size = 0
        ended = False
        for number, data in lines:
            blank = data.isspace()
            if parts and (size >= self.limit or (ended and not blank)):
                yield RawRecord(first, b"".join(parts))
                parts = []
            if not parts:
                first, size, ended = number, 0, False
            parts.append(data)
            size += len(data)
            ended = ended or blank
        if parts:
            yield RawRecord(first, b"".join(parts))

    def contents(self, record: RawRecord) -> list[Content]:
        """Return the text without byte-order mark and what blank lines and line end follow it.

        Raises:
            RecordError: some of its lines are not UTF-8; the text that it carries has U+FFFD in their place, and
                :meth:`replace` leaves these lines as they are.
        """
        _, body, _ = self._parts(record)
        if not body or body.isspace():
            return []
        try:
            return [Content(body.decode("utf-8"))]
        except UnicodeDecodeError:
            broken = [(record.number + n, why) for n, line in enumerate(body.split(b"\n")) if (why := _broken(line))]
            content = Content(body.decode("utf-8", "replace"))
            raise RecordError(broken[0][1], problems=broken, contents=[content]) from None

    def replace(self, record: RawRecord, changes: Sequence[tuple[Content, str]]) -> bytes:
        """Return the unit with another text; lines that are not UTF-8 stay.

        Raises:
            RecordError: the new text does not have the lines that the unit has, some of which must stay.
        """
        text = _new_text(changes)
        if text is None:
            return record.data
        head, body, tail = self._parts(record)
        new = encode(text)
        if _broken(body):
            old_lines, new_lines = body.split(b"\n"), new.split(b"\n")
            if len(old_lines) != len(new_lines):
                raise RecordError("not UTF-8, and a line less after rewriting")
            new = b"\n".join(o if _broken(o) else n for o, n in zip(old_lines, new_lines, strict=True))
        return head + new + tail

    def _parts(self, record: RawRecord) -> tuple[bytes, bytes, bytes]:
        """Return byte-order mark, text, and the line ends behind it."""
        head, body = split_bom(record)
        end = len(body.rstrip()) if self.unit == "paragraph" else len(body)
        # spaces at the end of the last line belong to it
        end = _end_of_line(body, end)
        return head, body[:end], body[end:]

    def cut(self, path: str | Path, *, lines: int, size: int) -> Iterator[tuple[int, int, int]]:
        """Cut behind paragraphs; see :meth:`rewriter.formats.base.RecordFormat.cut`."""
        return cut_records(self, path, lines=lines, size=size)


def _end_of_line(body: bytes, start: int) -> int:
    if start == len(body):
        return start - len(line_end(body))
    end = body.find(b"\n", start)
    if end < 0:
        return len(body)
    return end - 1 if end > start and body[end - 1] == 13 else end


def _broken(line: bytes) -> str | None:
    try:
        line.decode("utf-8")
    except UnicodeDecodeError as error:
        return not_utf8(error)
    return None


def _new_text(changes: Sequence[tuple[Content, str]]) -> str | None:
    """Return the new text of the only content, or None where it is the old one."""
    for content, text in changes:
        if text != content.text:
            return text
    return None


def encode(text: str) -> bytes:
    """Return the UTF-8 of a new text.

    Raises:
        RecordError: it holds half of a surrogate pair.
    """
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:
        raise RecordError("the new text holds half of a surrogate pair, which is no UTF-8") from None


def cut_lines(blocks: Iterable[bytes], *, lines: int, size: int) -> Iterator[tuple[int, int, int]]:
    """Yield (first line, lines, offset) of pieces that end at the line that reaches ``lines`` lines or ``size`` bytes.

    Args:
        blocks: the bytes in order, cut anywhere.
        lines: most lines of a piece.
        size: most bytes, but for the last line.
    """
    first, offset, count, length = 1, 0, 0, 0
    last = b"\n"
    for block in blocks:
        start = 0
        last = block
        while start < len(block):
            end = _cut_at(block, start, lines - count, size - length)
            stop = end or len(block)
            count += block.count(b"\n", start, stop)
            length += stop - start
            start = stop
            if end:
                yield first, count, offset
                first, offset, count, length = first + count, offset + length, 0, 0
    if length:
        yield first, count + (not last.endswith(b"\n")), offset


def _cut_at(block: bytes, start: int, lines: int, size: int) -> int:
    """Return where the line ends that is the ``lines``-th from ``start`` or reaches ``size`` bytes; 0 if not here."""
    by_size = block.find(b"\n", max(start, start + size - 1)) + 1
    stop = by_size or len(block)
    if block.count(b"\n", start, stop) < lines:
        return by_size
    end = start
    for _ in range(lines):
        end = block.index(b"\n", end) + 1
    return end
