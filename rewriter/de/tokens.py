"""German tokens for the edit model: words, digits and single other characters, with character offsets."""

from __future__ import annotations

import re

from rewriter.tokens import Token, normalize, shape_of

__all__ = ["Token", "tokenize"]

_TOKEN = re.compile(r"[^\W\d_]+|\d+|\S")

#: surface -> normalised form and shape of words seen, at most _MOST_KNOWN
_KNOWN: dict[str, tuple[str, int]] = {}
_MOST_KNOWN = 50_000


def tokenize(text: str) -> list[Token]:
    """Return the tokens of ``text``; white space belongs to none.

    The signs of gender-fair forms (star, colon, slash, underscore) are tokens of their own.
    """
    known, new = _KNOWN, tuple.__new__
    tokens: list[Token] = []
    for match in _TOKEN.finditer(text):
        surface = match.group()
        # past NamedTuple's own constructor, which is a Python function
        tokens.append(new(Token, (*match.span(), *(known.get(surface) or _learn(surface)))))
    return tokens


def _learn(surface: str) -> tuple[str, int]:
    found = normalize(surface), shape_of(surface)
    if len(surface) < 40 and not surface.isdigit():
        if len(_KNOWN) >= _MOST_KNOWN:
            _KNOWN.clear()
        _KNOWN[surface] = found
    return found
