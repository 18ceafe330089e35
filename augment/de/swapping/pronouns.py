"""German pronouns of persons in both genders: what a form may be, and its counterpart."""

from __future__ import annotations

from augment.de.swapping.inflection import NEUTER, OTHER, ending_of, that_one
from augment.de.swapping.mention import POSSESSIVE
from rewriter.de.inflection import ACCUSATIVE, DATIVE, FEMININE, GENITIVE, MASCULINE, NOMINATIVE, endings

#: form -> gender, and what it becomes in each cell
Cells = tuple[int, tuple[tuple[int, str], ...]]

_RELATIVE = {
    MASCULINE: ("der", "den", "dem", "dessen"),
    FEMININE: ("die", "die", "der", "deren"),
    NEUTER: ("das", "das", "dem", "dessen"),
}
_POSSESSIVE_ENDINGS = tuple(sorted({ending or "" for cells in endings("possessive") for ending in cells}))
_REST = ("erseits", "etwegen", "ethalben", "esgleichen")

PERSONAL: dict[str, Cells] = {
    "er": (MASCULINE, ((NOMINATIVE, "sie"),)),
    "ihn": (MASCULINE, ((ACCUSATIVE, "sie"),)),
    "ihm": (MASCULINE, ((DATIVE, "ihr"),)),
    "sie": (FEMININE, ((NOMINATIVE, "er"), (ACCUSATIVE, "ihn"))),
}
#: *ihr* is a dative, or a possessive
HER = "ihr"
POSSESSIVES: dict[str, Cells] = {
    one + ending: (gender, ((POSSESSIVE, other + ending),))
    for gender, one, other in ((MASCULINE, "sein", "ihr"), (FEMININE, "ihr", "sein"))
    for ending in (*_POSSESSIVE_ENDINGS, *_REST)
}


def relatives(gender: int, target: int) -> dict[str, tuple[tuple[int, str], ...]]:
    """Return the relative pronouns of a gender, each with its forms in another gender by case."""
    found: dict[str, tuple[tuple[int, str], ...]] = {}
    for case in range(4):
        form = _RELATIVE[gender][case]
        found[form] = (*found.get(form, ()), (case, _RELATIVE[target][case]))
        if case != GENITIVE:
            which = "welch" + ending_of("pronominal", gender, case)
            found[which] = (*found.get(which, ()), (case, "welch" + ending_of("pronominal", target, case)))
    return found


def standing_alone(norm: str) -> list[tuple[int, int, str]]:
    """Return (gender, case, counterpart) of *einer, jede, derjenige* ... in each of its readings."""
    found = []
    for stem in ("irgendein", "ein", "kein", "jed", "manch", "dies", "jen"):
        for gender in (MASCULINE, FEMININE):
            for case in range(4):
                if case != GENITIVE and norm == stem + ending_of("pronominal", gender, case):
                    found.append((gender, case, stem + ending_of("pronominal", OTHER[gender], case)))
    for gender in (MASCULINE, FEMININE):
        for case in range(4):
            if norm == that_one(gender, case):
                found.append((gender, case, that_one(OTHER[gender], case)))
    return found


ALONE = {
    norm: tuple(standing_alone(norm))
    for norm in (
        *(
            stem + ending_of("pronominal", gender, case)
            for stem in ("irgendein", "ein", "kein", "jed", "manch", "dies", "jen")
            for gender in (MASCULINE, FEMININE)
            for case in (NOMINATIVE, ACCUSATIVE, DATIVE)
        ),
        *(that_one(gender, case) for gender in (MASCULINE, FEMININE) for case in range(4)),
    )
}
