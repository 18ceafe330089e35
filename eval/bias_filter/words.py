"""Text as bytes in which words are easy to find: lower case, words apart, one byte per kind of punctuation.

A word is a run of letters, digits and combining marks; everything else borders it, the underscore and the apostrophe
too, so that ``"her."``, ``she's``, ``(he)``, ``_hers_`` and ``“she”`` all show their word. Addresses of web pages are
no words. Composed and decomposed letters are the same, soft hyphens vanish.

The work is done by a few operations over many texts at once, which is where the speed comes from: plain ASCII is one
table look-up per byte; of other text only the *distinct* characters beyond ASCII are looked at by Python.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache

import numpy as np

#: bytes that stand for what lies between words; all are below every letter and digit
LINE_END, SPACE, APOSTROPHE, HYPHEN, SLASH, STOP, OTHER = 10, 32, 1, 2, 3, 4, 5
#: the highest byte that is no part of a word
LAST_BORDER = 32

_W = ord("w")
_ADDRESS = re.compile(r"://|www\.", re.IGNORECASE)
_URL = re.compile(r"(?:\b[a-z][a-z0-9+.-]*://|\bwww\.)[^\s\"'<>()\[\]]+", re.IGNORECASE)
#: scripts that are written without spaces: a word list's entries are found inside a run of them
_UNSPACED = (
    r"\u0E00-\u0EFF\u1000-\u109F\u1780-\u17FF\u2E80-\u2FDF\u3005-\u3007\u3040-\u30FF\u31F0-\u31FF"
    r"\u3400-\u4DBF\u4E00-\u9FFF\uF900-\uFAFF\uFF66-\uFF9F\U0001B000-\U0001B16F\U00020000-\U0003FFFF"
)
UNSPACED = re.compile(f"[{_UNSPACED}]")
_UNSPACED_RUN = re.compile(f"[{_UNSPACED}]+")
_JOINERS = "\u200c\u200d"
_SOFT_HYPHEN = "\u00ad"
_ASCII = bytes(range(128))
#: more distinct characters than this are replaced by one operation on the text instead of one operation for each
_MANY = 6


def _border(character: str) -> int:
    kinds = {"'": APOSTROPHE, "-": HYPHEN, "/": SLASH, ".": STOP, "\n": LINE_END}
    return kinds.get(character, SPACE if character.isspace() else OTHER)


def _byte(value: int) -> int:
    character = chr(value)
    if value >= 128 or character.isalnum():
        return ord(character.lower()) if value < 128 else value
    return _border(character)


_TABLE = bytes(_byte(value) for value in range(256))


def normalise(text: str) -> bytes:
    r"""Return ``text`` as described above; ``\n`` stays, so that lines can be told apart."""
    data = _normalise(text)
    if _may_hold_address(data):
        lines = [_URL.sub(" ", line) if _ADDRESS.search(line) else line for line in text.split("\n")]
        data = _normalise("\n".join(lines))
    return data


def _may_hold_address(data: bytes) -> bool:
    """Tell whether two slashes or three w stand side by side; arrays tell that ten times as fast as a search does."""
    raw = np.frombuffer(data, np.uint8)
    slash, letter = raw == SLASH, raw == _W
    return bool((slash[:-1] & slash[1:]).any() or (letter[:-2] & letter[1:-1] & letter[2:]).any())


def _normalise(text: str) -> bytes:
    return text.encode("ascii").translate(_TABLE) if text.isascii() else _normalise_any(text)


def _normalise_any(text: str) -> bytes:
    distinct = _beyond_ascii(text)
    if any(_composes(character) for character in distinct):
        text = unicodedata.normalize("NFC", text)
        distinct = _beyond_ascii(text)
    unspaced = {character for character in distinct if UNSPACED.match(character)}
    if len(unspaced) > _MANY:
        text = _UNSPACED_RUN.sub(" ", text)
        distinct -= unspaced
    capitals = {character for character in distinct if character.lower() != character}
    # a capital sigma's small form depends on its place in the word
    if len(capitals) > _MANY or "Σ" in capitals:
        text = text.lower()
        # anew, for a letter may become two (İ)
        distinct, capitals = _beyond_ascii(text), set()
    data = text.encode("utf-8", "replace")
    for character in distinct:
        replacement = character.lower() if character in capitals else _replacement(character)
        if replacement != character:
            data = data.replace(character.encode("utf-8", "replace"), replacement.encode("utf-8"))
    return data.translate(_TABLE)


def _beyond_ascii(text: str) -> set[str]:
    return set(text.encode("utf-8", "ignore").translate(None, _ASCII).decode("utf-8"))


@cache
def _composes(character: str) -> bool:
    """Tell whether a text with ``character`` may be written in another way that means the same."""
    return unicodedata.category(character).startswith("M") or not unicodedata.is_normalized("NFC", character)


@cache
def _replacement(character: str) -> str:
    """Return what stands for a character beyond ASCII; word characters stand for themselves."""
    if character in "’‘ʼ＇":
        return "'"
    if character == _SOFT_HYPHEN:
        return ""
    if UNSPACED.match(character):
        return " "
    if character.isalnum() or character in _JOINERS or unicodedata.category(character).startswith("M"):
        return character
    if character in "‐‑":
        return "-"
    return " " if character.isspace() else ";"
