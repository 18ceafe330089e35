r"""JSON lines: a record per line; in a changed record only the string literals of the texts are written anew.

A record is checked and read with :mod:`json`. Where its texts stand is looked up only when one of them changes, by a
scanner that knows the spans of values; so the order of keys, duplicate keys, numbers of any length, white space and
line ends stay as they are. A new literal is written in the style of the old one: characters that were escaped there
(``\u2019``, ``\/``) are escaped in the same way, others where JSON demands it, and all that are not ASCII if the record
(or, where it cannot tell, the file) writes them so.
"""

from __future__ import annotations

import codecs
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from rewriter.errors import UsageError
from rewriter.formats.base import Content, FormatName, RawLine, RawRecord, RecordError, not_utf8, split_bom
from rewriter.formats.text import cut_lines
from rewriter.io.files import read_blocks

#: way to a text: keys (or numbers of elements); None stands for all elements of a list
KeyPath = tuple[str | None, ...]

_SPACE = re.compile(rb"[ \t\n\r]*")
_STRING = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"', re.DOTALL)
_SCALAR = re.compile(rb"[^ \t\n\r,\]}]+")
_NESTING = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"|[\[\]{}]', re.DOTALL)
_ESCAPE = re.compile(rb"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\[^u]", re.DOTALL)
_ESCAPED_OTHER = re.compile(rb"(?<!\\)(?:\\\\)*\\u(?!00[0-7])[0-9a-fA-F]{4}")
_NOT_ASCII = re.compile(rb"[\x80-\xff]")
_SHORT = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
# Numbers are not looked at, only told from texts; their length costs less than their value, which may have no limit.
_DECODER = json.JSONDecoder(parse_int=len, parse_float=len)
_SCAN: Callable[[str, int], tuple[Any, int]] = vars(_DECODER)["scan_once"]


class _Number(NamedTuple):
    """A number as it stands there, where a column that tells about records may hold one."""

    digits: str


_KEY_DECODER = json.JSONDecoder(parse_int=_Number, parse_float=_Number)


@dataclass(frozen=True)
class JsonLines:
    """JSON lines.

    Attributes:
        columns: parsed paths of the texts (:func:`parse_path`).
        language: path of the language.
        ascii: whether a record that does not show it writes other characters than ASCII as ``\\u`` escapes.
    """

    columns: tuple[KeyPath, ...]
    language: KeyPath | None = None
    ascii: bool = False
    name: FormatName = "jsonl"
    one_line: bool = True
    raw_gate_safe: bool = False

    def records(self, lines: Iterable[RawLine]) -> Iterator[RawRecord]:
        """Return the lines: each is a record."""
        return iter(lines)

    def contents(self, record: RawRecord) -> list[Content]:
        """Return the texts under the columns; none for a blank line or where null stands.

        Raises:
            RecordError: it is not UTF-8, not JSON, no object, has no such key, or something else than text is there.
        """
        number, data = record
        try:
            text = (split_bom(record)[1] if number == 1 else data).decode("utf-8")
        except UnicodeDecodeError as error:
            raise RecordError(not_utf8(error, len(data) - len(error.object))) from None
        if not text or text.isspace():
            return []
        value = _decode(text, numbers=self.language is not None)
        if type(value) is not dict:
            raise RecordError(f"{_kind(value)} where a JSON object is expected")
        path = self.columns[0]
        if len(path) == 1 and len(self.columns) == 1 and self.language is None:
            found = value.get(path[0])
            if type(found) is str:  # what most records are
                return [Content(found)]
        language = None if self.language is None else _language(value, self.language)
        texts = [text for path in self.columns for text in _texts(value, path, path)]
        return [Content(text, language, place) for place, text in enumerate(texts)]

    def replace(self, record: RawRecord, changes: Sequence[tuple[Content, str]]) -> bytes:
        """Return the record with other texts in some literals.

        Raises:
            RecordError: two columns name the same text.
        """
        changed = [(content, text) for content, text in changes if text != content.text]
        if not changed:
            return record.data
        data = record.data
        start = len(split_bom(record)[0])
        spans = [span for path in self.columns for span in _spans(data, _after_space(data, start), path)]
        by_span = sorted((spans[content.place], content, text) for content, text in changed)
        parts, done = [], 0
        for (begin, end), content, text in by_span:
            if begin < done or json.loads(data[begin:end]) != content.text:
                raise RecordError("two columns name the same text")
            parts += [data[done:begin], self._literal(data[begin:end], text, data)]
            done = end
        return b"".join([*parts, data[done:]])

    def _literal(self, old: bytes, text: str, data: bytes) -> bytes:
        forms = _forms(old)
        plain = _NOT_ASCII.search(data, len(codecs.BOM_UTF8) if data.startswith(codecs.BOM_UTF8) else 0) is not None
        only_ascii = not plain and (self.ascii or _ESCAPED_OTHER.search(data) is not None)
        digits = "".join(form[2:] for form in forms.values() if form.startswith("\\u"))
        return write_literal(text, forms, only_ascii=only_ascii, upper=digits != digits.lower())

    def cut(self, path: str | Path, *, lines: int, size: int) -> Iterator[tuple[int, int, int]]:
        """Cut behind line ends; see :meth:`rewriter.formats.base.RecordFormat.cut`."""
        return cut_lines(read_blocks(path), lines=lines, size=size)


