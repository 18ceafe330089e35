"""Toy tokens: words, numbers, single other characters."""

from __future__ import annotations

import re

from rewriter.language.tokens import Token, normalize, shape_of

_TOKEN = re.compile(r"[^\W\d_]+|\d+|\S")


def tokenize(text: str) -> list[Token]:
    """Return the tokens of ``text``; white space belongs to none."""
    return [Token(*m.span(), normalize(m.group()), shape_of(m.group())) for m in _TOKEN.finditer(text)]
