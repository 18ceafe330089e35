"""Does the stages one after the other, under a lock, and keeps their records."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from augment.own_pairs import left_out_lines
from rewriter.errors import InUseError
from rewriter.runs.manifest import Manifest, lock, stopwatch
from train.loop import processes
from train.stages.outputs import describe_outputs, discard, output_digest, sweep
from train.stages.planning import ancestors, plan, plan_stage, redoable, refusal, refuse_early, select
from train.stages.stage import ANEW, FOLLOWS, RECORD, Choice, Stage, StageContext, Step

#: folder of the locks of single stages
_LOCKS = ".locks"
#: seconds between two looks at a stage that another command has in hand
_POLL = 5.0


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
    return _run(_Run(stages, Path(folder), choice or Choice()), _alone, report)


def run_stages_together(
    stages: Sequence[Stage],
    folder: Path,
    choice: Choice | None = None,
    *,
    report: Callable[[Sequence[Step]], None] | None = None,
) -> list[Step]:
    """As :func:`run_stages`, where several commands (on machines that share the folder) may do parts of one run.

    Each stage is locked by itself. A stage that another command has in hand is waited for, or left to it (``apart``).
    """
    return _run(_Run(stages, Path(folder), choice or Choice()), _together, report)


class _Run:
    """What one call is to do: the chosen stages of all, in a folder."""

    def __init__(self, stages: Sequence[Stage], folder: Path, choice: Choice) -> None:
        self.stages, self.folder, self.choice = stages, folder, choice
        self.chosen = select(stages, choice)

    def plan(self) -> list[Step]:
        return plan(self.stages, self.folder, self.choice)

    def refuse_early(self) -> None:
        refuse_early(self.plan(), self.choice, self.folder)

    def places(self) -> Iterator[tuple[Stage, str]]:
        """Yield the chosen stages with their place among them, for messages."""
        for number, stage in enumerate(self.chosen, 1):
            yield stage, f"[{number}/{len(self.chosen)}]"


def _run(
    run: _Run, way: Callable[[_Run], Generator[Step, None, None]], report: Callable[[Sequence[Step]], None] | None
) -> list[Step]:
    """Do the stages one way or the other; tell only, in a dry run; join in, in a process beside the first."""
    if run.choice.dry_run:
        return run.plan()
    if processes.rank() > 0:
        _join_in(run.chosen, run.folder)
        return []
    steps: list[Step] = []
    # closed at once: a lock is given back also where the report fails
    with closing(way(run)) as made:
        for step in made:
            steps.append(step)
            if report is not None:
                report(steps)
    return steps


def _alone(run: _Run) -> Generator[Step, None, None]:
    with lock(run.folder):
        sweep(run.folder)
        processes.open_board(run.folder)
        run.refuse_early()
        for stage, place in run.places():
            yield _do(stage, run, place)


def _together(run: _Run) -> Generator[Step, None, None]:
    run.folder.mkdir(parents=True, exist_ok=True)
    if processes.count() > 1:
        processes.open_board(run.folder)
    run.refuse_early()
    elsewhere: set[str] = set()
    for stage, place in run.places():
        step = None if elsewhere & set(stage.after) else _do_locked(stage, run, place)
        if step is None:
            elsewhere.add(stage.name)
            step = Step(stage.name, "elsewhere", "another command has it, or what it reads from, in hand")
            if stage.parallel:
                processes.tell(run.folder, stage.name, runs=False)
            _say(f"{place} {stage.name}: left to another command")
        yield step


def _do_locked(stage: Stage, run: _Run, place: str) -> Step | None:
    """Bring a stage up to date under its own lock; None where another command holds it and it stands ``apart``."""
    told = False
    while True:
        try:
            with lock(run.folder / _LOCKS / stage.name):
                return _do(stage, run, place)
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


def _do(stage: Stage, run: _Run, place: str) -> Step:
    """Bring one stage up to date; the earlier ones are."""
    folder = run.folder
    output = folder / stage.name
    step = plan_stage(stage, folder, run.choice, set(), redoable(run.stages, run.choice))
    if step.action == "refuse":
        raise refusal(stage.name, folder, step.why.split("; "))
    if step.action == "skip":
        _note(output, FOLLOWS, False)
        if stage.parallel:
            processes.tell(folder, stage.name, runs=False)
        _say(f"{place} {stage.name}: stands ({duration(step.seconds)})")
        return step
    for later in run.stages:
        if stage.name in ancestors(run.stages, later.name):
            _note(folder / later.name, FOLLOWS, True)
    if step.action == "redo" or (step.action == "run" and (output / RECORD).exists()):
        discard(output)
    identity = stage.own_identity() | {f"from {name}": output_digest(folder / name) for name in stage.after}
    _say(f"{place} {stage.name}: {step.action} ({step.why})")
    own = _own_manifest(output)
    taken_over = step.action == "run" and own is not None and own.complete
    record = _execute(stage, folder, identity, anew=step.action == "redo")
    _say(f"{place} {stage.name}: {'taken over, made' if taken_over else 'finished'} in {duration(record.seconds)}")
    for line in left_out_lines(record.counts):
        _say(f"{place} {stage.name}: {line}")
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
    with stopwatch(record, output, RECORD):
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


def duration(seconds: float) -> str:
    """Return a time for people: ``7.2 s``, ``12 min 05 s``, ``1 h 02 min``."""
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest:02d} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60:02d} min"


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)
