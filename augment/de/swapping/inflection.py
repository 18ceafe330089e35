"""German inflection in three genders: determiners and adjectives.

The tables of the rewriter know masculine, feminine and plural; a girl is neuter, so the neuter stands here: it differs
from the masculine in nominative and accusative only. Masks have sixteen bits, the last four for the neuter singular.
"""

from __future__ import annotations

from rewriter.de.inflection import (
    ACCUSATIVE,
    FEMININE,
    MASCULINE,
    NOMINATIVE,
    PLURAL,
    endings,
    inflect,
)
from rewriter.de.lexicon import Determiner

__all__ = ["CONTRACTING", "NEUTER", "OTHER", "determiner", "ending_of", "that_one"]

NEUTER = 3
OTHER = {MASCULINE: FEMININE, FEMININE: MASCULINE}
_DEFINITE = {
    MASCULINE: ("der", "den", "dem", "des"),
    FEMININE: ("die", "die", "der", "der"),
    NEUTER: ("das", "das", "dem", "des"),
    PLURAL: ("die", "die", "den", "der"),
}
#: endings behind *derselb-, derjenig-*: weak, of one gender and the plural
_SAME = {
    MASCULINE: ("e", "en", "en", "en"),
    FEMININE: ("e", "e", "en", "en"),
    NEUTER: ("e", "e", "en", "en"),
    PLURAL: ("en", "en", "en", "en"),
}
_NEUTER_FIRST = {"indefinite": "", "possessive": "", "pronominal": "es", "weak": "e", "mixed": "es", "strong": "es"}
#: contracted preposition -> (preposition, gender -> contracted form, where there is one)
_CONTRACTED = {
    "zum": ("zu", {MASCULINE: "zum", NEUTER: "zum", FEMININE: "zur"}),
    "zur": ("zu", {MASCULINE: "zum", NEUTER: "zum", FEMININE: "zur"}),
    "vom": ("von", {MASCULINE: "vom", NEUTER: "vom"}),
    "beim": ("bei", {MASCULINE: "beim", NEUTER: "beim"}),
    "am": ("an", {MASCULINE: "am", NEUTER: "am"}),
    "im": ("in", {MASCULINE: "im", NEUTER: "im"}),
}
#: preposition and article that contract in the masculine dative
CONTRACTING = {"von": "vom", "bei": "beim", "an": "am", "in": "im"}


def ending_of(paradigm: str, gender: int, case: int) -> str:
    """Return the ending of a determiner or adjective of a paradigm in a gender (or plural) and case."""
    if gender == NEUTER:
        first = case in (NOMINATIVE, ACCUSATIVE)
        return _NEUTER_FIRST[paradigm] if first else ending_of(paradigm, MASCULINE, case)
    return endings(paradigm)[case][gender] or ""


def determiner(reading: Determiner, gender: int, case: int, stem: str = "") -> str:
    """Return a determiner in a gender and case.

    Args:
        reading: of the form that stands there.
        gender: of what it shall stand before.
        case: of it.
        stem: another stem (*sein* for *ihr*); empty takes the reading's.
    """
    if reading.kind == "definite":
        base = _DEFINITE[gender][case]
        suffix = reading.stem[3:]
        return base if not suffix else base + suffix[:-1] + _SAME[gender][case]
    if reading.kind == "contraction":
        preposition, contracted = _CONTRACTED[reading.stem]
        return contracted.get(gender) or f"{preposition} {_DEFINITE[gender][case]}"
    return inflect(stem or reading.stem, ending_of(reading.paradigm, gender, case))


def that_one(gender: int, case: int) -> str:
    """Return *derjenige* in a gender and case."""
    return _DEFINITE[gender][case] + "jenig" + _SAME[gender][case]
