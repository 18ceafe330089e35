"""How German compounds are cut: what may follow a person as the rest of a word, by the nouns of the tables."""

from __future__ import annotations

import re
from collections.abc import Container
from functools import cache

from lexicons.loader import read_table

#: what cannot follow a person as the rest of a compound: endings of derivation and inflection
_NO_REST = re.compile(
    r"(?:in|innen|s?chaft\w*|isch\w*|s|n|en|es|e|ern?|tum\w*|heit\w*|keit\w*|lich\w*|ung(?:en)?|ei(?:en)?|chen|lein|ling\w*|los\w*"
    r"|haft\w*|nen|ische?n?|ium|ien|inn\w*|ismus|ist\w*|ion\w*|it[äa]t\w*|at\w{0,2}|ium\w*|age\w*|ian\w*|iell\w*|ial\w*|ur(?:en)?|en\w{2})$"
)
VOWEL = re.compile("[aeiouäöüy]")
#: what makes a person the name of a place
_STREET = re.compile("(?:straße|strasse|gasse|allee)n?")
#: what a word may begin with
_ONSET = re.compile(
    r"(?:[bcdfghjklmnpqrstvwxz]|bl|br|ch|chl|chr|cl|cr|dr|fl|fr|gl|gn|gr|kl|kn|kr|pf|pfl|ph|pl|pr|ps|qu|sch|schl|schm|schn|schr"
    r"|schw|sk|sl|sm|sp|spl|spr|st|str|sz|th|tr|tsch|tw|wr|zw)?[aeiouäöüy]"
)
#: letters of a noun at the end of a compound of several
_LEAST_TAIL = 4
#: letters of a part of a compound
_LEAST_PART = 3


def is_rest(rest: str, more: Container[str]) -> bool:
    """Return True if a compound may go on like this: with a noun, or several (*Mieter|höhung* is no compound).

    Args:
        rest: what follows the person.
        more: nouns that the table of genders lacks.
    """
    if not VOWEL.search(rest) or not _ONSET.match(rest) or _NO_REST.match(rest):
        return False
    if (rest.startswith("ei") and rest not in known_nouns()) or rest.startswith("ungs"):
        return False  # Imkerei|gerät, Näherungs|wert
    if _STREET.fullmatch(rest):
        return False  # Gerberstraße
    return is_noun(rest, more) or any(
        is_noun(rest[cut:], more) and is_linked(rest[:cut], more) for cut in range(_LEAST_PART, len(rest) - _LEAST_PART)
    )


def is_noun(word: str, more: Container[str]) -> bool:
    """Return True if a word is a noun of the tables, in the genitive or the plural, too (*Verbraucher|schutzes*)."""
    known = known_nouns()
    bare = [word, *(word[: -len(ending)] for ending in ("s", "es", "n", "en") if word.endswith(ending))]
    return any((form in known or form in more) and (form == word or len(form) > _LEAST_PART) for form in bare)


def is_linked(part: str, more: Container[str]) -> bool:
    """Return True if a part may stand in the middle of a compound: a noun with what links it to the next."""
    known = known_nouns()
    bare = [
        part,
        part + "e",
        *(part[: -len(link)] for link in ("s", "n", "en", "es", "er", "e") if part.endswith(link)),
    ]
    return any((form in known or form in more) and len(form) >= _LEAST_PART for form in bare)


def is_other_cut(part: str, rest: str) -> bool:
    """Return True if *er* belongs to the second part of a compound (*Text|erkennung*, no *Texter|kennung*)."""
    if not part.endswith("er") or len(rest) < _LEAST_TAIL:
        return False
    known = known_nouns()
    return "er" + rest in known and (
        part[:-2] in known or part[:-2].endswith(("text", "lehr", "fahr", "lern", "layout", "bild"))
    )


@cache
def genders() -> dict[str, str]:
    """Return gender by noun form (``m``, ``f``, ``n``, ``p`` for a plural), as counted in open text."""
    return {row["noun"]: row["gender"] for row in read_table("de", "genders")}


@cache
def known_nouns() -> frozenset[str]:
    """Return the noun forms of that table in lower case."""
    return frozenset(noun.lower() for noun in genders())
