"""Fuzz targets of the formats: any bytes are read, what is no record is named, and what is put in can be read again."""

from __future__ import annotations

import gzip
import io
import random
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from itertools import count
from pathlib import Path
from typing import Any

import zstandard
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from rewriter.corpus.engine import RecordRewriter
from rewriter.errors import GenderFairError
from rewriter.formats import FormatOptions, RecordFormat, open_format
from rewriter.formats.base import Content, RawLine, RawRecord, RecordError
from rewriter.formats.parquet import ParquetTexts
from rewriter.io.columns import read_columns
from rewriter.io.files import read_blocks, read_pairs, read_raw_lines, write_pairs
from rewriter.language.interface import get_language
from rewriter.model.directory import ModelInfo
from rewriter.pipeline import Rewriter
from rewriter.records import apply_edits
from tools.fuzzing.target import Case, Target, foreseen, workplace
from tools.fuzzing.texts import ANSWERS, ENGLISH_WORDS, Stranger, any_json, damaged, english

_LINE_PIECES = (
    b"\n",
    b"\r\n",
    b"\r",
    b"\n\n",
    b"\xef\xbb\xbf",
    b"\xff",
    b"\0",
    b'"',
    b"\\",
    b",",
    b"\t",
    b"{",
    b"}",
    b"//",
    b"#",
)
_words = st.sampled_from([word.encode() for word in ENGLISH_WORDS])
_line = st.one_of(english.map(str.encode), st.binary(max_size=12))

# ---------------------------------------------------------------- plain text, documents and source code

_TEXT_NAMES = ("a.txt", "a.md", "a.html", "a.rst", "a.tex", "a.py", "a.js", "a.sql", "a.lisp", "a.sh", "a.css")
_CODE = (
    b'# she said so\ndef f():\n    """Tell her.\n\n    He knows.\n    """\n    return "her"  # his\n',
    b"/* she\n * knows her stuff\n */\nlet a = 'her'; // his\n`he ${she}`\n",
    b"-- she knows\nselect 'her' from t\n; he said\n",
)


def _text_cases() -> SearchStrategy[dict[str, Any]]:
    ends = st.sampled_from((b"\n", b"\n", b"\r\n", b"\n\n", b"\r", b"", b"\n    ", b"\n# ", b"\n// ", b'"""'))
    lines = st.lists(st.tuples(_line, ends), max_size=8).map(lambda found: b"".join(a + b for a, b in found))
    return st.fixed_dictionaries(
        {
            "data": st.one_of(lines, lines, damaged(_CODE, _LINE_PIECES)),
            "name": st.sampled_from(_TEXT_NAMES),
            "unit": st.sampled_from(("auto", "line", "paragraph", "document")),
            "seed": st.integers(0, 99),
        }
    )


def _check_text(case: Case) -> None:
    with workplace() as folder:
        path = folder / case["name"]
        path.write_bytes(case["data"])
        found = foreseen(lambda: open_format(path, FormatOptions(unit=case["unit"], code_comments=True)))
        if isinstance(found, GenderFairError):
            return
        _check_pieces(found, path, case["data"])
        _check_rewriting(found, case["data"], case["seed"])


def _check_rewriting(fmt: RecordFormat, data: bytes, seed: int) -> None:
    info = ModelInfo(name="stranger", lang="en", target="edits")
    rewriter = Rewriter(Stranger(get_language("en"), seed), get_language("en"), info)
    blocks = list(RecordRewriter(rewriter, fmt, "file", every=True).rewrite(data, 1))
    new = b"".join(piece for block in blocks for piece in block.output)
    results = [result for block in blocks for result in block.results]
    assert new.count(b"\n") == data.count(b"\n"), "another number of lines"
    if not any(result.rewrite.edits for result in results):
        assert new == data, "something changed without an edit"
    for result in results:
        if result.source is not None:
            assert apply_edits(result.source, result.rewrite.edits) == result.rewrite.text, "edits do not replay"


def _check_pieces(fmt: RecordFormat, path: Path, data: bytes) -> None:
    """The pieces of a file are the file, and begin and end with records."""
    pieces = list(fmt.cut(path, lines=2, size=64))
    starts = [offset for _, _, offset in pieces]
    assert starts == sorted(set(starts)) and (not data or starts[:1] == [0]), "pieces overlap"
    whole = _records(fmt, data, 1)
    assert b"".join(record.data for record in whole) == data, "records are not the file"
    parts: list[RawRecord] = []
    for (first, _, offset), end in zip(pieces, [*starts[1:], len(data)], strict=False):
        parts += _records(fmt, data[offset:end], first)
    assert [(r.number, r.data) for r in parts] == [(r.number, r.data) for r in whole], "pieces cut records"


