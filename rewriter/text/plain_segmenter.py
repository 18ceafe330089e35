"""Sentences of a text in a language that has no segmenter: what ends in a sign before a capital, a digit or a quote."""

from __future__ import annotations

import re

_END = re.compile(r"[.!?…]+[\"'»”’)\]]*\s+(?=[\"'«“‘„(\[¿¡—–-]*[^\W_a-zß-öø-ÿ])")


def segment(text: str) -> list[tuple[int, int]]:
    """Return the spans of sentences; abbreviations before a capital end one, too."""
    ends = [match.end() for match in _END.finditer(text)]
    spans = zip([0, *ends], [*ends, len(text)], strict=True)
    stripped = ((start, start + len(text[start:end].rstrip())) for start, end in spans)
    return [(start, end) for start, end in stripped if start < end]
