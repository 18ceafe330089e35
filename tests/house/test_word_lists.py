"""No word list of the grammars stands in two modules: whoever mends the one would leave the other as it was."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("rewriter", "eval", "augment", "train")


def words(node: ast.expr) -> frozenset[str] | None:
    """Return the words of a constant: a set, tuple or list of strings, however it is written; None for others."""
    if isinstance(node, ast.Call) and len(node.args) == 1 and isinstance(node.func, ast.Name):
        return words(node.args[0]) if node.func.id in ("frozenset", "set", "tuple", "list") else None
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "split":
        text = node.func.value
        return frozenset(text.value.split()) if isinstance(text, ast.Constant) and isinstance(text.value, str) else None
    if isinstance(node, ast.Set | ast.Tuple | ast.List):
        found = [e.value for e in node.elts if isinstance(e, ast.Constant) and isinstance(e.value, str)]
        return frozenset(found) if found and len(found) == len(node.elts) else None
    return None


def word_lists(source: str) -> Iterator[tuple[str, frozenset[str]]]:
    """Yield (name, words) of the lists at a module's top level; ``__all__`` is none."""
    for node in ast.parse(source).body:
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            found = words(node.value)
            if isinstance(target, ast.Name) and target.id != "__all__" and found and len(found) > 1:
                yield target.id, found


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
