"""Exact answers by construction."""

from __future__ import annotations

from pathlib import Path

import pytest

from eval.cases import read_cases, score_cases, wilson
from rewriter.errors import InputError

TABLE = 'id\tconstruction\tsource\ttarget\na\tx\the "sings\tthey "sing\nb\tx\ther\tthem\nc\ty\tno\tno\n'


def write(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "cases.tsv"
    path.write_text(text, encoding="utf-8")
    return path


def test_scores_by_construction(tmp_path: Path) -> None:
    scores = score_cases(read_cases(write(tmp_path, TABLE)), lambda texts: ['they "sing', "their", "no"])
    assert {name: (s.right, s.total) for name, s in scores.items()} == {"x": (1, 2), "y": (1, 1)}
    assert [case.id for case, _ in scores["x"].failures] == ["b"]


def test_without_target_nothing_may_change(tmp_path: Path) -> None:
    (case,) = read_cases(write(tmp_path, "id\tconstruction\tsource\n1\tkeep\t  her  \n"))
    assert case.target == "  her  "


@pytest.mark.parametrize(
    ("text", "message"),
    [("a\tb\n", "cases.tsv:1: expected the columns"), ("id\tconstruction\tsource\n1\tx\n", "cases.tsv:2: 2 cells")],
)
def test_malformed_tables_are_named(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_cases(write(tmp_path, text))


@pytest.mark.parametrize(
    ("right", "total", "low", "high"),
    # Newcombe 1998, table I, method 3
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611)],
)
def test_interval_of_the_literature(right: int, total: int, low: float, high: float) -> None:
    assert wilson(right, total) == pytest.approx((low, high), abs=1e-4)
