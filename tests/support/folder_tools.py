"""What several tests read from folders: a corpus that was written, the metrics of a training, cells of a table."""

from __future__ import annotations

import json
import signal
from pathlib import Path
from typing import Any

from rewriter.io.files import open_bytes


def contents(folder: Path) -> dict[str, bytes]:
    """Return the unpacked content of every file by its path, without the state of a run."""
    found = {}
    for path in sorted(folder.rglob("*")):
        if path.is_file() and ".gender-fair" not in path.parts:
            with open_bytes(path) as stream:
                found[path.relative_to(folder).as_posix()] = stream.read()
    return found


def metrics(folder: Path) -> list[dict[str, Any]]:
    """Return the lines of a training's metrics."""
    return [json.loads(line) for line in (folder / "metrics.jsonl").read_text().splitlines()]


def cells(path: Path) -> list[dict[str, str]]:
    """Return the rows of a table by column; cells stand for themselves."""
    lines = path.read_text(encoding="utf-8").split("\n")
    header = lines[0].split("\t")
    return [dict(zip(header, line.split("\t"), strict=True)) for line in lines[1:] if line]


def hear_interrupts() -> None:
    """Let a child process hear Ctrl-C: a job that a shell started in the background ignores it, as its children do."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
