"""What a stage left in its folder: told by one digest, looked after, thrown away."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rewriter.io.files import file_digest
from rewriter.runs.manifest import Manifest, fingerprint
from train.stages.stage import RECORD

#: files that say how an output was made, not what it is
_BOOKKEEPING = {RECORD, "manifest.json", ".lock"}
_TRASH = ".trash-"


def describe_outputs(output: Path, globs: Sequence[str]) -> dict[str, Any]:
    """Return the sizes of a stage's output files and one digest over their content."""
    paths = {path for pattern in globs for path in output.glob(pattern) if path.is_file()}
    kept = sorted(path for path in paths if path.name not in _BOOKKEEPING)
    names = [path.relative_to(output).as_posix() for path in kept]
    digest = fingerprint({name: file_digest(path) for name, path in zip(names, kept, strict=True)})
    return {"digest": digest, "files": {name: p.stat().st_size for name, p in zip(names, kept, strict=True)}}


def output_digest(output: Path) -> str | None:
    """Return the digest of what a finished stage wrote, or None for one that is not finished."""
    record = Manifest.load(output, RECORD)
    return str(record.notes["outputs"]["digest"]) if record is not None and record.complete else None


def missing_outputs(output: Path, record: Manifest) -> list[str]:
    """Return the recorded output files that are gone or have another size."""
    sizes: Mapping[str, int] = record.notes.get("outputs", {}).get("files", {})
    return [n for n, size in sizes.items() if not (output / n).is_file() or (output / n).stat().st_size != size]


def discard(output: Path) -> None:
    """Remove a stage's folder so that a kill at any moment leaves it whole or gone."""
    if not output.exists():
        return
    trash = output.with_name(f"{_TRASH}{output.name}-{os.getpid()}-{time.monotonic_ns()}")
    output.rename(trash)
    shutil.rmtree(trash, ignore_errors=True)


def sweep(folder: Path) -> None:
    """Remove what a killed :func:`discard` left behind."""
    for trash in [*folder.glob(f"{_TRASH}*"), *folder.glob(f"*/{_TRASH}*")]:
        shutil.rmtree(trash, ignore_errors=True)
