"""What a run writes beside its output: rejects, what the guard refused, a page of differences."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from rewriter.corpus.results import KEPT_REJECTS, Summary
from rewriter.faults import debug_file, write_traces
from rewriter.io.files import atomic_write, json_line
from rewriter.records import Edit, Reject, Rewrite, apply_edits
from rewriter.report.display import html_page

#: rows of a page of differences
PAGE_ROWS = 10_000

#: number of a file, report of one of its shards (:func:`rewriter.corpus.job.rewrite_shard`)
FileReport = tuple[int, Mapping[str, Any]]


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


def listed(reports: Iterable[FileReport], what: str) -> Iterator[dict[str, Any]]:
    """Yield the records of one kind from the reports of all shards.

    Args:
        reports: (number of the file, report of a shard), in the order of the input.
        what: ``rejects``, ``rejected_edits`` or ``examples``.
    """
    current, lines = -1, 0
    for file, report in reports:
        if file != current:
            current, lines = file, 0
        for record in report[what]:
            # only now is it known how many lines stand before the shard
            yield {**record, "line": record["line"] - report["first"] + 1 + lines}
        lines += report["lines"]


def total(reports: Callable[[], Iterable[FileReport]]) -> Summary:
    """Add up the reports of all shards.

    Args:
        reports: gives them in the order of the input, each time anew.
    """
    summary = Summary()
    for _, report in reports():
        summary.merge(Summary.from_dict(report["summary"]))
    summary.rejects = [Reject(**record) for record in islice(listed(reports(), "rejects"), KEPT_REJECTS)]
    return summary


def write_reports(
    reports: Callable[[], Iterable[FileReport]],
    summary: Summary,
    wanted: CorpusReports,
    *,
    state: Path | None = None,
) -> None:
    """Write what was asked for, and the traces of errors beside the rejects or into the folder of the state.

    Args:
        reports: of all shards, in the order of the input, each time anew.
        summary: of the whole.
        wanted: where to write.
        state: folder of the run's state; None where it keeps none.

    Raises:
        OutputError: a file cannot be written.
    """
    if wanted.rejects is not None:
        write_records(wanted.rejects, (_untraced(record) for record in listed(reports(), "rejects")))
    traced = (Reject(**record) for record in listed(reports(), "rejects") if "trace" in record)
    summary.debug = write_traces(traced, debug_file(wanted.rejects, state))
    if wanted.rejected_edits is not None:
        write_records(wanted.rejected_edits, listed(reports(), "rejected_edits"))
    if wanted.html is not None:
        _write_page(Path(wanted.html), listed(reports(), "examples"), summary)


def _untraced(record: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in record.items() if key != "trace"}


def write_records(path: str | Path, records: Iterable[Mapping[str, Any]]) -> None:
    """Write JSON lines.

    Raises:
        OutputError: the file cannot be written.
    """
    with atomic_write(path) as stream:
        for record in records:
            stream.write(json_line(record))


def _write_page(path: Path, examples: Iterable[Mapping[str, Any]], summary: Summary) -> None:
    with html_page(path) as page:
        for number, example in enumerate(examples):
            if number == PAGE_ROWS:
                break
            edits = tuple(Edit(**edit) for edit in example["edits"])
            source = example["source"]
            page.add(source, Rewrite(apply_edits(source, edits), edits), where=f"{example['file']}:{example['line']}")
        page.set_totals(texts=summary.units, changed=summary.changed, counts=summary.edits)
