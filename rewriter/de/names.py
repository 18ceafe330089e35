"""German sentences that name a person: by titles, functions, initials and lists of names; no meaning is read."""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise

from lexicons.loader import read_table
from rewriter.de.given_names import first_names
from rewriter.de.inflection import FEMININE
from rewriter.de.lexicon import GermanLexicon
from rewriter.de.phrase_words import SAYING
from rewriter.de.word_readings import Word, cases_of

#: determiners seen before a given name that is taken for one (die Anna)
_MOST_AS_NOUN = 40
#: determiners seen before a surname or a name of no list that is taken for one (der Gauss)
_MOST_AS_SURNAME = 10
_PARTICLE = r"(?:(?:von|van|de|dos|del|di|da|du|al|el|ibn|bin|bint|abu|y|und zu|zu)[ -](?:(?:der|den|zu|la)[ -])?)*"
_TITLE = re.compile(
    rf"\b(?:Herrn?|Frau|Fräulein|Dr\.|Prof\.|Sir|Lady|Lord|Mrs?\.|Madame|Monsieur)\s+"
    rf"(?:(?:Dr|Prof|Dipl|med|jur|phil|h\.? ?c)\.[- ]*)*{_PARTICLE}(?P<name>[^\W\d_a-zäöüß][\w-]+)"
)
_JUDGE = re.compile(
    r"\bRichter(?:in|n)? am (?:[A-ZÄÖÜ]\w+gericht|Bundesgerichtshof) (?:(?:Prof|Dr)\. )*(?P<name>[A-ZÄÖÜ][\w-]+)"
)
#: not in *z. B. Kalk*
_INITIALS = re.compile(
    r"(?<![a-zäöü]\.)(?<![a-zäöü]\.\s)\b[A-ZÄÖÜ]\.[- ]?(?:[A-ZÄÖÜ]\.[- ]?)*(?P<name>[A-ZÄÖÜ][a-zäöüß-]{2,})(?!\w)"
)
_CAPITALISED = re.compile(
    r"(?<![\w.-])(?:[A-ZÄÖÜ]+-)?[A-ZÀ-ÖØ-ÞĀ-Ž][a-zß-öø-ÿā-ž]+(?:-[A-ZÀ-ÖØ-ÞĀ-Ž][a-zß-öø-ÿā-ž]+)*(?![\w-])"
)
#: authors in brackets: (Ilic 2010), (vgl. Ilic und Osei 2008, S. 12; Okoro 2011), (Ilic, in: ...
_REFERENCE = re.compile(
    r"[(\[][^()\[\]]*?\b(?:1[6-9]|20)\d\d[a-z]?(?:[,:;] ?(?:S\. ?)?[\d –-]+f{0,2}\.?)?(?:[;,][^()\[\]]*)?[)\]]"
    r"|\([^()]*\bin: [^()]*(?:\)|$)"
)
#: particles that stand before no place or thing in German
_FOREIGN = re.compile(r" (?:(?:de|van|di|del|da|dos|al|el|ibn|bin|bint|abu)[ -])+")
_GAP = re.compile(rf" {_PARTICLE}")
#: an ordinal behind the name of a ruler (*Karl XII.*, *Faisal I.*)
_ORDINAL = re.compile(r" (?:I{1,3}|IV|VI{0,3}|IX|XI{0,3}|XIV|XVI{0,3})\.")
#: endings of nouns and of adjectives of towns, which no name has
_NOUN_ENDING = re.compile(
    r"(?:ung|heit|keit|schaft|tion|tät|ismus|nis|chen|lein|tum|straße|platz|stadt|burg|amt|haus|ische[nrms]?|liche[nrms]?"
    r"|ungen|heiten|keiten|tionen|ieren|tage?|jahre?n?|zeit|ige[nrms]?|elle[nrms]?|ive[nrms]?|land|see|tal|ing|ware|ie"
    r"|idae|aceae)$"
)
#: endings of offices behind *Herr* and *Frau* (*Herr Sanitätsrat*)
_OFFICE_ENDING = re.compile(
    r"(?:[a-z]rat|[a-z]räte?|marschall|wachtmeister|hauptmann|eutnant|vorstand|direktor|vater|mutter|amtmann|männin|papa)s?$"
)
#: persons before a place or a firm, not before a name (*Einwohner Havannas*, *Autohersteller Mazda*)
_NO_FUNCTION = re.compile(
    r"(?:wohner|bürger|hersteller|anbieter|betreiber|produzent|lieferant|sponsor|konkurrent)e?[ns]?$"
)
_SYSTEMATIC = re.compile(r"(?:idae|aceae)$")
#: a verb of a tale behind its subject
_PRETERITE = re.compile(r" (?:hatte|war|wurde|[a-zäöüß]+(?:te|ieb|ing|am|ief|ah|ach|ag|ab|rach|eß|ieß|and|ug))\b")
#: what a name in the genitive owns
_OWNED = re.compile(r" (?:[a-zäöüß]+e[nmrs]? ){0,2}[A-ZÄÖÜ]")
_BEFORE = re.compile(r"(\w+)\.? $")
_TELLING = SAYING | frozenset(
    "sagt sprach rief flüsterte schrie knirschte murmelte dachte meint fragt versetzte entgegnete lachte".split()
)
_DETERMINERS = frozenset("der die das den dem des ein eine einen einem einer eines in im am zum zur".split())
#: determiners that stand before a name of a thing (*kein Porsche*)
_OF_THINGS = frozenset("das ein eine einen einem eines kein keine keinen zwei drei".split())


