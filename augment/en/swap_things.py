"""Ships, countries and the moon that a text calls *she*, and animals: their pronouns are no person's and stay."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from lexicons.loader import read_table
from rewriter.en.clauses import is_finite
from rewriter.en.closed_words import FEMININE_PRONOUNS, MASCULINE_PRONOUNS
from rewriter.text.word_pattern import any_word

_WORD_AFTER = re.compile(r"(?:\s+[\"“'‘]?[A-Z][\w'’-]*[\"”'’]?){0,3}\s+([^\W\d_]+)")
_BEGINS = re.compile(r"(?:^|[.!?:;\n\"“”«(])\s*(?:the\s+)?$", re.IGNORECASE)
#: a thing is no subject behind these
_OWNED = re.compile(
    r"\b(?:her|his|my|our|your|their|(?:of|on|in|aboard|to|from|for|by|with|at|onto|into|off|near)(?:\s+(?:the|an?|this|that))?)"
    r"\s+(?:\w+\s+)?$"
)


@cache
def _things() -> dict[str, str]:
    return {row["word"]: row["kind"] for row in read_table("en", "she_things")}


@cache
def _thing_parts() -> tuple[str, ...]:
    """Return beginnings one of which every text with a thing holds: substrings are found faster than words."""
    parts = {word[:5] for word in _things()}
    return tuple(part for part in sorted(parts) if not any(part != p and p in part for p in parts))


@cache
def _persons() -> frozenset[str]:
    """Return the words behind which *she* is a person: persons of any gender, women, women's names."""
    found = {row["word"] for row in read_table("en", "persons") if row["kind"] in ("person", "gendered", "indefinite")}
    found |= {row["feminine"] for row in read_table("en", "swap") if row["kind"] in ("noun", "title")}
    return frozenset(found | {row["feminine"] for row in read_table("en", "name_pairs")})


@cache
def _pattern() -> re.Pattern[str]:
    return any_word({*FEMININE_PRONOUNS, *_things(), *_persons()})


def things_called_she(text: str, lower: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of the pronouns that mean a thing of ``she_things.tsv``: the last subject that they may mean.

    Args:
        text: the text.
        lower: the same in lower case, as long.
    """
    if not any(word in lower for word in ("she", "her")) or not any(part in lower for part in _thing_parts()):
        return
    means_thing = False
    for match in _pattern().finditer(lower):
        word = match[0]
        if word in FEMININE_PRONOUNS:
            if means_thing:
                yield match.span()
        elif word in _things():
            means_thing = means_thing or _is_subject(text, lower, match)
        else:
            means_thing = False


def _is_subject(text: str, lower: str, match: re.Match[str]) -> bool:
    """Return True if a verb stands behind a thing, names of ships between; countries only where a sentence begins."""
    if _OWNED.search(lower, max(0, match.start() - 24), match.start()):
        return False
    begins = _BEGINS.search(text, max(0, match.start() - 8), match.start()) is not None
    if _things()[match[0]] == "country" and not begins:
        return False
    following = _WORD_AFTER.match(text, match.end())
    return following is not None and is_finite(following[1])


_SEX = ("male", "males", "female", "females")
_SEX_NOUN = re.compile(
    r"\b(?:the|an?|adult|mature|both|each|one|two|young|other|breeding|by|of|and|in|that|while|^|[.;:]\s)\s*"
    r"(?:adult |mature |breeding |young |dominant |older |larger |smaller )?(?:fe)?males?\b"
    r"(?!\s+(?:and\s+(?:fe)?male\s+)?(?:[a-z]*(?:er|or|ist|ant|ent|man|men)s?\b))"
)


@cache
def _animals() -> re.Pattern[str]:
    return any_word(row["word"] for row in read_table("en", "animals"))


@cache
def _gendered() -> re.Pattern[str]:
    return any_word((*_SEX, *FEMININE_PRONOUNS, *MASCULINE_PRONOUNS))


@cache
def _people() -> re.Pattern[str]:
    found = {
        row[g] for row in read_table("en", "swap") for g in ("feminine", "masculine") if row["kind"] != "adjective"
    }
    persons = {
        form for row in read_table("en", "persons") if row["kind"] == "person" for form in (row["word"], row["plural"])
    }
    return any_word(
        (found | persons)
        - {*_SEX, "sire", "dam", "guide", "hunter", "hunters", "adult", "adults", "juvenile", "juveniles"}
    )


def animals(lower: str, spans: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Yield the spans of *male*, *female* and pronouns of sentences about animals and plants and no person.

    Args:
        lower: a text in lower case.
        spans: its sentences.
    """
    for start, end in spans:
        sentence = lower[start:end]
        if "male" not in sentence or _SEX_NOUN.search(sentence) is None:
            continue
        if _animals().search(sentence) is not None and _people().search(sentence) is None:
            yield from ((start + m.start(), start + m.end()) for m in _gendered().finditer(sentence))
