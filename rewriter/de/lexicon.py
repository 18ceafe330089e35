"""The German word tables compiled for look-up: what every word of a text may be."""

from __future__ import annotations

import re
from collections.abc import Iterable, Set
from dataclasses import replace

from lexicons.loader import read_table
from rewriter.de.closed_classes import Closed, determiners
from rewriter.de.compounds import VOWEL, genders, is_linked, is_noun, is_other_cut, is_rest, known_nouns
from rewriter.de.given_names import first_names
from rewriter.de.inflection import FEMININE, MASCULINE, Person
from rewriter.de.person_forms import (
    first_parts,
    forms_of,
    noun_forms,
    persons,
    rare_forms,
    rare_persons,
    uncertain,
    widened,
)
from rewriter.de.unknown_words import (
    learned_person,
    modern_spellings,
    nominalised_form,
    persons_adjective,
    unknown_agent,
)
from rewriter.de.word_readings import (
    ALL,
    FEM,
    MASC,
    PLUR,
    SINGULAR,
    Determiner,
    FirstPart,
    Nominalised,
    Noun,
    Word,
    bit,
    cases_of,
)

__all__ = [
    "ALL",
    "FEM",
    "LONGEST_WORD",
    "MASC",
    "PLUR",
    "SINGULAR",
    "Closed",
    "Determiner",
    "FirstPart",
    "GermanLexicon",
    "Nominalised",
    "Noun",
    "Word",
    "bit",
    "cases_of",
    "genders",
]

#: what behind a trade makes the name of a place (*Fischerinsel*)
_GROUND = frozenset(
    "insel platz weg ring brücke tor ufer damm steig stieg berg burg bach tal see wiese graben markt horn kamp".split()
)
#: feminines in -in of words that stand in no table
_FEMININE_ENDING = re.compile(r"(?:[a-zäöüß]{3,}(?:er|ist|olog|eur|ikant|enz?ent))in(?:nen)?$")
_NO_FEMININE = re.compile(
    r"(?:glyzerin|heparin|saccharin|stearin|margerin|mandarin|tamburin|keratin|aspirin|katharin|severin|tangerin|zerin"
    r"|christin|kristin|chorin|wolverin|darin|worin|herin|hierin|antoerin|interin|innern?|erinnern?|erinnerin)(?:nen)?$"
)
#: masculines in productive endings, and look-alikes
_MASCULINE_ENDING = re.compile(
    r"(?P<stem>[a-zäöüß]{3,}(?:(?P<weak>(?<!e)ist|olog|pädagog)|(?P<strong>(?<!e)iker|[dgkt]ler|ianer|ikaner|isierer)))(?:e|en|s|n)?"
)
_NO_MASCULINE = re.compile(r"(?:\w*[^aeiouy])?listen|\w*(?:k|fr|p|zw|m)ist(?:en)?|\w+(?:sattler|tadler)s?|\w*eikern?")
_SHORT_HEADS = frozenset({"arzt", "chef", "dieb", "held", "koch", "wirt"})
#: lemmas that may be written small
_SMALL = re.compile(r"(?:er|ist|ent|or|eur|arzt|chef|freund|kollege|nachbar)$")

#: letters of a person that is the middle of a compound (Mit|herausgeber|schaft)
_LEAST_MIDDLE = 6
#: letters of a first part that need be in no table
_LEAST_UNKNOWN = 5
#: letters of the longest compounds that people write (*Donaudampfschifffahrtselektrizitäten...gesellschaft* has 79)
LONGEST_WORD = 80
#: what a first part makes no compound of two persons with, and what it is not
_RANKS = frozenset({"meister", "offizi", "offizier", "gesell", "meisteri"})
_NO_FIRST_OF_TWO = (
    "obmann", "oberst", "general", "amateur", "kardinal", "meister", "chef", "bündner", "schweizer", "junior",
    "senior", "profi",
)  # fmt: skip


