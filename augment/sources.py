"""Which files a run reads: globs, exclusions by name or licence, what is known about each file."""

from __future__ import annotations

import csv
import glob
from collections.abc import Iterable, Sequence
from fnmatch import fnmatch
from functools import cache
from pathlib import Path

from rewriter.errors import InputError, UsageError
from rewriter.io.csv_rows import CsvRows
from rewriter.io.files import atomic_write, read_lines, read_pairs, write_pairs
from rewriter.runs.shards import parts

MANIFEST_TABLE = "MANIFEST.tsv"
TEXT_SUFFIXES = (".txt", ".txt.gz", ".txt.zst")
PAIR_SUFFIXES = (".jsonl", ".jsonl.gz", ".jsonl.zst", ".parquet")
_LICENCE = "licence:"


def find_inputs(patterns: Sequence[str | Path], exclude: Sequence[str] = ()) -> list[Path]:
    """Return the text files that ``patterns`` name, sorted by name, less the excluded ones.

    Args:
        patterns: files, folders (their ``.txt``, ``.txt.gz``, ``.txt.zst``) or globs.
        exclude: globs over base names (``gutenberg*``), or ``licence:`` and a glob over the licence that the
            ``MANIFEST.tsv`` beside the file (or one folder up) gives; case does not matter there.

    Raises:
        InputError: a pattern matches nothing, or a file's licence is asked for and unknown.
        UsageError: every file is excluded.
    """
    found = {path for pattern in patterns for path in _expand(str(pattern))}
    kept = [path for path in sorted(found, key=lambda p: (p.name, str(p))) if not _is_excluded(path, exclude)]
    if patterns and not kept:
        raise UsageError(f"exclude leaves no input file of {', '.join(map(str, patterns))}")
    return kept


def _expand(pattern: str) -> list[Path]:
    path = Path(pattern)
    if path.is_dir():
        found = [p for p in path.iterdir() if p.name.endswith(TEXT_SUFFIXES) and p.is_file()]
    elif path.exists():
        found = [path]
    else:
        found = [Path(name) for name in glob.glob(pattern, recursive=True) if Path(name).is_file()]  # noqa: PTH207
    if not found:
        raise InputError(f"{pattern}: no such text file, and no folder or glob that holds any")
    return found


def _is_excluded(path: Path, exclude: Iterable[str]) -> bool:
    for pattern in exclude:
        if pattern.lower().startswith(_LICENCE):
            licence = describe(path).get("licence", "")
            if not licence:
                raise InputError(f"{path}: no {MANIFEST_TABLE} gives its licence, which '{pattern}' asks for")
            if fnmatch(licence.lower(), pattern[len(_LICENCE) :].strip().lower()):
                return True
        elif fnmatch(path.name, pattern) or fnmatch(str(path), pattern):
            return True
    return False


def describe(path: Path) -> dict[str, str]:
    """Return the row of ``MANIFEST.tsv`` about a file (``licence``, ``source repo`` ...), empty where there is none."""
    for folder in (path.resolve().parent, path.resolve().parent.parent):
        rows = _manifest(folder / MANIFEST_TABLE)
        if path.name in rows:
            return rows[path.name]
    return {}


@cache
def _manifest(path: Path) -> dict[str, dict[str, str]]:
    if not path.is_file():
        return {}
    rows = CsvRows(read_lines(path), path, delimiter="\t", quoting=csv.QUOTE_NONE)
    return {row.get("file") or "": {k: v for k, v in row.items() if k and isinstance(v, str)} for row in rows}


def data_card(paths: Iterable[Path]) -> list[dict[str, str]]:
    """Return file, licence and source of each input, for manifests and model cards."""
    rows = [(path, describe(path)) for path in paths]
    return [
        {"file": path.name, "licence": row.get("licence", ""), "source": row.get("source repo", "")}
        for path, row in rows
    ]


def pair_files(inputs: Sequence[str | Path]) -> list[Path]:
    """Return the files of pairs that ``inputs`` (files, or folders that a stage wrote) name, in order.

    Raises:
        InputError: one does not exist or holds no pairs.
    """
    found: list[Path] = []
    for given in map(Path, inputs):
        files = [p for p in parts(given) if p.name.endswith(PAIR_SUFFIXES)] if given.is_dir() else [given]
        if not files or not all(p.is_file() for p in files):
            raise InputError(f"{given}: no file of pairs ({', '.join(PAIR_SUFFIXES)}) and no folder that holds any")
        found += files
    return found


def as_json_lines(paths: Sequence[Path], folder: Path) -> list[Path]:
    """Return ``paths`` with Parquet files replaced by JSONL copies in ``folder``."""
    result = []
    for number, path in enumerate(paths):
        if path.suffix == ".parquet":
            copy = folder / f"{number:03d}-{path.stem}.jsonl.zst"
            if not copy.exists():
                write_pairs(copy, read_pairs(path))
            path = copy
        result.append(path)
    return result


def write_text(path: Path, lines: Iterable[str]) -> None:
    """Write texts one per line for a tool that reads lines: line breaks become spaces, lone surrogates ``?``."""
    with atomic_write(path) as stream:
        for line in lines:
            stream.write(" ".join(line.splitlines()).encode("utf-8", "replace") + b"\n")
