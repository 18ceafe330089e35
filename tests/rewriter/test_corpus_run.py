"""Rewriting corpora: what comes out, what is left on disk, what the same call does again."""

from __future__ import annotations

import gzip
import json
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import zstandard
from folder_tools import contents

from rewriter.cli.main import main
from rewriter.corpus import CorpusOptions, CorpusReports, RewriterSpec, Summary, rewrite_corpus
from rewriter.corpus.run import VERSION
from rewriter.errors import InputError, ResumeError, UsageError
from rewriter.formats import FormatOptions

TINY = Path(__file__).resolve().parents[1] / "data" / "models" / "tiny-edits"
#: the tiny model is sure of these, because the grammar alone decides them
TEXT = "".join(f"Then she said {i}.\nNothing in {i}.\nSo he left {i}.\n" for i in range(20))
FAIR = TEXT.replace("she", "they").replace("he left", "they left")
RECORDS = "".join(json.dumps({"id": i, "text": line}) + "\n" for i, line in enumerate(TEXT.splitlines()))
TABLE = "id,text\r\n" + "".join(f'{i},"{line}\nShe said"\r\n' for i, line in enumerate(TEXT.splitlines()))


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    folder = tmp_path / "in"
    (folder / "sub").mkdir(parents=True)
    (folder / "a.txt").write_text(TEXT)
    (folder / "sub" / "b.txt.gz").write_bytes(gzip.compress(TEXT.encode()))
    (folder / "sub" / "c.jsonl.zst").write_bytes(zstandard.compress(RECORDS.encode()))
    (folder / "d.csv").write_text(TABLE, newline="")
    (folder / "empty.txt").write_bytes(b"")
    (folder / "notes.md").write_text("```\nshe\n```\nThen she said so.\n")
    (folder / "picture.png").write_bytes(b"\0")
    return folder


def run(corpus: Path, output: Path, **options: Any) -> Summary:
    chosen = CorpusOptions(**({"processes": 1, "shard_lines": 7} | options))
    return rewrite_corpus([corpus], f"{output}/", rewriter=RewriterSpec.of(TINY), options=chosen)


def test_every_file_of_a_folder(corpus: Path, tmp_path: Path) -> None:
    summary = run(corpus, tmp_path / "out")
    assert contents(tmp_path / "out") == {
        "a.txt": FAIR.encode(),
        "sub/b.txt.gz": FAIR.encode(),
        "sub/c.jsonl.zst": RECORDS.replace("she", "they").replace("he left", "they left").encode(),
        "d.csv": TABLE.replace("she", "they").replace("he left", "they left").replace("She", "They").encode(),
        "empty.txt": b"",
        "notes.md": b"```\nshe\n```\nThen they said so.\n",
    }
    assert (summary.files, summary.units, summary.changed) == (6, 4 * 60 + 2, 3 * 40 + 60 + 1)
    assert summary.edits == {"pronoun": 4 * 40 + 60 + 1} and summary.rejected == 0
    assert summary.words_per_second > 0
    assert sorted(p.name for p in (tmp_path / "out" / ".gender-fair").iterdir()) == [
        ".lock", "journal.jsonl", "manifest.json"
    ]  # fmt: skip


@pytest.mark.parametrize(
    "options", [{"processes": 2}, {"shard_lines": None}, {"shard_lines": None, "shard_size": 50}, {"shard_lines": 1}]
)
def test_neither_processes_nor_shards_show(corpus: Path, tmp_path: Path, options: dict[str, Any]) -> None:
    first = run(corpus, tmp_path / "one").to_dict()
    second = run(corpus, tmp_path / "two", **options).to_dict()
    assert contents(tmp_path / "one") == contents(tmp_path / "two")
    for counts in (first, second):
        del counts["seconds"], counts["words_per_second"]
    assert first == second


def test_parquet(tmp_path: Path) -> None:
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    lines = [None if i % 5 == 0 else line for i, line in enumerate(TEXT.splitlines())]
    table = arrow.table({"id": list(range(len(lines))), "text": lines}).replace_schema_metadata({"who": "me"})
    parquet.write_table(table, tmp_path / "in.parquet", row_group_size=13, compression="zstd")
    summary = run(tmp_path / "in.parquet", tmp_path / "out")
    result = parquet.ParquetFile(tmp_path / "out" / "in.parquet")
    fair = [None if i % 5 == 0 else line for i, line in enumerate(FAIR.splitlines())]
    assert result.read().column("text").to_pylist() == fair
    assert result.schema_arrow.equals(table.schema, check_metadata=True)
    assert result.metadata.num_row_groups == 5
    assert summary.units == 60 and summary.changed == sum(a != b for a, b in zip(lines, fair, strict=True))
    assert not list((tmp_path / "out" / ".gender-fair").glob("part-*"))
    assert main(["rewrite", "--model", str(TINY), str(tmp_path / "in.parquet"), "--in-place"]) == 0
    assert (tmp_path / "in.parquet").read_bytes() == (tmp_path / "out" / "in.parquet").read_bytes()


