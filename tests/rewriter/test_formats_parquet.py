"""Parquet: the text columns change; schema, metadata, rows, row groups, codecs and other values stay."""

from __future__ import annotations

import datetime
import decimal
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from rewriter.errors import InputError, OutputError, UsageError
from rewriter.formats.base import Content
from rewriter.formats.parquet import ParquetTexts

pyarrow = pytest.importorskip("pyarrow", reason="needs the extra 'data'")
parquet = pytest.importorskip("pyarrow.parquet", reason="needs the extra 'data'")

ROWS = 11
TEXTS = [None if n % 4 == 3 else "" if n == 4 else f"She knows {n}." for n in range(ROWS)]
COLUMNS = ["text", "large", "coded", "meta.body", "a\\.b", "chat.*.content", "parts", "pair", "deep.*.*"]


def table() -> Any:
    pa = pyarrow
    struct = pa.struct([("body", pa.string()), ("at", pa.timestamp("ns", "UTC")), ("n", pa.int8())])
    message = pa.struct([("role", pa.string()), ("content", pa.string())])
    chats = [None, [], [{"role": "user", "content": "She left."}, None, {"role": "bot", "content": None}]]
    when = datetime.datetime(2020, 1, 1, microsecond=1, tzinfo=datetime.UTC)
    columns = {
        "id": pa.array(range(ROWS), pa.uint32()),
        "text": pa.array(TEXTS),
        "large": pa.array(TEXTS, pa.large_string()),
        "coded": pa.array(TEXTS).dictionary_encode(),
        "meta": pa.array([None if n == 2 else {"body": t, "at": when, "n": n} for n, t in enumerate(TEXTS)], struct),
        "a.b": pa.array(TEXTS),
        "chat": pa.array([chats[n % 3] for n in range(ROWS)], pa.list_(message)),
        "parts": pa.array(
            [None if n == 1 else [t, None, "x"][: n % 4] for n, t in enumerate(TEXTS)], pa.large_list(pa.string())
        ),
        "pair": pa.array([None if n == 1 else [t, "y"] for n, t in enumerate(TEXTS)], pa.list_(pa.string(), 2)),
        "deep": pa.array([[[t], [], None, [t, "z"]] for t in TEXTS], pa.list_(pa.list_(pa.string()))),
        "lang": pa.array(["en" if n % 2 else "de" for n in range(ROWS)]),
        "price": pa.array([decimal.Decimal("1.50")] * ROWS, pa.decimal128(10, 2)),
        "raw": pa.array([b"\xff"] * ROWS, pa.binary()),
    }
    return pa.table(columns).replace_schema_metadata({"made by": "a test", "huggingface": "{}"})


def save(path: Path, **options: Any) -> Path:
    parquet.write_table(table(), path, row_group_size=4, **options)
    return path


def fair(contents: Sequence[Content]) -> list[str]:
    return [content.text.replace("She", "They") for content in contents]


def fair_row(value: Any, inside: bool = False) -> Any:
    """Do the same to a row of Python values."""
    if isinstance(value, dict):
        return {key: fair_row(item) for key, item in value.items()}
    if isinstance(value, list):
        return [fair_row(item) for item in value]
    return value.replace("She", "They") if isinstance(value, str) else value


def layout(path: Path) -> list[Any]:
    """Return what of a file is not its values: row groups, codecs, encodings."""
    metadata = parquet.ParquetFile(path).metadata
    groups = [metadata.row_group(n) for n in range(metadata.num_row_groups)]
    columns = [[group.column(n) for n in range(metadata.num_columns)] for group in groups]
    return [
        metadata.format_version,
        [group.num_rows for group in groups],
        [[(c.path_in_schema, c.compression, c.encodings, c.num_values) for c in group] for group in columns],
        sorted(metadata.metadata or {}),
    ]


OPTIONS: list[dict[str, Any]] = [
    {},
    {"compression": {"id": "zstd", "text": "gzip", "large": "none", "raw": "brotli"}, "use_dictionary": ["coded"]},
    {"compression": "lz4", "use_dictionary": False, "store_schema": False, "version": "1.0"},
    {"use_compliant_nested_type": False, "version": "2.4", "use_deprecated_int96_timestamps": True},
]


@pytest.mark.parametrize("options", OPTIONS)
def test_only_the_texts_change(tmp_path: Path, options: dict[str, Any]) -> None:
    path, target = save(tmp_path / "a.parquet", **options), tmp_path / "b.parquet"
    ParquetTexts(path, COLUMNS).rewrite_file(target, rewrite=fair)
    before, after = parquet.read_table(path), parquet.read_table(target)
    assert after.schema.equals(before.schema, check_metadata=True)
    assert after.to_pylist() == [fair_row(row) for row in before.to_pylist()]
    assert "They" in str(after.to_pylist())
    assert layout(target) == layout(path)


