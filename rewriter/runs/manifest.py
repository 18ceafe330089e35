"""What makes a run the same run: identity, manifest, lock.

A run's *identity* is a flat mapping of names to JSON values (digests of its inputs, its options, the stage's version
number). It is stored in a manifest beside the output; an output whose manifest holds another identity is never
continued or overwritten silently, and the message names what differs.
"""

from __future__ import annotations

import hashlib
import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from rewriter.errors import InUseError, OutputError, ResumeError
from rewriter.io.files import read_json, write_json

__all__ = ["Manifest", "check_same", "differences", "fingerprint", "lock"]

MANIFEST = "manifest.json"
#: seconds between two notes of the time spent
_HEARTBEAT = 2.0


@dataclass
class Manifest:
    """The record of one finished (or, for sharded work, unfinished) stage.

    Attributes:
        stage: name of the stage, ``backward``.
        identity: what the output depends on; compared on resume.
        complete: everything was written.
        counts: figures for people (pairs written, sentences seen).
        seconds: wall-clock time spent so far, over all resumed runs.
        notes: recorded, not compared (commit, toolkit version, machine).
    """

    stage: str
    identity: dict[str, Any]
    complete: bool = False
    counts: dict[str, Any] = field(default_factory=dict)
    seconds: float = 0.0
    notes: dict[str, Any] = field(default_factory=dict)

    def save(self, folder: str | Path, name: str = MANIFEST) -> None:
        """Write ``manifest.json`` (or a file of another name) into ``folder``."""
        write_json(Path(folder) / name, asdict(self))

    @classmethod
    def load(cls, folder: str | Path, name: str = MANIFEST) -> Manifest | None:
        """Return the manifest of ``folder``, or None where there is none."""
        path = Path(folder) / name
        return cls(**read_json(path)) if path.exists() else None


def fingerprint(value: Any) -> str:
    """Return a SHA-256 over the canonical JSON form of ``value``."""
    text = json.dumps(value, sort_keys=True, ensure_ascii=False, default=str)
    return hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()


def differences(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    """Describe key by key how two identities differ, one line each."""
    lines = []
    for key in sorted(old.keys() | new.keys()):
        before, after = old.get(key), new.get(key)
        if json.dumps(before, sort_keys=True, default=str) != json.dumps(after, sort_keys=True, default=str):
            lines.append(f"{key}: was {_short(before)}, is {_short(after)}")
    return lines


def check_same(old: Mapping[str, Any], new: Mapping[str, Any], *, where: str | Path) -> None:
    """Refuse to continue an output that something else made.

    Raises:
        ResumeError: names every differing part and says how to begin anew.
    """
    lines = differences(old, json.loads(json.dumps(new, default=str)))
    if lines:
        listed = "\n  ".join(lines)
        raise ResumeError(
            f"{where} holds the output of another run; it differs in\n  {listed}\nUse --fresh to begin anew."
        )


@contextmanager
def lock(folder: str | Path) -> Iterator[None]:
    """Hold ``folder`` for this process; the operating system drops the lock when the process dies.

    Raises:
        InUseError: another running process holds it (an OutputError).
        OutputError: the folder cannot be written.
    """
    folder = Path(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        held = FileLock(folder / ".lock")
        held.acquire(timeout=0)
    except Timeout:
        raise InUseError(
            f"{folder} is in use by another running process; wait for it or choose another output"
        ) from None
    except OSError as error:
        raise OutputError(f"{folder}: cannot be written ({error.strerror or error})") from None
    try:
        yield
    finally:
        held.release()


@contextmanager
def stopwatch(manifest: Manifest, folder: Path | None = None, name: str = MANIFEST) -> Iterator[None]:
    """Add the time spent inside to ``manifest.seconds``.

    Args:
        manifest: gets the time.
        folder: where it is saved now and then and at the end, so that a run that is interrupted or killed keeps its
            time; nobody else may save it inside. None leaves that to the caller.
        name: of its file.
    """
    begin, before = time.monotonic(), manifest.seconds

    def note() -> None:
        manifest.seconds = before + time.monotonic() - begin
        if folder is not None:
            manifest.save(folder, name)

    stop = threading.Event()
    thread = threading.Thread(target=_beat, args=(note, stop), daemon=True)
    if folder is not None:
        thread.start()
    try:
        yield
    finally:
        stop.set()
        if folder is not None:
            thread.join()
        note()


def _beat(note: Callable[[], None], stop: threading.Event) -> None:
    """Note the time every few seconds; less often where that takes long, as with a hundred thousand inputs."""
    pause = _HEARTBEAT
    while not stop.wait(pause):
        begin = time.monotonic()
        try:
            note()
        except OutputError:
            return  # the disk is full: the work itself will say so
        pause = max(_HEARTBEAT, 50 * (time.monotonic() - begin))


def _short(value: Any) -> str:
    if value is None:
        return "not given"
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 80 else text[:77] + "..."
