"""Files beside the text (word tables, prompts, lemmas, published sets) that are too large, or hold no rows."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path

import pytest

from augment.balance.metadata import load_metadata
from augment.balance.paths import read_rows
from augment.reading.sheet import read_sheet
from augment.sources import _manifest
from eval.bec_pro.items import _rows
from eval.bias_filter.lexicon import read_group_file
from eval.genbit.lemmas import read_lemmas
from eval.mlm_bias.sources import read_set_json, read_table
from lexicons import side_files
from lexicons.loader import TableError, read_table_file
from rewriter.cli.main import main
from rewriter.errors import GenderFairError, InputError
from rewriter.io import csv_rows, limits
from rewriter.io.csv_rows import CsvRows
from rewriter.model.huggingface import read_prompt
from train.bert.cds import read_texts
from train.scoring import table_set

Reader = Callable[[Path], object]
SIDE_FILES: dict[str, Reader] = {
    "a word table": read_table_file,
    "a lexicon": read_group_file,
    "paths": read_rows,
    "metadata.json": load_metadata,
    "a prompt": read_prompt,
}
WHOLE: dict[str, Reader] = {"lemmas.json.gz": read_lemmas, "set.json": read_set_json}
TABLES: dict[str, Reader] = {
    "mlm-bias.csv": lambda path: list(read_table(path, ("a",))),
    "bec-pro.tsv": lambda path: list(_rows(path)),
    "cds.tsv": lambda path: list(read_texts(path, "a")),
    "sheet.tsv": read_sheet,
    "sentences.tsv": lambda path: table_set(path, path.parent),
    "MANIFEST.tsv": _manifest,
}


@pytest.mark.parametrize("name", SIDE_FILES)
def test_a_large_file_is_refused_and_not_read_to_its_end(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(side_files, "FILE_BYTES", 1 << 20)
    path = tmp_path / name
    path.write_bytes(b"a\tb\n" * (1 << 19))
    with pytest.raises((GenderFairError, TableError), match=r"cannot be read \(.*more than 1 MB"):
        SIDE_FILES[name](path)


@pytest.mark.parametrize("name", WHOLE)
def test_a_file_that_unpacks_to_much_is_refused(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "FILE_BYTES", 1 << 20)
    data = b'{"a": "b",\n' * (1 << 17)
    path = tmp_path / name
    path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    with pytest.raises(InputError, match="more than 1 MB; it is held in memory"):
        WHOLE[name](path)


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("line", [1, 2])
def test_a_field_that_is_too_long_is_named(
    name: str, line: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(csv_rows, "FIELD_CHARACTERS", 100)
    delimiter = "," if name.endswith(".csv") else "\t"
    header = delimiter.join(("a", "source", "file", "id", "target", *COLUMNS_OF_BEC_PRO))
    rows = [header, delimiter.join(["x"] * (header.count(delimiter) + 1))]
    rows[line - 1] += "y" * 101
    path = tmp_path / name
    path.write_text("".join(f"{row}\n" for row in rows))
    with pytest.raises(InputError, match=rf"{name}:{line}: field larger than field limit \(100\)"):
        TABLES[name](path)


COLUMNS_OF_BEC_PRO = (
    "Sentence", "Sent_TM", "Sent_AM", "Sent_TAM", "Template", "Person", "Gender", "Profession", "Prof_Gender",
)  # fmt: skip


def test_a_long_document_is_a_field() -> None:
    assert list(CsvRows(["a,b", f"{'x' * 200_000},y"], "t")) == [{"a": "x" * 200_000, "b": "y"}]


def test_rows_know_their_lines() -> None:
    rows = CsvRows(["a,b\n", '"x\n', 'y",z\n', "1\n"], "t")
    found = [(rows.line, row) for row in rows]
    assert rows.columns == ["a", "b"] and found == [(3, {"a": "x\ny", "b": "z"}), (4, {"a": "1", "b": None})]


def test_a_table_of_cases_with_a_long_field_is_no_traceback(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(csv_rows, "FIELD_CHARACTERS", 100)
    (tmp_path / "own.tsv").write_text(f"id\ttarget\n1\t{'x' * 200}\n")
    assert main(["augment", "import-targets", str(tmp_path / "own.tsv"), "-o", str(tmp_path / "out.jsonl")]) in (2, 4)
    assert "nobody foresaw" not in capsys.readouterr().err
