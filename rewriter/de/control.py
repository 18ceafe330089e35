"""German rules of control: which edits belong together, and which sentences name a person."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise

from lexicons.loader import read_table
from rewriter.de.given_names import first_names
from rewriter.de.lexicon import GermanLexicon
from rewriter.de.phrase_words import SAYING
from rewriter.records import Edit

_HEADS = ("noun", "nominalised", "pair")
_FOLLOWERS = ("article", "adjective", "possessive")
_PRONOUNS = ("pronoun", "relative")
#: determiners seen before a given name that is taken for one (die Anna)
_MOST_AS_NOUN = 40
#: determiners seen before a surname or a name of no list that is taken for one (der Gauss)
_MOST_AS_SURNAME = 10
#: characters between a determiner and its noun
_LOOK = 120
_BREAK = re.compile(r"[,;:.!?]")
_PARTICLE = r"(?:(?:von|van|de|zu|der|den|dos|del|di|da|al|el|ibn|bin|bint|abu|y|und zu)[ -])*"
_TITLE = re.compile(
    rf"\b(?:Herrn?|Frau|Fräulein|Familie|Dr\.|Prof\.|Sir|Lady|Lord|Mrs?\.|Madame|Monsieur|Hl\.)\s+"
    rf"(?:(?:Dr|Prof|Dipl|med|jur|phil|h\.? ?c)\.[- ]*)*{_PARTICLE}(?P<name>[^\W\d_a-zäöüß][\w-]+)"
)
_INITIALS = re.compile(r"\b[A-ZÄÖÜ]\.[- ]?(?:[A-ZÄÖÜ]\.[- ]?)*(?P<name>[A-ZÄÖÜ][a-zäöüß-]{2,})")
_CAPITALISED = re.compile(
    r"(?<![\w.-])(?:[A-ZÄÖÜ]+-)?[A-ZÀ-ÖØ-ÞĀ-Ž][a-zß-öø-ÿā-ž]+(?:-[A-ZÀ-ÖØ-ÞĀ-Ž][a-zß-öø-ÿā-ž]+)*(?![\w-])"
)
#: particles that stand before no place or thing in German
_FOREIGN = re.compile(r" (?:(?:de|van|di|del|da|dos|al|el|ibn|bin|bint|abu)[ -])+")
_GAP = re.compile(rf" {_PARTICLE}")
#: an ordinal behind the name of a ruler (*Karl XII.*, *Faisal I.*)
_ORDINAL = re.compile(r" (?:I{1,3}|IV|VI{0,3}|IX|XI{0,3}|XIV|XVI{0,3})\.")
#: endings of nouns and of adjectives of towns, which no name has
_NOUN_ENDING = re.compile(
    r"(?:ung|heit|keit|schaft|tion|tät|ismus|nis|chen|lein|tum|straße|platz|stadt|burg|amt|haus|ische[nrms]?|liche[nrms]?"
    r"|ungen|heiten|keiten|tionen|ieren|tage?|jahre?n?|zeit|ige[nrms]?|elle[nrms]?|ive[nrms]?|land|see|tal|ing|ware|ie)$"
)
#: a verb of a tale behind its subject
_PRETERITE = re.compile(r" (?:hatte|war|wurde|[a-zäöüß]+(?:te|ieb|ing|am|ief|ah|ach|ag|ab|rach|eß|ieß|and|ug))\b")
#: what a name in the genitive owns
_OWNED = re.compile(r" (?:[a-zäöüß]+e[nmrs]? ){0,2}[A-ZÄÖÜ]")
_TELLING = SAYING | frozenset(
    "sagt sprach rief flüsterte schrie knirschte murmelte dachte meint fragt versetzte entgegnete".split()
)
_DETERMINERS = frozenset("der die das den dem des ein eine einen einem einer eines in im am zum zur".split())
#: what is called after persons
_THINGS_CALLED = frozenset(
    "Villa Schloss Schloß Hurrikan Sturm Straße Hotel Sankt St Kirche Schule Stiftung Bildungsreihe Hartz".split()
)
_HONORIFIC = re.compile(
    r"\b(?:Seine?r?|Ihre?r?|Euer|Eure)\s+(?:(?:Kaiserliche|Königliche|Päpstliche|Durchlauchtigste)[nr]?\s+)?"
    r"(?:Majestät|Hoheit|Exzellenz|Eminenz|Heiligkeit|Durchlaucht|Magnifizenz|Gnaden|Ehren)\b"
)
_GOD = re.compile(r"\b(?:Gott(?:es)?|Allah|Jahwe|Jehova|Jesus|Christus|der Allmächtige|der Herrgott)\b")
_GODS_PRONOUN = re.compile(r"\b(?:er|ihn|ihm|seine?[nmrs]?|der|dessen)\b", re.IGNORECASE)
_SENTENCE_END = re.compile(r"[.!?](?=\s|$)|\n")
_INDEFINITE = re.compile(r"\b(?:eine?[mnrs]?|jede[mnrs]?|keine?[mnrs]?|wer|jemand\w*|niemand\w*)\b", re.IGNORECASE)


@cache
def _nouns() -> dict[str, int]:
    return {row["noun"]: int(row["count"]) for row in read_table("de", "genders")}


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


def governors(sentence: str, edits: Sequence[Edit]) -> list[int]:
    """Return for every edit the index of the edit that it follows, -1 for none.

    Articles, adjectives and possessives follow the next person behind them in the phrase; a pronoun the nearest person
    before it, else the nearest behind it.

    Args:
        sentence: the source.
        edits: of this sentence, in order of their start.
    """
    heads = [i for i, edit in enumerate(edits) if edit.kind in _HEADS]
    return [_governor(sentence, edits, index, heads) for index in range(len(edits))]


def _governor(sentence: str, edits: Sequence[Edit], index: int, heads: Sequence[int]) -> int:
    edit = edits[index]
    behind = next((i for i in heads if i > index), -1)
    if edit.kind in _FOLLOWERS and behind >= 0:
        gap = sentence[edit.end : edits[behind].start]
        if len(gap) < _LOOK and not _BREAK.search(gap):
            return behind
    if edit.kind not in _PRONOUNS and edit.kind != "possessive":
        return -1
    before = next((i for i in reversed(heads) if i < index and not edits[i].after.endswith("innen")), -1)
    return before if before >= 0 else behind


def names_person(sentence: str) -> bool:
    """Return True if ``sentence`` names a person.

    It does when it holds a title (*Frau Ilic*), initials, a person's function before a word that is no noun of the
    tables (*Außenminister Ilic*), the ordinal of a ruler, a given name of the tables, a surname behind one or behind a
    function, or a name of no list that speaks (*sagte Ilic*) or owns (*Ilics Haus*). A heuristic: names that are
    ordinary words and stand alone are missed.

    Args:
        sentence: any text.
    """
    if any(not _is_office(match["name"]) for match in _TITLE.finditer(sentence)):
        return True
    if any(_may_be_name(match["name"]) for match in _INITIALS.finditer(sentence)):
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
    return _nouns().get(word, 0) <= _MOST_AS_SURNAME


def _is_apposed(sentence: str, one: re.Match[str], other: re.Match[str]) -> bool:
    """Return True if two words with capitals are a function and a surname, or two names (*Minister Ilic*)."""
    gap = sentence[one.end() : other.start()]
    if _GAP.fullmatch(gap) is None or not _may_be_name(other.group()):
        return False
    function = one.group().rpartition("-")[2]
    reading = None if function.lower() in _lexicon().towns else _lexicon().word(function)
    is_person = reading is not None and (reading.noun is not None or reading.nominalised is not None)
    if is_person and (gap == " " or _FOREIGN.fullmatch(gap) or _is_listed(other.group())):
        return True
    return gap == " " and _is_listed(one.group()) and _is_listed(other.group())


def _is_told_of(sentence: str, word: re.Match[str]) -> bool:
    """Return True if a word alone stands like a name: it speaks, owns what follows, or is numbered as rulers are."""
    surface = word.group()
    if _ORDINAL.match(sentence, word.end()):
        return _may_be_name(surface) or _is_listed(surface)
    if not _may_be_name(surface, in_english=True):
        return False
    before = re.search(r"(\w+) $", sentence[: word.start()])
    if before is not None and before[1] in _TELLING:
        return True
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
    if word in _hints("office"):
        return True
    if known is None:
        return word.lower() in _function_words() or word in ("Präsident", "Kollegin", "Kollege")
    return known.noun is None or known.noun.lemma not in _lexicon().surnames


def _is_given_name(sentence: str, word: re.Match[str]) -> bool:
    """Return True if a word is a given name of the tables and hardly ever a noun, or a person known by one name."""
    surface = word.group().partition("-")[0]
    forms = [surface]
    if surface.endswith("s") and _OWNED.match(sentence, word.end()):
        forms.append(surface[:-1])  # Annas Haus
    return any(
        form in _hints("known")
        or (form in _counted() and form not in _hints("no name") and _lexicon().word(form) is None)
        or (
            form in _given_names()
            and form.lower() not in _function_words()
            and _nouns().get(form, 0) < _MOST_AS_NOUN
            and _lexicon().word(form) is None
        )
        for form in forms
    )


def _is_part(sentence: str, word: re.Match[str]) -> bool:
    """Return True if a name is part of the name of a thing (*Villa Anna*, *bei Sankt Anna*, "Emilia")."""
    before = re.search(r"(\w+) $", sentence[: word.start()])
    around = sentence[word.start() - 1 : word.start()] + sentence[word.end() : word.end() + 1]
    return (before is not None and before[1] in _THINGS_CALLED) or around in ('""', "„“", "»«", "()")


def _is_listed(word: str) -> bool:
    return word in _listed() and word.lower() not in _function_words()


def _may_be_name(word: str, *, in_english: bool = False) -> bool:
    """Return True if a word is no noun or compound of the tables, or a common surname.

    Args:
        word: with a capital.
        in_english: a word of English may be one, too.
    """
    lower = word.lower()
    if lower in _function_words() or _NOUN_ENDING.search(lower) or (lower in _english() and not in_english):
        return False
    known = _lexicon().word(word)
    if known is not None:
        return known.noun is not None and known.noun.lemma in _lexicon().surnames
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


def kept_spans(text: str, kinds: Sequence[str]) -> Iterator[tuple[int, int, str]]:
    """Yield (start, end, what it is) of honorifics (*Seine Exzellenz*) and pronouns of God; titles of works are quoted.

    Args:
        text: the whole text.
        kinds: what is wanted of :data:`rewriter.policy.rules.PLACES`.
    """
    if "honorifics" in kinds:
        yield from ((*match.span(), "honorific") for match in _HONORIFIC.finditer(text))
    if "deities" in kinds:
        for name in _GOD.finditer(text):
            end = _SENTENCE_END.search(text, name.end())
            pronouns = _GODS_PRONOUN.finditer(text, name.end(), end.start() if end else len(text))
            yield from ((*match.span(), "deity") for match in pronouns)


def refers_back(sentence: str, offset: int) -> bool:
    """Return True if a pronoun at ``offset`` may mean a person named in an earlier sentence.

    Not so when an indefinite person may stand before it in its own sentence (*Jede Ärztin kennt ihre Grenzen*).
    """
    return _INDEFINITE.search(sentence, 0, offset) is None
