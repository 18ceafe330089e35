"""What a fuzz target is, and how the cases that it found are kept as files."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis.strategies import SearchStrategy

from rewriter.errors import GenderFairError

#: values by name: text, bytes, numbers, and lists of these; what a file of a find holds
Case = Mapping[str, Any]
#: what any input may lead to: a sentence for people
FORESEEN = GenderFairError
#: key of bytes in files of finds; every byte is the character of its number
_BYTES = "latin-1"


@dataclass(frozen=True)
class Target:
    """Something that is given any input.

    Attributes:
        name: on the command line, and of the folder of its finds.
        cases: makes the strategy that generates cases.
        check: raises where a case shows a fault: an exception that is no error for people, or a broken promise.
        native: whether libraries in C++ read the input, which may end the process.
    """

    name: str
    cases: Callable[[], SearchStrategy[dict[str, Any]]]
    check: Callable[[Case], None]
    native: bool = False


def write_case(folder: Path, target: str, case: Case, why: str) -> Path:
    """Write a case that showed a fault; return the file, whose name is a digest of the case."""
    shown = {name: _shown(value) for name, value in case.items()}
    digest = hashlib.sha256(json.dumps(shown, sort_keys=True).encode()).hexdigest()[:12]
    path = folder / target / f"{digest}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"found": why, "case": shown}, indent=1) + "\n", encoding="utf-8")
    return path


def read_case(path: Path) -> Case:
    """Return the case of a file of :func:`write_case`."""
    found = json.loads(path.read_text(encoding="utf-8"))["case"]
    return {name: _read(value) for name, value in found.items()}


def _shown(value: Any) -> Any:
    return {_BYTES: value.decode("latin-1")} if isinstance(value, bytes) else value


def _read(value: Any) -> Any:
    return value[_BYTES].encode("latin-1") if isinstance(value, dict) and set(value) == {_BYTES} else value


@contextmanager
def workplace() -> Iterator[Path]:
    """Yield a folder for the files of a case; it is removed at the end of the block."""
    with TemporaryDirectory(prefix="gender-fair-fuzz-") as name:
        yield Path(name)


def foreseen(work: Callable[[], Any]) -> Any:
    """Return what ``work`` returns, or the error for people that it raised; anything else is a fault and goes on."""
    try:
        return work()
    except FORESEEN as error:
        assert str(error).strip(), f"{type(error).__name__} without a message"
        return error
