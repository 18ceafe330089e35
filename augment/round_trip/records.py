"""Lines of the steps of a round trip: pairs as JSON with a few keys of their own, which other readers ignore."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from augment.round_trip.rules import Reading
from augment.sources import PAIR_SUFFIXES, pair_files
from rewriter.errors import InputError, UsageError
from rewriter.formats.base import RawLine
from rewriter.io.files import write_json_lines
from rewriter.records import Pair
from rewriter.runs.shards import ShardContext


class Record(NamedTuple):
    """A pair, its line in the input, and the keys beside the pair's."""

    pair: Pair
    line: int
    more: dict[str, Any]


def write_records(path: Path, records: Iterable[Record]) -> int:
    """Write records as JSON lines, atomically; return how many."""
    return write_json_lines(path, (r.more | r.pair.to_dict() for r in records))


def read_records(lines: Iterable[RawLine], context: ShardContext) -> Iterator[Record]:
    """Yield the records of a shard; lines that hold none are rejected."""
    for number, data in lines:
        try:
            values = json.loads(data)
            pair = Pair.from_dict(values)
        except (ValueError, InputError, AttributeError, TypeError) as error:
            context.reject(number, f"no pair ({error})")
            continue
        yield Record(pair, number, {k: v for k, v in values.items() if k not in Pair.__dataclass_fields__})


def record_files(inputs: Sequence[str | Path]) -> list[Path]:
    """Return the JSONL files that ``inputs`` (files, or folders of earlier steps) name.

    Raises:
        InputError: one does not exist or holds no pairs.
        UsageError: one is a Parquet file, which has no lines.
    """
    found = pair_files(inputs)
    for path in found:
        if path.suffix == ".parquet" or not path.name.endswith(PAIR_SUFFIXES):
            raise UsageError(f"{path}: this step reads JSON lines of pairs (.jsonl, .jsonl.gz, .jsonl.zst)")
    return found


def described(reading: Reading) -> list[str]:
    """Return the forms of a reading in words (*star noun singular*), for counting and choosing later."""
    return [
        f"{one.form} {one.kind}" + ("" if one.kind == "word" else " plural" if one.plural else " singular")
        for one in reading.found
    ]


def has_singular(reading: Reading) -> bool:
    """Return True if a singular person is among the forms."""
    return any(not one.plural and one.kind in ("noun", "pair") for one in reading.found)
