"""Offsets of a part of a text and of the whole: spans cut to the part, edits moved back into the whole."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from operator import itemgetter

from rewriter.records import Edit

__all__ = ["joined", "moved", "within"]

Span = tuple[int, int]


def within(spans: Sequence[Span], start: int, end: int) -> tuple[Span, ...]:
    """Return what of ``spans`` (in order, no overlaps) lies between two offsets, relative to the first."""
    first = bisect_right(spans, start, key=itemgetter(1))
    last = bisect_left(spans, end, key=itemgetter(0))
    return tuple((max(a, start) - start, min(b, end) - start) for a, b in spans[first:last])


def joined(spans: Iterable[Span]) -> list[Span]:
    """Return spans in order, those that overlap joined."""
    found: list[Span] = []
    for start, end in sorted(spans):
        if found and start < found[-1][1]:
            found[-1] = found[-1][0], max(end, found[-1][1])
        else:
            found.append((start, end))
    return found


def moved(edit: Edit, offset: int) -> Edit:
    """Return an edit of a part as one of the whole, in which the part begins at ``offset``."""
    return Edit(edit.start + offset, edit.end + offset, edit.before, edit.after, edit.kind, edit.reason, edit.score)
