"""What a German word may be: a noun of a person, a nominalised adjective, a first part, a determiner.

A reading's ``mask`` says which gender, number and case it may have, one bit each: masculine singular (nominative to
genitive), feminine singular, plural, neuter singular; sixteen bits. The readings of the words of a noun phrase are
intersected, which settles number and case of most phrases without a model.
"""

from __future__ import annotations

from dataclasses import dataclass

from rewriter.de.inflection import Person

#: any gender, number and case; the last four bits are the neuter, which persons have in swapping only
ALL = 0xFFFF
MASC, FEM, PLUR = 0x00F, 0x0F0, 0xF00
SINGULAR = MASC | FEM


def bit(gender: int, case: int) -> int:
    """Return the bit of a gender (or plural) and case."""
    return 1 << (gender * 4 + case)


def cases_of(mask: int) -> list[int]:
    """Return the cases that a mask allows in the singular."""
    both = (mask | mask >> 4) & 0xF
    return [case for case in range(4) if both >> case & 1]


@dataclass(frozen=True, slots=True)
class Noun:
    """A reading of a word as a person noun.

    Attributes:
        stem: what stands before the sign, prefix of a compound included (*Grundschullehrer*).
        lemma: masculine nominative, lower case, prefix included: equal for both halves of a pair form.
        mask: what the form may be.
        certain: the word is a person noun of the table and nothing else.
        gender: MASCULINE or FEMININE.
        person: the table's entry.
        prefix: first part of a compound.
        first: stem of the person that is the first part (*Schüler|berater*), empty where it is none.
    """

    stem: str
    lemma: str
    mask: int
    certain: bool
    gender: int
    person: Person
    prefix: str = ""
    first: str = ""


@dataclass(frozen=True, slots=True)
class Nominalised:
    """A reading as a nominalised adjective or participle.

    Attributes:
        stem: without its ending.
        ending: here.
        certain: the word hardly ever means a thing.
        likely: its masculine and feminine mean persons, its neuter may mean a thing.
    """

    stem: str
    ending: str
    certain: bool
    likely: bool = True


@dataclass(frozen=True, slots=True)
class FirstPart:
    """A compound whose first part is a person: what stands before the sign, and the rest behind *innen*."""

    stem: str
    rest: str


@dataclass(frozen=True, slots=True)
class Determiner:
    """A reading as a determiner.

    Attributes:
        stem: *ein*, *jed*, *sein*; *der* for the definite article; *zum* for contracted prepositions.
        kind: ``definite``, ``article``, ``possessive``, ``his``, ``her``, ``plural``, ``contraction``.
        paradigm: of its own endings.
        adjectives: paradigm of adjectives behind it.
        ending: its ending here.
        mask: what it may belong to.
    """

    stem: str
    kind: str
    paradigm: str
    adjectives: str
    ending: str
    mask: int


@dataclass(frozen=True, slots=True)
class Word:
    """Everything that a surface form may be."""

    noun: Noun | None = None
    nominalised: Nominalised | None = None
    first: FirstPart | None = None
