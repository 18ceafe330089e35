"""The German word tables compiled for look-up: what every word of a text may be.

A reading's ``mask`` says which gender, number and case it may have, one bit each: masculine singular (nominative to
genitive), feminine singular, plural, neuter singular; sixteen bits. The readings of the words of a noun phrase are
intersected, which settles number and case of most phrases without a model.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Set
from dataclasses import dataclass, field, replace
from functools import cache

from lexicons.loader import read_table
from rewriter.de.given_names import first_names
from rewriter.de.inflection import CASES, FEMININE, MASCULINE, PLURAL, Person, endings, inflect
from rewriter.de.unknown_words import (
    learned_person,
    modern_spellings,
    nominalised_form,
    persons_adjective,
    unknown_agent,
)

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


#: what cannot follow a person as the rest of a compound: endings of derivation and inflection
_NO_REST = re.compile(
    r"(?:in|innen|s?chaft\w*|isch\w*|s|n|en|es|e|ern?|tum\w*|heit\w*|keit\w*|lich\w*|ung(?:en)?|ei(?:en)?|chen|lein|ling\w*|los\w*"
    r"|haft\w*|nen|ische?n?|ium|ien|inn\w*|ismus|ist\w*|ion\w*|it[äa]t\w*|at\w{0,2}|ium\w*|age\w*|ian\w*|iell\w*|ial\w*|ur(?:en)?|en\w{2})$"
)
_VOWEL = re.compile("[aeiouäöüy]")
#: what makes a person the name of a place
_STREET = re.compile("(?:straße|strasse|gasse|allee)n?")
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
#: what a word may begin with
_ONSET = re.compile(
    r"(?:[bcdfghjklmnpqrstvwxz]|bl|br|ch|chl|chr|cl|cr|dr|fl|fr|gl|gn|gr|kl|kn|kr|pf|pfl|ph|pl|pr|ps|qu|sch|schl|schm|schn|schr"
    r"|schw|sk|sl|sm|sp|spl|spr|st|str|sz|th|tr|tsch|tw|wr|zw)?[aeiouäöüy]"
)
_SHORT_HEADS = frozenset({"arzt", "chef", "dieb", "held", "koch", "wirt"})
#: lemmas that may be written small
_SMALL = re.compile(r"(?:er|ist|ent|or|eur|arzt|chef|freund|kollege|nachbar)$")


#: letters of a person that is the middle of a compound (Mit|herausgeber|schaft)
_LEAST_MIDDLE = 6
#: letters of a noun at the end of a compound of several
_LEAST_TAIL = 4
#: letters of a part of a compound
_LEAST_PART = 3
#: letters of a first part that need be in no table
_LEAST_UNKNOWN = 5
#: short first parts that are no nouns of the tables
_SHORT_PREFIXES = frozenset(
    "alt auf aus ein erst euro ganz geo gut halb hoch ideen info jung kein kino kurz lang mega meta mikro mini mit mono nah neo neu"
    " nord ober öko öl online ost otto pop porno pro psycho quer real reit renn ski sing sozi soft spät spiel sub süd teil top tief"
    " tisch turbo über um unter ur viel vize voll vor web weit west wach wahl zeit zu zwei drei vier fach fahr koch lehr lern melk"
    " gau solo näh schach schul schau schutz treu bio auto anti laut leit müll foto film fern fest frei fein fett groß haus heim kraft".split()
)
#: letters of the longest compounds that people write (*Donaudampfschifffahrtselektrizitäten...gesellschaft* has 79)
LONGEST_WORD = 80


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
        self._not_small = {word for word, kind in things if kind == "small"}
        self.towns = frozenset(row["inhabitant"].lower() for row in read_table("de", "towns"))
        self._forms = _noun_forms(self._ambiguous)
        self._rare: dict[str, Noun] = {}
        self._no_persons: Set[str] = frozenset()
        self._first = _first_parts(_persons())
        if open_ended:
            self._rare = _rare_forms()
            tables = (*read_table("de", "no_persons"), *read_table("de", "stop_words"))
            self._no_persons = frozenset(row["word"] for row in tables)
            self._forms = {**self._rare, **_widened(self._forms, self._rare)}
            self._first = {
                **_first_parts(_rare_persons(), links_in_s=True),
                **_first_parts(_persons(), links_in_s=True),
            }
        self._stems = {row["stem"]: row["certain"] == "yes" for row in read_table("de", "nominalised")}
        self._rarely = {row["stem"] for row in read_table("de", "nominalised") if row["certain"] == "rarely"}
        self.determiners = _determiners()
        self._known: dict[str, Word | None] = {}
        for row in extra_nouns:
            self._add_own(row)

    def _add_own(self, row: dict[str, str]) -> None:
        masculine, fair = row["gendered"], row["fair"]
        stem = re.split(r"[*:_/]", fair)[0]
        weak = "weak" if masculine.endswith("e") else "strong"
        plural = masculine + ("n" if weak == "weak" else "" if masculine.endswith(("er", "el", "en")) else "e")
        for form, readings in _forms_of(Person(masculine, stem + "in", weak, plural), certain=True).items():
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
        form = nominalised_form(lower, _nouns())
        return Nominalised(*form, False, False) if form is not None else None

    def _unknown(self, lower: str) -> Noun | None:
        """Return what a word that no table knows would be as a person: by its ending, or by today's spelling."""
        for find in (learned_person, unknown_agent):
            person = find(lower, _nouns())
            noun = _forms_of(person, certain=False).get(lower) if person is not None else None
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
        """Tell whether a word is a thing of the table, in the genitive or dative plural, too (des Lautsprechers)."""
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
        return Word(noun=_uncertain(noun))

    def _adjective(self, lower: str) -> Word | None:
        """Return the reading of an adjective that begins with a person: *nutzerfreundliche*, *arbeitnehmernah*."""
        parts = persons_adjective(lower) if self.open_ended else None
        stem = self._first_stem(parts[0]) if parts is not None else None
        return Word(first=FirstPart(stem.lower(), parts[1])) if parts is not None and stem is not None else None

    def _compound(self, lower: str, shortest: int = 4) -> Noun | None:
        for cut in range(3, len(lower) - shortest + 1):
            tail, size = self._forms.get(lower[cut:]), len(lower) - cut
            if tail is None or (size == 4 and lower[cut:] not in _SHORT_HEADS) or not _VOWEL.search(lower[:cut]):
                continue
            if lower[cut:] in self._no_head or (size < 5 and tail.gender == FEMININE):
                continue
            if lower[:cut] in ("ver", "ent", "zer"):
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
        return _forms_of(Person(masculine, stem + "in", "weak" if weak else "strong", plural), certain=False).get(lower)

    def _masculine_by_ending(self, lower: str) -> Noun | None:
        match = _MASCULINE_ENDING.fullmatch(lower)
        if match is None or _NO_MASCULINE.fullmatch(lower):
            return None
        stem = match["stem"]
        masculine = stem + "e" if stem.endswith("og") else stem
        plural = stem if match["strong"] else stem + "en"
        kind = "strong" if match["strong"] else "weak"
        return _forms_of(Person(masculine, stem + "in", kind, plural), certain=False).get(lower)

    def _nominalised(self, lower: str) -> Nominalised | None:
        match = re.fullmatch(r"(.+?)(e[nmr]?)", lower)
        if match is None:
            return None
        stem, ending = match[1], match[2]
        if stem in self._stems:
            return Nominalised(stem, ending, self._stems[stem], stem not in self._rarely)
        for cut in range(3, len(stem) - 5):
            if stem[cut:] in self._stems and _VOWEL.search(stem[:cut]):
                return Nominalised(stem, ending, self._stems[stem[cut:]], stem[cut:] not in self._rarely)
        return None

    def _first_stem(self, part: str) -> str | None:
        """Return what stands before the sign for the first part of a compound, which may be a compound itself."""
        stem = self._first.get(part)
        if stem is not None:
            return stem
        for cut in range(3, len(part) - _LEAST_MIDDLE + 1):
            stem = self._first.get(part[cut:])
            if cut < _LEAST_UNKNOWN and not self._begins_compound(part[:cut]):
                continue
            if stem is not None and _VOWEL.search(part[:cut]) and part[cut:] not in self._no_head:
                return part[:cut] + stem.lower()
        return None

    def _begins_compound(self, part: str) -> bool:
        """Return True if a few letters are a word by which compounds begin: *Alt|bauer*, no *Fre|gatte*."""
        return part in _SHORT_PREFIXES or part in self._forms or _links(part, self._rests)

    def _first_part(self, lower: str) -> FirstPart | None:
        if lower.startswith(self._no_first) and not self.open_ended:
            return None
        # the longest person noun that leaves a word: Kandidatinnen|liste, Kandidaten|liste
        for cut in range(len(lower) - 3, 3, -1):
            stem, rest = self._first_stem(lower[:cut]), lower[cut:]
            if stem is not None and not self.open_ended and _is_other_cut(lower[:cut], rest):
                return None
            if stem is not None and not self.open_ended and self._is_place(lower[:cut], rest):
                return None
            if stem is not None and (rest in self._rests or _is_rest(rest, self._rests)):
                if lower[cut - 1] == "s" and _is_noun("s" + rest, self._rests) and self._first_stem(lower[: cut - 1]):
                    rest = "s" + rest  # Bürger|steig, no Bürgers|teig
                return FirstPart(stem, rest)
        return None

    def _is_place(self, part: str, rest: str) -> bool:
        """Tell whether a compound names a place or a thing: *Thüringerwald*, *Fischerinsel*, *Kugelschreiber|mine*."""
        if part in self.towns or part in self._things or part.endswith(self._suffixes):
            return True
        return part in self.surnames and rest in _GROUND


