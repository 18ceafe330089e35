"""English verb number, both ways, and case styles.

Only what singular *they* needs: third-person singular present (and *was*) against plural. Tables, no guessing in
``to_plural``; :func:`guess_plural` follows the spelling rules for verbs that stand in no table.
"""

from __future__ import annotations

import re
from functools import cache

from lexicons.loader import read_table

#: auxiliaries with all contractions; the pairs are read both ways
AUXILIARIES = {
    "is": "are",
    "was": "were",
    "has": "have",
    "does": "do",
    "isn't": "aren't",
    "wasn't": "weren't",
    "hasn't": "haven't",
    "doesn't": "don't",
    "isnt": "arent",
    "wasnt": "werent",
    "hasnt": "havent",
    "doesnt": "dont",
}
#: their archaic forms, which nothing is turned back into
ARCHAIC_AUXILIARIES = {"hath": "have", "doth": "do"}
#: forms of "be" that are singular in the past: never the plural of "were" in a subjunctive
_PLURAL_BY_AUXILIARY = {plural: singular for singular, plural in AUXILIARIES.items()}


@cache
def _third_to_base() -> dict[str, str]:
    return {row["third"]: row["base"] for row in read_table("en", "verbs")}


@cache
def _base_to_third() -> dict[str, str]:
    table: dict[str, str] = {}
    for third, base in _third_to_base().items():
        # Several spellings (buses, busses): the one that the spelling rules give, else the first
        if base not in table or third == _regular_third(base):
            table[base] = third
    return table


def _regular_third(base: str) -> str:
    if base.endswith(("s", "x", "z", "ch", "sh")):
        return base + "es"
    if base.endswith("y") and base[-2:-1] not in "aeiou":
        return base[:-1] + "ies"
    return base + "s"


_APOSTROPHE = re.compile(r"’|&[#\w]+;")


def _split_apostrophe(word: str) -> tuple[str, str]:
    """Return the word with straight apostrophes, and the apostrophe that it had."""
    found = _APOSTROPHE.search(word)
    return (word, "'") if found is None else (_APOSTROPHE.sub("'", word), found.group())


#: words in -eth that are no verbs though a verb remains without it
_NO_ARCHAIC = frozenset("kenneth keneth beth seth teeth tooth cloth".split())


@cache
def archaic_plural(form: str) -> str | None:
    """Return the plural of an archaic third person (*hath* -> *have*, *loveth* -> *love*), None for another word.

    Args:
        form: in lower case.
    """
    if form == "saith":
        return "say"
    if form in ARCHAIC_AUXILIARIES:
        return ARCHAIC_AUXILIARIES[form]
    if not form.endswith("eth") or len(form) < 5 or form in _NO_ARCHAIC:
        return None
    stem = form[:-3]
    doubled = stem[:-1] if stem[-1] == stem[-2] else ""
    spelt = (doubled, stem + "e", stem, stem[:-1] + "y" if stem[-1] == "i" else "")
    return next((base for base in spelt if base in _base_to_third() or base == "do"), None)


def to_plural(form: str) -> str | None:
    """Return the plural of a third-person singular verb form (*knows* -> *know*), in the case style of ``form``.

    Returns None where ``form`` is no such form of the tables.
    """
    form, apostrophe = _split_apostrophe(form)
    plain = form.lower()
    plural = AUXILIARIES.get(plain) or _third_to_base().get(plain)
    if plural is None and plain.endswith("th"):
        plural = archaic_plural(plain)
    return None if plural is None else match_case(form, plural).replace("'", apostrophe)


def to_singular(form: str) -> str | None:
    """Return the third-person singular of a plural or base form (*know* -> *knows*, *were* -> *was*).

    Returns None where ``form`` is no such form of the tables.
    """
    plain, apostrophe = _split_apostrophe(form.lower())
    singular = _PLURAL_BY_AUXILIARY.get(plain) or _base_to_third().get(plain)
    return None if singular is None else match_case(form, singular).replace("'", apostrophe)


@cache
def _no_verbs() -> frozenset[str]:
    return frozenset(row["word"] for row in read_table("en", "traps") if row["kind"] == "no verb")


def guess_plural(form: str) -> str | None:
    """Undo the spelling rules for a verb outside the tables (*yeets* -> *yeet*, *blorfies* -> *blorfy*).

    Returns None where ``form`` cannot be a third-person singular.
    """
    word = form.lower()
    if word in _no_verbs():
        return None
    if len(word) < 4 or not word.isalpha() or not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return None
    if word.endswith("ies") and len(word) > 4:
        base = word[:-3] + "y"
    elif word.endswith(("sses", "xes", "zes", "ches", "shes", "oes")):
        base = word[:-2]
    else:
        base = word[:-1]
    return match_case(form, base)


def match_case(model: str, word: str) -> str:
    """Return ``word`` in the case style of ``model``: lower, Capitalised or ALL CAPITALS."""
    letters = [c for c in model if c.isalpha()]
    if len(letters) > 1 and all(c.isupper() for c in letters):
        return word.upper()
    if letters and letters[0].isupper():
        return word[:1].upper() + word[1:]
    return word
