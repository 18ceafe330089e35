"""The check mode: what a rewriter would change, as places in files, for people, editors and continuous integration.

Columns count Unicode code points from 1. In plain text, line and column are those of the file. In JSON lines, CSV,
TSV and Parquet the line is that of the record (in Parquet the row), and the column counts in its text.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import IO, Any

from rewriter.corpus.results import TextResult
from rewriter.errors import UsageError
from rewriter.records import Edit, Reject
from rewriter.registry import did_you_mean
from rewriter.sarif import SarifReport

FORMATS = ("text", "json", "sarif", "github")


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
        return f"{self.file}:{self.line}:{self.column}: {self.kind}: '{before}' -> '{after}' ({self.reason})"


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
    if edit.reason == f"{edit.before} -> {edit.after}":
        return {"noun": "gendered noun", "article": "follows its noun"}.get(edit.kind, "gendered pronoun")
    return edit.reason.removeprefix(f"{edit.before} -> {edit.after}: ")


class Report:
    """Writes findings as they come; use it as a context manager, whose end completes what is written.

    Attributes:
        found: number of findings.
        rejected: number of records that could not be read.
    """

    def __init__(self, stream: IO[str], form: str = "text", *, is_record: Callable[[str], bool] | None = None) -> None:
        """Begin a report.

        Args:
            stream: where to write.
            form: one of :data:`FORMATS`: ``text`` (a line each), ``json`` (JSON lines), ``sarif`` (SARIF 2.1.0),
                ``github`` (workflow commands, which GitHub shows beside the lines).
            is_record: tells for the name of a file whether it holds records (JSON lines, tables).

        Raises:
            UsageError: there is no such form.
        """
        if form not in FORMATS:
            raise UsageError(f"unknown format '{form}'{did_you_mean(form, list(FORMATS))}; known: {', '.join(FORMATS)}")
        self._stream, self._form = stream, form
        self._is_record = is_record or (lambda name: False)
        self._sarif = SarifReport(stream) if form == "sarif" else None
        self.found = self.rejected = 0

    def __enter__(self) -> Report:
        if self._sarif:
            self._sarif.begin()
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if self._sarif:
            self._sarif.end(successful=kind is None)

    def add(self, results: Sequence[TextResult]) -> None:
        """Write the findings of some texts, and what could not be read."""
        for result in results:
            for finding in findings(result, in_record=self._is_record(result.file)):
                self._write(finding)
                self.found += 1
            for reject in result.rejects:
                self._reject(reject)
                self.rejected += 1

    def _write(self, finding: Finding) -> None:
        if self._sarif:
            self._sarif.add(asdict(finding), is_record=self._is_record(finding.file))
        elif self._form == "json":
            self._stream.write(json.dumps(asdict(finding), ensure_ascii=False) + "\n")
        elif self._form == "github":
            self._stream.write(_annotation(finding) + "\n")
        else:
            self._stream.write(f"{finding}\n")

    def _reject(self, reject: Reject) -> None:
        if self._sarif:
            self._sarif.note(reject.file, reject.line, reject.reason)


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
    return f"::warning {told}::{_escape(f'{finding.before!r} -> {finding.after!r} ({finding.reason})')}"


def _escape(text: str, more: str = "") -> str:
    for character in f"%\r\n{more}":
        text = text.replace(character, f"%{ord(character):02X}")
    return text