def _is_rest(rest: str, more: Container[str]) -> bool:
    """Tell whether a compound may go on like this: with a noun, or several (*Mieter|höhung* is no compound).

    Args:
        rest: what stands behind the person.
        more: nouns that the table of genders lacks.
    """
    if not _VOWEL.search(rest) or not _ONSET.match(rest) or _NO_REST.match(rest):
        return False
    if (rest.startswith("ei") and rest not in _nouns()) or rest.startswith("ungs"):
        return False  # Imkerei|gerät, Näherungs|wert
    if _STREET.fullmatch(rest):
        return False  # Gerberstraße
    return _is_noun(rest, more) or any(
        _is_noun(rest[cut:], more) and _links(rest[:cut], more) for cut in range(_LEAST_PART, len(rest) - _LEAST_PART)
    )


def _is_noun(word: str, more: Container[str]) -> bool:
    """Tell whether a word is a noun of the tables, in the genitive or the plural, too (*Verbraucher|schutzes*)."""
    nouns = _nouns()
    bare = [word, *(word[: -len(ending)] for ending in ("s", "es", "n", "en") if word.endswith(ending))]
    return any((form in nouns or form in more) and (form == word or len(form) > _LEAST_PART) for form in bare)


def _links(part: str, more: Container[str]) -> bool:
    """Tell whether a part may stand in the middle of a compound: a noun with what links it to the next."""
    nouns = _nouns()
    bare = [
        part,
        part + "e",
        *(part[: -len(link)] for link in ("s", "n", "en", "es", "er", "e") if part.endswith(link)),
    ]
    return any((form in nouns or form in more) and len(form) >= _LEAST_PART for form in bare)


