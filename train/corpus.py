"""Reading training text for encoders: lines of many files, mixed evenly, reproducibly."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from rewriter.files import read_lines


def sample_lines(files: Sequence[Path], *, share: float, rng: np.random.Generator) -> Iterator[str]:
    """Yield a random ``share`` (0 to 1) of the non-empty lines of ``files``, in order."""
    for path in files:
        for line in read_lines(path, errors="replace"):
            if line.strip() and (share >= 1 or rng.random() < share):
                yield line
