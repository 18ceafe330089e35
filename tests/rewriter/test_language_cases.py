"""The bundled English model on cases written as data: what must be rewritten, and what must stay.

``tests/data/en/open/gendered.tsv`` holds sources with their targets, ``keep.tsv`` sentences that must come out as they
are. ``known-failures.txt`` lists the ids that the bundled model gets wrong, strictly: one that is right now fails the
test until it leaves the list. An id followed by ``?`` may go either way: its decision is close to a tie, and int8
arithmetic differs a little from processor to processor.

After another model was bundled, write the list anew and look at the difference::

    python tests/rewriter/test_language_cases.py            # rewrites known-failures.txt, prints a table
    python tests/rewriter/test_language_cases.py MODEL      # only prints the table for another model
"""

from __future__ import annotations

import sys
from collections import Counter
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from rewriter.model.directory import INFO, bundled_folder
from rewriter.pipeline import Rewriter

FOLDER = Path(__file__).resolve().parents[1] / "data" / "en" / "open"
KNOWN = FOLDER / "known-failures.txt"
MODEL = bundled_folder() / "en"
#: share of the cases of each file that must be right; raised when a better model is bundled
FLOORS = {"gendered": 0.9, "keep": 0.9}


class Case(NamedTuple):
    file: str
    id: str
    construction: str
    source: str
    target: str


def read(file: str) -> list[Case]:
    """Read cases; cells stand for themselves: spaces around them and quotation marks are text."""
    lines = (FOLDER / f"{file}.tsv").read_text(encoding="utf-8").split("\n")
    rows = [line.split("\t") for line in lines[1:] if line]
    # what must stay has no target column
    return [Case(file, *cells[:3], cells[3] if file == "gendered" else cells[2]) for cells in rows]


CASES = [case for file in FLOORS for case in read(file)]


def known_failures() -> dict[str, bool]:
    """Return id -> whether it may go either way."""
    lines = KNOWN.read_text(encoding="utf-8").splitlines() if KNOWN.exists() else []
    entries = [line.split("#")[0].split() for line in lines]
    return {entry[0]: entry[1:] == ["?"] for entry in entries if entry}


@cache
def answers(model: str = str(MODEL)) -> dict[str, str]:
    texts = Rewriter.from_pretrained(model).rewrite([case.source for case in CASES])
    return {case.id: text for case, text in zip(CASES, texts, strict=True)}


needs_model = pytest.mark.skipif(not (MODEL / INFO).exists(), reason="this checkout has no bundled English model")


def test_ids_are_unique() -> None:
    counts = Counter(case.id for case in CASES)
    assert [name for name, count in counts.items() if count > 1] == []
    assert set(known_failures()) <= set(counts)


def test_there_are_enough_cases() -> None:
    """At least 400, of both kinds; what is rewritten differs from its source."""
    assert len(CASES) >= 400
    assert all(case.source != case.target for case in CASES if case.file == "gendered")


@needs_model
@pytest.mark.parametrize("case", CASES, ids=[case.id for case in CASES])
def test_case(case: Case) -> None:
    answer, known = answers()[case.id], known_failures()
    if case.id not in known:
        assert answer == case.target
    elif answer != case.target:
        pytest.xfail("known failure")
    elif not known[case.id]:
        pytest.fail(f"{case.id} is right now: take it out of {KNOWN.name}")


@needs_model
@pytest.mark.parametrize("file", FLOORS)
def test_enough_is_right(file: str) -> None:
    cases = [case for case in CASES if case.file == file]
    right = sum(answers()[case.id] == case.target for case in cases)
    assert right / len(cases) >= FLOORS[file]


def table(model: str) -> str:
    """Return the share of right answers by file and construction."""
    found = answers(model)
    total, right = Counter[str](), Counter[str]()
    for case in CASES:
        for key in (case.file, f"  {case.construction}"):
            total[key] += 1
            right[key] += found[case.id] == case.target
    return "\n".join(f"{key:45} {right[key]:4} of {count}" for key, count in total.items())


def write_known_failures() -> None:
    """List what the bundled model gets wrong; entries marked ``?`` stay."""
    found, open_ones = answers(), {name for name, either in known_failures().items() if either}
    lines = ["# What the bundled model gets wrong; written by tests/rewriter/test_language_cases.py"]
    for case in CASES:
        if case.id in open_ones:
            lines.append(f"{case.id} ?")
        elif found[case.id] != case.target:
            lines.append(case.id)
    KNOWN.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    print(table(*sys.argv[1:2]) if sys.argv[1:] else table(str(MODEL)))
    if not sys.argv[1:]:
        write_known_failures()
