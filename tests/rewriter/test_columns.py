"""Tables in memory: the same columns from every format, errors that name file, row and column."""

from __future__ import annotations

import pytest

from rewriter.errors import InputError, OutputError
from rewriter.io.columns import Columns, read_columns, write_columns

COLUMNS = {"text": ["a, b", 'she said "no"', "two\nlines"], "score": [1.5, 0.0, -2.0], "label": [1, 0, 1]}


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".jsonl", ".parquet", ".csv.gz", ".jsonl.zst", ".parquet.zst"])
def test_every_format_gives_back_what_was_written(tmp_path, suffix):
    if "parquet" in suffix:
        pytest.importorskip("pyarrow")
    path = tmp_path / f"table{suffix}"
    assert write_columns(path, COLUMNS) == 3
    table = read_columns(path)
    assert list(table.columns) == list(COLUMNS)
    assert table.texts("text") == COLUMNS["text"]
    assert table.numbers("score").tolist() == COLUMNS["score"]
    assert len(table) == 3 and "text" in table


def test_rows_with_other_keys(tmp_path):
    path = tmp_path / "rows.jsonl"
    path.write_text('{"a": 1}\n\n{"b": 2}\n')
    assert read_columns(path).columns == {"a": [1, None], "b": [None, 2]}


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("t.csv", "a,b\n1\n", r"t.csv:2: 1 cells where the header has 2"),
        ("t.csv", "a,a\n1,2\n", "two columns have the same name"),
        ("t.jsonl", '{"a": 1}\n[1]\n', "t.jsonl:2: a row is an object"),
        ("t.jsonl", "{", "t.jsonl:1: not JSON"),
        ("t.txt", "a", "tells no format"),
    ],
)
def test_bad_files(tmp_path, name, text, message):
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(InputError, match=message):
        read_columns(path)


@pytest.mark.parametrize("value", ["x", "", None, "nan"])
def test_no_number(value):
    with pytest.raises(InputError, match="row 2: column 'p' holds"):
        Columns("t.csv", {"p": ["1", value]}).numbers("p")


def test_uneven_columns(tmp_path):
    with pytest.raises(OutputError, match="differ in length"):
        write_columns(tmp_path / "t.csv", {"a": [1], "b": []})
