"""The German tables of persons, compiled: every form with what it may be."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import cache

from lexicons.loader import read_table
from rewriter.de.inflection import FEMININE, MASCULINE, Person
from rewriter.de.word_readings import Noun, bit

_SHORT_FIRST = frozenset({"Arzt", "Koch", "Jude"})
_SHORT_RARE = frozenset({"Held", "Narr", "Wirt", "Bote", "Vogt", "Senn"})


def uncertain(noun: Noun) -> Noun:
    """Return a reading of which the word alone is no proof."""
    return Noun(noun.stem, noun.lemma, noun.mask, False, noun.gender, noun.person, noun.prefix)


@cache
def persons() -> tuple[Person, ...]:
    """Return the persons of the main table."""
    return tuple(
        Person(row["masculine"], row["feminine"], row["declension"], row["plural"])
        for row in read_table("de", "persons")
    )


def forms_of(person: Person, *, certain: bool) -> dict[str, Noun]:
    """Return every form of a person with what it may be."""
    masks: dict[tuple[str, int], int] = {}
    for form, gender, case in person.forms():
        sex = FEMININE if gender == FEMININE or form.endswith("innen") else MASCULINE
        key = form.lower(), sex
        masks[key] = masks.get(key, 0) | bit(gender, case)
    lemma = person.masculine.lower()
    return {form: Noun(person.stem, lemma, mask, certain, sex, person) for (form, sex), mask in masks.items()}


def noun_forms(ambiguous: set[str]) -> dict[str, Noun]:
    """Return every form of the persons of the main table with what it may be.

    Args:
        ambiguous: masculines that mean other things, too.
    """
    forms: dict[str, Noun] = {}
    for person in persons():
        doubtful = person.masculine.lower() in ambiguous
        for form, noun in forms_of(person, certain=True).items():
            if doubtful and noun.gender == MASCULINE:
                noun = uncertain(noun)
            forms.setdefault(form, noun)
    return forms


@cache
def rare_persons() -> tuple[Person, ...]:
    """Return the persons of the tables of rare ones."""
    return tuple(
        Person(row["masculine"], row["feminine"], row["declension"], row["plural"])
        for table in ("persons_rare", "persons_more")
        for row in read_table("de", table)
    )


def rare_forms() -> dict[str, Noun]:
    """Return the forms of rare persons; what one form may be in several rows is joined."""
    forms: dict[str, Noun] = {}
    for person in rare_persons():
        for form, noun in forms_of(person, certain=False).items():
            known = forms.setdefault(form, noun)
            if known.stem == noun.stem:
                forms[form] = replace(known, mask=known.mask | noun.mask)
    return forms


def widened(forms: dict[str, Noun], rare: dict[str, Noun]) -> dict[str, Noun]:
    """Return forms with what they may be by the other table, too (*Herzoge*)."""
    return {
        form: replace(noun, mask=noun.mask | rare[form].mask) if form in rare and rare[form].stem == noun.stem else noun
        for form, noun in forms.items()
    }


def first_parts(persons: Iterable[Person], *, links_in_s: bool = False) -> dict[str, str]:
    """Return what may stand before the rest of a compound -> stem before the sign.

    Args:
        persons: of the tables.
        links_in_s: the genitive of persons in *-er* links, too (*Lehrersgattin*), and the nominative of weak ones.
    """
    parts: dict[str, str] = {}
    for person in persons:
        stem = person.stem
        short = _SHORT_FIRST | _SHORT_RARE if links_in_s else _SHORT_FIRST
        if len(person.masculine) < 5 and person.masculine not in short:
            continue
        forms = {person.feminine + "nen", *(form for form, gender, _ in person.forms() if gender != FEMININE)}
        # what never links: a dative (Lehrern), the genitive of -er (Lehrers), the nominative of weak nouns (Statist-)
        forms -= {person.plural + "n"} if person.declension != "weak" else {person.masculine}
        if person.masculine == person.plural and not links_in_s:
            forms.discard(person.masculine + "s")
        for form in forms:
            parts.setdefault(form.lower(), stem)
    return parts