def _records(fmt: RecordFormat, data: bytes, first: int) -> list[RawRecord]:
    return list(fmt.records(map(RawLine, count(first), io.BytesIO(data))))


# ---------------------------------------------------------------- JSON lines, CSV and TSV

_JSON = (
    b'{"text": "She left.", "id": 1}\n{"id": 2, "text": "her\\u0020\\ud83d\\ude42 \\/ \\n"}\r\n\n{"text": null}\n',
    b'{"a": {"text": ["he", {"text": "she"}]}, "text": "\\"he\\"", "text": "twice"}\n["text"]\n{"text": "x"}',
)
_CSV = (
    b'id,text,n\n1,"She said ""no"", he left.",a\r\n2,his,b\n3,"two\nlines",\n',
    b"id;text;n\n1;her;\n2;'his';x\n",
    b'id\ttext\tn\n1\t"her"\ta\n2\the said "no"\tb\n',
    b"text\nher\nhis\n",
)


def _table_cases(
    wholes: Sequence[bytes], names: Sequence[str], columns: Sequence[str]
) -> SearchStrategy[dict[str, Any]]:
    pieces = (*_LINE_PIECES, b'""', b"\\u", b"\\ud800", b"text", b"[", b"]", b":", b";", b"1e999", b"\\\\")
    return st.fixed_dictionaries(
        {
            "data": st.one_of(
                damaged(wholes, pieces), st.lists(st.one_of(_line, _words, st.sampled_from(pieces))).map(b"".join)
            ),
            "name": st.sampled_from(names),
            "column": st.sampled_from(columns),
            "seed": st.integers(0, 99),
        }
    )


def _check_table(case: Case) -> None:
    with workplace() as folder:
        path = folder / case["name"]
        path.write_bytes(case["data"])
        foreseen(lambda: read_columns(path))
        found = foreseen(lambda: open_format(path, FormatOptions(columns=(case["column"],))))
        if isinstance(found, GenderFairError):
            return
        pieces = foreseen(lambda: _check_pieces(found, path, case["data"]))
        if not isinstance(pieces, GenderFairError):
            _check_replacing(found, case["data"], random.Random(case["seed"]))


def _check_replacing(fmt: RecordFormat, data: bytes, rng: random.Random) -> None:
    """Other texts in the place of those of the records can be read again, and the rest is the same."""
    expected: list[list[str] | None] = []
    made = []
    for record in _records(fmt, data, 1):
        contents = _contents(fmt, record)
        same = fmt.replace(record, [(content, content.text) for content in contents or ()])
        assert same == record.data, "a text in its own place changed the record"
        new, texts = _replaced(fmt, record, contents, rng)
        made.append(new)
        expected.append(texts)
    found = [_texts(fmt, record) for record in _records(fmt, b"".join(made), 1)]
    assert found == expected, f"{found!a} was read where {expected!a} was written"


def _replaced(
    fmt: RecordFormat, record: RawRecord, contents: list[Content] | None, rng: random.Random
) -> tuple[bytes, list[str] | None]:
    """Return the record with some texts replaced, and the texts that it must hold then."""
    if contents is None:
        return record.data, None
    texts = [
        rng.choice((content.text, rng.choice(ANSWERS), content.text + rng.choice(ANSWERS))) for content in contents
    ]
    try:
        new = fmt.replace(record, list(zip(contents, texts, strict=True)))
    except RecordError:
        return record.data, [content.text for content in contents]
    return new, texts


def _contents(fmt: RecordFormat, record: RawRecord) -> list[Content] | None:
    """Return the texts of a record that can be read, None where it cannot be read as a whole."""
    try:
        return fmt.contents(record)
    except RecordError as error:
        return list(error.contents) or None


def _texts(fmt: RecordFormat, record: RawRecord) -> list[str] | None:
    contents = _contents(fmt, record)
    return None if contents is None else [content.text for content in contents]


# ---------------------------------------------------------------- compressed files


def _packed() -> list[bytes]:
    text = b"Then she said so.\n" * 30
    chunks = zstandard.ZstdCompressor().compress(text), zstandard.ZstdCompressor(write_checksum=True).compress(text)
    return [gzip.compress(text, mtime=0), gzip.compress(b"a\n", mtime=0) * 3, *chunks, chunks[0] * 2]


def _packed_cases() -> SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries({"data": damaged(_packed()), "suffix": st.sampled_from((".gz", ".zst"))})