def _is_other_cut(part: str, rest: str) -> bool:
    """Tell whether *er* belongs to the second part of a compound (*Text|erkennung*, no *Texter|kennung*)."""
    if not part.endswith("er") or len(rest) < _LEAST_TAIL:
        return False
    nouns = _nouns()
    return "er" + rest in nouns and (
        part[:-2] in nouns or part[:-2].endswith(("text", "lehr", "fahr", "lern", "layout", "bild"))
    )


@cache
def genders() -> dict[str, str]:
    """Return gender by noun form (``m``, ``f``, ``n``, ``p`` for a plural), as counted in open text."""
    return {row["noun"]: row["gender"] for row in read_table("de", "genders")}


@cache
def _nouns() -> frozenset[str]:
    return frozenset(noun.lower() for noun in genders())


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


def _uncertain(noun: Noun) -> Noun:
    return Noun(noun.stem, noun.lemma, noun.mask, False, noun.gender, noun.person, noun.prefix)


@cache
def _persons() -> tuple[Person, ...]:
    return tuple(
        Person(row["masculine"], row["feminine"], row["declension"], row["plural"])
        for row in read_table("de", "persons")
    )


def _forms_of(person: Person, *, certain: bool) -> dict[str, Noun]:
    masks: dict[tuple[str, int], int] = {}
    for form, gender, case in person.forms():
        sex = FEMININE if gender == FEMININE or form.endswith("innen") else MASCULINE
        key = form.lower(), sex
        masks[key] = masks.get(key, 0) | bit(gender, case)
    lemma = person.masculine.lower()
    return {form: Noun(person.stem, lemma, mask, certain, sex, person) for (form, sex), mask in masks.items()}


