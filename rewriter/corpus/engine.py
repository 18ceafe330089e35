"""Rewrites records as they stand in files: raw bytes in, the same bytes out but for the texts that change."""

from __future__ import annotations

import io
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import accumulate, zip_longest
from typing import Any, Literal, NamedTuple, Protocol

from rewriter.corpus.results import Summary, TextResult, count_lines, count_text_words, count_words
from rewriter.errors import Fault
from rewriter.faults import attempt, each, kept
from rewriter.formats.base import Content, RawLine, RawRecord, RecordError, RecordFormat, line_end
from rewriter.io.limits import TEXT_CHARACTERS
from rewriter.language.raw_gate import RawGate, raw_gate
from rewriter.records import Reject, Rewrite

#: records, and about how many bytes, that are rewritten at a time: enough for full batches, little memory
BATCH_RECORDS = 4096
BATCH_BYTES = 4 << 20

_TOO_LONG = Fault(f"longer than {TEXT_CHARACTERS >> 20} million characters, too much for one text")

#: tells for every text whether it is in the language of the rewriter
Selector = Callable[[Sequence[Content]], Sequence[bool]]


class RewritesTexts(Protocol):
    """What is needed of a :class:`rewriter.pipeline.Rewriter`."""

    def rewrite(self, texts: list[str], *, return_edits: Literal[True]) -> list[Rewrite]:
        """Return one rewrite per text."""
        ...


@dataclass(slots=True)
class Block:
    """Some records, rewritten.

    Attributes:
        output: what is written for each piece of input; joined, they are the rewritten records.
        results: of the texts with edits, rejects or refused proposals; of all where that was asked for.
        summary: counts.
    """

    output: list[bytes | memoryview]
    results: list[TextResult]
    summary: Summary


class _Parsed(NamedTuple):
    record: RawRecord
    contents: list[Content]
    rejects: tuple[Reject, ...]