def _check_packed(case: Case) -> None:
    with workplace() as folder:
        path = folder / f"a.txt{case['suffix']}"
        path.write_bytes(case["data"])
        ways: tuple[Callable[[Path], Iterator[bytes]], ...] = (read_raw_lines, read_blocks)
        lines, blocks = (foreseen(partial(_joined, way, path)) for way in ways)
        assert type(lines) is type(blocks), f"one way of reading says {lines!a}, another {blocks!a}"
        assert isinstance(lines, GenderFairError) or lines == blocks


def _joined(way: Callable[[Path], Iterator[bytes]], path: Path) -> bytes:
    return b"".join(way(path))


# ---------------------------------------------------------------- Parquet


@cache
def _parquets() -> tuple[bytes, ...]:
    import pyarrow as arrow
    from pyarrow import parquet

    texts = ["Then she said so.", None, "", "é🙂"] * 5
    tables = (
        ({"text": texts}, {"compression": "none"}),
        ({"text": texts, "source": ["a"] * 20, "target": ["b"] * 20}, {"compression": "zstd", "row_group_size": 7}),
        ({"text": [{"text": text, "n": 1} for text in texts]}, {"compression": "snappy", "use_dictionary": False}),
        ({"text": [[text] * 2 for text in texts]}, {"compression": "gzip", "data_page_version": "2.0"}),
        ({"text": arrow.array(texts).dictionary_encode()}, {"compression": "none", "write_page_checksum": True}),
    )
    made = []
    for columns, options in tables:
        stream = io.BytesIO()
        parquet.write_table(arrow.table(columns), stream, **options)
        made.append(stream.getvalue())
    return tuple(made)


def _parquet_cases() -> SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries(
        {"data": damaged(_parquets()), "column": st.sampled_from(("text", "text.text", "text.*"))}
    )


def _check_parquet(case: Case) -> None:
    with workplace() as folder:
        path = folder / "a.parquet"
        path.write_bytes(case["data"])
        foreseen(lambda: read_columns(path))
        foreseen(lambda: list(read_pairs(path)))
        foreseen(lambda: _check_parquet_texts(path, folder / "new.parquet", case["column"]))


def _check_parquet_texts(path: Path, target: Path, column: str) -> None:
    file = ParquetTexts(path, (column,))
    texts = [file.read_row_group(number) for number in range(file.row_groups)]
    file.rewrite_file(target, rewrite=lambda contents: [f"{content.text}!" for content in contents])
    again = ParquetTexts(target, (column,))
    new = [again.read_row_group(number) for number in range(again.row_groups)]
    assert new == [[(row, f"{text}!") for row, text in group] for group in texts], "other texts than were written"


# ---------------------------------------------------------------- pairs

_PAIRS = (
    b'{"source": "she", "target": "they", "doubtful": [[0, 3]], "lang": "en", "strategy": "forward", "form": "mixed"}\n'
    b'{"source": "a", "target": "a", "before": "b", "origin": "f:1"}\n',
)


def _pair_cases() -> SearchStrategy[dict[str, Any]]:
    keys = ("source", "target", "doubtful", "before", "lang", "strategy", "form", "origin", "other")
    record = st.dictionaries(st.sampled_from(keys), any_json(), max_size=6)
    good = st.fixed_dictionaries({"source": english, "target": english})
    mixed = st.tuples(good, record).map(lambda pair: pair[0] | {k: v for k, v in pair[1].items() if k not in pair[0]})
    import json

    lines = st.lists(st.one_of(mixed, record).map(lambda value: json.dumps(value).encode() + b"\n"), max_size=3)
    deep = st.sampled_from((b"[" * 5_000, b'{"source":' * 5_000))
    return st.fixed_dictionaries(
        {"data": st.one_of(damaged(_PAIRS, (b"[", b"]", b"{", b'"')), lines.map(b"".join), deep)}
    )


def _check_pairs(case: Case) -> None:
    with workplace() as folder:
        path = folder / "p.jsonl"
        path.write_bytes(case["data"])
        found = foreseen(lambda: list(read_pairs(path)))
        if isinstance(found, list):
            write_pairs(folder / "again.jsonl", found)
            assert list(read_pairs(folder / "again.jsonl")) == found, "other pairs than were written"


TARGETS = (
    Target("text", _text_cases, _check_text),
    Target(
        "jsonl",
        lambda: _table_cases(_JSON, ("a.jsonl",), ("text", "a.text.*", "text.text", "a.text.*.text")),
        _check_table,
    ),
    Target("csv", lambda: _table_cases(_CSV, ("a.csv", "a.tsv"), ("text", "2", "1")), _check_table),
    Target("packed", _packed_cases, _check_packed, native=True),
    Target("parquet", _parquet_cases, _check_parquet, native=True),
    Target("pairs", _pair_cases, _check_pairs),
)
