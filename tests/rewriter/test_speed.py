"""The speed of this machine: the texts that are measured, and what is printed; no test looks at how fast it is."""

from __future__ import annotations

import json
from itertools import count

import pytest

from rewriter import Rewriter
from rewriter.cli.bench import render
from rewriter.cli.main import main
from rewriter.report.speed import SENTENCES, Speed, measure

SAMPLE = ["She knows her stuff. It rains a lot in the north.", "The chairman was late."]


class Recorder:
    """Stands for a rewriter: its language, and the texts that it was asked for."""

    def __init__(self) -> None:
        self.language, self.asked = Rewriter.from_pretrained("en").language, []

    def rewrite(self, lines: list[str]) -> None:
        self.asked.append(lines)


def test_each_kind_of_text_has_its_share_of_gendered_sentences() -> None:
    recorder, ticks = Recorder(), count()
    speeds = measure(recorder, SAMPLE, seconds=5, clock=lambda: float(next(ticks)))  # type: ignore[arg-type]
    passes = [lines for lines in recorder.asked if len(lines) == SENTENCES]
    shares = {sum(map(recorder.language.gate, lines)) / SENTENCES for lines in passes}
    assert shares == {0.1, 1.0}
    assert [speed.text for speed in speeds] == ["general", "gated"]
    words = sum(len(line.split()) for line in passes[-1])
    assert speeds[1].words_per_second == words  # a pass takes one tick of this clock
    assert len(passes) == sum(speed.passes for speed in speeds)


def test_a_text_without_other_sentences_has_one_kind() -> None:
    assert [speed.text for speed in measure(Recorder(), SAMPLE[1:], seconds=1e-9)] == ["gated"]  # type: ignore[arg-type]
    assert measure(Recorder(), ["It rains."], seconds=1e-9) == []  # type: ignore[arg-type]


def test_the_table_has_ratios_where_something_was_published() -> None:
    lines = render([Speed("en", "gated", 26_215, 3, 52_430), Speed("xx", "gated", 1000, 1, None)]).splitlines()
    assert lines[1].split() == ["en", "gated", "26,215", "52,430", "0.50"]
    assert lines[2].split() == ["xx", "gated", "1,000", "-"]


def test_the_command_measures(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "--model", "en", "--seconds", "0.01", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [(speed["lang"], speed["text"]) for speed in found] == [("en", "general"), ("en", "gated")]
    assert main(["bench", "--seconds", "0"]) == 2
