"""Tokens as the encoder of an edit model reads them; each language cuts its text by itself."""

from __future__ import annotations

from typing import NamedTuple


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
