"""No word list of the grammars stands in two modules: whoever mends the one would leave the other as it was."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import pytest

from tools.count_house import word_lists

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("rewriter", "eval", "augment", "train")


def test_no_two_word_lists_are_equal() -> None:
    found = [
        (f"{path.relative_to(ROOT)} {name}", listed)
        for package in PACKAGES
        for path in sorted((ROOT / package).rglob("*.py"))
        for name, listed in word_lists(path.read_text(encoding="utf-8"))
    ]
    assert len(found) > 100, "the lists are written in a way that is not read here"
    assert [(one, other) for (one, a), (other, b) in combinations(found, 2) if a == b] == []


@pytest.mark.parametrize(
    "source",
    [
        'A = frozenset("he she".split())',
        'A = frozenset({"she", "he"})',
        'A: frozenset[str] = frozenset(("he", "she"))',
        'A = ["he", "she", "he"]',
        'A = {"he", "she"}',
    ],
)
def test_a_word_list_is_read_however_it_is_written(source: str) -> None:
    assert list(word_lists(source)) == [("A", frozenset({"he", "she"}))]


@pytest.mark.parametrize("source", ['__all__ = ["a", "b"]', 'A = f("a b")', 'A = ("a", 1)', 'A = ("a",)', "A = B | C"])
def test_other_constants_are_none(source: str) -> None:
    assert list(word_lists(source)) == []
