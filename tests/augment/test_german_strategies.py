"""German strategies through the command: pair forms, explanations, what is gone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from augment.generate import GenerateConfig
from rewriter.cli.main import main
from rewriter.errors import UsageError
from rewriter.io.files import read_pairs, write_lines


def pairs_of(folder: Path) -> dict[str, tuple[str, str]]:
    return {p.form: (p.source, p.target) for path in sorted(folder.glob("pairs-*")) for p in read_pairs(path)}


def test_text_with_pair_forms(tmp_path: Path) -> None:
    write_lines(tmp_path / "laws.txt", ["Die Ärztin oder der Arzt hilft. Das Haus steht.", "Es regnet."])
    assert main(["augment", "pair-form", str(tmp_path / "laws.txt"), "-o", str(tmp_path / "pairs")]) == 0
    target = "Der*die Ärzt*in hilft."
    assert pairs_of(tmp_path / "pairs") == {
        "feminine": ("Die Ärztin hilft.", target),
        "masculine": ("Der Arzt hilft.", target),
        "mixed": ("Die Ärztin oder der Arzt hilft.", target),
    }


@pytest.mark.parametrize("strategy", ["plain", "tree"])
def test_labels_that_rules_read_are_no_strategy_any_more(strategy: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=f"unknown strategy '{strategy}' for 'de'; known: .*pair-form"):
        GenerateConfig(strategy, [str(tmp_path)], lang="de")


def test_explain_shows_every_edit(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["augment", "pair-form", "--explain", "Die Ärztin oder der Arzt hilft.", "--json"]) == 0
    records = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [r["form"] for r in records] == ["feminine", "masculine", "mixed"]
    assert [(e["before"], e["after"]) for e in records[1]["edits"]] == [("Der", "Der*die"), ("Arzt", "Ärzt*in")]
