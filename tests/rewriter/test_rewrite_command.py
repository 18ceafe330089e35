"""``gender-fair rewrite``: where the text goes, and what else is written."""

from __future__ import annotations

import gzip
import io
import json
import os
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from rewriter.cli.main import main
from rewriter.cli.rewrite import plan
from rewriter.errors import UsageError
from rewriter.io.files import open_bytes
from rewriter.io.textfile import TextFileOptions, TextResult, cut_lines, rewrite_file, unit_of
from rewriter.pipeline import Rewriter
from rewriter.records import Edit, Rewrite

TINY = Path(__file__).resolve().parents[1] / "data" / "models" / "tiny-edits"
TEXT = "Then she said so.\nNothing here.\nSo he left, and she stayed.\n"
FAIR = "Then they said so.\nNothing here.\nSo they left, and they stayed.\n"


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "in.txt"
    path.write_text(TEXT)
    return path


def run(*words: object) -> int:
    return main(["rewrite", "--model", str(TINY), *map(str, words)])


def test_to_standard_output(source: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(source) == 0
    assert capsys.readouterr() == (FAIR, "")


def test_a_pipe(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(TEXT.encode())))
    assert run("-") == 0
    assert capsys.readouterr().out == FAIR


@pytest.mark.parametrize("unit", ["line", "document"])
@pytest.mark.parametrize("names", [("a.txt.gz", "b.txt.zst"), ("a.txt.zst", "b.txt"), ("a.txt", "b.txt.gz")])
def test_compression_goes_by_name(tmp_path: Path, names: tuple[str, str], unit: str) -> None:
    import zstandard

    packed = {".gz": gzip.compress, ".zst": zstandard.compress}.get(Path(names[0]).suffix, bytes)(TEXT.encode())
    (tmp_path / names[0]).write_bytes(packed)
    assert run(tmp_path / names[0], "-o", tmp_path / names[1], "--unit", unit) == 0
    with open_bytes(tmp_path / names[1]) as stream:
        assert stream.read().decode() == FAIR


def test_several_files_into_a_folder(tmp_path: Path, source: Path) -> None:
    (tmp_path / "other.txt").write_text("he said")
    assert run(source, tmp_path / "other.txt", "-o", f"{tmp_path}/fair/") == 0
    assert (tmp_path / "fair" / "in.txt").read_text() == FAIR
    assert (tmp_path / "fair" / "other.txt").read_text() == "they said"


def test_in_place_keeps_permissions_and_links(tmp_path: Path, source: Path) -> None:
    source.chmod(0o640)
    link = tmp_path / "link.txt"
    link.symlink_to(source)
    assert run(link, "--in-place") == 0
    assert link.is_symlink() and source.read_text() == FAIR
    assert stat.S_IMODE(source.stat().st_mode) == 0o640