@dataclass
class RecordRewriter:
    """Rewrites the records of one file.

    Attributes:
        rewriter: decides.
        format: takes records apart and puts them together.
        name: name of the file in results and rejects.
        every: give the results of all texts, so that each is looked at.
        select: tells which texts are in the rewriter's language; None takes all.
        batch: most records at a time.

    A rewriter whose attribute ``doubles`` is true adds texts: a record that changes is written behind its source.
    """

    rewriter: RewritesTexts
    format: RecordFormat
    name: str
    every: bool = False
    select: Selector | None = None
    batch: int = BATCH_RECORDS
    _gate: RawGate | None = field(init=False, repr=False, default=None)
    _doubles: bool = field(init=False, repr=False, default=False)

    def __post_init__(self) -> None:
        self._doubles = getattr(self.rewriter, "doubles", False)
        self._gate = None if self.every else gate_of(self.rewriter)

    def rewrite(self, data: bytes, first: int) -> Iterator[Block]:
        """Yield the rewritten form of ``data``, whole records of which the first stands in line ``first``."""
        if self._gate is None or self.format.name != "txt" or not self.format.one_line:
            lines = (RawLine(number, line) for number, line in enumerate(io.BytesIO(data), first))
            for records in batches(self.format.records(lines), self.batch):
                yield self.records(records)
            return
        yield from self._lines(data, first, self._gate)

    def records(self, records: Sequence[RawRecord]) -> Block:
        """Rewrite some records, whose output is one piece each."""
        summary = Summary(units=len(records))
        output, results = self._look_at(records, summary)
        return Block(list(output), results, summary)

    def _lines(self, data: bytes, first: int, gate: RawGate) -> Iterator[Block]:
        """Look only at the lines that the gate finds and at those that are not UTF-8; copy what is between them."""
        view = memoryview(data)
        spans = sorted({*gate.lines(data), *_broken_lines(data, view)})
        position, number = 0, first
        for index in range(0, len(spans) or 1, self.batch):
            begin = position
            records: list[RawRecord] = []
            between: list[memoryview] = []
            for start, end in spans[index : index + self.batch]:
                number += data.count(b"\n", position, start)
                between.append(view[position:start])
                records.append(RawRecord(number, data[start:end]))
                position, number = end, number + 1
            if index + self.batch >= len(spans):
                between.append(view[position:])
                position = len(data)
            yield self._spliced(records, between, view[begin:position])

    def _spliced(self, records: Sequence[RawRecord], between: Sequence[memoryview], piece: memoryview) -> Block:
        """Return a block of which only ``records`` were looked at; ``between`` are the lines around them."""
        summary = Summary(units=count_lines(piece))
        changed, results = self._look_at(records, summary)
        summary.words = count_words(piece)
        output = [part for pair in zip_longest(between, changed, fillvalue=b"") for part in pair]
        return Block(output, results, summary)

    def _look_at(self, records: Sequence[RawRecord], summary: Summary) -> tuple[list[bytes], list[TextResult]]:
        """Return the new bytes of every record, and the results worth telling; count."""
        parsed = [self._parse(record) for record in records]
        summary.words += count_text_words(content.text for item in parsed for content in item.contents)
        open_ones = self._may_change(parsed)
        contents = [
            content for item, opened in zip(parsed, open_ones, strict=True) if opened for content in item.contents
        ]
        rewrites = iter(rewrite_contents(self.rewriter, contents, self.select))
        output, results = [], []
        for item, opened in zip(parsed, open_ones, strict=True):
            if not opened:
                output.append(item.record.data)
                continue
            data, new = self._replace(item, [next(rewrites) for _ in item.contents])
            output.append(doubled(item.record.data, data, self.format) if self._doubles else data)
            results += new if self.every else [r for r in new if r.rewrite.edits or r.rejects or r.rewrite.rejected]
            for result in new:
                summary.count(result.rewrite)
                summary.reject(result.rejects)
            summary.changed += any(result.rewrite.edits for result in new)
        return output, results

    def _may_change(self, parsed: Sequence[_Parsed]) -> list[bool]:
        """Return which records the rewriter must see, or are to be reported."""
        gate = self._gate
        if gate is None:
            return [True] * len(parsed)
        if not self.format.raw_gate_safe:
            texts = ("\n".join(content.text for content in item.contents) for item in parsed)
            found = [gate.search(text.encode("utf-8", "replace")) for text in texts]
        else:
            starts = [0, *accumulate(len(item.record.data) for item in parsed)]
            found = [False] * len(parsed)
            for start, _ in gate.lines(b"".join(item.record.data for item in parsed)):
                found[bisect_right(starts, start) - 1] = True
        return [opened or bool(item.rejects) for opened, item in zip(found, parsed, strict=True)]

    def _parse(self, record: RawRecord) -> _Parsed:
        parsed = attempt(self._read, record)
        return _Parsed(record, [], (self._rejected(record, parsed),)) if isinstance(parsed, Fault) else parsed

    def _rejected(self, record: RawRecord, fault: Fault) -> Reject:
        return Reject(self.name, record.number, *fault)

    def _read(self, record: RawRecord) -> _Parsed:
        try:
            return _Parsed(record, self.format.contents(record), ())
        except RecordError as error:
            problems = error.problems or ((record.number, error.reason),)
            return _Parsed(record, list(error.contents), tuple(Reject(self.name, *problem) for problem in problems))

    def _replace(self, item: _Parsed, rewrites: Sequence[Rewrite]) -> tuple[bytes, list[TextResult]]:
        """Return the bytes of a record, and one result per text (one without text for a record that has none)."""
        record, contents, rejects = item
        data = record.data
        changes = [(c, r.text) for c, r in zip(contents, rewrites, strict=True) if r.edits]
        faults = [rewrite.error for rewrite in rewrites if rewrite.error is not None]
        if changes:
            written = attempt(self._write, record, changes)
            if isinstance(written, Fault):
                faults.append(written)
                rewrites = [Rewrite(content.text) for content in contents]
            else:
                data = written
        rejects = (*rejects, *(self._rejected(record, fault) for fault in faults))
        if not contents:
            source = None if rejects else ""
            return data, [TextResult(self.name, record.number, source, Rewrite(""), rejects)]
        results = [
            TextResult(self.name, record.number, content.text, rewrite, () if index else rejects)
            for index, (content, rewrite) in enumerate(zip(contents, rewrites, strict=True))
        ]
        return data, results

    def _write(self, record: RawRecord, changes: Sequence[tuple[Content, str]]) -> bytes | Fault:
        try:
            return self.format.replace(record, changes)
        except RecordError as error:
            return Fault(error.reason)


