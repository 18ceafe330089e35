"""Findings as SARIF 2.1.0 (OASIS Standard, Static Analysis Results Interchange Format), written as they come."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path, PurePath
from typing import IO, Any
from urllib.parse import quote

from rewriter.version import __version__

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
#: rule (kind of edit) -> what it is about
RULES = {
    "pronoun": "A gendered pronoun; singular they includes everyone.",
    "verb": "A verb whose subject becomes they.",
    "contraction": "A contraction that follows they.",
    "noun": "A gendered noun that has a gender-fair form.",
    "article": "An article that follows its noun.",
    "adjective": "An adjective that follows its noun.",
}


class SarifReport:
    """One run of results; memory does not grow with their number."""

    def __init__(self, stream: IO[str]) -> None:
        self._stream = stream
        self._notes: list[dict[str, Any]] = []
        self._is_first = True

    def begin(self) -> None:
        """Write everything up to the results."""
        rules = [{"id": f"gender-fair/{kind}", "shortDescription": {"text": text}} for kind, text in RULES.items()]
        driver = {"name": "gender-fair", "version": __version__, "semanticVersion": __version__, "rules": rules}
        self._stream.write(
            f'{{"$schema": {json.dumps(SCHEMA)}, "version": "2.1.0", "runs": [{{\n'
            f'"tool": {json.dumps({"driver": driver})},\n"columnKind": "unicodeCodePoints",\n"results": ['
        )

    def add(self, finding: Mapping[str, Any], *, in_record: bool) -> None:
        """Write one result.

        Args:
            finding: the fields of a :class:`rewriter.report.check.Finding`.
            in_record: line and column are those of a record and its text; the region is the line then, and there is no
                fix, since SARIF knows places in files only.
        """
        text = f"'{finding['before']}' -> '{finding['after']}' ({finding['reason']})"
        region: dict[str, Any] = {"startLine": finding["line"]}
        if not in_record:
            region["startColumn"] = finding["column"]
            region["endLine"], region["endColumn"] = finding["end_line"], finding["end_column"]
        artifact = {"uri": _uri(finding["file"])}
        kind = finding["kind"]
        result: dict[str, Any] = {
            "ruleId": f"gender-fair/{kind}",
            **({"ruleIndex": list(RULES).index(kind)} if kind in RULES else {}),
            "level": "warning",
            "message": {"text": text},
            "locations": [{"physicalLocation": {"artifactLocation": artifact, "region": region}}],
            "properties": {"score": finding["score"]},
        }
        if in_record:
            result["properties"] |= {"column": finding["column"], "endColumn": finding["end_column"]}
        else:
            replacement = {"deletedRegion": region, "insertedContent": {"text": finding["after"]}}
            result["fixes"] = [{"artifactChanges": [{"artifactLocation": artifact, "replacements": [replacement]}]}]
        self._stream.write(("\n" if self._is_first else ",\n") + json.dumps(result, ensure_ascii=False))
        self._is_first = False

    def note(self, file: str, line: int, reason: str) -> None:
        """Remember a record that could not be read."""
        place = {"artifactLocation": {"uri": _uri(file)}, "region": {"startLine": max(1, line)}}
        note = {"level": "warning", "message": {"text": reason}, "locations": [{"physicalLocation": place}]}
        self._notes.append(note)

    def end(self, *, successful: bool) -> None:
        """Write everything behind the results."""
        invocation: dict[str, Any] = {"executionSuccessful": successful}
        if self._notes:
            invocation["toolExecutionNotifications"] = self._notes
        self._stream.write(f'\n],\n"invocations": {json.dumps([invocation], ensure_ascii=False)}\n}}]}}\n')


def _uri(file: str) -> str:
    """Return the name of a file as a URI reference: relative names stay relative."""
    path = PurePath(file)
    return Path(file).as_uri() if path.is_absolute() else quote(os.fsencode(path.as_posix()))
