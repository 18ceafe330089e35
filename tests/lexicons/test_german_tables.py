"""Facts of German that its tables must agree with: suffixes and genders, weak nouns, feminines, paradigms.

The rules are those of any grammar, the exceptions are listed: a slip in a table breaks a rule and is no exception.
"""

from __future__ import annotations

import re
from collections import Counter

import pytest

from lexicons.loader import read_table

PERSONS = ("persons", "persons_own", "persons_rare", "persons_more")


def persons() -> list[dict[str, str]]:
    return [row for name in PERSONS for row in read_table("de", name)]


def with_umlaut(word: str) -> str:
    """Return a word with an umlaut in the place of its last vowel that has one."""
    found = list(re.finditer("au|[aouAOU]", word))
    if not found:
        return word
    last = found[-1]
    changed = {"au": "äu"}.get(last[0], last[0].translate(str.maketrans("aouAOU", "äöüÄÖÜ")))
    return word[: last.start()] + changed + word[last.end() :]


# ---------------------------------------------------------------- persons


def feminines(masculine: str) -> set[str]:
    """Return what the rule makes of a masculine: -in behind it, or in the place of -e and -er, maybe with an umlaut."""
    stems = {masculine, re.sub("e$", "", masculine), re.sub("er$", "", masculine)}
    return {f"{form}in" for stem in stems for form in (stem, with_umlaut(stem))}


def test_feminines_are_made_of_their_masculines() -> None:
    # Bachelorandin belongs to Bachelorand; it is how persons.tsv pairs it
    known = {"Kustodin", "Pharaonin", "Bachelorandin"}
    assert [row["feminine"] for row in persons() if row["feminine"] not in feminines(row["masculine"]) | known] == []


def test_plurals_are_made_of_their_singulars() -> None:
    known = {"Kustoden", "Pharaonen", "Coaches", "Bolschewiki", "Falascha", "Bacheloren"}
    odd = []
    for row in persons():
        masculine, stem = row["masculine"], re.sub("e?r$", "", row["masculine"])
        regular = {
            form + end for form in (masculine, with_umlaut(masculine)) for end in ("", "e", "er", "n", "en", "s")
        }
        if row["plural"] not in regular | {stem + "e", stem + "en"} | known:
            odd.append((masculine, row["plural"]))
    assert odd == []


def test_weak_nouns_end_in_n_in_the_plural() -> None:
    known = {"Steinmetz", "Offizial", "Falasche"}
    weak = [row for row in persons() if row["declension"] == "weak"]
    assert [row for row in weak if not row["plural"].endswith("n") and row["masculine"] not in known] == []


def test_masculines_in_er_have_their_singular_as_plural() -> None:
    odd = {
        row["masculine"]
        for row in persons()
        if row["masculine"].endswith("er") and row["declension"] != "adjectival" and row["plural"] != row["masculine"]
    }
    rest = {word for word in odd if not word.endswith(("ier", "bauer", "Bauer", "bayer", "Bayer"))}
    assert rest == {"Schwager", "Vetter", "Gevatter", "Kimber", "Pommer", "Zimber"}


def test_masculines_in_e_are_not_strong() -> None:
    assert [row for row in persons() if row["masculine"].endswith("e") and row["declension"] == "strong"] == []


def test_masculines_of_weak_suffixes_are_weak() -> None:
    suffixes = re.compile(r"(?:ist|ent|ant|loge|and|graf|soph|nom|at)$")
    odd = {row["masculine"] for row in persons() if suffixes.search(row["masculine"]) and row["declension"] == "strong"}
    rest = {word for word in odd if not word.endswith("rat")}
    # a loan with the plural in -s first; grammars have the last two as weak, as their plurals in -en say
    assert rest == {"Consultant", "Leutnant", "Lieutenant", "Sergeant", "Obrist", "Illuminat", "Supplikant"}


def test_declensions_are_known_and_nouns_have_capitals() -> None:
    rows = persons()
    assert {row["declension"] for row in rows} == {"strong", "weak", "mixed", "adjectival"}
    assert all(row[key][0].isupper() for row in rows for key in ("masculine", "feminine", "plural"))
    letters = re.compile(r"[A-Za-zÄÖÜäöüß]+(?:-[A-Za-zÄÖÜäöüß]+)*")
    assert [
        row for row in rows if not all(letters.fullmatch(row[key]) for key in ("masculine", "feminine", "plural"))
    ] == []


@pytest.mark.parametrize("name", PERSONS)
def test_adjectival_persons_have_the_endings_of_adjectives(name: str) -> None:
    for row in read_table("de", name):
        if row["declension"] == "adjectival":
            assert row["masculine"].endswith("er") and row["plural"] == row["masculine"][:-1]


