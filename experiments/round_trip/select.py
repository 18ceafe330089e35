"""Which part of the pool a row learns from."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from augment.sources import pair_files
from experiments.round_trip.plan import Row
from rewriter.errors import InputError
from rewriter.io.files import read_lines, read_pairs
from rewriter.records import Pair
from rewriter.runs.manifest import Manifest
from train.round_trip.stages import FIND, MERGE, PROMPT, TRIPS

#: copies of sentences with nothing to rewrite: by the rules of a language, with names and numbers put in, by patterns
COPIES = ("augment/neutral", "augment/copying", "augment/plain")


def chosen_pairs(pool: Path, row: Row) -> Iterator[Pair]:
    """Yield the pairs of a row: sentences as they were written, their ways back, copies.

    Args:
        pool: folder of a run of a round-trip recipe, finished up to its stage ``filter``, before which all pairs lie.
        row: what is wanted.

    Raises:
        InputError: the pool lacks a stage that the row needs, or a file of it is damaged.
    """
    check_pool(pool, row)
    for stage in (FIND, *((PROMPT,) if row.prompted else ())):
        yield from (pair for pair, _ in _records(pool, stage))
    if row.ways != "none":
        prompted = _prompted(pool)
        for pair, asked in _records(pool, MERGE if row.ways == "merged" else TRIPS):
            if asked in row.genders and (row.prompted or pair.origin not in prompted):
                yield pair
    for stage in _copies(pool):
        yield from (pair for pair, _ in _records(pool, stage))


def check_pool(pool: Path, row: Row) -> None:
    """Refuse a pool that lacks what a row needs.

    Raises:
        InputError: names the first stage that is missing or not finished.
    """
    ways = {"none": (), "whole": (TRIPS,), "merged": (MERGE,)}[row.ways]
    for stage in (FIND, *((PROMPT,) if row.prompted else ()), *ways, *(_copies(pool) or COPIES[:1])):
        found = Manifest.load(pool / stage)
        if found is None or not found.complete:
            raise InputError(
                f"{pool}: {stage} is missing or not finished; run its recipe until 'filter', with what the row needs"
            )


def _copies(pool: Path) -> list[str]:
    return [stage for stage in COPIES if (pool / stage).is_dir()]


def _prompted(pool: Path) -> set[str | None]:
    """Return where the sentences of the language model come from."""
    return {pair.origin for pair, _ in _records(pool, PROMPT)} if (pool / PROMPT).is_dir() else set()


def _records(pool: Path, stage: str) -> Iterator[tuple[Pair, str]]:
    """Yield the pairs of a stage, with the gender that was asked for."""
    for path in pair_files([pool / stage]):
        for pair, line in zip(read_pairs(path), read_lines(path), strict=True):
            yield pair, str(json.loads(line).get("asked", ""))
