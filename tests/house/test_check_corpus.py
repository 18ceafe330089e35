"""The check before a release finds what it looks for; a small folder of our own text stands for the data."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rewriter.io.files import write_lines
from tools import check_corpus, corpus_checks

TEXT = {
    "en/train/a.txt": [f"She said that he lost his bag on day {n}." for n in range(30)] + ["", "Nothing here."],
    "en/research/b.txt.zst": [f"The chairman left his office {n} times." for n in range(10)],
    "de-en/train/c.tsv.zst": ["Der Lehrer kommt.\tThe teacher says she comes.", "Ohne Tabulator"],
}


@pytest.fixture
def check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return the module, with a data folder."""
    for name, lines in TEXT.items():
        (tmp_path / "data" / name).parent.mkdir(parents=True, exist_ok=True)
        write_lines(tmp_path / "data" / name, lines)
    monkeypatch.setenv("GENDER_FAIR_DATA", str(tmp_path / "data"))
    return check_corpus


def run(check: Any, folder: Path, *more: str) -> int:
    return int(check.main(["--lang", "en", "--full", "--processes", "1", "-o", str(folder), *more]))


@pytest.mark.slow
def test_every_line_goes_through_the_default_configuration_and_another(
    check: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(check, tmp_path / "out") == 0
    rows = [line.split() for line in capsys.readouterr().out.splitlines() if line.startswith("en ")]
    lines = sum(map(len, TEXT.values()))
    assert rows[0][:3] == ["en", "default", str(lines)]
    outcomes = {str(one): check.Outcome() for one in check.configurations("en")}
    check._read_journal(tmp_path / "out" / "journal.jsonl", outcomes)
    assert sum(outcome.lines for outcome in outcomes.values()) == 2 * lines
    assert all(outcome.lines for outcome in outcomes.values())


def test_an_exception_and_a_lost_line_are_found_and_told(
    check: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from rewriter.en.language import English
    from rewriter.formats.text import TextLines

    segment, replace = English.segment, TextLines.replace

    def breaks(self: Any, text: str) -> list[tuple[int, int]]:
        if "day 7." in text:
            raise ValueError("planted")
        return segment(self, text)

    def loses(self: Any, record: Any, changes: Any) -> bytes:
        return b"\n" if b"day 9." in record.data else replace(self, record, changes)

    monkeypatch.setattr(check, "configurations", lambda lang: corpus_checks.configurations(lang)[:2])
    monkeypatch.setattr(English, "segment", breaks)
    monkeypatch.setattr(TextLines, "replace", loses)
    assert run(check, tmp_path / "out") == 1
    told = capsys.readouterr().out
    assert "en/train/a.txt:8: en default: ValueError: planted" in told
    assert "en/train/a.txt:10: en default: replaying the edits gives another text" in told
    assert "Traceback" in (tmp_path / "out" / "exceptions.jsonl").read_text()
    assert run(check, tmp_path / "out") == 1  # everything is done, and told once more
    assert capsys.readouterr().out == told


def test_it_goes_on_where_it_was_interrupted(check: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check, "configurations", lambda lang: corpus_checks.configurations(lang)[-2:])
    monkeypatch.setattr(check, "BLOCK", 10)
    asked: list[str] = []

    def work(item: Any, stop: int | None = None) -> Any:
        if len(asked) == stop:
            raise KeyboardInterrupt
        asked.append(item.key)
        return corpus_checks.check(item.configuration, item.lines)

    monkeypatch.setattr(check, "work", lambda item: work(item, 3))
    with pytest.raises(KeyboardInterrupt):
        run(check, tmp_path / "out")
    with (tmp_path / "out" / "journal.jsonl").open("a") as stream:
        stream.write('{"key": "torn')
    monkeypatch.setattr(check, "work", work)
    assert run(check, tmp_path / "out") == 0
    assert len(asked) == len(set(asked)) == 10  # forty-four lines, in two configurations


def test_without_data_one_is_told_what_to_set(check: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GENDER_FAIR_DATA")
    assert run(check, tmp_path / "out") == 2
