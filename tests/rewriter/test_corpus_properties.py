"""Exact properties of corpus rewriting, whatever the text and whatever a model says.

Two stand-ins for a model: a *stranger* proposes any edits of any text, through the guard; a *rogue* answers any text at
all, past the guard, so that it is the file formats that must hold.
"""

from __future__ import annotations

import csv
import gzip
import io
import json
import random
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import zstandard
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rewriter.corpus import CorpusOptions, RewriterSpec, rewrite_corpus
from rewriter.corpus.engine import RecordRewriter
from rewriter.corpus.results import TextResult
from rewriter.en.language import make
from rewriter.formats import FormatOptions, open_format
from rewriter.formats.base import RecordFormat
from rewriter.model.directory import ModelInfo
from rewriter.model.proposer import Proposal, Sentence
from rewriter.pipeline import Options, Rewriter
from rewriter.records import Edit, Rewrite, apply_edits

TINY = Path(__file__).resolve().parents[1] / "data" / "models" / "tiny-edits"
ENGLISH = make()
INFO = ModelInfo(name="stranger", lang="en", target="edits")

WORDS = (
    "he she him her his hers himself He SHE she’s he'd isn't is was has knows tries goes chairman Chairwomen actress "
    "mankind stewards (s)he that the a and Mr. U.S. they `code` <b> https://example.org/he @her $x_{he}$ *her* "
    '"he" é 漢字 🙂 \\n \\u0068 {"he": 1} a,b; ""'
).split(" ")
GAPS = [" ", " ", " ", "  ", "\t", ". ", ", ", "…", "\u2028", "\u00a0", "\x0b", "\x85", "\r", "", "-", "'", "\0"]
near_text = st.lists(st.tuples(st.sampled_from(WORDS), st.sampled_from(GAPS)), max_size=12).map(
    lambda pairs: "".join(word + gap for word, gap in pairs)
)
any_text = st.text(st.characters(exclude_categories=("Cs",)), max_size=30)
text = st.one_of(near_text, any_text, st.tuples(near_text, any_text).map("".join))
line = text.map(lambda value: value.replace("\n", " "))
seeds = st.integers(0, 1000)
few = settings(max_examples=50, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
ANSWERS = ["they", "them", "know", "", " ", "\n", "\r\n", '"', "\\", ",", ";", "\t", "é🙂", "\0", "\ud800", "x" * 50]


class Stranger:
    """Proposes any edits; the same ones for the same sentence, as a model does."""

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def propose(self, sentences: Sequence[Sentence]) -> list[Proposal]:
        return [self._one(sentence.text) for sentence in sentences]

    def _one(self, source: str) -> Proposal:
        rng = random.Random(f"{self._seed} {source}")
        edits = [self._edit(source, rng) for _ in range(rng.randrange(4))]
        for candidate in ENGLISH.analyze(source).candidates:
            after = rng.choice(candidate.options)[1]
            edits.append(
                Edit(candidate.start, candidate.end, source[candidate.start : candidate.end], after, candidate.kind, "")
            )
        return Proposal(edits)

    @staticmethod
    def _edit(source: str, rng: random.Random) -> Edit:
        start = rng.randrange(-2, len(source) + 3)
        end = start + rng.randrange(-1, 6)
        before = source[max(0, start) : max(0, end)] if rng.random() < 0.8 else rng.choice(ANSWERS)
        return Edit(start, end, before, rng.choice(ANSWERS), rng.choice(["pronoun", "verb", "??"]), "any", rng.random())


class Rogue:
    """Answers any text: replaces any stretch by anything."""

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def rewrite(self, texts: list[str], *, return_edits: Any) -> list[Rewrite]:
        return [self._one(source) for source in texts]

    def _one(self, source: str) -> Rewrite:
        rng = random.Random(f"{self._seed} {source}")
        if rng.random() < 0.3:
            return Rewrite(source)
        start = rng.randrange(len(source) + 1)
        end = rng.randrange(start, len(source) + 1)
        edit = Edit(start, end, source[start:end], rng.choice(ANSWERS), "noun", "any")
        return Rewrite(apply_edits(source, [edit]), (edit,)) if edit.before != edit.after else Rewrite(source)


def stranger(seed: int, **options: Any) -> Rewriter:
    return Rewriter(Stranger(seed), ENGLISH, INFO, options=Options(**options))


MODELS = {"stranger": stranger, "rogue": Rogue}
models = pytest.mark.parametrize("model", MODELS)


def rewritten(model: Any, fmt: RecordFormat, data: bytes, *, every: bool = False, batch: int = 4096) -> bytes:
    return join(RecordRewriter(model, fmt, "file", every=every, batch=batch).rewrite(data, 1))


def join(blocks: Any) -> bytes:
    return b"".join(piece for block in blocks for piece in block.output)


def results_of(model: Any, fmt: RecordFormat, data: bytes) -> tuple[bytes, list[TextResult]]:
    blocks = list(RecordRewriter(model, fmt, "file", every=True).rewrite(data, 1))
    return join(blocks), [result for block in blocks for result in block.results]


def file_of(name: str, data: bytes, folder: Path) -> Path:
    path = folder / name
    packers = {".gz": lambda value: gzip.compress(value, mtime=0), ".zst": zstandard.compress}
    path.write_bytes(packers.get(path.suffix, bytes)(data))
    return path


# ---------------------------------------------------------------------------------------------------------------------
# plain text

ends = st.sampled_from([b"\n", b"\n", b"\r\n", b"\r\r\n"])
raw_line = st.one_of(line.map(str.encode), st.binary(max_size=12).map(lambda value: value.replace(b"\n", b"")))
mark = st.sampled_from([b"", b"\xef\xbb\xbf"])
plain = st.tuples(mark, st.lists(st.tuples(raw_line, ends), max_size=12), raw_line).map(
    lambda parts: parts[0] + b"".join(a + b for a, b in parts[1]) + parts[2]
)


@models
@few
@given(data=plain, seed=seeds)
def test_lines_and_their_ends_stay(model: str, data: bytes, seed: int) -> None:
    new = rewritten(MODELS[model](seed), open_txt(), data)
    assert new.count(b"\n") == data.count(b"\n")
    old_lines, new_lines = data.split(b"\n"), new.split(b"\n")
    for old, made in zip(old_lines[:-1], new_lines[:-1], strict=True):
        # a carriage return before the line feed belongs to the line's end
        assert made.endswith(b"\r") == old.endswith(b"\r") or model == "rogue"


@models
@few
@given(data=plain, seed=seeds)
def test_lines_without_edits_are_the_same_bytes(model: str, data: bytes, seed: int) -> None:
    new, results = results_of(MODELS[model](seed), open_txt(), data)
    changed = {result.line for result in results if result.rewrite.edits}
    pairs = zip(data.split(b"\n"), new.split(b"\n"), strict=True)
    for number, (old, made) in enumerate(pairs, 1):
        assert number in changed or made == old


@models
@few
@given(data=plain, seed=seeds)
def test_edits_replay(model: str, data: bytes, seed: int) -> None:
    _, results = results_of(MODELS[model](seed), open_txt(), data)
    for result in results:
        if result.source is not None:
            assert apply_edits(result.source, result.rewrite.edits) == result.rewrite.text


@models
@few
@given(data=plain, seed=seeds, batch=st.integers(1, 4), every=st.booleans())
def test_batches_do_not_matter(model: str, data: bytes, seed: int, batch: int, every: bool) -> None:
    whole = rewritten(MODELS[model](seed), open_txt(), data)
    assert rewritten(MODELS[model](seed), open_txt(), data, batch=batch, every=every) == whole


@few
@given(data=plain, seed=seeds)
def test_neither_gate_nor_memory_matter(data: bytes, seed: int) -> None:
    whole = rewritten(stranger(seed), open_txt(), data)
    assert rewritten(stranger(seed, cache=0), open_txt(), data) == whole
    assert rewritten(stranger(seed, gate=False), open_txt(), data) == whole


@models
@pytest.mark.parametrize("unit", ["paragraph", "document"])
@few
@given(data=plain, seed=seeds)
def test_so_it_is_with_paragraphs_and_documents(unit: Any, model: str, data: bytes, seed: int) -> None:
    fmt = open_txt(unit)
    new, results = results_of(MODELS[model](seed), fmt, data)
    assert rewritten(MODELS[model](seed), fmt, data, batch=1) == new
    if model == "stranger":
        assert new.count(b"\n") == data.count(b"\n")
    if not any(result.rewrite.edits for result in results):
        assert new == data


def open_txt(unit: Any = "line") -> RecordFormat:
    return open_format("file.txt", FormatOptions(format="txt", unit=unit))


# ---------------------------------------------------------------------------------------------------------------------
# JSON lines

value = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), text),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(any_text, inner, max_size=3)),
    max_leaves=6,
)
others = st.dictionaries(any_text, value, max_size=3)
json_record = st.tuples(others, text, others).map(
    lambda parts: {**parts[0], "text": parts[1], **{k: v for k, v in parts[2].items() if k != "text"}}
)
json_style = st.fixed_dictionaries(
    {"ensure_ascii": st.booleans(), "separators": st.sampled_from([None, (",", ":"), (" ,\t", " : ")])}
)


