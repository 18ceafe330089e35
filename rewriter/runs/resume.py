"""One protocol for runs that stand in a folder: begin, continue, refuse, or find everything done.

Every stage that writes into a folder of its own does so inside :func:`run_in`::

    with run_in(folder, "mix", identity, fresh=fresh) as run:
        if not run.is_done:
            run.manifest.counts = write(folder)
    return run.manifest

What the output depends on is in the identity; a folder with another one is refused. When the block is left without an
error, the run is complete; otherwise the same call continues it. Work that is cut into parts keeps track of those
itself (:mod:`rewriter.runs.shards`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rewriter.errors import OutputError
from rewriter.runs.manifest import Manifest, check_same, lock, stopwatch

__all__ = ["Run", "run_in"]


@dataclass(frozen=True, slots=True)
class Run:
    """A run in its folder.

    Attributes:
        manifest: its record; what is put into ``counts`` and ``notes`` is saved when the run is complete.
        is_done: an earlier call finished it.
        is_continued: an earlier call began it.
    """

    manifest: Manifest
    is_done: bool = False
    is_continued: bool = False


@contextmanager
def run_in(
    folder: str | Path,
    stage: str,
    identity: Mapping[str, Any],
    *,
    fresh: bool = False,
    notes: Mapping[str, Any] | None = None,
    clear: Callable[[], None] | None = None,
    keeps_time: bool = False,
    is_locked: bool = False,
    is_main: bool = True,
) -> Iterator[Run]:
    """Hold a folder for a run; the run is complete when the block is left without an error.

    Args:
        folder: of the run; it is made where there is none.
        stage: name of the stage.
        identity: what the output depends on.
        fresh: begin anew, whatever stands in the folder.
        notes: of a run that begins.
        clear: removes the parts of another run; called with ``fresh``, before the new run is recorded.
        keeps_time: note the time that was spent every few seconds, so that a killed run keeps it; the caller must not
            change ``notes`` and ``counts`` in place then.
        is_locked: the caller holds the folder, or one that it stands in.
        is_main: False in a further process of the same run, which writes nothing here.

    Raises:
        ResumeError: the folder holds another run; the message names what differs.
        InUseError: another process holds the folder.
        OutputError: the folder cannot be written.
    """
    folder = Path(folder)
    with lock(folder) if is_main and not is_locked else nullcontext():
        old = None if fresh else Manifest.load(folder)
        if old is not None:
            check_same(old.identity, identity, where=folder)
        manifest = old or Manifest(stage, dict(identity), notes=dict(notes or {}))
        if manifest.complete:
            yield Run(manifest, is_done=True, is_continued=True)
            return
        if fresh and clear is not None and is_main:
            clear()
        if is_main:
            manifest.save(folder)
        try:
            with stopwatch(manifest, folder if keeps_time and is_main else None):
                yield Run(manifest, is_continued=old is not None)
            manifest.complete = True
        finally:
            if is_main:
                # behind an error, too, so that a run that is continued knows the time that was spent
                with nullcontext() if manifest.complete else suppress(OutputError):
                    manifest.save(folder)
