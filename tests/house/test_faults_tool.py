"""Faults as commands: each ends as it is promised, and the tool tells a kept promise from a broken one."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from tools.faults import FAULTS, ROOT, Ending, Fault, broken, end_of, row

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")

FAULT = Fault(4, "run many.yaml", (2,), "aliases stand for")
KEPT = Ending(2, b"gender-fair: many.yaml: its aliases stand for more\n", b"", 50.0, 0.5, 0)
BROKEN = {
    "exit code 0": replace(KEPT, code=0),
    "exit code hung": replace(KEPT, code="hung"),
    "a traceback": replace(KEPT, told=KEPT.told + b"Traceback (most recent call last)\n"),
    "no sentence with 'aliases stand for'": replace(KEPT, told=b"gender-fair: no\n"),
    "a raw control character": replace(KEPT, told=KEPT.told + b"\x1b[31m"),
    "more than 400 MB": replace(KEPT, megabytes=401.0),
    "2 connections": replace(KEPT, connections=2),
    "left behind: x.tmp": replace(KEPT, left=["x.tmp"]),
}


def test_a_kept_promise_is_none_broken() -> None:
    assert broken(FAULT, KEPT) == []
    assert row(FAULT, KEPT, []).endswith(
        "| 50 MB | 0.5 s | gender-fair: many.yaml: its aliases stand for more | kept |"
    )


@pytest.mark.parametrize("what", BROKEN)
def test_a_broken_promise_is_named(what: str) -> None:
    assert broken(FAULT, BROKEN[what]) == [what]


def test_another_number_of_carriage_returns_is_a_broken_promise() -> None:
    lines = Fault(9, "rewrite -", (0,), given=b"a\rb\r")
    assert broken(lines, Ending(0, b"", b"a\rb", 1.0, 0.1, 0)) == ["another number of line ends"]


def test_files_outside_of_the_folder_of_a_command_and_temporary_files_are_seen(tmp_path: Path) -> None:
    program = (
        "from pathlib import Path; Path('../outside').touch(); Path('.a.txt.1.tmp').touch(); Path('a.txt').touch()"
    )
    (tmp_path / "rewriter").mkdir()
    (tmp_path / "rewriter" / "__init__.py").touch()
    (tmp_path / "rewriter" / "__main__.py").write_text(program)
    tiny = tmp_path / "tests" / "data" / "models"
    tiny.mkdir(parents=True)
    (tiny / "tiny-edits").symlink_to(ROOT / "tests" / "data" / "models" / "tiny-edits")
    ending = end_of(Fault(4, "any", (0,)), tmp_path)
    assert (ending.code, ending.left) == (0, ["a/b/c/.a.txt.1.tmp", "a/b/outside"])


@pytest.mark.slow
@pytest.mark.parametrize(
    "fault", FAULTS, ids=[f"{number}-{fault.item}-{fault.words[:60]}" for number, fault in enumerate(FAULTS)]
)
def test_commands_end_as_promised(fault: Fault) -> None:
    ending = end_of(fault, ROOT)
    assert broken(fault, ending) == [], row(fault, ending, [])
