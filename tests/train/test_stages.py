"""The stage runner: what is skipped, what goes on, what is refused, and that a kill at any moment loses nothing."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import textwrap
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from rewriter.errors import OutputError, ResumeError, UsageError
from rewriter.runs.manifest import Manifest, lock
from train.stages import (
    RECORD,
    Choice,
    Stage,
    StageContext,
    ancestors,
    discard,
    duration,
    plan,
    plan_table,
    run_stages,
    run_stages_together,
    select,
)


class Toy:
    """Three stages that count words: ``words`` reads a file, ``count`` and ``report`` read the stage before."""

    def __init__(self, folder: Path) -> None:
        self.text = folder / "text.txt"
        self.text.write_text("a fair word and a fair share\n")
        self.run = folder / "run"
        self.calls: list[str] = []
        self.options: dict[str, Any] = {"lower": False}
        self.report = {"title": "words"}
        self.limits: dict[str, Any] = {}
        self.version = 1

    def stages(self) -> list[Stage]:
        return [
            Stage("words", 1, self._logged(self._words), self.options, {"text.txt": self.text}),
            Stage("count", self.version, self._logged(self._count), after=("words",), limits=self.limits),
            Stage("report", 1, self._logged(self._report), {"report": self.report}, after=("count",)),
        ]

    def go(self, **choice: Any) -> list[tuple[str, str]]:
        self.calls.clear()
        return [(step.stage, step.action) for step in run_stages(self.stages(), self.run, Choice(**choice))]

    def _logged(self, work: Callable[[StageContext], None]) -> Callable[[StageContext], None]:
        def run(stage: StageContext) -> None:
            self.calls.append(stage.output.name)
            work(stage)

        return run

    def _words(self, stage: StageContext) -> None:
        text = self.text.read_text()
        words = (text.lower() if self.options["lower"] else text).split()
        (stage.output / "words.txt").write_text("\n".join(words))

    def _count(self, stage: StageContext) -> None:
        words = (stage.run / "words" / "words.txt").read_text().split()
        (stage.output / "count.json").write_text(json.dumps(len(words)))

    def _report(self, stage: StageContext) -> None:
        count = (stage.run / "count" / "count.json").read_text()
        (stage.output / "report.txt").write_text(f"{self.report['title']}: {count}")


@pytest.fixture
def toy(tmp_path: Path) -> Toy:
    return Toy(tmp_path)


def test_everything_runs_once_and_then_stands(toy: Toy) -> None:
    assert toy.go() == [("words", "run"), ("count", "run"), ("report", "run")]
    assert (toy.run / "report" / "report.txt").read_text() == "words: 7"
    assert toy.go() == [("words", "skip"), ("count", "skip"), ("report", "skip")]
    assert toy.calls == []


def test_a_changed_option_is_refused_and_named_before_anything_runs(toy: Toy) -> None:
    toy.go()
    toy.report["title"] = "number"
    (toy.run / "words" / "words.txt").unlink()
    with pytest.raises(
        ResumeError, match=r'stage \'report\'[^¶]*report.title: was "words", is "number"\n.*--redo report'
    ):
        toy.go()
    assert toy.calls == []
    assert (toy.run / "report" / "report.txt").read_text() == "words: 7", "nothing is lost"


def test_a_changed_input_file_is_named(toy: Toy) -> None:
    toy.go()
    toy.text.write_text("another text\n")
    with pytest.raises(ResumeError, match=r"file text.txt: was"):
        toy.go()


def test_a_changed_version_of_a_stage_is_named(toy: Toy) -> None:
    toy.go()
    toy.version = 2
    with pytest.raises(ResumeError, match=r"stage version: was 1, is 2"):
        toy.go()


def test_redo_begins_anew_from_a_stage(toy: Toy) -> None:
    toy.go()
    toy.text.write_text("another text\n")
    assert toy.go(redo=("words",)) == [("words", "redo"), ("count", "redo"), ("report", "redo")]
    assert (toy.run / "report" / "report.txt").read_text() == "words: 2"


def test_what_gives_the_same_again_costs_the_later_stages_nothing(toy: Toy) -> None:
    toy.go()
    toy.options["lower"] = True  # the text has no capitals
    assert toy.go(redo=("words",)) == [("words", "redo"), ("count", "skip"), ("report", "skip")]


def test_fresh_begins_anew_with_everything(toy: Toy) -> None:
    toy.go()
    (toy.run / "count" / "left-over.txt").write_text("of an earlier run")
    assert {action for _, action in toy.go(fresh=True)} == {"redo"}
    assert not (toy.run / "count" / "left-over.txt").exists()


def test_a_stage_whose_output_is_gone_runs_again(toy: Toy) -> None:
    toy.go()
    (toy.run / "count" / "count.json").unlink()
    assert toy.go() == [("words", "skip"), ("count", "run"), ("report", "skip")]


def test_a_truncated_output_is_noticed(toy: Toy) -> None:
    toy.go()
    (toy.run / "words" / "words.txt").write_text("")
    assert toy.go()[0] == ("words", "run")
    assert (toy.run / "words" / "words.txt").read_text() != ""


def test_raised_limits_go_on_from_what_stands(toy: Toy) -> None:
    toy.limits = {"steps": 10}
    toy.go()
    (toy.run / "count" / "checkpoint").write_text("kept")
    toy.limits = {"steps": 20}
    assert toy.go() == [("words", "skip"), ("count", "continue"), ("report", "redo")]
    assert (toy.run / "count" / "checkpoint").exists()
    assert toy.go() == [("words", "skip"), ("count", "skip"), ("report", "skip")]


def test_a_stage_whose_folder_was_removed_runs_and_later_ones_follow(toy: Toy) -> None:
    toy.go()
    discard(toy.run / "words")
    toy.text.write_text("another text\n")
    assert toy.go() == [("words", "run"), ("count", "redo"), ("report", "redo")]


def test_killed_after_the_redone_stage_the_later_ones_still_follow(toy: Toy) -> None:
    toy.go()
    toy.text.write_text("another text\n")
    work = toy._count
    toy._count = lambda stage: 1 / 0  # type: ignore[method-assign, assignment, return-value]
    with pytest.raises(ZeroDivisionError):
        toy.go(redo=("words",))
    toy._count = work  # type: ignore[method-assign]
    assert toy.go() == [("words", "skip"), ("count", "continue"), ("report", "redo")]


def test_killed_while_begun_anew_the_same_command_goes_on(toy: Toy) -> None:
    toy.go()
    work = toy._count
    toy._count = lambda stage: 1 / 0  # type: ignore[method-assign, assignment, return-value]
    with pytest.raises(ZeroDivisionError):
        toy.go(redo=("count",))
    toy._count = work  # type: ignore[method-assign]
    assert toy.go(redo=("count",))[1] == ("count", "continue")
    assert toy.go(redo=("count",))[1] == ("count", "redo")


def test_a_stage_exchanged_by_hand_is_noticed(toy: Toy) -> None:
    toy.go()
    record = Manifest.load(toy.run / "count", RECORD)
    assert record is not None
    record.notes["outputs"]["digest"] = "of other figures"
    record.save(toy.run / "count", RECORD)
    with pytest.raises(ResumeError, match="from count: was"):
        toy.go()


@pytest.mark.parametrize(
    ("choice", "expected"),
    [({"until": "count"}, ["words", "count"]), ({"only": "words"}, ["words"]), ({}, ["words", "count", "report"])],
)
def test_only_what_is_chosen_runs(toy: Toy, choice: dict[str, Any], expected: list[str]) -> None:
    toy.go(**choice)
    assert toy.calls == expected


def test_only_needs_the_earlier_stages_finished(toy: Toy) -> None:
    with pytest.raises(
        UsageError, match=r"--only report needs the stage 'words' finished.*not run yet.*--until report"
    ):
        toy.go(only="report")


def test_a_misspelt_stage_is_told_with_the_nearest_name(toy: Toy) -> None:
    with pytest.raises(UsageError, match=r"no stage 'wrods' \(did you mean 'words'\?\); stages: words, count, report"):
        toy.go(until="wrods")


def test_until_and_only_exclude_each_other(toy: Toy) -> None:
    with pytest.raises(UsageError, match="exclude each other"):
        select(toy.stages(), Choice(until="words", only="count"))


def test_ancestors_are_all_that_is_read(toy: Toy) -> None:
    assert ancestors(toy.stages(), "report") == {"words", "count"}


def test_the_plan_says_why_and_does_nothing(toy: Toy) -> None:
    assert [(s.action, s.why) for s in plan(toy.stages(), toy.run)] == [("run", "not run yet")] * 3
    assert not toy.run.exists()
    toy.go(until="count")
    toy.report["title"] = "number"
    assert toy.go(dry_run=True) == [("words", "skip"), ("count", "skip"), ("report", "run")]
    assert toy.calls == []
    toy.go()
    toy.options["lower"] = True
    table = plan_table(plan(toy.stages(), toy.run))
    assert "words   refuse    lower: was false, is true" in table
    assert "count   run       reads from words (skipped should that give the same again)" in table


def test_the_result_of_a_direct_call_is_taken_over_with_its_time(toy: Toy) -> None:
    folder = toy.run / "words"
    folder.mkdir(parents=True)
    Manifest("words", {"own": 1}, complete=True, counts={"words": 7}, seconds=1000).save(folder)
    [step] = run_stages(toy.stages(), toy.run, Choice(only="words"))
    assert step.seconds >= 1000 and step.counts == {"words": 7}


def test_two_runs_in_one_folder_are_refused(toy: Toy) -> None:
    with lock(toy.run), pytest.raises(OutputError, match="in use by another running process"):
        toy.go()


def test_a_failing_stage_is_gone_on_with(toy: Toy) -> None:
    work = toy._count
    toy._count = lambda stage: 1 / 0  # type: ignore[method-assign, assignment, return-value]
    with pytest.raises(ZeroDivisionError):
        toy.go()
    toy._count = work  # type: ignore[method-assign]
    assert toy.go() == [("words", "skip"), ("count", "continue"), ("report", "run")]


def test_discarding_leaves_nothing_and_needs_nothing(tmp_path: Path) -> None:
    (tmp_path / "stage" / "deep").mkdir(parents=True)
    discard(tmp_path / "stage")
    discard(tmp_path / "stage")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("seconds", "expected"), [(7.24, "7.2 s"), (60, "1 min 00 s"), (725, "12 min 05 s"), (3720, "1 h 02 min")]
)
def test_times_are_readable(seconds: float, expected: str) -> None:
    assert duration(seconds) == expected


KILLED = """\
import os, signal, sys
from pathlib import Path
from train.stages import Stage, run_stages

