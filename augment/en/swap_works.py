"""Titles of works and names of ships in quotation marks or emphasis, which stay: told by their capitals alone."""

from __future__ import annotations

import re

#: what opens and closes a title; the apostrophe of a contraction opens none
_OPENS = re.compile("[\"“‘'«*_]")
_QUOTED = re.compile(
    r"(?<!\w)(?:\"(?P<a>[^\"\n]{2,90})\"|“(?P<b>[^“”\n]{2,90})”|‘(?P<c>[^‘’\n]{2,90})’(?!\w)"
    r"|'(?P<d>[^'\n]{2,90})'(?!\w)|«(?P<e>[^«»\n]{2,90})»|\*(?P<f>[^*\n]{2,90})\*(?!\w)|_(?P<g>[^_\n]{2,90})_(?!\w))"
)
_WORD = re.compile(r"[^\W\d_][\w'’-]*")
#: words of a title that are written small
_SMALL = frozenset(
    "a an the and or but nor of in on at to for from with by as is was it its my your our his her their into over who "
    "that this me you i we us he she him not no de la le del und von der den no. vs".split()
)
#: a title has no more words than this
_MOST = 14
#: these end speech
_SPOKEN = (".", ",", "!", "?", ";", "…", "-", "—")


def works(text: str) -> list[tuple[int, int]]:
    """Return the spans of titles: what stands in quotation marks or emphasis and has capitals like a title.

    All words but small ones (*of, the, her*) have a capital, and there are at least two words; or it is a single
    capitalised word inside a sentence, without the punctuation of speech.

    Args:
        text: the text.
    """
    found: list[tuple[int, int]] = []
    end = 0
    for mark in _OPENS.finditer(text):
        match = _QUOTED.match(text, mark.start()) if mark.start() >= end else None
        if match is None:
            continue
        end = match.end()
        if _is_title(text, match):
            found.append(match.span())
    return found


def _is_title(text: str, match: re.Match[str]) -> bool:
    inside = next(part for part in match.groups() if part is not None)
    words = _WORD.findall(inside)
    if not words or len(words) > _MOST or not words[0][:1].isupper() or inside.isupper():
        return False
    if len(words) == 1:
        return _is_inside(text, match) and not inside.endswith(_SPOKEN)
    large = [word for word in words[1:] if word.lower() not in _SMALL]
    return bool(large) and all(word[:1].isupper() for word in large) and not words[-1][:1].islower()


def _is_inside(text: str, match: re.Match[str]) -> bool:
    """Return True if a word in lower case stands right before a quotation."""
    return re.search(r"[a-z)] $", text[max(0, match.start() - 2) : match.start()]) is not None
