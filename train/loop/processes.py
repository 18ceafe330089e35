"""Several processes in one run: all but the first wait, and join in where a stage works in parallel.

Under ``torchrun`` every process runs the same command. The first one does what a single process would do; before a
parallel stage it writes down whether that stage runs, and the others, which wait for that line, call the stage too.
A process that fails ends with an error, whereupon ``torchrun`` ends the others.
"""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

from rewriter.errors import UsageError

_PREFIX = ".processes-"
_POLL = 0.2


def rank() -> int:
    """Return the number of this process among those that ``torchrun`` started; 0 without it."""
    return int(os.environ.get("RANK", "0"))


def count() -> int:
    """Return how many processes ``torchrun`` started; 1 without it."""
    return int(os.environ.get("WORLD_SIZE", "1"))


def own_part(size: int, name: str, *, steps: int = 1) -> int:
    """Return how many of a batch's elements a process computes at once.

    Args:
        size: elements of the whole batch.
        name: of the option that says so.
        steps: parts in which a process computes its share.

    Raises:
        UsageError: they cannot be shared evenly.
    """
    parts = count() * steps
    if size % parts:
        told = f"{count()} processes" + (f" x {steps} parts" if steps > 1 else "")
        raise UsageError(f"{name}={size} cannot be shared by {told}; take a multiple of {parts}")
    return size // parts


def trainer_arguments(*, cpu: bool = False) -> dict[str, Any]:
    """Return the arguments of a Hugging Face Trainer that several processes need; none for one process.

    Args:
        cpu: training runs on the processor, also where there is a GPU.
    """
    if count() == 1:
        return {}
    import torch

    # while the first process makes labels or packs text, the others wait
    waiting = {"ddp_timeout": 12 * 3600}
    return waiting if torch.cuda.is_available() and not cpu else {"ddp_backend": "gloo", **waiting}


def open_board(folder: Path) -> None:
    """Remove the lines of earlier launches; the first process calls this."""
    for old in folder.glob(f"{_PREFIX}*"):
        if old != _board(folder):
            old.unlink(missing_ok=True)


def tell(folder: Path, stage: str, *, runs: bool) -> None:
    """Tell the other processes whether a parallel stage runs; does nothing where there are none."""
    if count() > 1:
        with _board(folder).open("a", encoding="utf-8") as stream:
            stream.write(f"{stage}\t{int(runs)}\n")


def wait_for(folder: Path, stage: str) -> bool:
    """Wait until the first process has told about a stage; return whether it runs."""
    while True:
        board = _board(folder)
        lines = board.read_text(encoding="utf-8").splitlines(keepends=True) if board.exists() else []
        for line in lines:
            name, _, runs = line.partition("\t")
            if name == stage and line.endswith("\n"):
                return runs.strip() == "1"
        time.sleep(_POLL)


def _board(folder: Path) -> Path:
    """Return the file of this launch; another launch (or a restart of it) has another name."""
    names = ("TORCHELASTIC_RUN_ID", "TORCHELASTIC_RESTART_COUNT", "MASTER_ADDR", "MASTER_PORT")
    parts = [os.environ.get(name, "") for name in names]
    if os.environ.get("LOCAL_WORLD_SIZE") == os.environ.get("WORLD_SIZE"):
        parts.append(str(os.getppid()))  # one machine: all processes are children of one launcher
    return folder / (_PREFIX + "-".join(part.replace("/", "_") for part in parts))
