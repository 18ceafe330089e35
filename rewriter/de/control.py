"""German rules of control: which edits belong together, and which sentences name a person."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from itertools import pairwise

from lexicons.loader import read_table
from rewriter.de.given_names import given_names
from rewriter.de.lexicon import GermanLexicon
from rewriter.records import Edit

_HEADS = ("noun", "nominalised", "pair")
_FOLLOWERS = ("article", "adjective", "possessive")
_PRONOUNS = ("pronoun", "relative")
#: places that are given names elsewhere
_PLACES = frozenset({"jena", "lyon", "paris", "florenz", "carolina", "georgia", "virginia", "verona"})
#: determiners seen before a given name that is taken for one (die Anna)
_MOST_AS_NOUN = 40
#: characters between a determiner and its noun
_LOOK = 120
_BREAK = re.compile(r"[,;:.!?]")
_TITLE = re.compile(
    r"\b(?:Herrn?|Frau|Fräulein|Familie|Dr\.|Prof\.)\s+(?:(?:Dr|Prof|Dipl)\.[- ]*)*(?P<name>[A-ZÄÖÜ][\w-]+)"
)
_INITIALS = re.compile(r"\b[A-ZÄÖÜ]\.[- ]?(?:[A-ZÄÖÜ]\.[- ]?)*(?P<name>[A-ZÄÖÜ][a-zäöüß-]{2,})")
_CAPITALISED = re.compile(r"(?<![\w.])[A-ZÄÖÜ][a-zäöüß]+(?:-[A-ZÄÖÜ][a-zäöüß]+)?(?!\w)")
#: endings of nouns and of adjectives of towns, which no name has
_NOUN_ENDING = re.compile(
    r"(?:ung|heit|keit|schaft|tion|tät|ismus|nis|chen|lein|tum|straße|platz|stadt|burg|amt|haus|ische[nrs]?|liche[nrs]?"
    r"|ungen|heiten|keiten|tionen)$"
)
_INDEFINITE = re.compile(r"\b(?:eine?[mnrs]?|jede[mnrs]?|keine?[mnrs]?|wer|jemand\w*|niemand\w*)\b", re.IGNORECASE)


@cache
def _nouns() -> dict[str, int]:
    return {row["noun"]: int(row["count"]) for row in read_table("de", "genders")}


@cache
def _function_words() -> frozenset[str]:
    return frozenset(row["word"] for row in read_table("de", "stop_words")) | _PLACES


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
    """Tell whether ``sentence`` names a person.

    It does when it holds a title (*Frau Ilic*) or initials before a word that is no noun of the tables, two words in a
    row with capitals of which neither is one (*Ingo Ilic*), or a given name of the table inside the sentence. A
    heuristic: rare names that stand alone and foreign given names are missed.

    Args:
        sentence: any text.
    """
    if any(not _is_office(match["name"]) for match in _TITLE.finditer(sentence)):
        return True
    if any(_is_unknown(match["name"]) for match in _INITIALS.finditer(sentence)):
        return True
    words = list(_CAPITALISED.finditer(sentence))
    for one, other in pairwise(words):
        if sentence[one.end() : other.start()] == " " and _is_unknown(other.group()):
            first = one.group()
            if _is_given_name(first) or (one.start() and _is_unknown(first)):
                return True
    return any(_is_given_name(word.group()) for word in words)


def _is_office(word: str) -> bool:
    """Tell whether the word behind a title is an office (*Frau Ministerin*), not a name."""
    known = _lexicon().word(word)
    if known is None:
        return False
    return known.noun is None or known.noun.lemma not in _lexicon().surnames


def _is_given_name(word: str) -> bool:
    """Tell whether a word is a given name of the table and hardly ever a noun."""
    if word.lower() in _function_words():
        return False
    return word in given_names() and _nouns().get(word, 0) < _MOST_AS_NOUN and _lexicon().word(word) is None


def _is_unknown(word: str) -> bool:
    """Tell whether a word is neither a noun of the tables nor ends like one."""
    if word in _nouns() or _NOUN_ENDING.search(word):
        return False
    known = _lexicon().word(word)
    if known is None:
        return True
    return known.noun is not None and known.noun.lemma in _lexicon().surnames


def refers_back(sentence: str, offset: int) -> bool:
    """Tell whether a pronoun at ``offset`` may mean a person named in an earlier sentence.

    Not so when an indefinite person may stand before it in its own sentence (*Jede Ärztin kennt ihre Grenzen*).
    """
    return _INDEFINITE.search(sentence, 0, offset) is None
