"""The check mode: what a rewriter would change, as places in files, for people, editors and continuous integration.

Columns count Unicode code points from 1. In plain text, line and column are those of the file. In JSON lines, CSV,
TSV and Parquet the line is that of the record (in Parquet the row), and the column counts in its text.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from itertools import count
from pathlib import Path
from typing import IO, Any

from rewriter.corpus.engine import Block, RecordRewriter, RewritesTexts, Selector, batches
from rewriter.corpus.parquet import RowGroupRewriter
from rewriter.corpus.results import TextResult
from rewriter.errors import UsageError
from rewriter.formats import FormatOptions, RecordFormat, detect, open_format
from rewriter.formats.base import RawLine
from rewriter.formats.inputs import STANDARD
from rewriter.formats.parquet import ParquetTexts
from rewriter.io.files import read_raw_lines
from rewriter.io.limits import bounded_lines
from rewriter.records import Edit, Reject
from rewriter.registry import did_you_mean
from rewriter.report.lint_json import LintJson, Textlint, Vale
from rewriter.report.sarif import SarifReport
from rewriter.text.printable import printable, shown_name

__all__ = ["CheckOptions", "Finding", "Report", "check_files", "findings"]

FORMATS = ("text", "json", "sarif", "github", "vale", "textlint")
#: records that could not be read and are told; all are counted
KEPT_REJECTS = 10
#: how standard input is called in reports
STDIN = "<stdin>"


@dataclass(frozen=True)
class CheckOptions:
    """How files are read for a check.

    Attributes:
        format: format, unit, columns.
        select: tells which texts are in the rewriter's language; None takes all.
    """

    format: FormatOptions = field(default_factory=FormatOptions)
    select: Selector | None = None


def check_files(
    paths: Iterable[str | Path], *, rewriter: RewritesTexts, report: Report, options: CheckOptions | None = None
) -> None:
    """Report what ``rewriter`` would change in files, of which nothing is written.

    Args:
        paths: files (plain text, JSONL, CSV, TSV, Parquet; plain, .gz or .zst), or ``-`` for standard input.
        rewriter: a :class:`rewriter.pipeline.Rewriter`; its policy counts.
        report: gets the findings.
        options: how files are read.

    Raises:
        InputError: a file cannot be read, or its compressed data is damaged.
        UsageError: there is no such column.
    """
    options = options or CheckOptions()
    for path in paths:
        for results in _results(Path(path), rewriter, options):
            report.add(results, in_record=detect(path, options.format) != "txt")


def _results(path: Path, rewriter: RewritesTexts, options: CheckOptions) -> Iterator[list[TextResult]]:
    """Yield the results of a file, some at a time."""
    name = STDIN if str(path) == STANDARD else str(path)
    if detect(path, options.format) == "parquet":
        yield from _rows(path, name, rewriter, options)
        return
    fmt = open_format(path, options.format)
    records = RecordRewriter(rewriter, fmt, name, select=options.select)
    lines = bounded_lines(sys.stdin.buffer, STDIN) if str(path) == STANDARD else read_raw_lines(path)
    for block in _blocks(lines, fmt, records):
        yield block.results


def _rows(path: Path, name: str, rewriter: RewritesTexts, options: CheckOptions) -> Iterator[list[TextResult]]:
    texts = ParquetTexts(path, options.format.columns, options.format.lang_column)
    rows = RowGroupRewriter(rewriter, texts, name, select=options.select)
    for number in range(texts.row_groups):
        rows.rewrite(number, os.devnull)
        yield sorted(rows.results, key=lambda result: result.line)


def _blocks(lines: Iterable[bytes], fmt: RecordFormat, records: RecordRewriter) -> Iterator[Block]:
    numbered = map(RawLine, count(1), lines)
    for batch in batches(numbered if fmt.one_line else fmt.records(numbered)):
        if fmt.one_line:
            yield from records.rewrite(b"".join(line.data for line in batch), batch[0].number)
        else:
            yield records.records(batch)


@dataclass(frozen=True, slots=True)
class Finding:
    """A place where a rewriter would change something.

    Attributes:
        file: name of the file.
        line: line of its first character, from 1.
        column: column of its first character, from 1.
        end_line: line of the character behind it.
        end_column: column of the character behind it.
        kind: kind of the edit.
        before: what stands there.
        after: what should.
        reason: why.
        score: confidence of the model.
    """

    file: str
    line: int
    column: int
    end_line: int
    end_column: int
    kind: str
    before: str
    after: str
    reason: str
    score: float = 1.0

    def __str__(self) -> str:
        before, after = (json.dumps(word, ensure_ascii=False)[1:-1] for word in (self.before, self.after))
        return (
            f"{shown_name(self.file)}:{self.line}:{self.column}: {self.kind}: '{before}' -> '{after}' ({self.reason})"
        )


def findings(result: TextResult, *, in_record: bool = False) -> Iterator[Finding]:
    """Yield the findings of one text, in order.

    Args:
        result: what became of it.
        in_record: it is a field of a record, not the running text of a file.
    """
    source = result.source or ""
    for edit in sorted(result.rewrite.edits, key=lambda edit: edit.start):
        start = _place(source, edit.start, result.line, in_record)
        end = _place(source, edit.end, result.line, in_record)
        yield Finding(
            result.file, *start, *end, edit.kind, edit.before, edit.after, _readable(edit), round(edit.score, 4)
        )


def _place(text: str, offset: int, line: int, in_record: bool) -> tuple[int, int]:
    if in_record:
        return line, offset + 1
    begin = text.rfind("\n", 0, offset) + 1
    return line + text.count("\n", 0, begin), offset - begin + 1


def _readable(edit: Edit) -> str:
    """Return the reason without the words of the edit, which are told anyway."""
    change = f"{edit.before} -> {edit.after}"
    if edit.reason != change:
        return edit.reason.removeprefix(f"{change}: ")
    if edit.kind == "pronoun" and edit.before.lower().startswith("the"):  # the way back, --to feminine
        return "fair pronoun"
    return {"noun": "noun of the table", "article": "follows its noun"}.get(edit.kind, "gendered pronoun")


class Report:
    """Writes findings as they come; use it as a context manager, whose end completes what is written.

    Attributes:
        found: number of findings.
        rejected: number of records that could not be read.
        rejects: the first of them.
    """

    def __init__(self, stream: IO[str], form: str = "text") -> None:
        """Begin a report.

        Args:
            stream: where to write.
            form: one of :data:`FORMATS`: ``text`` (a line each), ``json`` (JSON lines), ``sarif`` (SARIF 2.1.0),
                ``github`` (workflow commands, which GitHub shows beside the lines), ``vale`` and ``textlint`` (the JSON
                of these linters).

        Raises:
            UsageError: there is no such form.
        """
        if form not in FORMATS:
            raise UsageError(f"unknown format '{form}'{did_you_mean(form, list(FORMATS))}; known: {', '.join(FORMATS)}")
        self._stream, self._form = stream, form
        self._whole = _whole(stream, form)
        self.found = self.rejected = 0
        self.rejects: list[Reject] = []

    def __enter__(self) -> Report:
        if self._whole:
            self._whole.begin()
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if self._whole:
            self._whole.end(successful=kind is None)

    def add(self, results: Sequence[TextResult], *, in_record: bool = False) -> None:
        """Write the findings of some texts, and what could not be read.

        Args:
            results: of one file.
            in_record: the file holds records (JSON lines, tables), not running text.
        """
        for result in results:
            for finding in findings(result, in_record=in_record):
                self._write(finding, in_record)
                self.found += 1
            for reject in result.rejects:
                self._reject(reject)

    def _write(self, finding: Finding, in_record: bool) -> None:
        if self._whole:
            self._whole.add(asdict(finding), in_record=in_record)
        elif self._form == "json":
            self._stream.write(json.dumps(asdict(finding), ensure_ascii=False) + "\n")
        elif self._form == "github":
            self._stream.write(_annotation(finding) + "\n")
        else:
            self._stream.write(f"{finding}\n")

    def _reject(self, reject: Reject) -> None:
        self.rejected += 1
        if self.rejected <= KEPT_REJECTS:
            self.rejects.append(reject)
        if self._whole:
            self._whole.note(reject.file, reject.line, reject.reason)


def _whole(stream: IO[str], form: str) -> SarifReport | LintJson | None:
    """Return what writes a form that is one JSON value; None for those of lines."""
    shapes: dict[str, type[Vale] | type[Textlint]] = {"vale": Vale, "textlint": Textlint}
    if form in shapes:
        return LintJson(stream, shapes[form])
    return SarifReport(stream) if form == "sarif" else None


def _annotation(finding: Finding) -> str:
    """Return a workflow command as GitHub Actions reads it (workflow commands, "Setting a warning message")."""
    properties: dict[str, Any] = {
        "file": finding.file,
        "line": finding.line,
        "endLine": finding.end_line,
        "col": finding.column,
        "endColumn": finding.end_column,
        "title": f"gender-fair: {finding.kind}",
    }
    told = ",".join(f"{key}={_escape(str(value), ',:')}" for key, value in properties.items())
    return f"::warning {printable(told)}::{_escape(f'{finding.before!r} -> {finding.after!r} ({finding.reason})')}"


def _escape(text: str, more: str = "") -> str:
    for character in f"%\r\n{more}":
        text = text.replace(character, f"%{ord(character):02X}")
    return text
