"""English tokens for the edit model: words, clitics, digits and single other characters, with character offsets."""

from __future__ import annotations

import re

from rewriter.tokens import Token, normalize, shape_of

__all__ = ["Token", "make_token", "normalize", "shape_of", "tokenize"]

#: order matters: negated auxiliaries stay whole, clitics stand alone, then words, numbers, single characters
_TOKEN = re.compile(
    r"""(?:is|was|has|does|are|were|have|do|did|had|wo|ca|could|should|would|might|must|need|ai)n['’]t(?![^\W_])
      | ['’](?:s|re|ve|ll|d|m)(?![^\W_])
      | [^\W\d_]+
      | \d+
      | \S""",
    re.VERBOSE | re.IGNORECASE,
)


def tokenize(text: str) -> list[Token]:
    """Return the tokens of ``text``; white space belongs to none."""
    known, new = _KNOWN, tuple.__new__
    tokens: list[Token] = []
    for match in _TOKEN.finditer(text):
        surface = match.group()
        # past NamedTuple's own constructor, which is a Python function: analysis makes a hundred thousands a second
        tokens.append(new(Token, (*match.span(), *(known.get(surface) or _learn(surface)))))
    return tokens


#: surface -> normalised form and shape of words seen, at most _MOST_KNOWN (text has a heavy head, so few are missing)
_KNOWN: dict[str, tuple[str, int]] = {}
_MOST_KNOWN = 50_000


def _learn(surface: str) -> tuple[str, int]:
    found = normalize(surface), shape_of(surface)
    if len(surface) < 40 and not surface.isdigit():  # numbers are all different
        if len(_KNOWN) >= _MOST_KNOWN:
            _KNOWN.clear()
        _KNOWN[surface] = found
    return found


def make_token(surface: str, start: int, end: int) -> Token:
    """Return the token for ``surface`` at ``start`` to ``end``."""
    return Token(start, end, normalize(surface), shape_of(surface))