@models
@few
@given(records=st.lists(json_record, max_size=5), style=json_style, seed=seeds, end=st.sampled_from(["\n", "\r\n"]))
def test_other_keys_order_and_spaces_stay(
    model: str, records: list[dict[str, Any]], style: dict[str, Any], seed: int, end: str
) -> None:
    data = "".join(json.dumps(record, **style) + end for record in records).encode()
    new = rewritten(MODELS[model](seed), json_format(records, style), data)
    answers = MODELS[model](seed).rewrite([record["text"] for record in records], return_edits=True)
    lines = new.decode().split(end)
    assert lines.pop() == ""
    for record, made, answer in zip(records, lines, answers, strict=True):
        expected = {**record, "text": answer.text}
        assert list(json.loads(made).items()) == list(expected.items())
        if "\\" not in json.dumps(expected["text"]) + json.dumps(record["text"]):
            assert made == json.dumps(expected, **style)


def json_format(records: list[dict[str, Any]], style: dict[str, Any]) -> RecordFormat:
    from rewriter.formats.jsonl import JsonLines

    return JsonLines((("text",),), None, ascii=style["ensure_ascii"])


@models
@few
@given(lines=st.lists(st.one_of(raw_line, json_record.map(lambda r: json.dumps(r).encode())), max_size=6), seed=seeds)
def test_what_is_no_record_is_written_through(model: str, lines: list[bytes], seed: int) -> None:
    data = b"".join(item + b"\n" for item in lines)
    new, results = results_of(MODELS[model](seed), json_format([], {"ensure_ascii": True}), data)
    changed = {result.line for result in results if result.rewrite.edits}
    for number, (old, made) in enumerate(zip(data.split(b"\n"), new.split(b"\n"), strict=True), 1):
        assert number in changed or made == old


