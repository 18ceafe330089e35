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
_JOINERS = "\u200c\u200d"
#: what becomes shorter: apostrophes and hyphens, of which phrases may hold one, and the soft hyphen
_RESIZED = dict.fromkeys("’‘ʼ＇", b"'") | dict.fromkeys("‐‑", b"-") | {"\u00ad": b""}
_ASCII = bytes(range(128))
#: smallest first byte of characters of two, three and four bytes
_LEADS = np.array([0xC0, 0xE0, 0xF0], np.uint8)


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
    """Return True if two slashes or three w stand side by side; arrays tell that ten times as fast as a search does."""
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
    if any(_grows(character) for character in distinct):
        text = text.lower()
        distinct = _beyond_ascii(text)
    data = text.encode("utf-8", "replace")
    for character in distinct.intersection(_RESIZED):
        data = data.replace(character.encode("utf-8"), _RESIZED[character])
    changed = {character for character in distinct if _same_size(character) != character}
    return _replace_in_place(data, changed).translate(_TABLE)


def _replace_in_place(data: bytes, characters: set[str]) -> bytes:
    """Return UTF-8 with some characters replaced by others of the same length, all at once."""
    if not characters:
        return data
    raw = np.frombuffer(data, np.uint8).copy()
    leads = np.flatnonzero(raw >= 0xC0)
    sizes = np.searchsorted(_LEADS, raw[leads], side="right")
    for size in (2, 3, 4):
        wanted = sorted(character for character in characters if len(character.encode("utf-8")) == size)
        at = leads[sizes == size - 1]
        if not wanted or not len(at):
            continue
        codes = raw[at].astype(np.int32) & (0xFF >> (size + 1))
        for byte in range(1, size):
            codes = (codes << 6) | (raw[at + byte] & 0x3F)
        known = np.array([ord(character) for character in wanted], np.int32)
        places = np.minimum(np.searchsorted(known, codes), len(known) - 1)
        hits = np.flatnonzero(known[places] == codes)
        new = np.frombuffer(b"".join(_same_size(c).encode("utf-8") for c in wanted), np.uint8).reshape(-1, size)
        for byte in range(size):
            raw[at[hits] + byte] = new[places[hits], byte]
    return raw.tobytes()


def _beyond_ascii(text: str) -> set[str]:
    return set(text.encode("utf-8", "ignore").translate(None, _ASCII).decode("utf-8"))


@cache
def _composes(character: str) -> bool:
    """Return True if a text with ``character`` may be written in another way that means the same."""
    return unicodedata.category(character).startswith("M") or not unicodedata.is_normalized("NFC", character)


@cache
def _grows(character: str) -> bool:
    """Return True if a capital's small form is not always one character of the same length (İ, ẞ; Σ, which has two)."""
    return character == "Σ" or len(character.lower().encode("utf-8")) != len(character.encode("utf-8"))


@cache
def _same_size(character: str) -> str:
    """Return what stands for a character beyond ASCII, of as many bytes: its small letter, itself, or what borders."""
    kind = unicodedata.category(character)
    if character in _RESIZED:
        return character
    if not UNSPACED.match(character) and (character.isalnum() or character in _JOINERS or kind.startswith("M")):
        return character.lower()
    filler = " " if character.isspace() or UNSPACED.match(character) else ";"
    return filler * len(character.encode("utf-8"))
