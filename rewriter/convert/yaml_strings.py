"""The values of YAML locale files (Rails, Symfony): keys, comments, anchors and the style of a value stay."""

from __future__ import annotations

import re
from collections.abc import Iterator

import yaml

from rewriter.convert.strings import FileString, plain
from rewriter.errors import InputError

#: escapes of a string between double quotation marks
_ESCAPE = re.compile(r"\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|\r?\n[ \t]*|.)|[^\\]", re.DOTALL)
_QUOTE = re.compile(r"''|[^']", re.DOTALL)
_ANCHOR = re.compile(r"&\S+\s+")
_SIMPLE = {"n": "\n", "t": "\t", '"': '"', "\\": "\\", "/": "/", " ": " ", "_": "\xa0", "N": "\x85"}


def yaml_strings(data: str, source: str) -> list[FileString]:
    """Return the scalar values of a YAML file that are text.

    Args:
        data: the file.
        source: its name, for messages.

    Raises:
        InputError: it is no YAML.
    """
    try:
        return [_string(data, event) for event in _values(data)]
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = f":{mark.line + 1}" if mark is not None else ""
        raise InputError(f"{source}{line}: not YAML ({getattr(error, 'problem', error)})") from None


def _values(data: str) -> Iterator[yaml.ScalarEvent]:
    """Yield the scalars that are no keys and have no tag of their own."""
    awaits: list[bool | None] = []  # per open collection: in a mapping whether a key comes next, else None
    for event in yaml.parse(data, Loader=yaml.SafeLoader):
        if isinstance(event, yaml.CollectionEndEvent):
            awaits.pop()
            continue
        if not isinstance(event, (yaml.ScalarEvent, yaml.AliasEvent, yaml.CollectionStartEvent)):
            continue
        is_key = bool(awaits) and awaits[-1] is True
        if awaits and awaits[-1] is not None:
            awaits[-1] = not awaits[-1]
        if isinstance(event, yaml.CollectionStartEvent):
            awaits.append(True if isinstance(event, yaml.MappingStartEvent) else None)
        elif isinstance(event, yaml.ScalarEvent) and not is_key and event.tag in (None, "!"):
            yield event


def _string(data: str, event: yaml.ScalarEvent) -> FileString:
    assert event.start_mark is not None and event.end_mark is not None
    start, end = event.start_mark.index, event.end_mark.index
    anchor = _ANCHOR.match(data, start) if event.anchor else None
    start = anchor.end() if anchor else start
    if event.style == '"':
        string = FileString(escape=lambda text: text.replace("\\", "\\\\").replace('"', '\\"'))
        string.add((_unescaped(char.group()), *char.span()) for char in _ESCAPE.finditer(data, start + 1, end - 1))
    elif event.style == "'":
        string = FileString(escape=lambda text: text.replace("'", "''"))
        string.add((char.group()[0], *char.span()) for char in _QUOTE.finditer(data, start + 1, end - 1))
    else:
        string = FileString()
        string.add(plain(data, start, end))
    return string


def _unescaped(char: str) -> str:
    if char[0] != "\\":
        return char
    kind = char[1]
    if kind in "xuU":
        return chr(int(char[2:], 16))
    return _SIMPLE.get(kind, " ")
