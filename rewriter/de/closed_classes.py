"""Closed classes of German words, compiled from their tables: determiners, prepositions, endings of adjectives."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache

from lexicons.loader import read_table
from rewriter.de.inflection import CASES, FEMININE, MASCULINE, PLURAL, endings, inflect
from rewriter.de.word_readings import Determiner, bit

#: words that join two of one kind
CONJUNCTIONS = frozenset({"und", "oder", "sowie", "bzw", "beziehungsweise"})


def determiners() -> dict[str, tuple[Determiner, ...]]:
    """Return what every form of a determiner may be."""
    found: dict[str, list[Determiner]] = {}
    for row in read_table("de", "determiners"):
        masks: dict[tuple[str, str], int] = {}
        for case in range(4):
            for gender, ending in enumerate(endings(row["paradigm"])[case]):
                if ending is None or (gender == PLURAL) < (row["kind"] == "plural"):
                    continue
                if gender != PLURAL or row["stem"] not in ("jed", "jedwed"):
                    key = inflect(row["stem"], ending), ending
                    masks[key] = masks.get(key, 0) | bit(gender, case)
        for (form, ending), mask in masks.items():
            reading = Determiner(row["stem"], row["kind"], row["paradigm"], row["adjectives"], ending, mask)
            found.setdefault(form, []).append(reading)
            if row["stem"] in ("unser", "euer") and ending in ("em", "en", "es"):
                found.setdefault(row["stem"] + ending[1], []).append(reading)  # unserm, unsern, unsers
    for form, mask in _definite_masks().items():
        found.setdefault(form, []).append(Determiner(_definite_stem(form), "definite", "definite", "weak", "", mask))
    for row in read_table("de", "pairs"):
        if row["kind"] == "contraction":
            case = CASES.index(row["case"])
            for word, gender in ((row["masculine"], MASCULINE), (row["feminine"], FEMININE)):
                if " " not in word:
                    reading = Determiner(row["masculine"], "contraction", "", "weak", "", bit(gender, case))
                    found.setdefault(word, []).append(reading)
    return {form: tuple(readings) for form, readings in found.items()}


def _definite_stem(form: str) -> str:
    return "der" + form[3:].replace("selben", "selbe").replace("jenigen", "jenige")


def _definite_masks() -> dict[str, int]:
    masks: dict[str, int] = {}
    for row in read_table("de", "pairs"):
        if row["kind"] == "article":
            for word, gender in ((row["masculine"], MASCULINE), (row["feminine"], FEMININE)):
                masks[word] = masks.get(word, 0) | bit(gender, CASES.index(row["case"]))
    for suffix in ("", "selben", "jenigen"):
        for case, word in enumerate(("die", "die", "den", "der")):
            masks[word + suffix] = masks.get(word + suffix, 0) | bit(PLURAL, case)
    return masks


@dataclass(frozen=True)
class Closed:
    """Closed classes of words, by table.

    Attributes:
        prepositions: word -> mask of the cases it governs.
        adjective_masks: (paradigm, ending) -> mask.
    """

    prepositions: dict[str, int] = field(default_factory=dict)
    adjective_masks: dict[tuple[str, str], int] = field(default_factory=dict)

    @classmethod
    @cache
    def load(cls) -> Closed:
        """Read the tables."""
        prepositions = {}
        for row in read_table("de", "prepositions"):
            cases = [CASES.index(name) for name in row["cases"].split()]
            prepositions[row["word"]] = sum(bit(gender, case) for gender in range(3) for case in cases)
        masks: dict[tuple[str, str], int] = {}
        for paradigm in ("weak", "mixed", "strong"):
            for case in range(4):
                for gender, ending in enumerate(endings(paradigm)[case]):
                    key = paradigm, ending or ""
                    masks[key] = masks.get(key, 0) | bit(gender, case)
        return cls(prepositions, masks)