def test_the_input_is_not_overwritten_by_accident(source: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(source, "-o", source) == 2
    assert run(source, "-o", source.parent) == 2
    assert "--in-place" in capsys.readouterr().err
    assert source.read_text() == TEXT


def test_a_device_is_written_to_and_stays(source: Path) -> None:
    if not Path("/dev/null").exists():
        pytest.skip("there is no /dev/null")
    assert run(source, "-o", "/dev/null") == 0
    assert not Path("/dev/null").is_file()


def test_a_named_pipe_is_written_to(tmp_path: Path, source: Path) -> None:
    if not hasattr(os, "mkfifo"):
        pytest.skip("this system has no named pipes")
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to(tmp_path / "pipe")
    with ThreadPoolExecutor(1) as pool:
        reader = pool.submit((tmp_path / "pipe").read_text)
        assert run(source, "-o", tmp_path / "link") == 0
        assert reader.result(timeout=60) == FAIR


@pytest.mark.parametrize(
    ("sources", "output", "in_place", "message"),
    [
        (["a", "b"], "out.txt", False, "several files need a folder"),
        (["x/a", "y/a"], "out/", False, "would both become"),
        (["-"], "out/", False, "no name in a folder"),
        (["a"], "out.txt", True, "goes neither with -o"),
        (["-"], None, True, "nor with a pipe"),
    ],
)
def test_plans_that_make_no_sense(sources: list[str], output: str | None, in_place: bool, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        plan([Path(name) for name in sources], output, in_place=in_place)


def test_json_has_one_object_per_line(source: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(source, "--json") == 0
    records = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [record["text"] for record in records] == FAIR.splitlines()
    assert [(record["file"], record["line"]) for record in records] == [(str(source), n) for n in (1, 2, 3)]
    assert [len(record["edits"]) for record in records] == [1, 0, 2]
    assert records[0]["edits"][0] == {
        "start": 5, "end": 8, "before": "she", "after": "they", "kind": "pronoun",
        "reason": "she -> they: gendered pronoun, rule 'pronoun in lower case'", "score": 1.0
    }  # fmt: skip


def test_json_of_a_line_that_is_not_utf8_has_no_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "in.txt").write_bytes(b"he said\n\xff\n")
    assert run(tmp_path / "in.txt", "--json") == 3
    first, second = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert first["text"] == "they said" and "rejects" not in first
    assert second["text"] is None and second["rejects"][0]["line"] == 2


def test_differences_are_printed_and_the_text_goes_to_the_file(
    tmp_path: Path, source: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(source, "--diff", "-o", tmp_path / "out.txt") == 0
    assert capsys.readouterr().out == (
        "1: Then [-she-]{+they+} said so.\n3: So [-he-]{+they+} left, and [-she-]{+they+} stayed.\n"
    )
    assert (tmp_path / "out.txt").read_text() == FAIR


def test_differences_have_colours_when_asked(
    source: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert run(source, "--diff") == 0
    assert "\x1b[32mthey\x1b[0m" in capsys.readouterr().out


def test_page_summary_and_rejects(tmp_path: Path, source: Path) -> None:
    source.write_bytes(TEXT.encode() + b"\xfe\n")
    extra = ["--html", tmp_path / "page.html", "--summary", tmp_path / "s.json", "--rejects", tmp_path / "r.jsonl"]
    assert run(source, "-o", tmp_path / "out.txt", *extra) == 3
    assert (tmp_path / "page.html").read_text().count("<tr>") == 3
    summary = json.loads((tmp_path / "s.json").read_text())
    assert summary["files"] == 1 and summary["units"] == 4 and summary["changed"] == 2 and summary["rejected"] == 1
    assert summary["edits"] == {"pronoun": 3}
    assert summary["model"]["name"] == "tiny-edits" and summary["model"]["convention"] == "en-singular-they@1"
    assert len((tmp_path / "r.jsonl").read_text().splitlines()) == 1


MARKDOWN = "# Notes\n\n```\nhe = she\n\nhers\n```\n\nThen he or\nshe said so.\n"


def test_documents_protect_what_spans_lines(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "notes.md").write_text(MARKDOWN)
    assert run(tmp_path / "notes.md") == 0
    assert capsys.readouterr().out == MARKDOWN.replace("Then he or\nshe said", "Then\nthey said")
    assert run(tmp_path / "notes.md", "--unit", "line") == 0
    assert "theirs" in capsys.readouterr().out


def test_differences_of_a_document_are_shown_by_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "notes.md").write_text(MARKDOWN)
    assert run(tmp_path / "notes.md", "--diff") == 0
    assert capsys.readouterr().out == "9: Then[- he or\nshe-]{+\nthey+} said so.\n"


def test_lines_of_a_document() -> None:
    edits = (Edit(4, 6, "he", "they", "pronoun", ""), Edit(8, 11, "she", "they", "pronoun", ""))
    result = TextResult("x", 1, "a\nb he\r\nshe\nc", Rewrite("a\nb they\r\nthey\nc", edits))
    shown = [(number, source, rewrite.text) for number, source, rewrite in cut_lines(result)]
    assert shown == [(2, "b he", "b they"), (3, "she", "they")]


@pytest.mark.parametrize(
    ("name", "unit"),
    [
        ("a.txt", "line"),
        ("a", "line"),
        ("a.md", "document"),
        ("A.HTML.gz", "document"),
        ("a.txt.zst", "line"),
        ("-", "line"),
    ],
)
def test_the_unit_goes_by_the_name(name: str, unit: str) -> None:
    assert unit_of(name) == unit


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--lang", "de"], "is for 'en', not for --lang de"),
        (["--convention", "en-neopronouns"], "unknown convention"),
        (["--convention", "en-singular-they@9"], "follows en-singular-they@1"),
        (["--lexicon", "no.tsv"], "no.tsv: cannot be read"),
    ],
)
def test_options_that_do_not_fit(
    source: Path, words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(source, *words) == 2
    assert message in capsys.readouterr().err


def test_settings_of_the_convention_and_own_nouns(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "my.tsv").write_text("gendered\tfair\nfisherman\tfisher\n")
    (tmp_path / "in.txt").write_text("the fisherman himself")
    arguments = ["--reflexive", "themselves", "--lexicon", tmp_path / "my.tsv", "--convention", "en-singular-they@1"]
    assert run(tmp_path / "in.txt", *arguments) == 0
    assert capsys.readouterr().out == "the fisher themselves"


def test_the_function_behind_the_command(tmp_path: Path, source: Path) -> None:
    seen: list[int] = []
    summary = rewrite_file(
        source,
        tmp_path / "out.txt",
        rewriter=Rewriter.from_pretrained(TINY),
        options=TextFileOptions(observe=lambda results: seen.extend(result.line for result in results)),
    )
    assert (summary.files, summary.units, summary.changed, dict(summary.edits)) == (1, 3, 2, {"pronoun": 3})
    assert seen == [1, 2, 3]


def test_batches_do_not_matter(tmp_path: Path, source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source.write_text(TEXT * 5)
    monkeypatch.setattr("rewriter.io.textfile.BATCH_LINES", 2)
    summary = rewrite_file(source, tmp_path / "out.txt", rewriter=Rewriter.from_pretrained(TINY))
    assert (tmp_path / "out.txt").read_text() == FAIR * 5
    assert summary.units == 15


def test_a_document_that_is_too_large_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("rewriter.io.textfile.DOCUMENT_BYTES", 20)
    (tmp_path / "a.md").write_text(TEXT)
    assert run(tmp_path / "a.md") == 4
    assert "pass --unit line" in capsys.readouterr().err
