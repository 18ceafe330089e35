"""Balancing files: every format, byte for byte; manifests; what cannot be done is said."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from augment.balance.corpus_count import count_corpus
from augment.balance.metadata import parse_metadata
from augment.balance.reading import Corpus
from augment.balance.run import read_counts
from rewriter.cli.main import main
from rewriter.formats import FormatOptions
from rewriter.io.files import open_bytes, write_lines

METADATA = {
    "category_words": [["nurse", "", ""], ["firefighter", "fireman", "firewoman"]],
    "category_identifier": [["he"], ["she"]],
    "category_name": ["male", "female"],
}
TEXTS = [
    "He is a nurse.",
    "She is a nurse.",
    "She was a nurse, said the nurse.",
    "She wants to be a nurse.",
    "Nothing to see here, however long it is.",
    "The fireman came.",
    "The fireman left.",
    "Über the fireman, “naïve”.",
    "A firewoman too.",
    "She, a firefighter, left.",
]


def simple_sums(texts: list[str]) -> dict[str, list[int]]:
    """Count sentences that are paragraphs, in plain Python."""
    sums: Counter[tuple[str, int]] = Counter()
    for text in texts:
        words = re.findall(r"\w+", text.lower())
        sums["firefighter", 0] += words.count("fireman")
        sums["firefighter", 1] += words.count("firewoman")
        for term in ("nurse", "firefighter"):
            if term in words:
                sums[term, 0] += words.count("he")
                sums[term, 1] += words.count("she")
    return {term: [sums[term, 0], sums[term, 1]] for term in ("nurse", "firefighter")}


def write(path: Path, texts: list[str]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    kind = path.name.partition(".")[2]
    if kind.startswith("jsonl"):
        write_lines(path, [json.dumps({"id": n, "text": text}) for n, text in enumerate(texts)])
    elif kind == "csv":
        quoted = ['"' + text.replace('"', '""') + '"' for text in texts]
        write_lines(path, ["id,text", *(f"{n},{text}" for n, text in enumerate(quoted))])
    elif kind == "parquet":
        arrow = pytest.importorskip("pyarrow")
        parquet = pytest.importorskip("pyarrow.parquet")
        table = arrow.table({"id": list(range(len(texts))), "text": texts})
        parquet.write_table(table, path, row_group_size=4)
    else:
        write_lines(path, texts)
    return path


def read(path: Path) -> list[str]:
    kind = path.name.partition(".")[2]
    if kind == "parquet":
        parquet = pytest.importorskip("pyarrow.parquet")
        texts: list[str] = parquet.read_table(path)["text"].to_pylist()
        return texts
    with open_bytes(path) as stream:
        lines = stream.read().decode().splitlines()
    if kind.startswith("jsonl"):
        return [json.loads(line)["text"] for line in lines]
    if kind == "csv":
        return [line.split(",", 1)[1].strip('"') for line in lines[1:]]
    return lines


@pytest.fixture(name="metadata")
def _metadata(tmp_path: Path) -> str:
    path = tmp_path / "metadata.json"
    path.write_text(json.dumps(METADATA))
    return str(path)


@pytest.mark.parametrize("mode", ["add", "remove"])
@pytest.mark.parametrize("name", ["c.txt", "c.txt.gz", "c.txt.zst", "c.jsonl", "c.jsonl.zst", "c.csv", "c.parquet"])
def test_every_format(name: str, mode: str, metadata: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = write(tmp_path / "in" / name, TEXTS)
    counts, out = tmp_path / "counts", tmp_path / "out"
    assert main(["balance", "count", str(source), "-o", str(counts), "--metadata", metadata, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["terms"] == simple_sums(TEXTS)
    assert main(["balance", "select", str(counts), "-o", str(out), "--mode", mode, "--json"]) == 0
    figures = json.loads(capsys.readouterr().out)
    after = read(out / name)
    sums = simple_sums(after)
    assert {term: row["after"] for term, row in figures["terms"].items()} == sums
    assert all(male == female > 0 for male, female in sums.values())
    if mode == "add":
        assert after[: len(TEXTS)] == TEXTS
        assert len(after) == len(TEXTS) + figures["copies_added"]
    else:
        assert after == [text for text in TEXTS if text in after]
        assert len(after) == len(TEXTS) - figures["paragraphs_removed"]
    page = (out / "report.html").read_text()
    assert "<svg" in page and "firefighter" in page


def test_what_stays_is_byte_identical(metadata: str, tmp_path: Path) -> None:
    data = "\ufeffHe is a nurse.\r\n\r\n  \tx \r\nShe is a nurse.\r\nShe: nurse.\r\nlast".encode()
    source = tmp_path / "in.txt"
    source.write_bytes(data)
    main(["balance", "count", str(source), "-o", str(tmp_path / "n"), "--metadata", metadata])
    main(["balance", "select", str(tmp_path / "n"), "-o", str(tmp_path / "add")])
    assert (tmp_path / "add" / "in.txt").read_bytes() == data + b"\r\nHe is a nurse.\r\n"
    main(["balance", "select", str(tmp_path / "n"), "-o", str(tmp_path / "less"), "--mode", "remove"])
    assert (tmp_path / "less" / "in.txt").read_bytes() == data.replace(b"She is a nurse.\r\n", b"")


def test_paragraphs_of_several_lines(metadata: str, tmp_path: Path) -> None:
    source = tmp_path / "in.txt"
    source.write_text("He is\na nurse.\n\nShe is\na nurse.\n\nThe other is a nurse,\nsays she.\n")
    main(["balance", "count", str(source), "-o", str(tmp_path / "n"), "--metadata", metadata, "--unit", "paragraph"])
    main(["balance", "select", str(tmp_path / "n"), "-o", str(tmp_path / "out")])
    assert (tmp_path / "out" / "in.txt").read_text() == source.read_text() + "\nHe is\na nurse.\n"


@pytest.mark.parametrize("name", ["a.txt", "a.txt.zst", "a.jsonl"])
def test_pieces_and_processes_change_nothing(name: str, tmp_path: Path) -> None:
    source = write(tmp_path / name, TEXTS * 50)
    corpus = Corpus.find([source], FormatOptions())
    metadata = parse_metadata(json.dumps(METADATA))
    whole = count_corpus(corpus, metadata)
    for processes, piece in ((1, 500), (2, 3000)):
        again = count_corpus(corpus, metadata, processes=processes, piece=piece)
        assert again.paragraphs == whole.paragraphs == 500
        assert again.statistics.places.tolist() == whole.statistics.places.tolist()
        assert again.statistics.counts.tolist() == whole.statistics.counts.tolist()


def test_counts_are_kept_and_a_change_is_refused(
    metadata: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = write(tmp_path / "c.txt", TEXTS)
    command = ["balance", "count", str(source), "-o", str(tmp_path / "n"), "--metadata", metadata]
    assert main(command) == 0
    first = (tmp_path / "n" / "counts.jsonl.zst").read_bytes()
    assert main(command) == 0
    assert main([*command, "--context", "paragraph"]) == 2
    assert "option context: was" in capsys.readouterr().err
    assert (tmp_path / "n" / "counts.jsonl.zst").read_bytes() == first
    source.write_text("He is a nurse.\n")
    assert main(["balance", "select", str(tmp_path / "n"), "-o", str(tmp_path / "out")]) == 2
    assert "has changed since it was counted" in capsys.readouterr().err


REFUSED = [
    ("an empty corpus", [], "the corpus is empty"),
    ("blank lines", ["", "  "], "the corpus is empty"),
]


@pytest.mark.parametrize(("texts", "message"), [case[1:] for case in REFUSED], ids=[case[0] for case in REFUSED])
def test_an_empty_corpus_is_refused(
    texts: list[str], message: str, metadata: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = write(tmp_path / "c.txt", texts)
    assert main(["balance", "count", str(source), "-o", str(tmp_path / "n"), "--metadata", metadata]) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        (["nothing here"], "none of the terms was counted"),
        (["He is a nurse.", "The fireman."], "every term that was found has one category only"),
    ],
)
def test_what_cannot_be_balanced_is_refused(
    texts: list[str], message: str, metadata: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = write(tmp_path / "c.txt", texts)
    assert main(["balance", "count", str(source), "-o", str(tmp_path / "n"), "--metadata", metadata]) == 0
    assert main(["balance", "select", str(tmp_path / "n"), "-o", str(tmp_path / "out")]) == 2
    assert message in capsys.readouterr().err
    assert not (tmp_path / "out" / "c.txt").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["count", "-", "-o", "n"], "a pipe cannot be balanced"),
        (["count", "page.html", "-o", "n"], "pass --unit paragraph or line"),
        (["count", "bad.txt", "-o", "n"], "bad.txt:2: not UTF-8"),
        (["count", "bad.jsonl", "-o", "n"], "bad.jsonl:1: not JSON"),
        (["select", "nowhere", "-o", "out"], "no finished count; run 'gender-fair balance count"),
        (["count", "c.txt", "-o", "n", "--metadata", "professsions"], "did you mean 'professions'"),
        (["paths", "-o", "paths.tsv"], "name the text in which paths are to be found"),
        (["paths", "c.txt", "-o", "paths.tsv"], "pass --parser"),
    ],
)
def test_errors_for_people(
    arguments: list[str],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("bad.txt").write_bytes(b"good\nb\xffd\n")
    Path("bad.jsonl").write_bytes(b"{nothing}\n")
    Path("page.html").write_text("<p>He is a nurse.</p>")
    Path("c.txt").write_text("He is a nurse.\n")
    assert main(["balance", *arguments]) in (2, 4)
    assert message in capsys.readouterr().err


def test_dry_run_writes_the_report_only(metadata: str, tmp_path: Path) -> None:
    source = write(tmp_path / "c.txt", TEXTS)
    main(["balance", "count", str(source), "-o", str(tmp_path / "n"), "--metadata", metadata])
    assert main(["balance", "select", str(tmp_path / "n"), "-o", str(tmp_path / "out"), "--dry-run"]) == 0
    assert sorted(p.name for p in (tmp_path / "out").iterdir() if not p.name.startswith(".")) == [
        "manifest.json",
        "report.html",
        "report.json",
    ]


def test_a_folder_keeps_its_names(metadata: str, tmp_path: Path) -> None:
    write(tmp_path / "in" / "a.txt", TEXTS[:5])
    write(tmp_path / "in" / "deep" / "a.txt", TEXTS[5:])
    main(["balance", "count", str(tmp_path / "in"), "-o", str(tmp_path / "n"), "--metadata", metadata])
    assert set(read_counts(tmp_path / "n").places[:, 0].tolist()) == {0, 1}
    assert main(["balance", "select", str(tmp_path / "n"), "-o", str(tmp_path / "out")]) == 0
    new: Any = [*read(tmp_path / "out" / "a.txt"), *read(tmp_path / "out" / "deep" / "a.txt")]
    assert all(male == female for male, female in simple_sums(new).values())
