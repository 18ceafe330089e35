"""Tables of closed classes, whole: pronouns, articles and determiners are few, and each of them matters."""

from __future__ import annotations

import pytest

from lexicons.loader import read_table

CASES = ("nominative", "accusative", "dative", "genitive")
#: masculine and feminine of the German articles and pronouns, in the four cases
DECLENSIONS = {
    "article": [
        "der den dem des", "die die der der",
        "derselbe denselben demselben desselben", "dieselbe dieselbe derselben derselben",
        "derjenige denjenigen demjenigen desjenigen", "diejenige diejenige derjenigen derjenigen",
    ],
    "relative": ["der den dem dessen", "die die der deren"],
    "pronoun": ["er ihn ihm", "sie sie ihr"],
}  # fmt: skip
ENDINGS = ("", "e", "en", "em", "er", "es")
STEMS = {
    "article": "ein irgendein kein dies jen jed jedwed manch welch solch irgendwelch",
    "possessive": "mein dein unser euer",
    "his": "sein",
    "her": "ihr",
    "plural": "all sämtlich beid viel einig mehrer wenig zahlreich etlich verschieden",
}


#: rows of lists that are as they were published, or that were chosen as a set
ROWS = {
    ("en", "bec_pro_persons"): 9, ("en", "bec_pro_professions"): 60, ("en", "bec_pro_templates"): 10,
    ("de", "bec_pro_persons"): 9, ("de", "bec_pro_professions"): 60, ("de", "bec_pro_templates"): 10,
    ("en", "fill_in_templates"): 16, ("de", "fill_in_templates"): 14, ("en", "template_persons"): 15,
    ("en", "template_frames"): 6,
}  # fmt: skip


@pytest.mark.parametrize(("lang", "name"), ROWS)
def test_sets_are_whole(lang: str, name: str) -> None:
    assert len(read_table(lang, name)) == ROWS[lang, name]


@pytest.mark.parametrize("kind", DECLENSIONS)
def test_german_articles_and_pronouns_in_all_cases(kind: str) -> None:
    expected = []
    for masculine, feminine in zip(DECLENSIONS[kind][::2], DECLENSIONS[kind][1::2], strict=True):
        expected += list(zip(CASES, masculine.split(), feminine.split(), strict=False))
    rows = [row for row in read_table("de", "pairs") if row["kind"] == kind]
    assert [(row["case"], row["masculine"], row["feminine"]) for row in rows] == expected


def test_german_contractions() -> None:
    rows = [tuple(row.values()) for row in read_table("de", "pairs") if row["kind"] == "contraction"]
    feminines = {"zum": "zur", "vom": "von der", "beim": "bei der", "am": "an der", "im": "in der"}
    assert rows == [("contraction", "dative", masculine, feminine) for masculine, feminine in feminines.items()]


def test_german_forms_of_personal_pronouns_and_possessives() -> None:
    forms = {row["form"] for row in read_table("de", "pronoun_forms")}
    possessives = {stem + ending for stem in ("sein", "ihr") for ending in ENDINGS}
    assert forms == {"er", "ihn", "ihm", "sie"} | possessives


def test_german_determiners() -> None:
    rows = read_table("de", "determiners")
    assert {kind: [row["stem"] for row in rows if row["kind"] == kind] for kind in STEMS} == {
        kind: stems.split() for kind, stems in STEMS.items()
    }
    assert len(rows) == sum(len(stems.split()) for stems in STEMS.values())
    for row in rows:
        assert (row["paradigm"] == "pronominal") is (row["adjectives"] != "mixed")
        assert (row["adjectives"] == "strong") is (row["stem"] in STEMS["plural"].split()[3:])


def test_english_forms_of_pronouns() -> None:
    gendered = {row["gendered"] for row in read_table("en", "pronouns")} - {"hisself"}
    fair = "they them their theirs themself themselves".split()
    assert {row["form"] for row in read_table("en", "pronoun_forms")} == gendered | set(fair)


def test_english_pronouns_have_their_gender() -> None:
    genders = {(row["gendered"], row["gender"]) for row in read_table("en", "pronouns")}
    masculine, feminine = "he him his himself hisself", "she her hers herself"
    assert genders == {(word, "masculine") for word in masculine.split()} | {
        (word, "feminine") for word in feminine.split()
    }
