"""Findings as other linters of prose print them, for editors and review tools that read those, written as they come.

Sources: Vale 3, ``--output=JSON`` (https://vale.sh/docs/cli; an object of lists of alerts by file); textlint,
``--format json`` (https://textlint.org/docs/formatter; a list of files with their messages).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import IO, Any


class Vale:
    """Alerts by file; ``Span`` holds the first and the last column of ``Match`` on ``Line``, from 1."""

    brackets = "{}"

    @staticmethod
    def opening(file: str) -> str:
        """Return what begins the alerts of a file."""
        return f"{json.dumps(file, ensure_ascii=False)}: ["

    #: what ends them
    closing = "]"

    @staticmethod
    def entry(finding: Mapping[str, Any]) -> dict[str, Any]:
        """Return an alert."""
        begins, ends = finding["column"], finding["end_column"] - 1
        one_line = finding["line"] == finding["end_line"]
        return {
            "Action": {"Name": "replace", "Params": [finding["after"]]},
            "Span": [begins, max(begins, ends) if one_line else begins],
            "Check": f"GenderFair.{finding['kind'].capitalize()}",
            "Description": "",
            "Link": "",
            "Message": _message(finding),
            "Severity": "suggestion",
            "Match": finding["before"],
            "Line": finding["line"],
        }


class Textlint:
    """Messages by file; without ``index``, ``range`` and ``fix``, which count in the whole file."""

    brackets = "[]"

    @staticmethod
    def opening(file: str) -> str:
        """Return what begins the messages of a file."""
        return f'{{"filePath": {json.dumps(file, ensure_ascii=False)}, "messages": ['

    #: what ends them
    closing = "]}"

    @staticmethod
    def entry(finding: Mapping[str, Any]) -> dict[str, Any]:
        """Return a message; severity 1 is a warning."""
        start = {"line": finding["line"], "column": finding["column"]}
        return {
            "type": "lint",
            "ruleId": f"gender-fair/{finding['kind']}",
            "message": _message(finding),
            **start,
            "loc": {"start": start, "end": {"line": finding["end_line"], "column": finding["end_column"]}},
            "severity": 1,
        }


class LintJson:
    """One JSON value with the findings of all files; memory does not grow with their number."""

    def __init__(self, stream: IO[str], shape: type[Vale] | type[Textlint]) -> None:
        self._stream, self._shape = stream, shape
        self._file: str | None = None

    def begin(self) -> None:
        """Write what stands before the first file."""
        self._stream.write(self._shape.brackets[0])

    def add(self, finding: Mapping[str, Any], *, in_record: bool) -> None:
        """Write one finding; those of a file come one after the other.

        Args:
            finding: the fields of a :class:`rewriter.report.check.Finding`.
            in_record: line and column are those of a record and its text, and are told as such.
        """
        comma = ",\n"
        if finding["file"] != self._file:
            comma = "\n" if self._file is None else f"\n{self._shape.closing},\n"
            comma += f"{self._shape.opening(finding['file'])}\n"
            self._file = finding["file"]
        self._stream.write(comma + json.dumps(self._shape.entry(finding), ensure_ascii=False))

    def note(self, file: str, line: int, reason: str) -> None:
        """Leave out a record that could not be read: neither format has a place for it."""

    def end(self, *, successful: bool) -> None:
        """Write what stands behind the last finding."""
        closing = "" if self._file is None else f"\n{self._shape.closing}\n"
        self._stream.write(f"{closing}{self._shape.brackets[1]}\n")


def _message(finding: Mapping[str, Any]) -> str:
    return f"'{finding['before']}' -> '{finding['after']}' ({finding['reason']})"
