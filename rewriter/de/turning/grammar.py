"""German inflection in three genders, for swapping: determiners, adjectives, and the nouns of ``swap.tsv``.

The tables of the rewriter know masculine, feminine and plural; a girl is neuter, so the neuter stands here: it differs
from the masculine in nominative and accusative only. Masks have sixteen bits, the last four for the neuter singular.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from lexicons.loader import read_table
from rewriter.de.inflection import (
    ACCUSATIVE,
    DATIVE,
    FEMININE,
    GENITIVE,
    MASCULINE,
    NOMINATIVE,
    PLURAL,
    Person,
    endings,
    inflect,
)
from rewriter.de.lexicon import LONGEST_WORD, Closed, Determiner, GermanLexicon, Noun, bit

NEUTER = 3
NEUT = 0xF000
#: any gender, number and case
ANY = 0xFFFF

#: the person of a noun that means none
NOBODY = Person("", "", "strong", "")
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


@cache
def words(kind: str) -> frozenset[str]:
    """Return the words of a kind of ``swap_words.tsv``."""
    return frozenset(row["word"] for row in read_table("de", "swap_words") if row["kind"] == kind)


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


class TurningLexicon(GermanLexicon):
    """The word tables of the rewriter with the pairs of ``swap.tsv``, the neuter, and the gender of things."""

    def __init__(self, own: tuple[tuple[str, str], ...] = ()) -> None:
        """Read the tables; a user's own pairs (feminine, masculine) come first."""
        super().__init__()
        self._forms = dict(self._forms)
        for pair, prefixes in reversed(pairs()):
            for prefix in prefixes:
                self._add_pair(pair, prefix)
        for feminine, masculine in own:
            self._add_pair(own_pair(feminine, masculine), "")
        self._stems = self._stems | {"jährig": True, "beklagt": True}
        self.determiners = _with_neuter(self.determiners)
        self._genders = {row["noun"]: row["gender"] for row in read_table("de", "genders")}
        self._genders["Uhr"] = "f"  # acht Uhr looks like a plural
        self._known_things: dict[str, Noun | None] = {}

    def _add_pair(self, pair: Pair, prefix: str) -> None:
        """Add the forms of a pair; a word that is turned one way only is no partner of its counterpart."""
        for index, side in enumerate(pair.sides):
            if pair.way == ("to-masculine", "to-feminine")[index] or side.plural == "-":
                continue  # the word that a variant is turned to
            masks: dict[str, int] = {}
            for form, gender, case in side.cells():
                masks[form] = masks.get(form, 0) | bit(gender, case)
            for form, mask in masks.items():
                name = (prefix + form).lower()
                self._forms[name] = Noun(prefix, prefix + pair.masculine.lower(), mask, True, index, pair, prefix)
                self._things.discard(name)
                self._no_head.add(name)

    def thing(self, surface: str) -> Noun | None:
        """Return the reading of a capitalised word as something that is not swapped, by its gender; None if unknown."""
        if len(surface) > LONGEST_WORD:
            return None
        try:
            return self._known_things[surface]
        except KeyError:
            if len(self._known_things) > 100_000:
                self._known_things.clear()
            mask = self._thing_mask(surface)
            found = None if not mask else Noun(surface, surface.lower(), mask, True, MASCULINE, NOBODY)
            self._known_things[surface] = found
            return found

    def _thing_mask(self, surface: str) -> int:
        known = self._genders
        gender = known.get(surface) or known.get(surface.capitalize())
        if gender is None:
            gender = self._by_part(surface) or _by_suffix(surface) or self._by_list(surface)
        mask = _THING_MASKS.get(gender or "", 0)
        if gender not in ("m", "n") or not surface.endswith(_SAME_PLURAL):
            return mask
        # der Koffer, die Koffer, but: den Koffern
        return mask | (0xF00 if surface.endswith("n") else 0xF00 & ~bit(PLURAL, DATIVE))

    def _by_list(self, surface: str) -> str | None:
        """Return the gender of a thing that looks like a person, whose word is masculine (*Stecker*)."""
        return "m" if surface.endswith("er") and self._is_thing(surface.lower()) else None

    def _by_part(self, surface: str) -> str | None:
        """Return the gender of a form of a known noun, or of a compound that ends in one."""
        known = self._genders
        for ending in ("es", "s"):
            if surface.endswith(ending) and known.get(surface.removesuffix(ending)) in ("m", "n"):
                return "genitive " + known[surface.removesuffix(ending)]
        for ending in ("en", "n", "e", "er", "s"):
            if surface.endswith(ending) and surface.removesuffix(ending) in known:
                return "p"
        for cut in range(3, len(surface) - 3):
            gender = known.get(surface[cut:].capitalize()) if surface[cut:].islower() else None
            if gender is not None:
                return gender
        return None


