"""Runs the stages of a recipe one after the other, each only where its output does not stand already.

A stage's identity is its version, its options, the digests of the files that it reads and the digests of what earlier
stages wrote. It is kept in ``stage.json`` inside the stage's folder. A stage is skipped when that record is complete,
has the same identity and its output files are there; it is continued when the record is not complete; it is never
redone silently. The idea of comparing what was *read*, so that an earlier stage that gives the same again costs the
later ones nothing, is that of build systems (Mokhov, Mitchell and Peyton Jones 2018, section 2.3, early cut-off).
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from rewriter.errors import InUseError, ResumeError, UsageError
from rewriter.files import file_digest
from rewriter.registry import did_you_mean
from rewriter.runs import Manifest, differences, fingerprint, lock
from train import processes

#: the runner's record in a stage's folder (``manifest.json`` is the stage function's own)
RECORD = "stage.json"
#: files that say how an output was made, not what it is
_BOOKKEEPING = {RECORD, "manifest.json", ".lock"}
_TRASH = ".trash-"
#: folder of the locks of single stages
_LOCKS = ".locks"
#: seconds between two looks at a stage that another command has in hand
_POLL = 5.0
#: note in the record of a stage behind one that runs: it may be redone when what it reads has changed
FOLLOWS = "follows"
#: note in the record of a stage that is being redone on request
ANEW = "begun anew"
#: seconds between two notes of the time spent, so that a killed run does not lose its time
_HEARTBEAT = 15.0


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


def run_stages(
    stages: Sequence[Stage],
    folder: Path,
    choice: Choice | None = None,
    *,
    report: Callable[[Sequence[Step]], None] | None = None,
) -> list[Step]:
    """Run what is chosen and not done yet; call it again after an interruption to go on.

    Args:
        stages: in an order in which each comes behind those that it reads.
        folder: of the run; every stage has its folder in it.
        choice: which stages, and what to begin anew.
        report: called with the steps so far after every stage.

    Returns:
        what was done with each chosen stage.

    Raises:
        UsageError: ``choice`` names a stage that there is not, or ``only`` one whose inputs are not finished.
        ResumeError: a stage's folder holds the output of something else; the message names what differs.
        OutputError: another process works in ``folder``.
    """
    folder, choice = Path(folder), choice or Choice()
    chosen = select(stages, choice)
    if choice.dry_run:
        return plan(stages, folder, choice)
    if processes.rank() > 0:
        _join_in(chosen, folder)
        return []
    steps: list[Step] = []
    with lock(folder):
        _sweep(folder)
        processes.open_board(folder)
        _refuse_early(plan(stages, folder, choice), choice, folder)
        for number, stage in enumerate(chosen, 1):
            steps.append(_do(stage, stages, folder, choice, f"[{number}/{len(chosen)}]"))
            if report is not None:
                report(steps)
    return steps


def run_stages_together(
    stages: Sequence[Stage],
    folder: Path,
    choice: Choice | None = None,
    *,
    report: Callable[[Sequence[Step]], None] | None = None,
) -> list[Step]:
    """As :func:`run_stages`, where several commands (on machines that share the folder) may do parts of one run.

    Each stage is locked by itself. A stage that another command has in hand is waited for, or left to it (``apart``).

    Raises:
        UsageError, ResumeError: as :func:`run_stages`.
    """
    folder, choice = Path(folder), choice or Choice()
    chosen = select(stages, choice)
    if choice.dry_run:
        return plan(stages, folder, choice)
    if processes.rank() > 0:
        _join_in(chosen, folder)
        return []
    folder.mkdir(parents=True, exist_ok=True)
    if processes.count() > 1:
        processes.open_board(folder)
    _refuse_early(plan(stages, folder, choice), choice, folder)
    steps: list[Step] = []
    elsewhere: set[str] = set()
    for number, stage in enumerate(chosen, 1):
        place = f"[{number}/{len(chosen)}]"
        step = None if elsewhere & set(stage.after) else _do_alone(stage, stages, folder, choice, place)
        if step is None:
            elsewhere.add(stage.name)
            step = Step(stage.name, "elsewhere", "another command has it, or what it reads from, in hand")
            if stage.parallel:
                processes.tell(folder, stage.name, runs=False)
            _say(f"{place} {stage.name}: left to another command")
        steps.append(step)
        if report is not None:
            report(steps)
    return steps


def _do_alone(stage: Stage, stages: Sequence[Stage], folder: Path, choice: Choice, place: str) -> Step | None:
    """Bring a stage up to date under its own lock; None where another command holds it and it stands ``apart``."""
    told = False
    while True:
        try:
            with lock(folder / _LOCKS / stage.name):
                return _do(stage, stages, folder, choice, place)
        except InUseError:
            if stage.apart:
                return None
        if not told:
            _say(f"{place} {stage.name}: waiting for another command that has it in hand")
            told = True
        time.sleep(_POLL)


def _join_in(stages: Sequence[Stage], folder: Path) -> None:
    """Take part in the parallel stages that the first process runs."""
    for stage in stages:
        if stage.parallel and processes.wait_for(folder, stage.name):
            stage.run(StageContext(folder / stage.name, folder))


def select(stages: Sequence[Stage], choice: Choice) -> list[Stage]:
    """Return the chosen stages in order.

    Raises:
        UsageError: ``choice`` names a stage that there is not, or options that exclude each other.
    """
    names = [stage.name for stage in stages]
    for name in (choice.until, choice.only, *choice.redo):
        if name is not None and name not in names:
            raise UsageError(f"there is no stage '{name}'{did_you_mean(name, names)}; stages: {', '.join(names)}")
    if choice.until and choice.only:
        raise UsageError("--until and --only exclude each other")
    goal = choice.until or choice.only
    needed = set(names) if goal is None else {goal, *ancestors(stages, goal)}
    return [stage for stage in stages if stage.name in needed]


def ancestors(stages: Sequence[Stage], name: str) -> set[str]:
    """Return the names of all stages that ``name`` reads from, directly or not."""
    by_name = {stage.name: stage for stage in stages}
    found: set[str] = set()
    queue = list(by_name[name].after)
    while queue:
        one = queue.pop()
        if one not in found:
            found.add(one)
            queue += by_name[one].after
    return found


def plan(stages: Sequence[Stage], folder: Path, choice: Choice | None = None) -> list[Step]:
    """Return what would be done, without doing it.

    A stage behind one that will run is compared without what it reads from there, which is not known yet.
    """
    choice = choice or Choice()
    chosen = select(stages, choice)
    steps: list[Step] = []
    running: set[str] = set()
    for stage in chosen:
        step = _plan_stage(stage, folder, choice, running, _redone(chosen, choice))
        if step.action != "skip":
            running.add(stage.name)
        steps.append(step)
    return steps


def _redone(stages: Sequence[Stage], choice: Choice) -> set[str]:
    """Return the stages that may be begun anew: those named, and those that read from them."""
    if choice.fresh:
        return {stage.name for stage in stages}
    named = set(choice.redo)
    return named | {stage.name for stage in stages if ancestors(stages, stage.name) & named}


def _plan_stage(stage: Stage, folder: Path, choice: Choice, running: set[str], redone: set[str]) -> Step:
    record = Manifest.load(folder / stage.name, RECORD)
    seconds, counts = (record.seconds, record.counts) if record else (0.0, {})

    def step(action: str, why: str) -> Step:
        return Step(stage.name, action, why, seconds, counts)

    if record is None:
        return step("run", "not run yet")
    waiting = [name for name in stage.after if name in running]
    changed = differences(*_comparable(record.identity, stage, folder, waiting))
    if choice.fresh or stage.name in choice.redo:
        # Killed while it was begun anew: the same command goes on.
        return step("redo", "asked for") if changed or not _begun_anew(record) else step("continue", "was interrupted")
    if changed:
        follows = record.notes.get(FOLLOWS) and all(line.startswith("from ") for line in changed)
        return step("redo" if follows or stage.name in redone else "refuse", "; ".join(changed))
    if not record.complete:
        return step("continue", "was interrupted")
    moved = differences(record.notes.get("limits", {}), stage.limits)
    if moved:
        return step("continue", "; ".join(moved))
    missing = missing_outputs(folder / stage.name, record)
    if missing:
        return step("run", f"{missing[0]} is missing or was changed")
    if waiting:
        return step("run", f"reads from {', '.join(waiting)} (skipped should that give the same again)")
    return step("skip", "done")


def _begun_anew(record: Manifest) -> bool:
    return not record.complete and bool(record.notes.get(ANEW))


def _comparable(
    old: Mapping[str, Any], stage: Stage, folder: Path, waiting: Iterable[str]
) -> tuple[dict[str, Any], dict[str, Any]]:
    unknown = {f"from {name}" for name in waiting}
    new = stage.own_identity() | {f"from {n}": output_digest(folder / n) for n in stage.after if n not in waiting}
    return {k: v for k, v in old.items() if k not in unknown}, new


def _refuse_early(steps: Sequence[Step], choice: Choice, folder: Path) -> None:
    """Tell about a stage that cannot go on before hours are spent on an earlier one."""
    for step in steps:
        if step.action == "refuse":
            raise _refusal(step.stage, folder, step.why.split("; "))
        if choice.only and step.stage != choice.only and step.action != "skip":
            raise UsageError(
                f"--only {choice.only} needs the stage '{step.stage}' finished, but: {step.why}; "
                f"use --until {choice.only} to run what is missing"
            )


def _refusal(name: str, folder: Path, lines: Sequence[str]) -> ResumeError:
    listed = "\n  ".join(lines)
    return ResumeError(
        f"the stage '{name}' in {folder / name} was made by another run; it differs in\n  {listed}\n"
        f"Use --redo {name} to begin anew from this stage, --fresh for all stages, or another --output."
    )


def _do(stage: Stage, all_stages: Sequence[Stage], folder: Path, choice: Choice, place: str) -> Step:
    """Bring one stage up to date; the earlier ones are."""
    output = folder / stage.name
    step = _plan_stage(stage, folder, choice, set(), _redone(all_stages, choice))
    if step.action == "refuse":
        raise _refusal(stage.name, folder, step.why.split("; "))
    if step.action == "skip":
        _note(output, FOLLOWS, False)
        if stage.parallel:
            processes.tell(folder, stage.name, runs=False)
        _say(f"{place} {stage.name}: stands ({duration(step.seconds)})")
        return step
    for later in all_stages:
        if stage.name in ancestors(all_stages, later.name):
            _note(folder / later.name, FOLLOWS, True)
    if step.action == "redo" or (step.action == "run" and (output / RECORD).exists()):
        discard(output)
    identity = stage.own_identity() | {f"from {name}": output_digest(folder / name) for name in stage.after}
    _say(f"{place} {stage.name}: {step.action} ({step.why})")
    own = _own_manifest(output)
    taken_over = step.action == "run" and own is not None and own.complete
    record = _execute(stage, folder, identity, anew=step.action == "redo")
    _say(f"{place} {stage.name}: {'taken over, made' if taken_over else 'finished'} in {duration(record.seconds)}")
    return Step(stage.name, step.action, step.why, record.seconds, record.counts)


def _note(output: Path, key: str, value: bool) -> None:
    """Set a note in a stage's record, where there is one."""
    record = Manifest.load(output, RECORD)
    if record is not None and bool(record.notes.get(key)) != value:
        record.notes[key] = value
        record.save(output, RECORD)


