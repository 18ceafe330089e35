"""Whether an answer still says what its sentence says: length, coverage, repetitions. Knows no language.

A network that writes a sentence anew fails in a few ways that nobody has to read to see (Tu et al. 2016, section 1, of
translation: words that are left out and words that come twice). Such an answer is worth less than the sentence itself.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

TOO_SHORT = "the answer is too short"
TOO_LONG = "the answer is too long"
LOST = "the answer leaves out words"
REPEATED = "the answer repeats words"
CHANGED_SIGN = "the answer changes a number, an address or a name of a user"
#: every reason that :func:`fault` gives
FAULTS = (TOO_SHORT, TOO_LONG, LOST, REPEATED, CHANGED_SIGN)

_WORD = re.compile(r"\w+")
#: what is copied or wrong: whatever holds a digit or an @, or is an address
_EXACT = re.compile(r"\S*(?:[0-9@]|://|www\.)\S*")
#: words in a row that no rewriting takes away at once
_LONGEST_LOSS = 5
_SEQUENCE = 3
#: how often more than in the sentence a sequence of words may stand in the answer
_MOST_REPEATED = 1


def fault(source: str, answer: str) -> str:
    """Return why an answer must not stand for its sentence, one of :data:`FAULTS`, or an empty string.

    Args:
        source: the sentence.
        answer: what was written in its place.
    """
    words, answered = _words(source), _words(answer)
    # a pair form doubles a noun with its article, a star form cuts words in two
    if len(answered) > 2 * len(words) + 6:
        return TOO_LONG
    if 2 * len(answered) < len(words) - 2:
        return TOO_SHORT
    if Counter(_EXACT.findall(source)) - Counter(_EXACT.findall(answer)):
        return CHANGED_SIGN
    if _longest_loss(words, answered) >= _LONGEST_LOSS:
        return LOST
    more = _sequences(answered) - _sequences(words)
    return REPEATED if more and max(more.values()) > _MOST_REPEATED else ""


def _words(text: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(text)]


def _longest_loss(words: Sequence[str], answered: Sequence[str]) -> int:
    """Return how many words in a row stand in the source and are used up, or missing, in the answer."""
    left = Counter(answered)
    longest = current = 0
    for word in words:
        current = 0 if left[word] else current + 1
        left[word] -= 1
        longest = max(longest, current)
    return longest


def _sequences(words: Sequence[str]) -> Counter[tuple[str, ...]]:
    return Counter(zip(*(words[n:] for n in range(_SEQUENCE)), strict=False))
