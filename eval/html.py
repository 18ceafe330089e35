"""An HTML page of what a system got wrong, for reading: one file, no script, nothing loaded from elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import Path

from eval.edits import OTHER, EditReport, Outcome
from eval.tables import Table
from rewriter.io.files import atomic_write

_STYLE = """\
body { font: 16px/1.5 system-ui, sans-serif; max-width: 80rem; margin: 2rem auto; padding: 0 1rem; color: #1b1b1b;
  background: #fff; }
table { border-collapse: collapse; margin: 1rem 0; }
th, td { padding: .3rem .8rem; border-top: 1px solid #ccc; text-align: left; vertical-align: top; }
td.text { white-space: pre-wrap; overflow-wrap: anywhere; }
.missed { color: #8a1410; } .wrong { color: #7a4a00; } .extra { color: #4a2a8a; }
@media (prefers-color-scheme: dark) { body { color: #e8e8e8; background: #1b1b1b; } th, td { border-color: #555; }
  .missed { color: #ff9a94; } .wrong { color: #ffcf8a; } .extra { color: #c8b0ff; } }
"""


def write_errors(
    path: str | Path,
    report: EditReport,
    *,
    counts: Table,
    texts: Sequence[Sequence[str]] | None = None,
    title: str = "Errors by kind of edit",
) -> None:
    """Write a page with the counts and, where ``texts`` are given, every error with its sentence.

    Args:
        path: the page; it appears only when it is complete.
        report: what :func:`eval.edits.count_edits` found.
        counts: the table of counts.
        texts: source, reference and hypothesis sentences; None for a set whose sentences are not to be shown.
        title: heading of the page.

    Raises:
        OutputError: the page cannot be written.
    """
    with atomic_write(path) as stream:
        stream.write(page_head(title).encode("utf-8"))
        stream.write(page_table(counts.columns, counts.rows).encode("utf-8"))
        for kind in report.kinds if texts is not None else ():
            failures = [outcome for outcome in report.failures() if outcome.kind == kind]
            if failures:
                stream.write(_section(kind, failures, texts or ()).encode("utf-8", "replace"))
        stream.write(b"</body>\n</html>\n")


def page_head(title: str) -> str:
    """Return the beginning of a page, up to its heading."""
    return (
        f'<!doctype html>\n<html>\n<head>\n<meta charset="utf-8">\n<title>{escape(title)}</title>\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<style>\n{_STYLE}</style>\n</head>\n<body>\n<h1>{escape(title)}</h1>\n"
    )


def page_table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table; cells are text, not HTML."""
    head = "".join(f"<th>{escape(column)}</th>" for column in columns)
    body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>\n" for row in rows)
    return f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}</tbody>\n</table>\n"


def _section(kind: str, failures: Sequence[Outcome], texts: Sequence[Sequence[str]]) -> str:
    heading = "copy damage and other edits" if kind == OTHER else kind
    rows = "".join(_row(outcome, [text[outcome.sentence] for text in texts]) for outcome in failures)
    columns = ("line", "status", "source", "expected", "got", "sentence: source, reference, hypothesis")
    head = "".join(f"<th>{column}</th>" for column in columns)
    return (
        f"<h2>{escape(heading)}: {len(failures)}</h2>\n"
        f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}</tbody>\n</table>\n"
    )


def _row(outcome: Outcome, sentences: Sequence[str]) -> str:
    cells = (" ".join(tokens) for tokens in (outcome.before, outcome.expected, outcome.got))
    words = "".join(f'<td class="text">{escape(cell)}</td>' for cell in cells)
    lines = "\n".join(escape(sentence) for sentence in sentences)
    status = f'<td class="{outcome.status}">{outcome.status}</td>'
    return f'<tr><td>{outcome.sentence + 1}</td>{status}{words}<td class="text">{lines}</td></tr>\n'
