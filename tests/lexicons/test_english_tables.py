"""Facts of English that its tables must agree with: spelling of forms in -s, plurals, pairs that mirror each other.

The rules are those of any grammar, the exceptions are listed: a slip in a table breaks a rule and is no exception.
"""

from __future__ import annotations

import re
from collections import Counter

import pytest

from lexicons.loader import read_table


def in_s(word: str) -> str:
    """Return the third person of a verb, or the plural of a noun, by the spelling rule."""
    if re.search("(?:s|x|z|ch|sh)$", word):
        return f"{word}es"
    return f"{word[:-1]}ies" if re.search("[^aeiou]y$", word) else f"{word}s"


def test_verbs_in_s_are_spelt_by_the_rule() -> None:
    odd = {row["third"]: row["base"] for row in read_table("en", "verbs") if in_s(row["base"]) != row["third"]}
    # -o takes -es as often as not, -s may be doubled
    rest = {k: v for k, v in odd.items() if not (v.endswith("o") and k == f"{v}es") and k not in (f"{v}ses", f"{v}zes")}
    assert rest == {
        "foregoes": "forgo", "lassooes": "lasso", "midwives": "midwife", "mis-does": "misdo", "purées": "puree",
        "re-does": "redo", "rendezvous": "rendezvous", "smoothes": "smooth", "stomachs": "stomach", "taxies": "taxi",
        "under-goes": "undergo",
    }  # fmt: skip


@pytest.mark.parametrize(("name", "column"), [("verb_forms", "form"), ("noun_forms", "word")])
def test_counted_forms_are_forms_of_verbs(name: str, column: str) -> None:
    known = {row["third"] for row in read_table("en", "verbs")}
    assert {row[column] for row in read_table("en", name)} - known == set()


def test_verbs_of_the_way_back_are_base_forms() -> None:
    known = {row["base"] for row in read_table("en", "verbs")}
    assert {row["word"] for row in read_table("en", "back") if row["kind"] == "verb"} - known == {"do", "have"}


def plurals(word: str) -> set[str]:
    return {
        in_s(word), re.sub("man$", "men", word), re.sub("person$", "people", word), re.sub("^man ", "men ", word),
        re.sub("^woman ", "women ", word), re.sub("^best (wo)?man", r"best \1men", word), re.sub("ix$", "ices", word),
        re.sub("wife$", "wives", word), re.sub("^man-?", "man ", f"{word}s"),
    }  # fmt: skip


@pytest.mark.parametrize("name", ["nouns", "nouns_wide"])
def test_plural_nouns_have_their_singular(name: str) -> None:
    rows = read_table("en", name)
    singular = {row["gendered"] for row in rows if row["number"] == "singular"}
    known = {form for word in singular for form in plurals(word)}
    assert {row["gendered"] for row in rows if row["number"] == "plural"} - known <= {"man hours"}


@pytest.mark.parametrize("name", ["nouns", "nouns_wide"])
def test_masculines_and_feminines_become_the_same_word(name: str) -> None:
    fair = {row["gendered"]: row["fair"] for row in read_table("en", name)}
    pairs = [(word, re.sub("man$", "woman", word)) for word in fair if re.search("(?<!wo)man$", word)]
    pairs += [(word, re.sub("men$", "women", word)) for word in fair if re.search("(?<!wo)men$", word)]
    found = [(man, woman) for man, woman in pairs if woman in fair]
    assert name != "nouns" or len(found) > 15
    assert [(man, woman) for man, woman in found if fair[man] != fair[woman]] == []


def test_of_several_rows_of_a_wide_noun_the_last_is_for_the_rest() -> None:
    rows = [(row["gendered"], row["when"]) for row in read_table("en", "nouns_wide")]
    assert len(rows) == len(set(rows))
    last = {word: place for place, (word, _) in enumerate(rows)}
    assert [word for place, (word, when) in enumerate(rows) if when == "-" and last[word] != place] == []


def test_given_names_have_shares_and_pairs_go_by_them() -> None:
    shares = {row["name"]: (float(row["female"]), float(row["male"])) for row in read_table("en", "given_names")}
    assert all(0 <= share < 5 for pair in shares.values() for share in pair) and (0.0, 0.0) not in shares.values()
    rows = read_table("en", "name_pairs")
    assert {name for row in rows for name in (row["feminine"], row["masculine"])} - shares.keys() == set()
    assert [row for row in rows if shares[row["feminine"]][0] < shares[row["feminine"]][1]] == []
    both = [row for row in rows if row["way"] == "both"]
    assert len({row["feminine"] for row in both}) == len({row["masculine"] for row in both}) == len(both)


