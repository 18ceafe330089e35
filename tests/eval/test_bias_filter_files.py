"""``gender-fair eval bias-filter``: formats, classes kept byte for byte, saved counts, messages, exit codes."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from eval.bias_filter import UniversalBiasFilter
from eval.bias_filter.corpus import CorpusOptions, count_file, keep_records
from rewriter.cli.main import main
from rewriter.errors import InputError, UsageError
from rewriter.formats import FormatOptions

TEXT = "She came.\n\nHe left!\r\n  \nHis mother saw it\nIt rained.\n“Him?”"
CLASSES = {"female": 1, "male": 2, "mixed": 1, "neutral": 1}


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    path = tmp_path / "corpus.txt"
    path.write_bytes(TEXT.encode("utf-8"))
    return path


def matcher():
    return UniversalBiasFilter.from_lexicon("en").matcher


def run(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    code = main(["eval", "bias-filter", *map(str, words)])
    shown = capsys.readouterr()
    return code, shown.out, shown.err


def test_lines_are_sentences_and_blank_ones_none(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, shown, _ = run(capsys, corpus, "--json")
    result = json.loads(shown)
    assert code == 0
    assert {name: share["count"] for name, share in result["classes"].items()} == CLASSES
    assert (result["sentences"], result["counts"]["blank"]) == (5, 2)
    assert result["verdicts"][0]["underrepresented"] is True
    assert list(result["files"]) == [str(corpus)]


def test_the_table(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, shown, _ = run(capsys, corpus, "--by-file")
    lines = shown.splitlines()
    assert lines[0].split() == ["class", "sentences", "%", "interval", "words"]
    assert lines[2].split() == ["female", "1", "20.00", "3.62", "to", "62.45", "2"]
    assert "33.3 % <" in shown
    assert lines[-1].startswith("bias-filter|groups:female+male|")


@pytest.mark.parametrize("name", ["c.txt.gz", "c.jsonl", "c.csv", "c.tsv", "c.parquet"])
def test_every_format_gives_the_same_counts(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / name
    texts = ["She came.", "He left!", "His mother saw it", "It rained.", "“Him?”"]
    if name.endswith(".gz"):
        path.write_bytes(gzip.compress(TEXT.encode("utf-8"), mtime=0))
    elif name.endswith(".jsonl"):
        path.write_text("".join(json.dumps({"id": 1, "body": text}) + "\n" for text in texts))
    elif name.endswith(".parquet"):
        arrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
        parquet.write_table(arrow.table({"body": texts}), path)
    else:
        mark = "," if name.endswith(".csv") else "\t"
        path.write_text(f"id{mark}body\n" + "".join(f"1{mark}{text}\n" for text in texts), encoding="utf-8")
    columns = [] if name.endswith(".gz") else ["--column", "body"]
    _, shown, _ = run(capsys, path, "--json", *columns)
    assert {k: share["count"] for k, share in json.loads(shown)["classes"].items()} == CLASSES


def test_texts_are_cut_into_sentences_on_request(tmp_path: Path) -> None:
    path = tmp_path / "c.txt"
    path.write_text("She came. He left. It rained.\n", encoding="utf-8")
    assert count_file(matcher(), path).mixed == 1
    cut = count_file(matcher(), path, CorpusOptions(segment="en"))
    assert cut.classes() == {"minority": 1, "majority": 1, "mixed": 0, "neutral": 1}


def test_records_of_a_class_are_written_byte_for_byte(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    output = corpus.with_name("kept.txt")
    code, _, told = run(capsys, corpus, "--keep", "male", "--keep", "neutral", "-o", output)
    assert code == 0
    assert output.read_bytes() == "\nHe left!\r\n  \nIt rained.\n“Him?”".encode()
    assert "3 of 5 records" in told


def test_a_table_keeps_its_header_and_its_other_columns(tmp_path: Path) -> None:
    path, output = tmp_path / "c.csv", tmp_path / "kept.csv"
    path.write_text('id,text\n1,"She said ""no"""\n2,It rained\n', encoding="utf-8")
    kept = keep_records(matcher(), path, output, ["minority"])
    assert kept == (1, 2)
    assert output.read_text(encoding="utf-8") == 'id,text\n1,"She said ""no"""\n'


