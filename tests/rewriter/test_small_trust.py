"""Small things by which people judge a tool: columns in kind, help of bare commands, examples, names of folders."""

from __future__ import annotations

import re
from importlib.metadata import entry_points
from pathlib import Path

import numpy as np
import pytest
from documented import calls

from rewriter import Rewriter
from rewriter.cli.main import GROUP, build_parser, main
from rewriter.errors import ModelError
from rewriter.model.directory import resolve

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def rewriter() -> Rewriter:
    return Rewriter.from_pretrained("en")


# ---------------------------------------------------------------- columns answer in kind


def test_a_series_stays_a_series(rewriter: Rewriter) -> None:
    pandas = pytest.importorskip("pandas")
    texts = pandas.Series(["She left.", None, "Rain fell."], index=[3, 1, 2], name="text")
    answer = rewriter.rewrite(texts)
    expected = pandas.Series(["They left.", None, "Rain fell."], index=[3, 1, 2], name="text", dtype=texts.dtype)
    pandas.testing.assert_series_equal(answer, expected)


@pytest.mark.parametrize("dtype", [str, object])
def test_an_array_stays_an_array_and_cuts_nothing_off(rewriter: Rewriter, dtype: type) -> None:
    answer = rewriter.rewrite(np.array(["He left.", "Rain."], dtype=dtype))
    assert isinstance(answer, np.ndarray)
    assert answer.tolist() == ["They left.", "Rain."]


def test_arrow_columns_stay_what_they_are(rewriter: Rewriter) -> None:
    arrow = pytest.importorskip("pyarrow")
    texts = arrow.chunked_array([["She left.", None], ["Rain fell."]], type=arrow.large_string())
    answer = rewriter.rewrite(texts)
    assert answer == arrow.chunked_array([["They left.", None], ["Rain fell."]], type=arrow.large_string())
    assert [len(chunk) for chunk in answer.chunks] == [2, 1]
    assert rewriter.rewrite(arrow.array(["She left."])) == arrow.array(["They left."])


def test_with_edits_a_column_gives_a_list(rewriter: Rewriter) -> None:
    found = rewriter.rewrite(np.array(["She left."]), return_edits=True)
    assert [(edit.before, edit.after) for edit in found[0].edits] == [("She", "They")]


# ---------------------------------------------------------------- the command line


@pytest.mark.parametrize("words", [[], ["rewrite"], ["eval"], ["eval", "wer"], ["eval", "suite"], ["run"], ["export"]])
def test_a_command_without_arguments_prints_its_help(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(words)
    assert ended.value.code == 2
    shown = capsys.readouterr().err
    assert "examples:" in shown and "error:" not in shown


def test_a_wrong_argument_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["rewrite", "--nonsense"])
    assert "examples:" not in capsys.readouterr().err


#: paths that only a clone of this repository has
_CLONE = re.compile(r"\b(?:tests/data|docs/|recipes/|benchmarks/|tools/|experiments/)")


COMMANDS = sorted(entry.name for entry in entry_points(group=GROUP))


def examples(name: str) -> list[str]:
    """Return the lines of examples in the help of a command and of those below it."""
    parser = build_parser([name])
    pending, texts = [parser], []
    while pending:
        one = pending.pop()
        texts.append(one.description or "")
        for action in one._actions:
            pending += action.choices.values() if isinstance(action.choices, dict) else []
    shown = (re.sub(r"\\\n\s*", "", text.partition("examples:")[2]) for text in texts)
    # what an example does may stand behind it, two spaces away
    lines = (re.split(r" {2,}", line.strip())[0] for text in shown for line in text.splitlines())
    return [line for line in lines if "gender-fair" in line]


@pytest.mark.parametrize("name", COMMANDS)
def test_examples_need_no_clone(name: str) -> None:
    assert [line for line in examples(name) if _CLONE.search(line)] == []


@pytest.mark.parametrize("name", COMMANDS)
def test_examples_are_understood(name: str) -> None:
    """The parsers themselves read them."""
    for line in examples(name):
        for call in calls(line):
            if call.words[0] == "gender-fair":
                build_parser(call.words[1:]).parse_args(call.words[1:])


def test_files_are_worth_a_closing_line_and_pipes_are_not(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "in.txt").write_text("She left.\n", encoding="utf-8")
    assert main(["rewrite", str(tmp_path / "in.txt")]) == 0
    assert capsys.readouterr().err == ""
    assert main(["rewrite", str(tmp_path / "in.txt"), "-o", str(tmp_path / "out.txt")]) == 0
    assert "1 files, 1 texts, 1 changed, 1 edits" in capsys.readouterr().err


def test_against_may_be_repeated_and_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in {"ref": "They left.", "mine": "They left.", "one": "He left.", "two": "Her left."}.items():
        Path(f"{name}.txt").write_text(f"{text}\n", encoding="utf-8")
    assert main(["eval", "wer", "mine.txt", "ref.txt", "--against", "one.txt", "--against", "two.txt"]) == 0
    shown = capsys.readouterr().out
    assert "against one.txt, " in shown and "against two.txt, " in shown


# ---------------------------------------------------------------- names


def test_a_folder_named_as_a_language_is_no_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("fr", "en"):
        Path(name).mkdir()
    with pytest.raises(ModelError, match="there is no model 'fr'"):
        resolve("fr")
    assert resolve("en").parent.name == "bundled"


def test_no_address_is_a_placeholder() -> None:
    files = [*ROOT.glob("*.md"), *ROOT.glob("*.toml"), *ROOT.glob("*.cff"), *(ROOT / "docs").rglob("*.md")]
    found = [
        p.name
        for p in files
        if re.search(r"https?://[^\s)]*(?:your-|yourname|OWNER|placeholder)", p.read_text("utf-8"))
    ]
    assert found == []
