"""Source code and configuration: comments and docstrings are text, everything else is left alone.

A file is one record. Its text is the file with spaces in the place of all code, so that lines and columns stay what
they are; what comes back is put over the file line by line.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from rewriter.errors import InputError
from rewriter.formats.base import RECORD_BYTES, Content, FormatName, RawLine, RawRecord, RecordError, not_utf8
from rewriter.formats.base import split_bom as split_mark
from rewriter.formats.text import cut_lines, encode
from rewriter.io.files import read_blocks

_STRING = r""""(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'"""
_TRIPLE = r"\"\"\"(?:[^\\]|\\.)*?\"\"\"|'''(?:[^\\]|\\.)*?'''"
_BLOCK = r"(?P<text>/\*(?s:.*?)\*/)"
#: comment syntax -> pattern whose group ``text`` is a comment or docstring; what else it finds is a string
_SYNTAX = {
    "python": re.compile(
        rf"(?P<text>(?m:^)[ \t]*[rRuU]?(?:{_TRIPLE}))|[rRbBfFuU]*(?:{_TRIPLE}|{_STRING})|(?P<line>#[^\n]*)"
    ),
    "hash": re.compile(rf"{_STRING}|(?P<line>(?:(?<=\s)|(?<![^\n]))#(?!!)[^\n]*)"),
    "slash": re.compile(rf"{_STRING}|`(?:[^`\\]|\\.)*`|{_BLOCK}|(?P<line>//[^\n]*)"),
    "block": re.compile(rf"{_STRING}|{_BLOCK}"),
    "dash": re.compile(rf"{_STRING}|(?P<line>--[^\n]*)"),
    "semicolon": re.compile(r'"(?:[^"\\]|\\.)*"|(?P<line>;[^\n]*)'),
    # data, or comments of a kind of its own
    "none": re.compile(r"(?!)"),
}
_SUFFIXES = {
    "python": ".py .pyi",
    "hash": ".sh .bash .zsh .rb .pl .pm .r .jl .ps1 .tcl .awk .yaml .yml .toml .cfg .tf .ex .exs .mk .cmake",
    "slash": ".js .jsx .mjs .cjs .ts .tsx .c .h .cc .cpp .cxx .hh .hpp .java .go .rs .cs .swift .kt .kts .scala .php "
    ".dart .groovy .proto .scss .less",
    "block": ".css",
    "dash": ".sql .lua .hs .elm .adb .ads .vhd",
    "semicolon": ".lisp .el .clj .cljs .scm .rkt .asm .s .ini",
    "none": ".xml .ipynb .vue .ml .mli .vim .bat",
}
#: suffix -> comment syntax
CODE_SUFFIXES = {suffix: syntax for syntax, suffixes in _SUFFIXES.items() for suffix in suffixes.split()}
#: marks of a comment at the beginning of a line and at its end
_MARKS = re.compile(r"""(?m:^[ \t]*(?:/?\*+!?(?!/)|[rRuU]?(?:\"\"\"|''')))|\*+/$|(?:\"\"\"|''')$""")
_LINE_MARKS = re.compile(r"(?:#+:?|/{2,}!?|-{2,}|;+)")
#: a string at the beginning of a line is no docstring behind these
_GOES_ON = ("(", ",", "=", "+", "[", "{", "\\", "return", "%")