def rewrite_contents(
    rewriter: RewritesTexts, contents: Sequence[Content], select: Selector | None = None
) -> list[Rewrite]:
    """Return one rewrite per text; those that ``select`` leaves out stay, and those that cannot be worked on."""
    chosen = [True] * len(contents) if select is None else each(select, contents)
    if any(len(content.text) > TEXT_CHARACTERS for content in contents):
        chosen = [
            _TOO_LONG if len(c.text) > TEXT_CHARACTERS else ours for c, ours in zip(contents, chosen, strict=True)
        ]
    texts = [c.text for c, ours in zip(contents, chosen, strict=True) if ours and not isinstance(ours, Fault)]
    rewrites = iter(kept(texts, each(partial(rewriter.rewrite, return_edits=True), texts)))
    return [_rewrite_of(c.text, ours, rewrites) for c, ours in zip(contents, chosen, strict=True)]


def _rewrite_of(text: str, ours: bool | Fault, rewrites: Iterator[Rewrite]) -> Rewrite:
    if isinstance(ours, Fault):
        return Rewrite(text, error=ours)
    return next(rewrites) if ours else Rewrite(text)


def doubled(source: bytes, data: bytes, fmt: RecordFormat) -> bytes:
    """Return a record with its rewritten form behind it; the source alone where nothing changes."""
    if source == data:
        return source
    end = line_end(source)
    if fmt.name == "txt" and not fmt.one_line:  # paragraphs end with a blank line
        blank = end or b"\n"
        gap = b"" if source.endswith((b"\n\n", b"\n\r\n")) else blank if end else blank * 2
        return source + gap + data
    if end:
        return source + data
    return source + (b"\r\n" if b"\r\n" in source else b"\n") + data


def gate_of(rewriter: Any) -> RawGate | None:
    """Return the gate over bytes of a rewriter; None where it has none, so that it must see every text."""
    language = getattr(rewriter, "language", None)
    gates = getattr(getattr(rewriter, "options", None), "gate", True)
    return raw_gate(language) if gates and language is not None else None


def batches(
    records: Iterable[RawRecord], count: int = BATCH_RECORDS, size: int = BATCH_BYTES
) -> Iterator[list[RawRecord]]:
    """Yield runs of at most ``count`` records and about ``size`` bytes."""
    batch: list[RawRecord] = []
    length = 0
    for record in records:
        batch.append(record)
        length += len(record.data)
        if len(batch) >= count or length >= size:
            yield batch
            batch, length = [], 0
    if batch:
        yield batch


def _broken_lines(data: bytes, view: memoryview, step: int = 1 << 20) -> Iterator[tuple[int, int]]:
    """Yield (start, end) of the lines that are not UTF-8."""
    position = 0
    while position < len(data):
        stop = data.find(b"\n", position + step) + 1 or len(data)
        try:
            str(view[position:stop], "utf-8")
            position = stop
        except UnicodeDecodeError as error:
            found = position + error.start
            start = max(position, data.rfind(b"\n", position, found) + 1)
            position = data.find(b"\n", found) + 1 or len(data)
            yield start, position
