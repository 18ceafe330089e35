"""Frames of rare constructions around words of real sentences, for :mod:`augment.en.variations`.

*gave him the keys* becomes *gave her keys*: the article told that the pronoun is an object, and still does. *They run
the ferry* becomes *We helped her run the ferry*, *A cousin of his runs the ferry* and *A friend of his family runs the
ferry*. Verbs with two objects and things that they give go before the last phrase of a real sentence (*Nobody taught
her chess in the old harbour*), and so do verbs with one (*Nobody shared her hope in the old harbour*). And what stands
between the verbs of one subject: clauses with a verb of their own.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

import numpy as np

from lexicons.loader import read_table

_ARTICLES = (
    "the|some|any|many|several|a few|these|those|two|three|four|five|more|enough|a lot of|lots of|plenty of|all the"
)


@cache
def _entries(name: str) -> tuple[str, ...]:
    """Return a list of the table, in its order."""
    return tuple(row["entry"] for row in read_table("en", "rare_frames") if row["list"] == name)


@cache
def _double_object() -> re.Pattern[str]:
    """A pronoun between verb and noun phrase; what follows the noun ends the phrase."""
    verbs, mass, no_plurals = (
        "|".join(_entries(name)) for name in ("verb with two objects", "noun without article", "no plural")
    )
    return re.compile(
        rf"\b(?:{verbs}) (?P<pronoun>me|us|him|her|them)(?P<article> (?:{_ARTICLES}))"
        rf" (?P<noun>{mass}|(?!(?:{no_plurals})\b)[a-z]{{2,}}[^\Wsiu\d_]s)"
        r"(?=[.,;:!?]|$"
        r"| (?:to|of|for|from|in|on|at|with|and|or|but|when|that|about|as|by|if|because|while|every|again)\b)"
    )


def without_article(text: str, *, feminine: bool = False) -> str | None:
    """Return a sentence without the article behind the first object of a verb with two, or None where none fits.

    Only plurals and nouns that need no article: *gave him the keys* gives *gave him keys*. Exactly one place must fit.

    Args:
        text: the sentence.
        feminine: write *her* for *him* there.
    """
    found = list(_double_object().finditer(text))
    if len(found) != 1:
        return None
    start, end = found[0].start("pronoun"), found[0].end("article")
    pronoun = "her" if feminine and found[0]["pronoun"] == "him" else found[0]["pronoun"]
    return text[:start] + pronoun + text[end:]


def of_his(verb: tuple[str, str], rest: str, rng: np.random.Generator) -> tuple[str, str, str]:
    """Return a sentence about somebody or something *of his*, *of hers* or *of his mother*, fair, and the form.

    Args:
        verb: singular and plural of a verb in the present.
        rest: what follows the verb, without the full stop.
        rng: chooses the words.

    Returns:
        source, target, and ``masculine`` or ``feminine``; the verb belongs to the noun and is the same in both.
    """
    masculine = bool(rng.random() < 0.8)
    noun = _pick(_entries("owned"), rng)
    if rng.random() < 0.2:
        begin, verb_form = f"Two {noun}s", verb[1]
    else:
        begin, verb_form = f"{_pick(_entries('beginning'), rng)} {noun}", verb[0]
    if rng.random() < 0.35:
        owner = " " + _pick(_entries("owner"), rng)
        words = ("his" if masculine else "her", "their")
    else:
        owner, words = "", ("his" if masculine else "hers", "theirs")
    source, target = (f"{begin} of {word}{owner} {verb_form}{rest}." for word in words)
    return source, target, "masculine" if masculine else "feminine"


def helped(base: str, rest: str, rng: np.random.Generator) -> tuple[str, str]:
    """Return source and target of a sentence with *her* before an infinitive: *We helped her run the ferry.*"""
    begin = _pick(_entries("helping"), rng)
    return f"{begin} her {base}{rest}.", f"{begin} them {base}{rest}."


_LAST_PHRASE = re.compile(
    r" (?:on|in|at|after|before|during|without|near|behind|around|until|since|because of|despite)"
    r" [^,.;:()\"“”?!]{3,70}(?=[.!]$)"
)


def two_objects(text: str, rng: np.random.Generator) -> tuple[str, str] | None:
    """Return source and target with *her* before a bare noun, and the last phrase of ``text``; None where it has none.

    In three of five *her* is the first of two objects, in the others it owns the noun.
    """
    last = _LAST_PHRASE.search(text)
    if last is None:
        return None
    verbs, _, things = _pick(_entries("giving"), rng).partition(": ")
    noun, fair = _pick(things.split(), rng), "them"
    if rng.random() < 0.4:
        verbs, fair = _pick(_entries("owning verb"), rng), "their"
    begin = _with_subject(verbs.split(), rng)
    end = last.group() if rng.random() < 0.8 else ""
    return f"{begin} her {noun}{end}.", f"{begin} {fair} {noun}{end}."


def _with_subject(verb: list[str], rng: np.random.Generator) -> str:
    """Return a subject and a form of a verb given as base, third person, past and participle."""
    base, third, past, participle = verb
    lot, is_plural = rng.random(), rng.random() < 0.5
    subject = _pick(_entries("givers") if is_plural else _entries("giver"), rng)
    if lot < 0.5:
        return f"{subject} {past}"
    if lot < 0.7:
        return f"{subject} {_pick(('will', 'should', 'would never', 'wanted to', 'may', 'used to'), rng)} {base}"
    if lot < 0.8:
        return f"{subject} kept {participle}"
    return f"{subject} {base if is_plural else third}"


def _pick(words: Sequence[str], rng: np.random.Generator) -> str:
    return words[int(rng.integers(len(words)))]


def distant_frame(rng: np.random.Generator) -> str:
    """Return a frame with the fields subject, verb, rest, other and tail: two verbs of one subject, far apart."""
    frame = _pick(_entries("frame"), rng)
    return frame.replace("{aside}", _pick(_entries("aside"), rng)).replace("{time}", _pick(_entries("time"), rng))