def test_the_same_call_again_does_nothing(corpus: Path, tmp_path: Path) -> None:
    first = run(corpus, tmp_path / "out")
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "out").rglob("*") if path.name != ".lock"}
    again = run(corpus, tmp_path / "out", reports=CorpusReports(html=tmp_path / "page.html"))
    assert {path: path.stat().st_mtime_ns for path in before} == before
    assert again.to_dict() == first.to_dict()


@pytest.mark.parametrize("name", ["a.txt", "empty.txt", "notes.md"])
def test_an_output_that_was_lost_is_made_again(corpus: Path, tmp_path: Path, name: str) -> None:
    run(corpus, tmp_path / "out")
    before = contents(tmp_path / "out")
    (tmp_path / "out" / name).unlink()
    # the manifest says that all is done, the disk that it is not
    run(corpus, tmp_path / "out")
    assert contents(tmp_path / "out") == before


def interrupted(corpus: Path, output: Path, monkeypatch: pytest.MonkeyPatch, after: int) -> Path:
    """Stop a run when some shards are done; return its state folder."""
    import rewriter.corpus.run as module

    real, count = module.rewrite_shard, 0

    def stop(*arguments: Any, **named: Any) -> Any:
        nonlocal count
        count += 1
        if count > after:
            raise KeyboardInterrupt
        return real(*arguments, **named)

    with monkeypatch.context() as patch:
        patch.setattr(module, "rewrite_shard", stop)
        with pytest.raises(KeyboardInterrupt):
            run(corpus, output)
    return output / ".gender-fair"


def test_an_interrupted_run_is_continued(corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    interrupted(corpus, tmp_path / "out", monkeypatch, after=12)
    assert sorted(contents(tmp_path / "out")) == ["a.txt"]
    run(corpus, tmp_path / "out")
    run(corpus, tmp_path / "whole")
    assert contents(tmp_path / "out") == contents(tmp_path / "whole")


@pytest.mark.parametrize(
    "damage",
    [
        lambda state: (state / "journal.jsonl").open("ab").write(b'{"file": 0, "shar'),
        lambda state: (state / "journal.jsonl").open("ab").write(b"\0\0\0\0"),
        lambda state: os.truncate(state / "journal.jsonl", (state / "journal.jsonl").stat().st_size - 9),
        lambda state: (state / "joined-00000").open("ab").write(b"half a part"),
        lambda state: os.truncate(state / "joined-00000", 5),
        lambda state: (state / "joined-00000").unlink(),
        lambda state: (state / "part-00000-000001.txt").write_bytes(b"from nowhere"),
        lambda state: (state / ".part-00000-000004.17.tmp").write_bytes(b"half"),
    ],
    ids=[
        "half a line", "NUL bytes", "a torn line", "half a part joined", "joined file cut", "joined file lost",
        "a part that nobody knows", "a temporary file",
    ],
)  # fmt: skip
def test_what_a_killed_run_leaves_does_no_harm(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, damage: Any
) -> None:
    state = interrupted(corpus, tmp_path / "out", monkeypatch, after=4)
    damage(state)
    run(corpus, tmp_path / "out")
    run(corpus, tmp_path / "whole")
    assert contents(tmp_path / "out") == contents(tmp_path / "whole")
    assert sorted(path.name for path in state.iterdir()) == [".lock", "journal.jsonl", "manifest.json"]


def test_input_that_changed_is_refused_and_named(corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    interrupted(corpus, tmp_path / "out", monkeypatch, after=4)
    (corpus / "a.txt").write_text(TEXT + "more\n")
    with pytest.raises(ResumeError, match=rf"input .*a\.txt: had {len(TEXT)} bytes[\s\S]*--fresh"):
        run(corpus, tmp_path / "out")
    run(corpus, tmp_path / "out", fresh=True)
    assert contents(tmp_path / "out")["a.txt"] == FAIR.encode() + b"more\n"


def test_input_of_the_same_size_is_known_by_its_digest(corpus: Path, tmp_path: Path) -> None:
    run(corpus, tmp_path / "out")
    (corpus / "a.txt").touch()
    run(corpus, tmp_path / "out")
    (corpus / "a.txt").write_text(TEXT.replace("Nothing", "Nought."))
    with pytest.raises(ResumeError, match=r"a\.txt: its content was"):
        run(corpus, tmp_path / "out")


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"shard_lines": 8}, "shard lines: was 7, is 8"),
        ({"format": FormatOptions(unit="paragraph")}, 'format unit: was "auto", is "paragraph"'),
    ],
)
def test_other_options_are_refused_and_named(corpus: Path, tmp_path: Path, options: dict[str, Any], named: str) -> None:
    run(corpus, tmp_path / "out")
    with pytest.raises(ResumeError, match=named):
        run(corpus, tmp_path / "out", **options)


