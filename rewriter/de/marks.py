"""Marks that stand between the words of a German noun phrase and are no part of it.

Tags (*Der <b>Kunde</b>*), emphasis (*Unsere **Beraterin***), quotation marks (*einen „Verräter“*) and the brackets of
links (*die [Autorin](https://example.org)*) do not end a phrase.
"""

from __future__ import annotations

from bisect import bisect_right

from rewriter.de.sentence import Sentence

MARKS = frozenset("* _ ~ „ “ ” \" » « › ‹ ‚ ‘ ' [ ]".split())


def before_marks(sentence: Sentence, at: int) -> int:
    """Return the first token at ``at`` or to its left that is no mark within a phrase.

    Args:
        sentence: that holds the token.
        at: a token, -1 in front of the sentence.
    """
    while at > 0:
        if sentence.norms[at] in MARKS:
            if not _is_outer(sentence, at):
                return at
            at -= 1
            continue
        before = _before_tag(sentence, at)
        if before == at:
            return at
        at = before
    return at


def _is_outer(sentence: Sentence, at: int) -> bool:
    """Return True if a mark opens or closes something: on one side it, or the marks beside it, touch nothing."""
    start, end, text = sentence.tokens[at].start, sentence.tokens[at].end, sentence.text
    while start > 0 and text[start - 1] in MARKS:
        start -= 1
    while end < len(text) and text[end] in MARKS:
        end += 1
    before, after = text[start - 1 : start].isalnum(), text[end : end + 1].isalnum()
    return before != after


def _before_tag(sentence: Sentence, at: int) -> int:
    """Return the last token before the tag that a token is part of, the token itself where it is part of none."""
    if not sentence.protected:
        return at
    offset = sentence.tokens[at].start
    place = bisect_right(sentence.protected, (offset, 1 << 60)) - 1
    if place < 0:
        return at
    start, end = sentence.protected[place]
    if offset >= end or sentence.text[start] != "<" or sentence.text[end - 1] != ">":
        return at
    while at >= 0 and sentence.tokens[at].start >= start:
        at -= 1
    return at
