"""``metrics.jsonl``: a line per log entry and evaluation; of several processes the first writes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from train.loop import processes

METRICS = "metrics.jsonl"


def note(path: Path, line: Mapping[str, Any]) -> None:
    """Append a line."""
    if processes.rank() == 0:
        with path.open("a", encoding="utf-8") as stream:
            stream.write(json.dumps(line) + "\n")


def forget_after(path: Path, step: int) -> None:
    """Drop what a killed run noted behind the checkpoint of ``step``, from which it goes on: it will come again."""
    if path.exists() and processes.rank() == 0:
        lines = path.read_text(encoding="utf-8").splitlines()
        kept = [line for line in lines if _is_before(line, step)]
        path.write_text("".join(line + "\n" for line in kept), encoding="utf-8")


def _is_before(line: str, step: int) -> bool:
    """Return True if a line was written up to ``step`` and tells nothing of the end (``final``)."""
    try:
        entry = json.loads(line)
    except ValueError:
        return False  # a kill may leave half a line
    return isinstance(entry, dict) and "final" not in entry and entry.get("step", step + 1) <= step
