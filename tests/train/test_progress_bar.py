"""The bar of a training: what is done and what time is left, by updates or by minutes; nothing as Python prints it."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

from train.loop.progress_bar import Bar, Limits, show_progress  # noqa: E402

#: limits; update and seconds of this run; share done, seconds left
CASES = {
    "updates alone": (Limits(100), 25, 50.0, 0.25, 150.0),
    "no update yet": (Limits(100), 0, 5.0, 0.0, None),
    "minutes come first": (Limits(10_000, minutes=10), 100, 300.0, 0.5, 300.0),
    "updates come first": (Limits(100, minutes=60), 50, 60.0, 0.5, 60.0),
    "minutes before the first update": (Limits(100, minutes=1), 0, 15.0, 0.25, 45.0),
    "an earlier run did half": (Limits(100, first=50), 60, 10.0, 0.6, 40.0),
    "an earlier run used half the minutes": (Limits(10**6, minutes=10, first=10, spent=300), 20, 150.0, 0.75, 150.0),
    "beyond the limit": (Limits(10**6, minutes=1), 10, 90.0, 1.0, 0.0),
}


@pytest.mark.parametrize("case", CASES)
def test_what_is_done_and_what_is_left(case: str) -> None:
    limits, step, seconds, share, left = CASES[case]
    assert limits.share(step, seconds) == pytest.approx(share)
    assert limits.left(step, seconds) == (None if left is None else pytest.approx(left))


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def watched(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """Make standard error a terminal; within a test, since pytest puts its own there before each."""
    shown = Terminal()
    monkeypatch.setattr(sys, "stderr", shown)
    return shown


def test_the_bar_says_update_figures_and_time(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = watched(monkeypatch)
    times = iter([0.0, 120.0, 240.0])
    bar = Bar("edits", minutes=10, shown=("loss", "accuracy"), clock=lambda: next(times))
    state: Any = SimpleNamespace(max_steps=2_000, global_step=0)
    none: Any = None
    bar.on_train_begin(none, state, none)
    state.global_step = 100
    bar.on_step_end(none, state, none)
    bar.on_log(none, state, none, logs={"loss": 0.51234, "grad_norm": 3.0})
    bar.on_log(none, state, none, logs={"eval_accuracy": 0.97})
    state.global_step = 200
    bar.on_step_end(none, state, none)
    bar._bar.refresh()
    bar.on_train_end(none, state, none)
    last = terminal.getvalue().split("\r")[-1]
    assert last.startswith("edits:  40%|")
    assert "update 200 of 2,000, loss 0.512, accuracy 0.97, 6 min 00 s left" in last


class Line(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.weight = torch.nn.Parameter(torch.zeros(1))

    def forward(self, x: Any, labels: Any) -> dict[str, Any]:
        return {"loss": ((x * self.weight - labels) ** 2).mean()}


def trainer(folder: Path) -> Any:
    arguments = transformers.TrainingArguments(
        output_dir=str(folder),
        max_steps=3,
        logging_steps=1,
        report_to=[],
        disable_tqdm=True,
        use_cpu=True,
        save_strategy="no",
    )
    rows = [{"x": torch.ones(1), "labels": torch.ones(1)} for _ in range(8)]
    return transformers.Trainer(model=Line(), args=arguments, train_dataset=rows)


def test_a_training_prints_no_dictionaries(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one = trainer(tmp_path)
    show_progress(one, "train")
    one.train()
    assert capsys.readouterr() == ("", "")


def test_somebody_who_watches_sees_a_bar(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    terminal = watched(monkeypatch)
    one = trainer(tmp_path)
    show_progress(one, "train", minutes=5)
    one.train()
    assert capsys.readouterr().out == ""
    assert "update 3 of 3" in terminal.getvalue() and "{" not in terminal.getvalue()
