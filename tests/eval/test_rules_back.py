"""What the rules of the way back are worth: counted, switched off, and read from tables of either direction."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from eval.cases import read_cases_back
from eval.rules import RuleMeasure
from rewriter import Rewriter
from rewriter.cli.main import main
from rewriter.errors import InputError
from rewriter.language.rules import Rules, known_rules

FAIR = "id\tfair\tmasculine\tfeminine\n1\tSomeone lost their keys.\tSomeone lost his keys.\tSomeone lost her keys.\n"
GENDERED = "id\tconstruction\tmasculine\tfeminine\n1\tsubject\tHe left.\tShe left.\n"
STAY = "id\tconstruction\ttext\n1\tseveral\tThe nurses say they left.\n"


def table(folder: Path, text: str) -> Path:
    (folder / "cases.tsv").write_text(text)
    return folder / "cases.tsv"


@pytest.mark.parametrize(
    ("text", "to", "source", "target"),
    [
        (FAIR, "feminine", "Someone lost their keys.", "Someone lost her keys."),
        (GENDERED, "feminine", "He left.", "She left."),
        (GENDERED, "masculine", "She left.", "He left."),
        (STAY, "masculine", "The nurses say they left.", "The nurses say they left."),
    ],
)
def test_a_table_is_read_for_a_gender(tmp_path: Path, text: str, to: str, source: str, target: str) -> None:
    (case,) = read_cases_back(table(tmp_path, text), to)
    assert (case.source, case.target) == (source, target)


def test_a_table_without_a_source_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="expected the columns id, one of fair, source and text, and feminine"):
        read_cases_back(table(tmp_path, "id\tfeminine\n1\tShe left.\n"), "feminine")


@pytest.fixture(scope="module")
def back() -> Rewriter:
    return Rewriter.from_pretrained("en", to="feminine")


def test_the_rules_of_the_way_back_are_counted(back: Rewriter) -> None:
    measure = RuleMeasure(back, examples=1)
    assert set(measure.worths) == {name for name, r in known_rules("en").items() if r.decision.asked == "back"}
    text = "They hurt themself. Everybody slept."
    measure.add_texts([text, "Nobody came."])
    worth = measure.worths["themself"]
    assert (worth.spoken, worth.texts, worth.tried, worth.changed) == (1, 1, 1, 1)
    assert worth.examples == [(text, "She hurts herself. Everybody slept.", text)]


def test_the_rules_of_the_way_to_fair_text_are_not_among_them() -> None:
    assert not set(RuleMeasure(Rewriter.from_pretrained("en")).worths) & {"themself", "they both"}


def test_a_rewriter_of_the_way_back_keeps_its_direction_under_other_rules(back: Rewriter) -> None:
    assert back.rewrite("They hurt themself.") == "She hurts herself."
    assert back.with_rules(Rules("en", ["themself"])).rewrite("They hurt themself.") == "They hurt themself."


def test_the_command_counts_what_is_right_with_a_rule_only(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = table(tmp_path, "id\tfair\tmasculine\n1\tThey hurt themself.\tHe hurts himself.\n")
    assert main(["eval", "rules", "en", "--to", "masculine", "--cases", str(path), "--rule", "themself", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["rules"]["themself"]
    assert found["sets"] == {"cases": {"gained": 0, "lost": 1, "other": 0}}


def test_read_sentences_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["eval", "rules", "en", "--to", "masculine", "--reading", str(tmp_path / "x.jsonl")]) == 2
    assert "with --to give --cases" in capsys.readouterr().err