@pytest.mark.parametrize(
    "row",
    [
        "Arzt Ärztin strong Ärzte",
        "Bauer Bäuerin mixed Bauern",
        "Koch Köchin strong Köche",
        "Kunde Kundin weak Kunden",
        "Student Studentin weak Studenten",
        "Beamter Beamtin adjectival Beamte",
        "Lehrer Lehrerin strong Lehrer",
        "Kollege Kollegin weak Kollegen",
        "Anwalt Anwältin strong Anwälte",
        "Bote Botin weak Boten",
        "Präsident Präsidentin weak Präsidenten",
        "König Königin strong Könige",
        "Nachbar Nachbarin mixed Nachbarn",
        "Doktor Doktorin strong Doktoren",
        "Chef Chefin strong Chefs",
    ],
)
def test_everyday_persons(row: str) -> None:
    masculine, feminine, declension, plural = row.split()
    rows = [row for row in persons() if row["masculine"] == masculine]
    assert (feminine, plural) in {(row["feminine"], row["plural"]) for row in rows}
    assert declension in {row["declension"] for row in rows}


# ---------------------------------------------------------------- genders

#: suffix -> gender of its nouns, and those that end so by chance (a noun whose last part is one of these)
SUFFIXES = {
    "ung": ("f", {"sprung", "schwung", "Samsung"}),
    "heit": ("f", {"scheit"}),
    "keit": ("f", set()),
    "schaft": ("f", set()),
    "tät": ("f", set()),
    "ion": ("f", {"stadion", "Stadion", "ganglion", "Achilleion", "Dominion", "Eurovision", "Skorpion"}),
    "lein": ("n", set()),
    "ment": ("n", set()),
    "ismus": ("m", set()),
    "ungen": ("p", set()),
    "heiten": ("p", set()),
    "keiten": ("p", set()),
    "ionen": ("p", set()),
    "täten": ("p", set()),
    "schaften": ("p", {"Wirtschaften"}),
}
#: forms that a count of determiners before them took for plurals
MISCOUNTED = set(
    "Bescheidenheit Entschiedenheit Klarheit Ausführlichkeit Bitterkeit Deutlichkeit Ewigkeit Müdigkeit".split()
)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_suffix_settles_the_gender(suffix: str) -> None:
    gender, chance = SUFFIXES[suffix]
    rows = [
        row
        for row in read_table("de", "genders")
        if row["noun"].endswith(suffix) and len(row["noun"]) > len(suffix) + 3
    ]
    odd = {row["noun"] for row in rows if row["gender"] != gender} - MISCOUNTED
    assert len(rows) > 10
    assert {noun for noun in odd if not noun.lower().endswith(tuple(word.lower() for word in chance))} == set()


def test_feminine_persons_are_feminine() -> None:
    genders = {row["noun"]: row["gender"] for row in read_table("de", "genders")}
    assert [row["feminine"] for row in persons() if genders.get(row["feminine"], "f") != "f"] == []


def test_genders_are_sorted_and_counted() -> None:
    rows = read_table("de", "genders")
    nouns = [row["noun"] for row in rows]
    assert nouns == sorted(set(nouns)) and {row["gender"] for row in rows} == set("mfnp")
    assert all(int(row["count"]) > 1 for row in rows)


# ---------------------------------------------------------------- closed classes

ENDINGS = {
    # masculine, feminine, plural: nominative, accusative, dative, genitive
    "indefinite": ("- en em es", "e e er er", ". . . ."),
    "possessive": ("- en em es", "e e er er", "e e en er"),
    "pronominal": ("er en em es", "e e er er", "e e en er"),
    "weak": ("e en en en", "e e en en", "en en en en"),
    "mixed": ("er en en en", "e e en en", "en en en en"),
    "strong": ("er en em en", "e e er er", "e e en er"),
}
CASES = ("nominative", "accusative", "dative", "genitive")


@pytest.mark.parametrize("paradigm", ENDINGS)
def test_endings_are_those_of_the_grammar(paradigm: str) -> None:
    rows = {row["case"]: row for row in read_table("de", "endings") if row["paradigm"] == paradigm}
    found = tuple(" ".join(rows[case][column] for case in CASES) for column in ("masculine", "feminine", "plural"))
    assert found == ENDINGS[paradigm]


