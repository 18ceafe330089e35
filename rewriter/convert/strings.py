"""Strings of a file as they are read and as they stand there, so that an edit touches only the bytes that it must.

Each character of a string knows its place in the file: escapes (``\\u00fc``, ``&amp;``), quotation marks between the
lines of a PO entry, and tags within an XLIFF segment lie between places and stay.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from rewriter.records import Edit
from rewriter.text.offsets import Span

#: stands in a text for a tag that is part of no word
TAG = "\ufffc"


def as_it_is(text: str) -> str:
    """Return the text: nothing is escaped."""
    return text


@dataclass
class FileString:
    """A string of a file.

    Attributes:
        text: as it is read.
        places: per character of the text the span of the file that it stands for.
        escape: writes new text as the string's place in the file needs it.
    """

    text: str = ""
    places: list[Span] = field(default_factory=list)
    escape: Callable[[str], str] = as_it_is

    def add(self, parts: Iterable[tuple[str, int, int]]) -> None:
        """Append characters: each with the beginning and the end of its place."""
        for char, start, end in parts:
            self.text += char
            self.places.append((start, end))

    @property
    def start(self) -> int:
        """Offset in the file of the first character."""
        return self.places[0][0] if self.places else 0


def plain(data: str, start: int, end: int) -> Iterator[tuple[str, int, int]]:
    """Yield the characters of a span of a file that hold no escapes."""
    return ((data[at], at, at + 1) for at in range(start, end))


def replaced(data: str, changes: Sequence[tuple[FileString, Sequence[Edit]]]) -> str:
    """Return a file with the edits of its strings.

    Args:
        data: the file.
        changes: strings and the edits of their texts.
    """
    spans = [change for string, edits in changes for edit in edits for change in _in_file(string, edit)]
    parts, at = [], 0
    for start, end, after in sorted(spans):
        parts += [data[at:start], after]
        at = end
    return "".join(parts) + data[at:]


def _common(one: str, other: str) -> int:
    """Return how many characters two texts begin with in common."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))


def _in_file(string: FileString, edit: Edit) -> Iterator[tuple[int, int, str]]:
    """Yield what an edit replaces in the file; where its span is cut (a PO line ends), the first part gets the text."""
    same = _common(edit.before, edit.after)  # what stays keeps its escapes
    tail = _common(edit.before[same:][::-1], edit.after[same:][::-1])
    places = string.places[edit.start + same : edit.end - tail]
    after = string.escape(edit.after[same : len(edit.after) - tail])
    if not places:
        at = string.places[edit.start + same - 1][1] if same else string.places[edit.start][0]
        yield at, at, after
        return
    start, end = places[0]
    for first, last in places[1:]:
        if first != end:
            yield start, end, after
            start, after = first, ""
        end = last
    yield start, end, after
