"""The translations of XLIFF files (1.2 and 2), and HTML as one text with its entities read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape, unescape
from xml.parsers import expat

from rewriter.convert.strings import TAG, FileString
from rewriter.errors import InputError

_TOKEN = re.compile(
    r"<!--.*?-->|<!\[CDATA\[(?P<cdata>.*?)\]\]>|<\?.*?\?>|<!DOCTYPE[^>\[]*(?:\[.*?\])?[^>]*>"
    r"|<(?P<close>/?)(?:[\w.-]+:)?(?P<name>[\w.-]+)(?P<rest>(?:[^<>\"']|\"[^\"]*\"|'[^']*')*)>|(?P<text>[^<]+)",
    re.DOTALL,
)
_ENTITY = re.compile(r"&(?:#\d+|#[xX][0-9a-fA-F]+|\w+);|.", re.DOTALL)
_LANGUAGE = {
    "source": re.compile(r"(?:source-language|srcLang)\s*=\s*[\"']([^\"']*)"),
    "target": re.compile(r"(?:target-language|trgLang)\s*=\s*[\"']([^\"']*)"),
}
#: elements within a segment whose content is code of the document, no text
_CODE = frozenset("ph bpt ept it sub".split())
_ENCODING = re.compile(r"<\?xml[^>]*encoding\s*=\s*[\"']([^\"']+)")


def xliff_strings(data: str, source: str, lang: str = "de") -> list[FileString]:
    """Return the targets of an XLIFF file, or its sources where that is the language and no target is there.

    Args:
        data: the file.
        source: its name, for messages.
        lang: code of the language that is converted.

    Raises:
        InputError: it is no XML, or not in UTF-8.
    """
    encoding = _ENCODING.match(data)
    if encoding is not None and encoding[1].lower() not in ("utf-8", "us-ascii"):
        raise InputError(f"{source}: the encoding is {encoding[1]}; convert the file to UTF-8 first")
    try:
        expat.ParserCreate("utf-8").Parse(data.encode("utf-8"), True)
    except expat.ExpatError as error:
        raise InputError(f"{source}:{error.lineno}: not XML ({expat.ErrorString(error.code)})") from None
    found = {name: list(_elements(data, name)) for name in ("target", "source")}
    for name in ("target", "source"):
        languages = _LANGUAGE[name].findall(data)
        is_meant = any(code.lower().startswith(lang) for code in languages) or (name == "target" and not languages)
        if found[name] and is_meant:
            return found[name]
    return []


def _elements(data: str, wanted: str) -> Iterator[FileString]:
    string: FileString | None = None
    code = 0  # depth of elements whose content is no text
    for match in _TOKEN.finditer(data):
        name = match["name"]
        if name == wanted and not match["rest"].endswith("/"):
            if match["close"] and string is not None:
                yield string
            string, code = (None, 0) if match["close"] else (FileString(escape=_escaped), 0)
        elif string is None:
            continue
        elif name is not None:
            if name in _CODE and not match["rest"].endswith("/"):
                code += -1 if match["close"] else 1
            string.add([(TAG, match.start(), match.start())])
        elif match["text"] is not None and not code:
            string.add(_read(data, match.start(), match.end()))
        elif match["cdata"] is not None and not code:
            string.add((data[at], at, at + 1) for at in range(match.start("cdata"), match.end("cdata")))


def html_strings(data: str, source: str) -> list[FileString]:
    """Return an HTML file as one text, in which entities are read; its tags are protected as those of any text.

    Args:
        data: the file.
        source: its name, for messages.
    """
    string = FileString(escape=_escaped)
    string.add(_read(data, 0, len(data)))
    return [string]


def _read(data: str, start: int, end: int) -> Iterator[tuple[str, int, int]]:
    """Yield the characters of markup; an entity that means markup itself stays as it stands."""
    for match in _ENTITY.finditer(data, start, end):
        token = match.group()
        char = unescape(token) if len(token) > 1 else token
        if len(char) == 1 and char not in "<>":
            yield char, *match.span()
        else:
            yield from ((token[n], match.start() + n, match.start() + n + 1) for n in range(len(token)))


def _escaped(text: str) -> str:
    return escape(text, quote=False)