# ---------------------------------------------------------------------------------------------------------------------
# CSV and TSV

cell = text.map(lambda value: value.replace("\0", ""))
row = st.tuples(cell, cell, cell).map(list)
csv_style = st.fixed_dictionaries(
    {
        "delimiter": st.sampled_from([",", ";", "\t", "|"]),
        "quoting": st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL, csv.QUOTE_NONNUMERIC]),
        "lineterminator": st.sampled_from(["\n", "\r\n"]),
    }
)


def written(rows: Sequence[Sequence[str]], style: dict[str, Any]) -> str:
    stream = io.StringIO(newline="")
    csv.writer(stream, **style).writerows(rows)
    return stream.getvalue()


def read(data: bytes, style: dict[str, Any]) -> list[list[str]]:
    return list(csv.reader(io.StringIO(data.decode(), newline=""), delimiter=style["delimiter"]))


@models
@few
@given(rows=st.lists(row, max_size=5), style=csv_style, seed=seeds, multiline=st.booleans())
def test_other_columns_stay(
    tmp_path: Path, model: str, rows: list[list[str]], style: dict[str, Any], seed: int, multiline: bool
) -> None:
    if not multiline or style["quoting"] != csv.QUOTE_ALL:
        # the csv module leaves a lone carriage return without quotes, and cannot read that again
        rows = [[re.sub(r"[\r\n]", " ", item) for item in cells] for cells in rows]
    data = written([["a,b", "text", "he"], *rows], style).encode()
    fmt = open_format(file_of("file.csv", data, tmp_path), FormatOptions(delimiter=style["delimiter"]))
    new = rewritten(MODELS[model](seed), fmt, data)
    before = read(data, style)
    answers = MODELS[model](seed).rewrite([cells[1] for cells in before], return_edits=True)
    after = read(new, style)
    assert len(after) == len(before)
    assert [[cells[0], cells[2]] for cells in after] == [[cells[0], cells[2]] for cells in before]
    pairs = zip(before, answers, strict=True)
    # what UTF-8 cannot hold is refused
    expected = [cells[1] if "\ud800" in answer.text else answer.text for cells, answer in pairs]
    assert [cells[1] for cells in after[1:]] == expected[1:]
    if not any(answer.edits for answer in answers[1:]):
        assert new == data


# ---------------------------------------------------------------------------------------------------------------------
# Parquet

parquet_row = st.tuples(st.integers(-9, 9), st.none() | text, st.lists(st.none() | text, max_size=2), st.none() | text)


