"""Things that a *they* may mean, found on the surface: plural nouns, and noun phrases that name no person."""

from __future__ import annotations

import re

from rewriter.en.back_words import UNCHANGED, back_words
from rewriter.en.closed_words import THEY_PRONOUNS
from rewriter.en.inflection import to_plural
from rewriter.en.mentions import DETERMINERS, Mention
from rewriter.en.view import View, persons

_PLURAL_DETERMINERS = frozenset(
    """the these those some many few several all both any no my your his her our their its two three four five six
    seven eight nine ten hundred of more most other such new old""".split()
)
_COPULA = frozenset("are were 're aren't weren't be been become look looked seem seemed cost costs".split())
_VERBS_WITH_OF = frozenset("think thought hear heard speak spoke dream proud afraid fond scared".split())
_AFTER_OWNER = frozenset("and or nor of with over along from in , by for".split())
_PLURAL_CAPITALS = re.compile(r"[A-Z]{2,}s")
_NO_PLURALS = frozenset(
    "always perhaps besides sometimes does has was is its his hers yours ours theirs across".split()
)


def may_be_things(view: View, place: int, person: Mention, *, is_continued: bool) -> bool:
    """Return True if things since the antecedent may be what the pronoun means."""
    word, since = view.norm(place), person.index + 1
    if not person.is_indefinite and has_plural_things(view, 0, person.index):
        return True
    if word == "their":
        start = max(since, place - 3) if person.is_indefinite else since
        is_beside = not person.is_indefinite or view.norm(place - 1) in _AFTER_OWNER
        return is_beside and not is_continued and has_plural_things(view, start, place)
    if word == "them":
        if view.norm(place - 1) == "of" and not view.has(_VERBS_WITH_OF, place - 2, place):
            return True
        return not is_of_person(view, place) and (
            has_plural_things(view, since, place) or _has_thing(view, since, place)
        )
    has_things = has_plural_things(view, since, place)
    has_things_before = has_plural_things(view, 0, person.index)
    if word != "they" or not (has_things or has_things_before) or is_continued:
        return False
    verb = view.skip_adverbs(place + 1)
    while view.norm(verb) in UNCHANGED or view.norm(verb) in ("have", "'ve", "do", "don't", "did", "didn't", "not"):
        verb = view.skip_adverbs(verb + 1)
    if view.norm(verb) in _COPULA:
        return view.norm(view.skip_adverbs(verb + 1)) not in back_words("predicate")
    is_free = person.is_indefinite and not has_things_before
    return not is_free and view.norm(verb) not in back_words("mental verb")


def is_of_person(view: View, place: int) -> bool:
    """Return True if *them* stands behind a verb that has persons as objects."""
    return view.norm(place - 1) in back_words("object verb")


def _has_thing(view: View, start: int, end: int) -> bool:
    """Return True if a noun phrase that names no person stands in a stretch."""
    for i in range(start, end):
        if view.norm(i) in DETERMINERS - {"'s", "that", "this", "what", "which", "one"} and i + 1 < end:
            nouns = view.norms(i + 1, min(i + 4, end))
            if not any(w in persons("person") or w in persons("gendered") for w in nouns):
                return True
    return False


def _follows_plural(word: str) -> bool:
    """Return True if a word shows that one in -s before it is no verb: *teams met*, *tools are*."""
    plural = ("are", "were", "have", "do", "don't", "aren't", "weren't", "haven't", "help", "make", "can", "will")
    return word in plural or word in back_words("past") or (len(word) > 4 and word.endswith("ed"))


def has_plural_things(view: View, start: int, end: int) -> bool:
    """Return True if a plural noun that names no persons stands in a stretch."""
    return any(_is_plural_noun(view, i) for i in range(max(start, 1), end))


def _is_plural_noun(view: View, index: int) -> bool:
    word = view.norm(index)
    if _PLURAL_CAPITALS.fullmatch(view.surface(index)):
        return True
    if len(word) < 4 or not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return False
    if word in THEY_PRONOUNS or word in _NO_PLURALS:
        return False
    if view.norm(index + 1) == "'s":
        return False
    before, second = view.norm(index - 1), view.norm(index - 2)
    if _follows_plural(view.norm(index + 1)):
        return True
    if to_plural(word) is not None and before in (*persons("person"), *persons("indefinite"), *persons("name")):
        return False
    if before == "their":
        return False
    if before in _PLURAL_DETERMINERS or (second in _PLURAL_DETERMINERS and before.isalpha()):
        return True
    # bare plurals: not where the word can be the verb of a subject before it
    return to_plural(word) is None or before in ("and", "or", "with", "for", "in", "on", "about", "buy", "have")
