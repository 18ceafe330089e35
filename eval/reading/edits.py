"""Edits of whole words, so that what a system did and what it should have done can be held against each other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from eval.edit_kinds import ReferringKind, edit_kinds
from eval.reading.gold import word_edits
from rewriter.records import Edit

#: kinds of edits to words that refer to somebody; reported on their own, since reading decides them
REFERRING = ("pronoun", "possessive", "relative")
#: kind of an edit to any other word
OTHER = "other"


@dataclass(frozen=True, slots=True)
class WordEdit:
    """One or more words that became something else; two are equal where place and text are, whatever their kind.

    Attributes:
        start: offset of the first character in the sentence.
        end: offset after the last one.
        after: what stands there now.
        kind: kind of the edit.
    """

    start: int
    end: int
    after: str
    kind: str = field(default=OTHER, compare=False)

    def touches(self, start: int, end: int) -> bool:
        """Return True if the edit and the span share a character, or begin at the same place."""
        return (self.start < end and start < self.end) or self.start == start


def whole_words(source: str, target: str) -> list[tuple[int, int, str]]:
    """Return the edits (start, end, new text) that make ``target`` of ``source``, each widened to the words it touches.

    :func:`eval.reading.gold.word_edits` inserts ``*in`` after *Lehrer*; here *Lehrer* becomes *Lehrer\\*in*.
    """
    found: list[tuple[int, int, str]] = []
    for start, end, after in word_edits(source, target):
        if start == end and after:
            left, right = _touched(source, start, after)
            start, end, after = start - len(left), end + len(right), left + after + right
        if found and start < found[-1][1]:
            # both sides of one word: the second replaces the end of the first, which holds the word already
            first, last, before = found.pop()
            shared = source[start:last]
            start, after = first, before.removesuffix(shared) + after
            end = max(end, last)
        found.append((start, end, after))
    return found


def _touched(source: str, at: int, after: str) -> tuple[str, str]:
    """Return the letters before and after a place that an insertion there joins."""
    left = right = at
    while not after[0].isspace() and left and source[left - 1].isalnum():
        left -= 1
    while not after[-1].isspace() and right < len(source) and source[right].isalnum():
        right += 1
    return source[left:at], source[at:right]


def edits_between(
    source: str, target: str, *, referring: ReferringKind, made: Sequence[Edit] = ()
) -> tuple[WordEdit, ...]:
    """Return the edits that make ``target`` of ``source`` with their kinds.

    Args:
        source: the sentence.
        target: what became of it.
        referring: names the kind of a word that refers to somebody.
        made: what a system says that it did, with offsets in the sentence; an edit has the kind that the system gives
            it (of several the first that is one of :data:`REFERRING`), and only where there is none that of its word.
    """
    return tuple(
        WordEdit(start, end, after, _kind(source, start, end, made, referring))
        for start, end, after in whole_words(source, target)
    )


def _kind(source: str, start: int, end: int, made: Iterable[Edit], referring: ReferringKind) -> str:
    kinds = [e.kind for e in made if e.kind and ((e.start < end and start < e.end) or e.start == start)]
    named = next((kind for kind in kinds if kind in REFERRING), None)
    if named is None and not kinds:
        named = referring(source, start, end)
    return named or (kinds[0] if kinds else OTHER)


def referring_of(lang: str) -> ReferringKind:
    """Return what names the referring words of a language (``referring`` in ``eval/<code>/kinds.py``).

    A language without it has none.
    """
    return edit_kinds(lang).referring


def edits_within(edits: Iterable[Edit], start: int, end: int) -> Iterator[Edit]:
    """Yield the edits of a line that fall into a span, with offsets in it; one across its border is cut there."""
    for edit in edits:
        inside = start <= edit.start < end if edit.start == edit.end else edit.start < end and start < edit.end
        if inside:
            first, last = max(edit.start, start), min(edit.end, end)
            before = edit.before[first - edit.start : len(edit.before) - (edit.end - last)]
            yield Edit(first - start, last - start, before, edit.after, edit.kind, edit.reason, edit.score)
