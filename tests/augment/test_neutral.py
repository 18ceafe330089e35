"""Lines in which nothing speaks of a gender: none of the treatments of a corpus may touch them."""

from __future__ import annotations

import json
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from augment.balance.metadata import load_metadata, parse_metadata, shipped
from augment.neutral import NeutralGate, neutral_lines
from augment.swap import Swapper
from eval.bec_pro import generate
from lexicons.loader import read_table
from rewriter import Rewriter
from rewriter.errors import UsageError

OWN = {
    "category_words": [["pilot", "sky lord", ""], ["cook", "", ""]],
    "category_identifier": [["bloke"], ["sheila"]],
    "category_name": ["male", "female"],
}
METADATA = parse_metadata(json.dumps(OWN), where="own.json")
WORDS = ["the", "nurse", "pilot", "they", "lamp", "Mary", "he", "She's", "wife", "actress", "Mr", "Bloke", "sky-lords"]


@pytest.mark.parametrize(
    "line",
    [
        "The nurse and the pilot see a lamp.",
        "They left their boat; somebody took it themselves.",
        "A theory of shells, sheets and hermits",
        "",
    ],
)
def test_what_is_neutral(line: str) -> None:
    assert list(neutral_lines([line], "en", metadata=[METADATA])) == [line]


@pytest.mark.parametrize(
    "line",
    [
        "HE left.", "It is hers.", "(s)he may go", "She's here.", "an actress", "Ask the chairman.", "two policewomen",
        "Mr. Hill", "her_book", "My mom slept.", "a male nurse", "The blokes left.", "a sky-lord", "Sheila’s boat",
    ],
)  # fmt: skip
def test_what_is_not(line: str) -> None:
    assert list(neutral_lines([line], "en", metadata=[METADATA])) == []


def test_names_count_where_they_are_swapped() -> None:
    lines = ["Mary sees a lamp.", "The lamp shines."]
    assert list(neutral_lines(lines, "en")) == lines
    assert list(neutral_lines(lines, "en", names=True)) == lines[1:]


@pytest.mark.parametrize("lang", ["en", "de"])
def test_no_person_word_and_no_gendered_form_of_the_shipped_lists_comes_through(lang: str) -> None:
    metadata = [load_metadata(name, lang=lang) for name in shipped(lang)]
    gate = NeutralGate(lang, metadata)
    assert gate({"en": "The lamp shines.", "de": "Die Lampe steht auf dem Tisch."}[lang])
    words = {item.person for item in generate(lang).items}
    words |= {form for one in metadata for forms in one.identifiers for form in forms}
    words |= {form for one in metadata for term in one.terms for forms in term.words for form in forms}
    assert [word for word in sorted(words) if gate(f"X {word} X")] == []


def test_no_word_that_is_swapped_or_rewritten_comes_through() -> None:
    """Of words that are swapped one way (*poetess* becomes *poet*) the other one stays, so it is neutral."""
    gate = NeutralGate("en")
    ways = {"both": ("feminine", "masculine"), "to-masculine": ("feminine",), "to-feminine": ("masculine",)}
    words = [row[column] for row in read_table("en", "swap") for column in ways[row["way"]]]
    words += [row["gendered"] for row in read_table("en", "nouns")]
    assert [word for word in words if gate(f"an {word} is")] == []
    assert gate("The poet left.")


@cache
def treatments() -> tuple[NeutralGate, Rewriter, Swapper]:
    return NeutralGate("en", [METADATA], names=True), Rewriter.from_pretrained("en"), Swapper("en")


@settings(deadline=None, max_examples=60)
@given(st.lists(st.sampled_from(WORDS), max_size=6).map(" ".join))
def test_nothing_touches_a_neutral_line(line: str) -> None:
    gate, rewriter, swapper = treatments()
    if gate(line):
        assert rewriter.rewrite(line) == line and swapper.swap(line) == line


def test_a_language_that_nobody_knows_is_told() -> None:
    with pytest.raises(UsageError, match="xx"):
        NeutralGate("xx")
