"""What the network is worth on read sentences: mended and broken ones, their share, a paired test."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from eval.ablation import RAW
from eval.reading.gold import FoundSentence, GoldSentence, digest, save_gold
from eval.reading.score import EXACT, STAYS, ReadingScore, ScoredSentence
from eval.reading.worth import worth, worth_table, worths
from eval.signature import signature
from rewriter.cli.main import main
from rewriter.errors import MetricError
from rewriter.model.deciders import CONSTANT, GRAMMAR

ALL = "all sentences"


def score(right: Sequence[bool], *, change: int, system: str = "one", of: str = "x") -> ReadingScore:
    """Return a score by which sentences are right; the first ``change`` of them are to be changed."""
    sentences = []
    for number, is_right in enumerate(right):
        text, edits = "She left.", ((0, 3, "They"),) if number < change else ()
        found = FoundSentence(GoldSentence(str(number), "f", number, 0, 9, digest(text), edits), "", text, "")
        sentences.append(ScoredSentence(found, found.target if is_right else "Nonsense.", (), ()))
    return ReadingScore(system, sentences, signature("reading", lang="en", set=of, n=len(right)))


#: right with the network, right without it (of five sentences to change and three that stay);
#: for all, to change, must stay: wrong without, mended, broken, percent
CASES = {
    "mends some": ("11100 111", "10000 111", [(4, 2, 0, 50.0), (4, 2, 0, 50.0), (0, 0, 0, None)]),
    "mends and breaks": ("01100 111", "10000 110", [(5, 3, 1, 40.0), (4, 2, 1, 25.0), (1, 1, 0, 100.0)]),
    "breaks more": ("00000 111", "11000 111", [(3, 0, 2, -200 / 3), (3, 0, 2, -200 / 3), (0, 0, 0, None)]),
    "nothing is wrong without it": ("11111 111", "11111 111", [(0, 0, 0, None)] * 3),
}


@pytest.mark.parametrize("case", CASES)
def test_mended_and_broken_sentences(case: str) -> None:
    with_network, without, expected = CASES[case]
    one, other = ([mark == "1" for mark in marks.replace(" ", "")] for marks in (with_network, without))
    found = worth(score(one, change=5), score(other, change=5))
    assert list(found) == [ALL, EXACT, STAYS]
    assert [(w.left, w.test.better, w.test.worse) for w in found.values()] == [row[:3] for row in expected]
    assert [w.percent for w in found.values()] == [pytest.approx(row[3]) for row in expected]
    for one_worth in found.values():
        assert (one_worth.interval is None) == (one_worth.percent is None)
        if one_worth.interval is not None:
            assert one_worth.interval.low <= one_worth.percent <= one_worth.interval.high


def test_the_test_is_paired() -> None:
    """Ten sentences that the network alone has right, none that it breaks: 2 / 2^10."""
    found = worth(score([True] * 10, change=10), score([False] * 10, change=10))
    assert found[EXACT].test.p_value == pytest.approx(2 / 2**10)
    assert found[EXACT].percent == 100.0


def test_other_sentences_are_refused() -> None:
    with pytest.raises(MetricError, match="different sets"):
        worth(score([True], change=1), score([True], change=1, of="y"))


def test_only_what_stands_in_the_networks_place_is_asked() -> None:
    model, none = score([True, True], change=1), score([False, True], change=1)
    found = worths(model, {RAW: none, CONSTANT: none, GRAMMAR: model})
    assert list(found) == [CONSTANT, GRAMMAR]
    rows = worth_table({"mine": found}).rows
    assert rows[1][:7] == ["mine", "constant answers", EXACT, "1", "1", "1", "0"]
    assert rows[1][7] == "100.0 %"
    assert rows[4][7:9] == ["", ""]


#: sentences whose pronoun the grammar alone does not know
SENTENCES = [
    ("I saw her duck.", "I saw their duck."),
    ("We made her leave.", "We made them leave."),
    ("It rains.", "It rains."),
]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    (tmp_path / "text.txt").write_text("".join(f"{source}\n" for source, _ in SENTENCES), encoding="utf-8")
    records = [
        GoldSentence(f"s{n}", "text.txt", n, 0, len(source), digest(source), draw="own", genre="own").read(
            source, target, "me"
        )
        for n, (source, target) in enumerate(SENTENCES, 1)
    ]
    save_gold(tmp_path / "gold.jsonl", records)
    return tmp_path


def test_the_command_says_it(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["eval", "reading", str(data / "gold.jsonl"), "--data", str(data), "--model", "en"]
    assert main([*words, "--ablate"]) == 0
    shown = capsys.readouterr().out
    table = shown.partition("What the network is worth")[2]
    assert [line.split()[0] for line in table.splitlines() if "constant answers" in line] == ["en"] * 3
    assert "grammar alone" in table and "guard off" not in table
    assert main([*words, "--ablate", "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert set(record["neural"]["en"]) == {CONSTANT, GRAMMAR}
    rows = {system["system"]: system["figures"][EXACT]["count"] for system in record["systems"]}
    found = record["neural"]["en"][GRAMMAR][EXACT]
    assert found["test"]["better"] - found["test"]["worse"] == rows["en"] - rows["en, grammar alone"]
    assert found["left"] == 2 - rows["en, grammar alone"]


def test_without_ablate_nothing_is_said_of_it(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["eval", "reading", str(data / "gold.jsonl"), "--data", str(data), "--model", "en"]) == 0
    assert "What the network is worth" not in capsys.readouterr().out
