"""Metadata of the balancer: the source's format, clear errors with the key's path, what is shipped."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from augment.balance.metadata import load_metadata, parse_metadata, shipped
from rewriter.errors import RecipeError

GOOD: dict[str, Any] = {
    "category_words": [
        ["firefighter", "fireman", "firewoman"],
        [["dental hygienist", "dental surgeon"], "", ""],
        ["housekeeper", ["houseman"], ["charwoman", "handmaid"]],
    ],
    "category_identifier": [["he", "man"], ["she", "woman"]],
    "category_name": ["male", "female"],
    "allowed_depend": [["_nsubj", "attr"], ["appos"]],
}


def with_changes(**changes: Any) -> str:
    data = {key: value for key, value in (GOOD | changes).items() if value is not ...}
    return json.dumps(data)


def test_the_format_of_the_source() -> None:
    metadata = parse_metadata(json.dumps(GOOD))
    assert metadata.categories == ("male", "female")
    assert [term.name for term in metadata.terms] == ["firefighter", "dental hygienist", "housekeeper"]
    assert metadata.terms[1].neutral == ("dental hygienist", "dental surgeon")
    assert metadata.terms[1].words == ((), ())
    assert metadata.terms[2].words == (("houseman",), ("charwoman", "handmaid"))
    assert metadata.allowed == {("_nsubj", "attr"), ("appos",)}
    assert metadata.scheme == "clear", "told by its labels"


def test_the_spelling_of_the_source_s_appendix_is_read_too() -> None:
    data = {key.replace("_", "") if key != "allowed_depend" else key: value for key, value in GOOD.items()}
    assert parse_metadata(json.dumps(data)) == parse_metadata(json.dumps(GOOD))


def test_three_categories() -> None:
    text = with_changes(
        category_words=[["parent", "father", "mother", "nonbinary parent"]],
        category_identifier=[["he"], ["she"], ["xe"]],
        category_name=["male", "female", "other"],
    )
    assert parse_metadata(text).terms[0].words == (("father",), ("mother",), ("nonbinary parent",))


ERRORS = [
    ("not JSON", '{\n  "category_words": [ #Neutral form\n', r"m:2: not valid JSON"),
    ("a key twice", '{"category_name": [], "category_name": []}', r"'category_name' is given twice"),
    ("no object", "[1]", r"must be a JSON object .*not a list"),
    ("missing key", with_changes(category_name=...), r"m: category_name: is missing"),
    ("unknown key", with_changes(category_nam=[]), r"category_nam: unknown key \(did you mean 'category_name'\?\)"),
    ("one category", with_changes(category_name=["male"]), r"category_name: must name at least two"),
    ("same name", with_changes(category_name=["male", "male"]), r"category_name\[1\]: 'male' stands there twice"),
    ("names no list", with_changes(category_name="male"), r"category_name: must be a list of names, not a text"),
    ("identifiers", with_changes(category_identifier=[["he"]]), r"category_identifier: has 1 lists for 2 categories"),
    (
        "no identifier",
        with_changes(category_identifier=[["he"], []]),
        r"category_identifier\[1\]: must be a list of at",
    ),
    (
        "identifier of two",
        with_changes(category_identifier=[["he", "kid"], ["she", "Kid"]]),
        r"category_identifier\[1\]\[1\]: 'Kid' is an identifier of 'male' too",
    ),
    ("no terms", with_changes(category_words=[]), r"category_words: holds no term"),
    ("term too short", with_changes(category_words=[["nurse", ""]]), r"category_words\[0\]: has 2 parts; expected 3"),
    ("number", with_changes(category_words=[["nurse", 1, ""]]), r"category_words\[0\]\[1\]: must be a word or a list"),
    ("empty neutral", with_changes(category_words=[["", "x", "y"]]), r"category_words\[0\]\[0\]: the neutral word is"),
    (
        "no letter",
        with_changes(category_words=[["--", "", ""]]),
        r"category_words\[0\]\[0\]\[0\]: '--' holds no letter",
    ),
    (
        "word of two categories",
        with_changes(category_words=[["nurse", "sister", "Sister"]]),
        r"category_words\[0\]\[2\]: 'Sister' stands in category_words\[0\]\[1\] too",
    ),
    (
        "term twice",
        with_changes(category_words=[["nurse", "", ""], [["Nurse", "carer"], "", ""]]),
        r"category_words\[1\]\[0\]: 'Nurse' names the term category_words\[0\] already",
    ),
    ("empty path", with_changes(allowed_depend=[[]]), r"allowed_depend\[0\]: is empty"),
    ("label", with_changes(allowed_depend=[["_", "attr"]]), r"allowed_depend\[0\]\[0\]: must be a dependency label"),
    ("scheme unknown", with_changes(depend_scheme="cleer"), r"unknown label scheme 'cleer' \(did you mean 'clear'\?\)"),
    ("scheme open", with_changes(allowed_depend=[["appos"]]), r"depend_scheme: is missing"),
    ("flag", with_changes(targets_known="yes"), r"targets_known: must be true or false, not a text"),
]


@pytest.mark.parametrize(("text", "message"), [case[1:] for case in ERRORS], ids=[case[0] for case in ERRORS])
def test_errors_name_the_key_and_what_to_do(text: str, message: str) -> None:
    with pytest.raises(RecipeError, match=message) as caught:
        parse_metadata(text, where="m")
    assert str(caught.value).startswith("m")


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(RecipeError, match=r"none\.json: cannot be read"):
        load_metadata(tmp_path / "none.json")


def test_unknown_shipped_metadata() -> None:
    with pytest.raises(RecipeError, match=r"no metadata 'profesions' for 'en' \(did you mean 'professions'\?\)"):
        load_metadata("profesions")


def test_a_word_of_two_terms_is_told() -> None:
    words = [[["secretary", "clerk"], "", ""], [["bookkeeper", "clerk"], "", ""]]
    metadata = parse_metadata(with_changes(category_words=words))
    assert metadata.shared_words() == {"clerk": ["secretary", "bookkeeper"]}


@pytest.mark.parametrize("lang", ["en", "de"])
@pytest.mark.parametrize("name", ["professions", "professions_synonyms", "professions_other"])
def test_shipped_metadata(lang: str, name: str) -> None:
    assert name in shipped(lang)
    metadata = load_metadata(name, lang=lang)
    assert metadata.lang == lang
    assert metadata.categories == ("male", "female")
    assert len(metadata.terms) > 40
    assert metadata.targets_known == (name != "professions_other")


@pytest.mark.parametrize("lang", ["en", "de"])
def test_the_other_list_shares_no_word_with_the_known_targets(lang: str) -> None:
    def words(name: str) -> set[str]:
        terms = load_metadata(name, lang=lang).terms
        return {word.lower() for term in terms for some in (term.neutral, *term.words) for word in some}

    assert not words("professions_other") & (words("professions") | words("professions_synonyms"))
