"""Tells words of other languages, and names, from English words, by a table of common English words.

*her*, *he* and *his* are words of many languages. A stretch of text without any evidence of English holds no English
pronoun; what is written like a name beside a capital *He* or *Her* makes it a name too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache

from lexicons.loader import read_table
from rewriter.en.clause_words import is_finite
from rewriter.en.closed_words import GENDERED_PRONOUNS
from rewriter.en.inflection import to_plural
from rewriter.en.tokens import Token, tokenize

#: words without which hardly any English is spoken, and that are no words of other languages
FUNCTION_WORDS = frozenset(
    "the of to and is was are were with for that it you we at by from this not have has they my be as but or if said "
    "did saw met who what".split()
)
#: what may stand before a sentence's first word, and behind a name
_BEGINS = frozenset(".!?:;…\"“”„«»‘’'()[]-–—*")
_ENDS = frozenset([",", ".", ";", ")", "and", "or"])
_VERBS = frozenset(
    "will would can could shall should may might must had did said went came saw knew made gave took got left".split()
)
_PLAIN = re.compile(r"[^\W\d_]+(?: [^\W\d_]+){1,5}[.!?]?")
_ENGLISH_ENDING = re.compile(r".{3,}(?:ed|ing|ly|ness|tion|tions|able|ful|less|ish|ers|ies|ous)")
#: at least so much of a text that is not all foreign must be English
_ENGLISH_SHARE = 0.25
#: how far a quotation is looked at
_QUOTATION = 70
_OPENING, _CLOSING = "\"“„«‘'‹", "\"”“»’'›"


@cache
def _listed(name: str) -> frozenset[str]:
    return frozenset(row["word"] for row in read_table("en", "foreign_words") if row["list"] == name)


@cache
def _common() -> frozenset[str]:
    return frozenset(row["word"] for table in ("common_words", "chat_words") for row in read_table("en", table))


def is_common(word: str) -> bool:
    """Return True if a word (lower case) is a common English one, or looks like an English one by its ending."""
    return (
        word in _common()
        or word.endswith("n't")
        or to_plural(word) is not None
        or _ENGLISH_ENDING.fullmatch(word) is not None
    )


def is_foreign(tokens: Iterable[Token], pronouns: frozenset[str]) -> bool:
    """Return True if a text shows no, or hardly any, English beside its pronoun forms.

    Capitalised words may be names of any language: alone they are no evidence, beside a foreign word they are.

    Args:
        tokens: of the text.
        pronouns: normalised forms that do not count.
    """
    shapes = {token.norm: token.shape for token in tokens}
    first = next((norm for norm in shapes if norm.isalpha()), "")
    neither = _listed("shared") | pronouns
    words = {w for w in shapes if (w.isalpha() or w.endswith("n't")) and w not in neither}
    unknown = {word for word in words if not is_common(word)}
    foreign = sum(not shapes[word] for word in unknown)
    if len(unknown) == len(words):
        return foreign > 0 and len(unknown) > 1
    if foreign > 1 and all(shapes[word] and word != first for word in words - unknown):
        return True  # what is English are names only
    return foreign > 2 and len(words) - len(unknown) <= _ENGLISH_SHARE * (len(words) - len(unknown) + foreign)


def is_foreign_quotation(text: str, start: int, end: int, pronouns: frozenset[str]) -> bool:
    """Return True if the word between ``start`` and ``end`` stands in a short quotation without any English word.

    Args:
        text: the sentence.
        start: offset of the word's first character.
        end: offset behind its last.
        pronouns: normalised forms that do not count.
    """
    low = max(0, start - _QUOTATION)
    opening = max((_opening(text, mark, low, start) for mark in _OPENING), default=-1)
    if opening < 0:
        return False
    ends = [_closing(text, mark, end, end + _QUOTATION) for mark in _CLOSING]
    closing = min((place for place in ends if place >= 0), default=-1)
    if closing < 0:
        return False
    words = [t for t in tokenize(text[opening + 1 : closing]) if t.norm.isalpha() and t.norm not in pronouns]
    plain = _PLAIN.fullmatch(text, opening + 1, closing) and not any(t.norm in FUNCTION_WORDS for t in words)
    if plain and any(t.norm in _listed("not in English speech") and not t.shape for t in words):
        return True
    unknown = [t for t in words if t.norm not in _listed("shared") and not is_common(t.norm)]
    # a lone capital may be a name in English speech: "Maria and her"
    return any(not t.shape for t in unknown) and all(t in unknown or t.norm in _listed("shared") for t in words)


def _opening(text: str, mark: str, low: int, high: int) -> int:
    place = text.rfind(mark, low, high)
    return place if place >= 0 and not text[place - 1 : place].isalnum() else -1


def _closing(text: str, mark: str, low: int, high: int) -> int:
    place = text.find(mark, low, high)
    return place if place >= 0 and not text[place + 1 : place + 2].isalnum() else -1


def is_name_part(tokens: Sequence[Token], index: int, *, first: int = 0) -> bool:
    """Return True if a capitalised *He*, *She*, *Her* or *His* is part of a name: *He Weiping*, *Mai Her*, *He et al.*

    Args:
        tokens: of the sentence.
        index: of the form, which is capitalised.
        first: index of the first word of the sentence itself, behind a handle or a number.
    """
    norm = tokens[index].norm
    following = tokens[index + 1] if index + 1 < len(tokens) else None
    if norm in ("he", "she") and following is not None and _is_surname_before(tokens, index):
        return True
    before = tokens[index - 1] if index > first else None
    if before is None or not _looks_like_name(before):
        return False
    # Kao Her; a capital His may be a deity's ("Jehovah His servant"), but not before a verb
    return norm in ("her", "he", "she") or (following is not None and to_plural(following.norm) is not None)


def _is_surname_before(tokens: Sequence[Token], index: int) -> bool:
    following = tokens[index + 1]
    words = [token.norm for token in tokens[index + 1 : index + 6]]
    if words[:2] == ["et", "al"]:
        return True
    # He, X. (2019); He and Wang (1988); He & Liu, 2002
    if following.norm == "," and len(words) > 2 and len(words[1]) == 1 and tokens[index + 2].shape and words[2] == ".":
        return True
    if following.norm in ("and", "&") and len(words) > 2 and tokens[index + 2].shape == 1:
        behind = "".join(words[2:4])
        if re.fullmatch(r"[(,][12][0-9]{3}.*", behind):
            return True
    second = tokens[index + 2] if index + 2 < len(tokens) else following
    if index and _is_listed_name(tokens, index):
        return True
    if _looks_like_name(following):
        return True
    # She Left Google: a heading
    return following.shape == 1 and _looks_like_name(second) and not is_finite(following.norm)


def _is_listed_name(tokens: Sequence[Token], index: int) -> bool:
    """Return True if a capital *He* inside a sentence begins a name of two words that ends there: *and He Lan, who*."""
    if index + 2 >= len(tokens) or tokens[index - 1].norm in _BEGINS or tokens[index + 2].norm not in _ENDS:
        return False
    following = tokens[index + 1]
    titled = sum(token.shape == 1 for token in tokens) > len(tokens) // 2
    verb = following.norm in _VERBS or to_plural(following.norm) is not None or following.norm.endswith("ed")
    return following.shape == 1 and following.norm.isalpha() and not verb and not titled


def _looks_like_name(token: Token) -> bool:
    if token.shape != 1 or len(token.norm) < 2 or not token.norm.isalpha():
        return False
    # endings tell nothing here: Weiping is no participle
    return token.norm not in _common() and token.norm not in GENDERED_PRONOUNS and to_plural(token.norm) is None
