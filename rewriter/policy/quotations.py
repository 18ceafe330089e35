"""Quotations of a text, by their marks, for every language: what somebody else said or wrote."""

from __future__ import annotations

import re

#: characters of a quotation at most; what is longer has lost its closing mark
_LONGEST = 2000
_PAIRS = (("“", "”"), ("„", "“"), ("„", "”"), ("«", "»"), ("»", "«"), ("‹", "›"), ("``", "''"))
_PATTERNS = tuple(
    re.compile(
        rf"{re.escape(a)}(?:(?!{re.escape(a)}|{re.escape(b)}|\n[ \t]*\r?\n)(?s:.)){{1,{_LONGEST}}}{re.escape(b)}"
    )
    for a, b in _PAIRS
)
#: a straight mark opens behind white space or a bracket, and closes behind a character
_STRAIGHT = re.compile(rf'(?<![^\s(\[—–-])"(?=\S)(?:(?!\n[ \t]*\r?\n)[^"]){{1,{_LONGEST}}}"(?!\w)')
#: single curly marks, of which the closing one is an apostrophe, too
_SINGLE = re.compile(rf"(?<!\w)‘(?:(?!\n[ \t]*\r?\n)[^‘]){{1,{_LONGEST}}}?’(?!\w)")
_BLOCK = re.compile(r"(?m:^[ \t]*>[^\n]*$)")


def quoted_spans(text: str) -> list[tuple[int, int]]:
    """Return the spans (start, end) of quotations with their marks, and of quoted lines (``> ...``)."""
    spans = [match.span() for pattern in (*_PATTERNS, _STRAIGHT, _SINGLE) for match in pattern.finditer(text)]
    return sorted([*spans, *(match.span() for match in _BLOCK.finditer(text))])
