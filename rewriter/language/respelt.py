"""A sentence in plain spelling, where its text is written in another one, and the way back of its edits.

What a language reads is plain (*Schüler*), what stands in the text need not be (*Sch&uuml;ler*, *Schue-⏎ler*). The
edits of the plain sentence are moved to the text, and what they write is written as the text does it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from rewriter.records import Edit

#: (start, end, plain): what a span of the text is in plain spelling
Change = tuple[int, int, str]


@dataclass(frozen=True)
class Respelt:
    """A sentence in plain spelling.

    Attributes:
        source: as it stands in the text.
        changes: spans of it and what they are in plain spelling, in order.
        written: returns plain words as the text would write them.
    """

    source: str
    changes: tuple[Change, ...]
    written: Callable[[str], str]

    @property
    def text(self) -> str:
        """The sentence in plain spelling."""
        parts, at = [], 0
        for start, end, plain in self.changes:
            parts += [self.source[at:start], plain]
            at = end
        return "".join(parts) + self.source[at:]

    def protected(self, spans: Sequence[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
        """Return spans of the source as spans of the plain sentence."""
        return tuple((self._plain(start), self._plain(end)) for start, end in spans)

    def edits(self, edits: Iterable[Edit]) -> list[Edit]:
        """Return the edits of the plain sentence as edits of the source; none where one of them cannot be written."""
        found = [self._edit(edit) for edit in edits]
        return [] if None in found else [edit for edit in found if edit is not None]

    def _plain(self, offset: int) -> int:
        shift = 0
        for start, end, plain in self.changes:
            if end > offset:
                return min(offset, start) + shift
            shift += len(plain) - (end - start)
        return offset + shift

    def _edit(self, edit: Edit) -> Edit | None:
        """Return an edit of the source; an edit that ends within what is spelt differently has none."""
        shift, after = 0, self.written(edit.after)
        start = end = -1
        for first, last, plain in self.changes:
            begin = first + shift
            if not plain and edit.start < begin < edit.end:  # what is left out stands in the same place of the new word
                kept = self.written(edit.before[: begin - edit.start])
                if not after.startswith(kept):
                    return None
                after = kept + self.source[first:last] + after[len(kept) :]
            if begin < edit.start < begin + len(plain) or begin < edit.end < begin + len(plain):
                return None
            if start < 0 and edit.start <= begin and (plain or edit.start < begin):
                start = edit.start - shift
            if end < 0 and edit.end <= begin:
                end = edit.end - shift
            shift += len(plain) - (last - first)
        start = edit.start - shift if start < 0 else start
        end = edit.end - shift if end < 0 else end
        return replace(edit, start=start, end=end, before=self.source[start:end], after=after)