def test_the_input_is_never_overwritten(corpus: Path) -> None:
    with pytest.raises(UsageError, match="is the input itself"):
        keep_records(matcher(), corpus, corpus, ["neutral"])


def test_counts_of_today_are_added_to_those_of_yesterday(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    saved = corpus.with_name("yesterday.json")
    run(capsys, corpus, "--save", saved)
    _, shown, _ = run(capsys, corpus, "--add", saved, "--json")
    assert json.loads(shown)["classes"]["male"]["count"] == 4
    code, _, told = run(capsys, corpus, "--add", saved, "--lang", "de", "--minority", "male", "--majority", "female")
    assert code == 2
    assert "counts of female, male cannot be added to those of male, female" in told


@pytest.mark.parametrize(("options", "expected"), [([], 1), (["--certain"], 0), (["--threshold", "30"], 0)])
def test_check(options: list[str], expected: int, corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, corpus, "--check", *options)[0] == expected


def test_own_groups_and_tables(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, shown, _ = run(capsys, corpus, "--group", "rain=rained,rains", "--group", "people=she,he,mother", "--json")
    assert [v["minority"] for v in json.loads(shown)["verdicts"]] == ["rain"]
    table = corpus.with_name("groups.tsv")
    table.write_text("word\tgroup\nrained\train\nshe\tpeople\nmother\tkin\n", encoding="utf-8")
    _, shown, _ = run(capsys, corpus, "--lexicon", table, "--majority", "people", "--json")
    assert [v["minority"] for v in json.loads(shown)["verdicts"]] == ["rain", "kin"]


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["--lang", "xx"], 2, "no word list for the language 'xx'"),
        (["--minority", "woman"], 2, "has no group 'woman'"),
        (["--group", "she,her"], 2, "write it as NAME=WORD,WORD"),
        (["--group", "a=she", "--group", "b=She"], 2, "share 1 word(s)"),
        (["--group", "a=she", "--group", "a=her"], 2, "given twice"),
        (["--group", "a="], 2, "'a' holds no word"),
        (["--group", "a=she", "--majority", "b"], 2, "there is no group 'b'"),
        (["--lexicon", "none.tsv"], 2, "none.tsv: cannot be read"),
        (["--group", "a=x", "--lexicon", "t.tsv"], 2, "exclude each other"),
        (["--keep", "female"], 2, "--keep CLASS and -o FILE go together"),
        (["--keep", "femal", "-o", "x.txt"], 2, "did you mean 'female'?"),
        (["--segment", "xx"], 2, "there is no language 'xx'"),
        (["--threshold", "0"], 2, "threshold is a share in percent"),
    ],
)
def test_messages(
    words: list[str],
    code: int,
    message: str,
    corpus: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(corpus.parent)
    got, _, told = run(capsys, corpus, *words)
    assert (got, message in told) == (code, True), told
    assert not Path("x.txt").exists()


@pytest.mark.parametrize(
    ("name", "data", "code", "message"),
    [
        ("empty.txt", b"", 2, "empty.txt: no sentence to count; the corpus is empty"),
        ("blank.txt", b"\n \n", 2, "no sentence to count"),
        ("latin.txt", b"fine\nca\xf1on\n", 4, "latin.txt:2: not UTF-8"),
        ("bad.jsonl", b'{"text": "x"}\n{oops\n', 4, "bad.jsonl:2: not JSON"),
        ("cut.txt.gz", gzip.compress(b"x" * 1000, mtime=0)[:-9], 4, "damaged or truncated"),
    ],
)
def test_bad_files(
    name: str, data: bytes, code: int, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    got, _, told = run(capsys, path)
    assert (got, message in told) == (code, True), told


def test_missing_columns_and_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "c.csv"
    path.write_text("a,b\n1,2\n")
    assert run(capsys, path)[0] == 2
    assert run(capsys, tmp_path / "none.txt")[0] == 4
    with pytest.raises(InputError, match=r"cannot be read"):
        count_file(matcher(), tmp_path / "none.txt", CorpusOptions(FormatOptions()))