def test_swapping_both_ways_gives_the_word_back() -> None:
    both = [row for row in read_table("en", "swap") if row["way"] == "both"]
    for key in ("feminine", "masculine"):
        assert [item for item in Counter((row[key], row["kind"]) for row in both).items() if item[1] > 1] == []


def test_swapped_words_have_the_same_number() -> None:
    plural = re.compile(r"(?:men|people|wives|(?<![su])s|children)$")
    alone = {"sis", "maids of honor"}
    odd = [
        (row["feminine"], row["masculine"])
        for row in read_table("en", "swap")
        if row["kind"] == "noun"
        and row["way"] == "both"
        and bool(plural.search(row["feminine"])) != bool(plural.search(row["masculine"]))
        and row["feminine"] not in alone
    ]
    assert odd == []


def test_double_forms_hold_the_pronouns_of_their_case() -> None:
    forms = {
        "subject": {"he", "she"}, "object": {"him", "her", "he", "she"}, "possessive": {"his", "her", "hers"},
        "standalone": {"his", "hers", "her"},
        "reflexive": {"himself", "herself", "him", "her", "self", "hisself", "themself", "themselves"},
    }  # fmt: skip
    for row in read_table("en", "double_forms"):
        words = set(re.findall("[a-z]+", row["form"])) - {"or", "and", "s", "he", "she"}
        assert words <= forms[row["case"]] | {"theirs", "their", "them", "they"}, row


def test_states_leave_one_reading() -> None:
    rows = {row["word"]: row["reading"] for row in read_table("en", "states")}
    assert list(rows) == sorted(rows) and set(rows.values()) == {"is", "has"}
    assert {rows[word] for word in ("allergic", "deficient", "devoid")} == {"is"}


def test_participles_do_not_end_in_ed_and_say_what_they_are() -> None:
    rows = read_table("en", "participles")
    assert {row["kind"] for row in rows} == {"has", "passive", "other", "active", "intransitive"}
    known = {row["participle"]: row["kind"] for row in rows}
    assert known["been"] == "has" and {"taken", "given", "written", "gone"} <= known.keys()


def test_odds_are_numbers_at_known_places() -> None:
    rows = read_table("en", "her_odds")
    places = {"all", "before", "ending", "behind", "behind two", "around"}
    assert {row["place"] for row in rows} == places
    assert all(-150 <= int(row["odds"]) <= 250 for row in rows)
    words = [len(row["words"].split()) for row in rows if row["place"] in ("behind two", "around")]
    assert set(words) <= {2, 3}
    assert max(Counter((row["place"], row["words"]) for row in rows).values()) == 1


def test_months_and_days_are_all_there() -> None:
    kinds = {row["word"]: row["kind"] for row in read_table("en", "capitalised") if row["kind"] in ("month", "day")}
    months = "january february march april may june july august september october november december".split()
    days = "monday tuesday wednesday thursday friday saturday sunday".split()
    assert [word for word, kind in kinds.items() if kind == "month"] == months
    assert [word for word, kind in kinds.items() if kind == "day"] == [*days, *(f"{day}s" for day in days)]


def test_persons_have_the_plural_of_the_rule() -> None:
    irregular = re.compile(r"(?:man|person|child|wife|foot|tooth)$|^(?:who|[a-z]*one|[a-z]*body)$")
    odd = {
        (row["word"], row["plural"])
        for row in read_table("en", "persons")
        if row["kind"] == "person"
        and row["plural"] not in ("-", "", in_s(row["word"]))
        and not irregular.search(row["word"])
    }
    assert len(odd) < 12, odd


def test_counts_in_the_head_of_a_list_are_those_of_the_list() -> None:
    groups = Counter(row["group"] for row in read_table("en", "genbit"))
    assert (groups["female"], groups["male"]) == (258, 257)
    assert len(read_table("en", "stop_words")) == 1298 and len(read_table("de", "stop_words")) == 620
    assert Counter(row["group"] for row in read_table("de", "genbit")) == {"female": 583, "male": 482}


def test_plurals_of_persons_are_regular_or_known() -> None:
    known = {
        "person": "people", "child": "children", "midwife": "midwives", "thief": "thieves", "hero": "heroes",
        "member of congress": "members of congress", "passer-by": "passers-by",
    }  # fmt: skip
    odd = []
    for row in read_table("en", "persons"):
        word, plural = row["word"], row["plural"]
        regular = re.sub("([^aeiou])y$", r"\1ie", word) + ("es" if re.search("(?:s|x|z|ch|sh)$", word) else "s")
        if plural and plural not in (regular, known.get(word), re.sub("person$", "people", word)):
            odd.append((word, plural))
    assert odd == []
