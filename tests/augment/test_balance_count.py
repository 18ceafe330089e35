"""Counting for balance: the worked examples of Becker 2022 (Tables 2 and 3), variants, and an independent counter."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from augment.balance.count import CountOptions, count_texts
from augment.balance.forms import Variants, english_plurals
from augment.balance.metadata import Metadata, parse_metadata
from rewriter.errors import RecipeError, UsageError

MALE = ["he", "man", "brother", "son", "husband", "boyfriend", "father", "uncle", "dad"]
FEMALE = ["she", "woman", "sister", "daughter", "wife", "girlfriend", "mother", "aunt", "mom"]


def metadata_of(*words: Any, lang: str = "en") -> Metadata:
    data = {
        "category_words": list(words),
        "category_identifier": [MALE, FEMALE],
        "category_name": ["male", "female"],
        "lang": lang,
    }
    return parse_metadata(json.dumps(data))


#: the entries of the source's synonym metadata (its Appendix 8.2) that its examples use
SYNONYMS = metadata_of(
    ["firefighter", "fireman", "firewoman"],
    [["housekeeper", "biddy", "char"], "house boy", ["charwoman", "handmaid", "handmaiden", "maid"]],
    [["salesperson", "salesclerk", "salespeople"], "salesman", "saleswoman"],
)

TABLE_2 = (
    "Till, the fireman was the first at the fire. The Firewoman Claudia helped him out. "
    "They saved the handmaid and the salesman, who lived in the house."
)
TABLE_3 = (
    "Till, the firefighter was the first at the fire, he called his brother and started with saving the people. "
    "The Firewoman Claudia, her son, and her brother come nearby and helped him out. "
    "They saved the handmaid, her daughter, and the salesman and his son, who lived in the house."
)

# Slips of the source, mended here: its Tables 2 and 3 give "salesperson: 0,1", though the only word is *salesman*;
# Table 3 calls paragraph 1302 by the number of Table 2, 1102.
WORKED = [
    ("table 2", TABLE_2, "paragraph", {"firefighter": [1, 1], "housekeeper": [0, 1], "salesperson": [1, 0]}),
    ("table 3", TABLE_3, "paragraph", {"firefighter": [5, 2], "housekeeper": [0, 1], "salesperson": [1, 0]}),
    ("table 3", TABLE_3, "sentence", {"firefighter": [2, 1], "housekeeper": [0, 1], "salesperson": [1, 0]}),
    ("table 3", TABLE_3, "two-sentences", {"firefighter": [4, 1], "housekeeper": [0, 1], "salesperson": [1, 0]}),
]


def counts(texts: list[str], metadata: Metadata, **options: Any) -> dict[str, list[int]]:
    statistics = count_texts(texts, metadata, CountOptions(**options)).statistics
    rows = zip(statistics.terms, statistics.totals().tolist(), strict=True)
    return {name: row for name, row in rows if any(row)}


@pytest.mark.parametrize(("text", "context", "expected"), [case[1:] for case in WORKED])
def test_the_worked_examples(text: str, context: str, expected: dict[str, list[int]]) -> None:
    assert counts([text], SYNONYMS, context=context) == expected


NURSE = metadata_of(["nurse", "", ""], ["registered nurse", "", ""], ["police officer", "policeman", "policewoman"])

CASES = [
    ("the longest form counts", "She is a registered nurse.", {}, {"registered nurse": [0, 1]}),
    ("identifiers count once for a term that is named twice", "A nurse, she is a nurse.", {}, {"nurse": [0, 1]}),
    ("each identifier counts", "He and his brother, a nurse, and she.", {}, {"nurse": [2, 1]}),
    ("not in another sentence", "The nurse came. She left.", {}, {}),
    ("words in words do not count", "He nursed his policemanship.", {}, {}),
    ("punctuation", '"Nurse!" (he)', {}, {"nurse": [1, 0]}),
    ("a category word needs no identifier", "A policewoman.", {}, {"police officer": [0, 1]}),
    ("it counts as often as it stands there", "Policeman by policeman.", {}, {"police officer": [2, 0]}),
    ("no plurals by default", "Two nurses and she.", {}, {}),
    ("plurals", "Two nurses and she.", {"variants": Variants(plurals=True)}, {"nurse": [0, 1]}),
    ("plurals in -men", "Two policemen.", {"variants": Variants(plurals=True)}, {"police officer": [1, 0]}),
    ("no hyphens by default", "A police-officer, he says.", {}, {}),
    ("hyphens", "A police-officer, he says.", {"variants": Variants(hyphens=True)}, {"police officer": [1, 0]}),
    ("case does not count", "NURSE, HE.", {}, {"nurse": [1, 0]}),
    ("exact case", "NURSE? he. A nurse, he.", {"variants": Variants(exact_case=True)}, {"nurse": [1, 0]}),
    ("a line break in a phrase", "a registered\nnurse, he", {}, {"registered nurse": [1, 0]}),
    ("no names by default", "Mary is a nurse.", {}, {}),
    ("names", "Mary is a nurse.", {"names": True}, {"nurse": [0, 1]}),
    ("a common word that begins a sentence is no name", "Will a nurse come?", {"names": True}, {}),
]


@pytest.mark.parametrize(("text", "options", "expected"), [c[1:] for c in CASES], ids=[c[0] for c in CASES])
def test_what_counts(text: str, options: dict[str, Any], expected: dict[str, list[int]]) -> None:
    assert counts([text], NURSE, **options) == expected


def test_a_word_of_two_entries_counts_for_both() -> None:
    metadata = metadata_of([["secretary", "clerk"], "", ""], [["bookkeeper", "clerk"], "", ""])
    assert counts(["He is a clerk."], metadata) == {"secretary": [1, 0], "bookkeeper": [1, 0]}


def test_german_forms_with_a_star() -> None:
    metadata = metadata_of([["Lehrkraft", "Lehrer*in"], "Lehrer", "Lehrerin"], lang="de")
    texts = ["Der Lehrer kam.", "Die Lehrerin kam.", "Ein*e Lehrer*in und ein Lehrer:in kamen."]
    assert counts(texts, metadata, lang="de") == {"Lehrkraft": [1, 1]}


def test_three_categories() -> None:
    data = {
        "category_words": [["parent", "father", "mother", ""]],
        "category_identifier": [["he"], ["she"], ["xe", "xem"]],
        "category_name": ["male", "female", "neo"],
    }
    metadata = parse_metadata(json.dumps(data))
    assert counts(["A parent, xe or xem.", "A father, a mother."], metadata) == {"parent": [1, 1, 2]}


def test_paragraphs_have_their_numbers() -> None:
    result = count_texts(["nothing", "A nurse, he.", "", "A policeman."], NURSE)
    assert result.statistics.places.tolist() == [[0, 2], [0, 4]]
    assert result.paragraphs == 4


@pytest.mark.parametrize(
    ("singular", "plurals"),
    [
        ("nurse", ["nurses"]),
        ("secretary", ["secretaries"]),
        ("policewoman", ["policewomen"]),
        ("salesperson", ["salespeople", "salespersons"]),
        ("coach", ["coaches"]),
        ("director of religious activities", ["directors of religious activities"]),
    ],
)
def test_plurals(singular: str, plurals: list[str]) -> None:
    assert english_plurals(singular) == plurals


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"method": "guess"}, "unknown method 'guess'"),
        ({"context": "page"}, "unknown context 'page'"),
        ({"method": "dependency"}, "needs a parser"),
        ({"method": "dependency", "parser": "x", "context": "paragraph"}, "do not leave a sentence"),
        ({"method": "similarity"}, "needs word vectors"),
    ],
)
def test_options_that_cannot_be(options: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        CountOptions(**options)


def test_plurals_are_english_only() -> None:
    with pytest.raises(UsageError, match="plurals are made for English only"):
        count_texts([], metadata_of(["Lehrkraft", "", ""], lang="de"), CountOptions(variants=Variants(plurals=True)))


def test_names_need_their_categories() -> None:
    data = {
        "category_words": [["nurse", "", ""]],
        "category_identifier": [["he"], ["she"]],
        "category_name": ["m", "f"],
    }
    with pytest.raises(UsageError, match="'female' and 'male' only"):
        count_texts([], parse_metadata(json.dumps(data)), CountOptions(names=True))


# ---------------------------------------------------------------- an independent simple counter

WORDS = ["nurse", "registered nurse", "police officer", "policeman", "policewoman", "he", "He", "she", "man", "mother"]
FILLERS = ["the", "who", "sees", "a", "über", "heman", "nurse's", "x-he-x", "there.", "(a)", "“b”", "naïve", ","]


def simple_count(text: str) -> dict[str, list[int]]:
    """Count one paragraph as a whole, word by word, in plain Python."""
    words = re.findall(r"[^\W_]+", text.lower())
    found = {"nurse": [0, 0], "registered nurse": [0, 0], "police officer": [0, 0]}
    neutral, identifiers, place = set(), [0, 0], 0
    while place < len(words):
        word, pair = words[place], " ".join(words[place : place + 2])
        if pair in ("registered nurse", "police officer"):
            neutral.add(pair)
            place += 2
            continue
        if word == "nurse":
            neutral.add(word)
        elif word in ("policeman", "policewoman"):
            found["police officer"][word == "policewoman"] += 1
        elif word in MALE + FEMALE:
            identifiers[word in FEMALE] += 1
        place += 1
    for term in neutral:
        found[term] = [a + b for a, b in zip(found[term], identifiers, strict=True)]
    return {term: row for term, row in found.items() if any(row)}


@given(st.lists(st.lists(st.sampled_from(WORDS + FILLERS), max_size=12).map(" ".join), max_size=30))
@settings(max_examples=60, deadline=None)
def test_counts_are_those_of_a_simple_counter(texts: list[str]) -> None:
    # what stands between the words of a phrase is white space in both, since fillers hold no border inside a phrase
    statistics = count_texts(texts, NURSE, CountOptions(context="paragraph"), batch=7).statistics
    ours = {
        int(place[1]): {statistics.terms[term]: row for term, row in statistics.rows(number)}
        for number, place in enumerate(statistics.places)
    }
    expected = {number: row for number, text in enumerate(texts, 1) if (row := simple_count(text))}
    assert ours == expected


def test_dependency_without_paths_is_refused() -> None:
    spacy = pytest.importorskip("spacy")
    from augment.balance.forms import Forms
    from augment.balance.judge import ByDependency, PathFinder
    from augment.dependency import Parser

    parser = Parser(spacy.blank("en"), "clear", "blank")
    with pytest.raises(RecipeError, match="has no allowed_depend"):
        ByDependency(PathFinder(parser, Forms(NURSE)), NURSE)
