"""The head that reads mentions: two small networks over the states of the bundled encoder, in one JSON file.

One says whether a mention means a person whose gender turns, the other which case and number it has. Numbers are stored
as half floats in base64, with the digest of the encoder that they belong to.
"""

from __future__ import annotations

import base64
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from rewriter.errors import InputError, ModelError
from rewriter.io.files import file_digest, read_json

Floats = npt.NDArray[np.float32]

#: the head of the bundled model
FOLDER = Path(__file__).parent / "model"
FILE = "swap-head.json"
VERSION = 1


@dataclass(frozen=True)
class Network:
    """One hidden layer; the last columns of the input reach the output directly, too.

    Attributes:
        mean: of each input.
        scale: of each input.
        hidden: weights (hidden, inputs) and bias.
        output: weights (outputs, hidden + direct) and bias.
    """

    mean: Floats
    scale: Floats
    hidden: tuple[Floats, Floats]
    output: tuple[Floats, Floats]

    def __call__(self, inputs: Floats) -> Floats:
        """Return the outputs for rows of inputs."""
        rows = (inputs - self.mean) / self.scale
        inner = np.maximum(rows @ self.hidden[0].T + self.hidden[1], 0)
        direct = self.output[0].shape[1] - inner.shape[1]
        if direct:
            inner = np.concatenate([inner, rows[:, -direct:]], axis=1)
        found: Floats = inner @ self.output[0].T + self.output[1]
        return found


@dataclass(frozen=True)
class SwapHead:
    """What reads mentions.

    Attributes:
        turn: one output, the log-odds that a mention turns.
        cell: log-probabilities, up to a constant, of each of :data:`augment.de.swapping.mention.CELLS`, of one person
            and of several.
    """

    turn: Network
    cell: Network

    @classmethod
    def load(cls, folder: Path, encoder: Path) -> SwapHead:
        """Read a head and check that it belongs to an encoder.

        Args:
            folder: that holds the head.
            encoder: directory of the edit model.

        Raises:
            ModelError: there is no head, it is damaged, or it belongs to another encoder.
        """
        path = folder / FILE
        try:
            record = read_json(path)
            networks = {name: _network(record[name]) for name in ("turn", "cell")}
            belongs, version = record["encoder"], record["version"]
        except (InputError, TypeError, KeyError, ValueError) as error:
            raise ModelError(
                f"{path}: not readable as the head for swapping ({error}); install the toolkit again, or make one "
                "with 'gender-fair train swap-head'"
            ) from None
        if version != VERSION:
            raise ModelError(f"{path}: a head of version {version}, this toolkit reads version {VERSION}")
        if belongs != encoder_digest(encoder):
            raise ModelError(
                f"{path}: belongs to another encoder than {encoder}; swapping German takes the model 'de' that came "
                "with the toolkit, for another one make a head with 'gender-fair train swap-head'"
            )
        return cls(**networks)


@cache
def encoder_digest(folder: Path) -> str:
    """Return the digest of the weights of a model directory."""
    return str(file_digest(folder / "model.bin"))


def _network(record: Any) -> Network:
    hidden = _array(record["hidden"]), _array(record["hidden bias"])
    return Network(
        _array(record["mean"]),
        _array(record["scale"]),
        hidden,
        (_array(record["output"]), _array(record["output bias"])),
    )


def _array(record: Any) -> Floats:
    found = np.frombuffer(base64.b64decode(record["base64"]), dtype="<f2").reshape(record["shape"]).astype(np.float32)
    if not np.isfinite(found).all():
        raise ValueError("not all numbers are finite")
    return found


def stored(array: Floats) -> dict[str, Any]:
    """Return an array as it stands in a head's file."""
    return {"shape": list(array.shape), "base64": base64.b64encode(array.astype("<f2").tobytes()).decode("ascii")}