def test_another_option_of_the_model_is_refused_and_named(corpus: Path, tmp_path: Path) -> None:
    run(corpus, tmp_path / "out")
    other = RewriterSpec.of(TINY, reflexive="themselves")
    with pytest.raises(ResumeError, match="option reflexive"):
        rewrite_corpus([corpus], f"{tmp_path}/out/", rewriter=other, options=CorpusOptions(shard_lines=7))


def test_a_damaged_file_does_not_stop_the_others(corpus: Path, tmp_path: Path) -> None:
    packed = (corpus / "sub" / "b.txt.gz").read_bytes()
    (corpus / "sub" / "b.txt.gz").write_bytes(packed[: len(packed) // 2])
    for _ in range(2):
        with pytest.raises(InputError, match=r"1 of 6 files[\s\S]*b\.txt\.gz: .*truncated"):
            run(corpus, tmp_path / "out")
        assert sorted(contents(tmp_path / "out")) == ["a.txt", "d.csv", "empty.txt", "notes.md", "sub/c.jsonl.zst"]
    (corpus / "sub" / "b.txt.gz").write_bytes(packed)
    run(corpus, tmp_path / "out")
    assert contents(tmp_path / "out")["sub/b.txt.gz"] == FAIR.encode()


def test_a_file_that_cannot_be_opened_is_named_before_work_begins(corpus: Path, tmp_path: Path) -> None:
    with pytest.raises(
        InputError, match=r"2 input files cannot be read; nothing was done:[\s\S]*no\.txt[\s\S]*nor\.txt"
    ):
        rewrite_corpus([corpus, tmp_path / "no.txt", tmp_path / "nor.txt"], f"{tmp_path}/out/", rewriter=TINY)
    assert not (tmp_path / "out").exists()


def test_a_dry_run_counts_and_writes_nothing(corpus: Path, tmp_path: Path) -> None:
    counted = run(corpus, tmp_path / "out", dry_run=True)
    assert not (tmp_path / "out").exists()
    done = run(corpus, tmp_path / "out")
    assert (counted.units, counted.changed, counted.edits) == (done.units, done.changed, done.edits)


def test_a_dry_run_names_what_cannot_be_read(corpus: Path, tmp_path: Path) -> None:
    lines = TEXT.encode().splitlines(keepends=True)
    (corpus / "a.txt").write_bytes(b"".join(lines[:20]) + b"caf\xe9\n" + b"".join(lines[20:]))
    reports = CorpusReports(rejects=tmp_path / "r.jsonl")
    summary = run(corpus / "a.txt", tmp_path / "out", dry_run=True, reports=reports, processes=2)
    assert [reject.line for reject in summary.rejects] == [21]
    assert json.loads((tmp_path / "r.jsonl").read_text())["line"] == 21


PINNED = {
    "Then she said so, and he agreed.": "Then they said so, and they agreed.",
    "She is here, and she has left.": "They are here, and they have left.",
    "The chairman thanked the chairwomen.": "The chairperson thanked the chairpeople.",
    "An actress met a policeman.": "An actor met a police officer.",
    "Every student opens his or her book.": "Every student opens their book.",
    "Tell her that she's late.": "Tell them that they're late.",
    "`she` stays, and so do  two spaces.": "`she` stays, and so do  two spaces.",
}


def test_what_is_written_is_pinned(tmp_path: Path) -> None:
    """If this fails because the output is meant to be another, raise ``rewriter.corpus.run.VERSION`` as well."""
    (tmp_path / "in.txt").write_text("\n".join(PINNED))
    run(tmp_path / "in.txt", tmp_path / "out")
    assert (tmp_path / "out" / "in.txt").read_text() == "\n".join(PINNED.values())
    assert VERSION == 4


def test_reports_name_lines_of_the_file(corpus: Path, tmp_path: Path) -> None:
    lines = TEXT.encode().splitlines(keepends=True)
    lines[10] = lines[41] = b"caf\xe9\n"
    (corpus / "a.txt").write_bytes(b"".join(lines))
    reports = CorpusReports(tmp_path / "r.jsonl", tmp_path / "e.jsonl", tmp_path / "page.html")
    for size in (7, 1000):
        output = tmp_path / f"out{size}"
        summary = run(corpus / "a.txt", output, shard_lines=size, reports=reports)
        rejects = [json.loads(line) for line in (tmp_path / "r.jsonl").read_text().splitlines()]
        assert [(r["file"], r["line"]) for r in rejects] == [(str(corpus / "a.txt"), n) for n in (11, 42)]
        assert rejects[0]["reason"].startswith("not UTF-8")
        assert [r.line for r in summary.rejects] == [11, 42] and summary.rejected == 2
        page = (tmp_path / "page.html").read_text()
        assert f"{corpus / 'a.txt'}:60" in page and "<li>pronoun: 39</li>" in page and "39 edits in 39 of 60" in page
        assert (tmp_path / "e.jsonl").read_text() == ""


@pytest.mark.parametrize("suffix", ["", ".gz", ".zst"])
@pytest.mark.parametrize("size", [1, 40, 1000, 10**9])
def test_shards_by_size_hold_every_byte(tmp_path: Path, suffix: str, size: int) -> None:
    from rewriter.corpus.plan import Cutting, cut_file, open_files
    from rewriter.io.files import atomic_write

    data = b"".join(b"x" * (i % 37) + b"\n" for i in range(200)) + b"no end"
    path = tmp_path / f"in.txt{suffix}"
    with atomic_write(path) as stream:
        stream.write(data)
    (file,) = open_files([(path, tmp_path / "out")])
    shards = list(cut_file(file, Cutting(size, None, FormatOptions())))
    assert b"".join(shard.read() for shard in shards) == data
    assert all(shard.read().endswith(b"\n") for shard in shards[:-1])
    assert all(shard.size <= size + 40 for shard in shards)


# the command


def command(*words: object) -> int:
    return main(["rewrite", "--model", str(TINY), *map(str, words)])


def test_small_inputs_leave_no_state(corpus: Path, tmp_path: Path) -> None:
    assert command(corpus, "-o", f"{tmp_path}/out/") == 0
    assert contents(tmp_path / "out")["sub/b.txt.gz"] == FAIR.encode()
    assert not (tmp_path / "out" / ".gender-fair").exists()


def test_large_inputs_have_a_state_beside_the_output(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rewriter.cli.rewrite.SHARD_SIZE", 100)
    assert command(corpus / "a.txt", "-o", tmp_path / "fair.txt", "--processes", 1) == 0
    assert (tmp_path / "fair.txt").read_text() == FAIR
    assert (tmp_path / ".fair.txt.gender-fair" / "manifest.json").exists()


def test_patterns_columns_and_summary(corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pattern = f"{corpus}/**/*.jsonl.zst"
    assert command(pattern, "-o", f"{tmp_path}/out/", "--column", "text", "--shard-lines", 9, "--summary", "-") == 0
    summary = json.loads(capsys.readouterr().out)
    assert (summary["files"], summary["units"], summary["changed"], summary["rejected"]) == (1, 60, 40, 0)
    assert {"sentences", "gated", "edits", "guard_rejections", "seconds", "words_per_second"} <= summary.keys()


def test_a_dry_run_of_the_command(corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command(corpus / "a.txt", "--dry-run", "--summary", "-") == 0
    assert json.loads(capsys.readouterr().out)["changed"] == 40
    assert command(corpus / "a.txt", "--summary", "-") == 2


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--column", "body"], "no column 'body'"),
        (["--shard-lines", "0"], "must be positive"),
        (["--delimiter", "ab"], "one character"),
    ],
)
def test_options_that_make_no_sense(
    corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str], message: str
) -> None:
    assert command(corpus / "d.csv", "-o", tmp_path / "out.csv", *words) == 2
    assert message in capsys.readouterr().err


def test_an_input_that_is_the_output_is_refused(corpus: Path) -> None:
    with pytest.raises(UsageError, match="would overwrite"):
        rewrite_corpus([corpus / "a.txt"], corpus, rewriter=TINY)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_named_pipe_of_records_is_not_looked_into(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.jsonl")
    with ThreadPoolExecutor(1) as pool:
        writer = pool.submit((tmp_path / "pipe.jsonl").write_text, RECORDS)
        assert command(tmp_path / "pipe.jsonl", "-o", tmp_path / "out.jsonl") == 0
        writer.result(timeout=60)
    assert (tmp_path / "out.jsonl").read_text().count("they") == 40