folder, deadly = Path(sys.argv[1]), sys.argv[2] == "die"

def first(stage):
    (stage.output / "first.txt").write_text("one")

def second(stage):
    done = stage.output / "half.txt"
    if deadly:
        done.write_text("half")
        os.kill(os.getpid(), signal.SIGKILL)
    (stage.output / "second.txt").write_text(done.read_text() + " " + (stage.run / "first" / "first.txt").read_text())

for step in run_stages([Stage("first", 1, first), Stage("second", 1, second, after=("first",))], folder):
    print(step.stage, step.action)
"""


@pytest.mark.skipif(os.name != "posix", reason="SIGKILL")
def test_killed_in_the_middle_of_a_stage_the_same_call_goes_on(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(textwrap.dedent(KILLED))
    command = [sys.executable, str(script), str(tmp_path / "run")]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[2])}
    died = subprocess.run([*command, "die"], env=environment, capture_output=True, text=True, check=False)
    assert died.returncode == -signal.SIGKILL, died.stderr
    record = Manifest.load(tmp_path / "run" / "second", RECORD)
    assert record is not None and not record.complete
    done = subprocess.run([*command, "live"], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.split("\n")[:2] == ["first skip", "second continue"]
    assert (tmp_path / "run" / "second" / "second.txt").read_text() == "half one"


# --- several commands on one run ---


def together(toy: Toy, stages: list[Stage]) -> list[tuple[str, str]]:
    toy.calls.clear()
    return [(step.stage, step.action) for step in run_stages_together(stages, toy.run)]


def test_a_stage_apart_in_anothers_hands_is_left_to_it_with_what_reads_from_it(tmp_path: Path) -> None:
    toy = Toy(tmp_path)
    stages = [stage if stage.name == "words" else replace(stage, apart=True) for stage in toy.stages()]
    with lock(toy.run / ".locks" / "count"):
        assert together(toy, stages) == [("words", "run"), ("count", "elsewhere"), ("report", "elsewhere")]
    assert together(toy, stages) == [("words", "skip"), ("count", "run"), ("report", "run")]


def test_a_shared_stage_is_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    toy = Toy(tmp_path)
    held = lock(toy.run / ".locks" / "count")
    held.__enter__()
    monkeypatch.setattr("train.stages.run.time.sleep", lambda seconds: held.__exit__(None, None, None))
    assert together(toy, toy.stages()) == [("words", "run"), ("count", "run"), ("report", "run")]


def test_together_other_options_are_refused_before_anything_runs(tmp_path: Path) -> None:
    toy = Toy(tmp_path)
    together(toy, toy.stages())
    toy.report["title"] = "other"
    (toy.run / "words" / "stage.json").unlink()
    with pytest.raises(ResumeError, match="title"):
        together(toy, toy.stages())
    assert not toy.calls
