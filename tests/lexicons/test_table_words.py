"""Words of tables that stand in other tables too, columns in order, cells that stand once: slips break these."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from pathlib import Path

import pytest

from lexicons.loader import read_table

_WORD = re.compile(r"[^\W\d_]+")

#: columns in the order of their characters
IN_ORDER = {
    "en": "animals.word chat_words.word fixed_phrases.phrase given_names.name her_words.word noun_forms.word "
    "place_names.word states.word stop_words.word verb_forms.form verbs.third",
    "de": "abbreviations.abbreviation genders.noun name_hints.word no_persons.word nominalised.stem nouns_counted.noun "
    "person_names.name "
    "persons.masculine persons_more.masculine persons_more.plural persons_own.masculine persons_rare.masculine "
    "stop_words.word things.word towns.inhabitant",
}
#: columns in which no cell stands twice
ONCE = {
    "en": "abbreviations.abbreviation animals.word back_nouns.fair bec_pro_persons.male bec_pro_persons.female "
    "bec_pro_professions.profession bec_pro_templates.template chat_words.word common_words.word double_forms.form "
    "fill_in_templates.template fixed_phrases.phrase function_words.word given_names.name groups_gender.word "
    "her_words.word kin_pairs.feminine kin_pairs.masculine noun_forms.word nouns.gendered "
    "object_words.word persons.plural place_names.word pronoun_forms.form she_things.word states.word stop_words.word "
    "swap_facts.phrase swap_stays.phrase template_frames.name template_frames.frame template_persons.masculine "
    "template_persons.feminine template_words.word verb_forms.form verbs.third",
    "de": "abbreviations.abbreviation bec_pro_persons.male bec_pro_professions.profession bec_pro_professions.male "
    "bec_pro_professions.female bec_pro_templates.template determiners.stem fill_in_templates.template "
    "function_words.word genders.noun groups_gender.word kin_pairs.feminine name_pairs.feminine "
    "name_pairs.masculine no_persons.word nominalised.stem nouns_counted.noun person_names.name persons.masculine "
    "persons_more.masculine persons_more.feminine persons_more.plural persons_own.masculine persons_own.feminine "
    "persons_own.plural prepositions.word pronoun_forms.form stop_words.word swap_stays.phrase towns.inhabitant "
    "verb_forms.form version_two.word",
}
#: columns each word of which stands in another table of the language, with those that need not
IN_OTHER_TABLES = {
    "en": {
        "back.word": "", "back_nouns.fair": "", "bec_pro_templates.template": "", "double_forms.form": "",
        "fill_in_templates.template": "", "fixed_phrases.phrase": "", "her_words.word": "", "kin_pairs.feminine": "",
        "kin_pairs.masculine": "", "name_pairs.feminine": "", "name_pairs.masculine": "", "noun_forms.word": "",
        "nouns.fair": "", "pronoun_forms.form": "", "template_persons.feminine": "", "template_persons.masculine": "",
        "verb_forms.form": "", "pronouns.gendered": "hisself", "participles.participle": "apologised swum",
        "nouns.gendered": "executrices executrixes workmanlike",
        "nouns_wide.gendered": "dorm lawmaker legislator manmade manning proprietresses sculptresses seminar unmanned",
        "groups_gender.word": "ballerina ballerinas dames earls",
        "object_words.word": "biscuits carpentry chocolates goosebumps needlework penniless redundant reparation "
        "sweets treasurer unharmed",
        "place_names.word": "arlington beaumont camden carlisle clarksville dayton dover fargo hamilton hudson "
        "kingston laredo martinique monterey paulo penrith reno stafford stratford",
        "template_words.word": "brainless contemptible despicable loathsome repulsive revolting",
    },
    "de": {
        "pairs.feminine": "", "persons_own.feminine": "", "persons_own.masculine": "", "persons_own.plural": "",
        "pronoun_forms.form": "", "kin_pairs.feminine": "urgroßmutter urgroßmütter",
        "kin_pairs.masculine": "urgroßväter",
        "pairs.masculine": "demjenigen denjenigen desjenigen",
        "name_pairs.masculine": "fiete giselher iven jonte keno lenni mailo mattis piet sebald tarek taylan "
        "tjark vinzent",
        "swap.feminine": "freifrau frauchen friseuse girl kusine masseuse souffleuse",
        "swap_stays.phrase": "bord bringen gebracht gedankens gestanden holle nichtsein volkes",
    },
}  # fmt: skip


def column(lang: str, place: str) -> list[str]:
    table, _, name = place.partition(".")
    return [row[name] for row in read_table(lang, table)]


def words_of(cells: list[str]) -> Iterator[str]:
    return (word.lower() for cell in cells for word in _WORD.findall(cell))


@cache
def tables_of_words(lang: str) -> dict[str, set[str]]:
    """Return the tables in which each word of a language stands."""
    found: dict[str, set[str]] = defaultdict(set)
    for path in (Path(str(files("lexicons"))) / lang).glob("*.tsv"):
        for row in read_table(lang, path.stem):
            for word in words_of(list(row.values())):
                found[word].add(path.stem)
    return found


@pytest.mark.parametrize(
    ("lang", "place"), [(lang, place) for lang, places in IN_ORDER.items() for place in places.split()]
)
def test_columns_are_in_order(lang: str, place: str) -> None:
    cells = column(lang, place)
    assert cells == sorted(cells)


@pytest.mark.parametrize(
    ("lang", "place"), [(lang, place) for lang, places in ONCE.items() for place in places.split()]
)
def test_cells_stand_once(lang: str, place: str) -> None:
    cells = [cell for cell in column(lang, place) if cell]
    assert [cell for cell, count in Counter(cells).items() if count > 1] == []


@pytest.mark.parametrize(
    ("lang", "place"), [(lang, place) for lang, found in IN_OTHER_TABLES.items() for place in found]
)
def test_words_stand_in_another_table_too(lang: str, place: str) -> None:
    alone = {word for word in words_of(column(lang, place)) if len(tables_of_words(lang)[word]) < 2}
    assert alone <= set(IN_OTHER_TABLES[lang][place].split())
