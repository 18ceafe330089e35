"""Readings that more than the next word settles: what *her* is between two words, and which subject a verb has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from lexicons.loader import read_table
from rewriter.en.inflection import to_plural
from rewriter.en.lexicon import traps
from rewriter.tokens import Token

#: verbs of saying that have no person as an object, so that a name behind them is their subject (..., says Mary)
SAYING = frozenset(
    """says writes adds replies explains insists admits argues notes concludes remarks jokes states declares comments
    muses complains suggests""".split()
)
#: verbs of saying beside a quotation
_QUOTING = SAYING | frozenset(
    "asks cries answers continues whispers shouts thinks wonders sighs laughs screams".split()
)
_QUOTES = frozenset(('"', "”", "’", "'", "»"))
_PAUSES = frozenset((",", "?", "!", "-", "–", "—", ".", ";", ":", "…", ")"))
#: right behind a word: a genitive, or the middle of a compound
_JOINING = frozenset(("'", "’", "-", "–"))
#: behind an inverted subject; only beside a quotation
_AFTER_INVERSION = frozenset("to in with at from on as".split())
_SUBJECTS = frozenset(("he", "she"))
#: words that begin a clause with a subject of its own when a determiner follows them
_OPENING = frozenset("that which whom because if when while whether although though unless where what how why".split())
_DETERMINERS = frozenset("a an the this these those my your our their its his her some any every each no".split())
_CLAUSES = _OPENING | frozenset("and but or so as since".split())
_ONE_OF = frozenset("a an that this some any no every each another one".split())
_OBJECT_BEGINS = frozenset("the a an my your our their me us".split())
#: words between a determiner and a noun at most
_PHRASE = 3


@cache
def _object_words() -> Mapping[str, frozenset[str]]:
    return {row["word"]: frozenset(row["verbs"].split()) for row in read_table("en", "object_words")}


def is_object_between(tokens: Sequence[Token], index: int) -> bool:
    """Tell whether *her* stands between a verb and a word that have an object there: *called her names*.

    Args:
        tokens: of the sentence.
        index: of *her*.
    """
    if not 0 < index < len(tokens) - 1:
        return False
    word = tokens[index + 1]
    verbs = _object_words().get(word.norm if word.shape == 0 else word.norm.capitalize())
    if verbs is None or word.shape > 1 or tokens[index - 1].norm not in verbs:
        return False
    if index + 2 == len(tokens):
        return True
    # a noun, a hyphen or a genitive behind it may make it part of a phrase that "her" owns
    behind = tokens[index + 2]
    if behind.norm in _JOINING and behind.start == word.end:
        return False
    return (
        behind.norm in _PAUSES | _QUOTES or behind.norm in traps("after object") or behind.norm in traps("phrase end")
    )


def is_of_his(tokens: Sequence[Token], index: int) -> bool:
    """Tell whether *his* stands alone in a subject before its verb: *A cousin of his runs the ferry*.

    The word behind it looks like a noun; that an article follows and a subject is missing otherwise makes it a verb.
    In the training text *mine, ours, yours, theirs* stood before a verb form and such a word in 18 places, *my, our,
    your, their* in none.
    """
    if index < 3 or index + 2 >= len(tokens) or tokens[index - 1].norm != "of":
        return False
    verb = tokens[index + 1]
    if verb.shape or to_plural(verb.norm) is None or tokens[index + 2].norm not in _OBJECT_BEGINS:
        return False
    for place in range(index - 2, max(-1, index - 3 - _PHRASE), -1):
        if tokens[place].norm in _ONE_OF:
            before = tokens[place - 1].norm if place else "."
            return place < index - 2 and (before in _QUOTES | _PAUSES or before in _CLAUSES)
        if not tokens[place].norm.isalpha() or tokens[place].norm in traps("after object"):
            return False
    return False


def inverted_subject(tokens: Sequence[Token], verb: int) -> bool:
    """Tell whether the *he* or *she* right behind a verb of saying is its subject: *"No," says he.*"""
    if tokens[verb].norm not in _QUOTING or verb == 0 or verb + 1 >= len(tokens):
        return False
    before, pronoun = tokens[verb - 1].norm, tokens[verb + 1]
    if pronoun.norm not in _SUBJECTS or before not in _QUOTES | _PAUSES:
        return False
    behind = tokens[verb + 2].norm if verb + 2 < len(tokens) else "."
    return behind in _PAUSES | _QUOTES or (before in _QUOTES and behind in _AFTER_INVERSION)


def has_own_subject(tokens: Sequence[Token], verb: int) -> bool:
    """Tell whether a verb stands right behind a noun phrase that begins a clause: *that the notary has left*."""
    for place in range(verb - 1, max(-1, verb - 2 - _PHRASE), -1):
        word = tokens[place].norm
        if word in _DETERMINERS:
            opening = tokens[place - 1].norm if place > 0 else ""
            # he that the whole day sings
            is_relative = place > 1 and tokens[place - 2].norm in _SUBJECTS
            return place < verb - 1 and opening in _OPENING and not is_relative
        if not word.isalpha() or word in traps("after object") or word in traps("phrase end") or word in _SUBJECTS:
            return False
    return False
