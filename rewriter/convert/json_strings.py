"""The values of JSON locale files (i18next, Angular, ARB): keys, numbers and white space are no strings of these."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from rewriter.convert.strings import FileString
from rewriter.errors import InputError

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]')
_CHAR = re.compile(r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\.|[^\\]", re.DOTALL)


def json_strings(data: str, source: str) -> list[FileString]:
    """Return the string values of a JSON file; what describes others (keys that begin with ``@``) is left out.

    Args:
        data: the file.
        source: its name, for messages.

    Raises:
        InputError: it is no JSON.
    """
    try:
        json.loads(data)
    except json.JSONDecodeError as error:
        raise InputError(f"{source}:{error.lineno}: not JSON ({error.msg})") from None
    is_ascii = data.isascii() and "\\u" in data
    return [_string(data, match, is_ascii=is_ascii) for match in _values(data)]


def _values(data: str) -> Iterator[re.Match[str]]:
    """Yield the strings that are values."""
    hidden: list[bool] = []  # per open bracket: whether it belongs to a description
    key_hides = False
    for match in _TOKEN.finditer(data):
        token = match.group()
        if token in "{[":
            hidden.append(key_hides or (bool(hidden) and hidden[-1]))
            key_hides = False
        elif token in "}]":
            hidden.pop()
        elif token[0] == '"':
            if _is_key(data, match.end()):
                key_hides = token.startswith('"@')
                continue
            if not key_hides and not (hidden and hidden[-1]):
                yield match
            key_hides = False
        elif token == ",":
            key_hides = False


def _is_key(data: str, at: int) -> bool:
    while at < len(data) and data[at] in " \t\r\n":
        at += 1
    return data[at : at + 1] == ":"


def _string(data: str, match: re.Match[str], *, is_ascii: bool) -> FileString:
    string = FileString(escape=_ascii if is_ascii else _escaped)
    string.add(
        (json.loads(f'"{char.group()}"', strict=False) if char.group()[0] == "\\" else char.group(), *char.span())
        for char in _CHAR.finditer(data, match.start() + 1, match.end() - 1)
    )
    return string


def _escaped(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)[1:-1]


def _ascii(text: str) -> str:
    return json.dumps(text)[1:-1]
