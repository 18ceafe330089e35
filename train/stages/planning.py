"""What is to be done with every stage, and why: by comparing its record with what it would be made of now."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from rewriter.errors import ResumeError, UsageError
from rewriter.registry import did_you_mean
from rewriter.runs.manifest import Manifest, differences
from train.stages.outputs import missing_outputs, output_digest
from train.stages.stage import ANEW, FOLLOWS, RECORD, Choice, Stage, Step


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
        raise UsageError("--until and --only exclude each other; give one of them")
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
        step = plan_stage(stage, folder, choice, running, redoable(chosen, choice))
        if step.action != "skip":
            running.add(stage.name)
        steps.append(step)
    return steps


def redoable(stages: Sequence[Stage], choice: Choice) -> set[str]:
    """Return the stages that may be begun anew: those named, and those that read from them."""
    if choice.fresh:
        return {stage.name for stage in stages}
    named = set(choice.redo)
    return named | {stage.name for stage in stages if ancestors(stages, stage.name) & named}


def plan_stage(stage: Stage, folder: Path, choice: Choice, running: set[str], redone: set[str]) -> Step:
    """Return what is to be done with one stage.

    Args:
        stage: the stage.
        folder: of the run.
        choice: what the user asked for.
        running: earlier stages that will run, so that what they write is not known yet.
        redone: stages that may be begun anew (:func:`redoable`).
    """
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


def refuse_early(steps: Sequence[Step], choice: Choice, folder: Path) -> None:
    """Tell about a stage that cannot go on before hours are spent on an earlier one."""
    for step in steps:
        if step.action == "refuse":
            raise refusal(step.stage, folder, step.why.split("; "))
        if choice.only and step.stage != choice.only and step.action != "skip":
            raise UsageError(
                f"--only {choice.only} needs the stage '{step.stage}' finished, but: {step.why}; "
                f"use --until {choice.only} to run what is missing"
            )


def refusal(name: str, folder: Path, lines: Sequence[str]) -> ResumeError:
    """Return the error that says what differs, and how to go on."""
    listed = "\n  ".join(lines)
    return ResumeError(
        f"the stage '{name}' in {folder / name} was made by another run; it differs in\n  {listed}\n"
        f"Use --redo {name} to begin anew from this stage, --fresh for all stages, or another --output."
    )


def plan_table(steps: Sequence[Step]) -> str:
    """Return the plan as aligned lines: stage, action, reason."""
    width = max((len(step.stage) for step in steps), default=0)
    return "\n".join(f"{step.stage:<{width}}  {step.action:<8}  {step.why}" for step in steps)