def _noun_forms(ambiguous: set[str]) -> dict[str, Noun]:
    forms: dict[str, Noun] = {}
    for person in _persons():
        doubtful = person.masculine.lower() in ambiguous
        for form, noun in _forms_of(person, certain=True).items():
            if doubtful and noun.gender == MASCULINE:
                noun = _uncertain(noun)
            forms.setdefault(form, noun)
    return forms


@cache
def _rare_persons() -> tuple[Person, ...]:
    return tuple(
        Person(row["masculine"], row["feminine"], row["declension"], row["plural"])
        for table in ("persons_rare", "persons_more")
        for row in read_table("de", table)
    )


def _rare_forms() -> dict[str, Noun]:
    """Return the forms of rare persons; what one form may be in several rows is joined."""
    forms: dict[str, Noun] = {}
    for person in _rare_persons():
        for form, noun in _forms_of(person, certain=False).items():
            known = forms.setdefault(form, noun)
            if known.stem == noun.stem:
                forms[form] = replace(known, mask=known.mask | noun.mask)
    return forms


def _widened(forms: dict[str, Noun], rare: dict[str, Noun]) -> dict[str, Noun]:
    """Return forms with what they may be by the other table, too (*Herzoge*)."""
    return {
        form: replace(noun, mask=noun.mask | rare[form].mask) if form in rare and rare[form].stem == noun.stem else noun
        for form, noun in forms.items()
    }


#: what a first part makes no compound of two persons with, and what it is not
_RANKS = frozenset({"meister", "offizi", "offizier", "gesell", "meisteri"})
_NO_FIRST_OF_TWO = (
    "obmann", "oberst", "general", "amateur", "kardinal", "meister", "chef", "bündner", "schweizer", "junior",
    "senior", "profi",
)  # fmt: skip
#: short persons that begin compounds
_SHORT_FIRST = frozenset({"Arzt", "Koch", "Jude"})
_SHORT_RARE = frozenset({"Held", "Narr", "Wirt", "Bote", "Vogt", "Senn"})


def _first_parts(persons: Iterable[Person], *, links_in_s: bool = False) -> dict[str, str]:
    """Return what may stand before the rest of a compound -> stem before the sign.

    Args:
        persons: of the tables.
        links_in_s: the genitive of persons in *-er* links, too (*Lehrersgattin*), and the nominative of weak ones.
    """
    parts: dict[str, str] = {}
    for person in persons:
        stem = person.stem
        short = _SHORT_FIRST | _SHORT_RARE if links_in_s else _SHORT_FIRST
        if len(person.masculine) < 5 and person.masculine not in short:
            continue
        forms = {person.feminine + "nen", *(form for form, gender, _ in person.forms() if gender != FEMININE)}
        # what never links: a dative (Lehrern), the genitive of -er (Lehrers), the nominative of weak nouns (Statist-)
        forms -= {person.plural + "n"} if person.declension != "weak" else {person.masculine}
        if person.masculine == person.plural and not links_in_s:
            forms.discard(person.masculine + "s")
        for form in forms:
            parts.setdefault(form.lower(), stem)
    return parts


def _determiners() -> dict[str, tuple[Determiner, ...]]:
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
