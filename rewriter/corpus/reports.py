"""What a run writes beside its output: rejects, what the guard refused, a page of differences."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rewriter.corpus.results import Summary
from rewriter.display import html_page
from rewriter.files import atomic_write
from rewriter.records import Edit, Rewrite, apply_edits

if TYPE_CHECKING:
    from rewriter.corpus.state import State

#: rows of a page of differences
PAGE_ROWS = 10_000


@dataclass(frozen=True)
class CorpusReports:
    """What else is written; None for nothing.

    Attributes:
        rejects: JSON lines with file, line and reason of what was written through.
        rejected_edits: JSON lines with file, line, sentence, proposal and reason of what the guard refused.
        html: a page with differences (of a large corpus the first of every shard) and counts.
    """

    rejects: str | Path | None = None
    rejected_edits: str | Path | None = None
    html: str | Path | None = None


def listed(state: State, what: str) -> Iterator[dict[str, Any]]:
    """Yield the records of one kind from the reports of all shards, in the order of the input.

    Args:
        state: of the run.
        what: ``rejects``, ``rejected_edits`` or ``examples``.
    """
    current, lines = -1, 0
    for file, report in state.journal.reports():
        if file != current:
            current, lines = file, 0
        for record in report[what]:
            # only now is it known how many lines stand before the shard
            yield {**record, "line": record["line"] - report["first"] + 1 + lines}
        lines += report["lines"]


def write_reports(state: State, summary: Summary, reports: CorpusReports) -> None:
    """Write what was asked for.

    Raises:
        OutputError: a file cannot be written.
    """
    if reports.rejects is not None:
        write_records(reports.rejects, listed(state, "rejects"))
    if reports.rejected_edits is not None:
        write_records(reports.rejected_edits, listed(state, "rejected_edits"))
    if reports.html is not None:
        _write_page(Path(reports.html), listed(state, "examples"), summary)


def write_records(path: str | Path, records: Iterable[Mapping[str, Any]]) -> None:
    """Write JSON lines.

    Raises:
        OutputError: the file cannot be written.
    """
    with atomic_write(path) as stream:
        for record in records:
            stream.write(json_line(record))


def json_line(record: Mapping[str, Any]) -> bytes:
    """Return one line of JSON; what is no Unicode text is shown as an escape."""
    return json.dumps(record, ensure_ascii=False).encode("utf-8", "backslashreplace") + b"\n"


def _write_page(path: Path, examples: Iterable[Mapping[str, Any]], summary: Summary) -> None:
    with html_page(path) as page:
        for number, example in enumerate(examples):
            if number == PAGE_ROWS:
                break
            edits = tuple(Edit(**edit) for edit in example["edits"])
            source = example["source"]
            page.add(source, Rewrite(apply_edits(source, edits), edits), where=f"{example['file']}:{example['line']}")
        page.set_totals(texts=summary.units, changed=summary.changed, counts=summary.edits)
