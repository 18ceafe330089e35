"""English tokens for the edit model: words, clitics, digits and single other characters, with character offsets."""

from __future__ import annotations

import re

from rewriter.language.tokens import Token, Tokenizer, normalize, shape_of

__all__ = ["Token", "make_token", "normalize", "shape_of", "tokenize"]

#: order matters: negated auxiliaries stay whole, clitics stand alone, then words, numbers, single characters
_TOKENIZER = Tokenizer(
    re.compile(
        r"""(?:is|was|has|does|are|were|have|do|did|had|wo|ca|could|should|would|might|must|need|ai)n['’]t(?![^\W_])
      | ['’](?:s|re|ve|ll|d|m)(?![^\W_])
      | [^\W\d_]+
      | \d+
      | \S""",
        re.VERBOSE | re.IGNORECASE,
    )
)


def tokenize(text: str) -> list[Token]:
    """Return the tokens of ``text``; white space belongs to none."""
    return _TOKENIZER.cut(text)


def make_token(surface: str, start: int, end: int) -> Token:
    """Return the token for ``surface`` at ``start`` to ``end``."""
    return Token(start, end, normalize(surface), shape_of(surface))
