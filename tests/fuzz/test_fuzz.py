"""Every way into the toolkit, given random and damaged input (``python -m tools.fuzz`` does it for long).

A case that showed a fault once stays in ``tests/data/fuzz`` and must never show one again.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import strategies as st

from tools import fuzz as tool
from tools.fuzzing.target import Target, read_case, write_case

#: of the processor, for each target
SECONDS = 10


@pytest.mark.parametrize(
    ("name", "path"),
    [pytest.param(name, path, id=f"{name}-{path.stem}") for name in tool.TARGETS for path in tool.corpus(name)],
)
def test_what_was_found_stays_mended(name: str, path: Path) -> None:
    tool.TARGETS[name].check(read_case(path))


@pytest.mark.slow
@pytest.mark.parametrize("name", tool.TARGETS)
def test_ten_seconds_find_nothing(name: str, tmp_path: Path) -> None:
    outcome = tool.fuzz(tool.TARGETS[name], SECONDS, seed=26, running=tmp_path)
    told = [f"{write_case(tmp_path, name, find.case, find.why)}\n{find.trace}" for find in outcome.finds.values()]
    assert outcome.cases and not told, "\n".join(told)


def test_every_find_belongs_to_a_target() -> None:
    assert {path.name for path in tool.FINDS.glob("*/")} <= set(tool.TARGETS)


# The tool itself


def _breaks_above(case: object) -> None:
    assert isinstance(case, dict)
    if case["number"] > 99:
        raise ValueError("too much")


def test_a_fault_is_found_and_made_small(tmp_path: Path) -> None:
    target = Target("numbers", lambda: st.fixed_dictionaries({"number": st.integers(0, 10_000)}), _breaks_above)
    outcome = tool.fuzz(target, 0.5)
    assert [find.case for find in outcome.finds.values()] == [{"number": 100}]
    assert outcome.cases > 10


def test_a_case_is_read_as_it_was_written(tmp_path: Path) -> None:
    case = {"data": b"\xff\0a", "text": "\ud800é", "numbers": [1, None, 0.5]}
    path = write_case(tmp_path, "any", case, "why")
    assert read_case(path) == case and path.parent.name == "any"


def test_a_case_that_hangs_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    def forever(_: object) -> None:
        while True:
            pass

    monkeypatch.setattr(tool, "HANGS", 0.2)
    outcome = tool.fuzz(Target("ever", lambda: st.just({"a": 1}), forever), 0.1)
    assert [find.why.partition(":")[0] for find in outcome.finds.values()] == ["HungError"]