@cache
def _nouns() -> dict[str, int]:
    return {row["noun"]: int(row["count"]) for row in read_table("de", "genders")}


@cache
def _rare_nouns() -> frozenset[str]:
    """Return words that stand like nouns in open text and that no other table knows: plurals, genitives."""
    return frozenset(row["noun"] for row in read_table("de", "nouns_counted"))


@cache
def _function_words() -> frozenset[str]:
    words = {row["word"].lower() for name in ("stop_words", "function_words") for row in read_table("de", name)}
    return frozenset(words) | {word.lower() for word in _hints("no name")}


@cache
def _hints(kind: str) -> frozenset[str]:
    return frozenset(row["word"] for row in read_table("de", "name_hints") if row["kind"] == kind)


@cache
def _given_names() -> frozenset[str]:
    rows = read_table("de", "person_names")
    return first_names() | {row["name"] for row in rows if row["kind"] != "surname"}


@cache
def _listed() -> frozenset[str]:
    return first_names() | {row["name"] for row in read_table("de", "person_names")}


@cache
def _counted() -> frozenset[str]:
    """Return words that stand like names in open text, and nowhere in a table."""
    return frozenset(row["name"] for row in read_table("de", "names_counted"))


@cache
def _english() -> frozenset[str]:
    return frozenset(row["word"] for row in read_table("en", "common_words"))


@cache
def _titled() -> re.Pattern[str]:
    """Return what finds a name behind a title of the table (*Mutter Ilic*)."""
    titles = "|".join(sorted(map(re.escape, _hints("title"))))
    return re.compile(rf"\b(?:{titles})\s+{_PARTICLE}(?P<name>[^\W\d_a-zäöüß][\w-]+)")


@cache
def _lexicon() -> GermanLexicon:
    return GermanLexicon()


def names_person(sentence: str) -> bool:
    """Return True if ``sentence`` names a person.

    It does when it holds a title (*Frau Ilic*), initials, a person's function before a word that is no noun of the
    tables (*Außenminister Ilic*), the ordinal of a ruler, a given name of the tables, a surname behind one or behind a
    function, or a name of no list that speaks (*sagte Ilic*) or owns (*Ilics Haus*). Authors of references in brackets
    do not count. A heuristic: names that are ordinary words and stand alone are missed.

    Args:
        sentence: any text.
    """
    sentence = _REFERENCE.sub("()", sentence)
    if any(not _is_office(match["name"]) for match in _TITLE.finditer(sentence)):
        return True
    if any(_may_be_name(match["name"]) for pattern in (_INITIALS, _JUDGE) for match in pattern.finditer(sentence)):
        return True
    if any(_is_behind_title(match["name"]) for match in _titled().finditer(sentence)):
        return True
    words = list(_CAPITALISED.finditer(sentence))
    if any(_is_given_name(sentence, word) and not _is_part(sentence, word) for word in words):
        return True
    return any(_is_apposed(sentence, one, other) for one, other in pairwise(words)) or any(
        _is_told_of(sentence, word) for word in words
    )


