"""Averaging the weights of checkpoints (Vaswani et al. 2017, section 6.1; Popel and Bojar 2018, section 4.9)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from rewriter.errors import ModelError
from rewriter.installation.extras import require
from rewriter.io.files import atomic_write


def average_weights(files: Sequence[Path]) -> dict[str, np.ndarray[Any, Any]]:
    """Return the mean of the same weights in several safetensors files, summed in double precision.

    Raises:
        ModelError: no file is given, one cannot be read, or they hold different weights.
    """
    if not files:
        raise ModelError("averaging needs at least one file of weights")
    total: dict[str, np.ndarray[Any, Any]] = {}
    kinds: dict[str, np.dtype[Any]] = {}
    for path in files:
        stored = _read(path)
        if total and {n: a.shape for n, a in stored.items()} != {n: a.shape for n, a in total.items()}:
            raise ModelError(
                f"{path}: holds other weights than {files[0]}; only checkpoints of one model can be averaged"
            )
        for name, array in stored.items():
            kinds[name] = array.dtype
            total[name] = total.get(name, np.zeros(array.shape)) + array.astype(np.float64)
    return {name: (array / len(files)).astype(kinds[name]) for name, array in total.items()}


def write_average(files: Sequence[Path], output: Path) -> None:
    """Write the mean of several safetensors files as one, atomically.

    Raises:
        ModelError: see :func:`average_weights`.
        OutputError: the file cannot be written.
    """
    save = require("safetensors.numpy", extra="train").save
    with atomic_write(output) as stream:
        stream.write(save(average_weights(files)))


def _read(path: Path) -> dict[str, np.ndarray[Any, Any]]:
    numpy = require("safetensors.numpy", extra="train")
    try:
        stored: dict[str, np.ndarray[Any, Any]] = numpy.load_file(path)
    except Exception as error:  # safetensors raises its own type, OSError or ValueError
        raise ModelError(f"{path}: weights cannot be read ({error})") from None
    return stored
