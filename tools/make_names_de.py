"""Make lexicons/de/person_names.tsv: given names and surnames of many countries, from the lists of Faker.

    pip install faker && python tools/make_names_de.py > lexicons/de/person_names.tsv

Hints by which a named person is told from a noun. Left out: words that the table of genders has as nouns (seen more
than a few times behind a determiner), words of grammar, places, and names in other scripts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from importlib import import_module

from lexicons.loader import read_table

LOCALES = (
    "de_DE de_AT de_CH tr_TR pl_PL en_US en_GB fr_FR it_IT es_ES nl_NL pt_PT cs_CZ sk_SK hu_HU hr_HR ro_RO sl_SI da_DK "
    "sv_SE no_NO fi_FI lt_LT lv_LV et_EE az_AZ en_IN id_ID vi_VN ga_IE"
).split()
_NAME = re.compile(r"[A-ZÀ-ÖØ-ÞĀ-Ž][a-zà-öø-ÿā-ž'’]+")
#: behind a determiner so often a word is a noun rather than a name
_MOST_AS_NOUN = 10
_LEAST = 3

HEADER = f"""\
# Given names and surnames of people in many countries, by which a named person is told from a noun.
# kind: given, surname, both.
# Source: lists of the Python package Faker {import_module("faker").VERSION} (github.com/joke2k/faker), locales
# {" ".join(LOCALES)};
# made by tools/make_names_de.py, without nouns, places and words of grammar. Licence: MIT (Faker); facts."""


def _strings(found: object) -> Iterator[str]:
    if isinstance(found, str):
        yield found
    elif isinstance(found, Iterable):
        for item in found:
            yield from _strings(item)


def _names(part: str) -> set[str]:
    names: set[str] = set()
    for locale in LOCALES:
        provider = import_module(f"faker.providers.person.{locale}").Provider
        for attribute in dir(provider):
            if attribute.startswith(part) and not attribute.endswith(("formats", "prefixes", "romanized")):
                names |= {name for name in _strings(getattr(provider, attribute)) if _NAME.fullmatch(name)}
    return names


def main() -> None:
    """Print the table."""
    nouns = {row["noun"] for row in read_table("de", "genders") if int(row["count"]) > _MOST_AS_NOUN}
    others = {row["word"].lower() for name in ("stop_words", "function_words") for row in read_table("de", name)}
    others |= {row["word"] for row in read_table("en", "capitalised") if row["kind"] in ("place", "month", "day")}
    kinds = {"given": _names("first_name"), "surname": _names("last_name")}
    print(HEADER)
    print("name\tkind")
    for name in sorted(kinds["given"] | kinds["surname"]):
        if len(name) >= _LEAST and name not in nouns and name.lower() not in others:
            held = [kind for kind, names in kinds.items() if name in names]
            print(f"{name}\t{'both' if len(held) > 1 else held[0]}")


if __name__ == "__main__":
    main()
