"""Text that comes from elsewhere, such as names of files, before it is shown at a terminal."""

from __future__ import annotations

import re

#: controls of terminals, marks that turn the direction of writing, halves of surrogate pairs
_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
_LINE_ENDS = re.compile("[\t\n\u2028\u2029]")


def printable(text: str) -> str:
    r"""Return ``text`` with escapes (``\x1b``) in place of what a terminal would obey; tabs and line feeds stay."""
    return _CONTROLS.sub(_escape, text)


def shown_name(name: str | object) -> str:
    """Return the name of a file for people, in one line."""
    return _LINE_ENDS.sub(_escape, printable(str(name)))


def is_text(text: str) -> bool:
    """Return True if ``text`` can be written as UTF-8: it holds no half of a surrogate pair."""
    if text.isascii():
        return True
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _escape(match: re.Match[str]) -> str:
    return match[0].encode("unicode_escape").decode("ascii")
