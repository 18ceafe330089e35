"""German tokens for the edit model: words, digits and single other characters, with character offsets."""

from __future__ import annotations

import re

from rewriter.language.tokens import Token, Tokenizer

__all__ = ["Token", "tokenize"]

_TOKENIZER = Tokenizer(re.compile(r"[^\W\d_]+|\d+|\S"))


def tokenize(text: str) -> list[Token]:
    """Return the tokens of ``text``; white space belongs to none.

    The signs of gender-fair forms (star, colon, slash, underscore) are tokens of their own.
    """
    return _TOKENIZER.cut(text)
