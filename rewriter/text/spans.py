"""Cutting a text at the places that a pattern finds and a language confirms."""

from __future__ import annotations

import re
from collections.abc import Callable


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
        white space only, so joining spans and gaps gives the text back.
    """
    spans: list[tuple[int, int]] = []
    start = 0
    for match in boundary.finditer(text):
        if match["blank"] is None and not ends_sentence(text, match):
            continue
        _append(spans, text, start, match.end())
        start = match.end()
    _append(spans, text, start, len(text))
    return spans


def _append(spans: list[tuple[int, int]], text: str, start: int, end: int) -> None:
    piece = text[start:end]
    stripped = piece.strip()
    if stripped:
        begin = start + len(piece) - len(piece.lstrip())
        spans.append((begin, begin + len(stripped)))
