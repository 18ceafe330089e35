"""What a stage is: its name, options, files and outputs, from which its identity follows."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from rewriter.io.files import file_digest

#: the runner's record in a stage's folder (``manifest.json`` is the stage function's own)
RECORD = "stage.json"
#: note in the record of a stage behind one that runs: it may be redone when what it reads has changed
FOLLOWS = "follows"
#: note in the record of a stage that is being redone on request
ANEW = "begun anew"


@dataclass(frozen=True)
class StageContext:
    """What a stage's function gets.

    Attributes:
        output: folder of the stage.
        run: folder of the run; an earlier stage's folder is ``run / NAME``.
    """

    output: Path
    run: Path


@dataclass(frozen=True)
class Stage:
    """One step of a recipe.

    Attributes:
        name: also its folder below the run's folder; ``augment/backward``.
        version: of the code; raised by hand when its output changes.
        run: does the work, continuing what an interrupted call left in its folder.
        config: options that the output depends on (no paths: these are in ``files``).
        files: files from outside that are read, by a label for messages; their digests count.
        after: earlier stages whose output is read.
        outputs: globs below the folder of what later stages read; everything by default.
        limits: options that say how far the stage goes; when they differ, it goes on from where it stands.
        parallel: under ``torchrun`` every process calls ``run``; of other stages only the first does.
        apart: where several commands share a run (:func:`run_stages_together`), one that meets this stage in another's
            hands leaves it, and what reads from it, to the other; for other stages it waits.
    """

    name: str
    version: int | str
    run: Callable[[StageContext], None]
    config: Mapping[str, Any] = field(default_factory=dict)
    files: Mapping[str, Path] = field(default_factory=dict)
    after: tuple[str, ...] = ()
    outputs: tuple[str, ...] = ("**/*",)
    limits: Mapping[str, Any] = field(default_factory=dict)
    parallel: bool = False
    apart: bool = False

    def own_identity(self) -> dict[str, Any]:
        """Return the part of the identity that does not depend on earlier stages."""
        identity: dict[str, Any] = {"stage version": self.version, **flatten(self.config)}
        identity |= {f"file {label}": _digest(path) for label, path in self.files.items()}
        plain: dict[str, Any] = json.loads(json.dumps(identity, default=str))
        return plain


def _digest(path: Path) -> str:
    status = path.stat() if path.exists() else None
    return _digest_once(path, (status.st_size, status.st_mtime_ns) if status else None)


@cache
def _digest_once(path: Path, status: tuple[int, int] | None) -> str:
    """Identities are asked for several times in a run; a file that did not change is read once."""
    return file_digest(path)


@dataclass(frozen=True)
class Choice:
    """Which stages to run, and what to do with outputs that something else made.

    Attributes:
        until: this stage and what it needs; all stages by default.
        only: this stage alone; what it needs must be finished.
        fresh: begin anew with every stage.
        redo: begin anew with these stages; later ones follow where what they read has changed.
        dry_run: print the plan, do nothing.
    """

    until: str | None = None
    only: str | None = None
    fresh: bool = False
    redo: tuple[str, ...] = ()
    dry_run: bool = False


@dataclass(frozen=True)
class Step:
    """What will be, or was, done with a stage.

    Attributes:
        stage: its name.
        action: ``skip``, ``run``, ``continue``, ``redo`` or ``refuse``; ``elsewhere`` for what another command does.
        why: the reason, for people.
        seconds: time spent on it so far, over all interrupted calls.
        counts: what the stage's function counted.
    """

    stage: str
    action: str
    why: str
    seconds: float = 0.0
    counts: Mapping[str, Any] = field(default_factory=dict)


def flatten(values: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Return nested options as ``a.b -> value``, so that a difference is named by its key."""
    flat: dict[str, Any] = {}
    for key, value in values.items():
        if isinstance(value, Mapping) and value:
            flat |= flatten(value, f"{prefix}{key}.")
        else:
            flat[f"{prefix}{key}"] = value
    return flat