@dataclass(frozen=True)
class CodeFile:
    """A file of source code as one record.

    Attributes:
        syntax: of its comments, a value of :data:`CODE_SUFFIXES`.
        comments: whether comments and docstrings are its text; otherwise it has none.
        source: name of the file, for messages.
        limit: most bytes of a file.
    """

    syntax: str
    comments: bool
    source: str = "input"
    limit: int = RECORD_BYTES
    name: FormatName = "txt"
    one_line: bool = False
    raw_gate_safe: bool = True

    def records(self, lines: Iterable[RawLine]) -> Iterator[RawRecord]:
        """Return the whole file.

        Raises:
            InputError: it is larger than the limit.
        """
        data = b"".join(self._within_limit(line.data for line in lines))
        if data:
            yield RawRecord(1, data)

    def _within_limit(self, lines: Iterable[bytes]) -> Iterator[bytes]:
        size = 0
        for line in lines:
            size += len(line)
            if size > self.limit:
                raise InputError(f"{self.source}: larger than {self.limit >> 20} MB, too much for one file of code")
            yield line

    def contents(self, record: RawRecord) -> list[Content]:
        """Return the comments and docstrings, spaces in the place of code.

        Raises:
            RecordError: the file is not UTF-8.
        """
        if not self.comments:
            return []
        text = self._text(record)
        shown = masked(text, self.syntax)
        return [Content(shown)] if shown.strip() else []

    def replace(self, record: RawRecord, changes: Sequence[tuple[Content, str]]) -> bytes:
        """Return the file with other comments.

        Raises:
            RecordError: the new text has other lines, or differs where code stands.
        """
        text = self._text(record)
        for content, new in changes:
            text = _laid_over(text, content.text, new)
        return split_mark(record)[0] + encode(text)

    def _text(self, record: RawRecord) -> str:
        try:
            return split_mark(record)[1].decode("utf-8")
        except UnicodeDecodeError as error:
            raise RecordError(not_utf8(error)) from None

    def cut(self, path: str | Path, *, lines: int, size: int) -> Iterator[tuple[int, int, int]]:
        """Cut nowhere; see :meth:`rewriter.formats.base.RecordFormat.cut`."""
        yield from cut_lines(read_blocks(path), lines=1 << 62, size=1 << 62)


def masked(text: str, syntax: str) -> str:
    """Return a text with spaces in the place of all that is no comment or docstring; line ends stay.

    Of several comments in a line the first counts.

    Args:
        text: of the file.
        syntax: of its comments.
    """
    shown = re.sub(r"[^\r\n]", " ", text)
    parts: list[str] = []
    position = line_end = 0
    for match in _SYNTAX[syntax].finditer(text):
        kind = match.lastgroup
        if kind is None or match.start() < line_end or (kind == "text" and not _is_text(text, match, syntax)):
            continue
        parts += [shown[position : match.start()], _without_marks(match.group(), is_line=kind == "line")]
        position = match.end()
        line_end = text.find("\n", position)
        line_end = len(text) if line_end < 0 else line_end
    return "".join(parts) + shown[position:]


def _is_text(text: str, match: re.Match[str], syntax: str) -> bool:
    """Return True if a string that begins a line is a docstring, and no argument or value; a comment always is text."""
    if syntax != "python":
        return True
    before = text[: match.start()].rstrip()
    behind = text[match.end() : match.end() + 80].split("\n", 1)[0]
    return not before.endswith(_GOES_ON) and not behind.strip()


def _without_marks(comment: str, *, is_line: bool) -> str:
    """Return a comment with spaces in the place of its marks."""
    blank = lambda match: " " * len(match.group())  # noqa: E731
    return _LINE_MARKS.sub(blank, comment, count=1) if is_line else _MARKS.sub(blank, comment)


def _laid_over(text: str, shown: str, new: str) -> str:
    """Return a text with the lines of ``new`` in the place of what was shown of it."""
    lines, old_lines, new_lines = (part.split("\n") for part in (text, shown, new))
    if not len(lines) == len(old_lines) == len(new_lines):
        raise RecordError("a line more or less after rewriting")
    return "\n".join(map(_line_over, lines, old_lines, new_lines))


def _line_over(line: str, old: str, new: str) -> str:
    if old == new:
        return line
    start, end = len(old) - len(old.lstrip()), len(old) - len(old.rstrip())
    if new[:start].strip() or len(new) < start + end or (end and new[-end:].strip()):
        raise RecordError("the new text differs where code stands")
    return line[:start] + new[start : len(new) - end] + line[len(line) - end :]
