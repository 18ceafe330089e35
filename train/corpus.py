"""Reading training text for encoders: lines of many files, mixed evenly, reproducibly."""

from __future__ import annotations

import glob
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from rewriter.errors import InputError
from rewriter.files import read_lines


def expand(patterns: Sequence[str]) -> list[Path]:
    """Return the files of the glob patterns, sorted, each once.

    Raises:
        InputError: a pattern matches nothing.
    """
    found: set[Path] = set()
    for pattern in patterns:
        matches = glob.glob(pattern, recursive=True)  # noqa: PTH207 (Path.glob takes no absolute pattern)
        if not matches:
            raise InputError(f"no file matches {pattern}")
        found.update(Path(match) for match in matches if Path(match).is_file())
    return sorted(found)


def sample_lines(files: Sequence[Path], *, share: float, rng: np.random.Generator) -> Iterator[str]:
    """Yield a random ``share`` (0 to 1) of the non-empty lines of ``files``, in order."""
    for path in files:
        for line in read_lines(path, errors="replace"):
            if line.strip() and (share >= 1 or rng.random() < share):
                yield line
