"""Swapping files: what CDA adds, what CDS flips, that everything else stays byte for byte, and that runs go on."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from augment.swap import SwapperSpec, SwapSettings, flips, swap_corpus
from rewriter.cli.main import main
from rewriter.corpus.run import CorpusOptions
from rewriter.errors import ResumeError, UsageError
from rewriter.formats import FormatOptions


def swap(
    source: Path,
    strategy: str,
    *,
    settings: SwapSettings | None = None,
    group_by: str | None = None,
    **options: object,
) -> bytes:
    target = source.with_name(f"out-{source.name}")
    spec = SwapperSpec(strategy=strategy, settings=settings or SwapSettings(), group_by=group_by)
    swap_corpus([source], target, spec=spec, options=CorpusOptions(processes=1, **options))  # type: ignore[arg-type]
    return target.read_bytes()


@pytest.mark.parametrize(
    ("name", "source", "expected"),
    [
        ("a.txt", b"She left.\nIt rained.\r\n", b"She left.\nHe left.\nIt rained.\r\n"),
        ("end.txt", b"It rained.\nHe left", b"It rained.\nHe left\nShe left"),
        ("crlf.txt", b"He left\r\n", b"He left\r\nShe left\r\n"),
        (
            "a.csv",
            b'id,text\n1,"A king, ""yes, she"" said"\n2,x\n',
            b'id,text\n1,"A king, ""yes, she"" said"\n1,"A queen, ""yes, he"" said"\n2,x\n',
        ),
        ("no-end.csv", b"id,text\n7,the boy", b"id,text\n7,the boy\n7,the girl"),
        (
            "a.jsonl",
            b'{"text":"his wife", "n":1}\n{"text":"x"}\n',
            b'{"text":"his wife", "n":1}\n{"text":"her husband", "n":1}\n{"text":"x"}\n',
        ),
    ],
)
def test_cda_puts_the_counterfactual_behind_its_source(
    tmp_path: Path, name: str, source: bytes, expected: bytes
) -> None:
    path = tmp_path / name
    path.write_bytes(source)
    assert swap(path, "cda") == expected


def test_cda_keeps_blank_lines_between_paragraphs(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"He left.\nHe went.\n\nIt rained.\n\nShe slept.")
    result = swap(path, "cda", format=FormatOptions(unit="paragraph"))
    assert result == (b"He left.\nHe went.\n\nShe left.\nShe went.\n\nIt rained.\n\nShe slept.\n\nHe slept.")


def test_swap_puts_the_counterfactual_in_its_place(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"\xef\xbb\xbfShe left.\n\n  It rained. \nMr. Fox\t\xc3\xa4\n")
    assert swap(path, "swap") == b"\xef\xbb\xbfHe left.\n\n  It rained. \nMs. Fox\t\xc3\xa4\n"


def test_cds_flips_documents_by_the_coin_however_the_work_is_cut(tmp_path: Path) -> None:
    lines = [f"He met {number} friends." for number in range(60)]
    path = tmp_path / "a.txt"
    path.write_text("".join(f"{line}\n" for line in lines))
    result = swap(path, "cds").decode().splitlines()
    assert result == [line.replace("He", "She") if flips(line) else line for line in lines]
    assert len(set(map(len, result))) > 1
    assert swap(path, "cds", shard_lines=7, fresh=True).decode().splitlines() == result


class TestGroups:
    @pytest.mark.parametrize("key", [lambda n: f'"author {n}"', lambda n: str(n)], ids=["text", "number"])
    def test_linked_documents_are_swapped_together(self, tmp_path: Path, key: Callable[[int], str]) -> None:
        path = tmp_path / "a.jsonl"
        rows = [f'{{"by": {key(n % 10)}, "text": "He met {n} friends."}}' for n in range(100)]
        path.write_text("\n".join(rows) + "\n")
        result = swap(path, "cds", group_by="by", shard_lines=7).decode().splitlines()
        swapped = {n % 10 for n, row in enumerate(result) if "She" in row}
        assert 0 < len(swapped) < 10
        assert [("She" in row) for row in result] == [n % 10 in swapped for n in range(100)]
        assert swap(path, "cds", group_by="by", fresh=True).decode().splitlines() == result

    def test_columns_of_one_record_have_one_coin(self, tmp_path: Path) -> None:
        path = tmp_path / "a.csv"
        path.write_text("by,a,b\n" + "".join(f"{n},He left {n}.,He came {n}.\n" for n in range(40)))
        result = swap(path, "cds", group_by="by", format=FormatOptions(columns=("a", "b"))).decode().splitlines()[1:]
        counts = [row.count("She") for row in result]
        assert set(counts) == {0, 2}

    def test_a_document_without_a_group_has_its_own_coin(self, tmp_path: Path) -> None:
        path = tmp_path / "a.jsonl"
        texts = [f"He met {n} friends." for n in range(40)]
        path.write_text("".join(f'{{"text": "{text}"}}\n' for text in texts))
        result = [json.loads(row)["text"] for row in swap(path, "cds", group_by="by").splitlines()]
        assert result == [text.replace("He", "She") if flips(text) else text for text in texts]

    def test_groups_of_parquet_rows(self, tmp_path: Path) -> None:
        arrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
        path = tmp_path / "a.parquet"
        table = arrow.table({"by": [n % 8 for n in range(64)], "text": [f"He met {n} friends." for n in range(64)]})
        parquet.write_table(table, path, row_group_size=16)
        swap(path, "cds", group_by="by")
        texts = parquet.read_table(tmp_path / "out-a.parquet")["text"].to_pylist()
        swapped = {n % 8 for n, text in enumerate(texts) if text.startswith("She")}
        assert 0 < len(swapped) < 8
        assert [text.startswith("She") for text in texts] == [n % 8 in swapped for n in range(64)]

    def test_only_cds_has_groups(self) -> None:
        with pytest.raises(UsageError, match="throws none"):
            SwapperSpec(strategy="cda", group_by="by")

    def test_another_group_is_another_run(self, tmp_path: Path) -> None:
        path = tmp_path / "a.csv"
        path.write_text("by,of,text\n1,2,He left.\n")
        swap(path, "cds", group_by="by")
        with pytest.raises(ResumeError, match="group"):
            swap(path, "cds", group_by="of")


@pytest.mark.parametrize(("strategy", "ids"), [("cda", [1, 1, 2, 3, 3, 4]), ("swap", [1, 2, 3, 4])])
def test_parquet_keeps_schema_and_order(tmp_path: Path, strategy: str, ids: list[int]) -> None:
    arrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "a.parquet"
    table = arrow.table({"id": [1, 2, 3, 4], "text": ["she", "it", "the king", None]})
    parquet.write_table(table, path, row_group_size=2)
    swap(path, strategy)
    result = parquet.read_table(tmp_path / "out-a.parquet")
    assert result.schema.equals(table.schema)
    assert result["id"].to_pylist() == ids
    texts = {"cda": ["she", "he", "it", "the king", "the queen", None], "swap": ["he", "it", "the queen", None]}
    assert result["text"].to_pylist() == texts[strategy]


def test_a_run_is_not_continued_under_other_settings(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("She left.\n")
    swap(path, "cda")
    with pytest.raises(ResumeError, match="strategy"):
        swap(path, "cds")
    with pytest.raises(ResumeError, match="direction"):
        swap(path, "cda", settings=SwapSettings("to-masculine"))


def test_what_cannot_be_read_is_written_through_and_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'{"text": "She left."}\nno json\n')
    assert main(["augment", "swap", str(path), "-o", str(tmp_path / "b.jsonl"), "--processes", "1", "--json"]) == 3
    counts = json.loads(capsys.readouterr().out)
    assert counts == {"strategy": "cda", "records": 2, "added": 1, "edits": {"pronoun": 1}, "rejected": 1}
    assert (tmp_path / "b.jsonl").read_bytes() == b'{"text": "She left."}\n{"text": "He left."}\nno json\n'


@pytest.mark.parametrize(
    ("strategy", "options", "message"),
    [
        ("cda", FormatOptions(unit="document"), "lines or paragraphs"),
        ("cds", FormatOptions(columns=("a", "b")), "one column"),
    ],
)
def test_what_does_not_go_together_is_refused(
    tmp_path: Path, strategy: str, options: FormatOptions, message: str
) -> None:
    path = tmp_path / "a.txt"
    path.write_text("She left.\n")
    with pytest.raises(UsageError, match=message):
        swap(path, strategy, format=options)


def test_the_command_swaps_one_text(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["augment", "swap", "--text", "He called his mother.", "--deny-kind", "pronoun"]) == 0
    assert capsys.readouterr().out == "He called his father.\n"


@pytest.mark.parametrize(
    "arguments",
    [[], ["a.txt"], ["a.txt", "--text", "x"], ["--text", "x", "--names", "a", "--no-names"], ["--text", "x", "--group-by", "a"]],
    ids=["nothing", "no output", "both", "names and no names", "groups without cds"],
)
def test_wrong_usage_ends_with_2(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["augment", "swap", *arguments]) == 2
    assert capsys.readouterr().err
