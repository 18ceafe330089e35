"""German finite verbs by their form: the number that they tell of their subject, and how surely they are verbs."""

from __future__ import annotations

from functools import cache

from lexicons.loader import read_table
from rewriter.de.turning.grammar import words


@cache
def _verb_forms() -> dict[str, tuple[str, int]]:
    """Return form -> number and strength (3: can be nothing but a finite verb)."""
    found: dict[str, tuple[str, int]] = {}
    for row in read_table("de", "verb_forms"):
        strength = 3 if row["kind"] in ("copula", "auxiliary") else 2
        found[row["form"]] = row["number"], strength
        if row["kind"] == "strong":
            found.setdefault(row["form"] + ("n" if row["form"].endswith("e") else "en"), ("plural", 2))
    return found


@cache
def copulas() -> frozenset[str]:
    """Return the forms of verbs that join two nominatives."""
    forms = {row["form"] for row in read_table("de", "verb_forms") if row["kind"] == "copula"}
    return frozenset(forms | {"bist", "seid", "warst", "wart", "wirst", "werdet", "wurdest", "bleibst", "bleibt"})


def finite(norm: str) -> tuple[str, int]:
    """Return the number that a form tells of its subject, and how surely it is a finite verb (0: not at all)."""
    known = _verb_forms().get(norm)
    if known is not None:
        return known
    if len(norm) < 4 or norm in words("no verb") or not norm.isalpha():
        return "", 0
    if norm.endswith("te") and len(norm) > 4:
        return "singular", 1
    if norm.endswith("ten") and len(norm) > 5 and not norm.startswith("ge"):
        return "plural", 1
    if norm.endswith("t") and not (norm.startswith("ge") or norm.endswith(("haft", "iert", "bert", "icht", "heit"))):
        return "singular", 1
    return "", 0
