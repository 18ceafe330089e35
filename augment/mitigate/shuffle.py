"""Sub-sentences of a text, and the text with their order changed (Sengupta et al. 2022, section 3.2, step 3)."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np

from rewriter.errors import UsageError
from rewriter.language.interface import get_language

Segment = Callable[[str], list[tuple[int, int]]]

#: where there are no rules for a language: after a sentence's last sign and what closes with it
_END = re.compile(r"[.!?…。！？]+[\"'”’»)\]]*(?:\s+|(?<=[。！？]))|\s*;\s+")


def segmenter(lang: str) -> Segment:
    """Return what cuts texts of a language into sub-sentences: its own rules, or the signs that end a sentence."""
    try:
        return get_language(lang).segment
    except UsageError:
        return plain_segments


def plain_segments(text: str) -> list[tuple[int, int]]:
    """Return the spans between signs that end a sentence."""
    spans = []
    start = 0
    for end in _END.finditer(text):
        stop = start + len(text[start : end.end()].rstrip())
        if stop > start:
            spans.append((start, stop))
        start = end.end()
    if text[start:].strip():
        spans.append((start, start + len(text[start:].rstrip())))
    return spans


def shuffled(text: str, spans: list[tuple[int, int]], rng: np.random.Generator) -> str:
    """Return ``text`` with its sub-sentences in another order; what stands between them keeps its place.

    A text of one sub-sentence, or of equal ones, comes back as it is; every other text comes back changed.
    """
    parts = [text[start:end] for start, end in spans]
    if len(set(parts)) < 2:
        return text
    order = rng.permutation(len(parts))
    while [parts[at] for at in order] == parts:
        order = rng.permutation(len(parts))
    result: list[str] = []
    position = 0
    for (start, end), at in zip(spans, order, strict=True):
        result += (text[position:start], parts[at])
        position = end
    return "".join(result) + text[position:]
