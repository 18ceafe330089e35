"""Tokens as the encoder of an edit model reads them; each language cuts its text by itself."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

__all__ = ["Token", "Tokenizer", "normalize", "plain_tokens", "shape_of"]

#: words whose normalised form and shape are remembered; text has a heavy head, so few are missing
_MOST_KNOWN = 50_000


class Token(NamedTuple):
    """One token.

    Attributes:
        start: offset of its first character.
        end: offset behind its last character.
        norm: what the encoder reads: lower case, straight apostrophe.
        shape: 0 lower case or no letters, 1 capitalised, 2 all capitals (two letters or more).
    """

    start: int
    end: int
    norm: str
    shape: int


def normalize(surface: str) -> str:
    """Lower case with straight apostrophes."""
    return surface.lower().replace("’", "'")


def shape_of(surface: str) -> int:
    """Return the case shape that the encoder gets beside a word (see :class:`Token`)."""
    if not surface[:1].isupper():
        return 0
    return 2 if len(surface) > 1 and surface.isupper() else 1


class Tokenizer:
    """Cuts text by the pattern of a language; what is seen often is normalised once.

    Args:
        pattern: finds a token; white space belongs to none.
        normal: returns what the encoder reads for a token as it is written.
    """

    def __init__(self, pattern: re.Pattern[str], normal: Callable[[str], str] = normalize) -> None:
        self._pattern, self._normal = pattern, normal
        #: surface -> normalised form and shape
        self._known: dict[str, tuple[str, int]] = {}

    def cut(self, text: str) -> list[Token]:
        """Return the tokens of a text."""
        known, learn, new = self._known, self._learn, tuple.__new__
        tokens: list[Token] = []
        for match in self._pattern.finditer(text):
            surface = match.group()
            # past NamedTuple's own constructor, which is a Python function: analysis makes a hundred thousands a second
            tokens.append(new(Token, (*match.span(), *(known.get(surface) or learn(surface)))))
        return tokens

    def _learn(self, surface: str) -> tuple[str, int]:
        found = self._normal(surface), shape_of(surface)
        if len(surface) < 40 and not surface.isdigit():  # numbers are all different
            if len(self._known) >= _MOST_KNOWN:
                self._known.clear()
            self._known[surface] = found
        return found


_PLAIN = Tokenizer(re.compile(r"[^\W\d_]+|\d+|\S"))


def plain_tokens(text: str) -> list[Token]:
    """Return words, numbers and single other characters: the tokens of a language that does not say how it is cut."""
    return _PLAIN.cut(text)
