"""English tokens for the edit model: words, clitics, digits and single other characters, with character offsets."""

from __future__ import annotations

import re
from dataclasses import dataclass

#: order matters: negated auxiliaries stay whole, clitics stand alone, then words, numbers, single characters
_TOKEN = re.compile(
    r"""(?:is|was|has|does|are|were|have|do|did|had|wo|ca|could|should|would|might|must|need|ai)n['’]t(?![^\W_])
      | ['’](?:s|re|ve|ll|d|m)(?![^\W_])
      | [^\W\d_]+
      | \d+
      | \S""",
    re.VERBOSE | re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Token:
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


def tokenize(text: str) -> list[Token]:
    """Return the tokens of ``text``; white space belongs to none."""
    return [make_token(match.group(), match.start(), match.end()) for match in _TOKEN.finditer(text)]


def make_token(surface: str, start: int, end: int) -> Token:
    """Return the token for ``surface`` at ``start`` to ``end``."""
    return Token(start, end, normalize(surface), shape_of(surface))


def normalize(surface: str) -> str:
    """Lower case with straight apostrophes."""
    return surface.lower().replace("’", "'")


def shape_of(surface: str) -> int:
    """Return the case shape that the encoder gets beside a word (see :class:`Token`)."""
    if not surface[:1].isupper():
        return 0
    return 2 if len(surface) > 1 and surface.isupper() else 1
