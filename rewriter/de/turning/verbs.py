"""German finite verbs by their form: the number that they tell of their subject, and how surely they are verbs."""

from __future__ import annotations

import re
from functools import cache, lru_cache

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


def _behind_prefix(norm: str) -> tuple[str, int] | None:
    """Return what a known strong form behind a prefix is (*zurückließ, gefällt*), None for no such form.

    A plural whose vowel is that of its participle may be that instead (*verschlossen, verschrieben*).
    """
    match = _PREFIX.match(norm)
    while match is not None:
        known = _strong_forms().get(norm[match.end() :])
        if known is not None:
            is_participle = known == "plural" and _PARTICIPLE.search(norm) is not None
            return None if is_participle and match[0] == "ge" else (known, 1 if is_participle else 2)
        match = _PREFIX.match(norm, 0, match.end() - 1)
    return None


@cache
def _strong_forms() -> dict[str, str]:
    """Return form -> number of strong preterites and of irregular and common presents."""
    found = {}
    for row in read_table("de", "verb_forms"):
        if row["kind"] == "strong":
            found[row["form"]] = row["number"]
            found.setdefault(row["form"] + ("n" if row["form"].endswith("e") else "en"), "plural")
        elif row["kind"] == "present" and row["number"] == "singular" and row["form"] not in _WEAK_PARTICIPLES:
            found[row["form"]] = row["number"]
    return found


_PREFIX = re.compile(
    r"(?:zurück|zusammen|herunter|hinunter|heraus|hinaus|herein|hinein|vorbei|weiter|wieder|voran|fort|nieder|fest|frei|"
    r"nach|über|unter|hinter|wider|durch|miss|auf|aus|ein|vor|mit|bei|los|weg|her|hin|ver|ent|zer|ab|an|um|zu|be|er|ge|teil|statt)"
)
_PARTICIPLE = re.compile(r"(?:o[^aeiouäöü]{1,3}|ie[bdghns]|i(?:ss|tt|ch|ff)|stand)en$")
#: presents that a prefix may make a participle of (*verkauft, bedeutet*)
_WEAK_PARTICIPLES = frozenset(
    "macht sagt fragt lebt liebt kennt spielt kauft lacht weint tanzt sucht braucht hört fühlt wohnt lernt lehrt zeigt "
    "stellt legt setzt backt kocht putzt näht malt baut schenkt dankt folgt hofft meint erklärt führt leitet grüßt "
    "lobt rügt trainiert pflegt küsst träumt reist winkt bellt passt stimmt reicht endet stammt holt antwortet rechnet "
    "arbeitet wartet redet kostet öffnet heiratet bedeutet verkauft glänzt freut ärgert denkt glaubt".split()
)


@cache
def copulas() -> frozenset[str]:
    """Return the forms of verbs that join two nominatives."""
    forms = {row["form"] for row in read_table("de", "verb_forms") if row["kind"] == "copula"}
    return frozenset(forms | {"bist", "seid", "warst", "wart", "wirst", "werdet", "wurdest", "bleibst", "bleibt"})


@lru_cache(maxsize=50_000)
def finite(norm: str) -> tuple[str, int]:
    """Return the number that a form tells of its subject, and how surely it is a finite verb (0: not at all)."""
    known = _verb_forms().get(norm)
    if known is not None:
        return known
    if len(norm) < 4 or norm in words("no verb") or not norm.isalpha():
        return "", 0
    with_prefix = _behind_prefix(norm)
    if with_prefix is not None:
        return with_prefix
    if norm.endswith("te") and len(norm) > 4:
        return "singular", 1
    if norm.endswith("ten") and len(norm) > 5 and not norm.startswith("ge"):
        return "plural", 1
    if norm.endswith("t") and not (norm.startswith("ge") or norm.endswith(("haft", "iert", "bert", "icht", "heit"))):
        return "singular", 1
    return "", 0
