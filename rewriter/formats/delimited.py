r"""CSV and TSV: only the bytes of the fields that change are written anew.

CSV follows RFC 4180: a field that begins with a quote ends with one, holds delimiters and line ends, and doubles
quotes; a quote inside another field is a character like any other. A row with text behind a closing quote, or with
more fields than the header, is written through and reported, for nobody knows which of its fields is the text. Where a
quote is not closed before the file ends or within 16 MB, the lines behind it that have no quotes are read as rows.

TSV is taken to have no quotes: a row is a line, and a field is what stands between tabs. Where this gives another
number of fields than the header has, quotes are tried; and a field that begins and ends with a quote and doubles those
inside is read, and written, as quoted. Backslashes stay as they are. A file with tabs *and* line ends within quotes is
CSV whose delimiter is the tab.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import islice
from pathlib import Path

from rewriter.errors import UsageError
from rewriter.formats.base import (
    RECORD_BYTES,
    Content,
    FormatName,
    FormatOptions,
    RawLine,
    RawRecord,
    RecordError,
    cut_records,
    line_end,
    not_utf8,
    split_bom,
)
from rewriter.formats.text import cut_lines, encode
from rewriter.io.files import read_blocks
from rewriter.registry import did_you_mean

#: delimiters that are looked for when none is given
DELIMITERS = (",", ";", "\t", "|")

_QUOTED = re.compile(rb'"[^"]*+(?:""[^"]*+)*+"')
_CLOSING = re.compile(rb'[^"]*+(?:""[^"]*+)*+"')
#: how much of a table is looked at in one go when it is cut
_BLOCK_BYTES = 1 << 20
_LINE_END = re.compile(rb"(\r?\n)")


class Delimited:
    """CSV or TSV.

    Attributes:
        source: name of the file, for messages.
        options: what was asked for.
        delimiter: found in the first record where it is not given.
        texts: places of the text columns, from 0; known when the first record was read.
        limit: most bytes of a record.
    """

    raw_gate_safe: bool = True

    def __init__(self, name: FormatName, source: str, options: FormatOptions, *, limit: int = RECORD_BYTES) -> None:
        self.name: FormatName = name
        self.one_line = name == "tsv"
        self.source = source
        self.options = options
        self.limit = limit
        given = options.delimiter or ("\t" if name == "tsv" else None)
        self.delimiter = (given or ",").encode()
        self.texts: tuple[int, ...] = ()
        self._find_delimiter = given is None
        self._language: int | None = None
        self._only: int | None = None
        self._width: int | None = None
        self._names: tuple[str, ...] | None = None

    def records(self, lines: Iterable[RawLine]) -> Iterator[RawRecord]:
        """Group the lines of rows, and learn the columns from the first row of the file.

        Raises:
            UsageError: there is no such column; the message lists those that are there.
        """
        rows = self._begin(iter(lines)) if self._names is None else iter(lines)
        return rows if self.one_line else self._rows(rows)

    def _begin(self, lines: Iterator[RawLine]) -> Iterator[RawLine]:
        """Yield the lines; the delimiter must be known before the second is looked at, the columns before the end."""
        first = next(lines, None)
        if first is None:
            return
        if first.number == 1:
            body = split_bom(first)[1]
            if self._find_delimiter:
                self.delimiter = self._likely_delimiter(body.decode("utf-8", "replace")).encode()
            taken = [first]
            if not self.one_line and self._opens(body):
                for line in lines:
                    taken.append(line)
                    body += line.data
                    if self._closes(line.data) or len(body) > self.limit:
                        break
            self._learn(body[: len(body) - len(line_end(body))])
            yield from taken
        else:
            yield first
        yield from lines

    def _likely_delimiter(self, line: str) -> str:
        """Return the delimiter that gives the wanted columns, or else the one most often found."""
        wanted = {*self.options.columns, self.options.lang_column} - {None}
        for delimiter in DELIMITERS:
            names = {name.strip().strip('"') for name in line.split(delimiter)}
            if self.options.header and wanted <= names:
                return delimiter
        return max(DELIMITERS, key=line.count)

    def _learn(self, row: bytes) -> None:
        try:
            fields = self._split(row)
            names = tuple(map(_value, fields)) if self.options.header else ()
        except RecordError as error:
            raise UsageError(f"{self.source}:1: the first row cannot be read: {error.reason}") from None
        except UnicodeDecodeError as error:
            raise UsageError(f"{self.source}:1: the header is {not_utf8(error)}") from None
        self._names, self._width = names, len(fields)
        self.texts = tuple(dict.fromkeys(self._place(column) for column in self.options.columns))
        if self.options.lang_column is not None:
            self._language = self._place(self.options.lang_column)
        elif len(self.texts) == 1:
            self._only = self.texts[0]

    def _place(self, column: str) -> int:
        names = self._names or ()
        assert self._width is not None
        if names.count(column) == 1:
            return names.index(column)
        if names.count(column) > 1:
            raise UsageError(f"{self.source}: column '{column}' is there {names.count(column)} times; pass its number")
        if column.isdecimal() and 1 <= int(column) <= self._width:
            return int(column) - 1
        if not names:
            raise UsageError(
                f"{self.source}: no column '{column}'; without a header a column is a number from 1 to {self._width}"
            )
        listed = ", ".join(repr(name) for name in names[:50])
        raise UsageError(
            f"{self.source}: no column '{column}'{did_you_mean(column, list(names))}; the header has {listed}"
        )

    def _rows(self, lines: Iterator[RawLine]) -> Iterator[RawRecord]:
        """Join the lines of quoted fields."""
        for line in lines:
            if b'"' not in line.data or not self._opens(split_bom(line)[1]):
                yield line
                continue
            parts, size = [line.data], len(line.data)
            for _, data in lines:
                parts.append(data)
                size += len(data)
                if size > self.limit or (b'"' in data and self._closes(data)):
                    break
            yield RawRecord(line.number, b"".join(parts))

    def _opens(self, data: bytes) -> bool:
        """Return whether a row that begins with ``data`` is inside quotes behind it."""
        if len(self.delimiter) == 1 and _regular_pattern(self.delimiter).fullmatch(data):
            return False
        opening = self.delimiter + b'"'
        at = 0 if data.startswith(b'"') else data.find(opening)
        while at >= 0:
            quoted = _QUOTED.match(data, at if data[at] == 34 else at + len(self.delimiter))
            if quoted is None:
                return True
            at = data.find(opening, quoted.end())
        return False

    def _closes(self, data: bytes) -> bool:
        """Return whether a row that was inside quotes before ``data`` is outside behind it."""
        closing = _CLOSING.match(data)
        if closing is None:
            return False
        opening = data.find(self.delimiter + b'"', closing.end())
        return opening < 0 or not self._opens(data[opening + len(self.delimiter) :])

    def contents(self, record: RawRecord) -> list[Content]:
        """Return the texts of a row; none for the header and for a blank line.

        Raises:
            RecordError: the row has too few or too many fields, a quote is not closed or followed by text, or a text
                is not UTF-8. Where the quote is not closed, the error carries the texts of the lines behind it.
        """
        number, data = record
        if number == 1 and self.options.header:
            return []
        row = data
        if data.endswith(b"\n"):
            row = data[:-2] if data.endswith(b"\r\n") else data[:-1]
        if number == 1:
            row = row.removeprefix(codecs.BOM_UTF8)
        try:
            if self._only is not None and b'"' not in row:  # what most rows are
                fields = row.split(self.delimiter)
                if len(fields) == self._width and row:
                    return [Content(fields[self._only].decode("utf-8"))]
            return self._texts(row)
        except UnicodeDecodeError as error:
            raise RecordError(not_utf8(error)) from None
        except RecordError as error:
            if not self._runs_on(row):
                raise
            contents, problems = self._read_run(record.number, row)
            raise RecordError(error.reason, problems=problems, contents=contents) from None

    def replace(self, record: RawRecord, changes: Sequence[tuple[Content, str]]) -> bytes:
        """Return the row with other texts in some fields, quoted if they were or if they must be.

        Raises:
            RecordError: the text holds a tab or a line end that TSV has no way to write, or needs quotes behind a quote
                that is not closed.
        """
        new = {content.place: text for content, text in changes if text != content.text}
        if not new:
            return record.data
        head, row, tail = _body(record)
        return head + (self._replace_run(row, new) if self._runs_on(row) else self._replace(row, new)) + tail

    def _texts(self, row: bytes, first: int = 0) -> list[Content]:
        if not row:
            return []
        fields = self._fields(row)
        language = None
        try:
            if self._only is not None:
                return [Content(_value(fields[self._only]), None, first)]
            if self._language is not None:
                language = _value(fields[self._language])
            return [Content(_value(fields[at]), language, place) for place, at in enumerate(self.texts, first)]
        except UnicodeDecodeError as error:
            raise RecordError(not_utf8(error)) from None

    def _replace(self, row: bytes, new: Mapping[int, str], first: int = 0) -> bytes:
        fields = self._fields(row)
        for place, at in enumerate(self.texts, first):
            if place in new:
                fields[at] = self._field(fields[at], encode(new[place]), alone=len(fields) == 1)
        return self.delimiter.join(fields)

    def _runs_on(self, row: bytes) -> bool:
        """Return whether a record of several lines begins with a quote that is not closed."""
        return b"\n" in row and self._opens(row)

    def _read_run(self, number: int, row: bytes) -> tuple[list[Content], list[tuple[int, str]]]:
        """Read the lines behind a quote that is not closed; return their texts and what is wrong."""
        contents: list[Content] = []
        problems: list[tuple[int, str]] = []
        for line, data in enumerate(_LINE_END.split(row)[::2], number):
            try:
                contents += self._texts_behind_quote(data, len(contents), number)
            except RecordError as error:
                problems.append((line, error.reason if line > number else "a quote that begins here is not closed"))
        return contents, problems

    def _texts_behind_quote(self, line: bytes, first: int, begin: int) -> list[Content]:
        """Return the texts of a line as a row; where it has quotes, nobody knows which of them close what."""
        if b'"' in line:
            raise RecordError(f"a quote behind that of line {begin}, which is not closed")
        return self._texts(line, first)

    def _replace_run(self, row: bytes, new: Mapping[int, str]) -> bytes:
        pieces = _LINE_END.split(row)
        place = 0
        for at in range(0, len(pieces), 2):
            try:
                found = len(self._texts_behind_quote(pieces[at], place, 1))
            except RecordError:
                continue
            if found:
                pieces[at] = self._replace(pieces[at], new, place)
                if b'"' in pieces[at]:  # it would close the quote that is open
                    raise RecordError("the new text needs quotes, and a quote before it is not closed")
            place += found
        return b"".join(pieces)

    def _field(self, old: bytes, text: bytes, *, alone: bool) -> bytes:
        """Return how a text is written in the place of ``old``."""
        quoted = _is_quoted(old)
        # a carriage return at the end of an open field would read as part of the line end
        ends_line = text.endswith(b"\r") and not quoted
        if self.name == "tsv" and (b"\n" in text or ends_line or (self.delimiter in text and not quoted)):
            raise RecordError("the new text holds a tab or a line end, which this TSV has no way to write")
        if quoted:
            return _quote(text)
        if self.name == "tsv":
            # a quote is a character like any other here, unless the result would read as a quoted field; an empty line
            # would be no row
            return _quote(text) if _is_quoted(text) or (alone and not text) else text
        special = any(mark in text and mark not in old for mark in (self.delimiter, b"\n", b"\r", b'"'))
        return _quote(text) if special or ends_line or text.startswith(b'"') or (alone and not text) else text

    def _fields(self, row: bytes) -> list[bytes]:
        """Return the fields of a row as they stand there.

        Raises:
            RecordError: it does not fit the header.
        """
        fields = self._split(row)
        count = len(fields)
        if count == self._width or self._width is None:
            return fields
        if self.options.header and (count > self._width or self.name == "tsv"):
            raise RecordError(f"{count} fields where the header has {self._width}")
        needed = max(*self.texts, self._language or 0, 0) + 1
        if count < needed:
            raise RecordError(f"{count} fields, too few for column {needed}")
        return fields

    def _split(self, row: bytes) -> list[bytes]:
        """Cut a row into fields, with their quotes; joined with the delimiter, they are the row again."""
        if b'"' not in row:
            return row.split(self.delimiter)
        if self.name != "tsv":
            return self._split_quoted(row)
        fields = row.split(self.delimiter)
        if len(fields) == self._width or self._width is None:
            return fields
        try:
            quoted = self._split_quoted(row)
        except RecordError:
            return fields
        return quoted if len(quoted) == self._width else fields

    def _split_quoted(self, row: bytes) -> list[bytes]:
        gap = len(self.delimiter)
        if gap == 1:
            fields = _fields_pattern(self.delimiter).findall(row + self.delimiter)
            if sum(map(len, fields)) + len(fields) == len(row) + 1:  # nothing was passed over
                return fields
        return self._split_slowly(row)

    def _split_slowly(self, row: bytes) -> list[bytes]:
        fields: list[bytes] = []
        at = 0
        while True:
            if row[at : at + 1] == b'"':
                quoted = _QUOTED.match(row, at)
                if quoted is None:
                    raise RecordError(f"a quote is not closed (field {len(fields) + 1})")
                end = quoted.end()
                if end < len(row) and not row.startswith(self.delimiter, end):
                    raise RecordError(f"text behind a closing quote (field {len(fields) + 1})")
            else:
                end = row.find(self.delimiter, at)
                end = len(row) if end < 0 else end
            fields.append(row[at:end])
            if end == len(row):
                return fields
            at = end + len(self.delimiter)

    def cut(self, path: str | Path, *, lines: int, size: int) -> Iterator[tuple[int, int, int]]:
        """Cut behind rows; see :meth:`rewriter.formats.base.RecordFormat.cut`."""
        if self.one_line:
            return cut_lines(read_blocks(path), lines=lines, size=size)
        if len(self.delimiter) > 1 or self.limit < 2 * _BLOCK_BYTES:
            return cut_records(self, path, lines=lines, size=size)
        return self._cut(_Buffer(read_blocks(path, size=_BLOCK_BYTES)), lines, size)

    def _cut(self, buffer: _Buffer, lines: int, size: int) -> Iterator[tuple[int, int, int]]:
        """Pass over whole runs of regular rows with one match each; take the others one by one."""
        regular = _regular_rows_pattern(self.delimiter)
        first, offset, count, length = 1, 0, 0, 0
        while buffer.at < len(buffer.data) or buffer.fill():
            start = buffer.at
            found = regular.match(buffer.data, start)
            if found is not None and found.end() > start:
                end = self._cut_at(buffer.data, (start, found.end()), lines - count, size - length)
                buffer.at = end
                count += buffer.data.count(b"\n", start, end)
                length += end - start
            else:
                [data] = [record.data for record in islice(self._rows(buffer.lines(first + count)), 1)]
                count += data.count(b"\n") + (not data.endswith(b"\n"))
                length += len(data)
            if count >= lines or length >= size:
                yield first, count, offset
                first, offset, count, length = first + count, offset + length, 0, 0
        if length:
            yield first, count, offset

    def _cut_at(self, data: bytes, run: tuple[int, int], lines: int, size: int) -> int:
        """Return where, in a run of regular rows, the row ends that reaches ``lines`` lines or ``size`` bytes."""
        start, end = run
        target = min(end, start + size)
        if data.count(b"\n", start, target) >= lines:
            target = start
            for _ in range(lines):
                target = data.index(b"\n", target) + 1
        before = _regular_rows_pattern(self.delimiter).match(data, start, target - 1)
        row = _regular_pattern(self.delimiter).match(data, start if before is None else before.end())
        assert row is not None
        return row.end()


@cache
def _fields_pattern(delimiter: bytes) -> re.Pattern[bytes]:
    """Return what finds the fields of a row without quotes in odd places, a delimiter behind each."""
    mark = re.escape(delimiter)
    return re.compile(rb'("[^"]*+(?:""[^"]*+)*+"|[^"%b]*+)%b' % (mark, mark))


@cache
def _regular_pattern(delimiter: bytes) -> re.Pattern[bytes]:
    """Return what fits a whole row without quotes in odd places."""
    mark = re.escape(delimiter)
    field = rb'(?:"[^"]*+(?:""[^"]*+)*+"|[^"\r\n%b]*+)' % mark
    return re.compile(rb"%b(?:%b%b)*+(?:\r?\n)?" % (field, mark, field))


@cache
def _regular_rows_pattern(delimiter: bytes) -> re.Pattern[bytes]:
    """Return what fits as many whole rows as there are before one with quotes or line ends in odd places."""
    mark = re.escape(delimiter)
    field = rb'(?:"[^"]*+(?:""[^"]*+)*+"|[^"\r\n%b]*+)' % mark
    return re.compile(rb"(?:%b(?:%b%b)*+\r?\n)*+" % (field, mark, field))


class _Buffer:
    """Blocks of a file, of which ``data`` from ``at`` is still to be looked at."""

    def __init__(self, blocks: Iterator[bytes]) -> None:
        self.data = b""
        self.at = 0
        self._blocks = blocks

    def fill(self) -> bool:
        """Add a block; return whether there was one."""
        block = next(self._blocks, None)
        self.data, self.at = self.data[self.at :] + (block or b""), 0
        return block is not None

    def lines(self, number: int) -> Iterator[RawLine]:
        """Yield lines as long as they are asked for."""
        while self.at < len(self.data) or self.fill():
            while not (end := self.data.find(b"\n", self.at) + 1):
                if not self.fill():
                    end = len(self.data)
                    break
            start, self.at = self.at, end
            yield RawLine(number, self.data[start:end])
            number += 1


def _body(record: RawRecord) -> tuple[bytes, bytes, bytes]:
    """Return byte-order mark, row and line end of a record."""
    head, data = split_bom(record) if record.number == 1 else (b"", record.data)
    tail = line_end(data)
    return head, data[: len(data) - len(tail)], tail


def _is_quoted(field: bytes) -> bool:
    return field.startswith(b'"') and _QUOTED.fullmatch(field) is not None


def _quote(text: bytes) -> bytes:
    return b'"' + text.replace(b'"', b'""') + b'"'


def _value(field: bytes) -> str:
    if _is_quoted(field):
        field = field[1:-1].replace(b'""', b'"')
    return field.decode("utf-8")
