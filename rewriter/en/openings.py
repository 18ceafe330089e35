"""Where the words of a sentence begin: behind markup, handles, the number of a verse or of a list's entry."""

from __future__ import annotations

import re

from rewriter.en.sentence import Sentence

#: 13 He said; 2) She; (a) He; [3] She; 4:12 He
_NUMBER = re.compile(r"[(\[]?(?:\d{1,3}(?::\d{1,3})?|[a-z])[)\].:]*(?=\s)")
_HANDLE = re.compile(r"\.?@[\w.-]+[:,]?(?=\s)")
_MARKUP = re.compile(r"(?:[*_>#\s•–—-]|<[^<>\n]*>)+")


def opening(sentence: Sentence) -> int:
    """Return the place of the first word of a sentence, past markup, handles and a number.

    *3 He* and *4 He* may be isotopes of helium, so these numbers are not skipped.
    """
    if sentence.opening < 0:
        offset = _skip(sentence.text)
        places = (i for i, token in enumerate(sentence.tokens) if token.start >= offset)
        sentence.opening = next(places, 0) if offset else 0
    return sentence.opening


def _skip(text: str) -> int:
    """Return the offset behind all that may precede the first word."""
    offset, has_number = 0, False
    while True:
        match = _MARKUP.match(text, offset) or _HANDLE.match(text, offset)
        if match is None and not has_number:
            match = _NUMBER.match(text, offset)
            has_number = True
            if match is not None and match.group() in _ISOTOPES:
                match = None
        if match is None or match.end() == offset:
            return offset
        offset = match.end()


#: the numbers of helium's isotopes
_ISOTOPES = ("3", "4")
