"""English tokens for the edit model: words, clitics, digits and single other characters, with character offsets.

An apostrophe may be written as an HTML entity (*she&rsquo;s*), a space as one, or as LaTeX has it (*he~knows*).
"""

from __future__ import annotations

import re

from rewriter.language.tokens import Token, Tokenizer, normalize, shape_of

__all__ = ["APOSTROPHE", "Token", "make_token", "normalize", "shape_of", "tokenize"]

#: an apostrophe, as a character or as an HTML entity
APOSTROPHE = r"(?:['’]|&(?:rsquo|apos|\#0?39|\#8217|\#x27|\#x2019);)"
_ENTITY = re.compile(r"&[#\w]+;")
#: what is white space but is written with other characters
_SPACES = re.compile(r"&(?:nbsp|ensp|emsp|thinsp|#160|#xa0);|(?<=[^\s~])~(?=[^\s~/])", re.IGNORECASE)


def _normal(surface: str) -> str:
    return normalize(_ENTITY.sub("'", surface) if "&" in surface else surface)


#: order matters: negated auxiliaries stay whole, clitics stand alone, then words, numbers, single characters
_TOKENIZER = Tokenizer(
    re.compile(
        rf"""(?:is|was|has|does|are|were|have|do|did|had|wo|ca|could|should|would|might|must|need|ai)n{APOSTROPHE}t
        (?![^\W_])
      | {APOSTROPHE}(?:s|re|ve|ll|d|m)(?![^\W_])
      | [^\W\d_]+
      | \d+
      | \S""",
        re.VERBOSE | re.IGNORECASE,
    ),
    _normal,
)


def tokenize(text: str) -> list[Token]:
    """Return the tokens of ``text``; white space belongs to none."""
    if "&" in text or "~" in text:
        text = _SPACES.sub(lambda match: " " * len(match.group()), text)
    return _TOKENIZER.cut(text)


def make_token(surface: str, start: int, end: int) -> Token:
    """Return the token for ``surface`` at ``start`` to ``end``."""
    return Token(start, end, normalize(surface), shape_of(surface))
