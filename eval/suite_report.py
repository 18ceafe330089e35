"""Prints the scores of a suite: as text, Markdown, JSON, and as lines of the log of measurements. Never sentences."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from eval.ablation import SUFFIXES, NeuralShare
from eval.blocks import JOINT, label_parts
from eval.edits import OTHER, KindCount
from eval.significance import Comparison
from eval.suite import NOTHING, Score, SuiteResult
from eval.tables import Table
from rewriter.errors import InputError, OutputError

#: columns of the log of measurements
LOG_COLUMNS = ("date", "commit", "model", "set", "system", "score", "signature")


def score_table(result: SuiteResult) -> Table:
    """Return the paper's table: a row per system, a column per set.

    A set with labels has columns for them, or where labels have parts in common (``feminine-plural``) for those parts;
    the labels themselves are then :func:`block_table`.
    """
    columns = [
        (name, block) for name in result.sets for block in (None, *(_shared(result, name) or _all(result, name)))
    ]
    return _table(result, columns, lambda row, name, block: _cell(result, row, name, block))


def block_table(result: SuiteResult, set_name: str) -> Table:
    """Return the scores of a set's labels where they have parts in common: gender by number; else no rows."""
    columns = [(set_name, block) for block in _labels(result, set_name)]
    table = _table(result, columns, lambda row, name, block: _cell(result, row, name, block))
    heads = ["system", *(str(block) for _, block in columns)]
    return Table(heads, [row for row in table.rows if any(row[1:])] if columns else [])


def exact_table(result: SuiteResult) -> Table:
    """Return the share of sentences without an error, in percent, by set and by what its labels have in common."""
    columns = [(name, block) for name in result.sets for block in (None, *_shared(result, name))]
    return _table(result, columns, lambda row, name, block: f"{result.part(row, name, block).exact:.1f}")


def class_table(result: SuiteResult, set_name: str) -> Table:
    """Return what went wrong on one set by class, a column per system.

    For every kind of edit what was missed or got wrong; then ``over-generation``, edits of a kind where the reference
    has none, and ``copy``, changes of no known kind.
    """
    systems = [system for system, row in result.scores.items() if set_name in row]
    counts = [result.scores[system][set_name].edits.counts() for system in systems]
    kinds = [kind for kind in (counts[0] if counts else ()) if any(count[kind].expected for count in counts)]
    rows = [[kind, *(str(count[kind].missed + count[kind].wrong) for count in counts)] for kind in kinds]
    over = [sum(c.extra for kind, c in count.items() if kind != OTHER) for count in counts]
    rows.append(["over-generation", *map(str, over)])
    rows.append(["copy", *(str(count[OTHER].extra) for count in counts)])
    return Table(["class", *systems], rows if any(cell != "0" for row in rows for cell in row[1:]) else [])


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
            _interval(c),
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


def block_comparison_table(result: SuiteResult) -> Table:
    """Return ours against the best published output of every block: difference, its interval, p-value."""
    rows = [
        [system, name, block, str(best), f"{c.difference:+.2f}", _interval(c), f"{c.p_value:.3f}"]
        for system in result.ours
        for name, score in result.scores[system].items()
        for block in score.blocks
        if (best := result.best_published(name, block)) in (against := result.comparisons(system, name, block))
        and (c := against[str(best)])
    ]
    return Table(["system", "set", "lines", "against", "difference", "interval", "p"], rows, text_columns=4)


def share_table(result: SuiteResult) -> Table:
    """Return what the network of each model that was taken apart is worth: its share of the errors removed."""
    rows = [
        [system, name, SUFFIXES[part], *_share_cells(share)]
        for system in result.ours
        for name, score in result.scores[system].items()
        for part, share in score.neural.items()
    ]
    heads = ["system", "set", "in its place", "errors removed by the network alone", "interval", "WER without", "p"]
    return Table(heads, rows, text_columns=3)


def _share_cells(share: NeuralShare) -> list[str]:
    percent, interval = share.percent, share.interval
    shown = ["", ""] if percent is None else [f"{percent:.1f} %", ""]
    if interval is not None:
        shown[1] = f"{interval.low:.1f} to {interval.high:.1f}"
    return [*shown, f"{0.0 - share.test.difference:+.2f}", f"{share.test.p_value:.3f}"]


