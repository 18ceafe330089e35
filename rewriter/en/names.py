"""Tells English sentences that name a person from others."""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise

from lexicons.loader import read_table

_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*\.?")


@cache
def _titles() -> frozenset[str]:
    return frozenset(row["word"] for row in read_table("en", "traps") if row["kind"] == "title")


def names_person(sentence: str) -> bool:
    """Tell whether ``sentence`` names a person: a title before a capitalised word."""
    words = _WORD.findall(sentence)
    return any(word.lower().rstrip(".") in _titles() and following[:1].isupper() for word, following in pairwise(words))
