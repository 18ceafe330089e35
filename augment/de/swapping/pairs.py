"""The pairs of ``swap.tsv`` (*Frau, Mann*; *Mädchen, Junge*) and those of a user, with all their forms."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from augment.de.swapping.inflection import NEUTER
from lexicons.loader import read_table
from rewriter.de.inflection import DATIVE, FEMININE, GENITIVE, MASCULINE, NOMINATIVE, PLURAL, Person


@dataclass(frozen=True)
class Side:
    """One half of a pair of ``swap.tsv``: gender, nominative and genitive singular, plural; ``-`` for no such form."""

    gender: int
    lemma: str
    genitive: str
    plural: str

    def singular(self, case: int) -> str:
        """Return the singular in a case; *Junge*, *Herr*, *Prinz* have one form for all but the nominative."""
        if case == GENITIVE:
            return self.genitive
        is_weak = self.gender == MASCULINE and self.genitive.endswith("n") and self.genitive != self.lemma
        return self.genitive if is_weak and case != NOMINATIVE else self.lemma

    def in_plural(self, case: int) -> str:
        """Return the plural in a case."""
        if case == DATIVE and not self.plural.endswith(("n", "s")):
            return self.plural + "n"
        return self.plural

    def cells(self) -> list[tuple[str, int, int]]:
        """Return (form, gender or plural, case) of every cell, with the genitives in -s and -es."""
        cells: list[tuple[str, int, int]] = []
        if self.lemma != "-":
            cells += [(self.singular(case), self.gender, case) for case in range(4)]
            if self.genitive.endswith("es") and self.gender != FEMININE:
                cells += [(self.genitive[:-2] + "s", self.gender, GENITIVE), (self.lemma + "e", self.gender, DATIVE)]
            if self.lemma.lower().endswith("mutter"):
                cells.append((self.lemma + "s", self.gender, GENITIVE))  # Mutters Kleid
        return cells + [(self.in_plural(case), PLURAL, case) for case in range(4)]


@dataclass(frozen=True)
class Pair(Person):
    """A pair of ``swap.tsv`` behind the interface of a person noun.

    Attributes:
        sides: masculine and feminine half.
        way: ``both``, ``to-masculine`` or ``to-feminine``.
    """

    sides: tuple[Side, Side] = (Side(MASCULINE, "-", "-", "-"), Side(FEMININE, "-", "-", "-"))
    way: str = "both"


@cache
def pairs() -> tuple[tuple[Pair, tuple[str, ...]], ...]:
    """Return the pairs of ``swap.tsv``, each with the first parts of its compounds ("" for the word itself)."""
    found = []
    for row in read_table("de", "swap"):
        sides = _side(row, "masculine"), _side(row, "feminine")
        pair = Pair(row["masculine"], row["feminine"], "pair", row["masculine_plural"], sides, row["way"])
        found.append((pair, tuple("" if prefix == "=" else prefix for prefix in row["prefixes"].split())))
    return tuple(found)


def own_pair(feminine: str, masculine: str) -> Pair:
    """Return a user's own pair: feminine in -in with its plural, a masculine that adds -s in the genitive."""
    is_in = feminine.endswith("in")
    plural = feminine + ("nen" if is_in else "n" if feminine.endswith("e") else "en")
    weak = masculine.endswith("e")
    ended = masculine.endswith(("er", "el", "en"))
    genitive = masculine + ("n" if weak else "s")
    many = masculine + ("n" if weak else "" if ended else "e")
    sides = Side(MASCULINE, masculine, genitive, many), Side(FEMININE, feminine, feminine, plural)
    return Pair(masculine, feminine, "pair", many, sides)


_GENDERS = {"m": MASCULINE, "f": FEMININE, "n": NEUTER}


def _side(row: dict[str, str], name: str) -> Side:
    return Side(_GENDERS[row[f"{name}_gender"]], row[name], row[f"{name}_genitive"], row[f"{name}_plural"])
