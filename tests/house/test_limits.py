"""The limits that SECURITY.md states are those of the code."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rewriter.formats.base import COLUMN_CHARACTERS, RECORD_BYTES
from rewriter.io import columns, files, limits
from rewriter.io.textfile import DOCUMENT_BYTES
from rewriter.options import MOST_PIECES, MOST_PROCESSES, MOST_SEED, MOST_THREADS
from rewriter.runs import yaml_values
from rewriter.serve.settings import Limits

ROOT = Path(__file__).resolve().parents[2]
MB = 1 << 20
STATED = {
    "a line of any text file, also unpacked": f"{limits.LINE_BYTES // MB} MB",
    "a file that is converted (`gender-fair convert`)": f"{limits.FILE_BYTES // MB} MB",
    "a text within a record": f"{limits.TEXT_CHARACTERS // MB} million characters",
    "a document, a paragraph, a file of source code": f"{DOCUMENT_BYTES // MB} MB",
    "data of a `.zst` file unpacked at a time": f"{limits.ZSTD_PIECE // 1024} kB packed, at most 32 MB unpacked",
    "window of a `.zst` file": f"{files.MAX_WINDOW // MB} MB (`--long=27`)",
    "a row group of a Parquet file": "none: it is held in memory as a whole",
    "a Parquet file read as a table of figures, unpacked": f"{columns._TABLE_BYTES >> 30} GB",
    "name of a column, or path to one": f"{COLUMN_CHARACTERS:,} characters",
    "a recipe": f"{yaml_values.MOST_CHARACTERS // MB} MB, {yaml_values.MOST_VALUES:,} values with aliases written out",
    "name of a run or of a strategy": "100 characters of a file name",
    "`vocab_size`": f"{MOST_PIECES:,}",
    "`--threads`, `--processes`, seeds": f"{MOST_THREADS}, {MOST_PROCESSES:,}, 2^{MOST_SEED.bit_length()} - 1",
    "a request to the service": f"{Limits().bytes // 1_000_000} MB, {Limits().texts:,} texts, {Limits().seconds:.0f} s",
}


def stated() -> dict[str, str]:
    text = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (.+?) \| (.+?) \| .+? \|$", text.partition("## Limits")[2], re.MULTILINE)
    return {what: limit for what, limit in rows if limit not in ("limit", "---")}


@pytest.mark.parametrize("what", STATED)
def test_a_limit_is_that_of_the_code(what: str) -> None:
    assert stated()[what] == STATED[what]


def test_every_limit_that_is_stated_is_compared() -> None:
    assert set(stated()) == set(STATED) and RECORD_BYTES == DOCUMENT_BYTES
