"""The log of measurements: a line for every figure that was measured on a published set."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

from eval.suite_report import LOG_COLUMNS, toolkit_commit
from rewriter.errors import InputError, OutputError


def append_log(path: str | Path, rows: Iterable[tuple[str, str, str, float, str]]) -> int:
    """Append measurements with date and commit; return how many.

    Args:
        path: the log (TSV); it is made where there is none.
        rows: fingerprint of the model, set, system, score, signature.

    Raises:
        InputError: the file exists and has other columns.
        OutputError: it cannot be written.
    """
    path, header = Path(path), "\t".join(LOG_COLUMNS)
    date, commit = datetime.now(UTC).date().isoformat(), toolkit_commit()
    lines = ["\t".join((date, commit, *row[:3], f"{row[3]:.4f}", row[4])) for row in rows]
    try:
        known = path.read_text(encoding="utf-8") if path.exists() else ""
        if known and known.splitlines()[0] != header:
            raise InputError(f"{path}:1: not a log of measurements; its first line should be: {' '.join(LOG_COLUMNS)}")
        path.parent.mkdir(parents=True, exist_ok=True)
        gap = "" if known.endswith("\n") else "\n" if known else f"{header}\n"
        with path.open("a", encoding="utf-8", newline="\n") as stream:
            stream.write(gap + "".join(f"{line}\n" for line in lines))
    except OSError as error:
        raise OutputError(f"{path}: cannot be written ({error.strerror or error})") from None
    return len(lines)
