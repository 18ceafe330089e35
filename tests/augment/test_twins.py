"""Twins and the report of what comes back: checked pairs, balance, files, and what is left out."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from augment.swap import Swapper
from augment.swap.involution import involution
from augment.twins import RealTwins, Twin, real_twins, template_twins, twin_rows
from rewriter.cli.main import main
from rewriter.errors import LexiconError
from rewriter.records import apply_edits


@pytest.fixture(scope="module")
def swapper() -> Swapper:
    return Swapper("en", names="keep")


def twins_of(texts: list[str], swapper: Swapper, **options: object) -> RealTwins:
    one_way = (
        Swapper("en", direction="to-masculine", names="keep"),
        Swapper("en", direction="to-feminine", names="keep"),
    )
    placed = ((f"t:{number}", text) for number, text in enumerate(texts, 1))
    return real_twins(placed, "en", swapper, one_way=one_way, **options)  # type: ignore[arg-type]


class TestTemplates:
    @pytest.mark.parametrize("lang", ["en", "de"])
    def test_frames_persons_and_directions_are_balanced(self, lang: str) -> None:
        twins = list(template_twins(lang, Swapper(lang, names="keep")))
        frames = Counter(twin.origin.split("/")[0] for twin in twins)
        persons = Counter(twin.origin.split("/")[1] for twin in twins)
        assert len(set(frames.values())) == len(set(persons.values())) == 1
        assert len({twin.pair for twin in twins}) == len(twins) == len(frames) * len(persons)
        turned = Counter(twin.turned for twin in twins)
        assert abs(turned["feminine to masculine"] - turned["masculine to feminine"]) <= 1
        for twin in twins:
            assert apply_edits(twin.source, twin.edits) == twin.twin

    def test_a_language_without_templates_says_so(self, swapper: Swapper) -> None:
        with pytest.raises(LexiconError, match="no table 'twin_frames' for language 'xx'"):
            next(template_twins("xx", swapper))


class TestRealSentences:
    def test_a_pair_comes_back(self, swapper: Swapper) -> None:
        (twin,) = twins_of(["She lost her hat."], swapper, balance=False).twins
        assert (twin.source, twin.twin, twin.turned) == (
            "She lost her hat.",
            "He lost his hat.",
            "feminine to masculine",
        )
        assert twin.origin == "t:1"

    def test_what_makes_no_twin_has_its_reason(self, swapper: Swapper) -> None:
        texts = ["It rained.", "She is pregnant.", "Mrs. Fox sang.", "He left.", "His wife told her aunt his joke."]
        made = twins_of(texts, swapper, balance=False, most_changes=4)
        assert [twin.source for twin in made.twins] == ["He left."]
        assert made.left == {
            "nobody to turn": 1,
            "fact of biology": 1,
            "does not come back when it is swapped again": 1,
            "more than 4 changes": 1,
        }

    def test_both_directions_are_equally_many(self, swapper: Swapper) -> None:
        texts = [f"He saw {n} birds." for n in range(9)] + [f"She saw {n} fish." for n in range(4)] + ["He and her dad."]
        made = twins_of(texts, swapper)
        assert Counter(twin.turned for twin in made.twins) == {"feminine to masculine": 4, "masculine to feminine": 4}
        assert made.left == {"turned both ways": 1, "more of this direction than of the other": 5}
        assert [t.pair for t in twins_of(texts, swapper).twins] == [t.pair for t in made.twins]
        assert {t.pair for t in twins_of(texts, swapper, seed=2).twins} != {t.pair for t in made.twins}

    def test_a_sentence_that_is_there_twice_makes_one_pair(self, swapper: Swapper) -> None:
        assert len(twins_of(["She left.", "She left."], swapper, balance=False).twins) == 1


def test_rows_have_the_columns_of_group_measures() -> None:
    twin = Twin("p", "en", "He left.", "She left.", "masculine to feminine", "t:1")
    assert list(twin_rows(twin)) == [
        {"pair": "p", "lang": "en", "group": "masculine", "text": "He left.", "origin": "t:1"},
        {"pair": "p", "lang": "en", "group": "feminine", "text": "She left.", "origin": "t:1"},
    ]


class TestInvolution:
    def test_what_comes_back_is_counted(self, swapper: Swapper) -> None:
        found = involution(["She left.", "It rained.", "Mrs. Fox sang.", "The boy slept."], swapper, "en", examples=5)
        assert (found.texts, found.changed, found.back) == (4, 3, 2)
        assert found.words == {("Mrs", "Mr", "Ms"): 1}
        assert found.examples == [("Mrs. Fox sang.", "Mr. Fox sang.", "Ms. Fox sang.")]
        assert found.share_changed == 0.75

    def test_of_nothing_nothing_is_lost(self, swapper: Swapper) -> None:
        found = involution([], swapper, "en")
        assert (found.share_changed, found.share_back) == (0.0, 1.0)


class TestCommands:
    def test_templates_as_rows(self, tmp_path: Path) -> None:
        target = tmp_path / "twins.jsonl"
        assert main(["augment", "twins", "-o", str(target), "--rows"]) == 0
        rows = [json.loads(line) for line in target.read_text().splitlines()]
        assert Counter(row["group"] for row in rows) == {"feminine": len(rows) // 2, "masculine": len(rows) // 2}

    def test_real_sentences(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        source, target = tmp_path / "a.txt", tmp_path / "twins.jsonl"
        source.write_text("She left.\nHe slept.\nIt rained.\n")
        assert main(["augment", "twins", str(source), "-o", str(target)]) == 0
        records = [json.loads(line) for line in target.read_text().splitlines()]
        assert [(r["source"], r["twin"], r["changes"], r["origin"]) for r in records] == [
            ("She left.", "He left.", 1, "a.txt:1"),
            ("He slept.", "She slept.", 1, "a.txt:2"),
        ]
        assert "left out: 1 nobody to turn" in capsys.readouterr().err

    def test_the_report(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        source = tmp_path / "a.txt"
        source.write_text("She left.\nMiss Fox sang.\n")
        assert main(["augment", "involution", str(source), "--json"]) == 0
        record = json.loads(capsys.readouterr().out)
        assert (record["texts"], record["changed"], record["back"]) == (2, 2, 1)
        assert main(["augment", "involution", str(source)]) == 0
        assert "Miss -> Mr -> Ms" in capsys.readouterr().out
