"""Tells texts in the rewriter's language from others, by function words; nothing is installed or loaded for it.

A rewriter needs no name of the other language, only whether a text is in its own. About two in five words of English
running text are function words; other languages share few of them. A text is English when their share, words that
other languages know too at 0.3 each, is at least 0.15 (for short texts see :func:`is_language`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from lexicons.loader import TableError, read_table
from rewriter.errors import UsageError
from rewriter.formats.base import Content
from rewriter.language.interface import profile

__all__ = ["LanguageSelector", "is_language", "likeliest_language"]

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
#: weights of the kinds in ``function_words.tsv``
_WEIGHTS = {"strong": 1.0, "weak": 0.3}
SHARE = 0.15
#: up to this many words a lower share is enough, if no word speaks against it
SHORT = 5
SHORT_SHARE = 0.05
SHORT_SHARE_OTHER_LETTERS = 0.15
#: words that are looked at
MOST_WORDS = 2000


@cache
def _weights(language: str) -> dict[str, float]:
    try:
        return {row["word"]: _WEIGHTS.get(row["kind"], 0.0) for row in read_table(language, "function_words")}
    except TableError:
        raise UsageError(f"texts in '{language}' cannot be told from others; name the language by a column") from None


@cache
def _other(language: str) -> frozenset[str]:
    """Return words that speak against a language in short texts: function words of others."""
    return frozenset(row["word"] for row in read_table(language, "function_words") if row["kind"] == "other")


def share_of_function_words(text: str, language: str) -> tuple[float, int]:
    """Return the weighted share of function words of a language, and how many words were looked at.

    Raises:
        UsageError: there is no table for the language.
    """
    weights = _weights(language)
    words = [word.lower().replace("’", "'") for word, _ in zip(_WORD.findall(text), range(MOST_WORDS), strict=False)]
    return (sum(weights.get(word, 0.0) for word in words) / len(words) if words else 0.0), len(words)


def is_language(text: str, language: str) -> bool:
    """Return True if a text is in a language; in doubt it is not, so that it stays as it is.

    Up to five words say little (*He likes high stakes.*). If none of them is a function word of another language, a
    share of 0.05, one word that is known in other languages too, is enough; with letters beyond ASCII it is 0.15.

    Args:
        text: a line, a document, a field.
        language: code, ``en``.

    Raises:
        UsageError: there is no table for the language.
    """
    share, count = share_of_function_words(text, language)
    if count > SHORT:
        return share >= SHARE
    words = _WORD.findall(text)
    if any(word.lower() in _other(language) for word in words):
        return False
    return share >= (SHORT_SHARE if "".join(words).replace("’", "").isascii() else SHORT_SHARE_OTHER_LETTERS)


def likeliest_language(text: str, languages: Iterable[str]) -> str | None:
    """Return the language of several that a text is in, None where it is in none of them.

    Args:
        text: a line, a document, a field.
        languages: codes; where two fit equally well, the first.

    Raises:
        UsageError: there is no table for a language.
    """
    fitting = [code for code in languages if is_language(text, code)]
    return max(fitting, key=lambda code: share_of_function_words(text, code)[0], default=None)


def names_language(value: str, language: str) -> bool:
    """Return True if the value of a language column (``en``, ``en-GB``, ``eng``, ``English``) means a language."""
    first = re.split(r"[-_]", value.strip().lower(), maxsplit=1)[0]
    return first in (language, *profile(language).names)


@dataclass(frozen=True)
class LanguageSelector:
    """Tells which texts of a corpus are in a language (see :data:`rewriter.corpus.engine.Selector`).

    Attributes:
        language: code of the rewriter's language.
        detect: look at texts for which no column names a language; otherwise those are not taken.
    """

    language: str
    detect: bool = False

    def __post_init__(self) -> None:
        if self.detect:
            _weights(self.language)

    def __call__(self, contents: Sequence[Content]) -> list[bool]:
        """Return for every text whether it is in the language."""
        return [self._takes(content) for content in contents]

    def _takes(self, content: Content) -> bool:
        if content.language and content.language.strip():
            return names_language(content.language, self.language)
        return self.detect and is_language(content.text, self.language)

    def identity(self) -> dict[str, Any]:
        """Return what the choice depends on as JSON values, for manifests."""
        return {"language": self.language, "detect": self.detect}
