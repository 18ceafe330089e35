"""A phrase that shrinks must not swallow a line break: a text has as many lines after rewriting as before."""

from __future__ import annotations

import re

_GAP = re.compile(r"\s+")
_BREAK = re.compile(r"[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]")


def has_break(text: str) -> bool:
    """Return True if ``text`` goes over a line: at a line feed, a carriage return alone, or any other break."""
    return _BREAK.search(text) is not None


def fit_gaps(before: str, after: str) -> str:
    """Return ``after`` with the white space between its words that ``before`` has between its own (breaks included)."""
    gaps, words = _GAP.findall(before), after.split(" ")
    if not gaps or len(gaps) >= len(words):
        return after
    return words[0] + "".join(
        a + b for a, b in zip([*gaps, *" " * (len(words) - 1 - len(gaps))], words[1:], strict=True)
    )


def keep_break(text: str, start: int, end: int, after: str) -> tuple[int, int, str] | None:
    r"""Return a span and its replacement with as many line breaks as the span has.

    A break that would be lost changes places with the space beside the phrase (``said he or\nshe did`` becomes
    ``said\nthey did``).

    Args:
        text: the sentence.
        start: offset of the phrase.
        end: offset behind it.
        after: what is to stand there.

    Returns:
        start, end, replacement; None where there is no room for the break.
    """
    before = text[start:end]
    if _BREAK.findall(before) == _BREAK.findall(after):
        return start, end, after
    gaps = [gap for gap in _GAP.findall(before) if _BREAK.search(gap)]
    if len(gaps) != 1 or _BREAK.search(after):
        return None
    if text[start - 1 : start] == " ":
        return start - 1, end, gaps[0] + after
    if text[end : end + 1] == " ":
        return start, end + 1, after + gaps[0]
    return None