def _is_behind_title(word: str) -> bool:
    """Return True if the word behind a title of the table may be a name, however it is made (*Baron Oldenburg*)."""
    lower, known = word.lower(), _lexicon().word(word)
    if lower in _function_words() or (known is not None and (known.noun is None or known.noun.prefix == "")):
        return word in _given_names()
    is_english = lower in _english() and not _is_listed(word)  # General Electric
    if word in _rare_nouns() or is_english or _SYSTEMATIC.search(lower) or _is_genitive(word):
        return word in _hints("known")
    return _nouns().get(word, 0) <= _MOST_AS_SURNAME


def _is_genitive(word: str) -> bool:
    """Return True for the genitive of a place or of a noun of the tables (*des Heiligen Landes*)."""
    bare = {word.removesuffix("s"), word.removesuffix("es")} - {word}
    return any(form in _hints("place") or _nouns().get(form, 0) > _MOST_AS_SURNAME for form in bare)


def _is_apposed(sentence: str, one: re.Match[str], other: re.Match[str]) -> bool:
    """Return True if two words with capitals are a function and a surname, or two names (*Minister Ilic*)."""
    gap = sentence[one.end() : other.start()]
    if _GAP.fullmatch(gap) is None or not _may_be_name(other.group()):
        return False
    is_named = _is_listed(other.group())
    if _is_function(one.group(), is_named=is_named) and (gap == " " or _FOREIGN.fullmatch(gap) or is_named):
        return True
    is_pair = gap == " " and _is_listed(one.group()) and is_named
    return is_pair and not _is_part(sentence, one) and not _is_part(sentence, other)


def _is_function(word: str, *, is_named: bool) -> bool:
    """Return True if a word is a function before a name.

    Args:
        word: with a capital.
        is_named: what follows is on a list of names; so several and adjectives may be functions, too, which else stand
            before things (*der Alte Bunker*, *die Deutsche Umwelthilfe*).
    """
    function = word.rpartition("-")[2]
    reading = None if function.lower() in _lexicon().towns else _lexicon().word(function)
    if reading is None or _NO_FUNCTION.search(function.lower()):
        return False
    if reading.noun is not None:
        return is_named or bool(cases_of(reading.noun.mask))
    return reading.nominalised is not None and (is_named or function in _hints("function"))


def _is_told_of(sentence: str, word: re.Match[str]) -> bool:
    """Return True if a word alone stands like a name: it speaks, owns what follows, or is numbered as rulers are."""
    surface = word.group()
    if _ORDINAL.match(sentence, word.end()):
        return _may_be_name(surface) or _is_listed(surface)
    before = _BEFORE.search(sentence[: word.start()])
    if before is not None and before[1] in _TELLING and may_be_surname(surface):
        return True
    if not _may_be_name(surface, in_english=True):
        return False
    owns = surface.endswith("s") and _OWNED.match(sentence, word.end()) is not None
    if owns and _is_listed(surface[:-1]) and (before is None or before[1].lower() not in _DETERMINERS):
        return True
    if surface.lower() in _english():
        return False
    begins = _is_listed(surface) and not sentence[: word.start()].strip(' »„"–-')
    return begins and _PRETERITE.match(sentence, word.end()) is not None


def _is_office(word: str) -> bool:
    """Return True if the word behind a title is an office (*Frau Ministerin*), not a name."""
    known = _lexicon().word(word)
    if word in _hints("office") or _OFFICE_ENDING.search(word):
        return True
    if known is None:
        return word.lower() in _function_words()
    return not _is_surname(known)


