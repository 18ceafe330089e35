"""Writes invented toy sentences, one a line: ``python -m gender_fair_toy.sentences > corpus.txt``."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from lexicons.loader import read_table

SUBJECTS = ("lo", "la", "un {noun}", "il solo")
VERBS = ("canta", "vide", "vola", "parle", "lege", "dorme")
PLACES = ("", " la", " la ora", " la ven", " ora", " ven la")


def sentences() -> Iterator[str]:
    """Yield every combination of subject, verb, noun and place."""
    nouns = [row[gender] for row in read_table("toy", "nouns") for gender in ("masculine", "feminine")]
    for subject, verb, noun, place in product(SUBJECTS, VERBS, nouns, PLACES):
        sentence = f"{subject.format(noun=noun)} {verb}{place}."
        if verb in ("vide", "lege") and "{noun}" not in subject:
            sentence = f"{subject} {verb} {'una' if noun.endswith('a') else 'un'} {noun}{place}."
        yield sentence[0].upper() + sentence[1:]


if __name__ == "__main__":
    print(*dict.fromkeys(sentences()), sep="\n")
