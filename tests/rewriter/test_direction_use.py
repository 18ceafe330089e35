"""The way back through the doors that people use: functions, options, the command, corpora, policies."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from rewriter import Rewriter, rewrite
from rewriter.cli.main import main
from rewriter.errors import UsageError
from rewriter.model.directory import INFO, bundled_folder
from rewriter.policy import Policy

TINY = Path(__file__).resolve().parents[1] / "data" / "models" / "tiny-edits"
TEXT = "Somebody left their hat.\nNothing here.\nThe students say they are late.\nThey themself know.\n"
FEMININE = "Somebody left her hat.\nNothing here.\nThe students say they are late.\nShe herself knows.\n"
ALL = FEMININE.replace("they are", "she is")


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "in.txt"
    path.write_text(TEXT)
    return path


def run(*words: object) -> int:
    return main(["rewrite", "--model", str(TINY), *map(str, words)])


def test_the_command(source: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(source, "--to", "feminine") == 0
    assert capsys.readouterr().out == FEMININE
    assert run(source, "--to", "feminine", "--they", "all") == 0
    assert capsys.readouterr().out == ALL


def test_fair_is_the_default(source: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(source, "--to", "fair") == 0
    assert capsys.readouterr().out == TEXT


def test_corpora_by_shards(source: Path, tmp_path: Path) -> None:
    assert run(source, "-o", tmp_path / "out.txt", "--to", "feminine", "--shard-lines", 2, "--processes", 1) == 0
    assert (tmp_path / "out.txt").read_text() == FEMININE


def test_a_run_in_another_direction_is_not_continued(source: Path, tmp_path: Path) -> None:
    words = (source, "-o", tmp_path / "out.txt", "--shard-lines", 2, "--processes", 1)
    assert run(*words, "--to", "feminine") == 0
    assert run(*words, "--to", "masculine") == 2


def test_an_unknown_direction(source: Path) -> None:
    with pytest.raises(UsageError, match="to must be one of fair, masculine, feminine"):
        Rewriter.from_pretrained(TINY, to="neutral")
    with pytest.raises(UsageError, match="they must be one of singular, all"):
        Rewriter.from_pretrained(TINY, to="feminine", they="some")


def test_directed_shares_the_model() -> None:
    forward = Rewriter.from_pretrained(TINY)
    back = forward.directed("masculine", "all")
    assert back.rewrite("They say they're late.") == "He says he's late."
    assert back.directed("fair").rewrite("Then she said so.") == forward.rewrite("Then she said so.")
    assert forward.options.to == "fair" and back.options.to == "masculine"


def test_a_copy_in_another_process_keeps_the_direction() -> None:
    back = pickle.loads(pickle.dumps(Rewriter.from_pretrained(TINY, to="feminine", they="all")))
    assert back.rewrite("They know.") == "She knows."


def test_persons_are_remembered_within_a_paragraph() -> None:
    back = Rewriter.from_pretrained(TINY, to="feminine")
    assert back.rewrite("A guest came. They want tea.") == "A guest came. She wants tea."
    assert back.rewrite("A guest came.\n\nThey want tea.") == "A guest came.\n\nThey want tea."


def test_a_policy_keeps_a_pronoun_whose_verb_stays() -> None:
    back = Rewriter.from_pretrained(TINY, to="feminine", policy=Policy(deny=("know",)))
    assert back.rewrite("Somebody says they know their way.") == "Somebody says they know her way."


@pytest.mark.skipif(not (bundled_folder() / "en" / INFO).exists(), reason="this checkout has no bundled English model")
def test_the_function_with_the_bundled_model() -> None:
    assert rewrite("Somebody left their hat.", to="feminine") == "Somebody left her hat."
    assert rewrite("They know.", to="masculine", they="all") == "He knows."
    assert rewrite("She knows her stuff.", to="masculine") == "He knows his stuff."
    assert rewrite("She knows her stuff.") == "They know their stuff."
    with pytest.raises(UsageError):
        rewrite("They know.", to="neutral")