def _is_surname(known: Word) -> bool:
    """Return True if a person noun is a common surname, too: *Richter*, not *Richterin*."""
    return known.noun is not None and known.noun.gender != FEMININE and known.noun.lemma in _lexicon().surnames


def _is_given_name(sentence: str, word: re.Match[str]) -> bool:
    """Return True if a word is a given name of the tables and hardly ever a noun, or a person known by one name."""
    surface = word.group()
    forms = [surface]
    if surface.endswith("s") and _OWNED.match(sentence, word.end()):
        forms.append(surface[:-1])  # Annas Haus
    return any(all(map(_is_alone_a_name, form.split("-"))) or ("-" in form and form in _counted()) for form in forms)


def _is_free(word: str) -> bool:
    """Return True if no hint says that a word on the lists of names is mostly something else."""
    return word not in _hints("no name")


def _is_alone_a_name(form: str) -> bool:
    """Return True if a word without hyphens is a name, whatever stands beside it."""
    if form in _hints("known"):
        return True
    if not _is_free(form) or _lexicon().word(form) is not None:
        return False
    is_given = form in _given_names() and _is_listed(form)
    return form in _counted() or (is_given and _nouns().get(form, 0) < _MOST_AS_NOUN)


def _is_part(sentence: str, word: re.Match[str]) -> bool:
    """Return True if a name is part of the name of a thing (*Villa Anna*, *San Marino*, *Anna Verlag*, "Emilia")."""
    before = _BEFORE.search(sentence[: word.start()])
    if before is not None and (before[1] in _hints("before a thing") or before[1].lower() in _OF_THINGS):
        return True
    behind = re.match(r" (?:& )?([A-Z]\w+)", sentence[word.end() :])
    if behind is not None and behind[1] in _hints("thing"):
        return True
    around = sentence[word.start() - 1 : word.start()] + sentence[word.end() : word.end() + 1]
    return around in ('""', "„“", "»«", "()") or re.match(r"/\w", sentence[word.end() :]) is not None


def _is_listed(word: str) -> bool:
    return word in _listed() and word not in _hints("place") and word.lower() not in _function_words()


def _is_of_place(word: str) -> bool:
    """Return True for a place of the hints, in the genitive, too (*die Bürger Katars*)."""
    return word in _hints("place") or word.removesuffix("s") in _hints("place")


def _may_be_name(word: str, *, in_english: bool = False) -> bool:
    """Return True if a word is no noun or compound of the tables, or a common surname.

    Args:
        word: with a capital.
        in_english: a word of English may be one, too.
    """
    if (word.lower() in _english() and not in_english) or word in _rare_nouns() or _is_of_place(word):
        return False
    return may_be_surname(word)


def may_be_surname(word: str) -> bool:
    """Return True if a word is no noun or compound of the tables of nouns, persons and grammar, or a common surname.

    Args:
        word: with a capital.
    """
    lower = word.lower()
    if lower in _function_words() or _NOUN_ENDING.search(lower):
        return False
    known = _lexicon().word(word)
    if known is not None:
        return _is_surname(known)
    bare = {word, word.removesuffix("s"), word.removesuffix("es"), word.removesuffix("n"), word.removesuffix("en")}
    if any(_nouns().get(form, 0) > (_MOST_AS_SURNAME if form == word else 0) for form in bare):
        return False
    if "-" in word:
        return word.rpartition("-")[2].capitalize() not in _nouns()
    return not any(_is_compound(lower[:cut], lower[cut:]) for cut in range(3, len(lower) - 3))


def _is_compound(first: str, rest: str) -> bool:
    """Return True if two parts are nouns, the first with what links it: *Schmalen|bach* is none."""
    if rest.capitalize() not in _nouns():
        return False
    bare = (first, first + "e", *(first.removesuffix(link) for link in ("s", "n", "en", "es", "er", "e")))
    return any(part.capitalize() in _nouns() or part in _function_words() for part in bare)