PAIRS = {
    ("article", "nominative"): {("der", "die")},
    ("article", "accusative"): {("den", "die")},
    ("article", "genitive"): {("des", "der")},
    ("relative", "nominative"): {("der", "die")},
    ("relative", "dative"): {("dem", "der")},
    ("relative", "genitive"): {("dessen", "deren")},
    ("pronoun", "nominative"): {("er", "sie")},
    ("pronoun", "accusative"): {("ihn", "sie")},
    ("pronoun", "dative"): {("ihm", "ihr")},
}


@pytest.mark.parametrize(("kind", "case"), PAIRS)
def test_pairs_of_the_closed_classes(kind: str, case: str) -> None:
    found = {
        (r["masculine"], r["feminine"]) for r in read_table("de", "pairs") if (r["kind"], r["case"]) == (kind, case)
    }
    assert found >= PAIRS[kind, case]


def test_contractions_hold_their_article() -> None:
    found = {(row["masculine"], row["feminine"]) for row in read_table("de", "pairs") if row["kind"] == "contraction"}
    assert {("zum", "zur"), ("vom", "von der"), ("beim", "bei der"), ("im", "in der"), ("am", "an der")} <= found


PREPOSITIONS = {
    "dative": "mit nach von seit aus zu bei gegenüber außer",
    "accusative": "für durch gegen ohne um",
    "accusative dative": "an auf hinter in neben über unter vor zwischen",
}


@pytest.mark.parametrize("cases", PREPOSITIONS)
def test_prepositions_govern_their_cases(cases: str) -> None:
    known = {row["word"]: row["cases"] for row in read_table("de", "prepositions")}
    assert {known[word] for word in PREPOSITIONS[cases].split()} == {cases}


def test_kinds_are_those_that_the_tables_explain() -> None:
    kinds = {
        "abbreviations": "always rare", "function_words": "strong weak other", "nominalised": "yes no rarely",
        "things": "word|suffix|ambiguous|surname|small|first|no head|rest|short first",
        "name_hints": "no name|known|title|office|function|place|thing|before a thing",
        "groups_gender": "person family title role",
        "verb_forms": "auxiliary copula strong present other", "name_pairs": "both",
    }  # fmt: skip
    columns = {"nominalised": "certain", "name_pairs": "way"}
    for name, told in kinds.items():
        expected = set(told.split("|") if "|" in told else told.split())
        assert {row[columns.get(name, "kind")] for row in read_table("de", name)} == expected, name


def test_verb_forms_of_the_auxiliaries() -> None:
    known = {row["form"]: row["number"] for row in read_table("de", "verb_forms")}
    singular, plural = (
        "ist war hat hatte wird wurde kann muss soll will darf mag".split(),
        "sind waren haben hatten werden".split(),
    )
    assert {known[form] for form in singular} == {"singular"} and {known[form] for form in plural} == {"plural"}
    assert all(form.endswith("n") or form == "sind" for form, number in known.items() if number == "plural")
    assert all(form.endswith(("st", "t", "seid")) for form, number in known.items() if number == "second")


def test_pairs_of_names_are_one_to_one() -> None:
    rows = read_table("de", "name_pairs")
    women, men = ({row[key] for row in rows} for key in ("feminine", "masculine"))
    assert len(women) == len(men) == len(rows) and not women & men
    assert {row["decade"] for row in rows} == {"1900", "1920", "1940", "1960", "1980", "2000"}


def test_swapped_words_are_declined() -> None:
    """A feminine does not change in the genitive; a masculine or neuter gets -s or -n."""
    for row in read_table("de", "swap"):
        if row["feminine_gender"] == "f" and row["feminine_genitive"] != "-":
            assert row["feminine_genitive"] == row["feminine"]
        for side in ("feminine", "masculine"):
            if row[f"{side}_gender"] in ("m", "n") and row[f"{side}_genitive"] != "-":
                assert re.search("[sn]$", row[f"{side}_genitive"]), row


def test_lower_case_lists_are_lower_case_and_hold_a_word_once() -> None:
    for name in ("no_persons", "things", "verb_forms", "function_words", "stop_words"):
        first = next(iter(read_table("de", name)[0]))
        assert all(row[first] == row[first].lower() for row in read_table("de", name) if name != "stop_words"), name
    for name in ("no_persons", "nominalised", "towns", "prepositions", "abbreviations"):
        first = next(iter(read_table("de", name)[0]))
        assert max(Counter(row[first] for row in read_table("de", name)).values()) == 1, name


def test_what_no_network_took_for_a_person_is_in_no_list_of_persons() -> None:
    assert {row["word"] for row in read_table("de", "no_persons")} & {
        row["masculine"].lower() for row in persons()
    } == set()
