"""The translations of PO files (gettext): ``msgstr`` and ``msgstr[n]``; message ids, contexts and comments stay."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rewriter.convert.strings import FileString
from rewriter.errors import InputError

_LINE = re.compile(
    r'[ \t]*(?:(?P<key>msgctxt|msgid_plural|msgid|msgstr(?:\[\d+\])?)[ \t]*)?"(?P<text>(?:[^"\\\n]|\\.)*)"[ \t]*\r?$'
)
_CHAR = re.compile(r"\\[0-7]{1,3}|\\x[0-9a-fA-F]{2}|\\.|[^\\]")
_SIMPLE = {"n": "\n", "t": "\t", "r": "\r", '"': '"', "\\": "\\"}
_CHARSET = re.compile(r"charset=([\w-]+)")


def po_strings(data: str, source: str) -> list[FileString]:
    """Return the translations of a PO file but for the header.

    Args:
        data: the file.
        source: its name, for messages.

    Raises:
        InputError: a line is none of a PO file, or the header names another encoding than UTF-8.
    """
    strings: list[FileString] = []
    current: FileString | None = None
    message_id = ""
    key = ""
    for number, offset, line in _lines(data):
        if not line.strip() or line.lstrip().startswith("#"):
            current = None
            continue
        match = _LINE.fullmatch(line)
        if match is None or (match["key"] is None and not key):
            raise InputError(f"{source}:{number}: no line of a PO file: {line.strip()[:60]}")
        if match["key"]:
            key = match["key"]
            current = FileString(escape=_escaped) if key.startswith("msgstr") else None
            message_id = "" if key == "msgid" else message_id
            if current is not None and (message_id or key != "msgstr"):
                strings.append(current)
        if current is not None:
            start = offset + match.start("text")
            current.add(
                (_unescaped(c.group()), start + c.start(), start + c.end()) for c in _CHAR.finditer(match["text"])
            )
        elif key == "msgid":
            message_id += match["text"]
        if key == "msgstr" and not message_id:
            _check_charset(match["text"], source, number)
    return strings


def _lines(data: str) -> Iterator[tuple[int, int, str]]:
    offset = 0
    for number, line in enumerate(data.split("\n"), 1):
        yield number, offset, line
        offset += len(line) + 1


def _check_charset(header: str, source: str, number: int) -> None:
    charset = _CHARSET.search(header)
    if charset is not None and charset[1].lower() not in ("utf-8", "utf8", "charset", "ascii", "us-ascii"):
        raise InputError(f"{source}:{number}: the charset is {charset[1]}; convert the file to UTF-8 first (msgconv)")


def _unescaped(char: str) -> str:
    if char[0] != "\\":
        return char
    if char[1] in "01234567":
        return chr(int(char[1:], 8))
    if char[1] == "x" and len(char) > 2:  # without digits it is a letter
        return chr(int(char[2:], 16))
    return _SIMPLE.get(char[1], char[1])


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')
