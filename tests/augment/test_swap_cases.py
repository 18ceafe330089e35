"""The command that scores swapping cases: figures by construction, and never a sentence of a sealed table."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from augment.swap.cases import read_swap_cases, score_swap_cases
from rewriter.cli.main import main
from rewriter.errors import InputError

TABLE = """\
# invented
id	construction	source	target	direction
a-1	article	Der Arzt kam.	Die Ärztin kam.\t
a-2	article	Die Ärztin kam.	Die Ärztin kam.	to-feminine
b-1	thing	Der Tisch fiel um.	Die Tischin fiel um.	-
"""


def table(folder: Path) -> Path:
    folder.mkdir(parents=True)
    (folder / "cases.tsv").write_text(TABLE)
    return folder / "cases.tsv"


def test_directions_are_those_of_the_table(tmp_path: Path) -> None:
    cases = read_swap_cases(table(tmp_path / "x"))
    assert [direction for _, direction in cases] == ["both", "to-feminine", "both"]
    scores = score_swap_cases(cases, "de")
    assert {name: (score.right, score.total) for name, score in scores.items()} == {"article": (2, 2), "thing": (0, 1)}


def test_the_language_is_that_of_the_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = table(tmp_path / "data" / "de" / "swap")
    assert main(["augment", "swap-cases", str(path), "--failures"]) == 0
    printed = capsys.readouterr().out
    assert "2/3 exact" in printed and "lang:de" in printed and "answer Der Tisch fiel um." in printed


@pytest.mark.parametrize("options", [["--failures"], ["--json"], []])
def test_nothing_of_a_sealed_table_is_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], options: list[str]
) -> None:
    path = table(tmp_path / "data" / "de" / "swap" / "sealed")
    assert main(["augment", "swap-cases", str(path), *options]) == 0
    shown = capsys.readouterr()
    for secret in ("Tisch", "Arzt", "Ärztin", "a-1", "b-1"):
        assert secret not in shown.out + shown.err
    assert "thing" in shown.out


def test_a_measurement_is_logged(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = table(tmp_path / "data" / "de" / "swap" / "sealed")
    assert main(["augment", "swap-cases", str(path), "--log", str(tmp_path / "log.tsv"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)[str(path)]["right"] == 2
    assert "swap-de" in (tmp_path / "log.tsv").read_text()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("id\tsource\ttarget\n", "missing \\['construction'\\]"),
        ("id\tconstruction\tsource\ttarget\na\tb\tc\n", ":2: 3 cells where the header has 4"),
        ("id\tconstruction\tsource\ttarget\tdirection\na\tb\tc\td\tup\n", ":2: the direction is 'up'"),
        ("", "missing"),
    ],
)
def test_bad_tables_are_named(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "cases.tsv"
    path.write_text(text)
    with pytest.raises(InputError, match=message):
        read_swap_cases(path)


def test_a_language_is_needed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["augment", "swap-cases", str(table(tmp_path / "y"))]) == 4
    assert "--lang" in capsys.readouterr().err
