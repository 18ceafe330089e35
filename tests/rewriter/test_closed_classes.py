"""Closed classes of English: at least ten cases of each as data, and what looks alike and must stay.

``tests/data/en/closed/cases.tsv`` holds class, source and target; ``=`` is a source that must stay.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from rewriter.model.directory import INFO, bundled_folder
from rewriter.pipeline import Rewriter

CASES = Path(__file__).resolve().parents[1] / "data" / "en" / "closed" / "cases.tsv"
MODEL = bundled_folder() / "en"


def read() -> list[tuple[str, str, str]]:
    lines = CASES.read_text(encoding="utf-8").splitlines()[1:]
    rows = [line.split("\t") for line in lines]
    return [(name, source, source if target == "=" else target) for name, source, target in rows]


@cache
def answers() -> dict[str, str]:
    sources = [source for _, source, _ in read()]
    return dict(zip(sources, Rewriter.from_pretrained(MODEL, threads=1).rewrite(sources), strict=True))


@pytest.mark.skipif(not (MODEL / INFO).exists(), reason="this checkout has no bundled English model")
@pytest.mark.parametrize(("name", "source", "target"), read())
def test_case(name: str, source: str, target: str) -> None:
    assert answers()[source] == target, name


def test_every_class_has_ten_cases_and_what_looks_alike() -> None:
    """Of a class that changes at least ten cases do, of one that stays ten do; the others of a class look alike."""
    total = Counter(name for name, _, _ in read())
    change = Counter(name for name, source, target in read() if source != target)
    assert min(total.values()) >= 20
    assert all(count >= 10 for count in change.values())