def _by_suffix(surface: str) -> str | None:
    for suffixes, gender in _SUFFIXES:
        if surface.endswith(suffixes) and len(surface) > _SHORTEST_BY_SUFFIX:
            return gender
    return None


#: shorter words with such an ending are names as often (*Noor, Erik*)
_SHORTEST_BY_SUFFIX = 5
_SUFFIXES = (
    (("ungen", "heiten", "keiten", "schaften", "ionen", "täten"), "p"),
    (("ung", "heit", "keit", "schaft", "ion", "tät", "ei", "ik", "ur", "enz", "anz"), "f"),
    (("chen", "lein", "ment", "tum", "um", "ma"), "n"),
    (("ling", "ismus", "or", "ig"), "m"),
)
#: endings of masculines and neuters whose plural looks the same
_SAME_PLURAL = ("er", "el", "en", "chen", "lein")
#: masks of things by gender, in all cases: what stands before them tells the case
_THING_MASKS = {
    "m": 0x00F,
    "f": 0x0F0,
    "n": NEUT,
    "p": 0xF00,
    "genitive m": bit(MASCULINE, GENITIVE),
    "genitive n": bit(NEUTER, GENITIVE),
}


def _with_neuter(known: dict[str, tuple[Determiner, ...]]) -> dict[str, tuple[Determiner, ...]]:
    """Return the determiners with the neuter readings of their forms, and with forms that are neuter only."""
    found = {form: list(readings) for form, readings in known.items()}
    stems: dict[tuple[str, str], Determiner] = {}
    for readings in known.values():
        for reading in readings:
            stems.setdefault((reading.stem, reading.kind), reading)
    for reading in stems.values():
        if reading.kind == "plural":
            continue
        for case in range(4):
            _add_reading(found, reading, determiner(reading, NEUTER, case), bit(NEUTER, case), case)
    for preposition in ("in", "an", "auf", "für", "durch", "um"):
        form = preposition + "s"
        mask = bit(NEUTER, ACCUSATIVE)
        found.setdefault(form, []).append(Determiner(form, "accusative", "", "weak", "", mask))
    return {form: tuple(readings) for form, readings in found.items()}


def _add_reading(found: dict[str, list[Determiner]], model: Determiner, form: str, mask: int, case: int) -> None:
    if model.kind == "contraction" and case != DATIVE:
        return
    if " " in form:
        return
    readings = found.setdefault(form, [])
    for place, reading in enumerate(readings):
        if reading.stem == model.stem and reading.kind == model.kind:
            readings[place] = Determiner(
                reading.stem, reading.kind, reading.paradigm, reading.adjectives, reading.ending, reading.mask | mask
            )
            return
    ending = form[len(model.stem) :] if form.startswith(model.stem) else ""
    readings.append(Determiner(model.stem, model.kind, model.paradigm, model.adjectives, ending, mask))


@cache
def closed_with_neuter() -> Closed:
    """Return the closed classes of the rewriter with the neuter."""
    known = Closed.load()
    prepositions = {}
    for word, mask in known.prepositions.items():
        cases = mask & 0xF
        prepositions[word] = mask | cases << 12
    masks = dict(known.adjective_masks)
    for paradigm in ("weak", "mixed", "strong"):
        for case in range(4):
            key = paradigm, ending_of(paradigm, NEUTER, case)
            masks[key] = masks.get(key, 0) | bit(NEUTER, case)
    return Closed(prepositions, masks)
