"""Scoring the swapper on tables of cases: share of exact answers by construction.

A table is a TSV with the columns ``id``, ``construction``, ``source``, ``target`` and maybe ``direction`` (empty:
both); lines that begin with ``#`` are comments. What must stay has its source as target.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from augment.swap.core import Swapper
from augment.swap.settings import DIRECTIONS
from eval.cases import Case, ConstructionScore
from rewriter.errors import InputError
from rewriter.io.files import read_lines

_COLUMNS = ("id", "construction", "source", "target")


def read_swap_cases(path: str | Path) -> list[tuple[Case, str]]:
    """Read a table of cases, each with its direction; cells are kept exactly, quotes have no meaning.

    Raises:
        InputError: a column is missing, a row has another number of cells, or a direction is unknown; names the line.
    """
    rows = [(number, line) for number, line in enumerate(read_lines(path), 1) if line and not line.startswith("#")]
    columns = rows[0][1].split("\t") if rows else []
    if missing := [name for name in _COLUMNS if name not in columns]:
        raise InputError(f"{path}: a table of swapping cases has the columns {', '.join(_COLUMNS)}; missing {missing}")
    cases = []
    for number, line in rows[1:]:
        cells = line.split("\t")
        if len(cells) != len(columns):
            raise InputError(f"{path}:{number}: {len(cells)} cells where the header has {len(columns)}")
        row = dict(zip(columns, cells, strict=True))
        direction = row.get("direction", "").strip("-") or DIRECTIONS[0]
        if direction not in DIRECTIONS:
            raise InputError(f"{path}:{number}: the direction is '{direction}', not one of {', '.join(DIRECTIONS)}")
        cases.append((Case(row["id"], row["construction"], row["source"], row["target"]), direction))
    return cases


def score_swap_cases(cases: Iterable[tuple[Case, str]], lang: str) -> dict[str, ConstructionScore]:
    """Return the scores by construction, in order of first appearance.

    Args:
        cases: from :func:`read_swap_cases`.
        lang: language code.

    Raises:
        UsageError: the language has no rules for swapping.
    """
    known: dict[str, Swapper] = {}
    scores: dict[str, ConstructionScore] = {}
    for case, direction in cases:
        swapper = known.get(direction)
        if swapper is None:
            swapper = known[direction] = Swapper(lang, direction=direction)
        scores.setdefault(case.construction, ConstructionScore()).add(case, swapper.swap(case.source))
    return scores


def languages_of(paths: Sequence[Path], lang: str | None) -> list[str]:
    """Return the language of every table: the one given, else the folder under ``data`` that the table lies in.

    Raises:
        InputError: a table lies in no such folder.
    """
    found = []
    for path in paths:
        parts = path.resolve().parts
        folder = parts[parts.index("data") + 1] if "data" in parts[:-1] else ""
        if lang is None and len(folder) != 2:
            raise InputError(f"{path}: say the language with --lang")
        found.append(lang or folder)
    return found
