"""Which part of the pool a row learns from."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from augment.round_trip.prompting import PROMPTS
from augment.sources import pair_files
from experiments.round_trip.plan import Row
from rewriter.errors import InputError
from rewriter.io.files import read_lines
from rewriter.records import Pair
from train.round_trip.stages import FIND, MERGE, PROMPT, TRIPS

#: copies of sentences with nothing to rewrite, by the rules of a language or by its patterns
COPIES = ("augment/neutral", "augment/plain")


def chosen_pairs(pool: Path, row: Row) -> Iterator[Pair]:
    """Yield the pairs of a row: sentences as they were written, their ways back, copies.

    Args:
        pool: folder of a run of a round-trip recipe, finished up to its stage ``augment/merge``.
        row: what is wanted.

    Raises:
        InputError: the pool lacks a stage that the row needs.
    """
    for stage in (FIND, *((PROMPT,) if row.prompted else ())):
        for _, pair in _records(pool, stage):
            yield pair
    if row.ways != "none":
        for more, pair in _records(pool, MERGE if row.ways == "merged" else TRIPS):
            if more.get("asked") in row.genders and (row.prompted or not is_prompted(pair)):
                yield pair
    for stage in COPIES:
        if (pool / stage).is_dir():
            yield from (pair for _, pair in _records(pool, stage))


def is_prompted(pair: Pair) -> bool:
    """Return True if a language model wrote the sentence."""
    return (pair.origin or "").startswith(PROMPTS)


def _records(pool: Path, stage: str) -> Iterator[tuple[dict[str, Any], Pair]]:
    """Yield the keys of each record of a stage, and its pair."""
    if not (pool / stage).is_dir():
        raise InputError(f"{pool}: has no {stage}; run its recipe until augment/merge, with what the row needs")
    for path in pair_files([pool / stage]):
        for line in read_lines(path):
            values = json.loads(line)
            yield values, Pair.from_dict(values)
