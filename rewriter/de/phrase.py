"""A noun phrase of a person, and parts of what is left of its gender, number and case."""

from __future__ import annotations

from dataclasses import dataclass, field

from rewriter.de.word_readings import ALL, MASC, PLUR, SINGULAR, Determiner, Word


@dataclass(slots=True)
class Phrase:
    """A noun phrase with a person as its head.

    Attributes:
        head: token of the noun.
        word: what the noun may be.
        start: first token of the phrase.
        determiner: its token, or -1; for *von der* the token of *der*.
        reading: of the determiner.
        double: token of a determiner of the other gender before it (die oder der Vorsitzende), or -1.
        adjectives: tokens of inflected adjectives.
        paradigm: that the adjectives and a nominalised head follow.
        mask: what is left of gender, number and case.
        fair: the phrase is written gender-fair already.
        certain: the phrase is contiguous and nothing speaks against its reading.
    """

    head: int
    word: Word
    start: int
    determiner: int = -1
    reading: Determiner | None = None
    double: int = -1
    adjectives: list[int] = field(default_factory=list)
    paradigm: str = "strong"
    mask: int = ALL
    fair: bool = False
    certain: bool = True


def singular(mask: int) -> int:
    """Return the singular part of a mask."""
    return mask & SINGULAR


def plural(mask: int) -> int:
    """Return the plural part of a mask."""
    return mask & PLUR


def masculine(mask: int) -> int:
    """Return the masculine singular part of a mask."""
    return mask & MASC
