"""Prints the scores of a suite: as text, Markdown, JSON, and as lines of the log of measurements. Never sentences."""

from __future__ import annotations

import subprocess
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from eval.edits import KindCount
from eval.suite import Score, SuiteResult
from eval.tables import Table
from rewriter.errors import InputError, OutputError

#: columns of the log of measurements
LOG_COLUMNS = ("date", "commit", "model", "set", "system", "score", "signature")


def score_table(result: SuiteResult) -> Table:
    """Return the paper's table: a row per system, a column per set (and per label of a set with labels)."""
    columns = [(name, label) for name in result.sets for label in (None, *_labels(result, name))]
    rows = [[system, *(_cell(result, system, name, label) for name, label in columns)] for system in result.scores]
    heads = [name if label is None else f"{name}: {label}" for name, label in columns]
    return Table(["system", *heads], rows)


def exact_table(result: SuiteResult) -> Table:
    """Return the share of sentences without an error, in percent, in the same layout."""
    rows = [[system, *_row_cells(result, row, lambda s: f"{s.wer.exact:.1f}")] for system, row in result.scores.items()]
    return Table(["system", *result.sets], rows)


def kind_table(result: SuiteResult, set_name: str) -> Table:
    """Return counts by kind of edit on one set, a column per system: ``done/expected``, ``+N`` for extra ones."""
    systems = [system for system, row in result.scores.items() if set_name in row]
    counts = [result.scores[system][set_name].edits.counts() for system in systems]
    kinds = [kind for kind in (counts[0] if counts else ()) if any(c[kind].expected or c[kind].extra for c in counts)]
    return Table(["kind", *systems], [[kind, *(_count_cell(c[kind]) for c in counts)] for kind in kinds])


def comparison_table(result: SuiteResult) -> Table:
    """Return ours against every published output: difference, its interval, p-value, Koehn's share of samples ahead."""
    rows = [
        [
            system,
            name,
            published,
            f"{c.difference:+.2f}",
            f"{c.interval.low:+.2f} to {c.interval.high:+.2f}",
            f"{c.p_value:.3f}",
            f"{c.better:.1f}",
        ]
        for system in result.ours
        for name, score in result.scores[system].items()
        for published, c in score.against.items()
    ]
    return Table(
        ["system", "set", "against", "difference", "interval", "p", "% of samples ahead"], rows, text_columns=3
    )


def text(result: SuiteResult, *, markdown: bool = False) -> str:
    """Return the whole report: scores, exact sentences, tests, counts by kind, signatures."""
    parts = [
        ("Word error rate, percent", score_table(result), _star_note(result)),
        ("Sentences without an error, percent", exact_table(result), ""),
        ("Ours against published outputs (paired bootstrap; negative: fewer errors)", comparison_table(result), ""),
    ]
    parts += [(f"Edits by kind, {name}: done/expected +extra", kind_table(result, name), "") for name in result.sets]
    blocks = [_part(title, table, note, markdown) for title, table, note in parts if table.rows]
    mark = "`" if markdown else ""
    signed = "\n".join(f"- {name}: {mark}{line}{mark}" for name, line in _signatures(result).items())
    return "\n\n".join([*blocks, f"{_heading('Signatures', markdown)}\n{signed}"])


def to_dict(result: SuiteResult) -> dict[str, Any]:
    """Return the JSON form of all scores; counts and per-sentence statistics, no sentences."""
    return {
        "sets": list(result.sets),
        "systems": [
            {
                "system": system,
                "ours": system in result.ours,
                "fingerprint": result.ours.get(system),
                "scores": {name: _score_dict(score) for name, score in row.items()},
            }
            for system, row in result.scores.items()
        ],
    }


def append_measurements(path: str | Path, result: SuiteResult) -> int:
    """Append one line per set and system of ours to the log of measurements; return how many.

    Raises:
        InputError: the file exists and has other columns.
        OutputError: it cannot be written.
    """
    path = Path(path)
    date, commit = datetime.now(UTC).date().isoformat(), toolkit_commit()
    lines = [
        "\t".join((date, commit, identity, name, system, f"{score.wer.score:.4f}", score.wer.signature))
        for system, identity in result.ours.items()
        for name, score in result.scores[system].items()
    ]
    header = "\t".join(LOG_COLUMNS)
    try:
        known = path.read_text(encoding="utf-8") if path.exists() else ""
        if known and known.splitlines()[0] != header:
            raise InputError(f"{path}:1: not a log of measurements; its first line should be: {' '.join(LOG_COLUMNS)}")
        path.parent.mkdir(parents=True, exist_ok=True)
        start = "" if known.endswith("\n") else f"{known and chr(10)}{'' if known else header + chr(10)}"
        with path.open("a", encoding="utf-8", newline="\n") as stream:
            stream.write(start + "".join(f"{line}\n" for line in lines))
    except OSError as error:
        raise OutputError(f"{path}: cannot be written ({error.strerror or error})") from None
    return len(lines)


def toolkit_commit() -> str:
    """Return the commit of the checkout that runs (``-dirty`` when changed), or ``-`` for an installed copy."""
    folder = Path(__file__).parent
    # An installed copy may lie inside somebody else's repository: only a checkout that tracks this file counts.
    if _git(folder, "ls-files", "--error-unmatch", Path(__file__).name) is None:
        return "-"
    return _git(folder, "describe", "--always", "--dirty", "--abbrev=12", "--exclude=*") or "-"


def _git(folder: Path, *arguments: str) -> str | None:
    try:
        done = subprocess.run(["git", "-C", str(folder), *arguments], capture_output=True, text=True, check=False)
    except OSError:
        return None
    return done.stdout.strip() if done.returncode == 0 else None


def _labels(result: SuiteResult, set_name: str) -> tuple[str, ...]:
    rows = (row[set_name].blocks for row in result.scores.values() if set_name in row)
    return tuple(next(iter(rows), {}))


def _cell(result: SuiteResult, system: str, set_name: str, label: str | None) -> str:
    score = result.scores[system].get(set_name)
    if score is None:
        return ""
    if label is not None:
        return f"{score.blocks[label]:.2f}"
    starred = system in result.ours and result.starred(system, set_name)
    return f"{score.wer.score:.2f}" + ("*" if starred else "")


def _row_cells(result: SuiteResult, row: Mapping[str, Score], show: Any) -> Iterable[str]:
    return (show(row[name]) if name in row else "" for name in result.sets)


def _count_cell(count: KindCount) -> str:
    return f"{count.done}/{count.expected}" + (f" +{count.extra}" if count.extra else "")


def _star_note(result: SuiteResult) -> str:
    starred = any(result.starred(system, name) for system in result.ours for name in result.scores[system])
    return "* differs from the best published output, p < 0.05 (paired bootstrap)" if starred else ""


def _part(title: str, table: Table, note: str, markdown: bool) -> str:
    lines = [_heading(title, markdown), table.markdown() if markdown else table.plain()]
    if note:
        lines.append(f"\n\\{note}" if markdown else note)
    return "\n".join(lines)


def _heading(title: str, markdown: bool) -> str:
    return f"### {title}\n" if markdown else title


def _signatures(result: SuiteResult) -> dict[str, str]:
    """Return set -> signature; all systems on a set share it."""
    return {
        name: next(row[name].wer.signature for row in result.scores.values() if name in row) for name in result.sets
    }


def _score_dict(score: Score) -> dict[str, Any]:
    against = {name: comparison.to_dict() for name, comparison in score.against.items()}
    return {**score.wer.to_dict(), "edits": score.edits.to_dict(), "blocks": dict(score.blocks), "against": against}
