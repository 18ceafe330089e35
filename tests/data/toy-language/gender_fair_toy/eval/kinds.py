"""Names the kind of a toy edit from its tokens alone."""

from __future__ import annotations

from functools import cache

from lexicons.loader import read_table

KINDS = ("pronoun", "determiner", "noun")


def name_kind(before: tuple[str, ...], after: tuple[str, ...]) -> str | None:
    """Return the kind of the edit that puts ``after`` in the place of ``before``, or None where it is none."""
    if len(before) != 1 or len(after) != 1:
        return None
    return _kinds().get((before[0].lower(), after[0].lower()))


@cache
def _kinds() -> dict[tuple[str, str], str]:
    tables = {"pronoun": "pronouns", "determiner": "determiners"}
    words = {(row["gendered"], row["fair"]): kind for kind, name in tables.items() for row in read_table("toy", name)}
    nouns = read_table("toy", "nouns")
    return words | {(row[gender], row["fair"]): "noun" for row in nouns for gender in ("masculine", "feminine")}