def parse_path(column: str) -> KeyPath:
    r"""Split the name of a column: ``meta.body``, ``messages.*.content``; ``\.``, ``\*`` and ``\\`` mean themselves.

    Raises:
        UsageError: a part is empty.
    """
    parts: list[str] = [""]
    for piece in re.findall(r"\\.|[^\\.]+|\.|\\", column, re.DOTALL):
        if piece == ".":
            parts.append("")
        else:
            parts[-1] += piece
    if not all(parts):
        raise UsageError(f"column {column!r}: an empty key; write \\. for a dot that belongs to a key")
    return tuple(None if part == "*" else re.sub(r"\\([.*\\])", r"\1", part) for part in parts)


def show_path(path: KeyPath) -> str:
    """Return the path as the user would write it."""
    return ".".join("*" if part is None else re.sub(r"([.\\]|^\*$)", r"\\\1", part) for part in path)


def writes_ascii(sample: bytes) -> bool:
    """Return whether JSON writes other characters than ASCII as escapes, as far as it shows."""
    return _NOT_ASCII.search(sample.removeprefix(codecs.BOM_UTF8)) is None and _ESCAPED_OTHER.search(sample) is not None


def _decode(text: str, *, numbers: bool = False) -> Any:
    """Return the value that ``text`` is.

    Args:
        text: a line.
        numbers: keep the digits of numbers (:class:`_Number`), which takes longer.

    Raises:
        RecordError: it is not JSON.
    """
    text = text.strip(" \t\r\n")
    try:
        if numbers:
            return _KEY_DECODER.decode(text)
        # Half of the time of JSONDecoder.decode() goes into looking for white space; it says what is wrong, though.
        value, end = _SCAN(text, 0)
        return value if end == len(text) else _DECODER.decode(text)
    except StopIteration as stop:
        raise RecordError(f"not JSON (no value at column {stop.value + 1})") from None
    except ValueError as error:
        where = f" at column {error.colno}" if isinstance(error, json.JSONDecodeError) else ""
        raise RecordError(f"not JSON ({getattr(error, 'msg', error)}{where})") from None
    except RecursionError:
        raise RecordError("JSON that is nested too deeply") from None


def _kind(value: Any) -> str:
    names = {dict: "an object", list: "a list", bool: "true or false", str: "a string", type(None): "null"}
    return names.get(type(value), "a number")


def _texts(value: Any, path: KeyPath, whole: KeyPath, *, loose: bool = False) -> Iterator[str]:
    """Yield the texts under a path; behind ``*`` what has another shape is passed over, elsewhere it is an error."""
    if value is None:
        return
    if not path:
        yield from _leaf(value, whole, loose)
        return
    part, rest = path[0], path[1:]
    if part is None:
        if isinstance(value, list):
            for item in value:
                yield from _texts(item, rest, whole, loose=True)
            return
    elif isinstance(value, dict):
        if part in value:
            yield from _texts(value[part], rest, whole, loose=loose)
            return
    elif isinstance(value, list) and part.isdecimal() and int(part) < len(value):
        yield from _texts(value[int(part)], rest, whole, loose=loose)
        return
    if not loose:
        raise RecordError(f"no '{show_path(whole)}'")


def _leaf(value: Any, whole: KeyPath, loose: bool) -> Iterator[str]:
    """Yield a text, or those of a list of texts."""
    items = value if isinstance(value, list) else [value]
    if all(item is None or isinstance(item, str) for item in items):
        yield from (item for item in items if item is not None)
    elif not loose:
        raise RecordError(f"'{show_path(whole)}' is {_kind(value)}, not a text")


