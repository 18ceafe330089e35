"""Pronouns that dropped their h: *tell 'im*, *ask 'er*, *'er hat*, *did it 'imself*.

The apostrophe and the rest become one token that is read as the full form. Behind a word only: behind punctuation the
apostrophe may open a quotation (*'Er, well*).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from rewriter.language.tokens import Token

#: forms that a search for pronouns does not find
DIALECT_WORDS = ("im", "er", "imself", "erself")
HINT = re.compile(r"['’](?:im|er)(?:self)?(?![\w'’])")
_FORM = re.compile(r"(?<=[A-Za-z] )['’](im|er|imself|erself)(?![\w'’-])")
#: no pronoun stands behind them: the 'er' sound, an 'im
_NO_PRONOUN = frozenset("the a an this that my your our their no each every said".split())


def join_dialect(text: str, tokens: Sequence[Token]) -> list[Token]:
    """Return the tokens with each form as one token whose normal form is that with *h*.

    Args:
        text: the sentence.
        tokens: of the sentence.
    """
    found = {match.start(): match.end() for match in _FORM.finditer(text)}
    joined: list[Token] = []
    end = 0
    for token in tokens:
        if token.start < end:
            continue
        if token.start in found and joined and joined[-1].norm not in _NO_PRONOUN:
            end = found[token.start]
            joined.append(Token(token.start, end, "h" + text[token.start + 1 : end].lower(), 0))
        else:
            joined.append(token)
    return joined


def dialect_form(surface: str, fair: str) -> str:
    """Return a fair pronoun as it is written in the place of a form: *'em* for *them*."""
    return f"{surface[0]}em" if surface[:1] in "'’" and fair == "them" else fair