class GermanLexicon:
    """Looks words up; remembers what it found."""

    def __init__(self, extra_nouns: Iterable[dict[str, str]] = (), *, open_ended: bool = False) -> None:
        """Read the shipped tables and a user's own nouns (rows with ``gendered`` and ``fair``: *Wart*, *Wart*in*).

        Args:
            extra_nouns: a user's own nouns.
            open_ended: read unknown words in *-er* as possible persons, too, and compounds that may be cut elsewhere;
                for a network that tells which of them are.
        """
        self.open_ended = open_ended
        things = {(row["word"], row["kind"]) for row in read_table("de", "things")}
        self._things = {word for word, kind in things if kind == "word"}
        self._suffixes = tuple(word for word, kind in things if kind == "suffix")
        self._ambiguous = {word for word, kind in things if kind == "ambiguous"}
        self._no_first = tuple(word for word, kind in things if kind == "first")
        self.surnames = {word for word, kind in things if kind == "surname"}
        self._rests = {word for word, kind in things if kind == "rest"}
        self._no_head = {word for word, kind in things if kind == "no head"}
        self._short_firsts = {word for word, kind in things if kind == "short first"}
        self._not_small = {word for word, kind in things if kind == "small"}
        self.towns = frozenset(row["inhabitant"].lower() for row in read_table("de", "towns"))
        self._forms = noun_forms(self._ambiguous)
        self._rare: dict[str, Noun] = {}
        self._no_persons: Set[str] = frozenset()
        self._first = first_parts(persons())
        if open_ended:
            self._rare = rare_forms()
            tables = (*read_table("de", "no_persons"), *read_table("de", "stop_words"))
            self._no_persons = frozenset(row["word"] for row in tables)
            self._forms = {**self._rare, **widened(self._forms, self._rare)}
            self._first = {
                **first_parts(rare_persons(), links_in_s=True),
                **first_parts(persons(), links_in_s=True),
            }
        self._stems = {row["stem"]: row["certain"] == "yes" for row in read_table("de", "nominalised")}
        self._rarely = {row["stem"] for row in read_table("de", "nominalised") if row["certain"] == "rarely"}
        self.determiners = determiners()
        self._known: dict[str, Word | None] = {}
        for row in extra_nouns:
            self._add_own(row)

    def _add_own(self, row: dict[str, str]) -> None:
        masculine, fair = row["gendered"], row["fair"]
        stem = re.split(r"[*:_/]", fair)[0]
        weak = "weak" if masculine.endswith("e") else "strong"
        plural = masculine + ("n" if weak == "weak" else "" if masculine.endswith(("er", "el", "en")) else "e")
        for form, readings in forms_of(Person(masculine, stem + "in", weak, plural), certain=True).items():
            self._forms[form] = readings

    def word(self, surface: str) -> Word | None:
        """Return what a word may be, None for a word that is no person whatever its context."""
        if len(surface) > LONGEST_WORD:
            return None
        try:
            return self._known[surface]
        except KeyError:
            if len(self._known) > 200_000:
                self._known.clear()
            found = self._known[surface] = self._look_up(surface)
            return found

    def _look_up(self, surface: str, *, by_form: bool = True) -> Word | None:
        lower = surface.lower()
        if len(surface) < 3 or not surface.isalpha():
            return None
        is_thing = self._is_thing(lower)
        if is_thing and not self.open_ended:
            return None
        if any(c.isupper() for c in surface[1:]) and not surface.isupper():
            return None  # Binnen-I and brands
        if surface[0].islower():
            return None if is_thing else self._small(lower) or self._adjective(lower)
        if self.open_ended:
            return self._open_word(surface, lower, is_thing=is_thing, by_form=by_form and not self._is_blocked(surface))
        noun = self._forms.get(lower) or self._compound(lower) or self._by_ending(lower)
        nominalised = None if surface.isupper() else self._nominalised(lower)
        first = self._first_part(lower) if noun is None and nominalised is None else None
        return Word(noun, nominalised, first) if noun or nominalised or first else None

    def _open_word(self, surface: str, lower: str, *, is_thing: bool, by_form: bool) -> Word | None:
        """Return all that a capitalised word may be, for a network that tells which of it is meant."""
        table = self._rare.get(lower) if is_thing else self._forms.get(lower) or self._swiss(lower)
        noun = table or (None if is_thing else self._compound(lower) or self._by_ending(lower))
        nominalised = None if surface.isupper() or is_thing else self._nominalised(lower)
        if nominalised is not None and nominalised.certain and noun is not None and not noun.certain:
            noun = None  # Reisender is no Sender
        first = self._first_part(lower) if table is None and nominalised is None else None
        if noun is None and nominalised is None and not is_thing and by_form:
            if first is None:
                noun = self._unknown(lower)
            if noun is None and first is None and surface[1:].islower():
                nominalised = self._nominalised_by_form(lower)
        return Word(noun, nominalised, first) if noun or nominalised or first else None

    def _is_blocked(self, surface: str) -> bool:
        """Return True if a word looks like a person by its form and is none: *Besonders, Jemanden, Malte*."""
        return surface.lower() in self._no_persons or surface in first_names()

    def knows_by_form_alone(self, surface: str) -> bool:
        """Return True if nothing but the form of a word says that it may be a person."""
        return self._look_up(surface, by_form=False) is None and self._look_up(surface) is not None

    @staticmethod
    def _nominalised_by_form(lower: str) -> Nominalised | None:
        form = nominalised_form(lower, known_nouns())
        return Nominalised(*form, False, False) if form is not None else None

    def _unknown(self, lower: str) -> Noun | None:
        """Return what a word that no table knows would be as a person: by its ending, or by today's spelling."""
        for find in (learned_person, unknown_agent):
            person = find(lower, known_nouns())
            noun = forms_of(person, certain=False).get(lower) if person is not None else None
            if noun is not None:
                return noun
        for modern in modern_spellings(lower):
            noun = _in_spelling(self._forms.get(modern) or self._compound(modern), lower, modern)
            if noun is not None:
                return noun
        return None

    def _swiss(self, lower: str) -> Noun | None:
        """Return a noun of the tables in Swiss spelling: *Strassenbauer* is no *Bauer*."""
        if "ss" not in lower:
            return None
        modern = lower.replace("ss", "ß")
        return _in_spelling(self._forms.get(modern), lower, modern)

    def holds(self, word: str) -> bool:
        """Return True if a word is a form of a person of the tables, no compound."""
        return word.lower() in self._forms

    def _is_thing(self, lower: str) -> bool:
        """Return True if a word is a thing of the table, in the genitive or dative plural, too (des Lautsprechers)."""
        if lower in self._things or (lower[-1] in "sn" and lower[:-1] in self._things):
            return True
        if lower in self._forms:
            return False  # Vermesser, Siebdrucker
        return lower.endswith(self._suffixes) or (lower[-1] in "sn" and lower[:-1].endswith(self._suffixes))

    def _small(self, lower: str) -> Word | None:
        """Return the reading of a word written small: only forms that are no adjective or verb as well."""
        if self._not_small & {lower, lower[:-1], lower[:-2], lower.removeprefix("un")} or lower.endswith(
            ("ern", "ieren", "ischer", "ester")
        ):
            return None
        noun = self._forms.get(lower) or self._compound(lower, shortest=6)
        if noun is None or (noun.gender == MASCULINE and not _SMALL.search(noun.lemma)):
            return None
        return Word(noun=uncertain(noun))

    def _adjective(self, lower: str) -> Word | None:
        """Return the reading of an adjective that begins with a person: *nutzerfreundliche*, *arbeitnehmernah*."""
        parts = persons_adjective(lower) if self.open_ended else None
        stem = self._first_stem(parts[0]) if parts is not None else None
        return Word(first=FirstPart(stem.lower(), parts[1])) if parts is not None and stem is not None else None

    def _compound(self, lower: str, shortest: int = 4) -> Noun | None:
        for cut in range(3, len(lower) - shortest + 1):
            tail, size = self._forms.get(lower[cut:]), len(lower) - cut
            if tail is None or (size == 4 and lower[cut:] not in _SHORT_HEADS) or not VOWEL.search(lower[:cut]):
                continue
            if (
                lower[cut:] in self._no_head
                or lower[:cut] in ("ver", "ent", "zer")
                or (size < 5 and tail.gender == FEMININE)
            ):
                continue
            if cut < _LEAST_UNKNOWN and not self._begins_compound(lower[:cut]):
                continue
            prefix, certain = lower[:cut], tail.certain and tail.gender == FEMININE and size > 6
            stem, lemma = prefix + tail.stem.lower(), prefix + tail.lemma
            first = self._first_stem(prefix) if self.open_ended and self._are_two(lower, cut) else None
            return Noun(stem, lemma, tail.mask, certain, tail.gender, tail.person, prefix, first or "")
        return None

    def _are_two(self, lower: str, cut: int) -> bool:
        """Return True if both parts of a compound may be persons (*Schüler|berater*, no *Drechsler|meister*)."""
        return lower[cut:].rstrip("ens") not in _RANKS and not lower.startswith((*self._no_first, *_NO_FIRST_OF_TWO))

    def _by_ending(self, lower: str) -> Noun | None:
        if _FEMININE_ENDING.search(lower) and not _NO_FEMININE.search(lower):
            stem = lower.removesuffix("nen")[:-2]
        else:
            return self._masculine_by_ending(lower)
        masculine = stem + ("e" if stem.endswith("og") else "")
        weak = stem.endswith(("ist", "og", "ent", "ant"))
        plural = masculine + ("n" if masculine.endswith("e") else "en" if weak else "" if stem.endswith("er") else "e")
        return forms_of(Person(masculine, stem + "in", "weak" if weak else "strong", plural), certain=False).get(lower)

    def _masculine_by_ending(self, lower: str) -> Noun | None:
        match = _MASCULINE_ENDING.fullmatch(lower)
        if match is None or _NO_MASCULINE.fullmatch(lower):
            return None
        stem = match["stem"]
        masculine = stem + "e" if stem.endswith("og") else stem
        plural = stem if match["strong"] else stem + "en"
        kind = "strong" if match["strong"] else "weak"
        return forms_of(Person(masculine, stem + "in", kind, plural), certain=False).get(lower)

    def _nominalised(self, lower: str) -> Nominalised | None:
        match = re.fullmatch(r"(.+?)(e[nmr]?)", lower)
        if match is None:
            return None
        stem, ending = match[1], match[2]
        if stem in self._stems:
            return Nominalised(stem, ending, self._stems[stem], stem not in self._rarely)
        for cut in range(3, len(stem) - 5):
            if stem[cut:] in self._stems and VOWEL.search(stem[:cut]):
                return Nominalised(stem, ending, self._stems[stem[cut:]], stem[cut:] not in self._rarely)
        return None

    def _first_stem(self, part: str) -> str | None:
        """Return what stands before the sign for the first part of a compound, which may be a compound itself."""
        stem = self._first.get(part)
        if stem is not None:
            return stem
        for cut in range(3, len(part) - _LEAST_MIDDLE + 1):
            stem = self._first.get(part[cut:])
            if stem is None or not VOWEL.search(part[:cut]) or part[cut:] in self._no_head:
                continue
            if cut >= _LEAST_UNKNOWN or self._begins_compound(part[:cut]):
                return part[:cut] + stem.lower()
        return None

    def _begins_compound(self, part: str) -> bool:
        """Return True if a few letters are a word by which compounds begin: *Alt|bauer*, no *Fre|gatte*."""
        return part in self._short_firsts or part in self._forms or is_linked(part, self._rests)

    def _first_part(self, lower: str) -> FirstPart | None:
        if lower.startswith(self._no_first) and not self.open_ended:
            return None
        # the longest person noun that leaves a word: Kandidatinnen|liste, Kandidaten|liste
        for cut in range(len(lower) - 3, 3, -1):
            stem, rest = self._first_stem(lower[:cut]), lower[cut:]
            if stem is not None and not self.open_ended and is_other_cut(lower[:cut], rest):
                return None
            if stem is not None and not self.open_ended and self._is_place(lower[:cut], rest):
                return None
            if stem is not None and (rest in self._rests or is_rest(rest, self._rests)):
                if lower[cut - 1] == "s" and is_noun("s" + rest, self._rests) and self._first_stem(lower[: cut - 1]):
                    rest = "s" + rest  # Bürger|steig, no Bürgers|teig
                return FirstPart(stem, rest)
        return None

    def _is_place(self, part: str, rest: str) -> bool:
        """Return True if it names a place or a thing: *Thüringerwald*, *Fischerinsel*, *Kugelschreiber|mine*."""
        if part in self.towns or part in self._things or part.endswith(self._suffixes):
            return True
        return part in self.surnames and rest in _GROUND


def _in_spelling(noun: Noun | None, lower: str, modern: str) -> Noun | None:
    """Return a noun as it is spelt in a text (``lower``; today ``modern``), None where its stem cannot be told."""
    if noun is None or not modern.startswith(noun.stem.lower()):
        return None
    stem = lower[: len(lower) - len(modern) + len(noun.stem)]
    person = _spelt(noun.prefix, noun.person, noun.stem.lower(), stem)
    return replace(noun, stem=stem, lemma=stem, certain=False, first="", person=person, prefix="")


def _spelt(prefix: str, person: Person, modern: str, stem: str) -> Person:
    """Return a person in an old spelling (*Wirth* for *Wirt*)."""

    def spelt(form: str) -> str:
        lower = (prefix + form).lower()
        return stem + lower[len(modern) :] if lower.startswith(modern) else lower

    return Person(spelt(person.masculine), spelt(person.feminine), person.declension, spelt(person.plural))
