"""Verb number in both directions."""

from __future__ import annotations

import pytest

from lexicons.loader import read_table
from rewriter.en.inflection import AUXILIARIES, guess_plural, match_case, to_plural, to_singular

PAIRS = [
    ("is", "are"), ("was", "were"), ("has", "have"), ("does", "do"), ("isn't", "aren't"), ("wasn't", "weren't"),
    ("hasn't", "haven't"), ("doesn't", "don't"), ("hasn’t", "haven’t"), ("knows", "know"), ("tries", "try"),
    ("goes", "go"), ("undoes", "undo"), ("says", "say"), ("plays", "play"), ("watches", "watch"), ("fixes", "fix"),
    ("buzzes", "buzz"), ("passes", "pass"), ("dies", "die"), ("lies", "lie"), ("ties", "tie"), ("vetoes", "veto"),
    ("quizzes", "quiz"), ("panics", "panic"), ("Knows", "Know"), ("IS", "ARE"), ("Isn’t", "Aren’t"),
    ("DOESN'T", "DON'T"),
]  # fmt: skip


@pytest.mark.parametrize(("singular", "plural"), PAIRS)
def test_both_ways(singular: str, plural: str) -> None:
    assert to_plural(singular) == plural
    assert to_singular(plural) == singular


@pytest.mark.parametrize(
    "word", ["can", "will", "must", "be", "been", "ain't", "knew", "the", "", "’", "his", "this", "always"]
)
def test_no_third_person_form(word: str) -> None:
    assert to_plural(word) is None


@pytest.mark.parametrize("word", ["the", "blorf", "", "they", "is", "isn't"])
def test_no_plural_form(word: str) -> None:
    assert to_singular(word) is None


def test_several_spellings_have_one_base() -> None:
    assert to_plural("buses") == to_plural("busses") == "bus"
    assert to_singular("bus") == "buses"


def test_every_verb_of_the_table_comes_back_to_its_base() -> None:
    """Both directions agree on all of the table: the singular made of a base leads to that base again."""
    for row in read_table("en", "verbs"):
        singular = to_singular(row["base"])
        assert singular is not None and to_plural(singular) == row["base"], row


def test_auxiliaries_are_complete() -> None:
    """Each auxiliary has its negated form, with and without apostrophe."""
    for word in ("is", "was", "has", "does"):
        plural = AUXILIARIES[word]
        assert AUXILIARIES[f"{word}n't"] == f"{plural}n't"
        assert AUXILIARIES[f"{word}nt"] == f"{plural}nt"


@pytest.mark.parametrize(
    ("form", "plural"),
    [("yeets", "yeet"), ("blorfies", "blorfy"), ("Googlezes", "Googlez"), ("zorches", "zorch"), ("miss", None),
     ("bus", None), ("its", None), ("basis", None), ("x's", None)],
)  # fmt: skip
def test_spelling_rules_for_verbs_outside_the_table(form: str, plural: str | None) -> None:
    assert guess_plural(form) == plural


@pytest.mark.parametrize(
    ("model", "word", "expected"),
    [("he", "they", "they"), ("He", "they", "They"), ("HE", "they", "THEY"), ("A", "they", "They"),
     ("", "they", "they"), ("O'Neill", "they", "They"), ("iPhone", "they", "they")],
)  # fmt: skip
def test_case_style(model: str, word: str, expected: str) -> None:
    assert match_case(model, word) == expected
