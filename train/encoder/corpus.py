"""Reading training text for encoders: lines of many files, mixed evenly, reproducibly."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from rewriter.io.files import read_lines


def sample_lines(files: Sequence[Path], *, share: float, rng: np.random.Generator) -> Iterator[str]:
    """Yield a random ``share`` (0 to 1) of the non-empty lines of ``files``, in order."""
    for path in files:
        for line in read_lines(path, errors="replace"):
            if line.strip() and (share >= 1 or rng.random() < share):
                yield line


def interleave(files: Sequence[Path], rng: np.random.Generator) -> Iterator[str]:
    """Yield every file's lines in random order of files, runs of 50 lines, so that any prefix is a fair sample."""
    streams = [sample_lines([path], share=1.0, rng=rng) for path in files]
    weights = np.array([path.stat().st_size for path in files], dtype=float)
    while streams:
        index = int(rng.choice(len(streams), p=weights / weights.sum()))
        for _ in range(50):
            line = next(streams[index], None)
            if line is None:
                del streams[index]
                weights = np.delete(weights, index)
                break
            yield line
