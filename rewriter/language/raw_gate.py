"""A gate over raw bytes: which lines of a corpus may hold a gendered word, at the speed of reading.

Most lines of a corpus hold none. They are copied without being decoded or even looked at one by one: the bytes are
mapped to lower case with everything but ASCII letters and digits as spaces (one table, one pass), and one pattern that
begins with a space, so that the regular expression engine skips from space to space, is searched in the result. What
it finds is more than what the language's own gate lets through, never less; that gate decides afterwards.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import takewhile
from typing import Any, Protocol

_TABLE = bytes(
    code + 32 if 65 <= code <= 90 else code if 97 <= code <= 122 or 48 <= code <= 57 else 32 for code in range(256)
)
#: the Kelvin sign, the only character outside ASCII whose lower case is one ASCII letter
_KELVIN = "\u212a".encode()


class RawGate:
    """Finds the lines of UTF-8 text that may hold one of some words."""

    def __init__(self, words: Iterable[str]) -> None:
        root: dict[str, Any] = {}
        for word in words:
            node = root
            for letter in _shown(word):
                node = node.setdefault(letter, {})
            node[""] = {}
        pattern = f" {_alternatives(root)}" if root else r"(?!)"
        self._pattern = re.compile(pattern.encode("ascii"))

    def lines(self, data: bytes) -> Iterator[tuple[int, int]]:
        """Yield (start, end) of every line that may hold one of the words; a line has its line end."""
        flat = b" " + data.translate(_TABLE)
        kelvin = data.find(_KELVIN)
        position = 0
        while position < len(data):
            match = self._pattern.search(flat, position)
            found = match.start() if match else len(data)
            if 0 <= kelvin < found:
                found = kelvin
            if found >= len(data):
                return
            start = data.rfind(b"\n", 0, found) + 1
            end = data.find(b"\n", found) + 1 or len(data)
            yield start, end
            position = end
            if 0 <= kelvin < end:
                kelvin = data.find(_KELVIN, end)

    def search(self, data: bytes) -> bool:
        """Return True if ``data`` may hold one of the words."""
        return self._pattern.search(b" " + data.translate(_TABLE)) is not None or _KELVIN in data


class HasGate(Protocol):
    """What :func:`raw_gate` reads of a language, or of the rules of a swap."""

    @property
    def gate_words(self) -> tuple[str, ...] | None:
        """Words one of which every text holds that the gate lets through; None where they cannot be listed."""
        ...


def raw_gate(language: HasGate) -> RawGate | None:
    """Return the gate of a language over bytes; None where it does not say which words its gate looks for."""
    words = language.gate_words
    return _gate_of(tuple(words)) if words is not None else None


@lru_cache(maxsize=4)
def _gate_of(words: tuple[str, ...]) -> RawGate:
    return RawGate(words)


def _shown(word: str) -> list[str]:
    """Return what of a word stands in the mapped bytes, letter by letter; the empty string ends a word in the middle.

    Outside ASCII both cases of a letter would have to be found, so a word is followed up to its first such letter.
    """
    lowered = word.lower()
    plain = "".join(takewhile(str.isascii, lowered))
    letters = [letter if letter.isalnum() else " " for letter in plain]
    while letters and letters[-1] == " ":
        letters.pop()
    return letters if plain == lowered else [*letters, "\0"]


def _alternatives(node: dict[str, Any]) -> str:
    """Return the pattern of what may follow at a node of the letter tree."""
    parts = []
    for letter, rest in node.items():
        if letter == "\0":
            return ""  # anything may follow, so what else is below this node adds nothing
        if letter:
            parts.append((" +" if letter == " " else letter) + _alternatives(rest))
        else:
            parts.append("(?![a-z0-9])")  # the end of a word
    return f"(?:{'|'.join(parts)})" if len(parts) > 1 else "".join(parts)
