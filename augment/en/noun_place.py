"""A word of the swap tables where it stands: what is before and behind it, as the rules ask."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import NamedTuple

from rewriter.en.names import is_organisation_word

#: titles behind which a full stop ends no sentence
_DOTTED_TITLES = frozenset({"mr", "mrs", "ms"})
#: titles that stand before a name
_BEFORE_NAMES = frozenset({"mr", "mrs", "ms", "miss", "mister", "dame", "count", "countess"})
#: words of address, which are titles before names and offices
_ADDRESSES = frozenset({"sir", "madam", "ma'am", "maam"})
_CAPITAL = re.compile(r"(?:['’]s)?[ \t]+([^\W\d_a-z][^\W\d_]*)")
_WORD_BEFORE = re.compile(r"([^\W\d_]+)(?:['’]s)?\s+$")
_WORD_AFTER = re.compile(r"\s+([^\W\d_]+)")
_BEGINS = re.compile(r"(?:^|[.!?:;…•|\n“”\"«(]|[-*–—]\s)[\s\"“‘'(*_]*$")


class Partner(NamedTuple):
    """What a word is turned to.

    Attributes:
        word: the counterpart.
        kind: ``noun`` or ``title``.
        end: offset behind what is turned.
    """

    word: str
    kind: str
    end: int


@dataclass(slots=True)
class NounPlace:
    """A word of the table where it stands.

    Attributes:
        text: the whole text.
        lower: the same in lower case, as long.
        start: offset of the word.
        end: behind it.
        words: the table, word -> (counterpart, kind).
        names: given names in lower case, behind which a capitalised noun is a surname (*Stephen King*).
        surface: the word as it is written.
        norm: the word in lower case, as the table has it.
    """

    text: str
    lower: str
    start: int
    end: int
    words: dict[str, tuple[str, str]]
    names: Collection[str]

    surface: str = field(init=False)
    norm: str = field(init=False)

    def __post_init__(self) -> None:
        self.surface = self.text[self.start : self.end]
        self.norm = re.sub(r"\s+", " ", self.lower[self.start : self.end])

    @property
    def is_capital(self) -> bool:
        """Whether it begins with a capital."""
        return self.surface[:1].isupper()

    @property
    def is_title(self) -> bool:
        """Whether it is a title that stands before names."""
        return self.norm in _BEFORE_NAMES and self.words[self.norm][1] == "title"

    @property
    def is_address(self) -> bool:
        """Whether it is *sir* or *madam*."""
        return self.norm in _ADDRESSES

    @property
    def begins(self) -> bool:
        """Whether a sentence, a line or speech begins with it."""
        return opens(self.text, self.start)

    def before(self) -> str:
        """Return the word before it in lower case, or an empty string."""
        found = _WORD_BEFORE.search(self.lower, max(0, self.start - 24), self.start)
        return found[1] if found else ""

    def before_as_written(self) -> str:
        """Return the word before it, or an empty string."""
        found = _WORD_BEFORE.search(self.text, max(0, self.start - 24), self.start)
        return found[1] if found else ""

    def after(self) -> str:
        """Return the word behind it in lower case, or an empty string."""
        found = _WORD_AFTER.match(self.lower, self.end)
        return found[1] if found else ""

    def next_capital(self) -> str:
        """Return the capitalised word right behind it (and behind the full stop of *Mr.*), or an empty string."""
        end = self.end + (self.norm in _DOTTED_TITLES and self.text[self.end : self.end + 1] == ".")
        found = _CAPITAL.match(self.text, end)
        return found[1] if found else ""

    def precedes_name(self) -> bool:
        """Return True if a name stands behind it."""
        following = self.next_capital()
        if not following or is_organisation_word(following.lower()):
            return False
        return (following.lower() not in ("and", "or", "of") and not following.isupper()) or self.surface.isupper()


def opens(text: str, start: int) -> bool:
    """Return True if a sentence, a line or speech begins at an offset of a text."""
    return _BEGINS.search(text, max(0, start - 8), start) is not None


def line_at(text: str, offset: int) -> str:
    """Return the line of a text in which an offset lies."""
    return text[text.rfind("\n", 0, offset) + 1 : (text.find("\n", offset) + 1 or len(text) + 1) - 1]


def is_capitalised_line(line: str) -> bool:
    """Return True if most longer words of a line have a capital, as in headlines."""
    words = list(re.findall(r"[^\W\d_]{4,}", line))
    return len(words) > 3 and sum(word[0].isupper() for word in words) > 0.7 * len(words)
