"""What differs between two texts, word by word: changes of words and phrases, and of the endings of words.

Knows no language. The alignment is one of words (:class:`difflib.SequenceMatcher`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

#: words on one side of a change
MOST_WORDS = 6
#: letters that must stay before an ending
_LEAST_STEM = 3
#: what no word holds: white space and punctuation; marks that combine with letters belong to the word
_LETTER = r"[^\s\x00-\x2f:-@\[-`{-\xbf\u2010-\u206f\u3000-\u303f]"
#: words with what gender-fair forms hold inside (*Lehrer/-in*, *Lehrer(in)*, *étudiant·e*); else single characters
_WORD = re.compile(rf"{_LETTER}+(?:(?:/-|[*:_/’'·•@.-]){_LETTER}+|\({_LETTER}+\))*|\S")


class Word(NamedTuple):
    """A word and where it stands in its text."""

    start: int
    end: int
    text: str


class Change(NamedTuple):
    """Words and what stands in their place.

    Attributes:
        before: in lower case, with one space between words.
        after: the same.
        same_case: both begin with a capital, or neither does.
    """

    before: str
    after: str
    same_case: bool


class Ending(NamedTuple):
    """The end of words and what stands in its place.

    Attributes:
        before: letters, maybe none.
        after: letters, maybe none.
        capital: of words that begin with a capital.
    """

    before: str
    after: str
    capital: bool


#: where it begins in the text, words of the one side, words of the other
Difference = tuple[int, Sequence[Word], Sequence[Word]]


def words_of(text: str) -> list[Word]:
    """Return the words of a text, and its other characters, one by one."""
    return [Word(*match.span(), match.group()) for match in _WORD.finditer(text)]


def differences(words: Sequence[Word], answered: Sequence[Word]) -> Iterator[Difference]:
    """Yield the runs of words that are not the same on both sides, with the offset in the text where each begins.

    Where words were only put in or lost, the words beside them belong to the run: *Lehrer* became *Lehrer und
    Lehrerinnen*, not nothing *und Lehrerinnen*.
    """
    matcher = SequenceMatcher(None, [w.text for w in words], [w.text for w in answered], autojunk=False)
    until = (0, 0)  # where the last run ended, on both sides
    for kind, begin, end, first, last in matcher.get_opcodes():
        if kind == "equal":
            continue
        if kind != "replace":
            if begin > until[0] and first > until[1]:
                begin, first = begin - 1, first - 1
            if end < len(words) and last < len(answered):
                end, last = end + 1, last + 1
        begin, first = max(begin, until[0]), max(first, until[1])
        until = end, last
        yield (words[begin - 1].end if begin else 0), words[begin:end], answered[first:last]


def change_of(before: Sequence[str], after: Sequence[str]) -> Change:
    """Return words and what stands in their place, neither of them empty, as a change."""
    same = before[0][:1].isupper() == after[0][:1].isupper()
    return Change(" ".join(before).lower(), " ".join(after).lower(), same)


def ending_of(before: str, after: str) -> Ending | None:
    """Return what differs behind the letters that both begin with.

    None where these are too few, or where the word is no plain one: a number, a name with capitals inside.
    """
    shorter = min(len(before), len(after))
    same = next((n for n in range(shorter) if before[n] != after[n]), shorter)
    is_plain = not any(character.isdigit() or character.isupper() for character in before[1:])
    return Ending(before[same:], after[same:], before[0].isupper()) if same >= _LEAST_STEM and is_plain else None
