"""The last layer of an edit model: ``head.json`` holds its weights as numbers, which are checked when it is read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from rewriter.errors import InputError, ModelError
from rewriter.io.files import read_json
from rewriter.language.interface import Language

HEAD = "head.json"

Floats = npt.NDArray[np.float32]


def load_head(path: Path, language: Language) -> tuple[Floats, Floats]:
    """Return the weights (outcomes by width of the encoder) and the bias (outcomes) of a head.

    Args:
        path: the file.
        language: whose outcomes the head must decide.

    Raises:
        ModelError: it cannot be read, decides other outcomes, or does not hold finite numbers in these shapes.
    """
    try:
        head = read_json(path)
        outcomes = tuple(head["outcomes"])
        weight, bias = _numbers(head["weight"], 2), _numbers(head["bias"], 1)
    except (InputError, TypeError, KeyError, ValueError, OverflowError) as error:
        raise ModelError(f"{path}: not readable as the head of an edit model ({error})") from None
    if outcomes != language.outcomes:
        raise ModelError(f"{path}: decides {list(outcomes)}, the language '{language.code}' has {language.outcomes}")
    if len(weight) != len(outcomes) or len(bias) != len(outcomes):
        raise ModelError(f"{path}: {len(weight)} rows and {len(bias)} biases for {len(outcomes)} outcomes")
    return weight, bias


def _numbers(values: Any, dimensions: int) -> Floats:
    """Return an array.

    Raises:
        ValueError: it has another number of dimensions, or holds something else than finite numbers.
    """
    with np.errstate(over="ignore"):  # too large is not finite, which is refused below
        found = np.array(values, dtype=np.float32)
    if found.ndim != dimensions or not found.size:
        raise ValueError(f"{found.ndim} dimensions where there should be {dimensions}")
    if not np.isfinite(found).all():
        raise ValueError("not all numbers are finite")
    return found
