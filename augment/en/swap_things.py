"""Ships, countries and the moon that a text calls *she*: their pronouns are no person's and stay."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from lexicons.loader import read_table
from rewriter.en.clauses import is_finite
from rewriter.text.word_pattern import any_word

_PRONOUNS = ("she", "her", "hers", "herself")
_WORD_AFTER = re.compile(r"(?:\s+[\"“'‘]?[A-Z][\w'’-]*[\"”'’]?){0,3}\s+([^\W\d_]+)")
_BEGINS = re.compile(r"(?:^|[.!?:;\n\"“”«(])\s*(?:the\s+)?$", re.IGNORECASE)
#: *she* and so on never mean the thing behind these
_OWNED = re.compile(r"\b(?:her|his|my|our|your|their)\s+(?:\w+\s+)?$")


@cache
def _things() -> dict[str, str]:
    return {row["word"]: row["kind"] for row in read_table("en", "she_things")}


@cache
def _thing_pattern() -> re.Pattern[str]:
    return any_word(_things())


@cache
def _persons() -> frozenset[str]:
    """Return the words behind which *she* is a person: persons of any gender, women, women's names."""
    found = {row["word"] for row in read_table("en", "persons") if row["kind"] in ("person", "gendered", "indefinite")}
    found |= {row["feminine"] for row in read_table("en", "swap") if row["kind"] in ("noun", "title")}
    return frozenset(found | {row["feminine"] for row in read_table("en", "name_pairs")})


@cache
def _pattern() -> re.Pattern[str]:
    return any_word({*_PRONOUNS, *_things(), *_persons()})


def things_called_she(text: str, lower: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of the pronouns that mean a thing of ``she_things.tsv``: the last subject that they may mean.

    Args:
        text: the text.
        lower: the same in lower case, as long.
    """
    first = _thing_pattern().search(lower)
    if first is None:
        return
    means_thing = False
    for match in _pattern().finditer(lower, first.start()):
        word = match[0]
        if word in _PRONOUNS:
            if means_thing:
                yield match.span()
        elif word in _things():
            means_thing = means_thing or _is_subject(text, lower, match)
        else:
            means_thing = False


def _is_subject(text: str, lower: str, match: re.Match[str]) -> bool:
    """Return True if a verb stands right behind a thing, names of ships between; countries only where a sentence begins."""
    if _OWNED.search(lower, max(0, match.start() - 24), match.start()):
        return False
    begins = _BEGINS.search(text, max(0, match.start() - 8), match.start()) is not None
    if _things()[match[0]] == "country" and not begins:
        return False
    following = _WORD_AFTER.match(text, match.end())
    return following is not None and is_finite(following[1])
