"""Lists of gendered words: which counterparts are missing, lists that are mended, the command."""

from __future__ import annotations

import pytest

from eval.genbit.completeness import Gap, find_gaps, kin_pairs, mended
from eval.genbit.lexicon import FEMALE, MALE, Lexicon
from rewriter.cli.main import main
from rewriter.errors import UsageError


@pytest.mark.parametrize(
    ("lang", "missing"),
    [
        ("fr", {"mère", "sœur", "il"}),
        ("de", {"könig"}),
        ("es", {"viuda", "viudo"}),
        ("it", {"lei"}),
        ("en", {"godson"}),
    ],
)
def test_words_that_the_published_lists_lack(lang: str, missing: set[str]) -> None:
    assert missing <= {word for gap in find_gaps(Lexicon.shipped(lang)) for word in gap.missing}


def test_a_gap_names_what_is_missing_only() -> None:
    lexicon = Lexicon("en", {FEMALE: frozenset({"Queen", "aunt"}), MALE: frozenset({"uncle"})})
    pairs = [("queen", "king"), ("aunt", "uncle"), ("bride", "groom")]
    assert find_gaps(lexicon, pairs) == [Gap("queen", "king", ("king",)), Gap("bride", "groom", ("bride", "groom"))]


@pytest.mark.parametrize("lang", ["en", "de", "es", "fr", "it"])
def test_mended_lists_are_whole_and_have_another_name(lang: str) -> None:
    before = Lexicon.shipped(lang)
    after = mended(before)
    assert find_gaps(after) == [] and after.name == "genbit+kin" and after.digest != before.digest
    assert before.gendered < after.gendered and not after.words(FEMALE) & after.words(MALE) - before.gendered
    assert len(kin_pairs(lang)) == len(set(kin_pairs(lang)))


def test_a_word_of_the_other_gender_is_not_added() -> None:
    lexicon = Lexicon("en", {FEMALE: frozenset({"king"}), MALE: frozenset({"uncle"})})
    assert "king" not in mended(lexicon).words(MALE) and "queen" in mended(lexicon).words(FEMALE)


def test_the_command(tmp_path_factory: pytest.TempPathFactory, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["eval", "genbit", "--lang", "fr", "--check-lists"]) == 1
    assert "mère" in capsys.readouterr().out
    assert main(["eval", "genbit", "--lang", "fr", "--check-lists", "--mended"]) == 0
    assert "0 of" in capsys.readouterr().out
    text = tmp_path_factory.mktemp("text") / "text.txt"
    text.write_text("La mère chante au jardin.\nLe père dort au jardin.\n" * 9)
    assert main(["eval", "genbit", str(text), "--lang", "fr", "--mended"]) == 0
    assert "lexicon:genbit+kin@" in capsys.readouterr().out


def test_a_language_without_pairs() -> None:
    with pytest.raises(UsageError, match="no pairs of counterparts for 'ru'"):
        mended(Lexicon.shipped("ru"))
