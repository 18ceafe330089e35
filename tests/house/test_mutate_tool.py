"""Planted errors: what is planted, where, and that a test that notices is told from one that does not."""

from __future__ import annotations

import ast
import random
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from lexicons.loader import parse_table
from tools.mutate import ROOT, Planted, Reached, changed_table, changes_of, planted_in_code, planted_in_tables

CODE = {
    "if a < b: pass": ["condition negated", "Lt -> LtE"],
    "return a and b": ["and <-> or", "last part dropped"],
    "return not a": ["not dropped"],
    "return a + 1": ["another operator", "1 -> 2"],
    "return True": ["True -> False"],
    "return [x for x in a if x]": ["filter dropped"],
    "return 'text'": [],
}


@pytest.mark.parametrize("body", CODE)
def test_what_can_be_changed_in_a_function(body: str) -> None:
    tree = ast.parse(f"def f(a, b):\n    {body}\n")
    assert sorted(what for _, what, _ in changes_of(tree)) == sorted(CODE[body])


def test_constants_outside_of_functions_stay() -> None:
    assert list(changes_of(ast.parse("A = 1 + 2\nclass B:\n    c = 3 < 4\n"))) == []


def test_places_are_those_of_the_module() -> None:
    found = planted_in_code(["rewriter/text/offsets.py"])
    assert len(found) > 5 and {planted.file for planted in found} == {"rewriter/text/offsets.py"}
    assert len({planted.key for planted in found}) == len(found)


TABLE = "# head\nword\tkind\nhe\tpronoun\nsteward\tnoun\n"


@pytest.mark.parametrize("what", ["row left out", "letters swapped", "cell of another row", "letter left out"])
def test_one_row_of_a_table_changes(what: str) -> None:
    planted = Planted("x.tsv", 4, what, 0)
    before, after = parse_table(TABLE, where="x"), parse_table(changed_table(TABLE, planted), where="x")
    assert before[0] == after[0] and before != after
    assert len(after) == (1 if what == "row left out" else 2)


def test_errors_in_tables_are_drawn_with_a_seed() -> None:
    draw = [planted_in_tables("de", random.Random(1), 50) for _ in range(2)]
    assert draw[0] == draw[1] and len({planted.file for planted in draw[0]}) > 20
    assert all((ROOT / planted.file).is_file() for planted in draw[0])


@pytest.fixture
def reached(tmp_path: Path) -> Reached:
    """Tests a and b reach line 9 of a module, test c its line 10; b takes longest."""
    with sqlite3.connect(tmp_path / "coverage") as database:
        database.executescript(
            "create table file (id, path); create table context (id, context); "
            "create table line_bits (file_id, context_id, numbits);"
        )
        database.execute("insert into file values (1, '/here/rewriter/de/a.py'), (2, '/here/eval/a.py')")
        contexts = ["", "t.py::b|run", "t.py::a[x|y]|run", "t.py::c|run", "t.py::d|setup"]
        database.executemany("insert into context values (?, ?)", list(enumerate(contexts)))
        lines = {0: 9, 1: 9, 2: 9, 3: 10, 4: 9}
        rows = [(1, context, (1 << line).to_bytes(2, "little")) for context, line in lines.items()]
        database.executemany("insert into line_bits values (?, ?, ?)", rows)
    (tmp_path / "log").write_text("3.00s call     t.py::b\n0.10s call     t.py::a[x|y]\n0.20s setup    t.py::a[x|y]\n")
    return Reached(tmp_path / "coverage", tmp_path / "log")


@pytest.mark.parametrize(
    ("file", "line", "most", "tests"),
    [
        ("rewriter/de/a.py", 9, 30, ["t.py::a[x|y]", "t.py::b"]),
        ("rewriter/de/a.py", 9, 1, ["t.py::a[x|y]"]),
        ("rewriter/de/a.py", 9, 0, ["t.py::a[x|y]"]),
        ("rewriter/de/a.py", 10, 30, ["t.py::c"]),
        ("rewriter/de/a.py", 99, 30, []),
        ("eval/a.py", 9, 30, []),
    ],
)
def test_only_tests_that_reach_a_line_run(
    file: str, line: int, most: float, tests: list[str], reached: Reached
) -> None:
    assert reached.tests(Planted(file, line, "", 0), most) == tests


@pytest.mark.slow
def test_a_test_that_notices_is_told_from_one_that_does_not(tmp_path: Path) -> None:
    notices = (
        "from rewriter.text.offsets import joined\ndef test_it(): assert joined([(3, 4), (0, 2)]) == [(0, 2), (3, 4)]\n"
    )
    (tmp_path / "test_notices.py").write_text(notices)
    (tmp_path / "test_does_not.py").write_text("def test_it(): pass\n")
    told = {}
    for name in ("test_notices.py", "test_does_not.py"):
        command = [sys.executable, "-m", "tools.mutate", "code", "rewriter/text/offsets.py", "--sample", "100"]
        command += ["--tests", str(tmp_path / name), "--journal", str(tmp_path / f"{name}.jsonl")]
        told[name] = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert "noticed" in told["test_notices.py"] and "noticed" not in told["test_does_not.py"]


@pytest.mark.slow
def test_tests_that_fail_without_an_error_are_refused(tmp_path: Path) -> None:
    (tmp_path / "test_fails.py").write_text("def test_it(): assert False\n")
    command = [sys.executable, "-m", "tools.mutate", "code", "rewriter/text/offsets.py", "--sample", "3"]
    command += ["--tests", str(tmp_path / "test_fails.py"), "--journal", str(tmp_path / "journal.jsonl")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 1 and "though nothing was planted: FAILED" in done.stderr