def _language(value: Any, path: KeyPath) -> str | None:
    for part in path:
        value = value.get(part) if isinstance(value, dict) else None
    if isinstance(value, _Number):
        return value.digits
    return value if isinstance(value, str) else None


def _spans(data: bytes, start: int, path: KeyPath) -> Iterator[tuple[int, int]]:
    """Yield the spans of the string literals that :func:`_texts` gives for the same path, in the same order."""
    opening = data[start : start + 1]
    if not path:
        if opening == b'"':
            yield start, _value_end(data, start)
        elif opening == b"[":
            spans = list(_elements(data, start))
            # a list with anything else than texts is none of ours
            if all(data[begin : begin + 1] in (b'"', b"n") for begin, _ in spans):
                yield from (span for span in spans if data[span[0] : span[0] + 1] == b'"')
        return
    part, rest = path[0], path[1:]
    if opening == b"{" and part is not None:
        last = dict(_members(data, start))
        if part in last:
            yield from _spans(data, last[part], rest)
    elif opening == b"[":
        for number, (begin, _) in enumerate(_elements(data, start)):
            if part is None or (part.isdecimal() and int(part) == number):
                yield from _spans(data, begin, rest)


def _members(data: bytes, start: int) -> Iterator[tuple[str, int]]:
    """Yield (key, begin of the value) of the object that begins at ``start``."""
    at = _after_space(data, start + 1)
    while data[at : at + 1] == b'"':
        end = _value_end(data, at)
        key: str = json.loads(data[at:end])
        begin = _after_space(data, _after_space(data, end) + 1)
        yield key, begin
        at = _after_space(data, _value_end(data, begin))
        if data[at : at + 1] == b",":
            at = _after_space(data, at + 1)


def _elements(data: bytes, start: int) -> Iterator[tuple[int, int]]:
    """Yield the spans of the values in the list that begins at ``start``."""
    at = _after_space(data, start + 1)
    while data[at : at + 1] != b"]":
        end = _value_end(data, at)
        yield at, end
        at = _after_space(data, end)
        if data[at : at + 1] == b",":
            at = _after_space(data, at + 1)


def _after_space(data: bytes, at: int) -> int:
    found = _SPACE.match(data, at)
    assert found is not None
    return found.end()


def _value_end(data: bytes, start: int) -> int:
    """Return where the value ends that begins at ``start``; the JSON was checked before."""
    opening = data[start : start + 1]
    if opening in (b"{", b"["):
        depth = 0
        for token in _NESTING.finditer(data, start):
            mark = token.group()
            depth += mark in (b"{", b"[")
            depth -= mark in (b"}", b"]")
            if not depth:
                return token.end()
    found = (_STRING if opening == b'"' else _SCALAR).match(data, start)
    assert found is not None, "JSON that the decoder has read"
    return found.end()


def _forms(old: bytes) -> dict[str, str]:
    """Return how the literal escapes characters, without those that it writes plainly as often."""
    if b"\\" not in old:
        return {}
    found: dict[str, Counter[str]] = {}
    for escape, times in Counter(_ESCAPE.findall(old)).items():
        form = escape.decode("utf-8")
        found.setdefault(json.loads(f'"{form}"'), Counter())[form] = times
    plain = _ESCAPE.sub(b"", old[1:-1]).decode("utf-8")
    return {
        char: max(forms, key=forms.__getitem__) for char, forms in found.items() if forms.total() > plain.count(char)
    }


def write_literal(text: str, forms: dict[str, str], *, only_ascii: bool = False, upper: bool = False) -> bytes:
    r"""Return a JSON string literal.

    Args:
        text: what it says.
        forms: characters that are escaped in a certain way.
        only_ascii: escape all that is not ASCII.
        upper: write ``\u00E9``, not ``\u00e9``.
    """
    others = "\x80-\U0010ffff" if only_ascii else "\ud800-\udfff"

    def escape(match: re.Match[str]) -> str:
        char = match.group()
        form = forms.get(char) or _SHORT.get(char)
        if form is not None:
            return form
        units = char.encode("utf-16-be", "surrogatepass").hex()
        units = units.upper() if upper else units
        return "".join("\\u" + units[i : i + 4] for i in range(0, len(units), 4))

    pattern = f'[\x00-\x1f"\\\\{"".join(map(re.escape, sorted(forms)))}{others}]'
    return b'"' + re.sub(pattern, escape, text).encode("utf-8") + b'"'