def test_parts_by_row_group_give_the_same_file(tmp_path: Path) -> None:
    texts = ParquetTexts(save(tmp_path / "a.parquet"), COLUMNS)
    assert texts.rows == [4, 4, 3]
    parts = [tmp_path / f"part-{n}.parquet" for n in range(texts.row_groups)]
    for number in (2, 0, 1):
        texts.rewrite_row_group(number, parts[number], rewrite=fair)
    texts.join(parts, tmp_path / "joined.parquet")
    texts.rewrite_file(tmp_path / "whole.parquet", rewrite=fair)
    assert (tmp_path / "joined.parquet").read_bytes() == (tmp_path / "whole.parquet").read_bytes()
    with pytest.raises(OutputError, match="2 parts for 3 row groups"):
        texts.join(parts[:2], tmp_path / "short.parquet")
    with pytest.raises(OutputError, match="3 rows instead of 4"):
        texts.join([parts[0], parts[2], parts[1]], tmp_path / "wrong.parquet")
    assert not (tmp_path / "wrong.parquet").exists()


def test_texts_come_in_order_with_the_language_of_their_row(tmp_path: Path) -> None:
    seen: list[Content] = []

    def look(contents: Sequence[Content]) -> list[str]:
        seen.extend(contents)
        return [content.text for content in contents]

    texts = ParquetTexts(save(tmp_path / "a.parquet"), ["text", "deep.*.*"], "lang")
    texts.rewrite_row_group(1, tmp_path / "b.parquet", rewrite=look)
    expected = [(TEXTS[n], "en" if n % 2 else "de") for n in range(4, 8) if TEXTS[n] is not None]
    assert [content[:2] for content in seen[: len(expected)]] == expected
    assert [c.language for c in seen if c.text == "z"] == ["de", "en", "de", "en"]
    assert parquet.read_table(tmp_path / "b.parquet").equals(table().slice(4, 4))


def test_bytes_that_are_not_utf8_stay_and_are_told(tmp_path: Path) -> None:
    data = [b"She left.", b"She\xff", None, b"She won."]
    kinds = [(pyarrow.binary(), pyarrow.string()), (pyarrow.large_binary(), pyarrow.large_string())]
    names = ["text", "large"]
    path, target = tmp_path / "a.parquet", tmp_path / "b.parquet"
    columns = [pyarrow.array(data, raw).view(text) for raw, text in kinds]
    parquet.write_table(pyarrow.table(columns, names), path, row_group_size=2)
    told: list[tuple[int, str]] = []
    ParquetTexts(path, names).rewrite_file(target, rewrite=fair, reject=lambda row, why: told.append((row, why)))
    assert told == [(2, "not UTF-8 (invalid start byte at byte 3)")] * 2
    for column, (raw, _) in zip(parquet.read_table(target).columns, kinds, strict=True):
        values = column.combine_chunks().view(raw).to_pylist()
        assert values == [b"They left.", b"She\xff", None, b"They won."]


@pytest.mark.parametrize("rows", [0, 1])
def test_empty_and_small_files(tmp_path: Path, rows: int) -> None:
    path, target = tmp_path / "a.parquet", tmp_path / "b.parquet"
    parquet.write_table(table().slice(0, rows), path)
    texts = ParquetTexts(path, COLUMNS)
    texts.rewrite_file(target, rewrite=fair)
    assert parquet.read_table(target).num_rows == rows
    assert parquet.read_table(target).schema.equals(parquet.read_table(path).schema, check_metadata=True)


@pytest.mark.parametrize(
    ("column", "message"),
    [
        ("Text", "no column 'Text' \\(did you mean 'text'\\?\\); the file has 'id', 'text'"),
        ("id", "column 'id' leads to the type uint32, not to text"),
        ("raw", "binary, not to text"),
        ("meta", "is a struct; name one of its fields: body, at, n"),
        ("meta.title", "is a struct; name one of its fields"),
        ("text.a", "column 'text.a' leads to the type string"),
        ("chat.content", "goes through a list; write '\\*' for its elements: \\*.content"),
        ("chat", "is a struct; name one of its fields: role, content"),
    ],
)
def test_columns_without_text_are_refused(tmp_path: Path, column: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        ParquetTexts(save(tmp_path / "a.parquet"), [column])


def test_a_language_for_each_text_of_a_row_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="a row has one language"):
        ParquetTexts(save(tmp_path / "a.parquet"), ["text"], "parts")


def test_damaged_files_are_named_and_leave_nothing_behind(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    with pytest.raises(InputError, match=r"a\.parquet: cannot be read"):
        ParquetTexts(path)
    path.write_bytes(b"text\nShe left.\n")
    with pytest.raises(InputError, match=r"a\.parquet: damaged, or no Parquet file"):
        ParquetTexts(path)
    data = save(path).read_bytes()
    texts = ParquetTexts(path)
    path.write_bytes(b"PAR1" + b"\xff" * 2000 + data[2004:])
    with pytest.raises(InputError, match="row group 0 cannot be read"):
        texts.rewrite_file(tmp_path / "b.parquet", rewrite=fair)
    assert [file.name for file in tmp_path.iterdir()] == ["a.parquet"]
