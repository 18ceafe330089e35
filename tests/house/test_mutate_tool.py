"""Planted errors: what is planted, where, and that a test that notices is told from one that does not."""

from __future__ import annotations

import ast
import random
import subprocess
import sys
from pathlib import Path

import pytest

from lexicons.loader import parse_table
from tools.mutate import ROOT, Planted, changed_table, changes_of, planted_in_code, planted_in_tables

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
