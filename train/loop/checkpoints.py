"""Checkpoints of the Hugging Face Trainer: which one a run goes on from."""

from __future__ import annotations

import json
from pathlib import Path


def step_of(checkpoint: Path) -> int:
    """Return the step behind which a checkpoint was written."""
    return int(checkpoint.name.rsplit("-", 1)[1])


def last_checkpoint(folder: Path) -> Path | None:
    """Return the last whole checkpoint, or None; what a kill left half-written is passed over.

    The Trainer writes ``trainer_state.json`` behind everything else.
    """
    found = [path for path in folder.glob("checkpoint-*") if _is_whole(path / "trainer_state.json")]
    return max(found, key=step_of, default=None)


def _is_whole(state: Path) -> bool:
    try:
        return "global_step" in json.loads(state.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