@pytest.mark.usefixtures("model_of_any_run")
@given(rows=st.lists(parquet_row, min_size=1, max_size=8), group=st.integers(1, 3))
@settings(max_examples=8, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
def test_other_columns_rows_and_schema_stay_in_parquet(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[Any, ...]], group: int
) -> None:
    arrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    folder = tmp_path_factory.mktemp("parquet")
    columns = [
        ("id", arrow.int16()),
        ("text", arrow.string()),
        ("tags", arrow.list_(arrow.string())),
        ("he", arrow.string()),
    ]
    schema = arrow.schema(columns, metadata={b"he": b"she"})
    table = arrow.table([list(values) for values in zip(*rows, strict=True)], schema=schema)
    parquet.write_table(table, folder / "a.parquet", row_group_size=group, compression="zstd")
    run([folder / "a.parquet"], folder / "out")
    old, new = parquet.ParquetFile(folder / "a.parquet"), parquet.ParquetFile(folder / "out" / "a.parquet")
    assert new.schema_arrow.equals(old.schema_arrow, check_metadata=True)
    assert new.num_row_groups == old.num_row_groups
    made = new.read()
    assert made.drop(["text"]).equals(old.read().drop(["text"]))
    answers = [None if row[1] is None else stranger(7).rewrite(row[1]) for row in rows]
    assert made["text"].to_pylist() == answers


# ---------------------------------------------------------------------------------------------------------------------
# files, shards, processes

SHARDS = [{"shard_lines": 1}, {"shard_lines": 3}, {"shard_size": 1}, {"shard_size": 40}, {}]


@pytest.fixture
def model_of_any_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every run of this process gets the stranger instead of a model."""
    monkeypatch.setattr("rewriter.corpus.job.load_rewriter", lambda spec, threads=None: stranger(7))


def run(inputs: Sequence[Path], output: Path, **options: Any) -> dict[str, bytes]:
    """Rewrite files into a folder; return what is there, unpacked, by name."""
    chosen = CorpusOptions(**{"processes": 1, **options})
    rewrite_corpus(list(inputs), f"{output}/", rewriter=RewriterSpec.of(TINY), options=chosen)
    return {path.name: unpacked(path) for path in output.iterdir() if path.is_file()}


def unpacked(path: Path) -> bytes:
    data = path.read_bytes()
    if path.suffix == ".gz":
        return gzip.decompress(data)
    if path.suffix == ".zst":
        return zstandard.ZstdDecompressor().stream_reader(data, read_across_frames=True).read()
    return data


@pytest.mark.usefixtures("model_of_any_run")
@given(data=plain, rows=st.lists(row, max_size=4), records=st.lists(json_record, max_size=4))
@settings(max_examples=8, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
def test_shards_order_and_packing_do_not_matter(
    tmp_path_factory: pytest.TempPathFactory, data: bytes, rows: list[list[str]], records: list[dict[str, Any]]
) -> None:
    folder = tmp_path_factory.mktemp("any")
    table = written([["x", "text", "y"], *rows], {}).encode()
    objects = "".join(json.dumps(record) + "\n" for record in records).encode()
    files = [file_of("a.txt", data, folder), file_of("b.csv", table, folder), file_of("c.jsonl", objects, folder)]
    whole = run(files, folder / "whole")
    assert whole["a.txt"] == rewritten(stranger(7), open_txt(), data)
    for number, options in enumerate(SHARDS):
        assert run(files[::-1] if number % 2 else files, folder / f"out-{number}", **options) == whole
    packed = [file_of("a.txt.gz", data, folder), file_of("b.csv.zst", table, folder)]
    expected = {"a.txt.gz": whole["a.txt"], "b.csv.zst": whole["b.csv"]}
    assert run(packed, folder / "packed", shard_lines=2) == expected


def make_files(folder: Path) -> list[Path]:
    rng = random.Random(3)
    lines = ["".join(rng.choice(WORDS) + rng.choice(GAPS[:8]) for _ in range(12)) for _ in range(300)]
    plain_text = "\n".join(lines).encode()
    objects = "".join(json.dumps({"id": i, "text": item}) + "\n" for i, item in enumerate(lines)).encode()
    table = written([["id", "text"], *([str(i), item] for i, item in enumerate(lines))], {}).encode()
    return [
        file_of("a.txt", plain_text, folder),
        file_of("b.jsonl.zst", objects, folder),
        file_of("c.csv", table, folder),
        file_of("d.txt.gz", plain_text, folder),
    ]


@pytest.mark.parametrize("processes", [2, pytest.param(4, marks=pytest.mark.slow)])
def test_the_number_of_processes_does_not_matter(tmp_path: Path, processes: int) -> None:
    files = make_files(tmp_path)
    one = run(files, tmp_path / "one", shard_lines=40)
    assert one["a.txt"] != files[0].read_bytes()
    assert run(files, tmp_path / "several", shard_lines=40, processes=processes) == one