def _execute(stage: Stage, folder: Path, identity: dict[str, Any], *, anew: bool) -> Manifest:
    output = folder / stage.name
    output.mkdir(parents=True, exist_ok=True)
    record = Manifest.load(output, RECORD) or Manifest(stage.name, identity)
    adopted = _own_manifest(output)
    record.complete = False
    record.notes[ANEW] = anew or bool(record.notes.get(ANEW))
    record.save(output, RECORD)
    if stage.parallel:
        processes.tell(folder, stage.name, runs=True)
    with _timed(record, output):
        stage.run(StageContext(output, folder))
    own = _own_manifest(output)
    if own is not None:
        record.counts = own.counts
        if adopted is not None and adopted.complete:
            # The folder held the finished result of a direct call: what counts is the time that it took then.
            record.seconds = max(record.seconds, own.seconds)
    record.notes = {"limits": dict(stage.limits)}
    record.notes["outputs"] = describe_outputs(output, stage.outputs)
    record.complete = True
    record.save(output, RECORD)
    return record


def _own_manifest(output: Path) -> Manifest | None:
    try:
        return Manifest.load(output)
    except TypeError:  # a stage function may keep a manifest of its own form
        return None


@contextmanager
def _timed(record: Manifest, output: Path) -> Iterator[None]:
    """Count the time, and note it every few seconds: a killed process cannot do so at its end."""
    begin, before = time.monotonic(), record.seconds
    stop = threading.Event()

    def beat() -> None:
        while not stop.wait(_HEARTBEAT):
            record.seconds = before + time.monotonic() - begin
            record.save(output, RECORD)

    thread = threading.Thread(target=beat, daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()
        record.seconds = before + time.monotonic() - begin
        record.save(output, RECORD)


def describe_outputs(output: Path, globs: Sequence[str]) -> dict[str, Any]:
    """Return the sizes of a stage's output files and one digest over their content."""
    paths = {path for pattern in globs for path in output.glob(pattern) if path.is_file()}
    kept = sorted(path for path in paths if path.name not in _BOOKKEEPING)
    names = [path.relative_to(output).as_posix() for path in kept]
    digest = fingerprint({name: file_digest(path) for name, path in zip(names, kept, strict=True)})
    return {"digest": digest, "files": {name: p.stat().st_size for name, p in zip(names, kept, strict=True)}}


def output_digest(output: Path) -> str | None:
    """Return the digest of what a finished stage wrote, or None for one that is not finished."""
    record = Manifest.load(output, RECORD)
    return str(record.notes["outputs"]["digest"]) if record is not None and record.complete else None


def missing_outputs(output: Path, record: Manifest) -> list[str]:
    """Return the recorded output files that are gone or have another size."""
    sizes: Mapping[str, int] = record.notes.get("outputs", {}).get("files", {})
    return [n for n, size in sizes.items() if not (output / n).is_file() or (output / n).stat().st_size != size]


def discard(output: Path) -> None:
    """Remove a stage's folder so that a kill at any moment leaves it whole or gone."""
    if not output.exists():
        return
    trash = output.with_name(f"{_TRASH}{output.name}-{os.getpid()}-{time.monotonic_ns()}")
    output.rename(trash)
    shutil.rmtree(trash, ignore_errors=True)


def _sweep(folder: Path) -> None:
    """Remove what a killed :func:`discard` left behind."""
    for trash in [*folder.glob(f"{_TRASH}*"), *folder.glob(f"*/{_TRASH}*")]:
        shutil.rmtree(trash, ignore_errors=True)


def flatten(values: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Return nested options as ``a.b -> value``, so that a difference is named by its key."""
    flat: dict[str, Any] = {}
    for key, value in values.items():
        if isinstance(value, Mapping) and value:
            flat |= flatten(value, f"{prefix}{key}.")
        else:
            flat[f"{prefix}{key}"] = value
    return flat


def duration(seconds: float) -> str:
    """Return a time for people: ``7.2 s``, ``12 min 05 s``, ``1 h 02 min``."""
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest:02d} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60:02d} min"


def plan_table(steps: Sequence[Step]) -> str:
    """Return the plan as aligned lines: stage, action, reason."""
    width = max((len(step.stage) for step in steps), default=0)
    return "\n".join(f"{step.stage:<{width}}  {step.action:<8}  {step.why}" for step in steps)


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)
