"""German strategies through the command: text, treebanks, explanations."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rewriter.cli.main import main
from rewriter.io.files import read_pairs, write_lines

TREEBANK = """\
1	Heute	heute	ADV	ADV	_	2	advmod	_	_
2	lobt	loben	VERB	VVFIN	Number=Sing	0	root	_	_
3	Anna	Anna	PROPN	NE	Number=Sing	2	nsubj	_	_
4	die	der	DET	ART	Case=Acc|Number=Sing	5	det	_	_
5	Lehrerin	Lehrerin	NOUN	NN	Case=Acc|Number=Sing	2	obj	_	_
"""


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


def test_a_treebank_needs_no_parser(tmp_path: Path) -> None:
    write_lines(tmp_path / "toy.conllu", [*TREEBANK.splitlines(), ""])
    assert main(["augment", "tree", str(tmp_path / "toy.conllu"), "-o", str(tmp_path / "pairs")]) == 0
    target = "Heute lobt Anna den*die Lehrer*in"
    assert pairs_of(tmp_path / "pairs") == {
        "feminine": ("Heute lobt Anna die Lehrerin", target),
        "masculine": ("Heute lobt Anna den Lehrer", target),
    }


def test_text_without_a_parser_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_lines(tmp_path / "text.txt", ["Der Lehrer schläft."])
    assert main(["augment", "tree", str(tmp_path / "text.txt"), "-o", str(tmp_path / "pairs")]) == 2
    assert "needs a parser" in capsys.readouterr().err


def test_explain_shows_every_edit(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["augment", "pair-form", "--explain", "Die Ärztin oder der Arzt hilft.", "--json"]) == 0
    records = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [r["form"] for r in records] == ["feminine", "masculine", "mixed"]
    assert [(e["before"], e["after"]) for e in records[1]["edits"]] == [("Der", "Der*die"), ("Arzt", "Ärzt*in")]
