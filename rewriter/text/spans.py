"""Cutting a text at the places that a pattern finds and a language confirms."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

__all__ = ["cut_spans"]

#: characters of a sentence; a longer one is read in parts, since some analyses compare every phrase of a sentence with
#: every other (of 340,000 German and English sentences of many kinds of text 5 are longer)
LONGEST_SENTENCE = 2000
_GAP = re.compile(r"\s+")
#: where a sentence that is too long may be cut, the best places first
_PLACES = tuple(map(re.compile, (r"[\n\r]|(?<=[.!?…;:])\s", r"(?<=[,–—])\s", r"\s")))


def cut_spans(
    text: str, boundary: re.Pattern[str], ends_sentence: Callable[[str, re.Match[str]], bool]
) -> list[tuple[int, int]]:
    """Cut ``text`` into sentences.

    Args:
        text: any text.
        boundary: finds where a sentence may end; its group ``blank`` is an empty line, which always ends one.
        ends_sentence: tells of every other match whether it does.

    Returns:
        Spans (start, end in characters) in order, without the white space around them; what lies between two spans is
        white space only, so joining spans and gaps gives the text back. None is longer than
        :data:`LONGEST_SENTENCE`.
    """
    spans: list[tuple[int, int]] = []
    start = 0
    for match in boundary.finditer(text):
        if match["blank"] is None and not ends_sentence(text, match):
            continue
        spans += _parts(text, start, match.end())
        start = match.end()
    spans += _parts(text, start, len(text))
    return spans


def _parts(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield a sentence without the white space around it, in parts where it is too long."""
    start, end = _stripped(text, start, end)
    while end - start > LONGEST_SENTENCE:
        place = _place(text, start)
        yield _stripped(text, start, place)
        gap = _GAP.match(text, place)
        start = gap.end() if gap is not None else place
    if start < end:
        yield start, end


def _place(text: str, start: int) -> int:
    """Return where to cut a sentence that is too long: at the last of the best places, in its second half if possible.

    Without white space it is no running text (:data:`rewriter.policy.protect.LONGEST_RUN`), and one place is like
    another.
    """
    limit = start + LONGEST_SENTENCE
    for low in (start + LONGEST_SENTENCE // 2, start + 1):
        for pattern in _PLACES:
            found = [match.start() for match in pattern.finditer(text, low, limit)]
            if found:
                return found[-1]
    return limit


def _stripped(text: str, start: int, end: int) -> tuple[int, int]:
    piece = text[start:end]
    begin = start + len(piece) - len(piece.lstrip())
    return begin, max(begin, start + len(piece.rstrip()))