def text(result: SuiteResult, *, markdown: bool = False) -> str:
    """Return the whole report: scores, exact sentences, tests, counts by kind, signatures."""
    parts = [("Word error rate, percent", score_table(result), _star_note(result))]
    parts += [(f"Word error rate by label, {name}", block_table(result, name), "") for name in result.sets]
    parts += [
        ("Sentences without an error, percent", exact_table(result), ""),
        ("What the network is worth (paired bootstrap against the model without it)", share_table(result), ""),
        ("Ours against published outputs (paired bootstrap; negative: fewer errors)", comparison_table(result), ""),
        ("Ours by label against the best published output", block_comparison_table(result), ""),
    ]
    parts += [(f"Edits by kind, {name}: done/expected +extra", kind_table(result, name), "") for name in result.sets]
    parts += [(f"Errors by class, {name}", class_table(result, name), "") for name in result.sets]
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
                "beside": result.beside.get(system),
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
    rows = [
        (identity, name, system, f"{score.wer.score:.4f}", score.wer.signature)
        for system, identity in result.ours.items()
        for name, score in result.scores[system].items()
    ]
    append_rows(path, rows)
    return len(rows)


def append_rows(path: str | Path, rows: Iterable[Sequence[str]]) -> None:
    """Append rows of fingerprint, set, system, score, signature to the log of measurements, with date and commit.

    Raises:
        InputError: the file exists and has other columns.
        OutputError: it cannot be written.
    """
    path = Path(path)
    date, commit = datetime.now(UTC).date().isoformat(), toolkit_commit()
    lines = ["\t".join((date, commit, *row)) for row in rows]
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


def _all(result: SuiteResult, set_name: str) -> tuple[str, ...]:
    """Return the names of a set's blocks."""
    rows = (row[set_name].blocks for row in result.scores.values() if set_name in row)
    return tuple(next(iter(rows), {}))


def _shared(result: SuiteResult, set_name: str) -> tuple[str, ...]:
    """Return what the labels of a set have in common."""
    return tuple(label_parts([name for name in _all(result, set_name) if JOINT in name]))


def _labels(result: SuiteResult, set_name: str) -> tuple[str, ...]:
    """Return the labels of a set that have parts in common."""
    shared = _shared(result, set_name)
    return tuple(name for name in _all(result, set_name) if name not in shared) if shared else ()


def _table(
    result: SuiteResult,
    columns: Sequence[tuple[str, str | None]],
    show: Callable[[str, str, str | None], str],
) -> Table:
    """Return a row per system; cells of sets that it was not scored on are empty."""
    rows = [
        [system, *(show(system, name, block) if name in row else "" for name, block in columns)]
        for system, row in result.scores.items()
    ]
    return Table(["system", *(name if block is None else f"{name}: {block}" for name, block in columns)], rows)


def _cell(result: SuiteResult, system: str, set_name: str, block: str | None) -> str:
    starred = system in result.ours and result.starred(system, set_name, block)
    return f"{result.part(system, set_name, block).score:.2f}" + ("*" if starred else "")


def _interval(comparison: Comparison) -> str:
    return f"{comparison.interval.low:+.2f} to {comparison.interval.high:+.2f}"


def _count_cell(count: KindCount) -> str:
    return f"{count.done}/{count.expected}" + (f" +{count.extra}" if count.extra else "")


def _star_note(result: SuiteResult) -> str:
    starred = any(
        result.starred(system, name, block)
        for system in result.ours
        for name, score in result.scores[system].items()
        for block in (None, *score.blocks)
    )
    return "* differs from the best published output, p < 0.05 (paired bootstrap)" if starred else ""


def _part(title: str, table: Table, note: str, markdown: bool) -> str:
    lines = [_heading(title, markdown), table.markdown() if markdown else table.plain()]
    if note:
        lines.append(f"\n\\{note}" if markdown else note)
    return "\n".join(lines)


def _heading(title: str, markdown: bool) -> str:
    return f"### {title}\n" if markdown else title


def _signatures(result: SuiteResult) -> dict[str, str]:
    """Return set -> signature of what has no conditions of its own; then our system and set -> its signature."""
    plain = {name: result.scores[NOTHING][name].wer.signature for name in result.sets}
    own = {
        f"{name}, {system}": score.wer.signature
        for system in result.ours
        for name, score in result.scores[system].items()
        if score.wer.signature != plain[name]
    }
    return plain | own


def _score_dict(score: Score) -> dict[str, Any]:
    against = {name: comparison.to_dict() for name, comparison in score.against.items()}
    blocks = {name: block.to_dict() for name, block in score.blocks.items()}
    neural = {part: share.to_dict() for part, share in score.neural.items()}
    counts = {"edits": score.edits.to_dict(), "blocks": blocks, "against": against}
    return {**score.wer.to_dict(), **counts, **({"neural": neural} if neural else {})}
