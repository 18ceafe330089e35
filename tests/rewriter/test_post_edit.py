"""The guard over the answers of any other rewriter: ``PostEditor`` and ``gender-fair rewrite --proposals``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rewriter.cli.main import main
from rewriter.errors import UsageError
from rewriter.language.interface import get_language
from rewriter.model.post_edit import PostEditor
from rewriter.records import apply_edits

EDITOR = PostEditor(get_language("en"))

#: source, answer of another rewriter, what stands of it
CASES = [
    ("She thinks he's lost her keys.", "They think they've lost their keys.", "They think they've lost their keys."),
    ("She left. He stayed.", "They left. They stayed today.", "They left. They stayed."),
    ("She knows.", "They knows.", "They know."),
    ("She left. He stayed.", "They left and they stayed.", "They left. He stayed."),
    ("Rain fell.", "Snow fell.", "Rain fell."),
    ("See `she` there.", "See `they` there.", "See `she` there."),
    ("She left.\t He stayed.", "They left. They stayed.", "They left.\t They stayed."),
    ("She left.", "", "She left."),
    ("", "They left.", ""),
]


@pytest.mark.parametrize(("source", "answer", "expected"), CASES)
def test_what_the_grammar_allows_is_made(source: str, answer: str, expected: str) -> None:
    (rewrite,) = EDITOR.edit([source], [answer])
    assert rewrite.text == expected
    assert apply_edits(source, rewrite.edits) == expected


def test_what_is_refused_is_listed() -> None:
    (rewrite,) = EDITOR.edit(["She left.  Rain fell."], ["They left. Snow fell."])
    assert [(item.proposed, item.reason) for item in rewrite.rejected] == [
        ("   ->  ", "outside the edit grammar"),
        ("Rain -> Snow", "outside the edit grammar"),
    ]


def test_an_answer_beyond_comparison_is_refused_as_a_whole() -> None:
    (rewrite,) = EDITOR.edit(["She left. " * 300], ["They left " * 400])
    assert rewrite.text == "She left. " * 300
    assert rewrite.rejected


def test_with_the_guard_off_the_answer_stands() -> None:
    off = PostEditor(get_language("en"), guard="off")
    assert off.edit(["Rain fell."], ["Snow fell."])[0].text == "Snow fell."


def test_an_answer_too_few_is_refused() -> None:
    with pytest.raises(UsageError, match="1 answers to 2 texts"):
        EDITOR.edit(["a", "b"], ["a"])


@given(st.text(max_size=60), st.text(max_size=60))
def test_whatever_is_answered_edits_replay(source: str, answer: str) -> None:
    (rewrite,) = EDITOR.edit([source], [answer])
    assert apply_edits(source, rewrite.edits) == rewrite.text


# ---------------------------------------------------------------- the command


@pytest.fixture
def texts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    rows = [("She left.", "They left."), ("Rain fell.", "Snow fell."), ("She left.", "She left.")]
    for number, name in enumerate(("in", "answers")):
        Path(f"{name}.txt").write_text("".join(f"{row[number]}\n" for row in rows), encoding="utf-8")
        records = (json.dumps({"id": i, "text": row[number]}) + "\n" for i, row in enumerate(rows))
        Path(f"{name}.jsonl").write_text("".join(records), encoding="utf-8")
    return tmp_path


def test_the_same_line_may_be_answered_in_two_ways(texts: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rewrite", "in.txt", "--proposals", "answers.txt", "-o", "out.txt"]) == 0
    assert Path("out.txt").read_text(encoding="utf-8") == "They left.\nRain fell.\nShe left.\n"


def test_other_columns_stay(texts: Path) -> None:
    assert main(["rewrite", "in.jsonl", "--proposals", "answers.jsonl", "-o", "out.jsonl", "--deny", "she"]) == 0
    assert Path("out.jsonl").read_bytes() == Path("in.jsonl").read_bytes()
    assert main(["rewrite", "in.jsonl", "--proposals", "answers.jsonl", "-o", "out.jsonl"]) == 0
    assert [json.loads(line) for line in Path("out.jsonl").read_text(encoding="utf-8").splitlines()] == [
        {"id": 0, "text": "They left."},
        {"id": 1, "text": "Rain fell."},
        {"id": 2, "text": "She left."},
    ]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["-"], "name that file, not a pipe"),
        (["in.txt", "--to", "feminine"], "does not go with --to feminine"),
        (["in.jsonl"], "holds"),
    ],
)
def test_what_does_not_fit_is_one_sentence(
    texts: Path, capsys: pytest.CaptureFixture[str], words: list[str], message: str
) -> None:
    Path("answers.txt").write_text("They left.\n", encoding="utf-8")
    Path("answers.jsonl").write_text('{"text": "x"}\n', encoding="utf-8")
    assert main(["rewrite", *words, "--proposals", "answers.jsonl"]) == 2
    assert message in capsys.readouterr().err
