"""The new corpus: the records of the old one, byte for byte, without those removed, and with copies behind the last."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import count
from pathlib import Path
from typing import IO, Any

import numpy as np

from augment.balance.reading import Corpus
from augment.balance.select import Plan
from rewriter.errors import UsageError
from rewriter.formats import detect, open_format
from rewriter.formats.base import RawLine, line_end, split_bom
from rewriter.formats.parquet import ParquetTexts
from rewriter.installation.extras import require
from rewriter.io.files import atomic_write, read_raw_lines
from rewriter.io.parquet import arrow_errors, open_parquet

Times = Mapping[int, int]


def write_balanced(plan: Plan, corpus: Corpus, folder: str | Path) -> list[Path]:
    """Write every file of the corpus, balanced, into a folder; return the written files.

    What is added stands behind the last record of its file, in random order, each round of copies after the other; it
    is held in memory once.

    Args:
        plan: what is added or removed.
        corpus: the files that were counted.
        folder: where the new ones go, under their names.

    Raises:
        InputError: a file cannot be read.
        OutputError: a file cannot be written.
        UsageError: an output would be its own input.
    """
    targets = [Path(folder) / name for name in corpus.names]
    if len(set(targets)) < len(targets):
        raise UsageError("two input files have the same name; give the folder that holds both instead")
    for path, target in zip(corpus.paths, targets, strict=True):
        if target.exists() and target.samefile(path):
            raise UsageError(f"{target} is the input itself; choose another output folder")
    rng = np.random.default_rng(plan.options.seed)
    for number, (path, target) in enumerate(zip(corpus.paths, targets, strict=True)):
        times = _times(plan, number)
        if detect(path, corpus.format) == "parquet":
            _write_parquet(path, target, times, rng, corpus.format.columns)
        else:
            _write_records(path, target, times, rng, corpus)
    return targets


def _times(plan: Plan, file: int) -> dict[int, int]:
    """Return record -> how often it stands in the new file, for those that do not stand there once."""
    changed = np.flatnonzero((plan.times != 1) & (plan.statistics.places[:, 0] == file))
    records = plan.statistics.places[changed, 1].tolist()
    return dict(zip(records, plan.times[changed].tolist(), strict=True))


def _write_records(path: Path, target: Path, times: Times, rng: np.random.Generator, corpus: Corpus) -> None:
    fmt = open_format(path, corpus.format)
    gap = b"" if fmt.one_line or fmt.name != "txt" else b"\n"
    copies: list[tuple[bytes, int]] = []
    with atomic_write(target) as stream:
        end = last = b"\n"
        for number, data in fmt.records(map(RawLine, count(1), read_raw_lines(path))):
            wanted = times.get(number, 1)
            end = line_end(data) or end
            if wanted:
                stream.write(data)
                last = data
            if wanted > 1:
                copies.append((split_bom(RawLine(number, data))[1], wanted - 1))
        _write_copies(stream, copies, rng, last, end, gap)


def _write_copies(
    stream: IO[bytes], copies: list[tuple[bytes, int]], rng: np.random.Generator, last: bytes, end: bytes, gap: bytes
) -> None:
    if copies and not last.endswith(b"\n"):
        stream.write(end)
    for place in _rounds([times for _, times in copies], rng):
        body = copies[place][0].rstrip(b"\r\n")
        stream.write((gap and end) + body + end)


def _rounds(times: list[int], rng: np.random.Generator) -> Iterator[int]:
    """Yield the place of each item as often as it is wanted: all once in random order, then the next round."""
    wanted = np.array(times, np.int64)
    for done in range(int(wanted.max(initial=0))):
        yield from rng.permutation(np.flatnonzero(wanted > done)).tolist()


def _write_parquet(path: Path, target: Path, times: Times, rng: np.random.Generator, columns: tuple[str, ...]) -> None:
    arrow = require("pyarrow", extra="data")
    parquet = require("pyarrow.parquet", extra="data")
    groups = ParquetTexts(path, columns).rows
    with open_parquet(path) as file, atomic_write(target) as stream:
        codec = file.metadata.row_group(0).column(0).compression.lower() if groups else "snappy"
        options = {} if codec in ("uncompressed", "lz4_raw") else {"compression": codec}
        copies: list[Any] = []
        wanted: list[int] = []
        with parquet.ParquetWriter(stream, file.schema_arrow, **options) as writer:
            first = 1
            for group, rows in enumerate(groups):
                table = _read_group(file, group, path)
                here = [times.get(first + row, 1) for row in range(rows)]
                writer.write_table(table.filter(arrow.array([number > 0 for number in here])))
                more = [row for row, number in enumerate(here) if number > 1]
                copies += [table.slice(row, 1) for row in more]
                wanted += [here[row] - 1 for row in more]
                first += rows
            if copies:
                rest = arrow.concat_tables(copies)
                writer.write_table(rest.take(arrow.array(list(_rounds(wanted, rng)), arrow.int64())))


def _read_group(file: Any, group: int, path: Path) -> Any:
    with arrow_errors(path, f"row group {group} can no longer be read"):
        return file.read_row_group(group)
