"""Groups of persons on the surface: what *they* may mean besides one person."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from lexicons.loader import read_table
from rewriter.en.foreign import is_common
from rewriter.en.mentions import PLURAL, find_mentions
from rewriter.en.names import kind_of_word, known_given_names
from rewriter.en.view import View, persons

_NAME = r"[A-Z][a-z]+(?:['’-][A-Z]?[a-z]+)*"
#: Tom and Ann; Tom Reed and his wife
_JOINED = re.compile(
    rf"\b(?P<first>{_NAME})(?: {_NAME})?,? (?:and|&) "
    rf"(?:(?P<second>{_NAME})|(?:his|her|my|our|their|the) (?P<person>[a-z]+))\b"
)
#: the Smiths; not the Duchess, the Axis, the Isthmus
_FAMILY = re.compile(r"\b[Tt]he (?P<name>[A-Z][a-z]+[^\Wiusx])s\b(?! [A-Z])")
#: words of a phrase behind its possessive that are looked at
_PHRASE = 2


def find_groups(text: str) -> list[str]:
    """Return the groups that a text names: plurals, joined names, families."""
    return [*_joined(text), *_families(text), *(m.word for m in find_mentions(View(text)) if m.number == PLURAL)]


def possessed_group(text: str) -> str:
    """Return the group of persons or animals that a text beginning with a possessive says is somebody's, or nothing.

    Args:
        text: *his friends waited while*, *her dogs love*.
    """
    view = View(text)
    for mention in find_mentions(view):
        if mention.number == PLURAL and 0 < mention.index <= _PHRASE:
            return mention.word
    return next((w for w in view.norms(1, 1 + _PHRASE) if w.endswith("s") and w in _animals()), "")


def _joined(text: str) -> Iterator[str]:
    for match in _JOINED.finditer(text):
        first, second = match["first"].lower(), (match["second"] or "").lower()
        if first not in known_given_names() or first in kind_of_word("ordinary", "month", "day", "place"):
            continue
        is_name = second in known_given_names() or (second and not is_common(second))
        if is_name or match["person"] in persons("person") | persons("gendered"):
            yield match.group()


def _families(text: str) -> Iterator[str]:
    for match in _FAMILY.finditer(text):
        name = match["name"].lower()
        known = kind_of_word("place", "people", "belief", "office", "thing", "month", "day", "holiday")
        if not is_common(name) and not {name, f"{name}s"} & known:
            yield f"{match['name']}s"


@cache
def _animals() -> frozenset[str]:
    return frozenset(row["word"] for row in read_table("en", "animals"))
