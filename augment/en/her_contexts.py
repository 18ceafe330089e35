"""Certain labels for *her*: sentences with *him* and *his*, shown with *her*.

*her* is *them* or *their*, and what stands around it rarely says which without doubt. *him* and *his* say it always,
and stand in the same places. So every *him* and *his* of a real sentence is written as *her*; only these words get a
label, all else of the sentence is left without one. Sentences are taken for the sake of *him* in places where the
grammar leaves *her* open (*left him exhausted*, *saw him leaving*), which are rare beside those of *his*.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from augment.languages import RuleResult
from rewriter.languages import Language

RULE = "her from him and his"
_MASCULINE = re.compile(r"\b(?:(?P<object>him)|(?P<possessive>his))\b", re.IGNORECASE)
#: what may follow *his* before a noun: anything but a mark or a word that shows *his* to stand alone
_ALONE = re.compile(
    r"(?:[^\w\s\"'“‘(*_]|$|\s+(?:is|was|are|were|has|had|and|or|but|nor|than|to|in|on|at|as|by|for|from|with|when|if|will"
    r"|would|could|should|can|may|might|must|did|does|do|alone|too|because|while|before|after|that|who|which)\b)"
)
_OBJECT = re.compile(r"\bhim\b", re.IGNORECASE)
_HER = {"object": ("her", "them"), "possessive": ("her", "their")}


def has_object(text: str) -> bool:
    """Tell cheaply whether a text holds *him*."""
    return _OBJECT.search(text) is not None


def her_contexts(text: str, language: Language) -> Sequence[RuleResult]:
    """Return the sentence with *her* for *him* and *his*, and what these become, or nothing.

    Args:
        text: a sentence.
        language: English.

    Returns:
        One result, whose doubtful spans cover everything but *her*; none where no *him* stands in an open place.
    """
    found = list(_MASCULINE.finditer(text))
    if not has_object(text) or re.search(r"\bhers?\b", text, re.IGNORECASE):
        return ()
    if any(match["possessive"] and _ALONE.match(text, match.end()) for match in found):
        return ()
    source, spans = _written(text, found, 0)
    target, _ = _written(text, found, 1)
    if not _open_object(language, source, [s for s, m in zip(spans, found, strict=True) if m["object"]]):
        return ()
    return (
        RuleResult(
            source,
            target,
            "feminine",
            doubtful=tuple(_between(spans, len(source))),
            statistics=Counter({RULE: len(spans)}),
        ),
    )


def _written(text: str, found: Sequence[re.Match[str]], which: int) -> tuple[str, list[tuple[int, int]]]:
    """Return the text with the words of one side, and where they stand in it."""
    parts, spans, at, length = [], [], 0, 0
    for match in found:
        word = _HER[match.lastgroup or ""][which]
        if match[0].isupper():
            word = word.upper()
        elif match[0][0].isupper():
            word = word.capitalize()
        parts += [text[at : match.start()], word]
        length += match.start() - at
        spans.append((length, length + len(word)))
        length += len(word)
        at = match.end()
    return "".join([*parts, text[at:]]), spans


def _between(spans: Sequence[tuple[int, int]], length: int) -> Iterator[tuple[int, int]]:
    """Yield what lies outside the spans."""
    at = 0
    for start, end in [*spans, (length, length)]:
        if start > at:
            yield at, start
        at = end


def _open_object(language: Language, source: str, objects: Sequence[tuple[int, int]]) -> bool:
    starts = {start for start, _ in objects}
    return any(c.start in starts and c.forced is None for c in language.analyze(source, []).candidates)
