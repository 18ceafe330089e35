"""What is no text in the strings of programs: placeholders, arguments of ICU messages, tags.

The branches of an ICU message are text (``{count, plural, one {Nutzer*in} other {Nutzer*innen}}``), its arguments are
not.
"""

from __future__ import annotations

import re

from rewriter.convert.strings import TAG
from rewriter.policy.protect import protected_spans
from rewriter.text.offsets import Span, joined

_CHOICE = re.compile(r"\{\s*[\w.]+\s*,\s*(?:plural|select|selectordinal)\s*,")
_BRANCH = re.compile(r"\s*(?:offset:\d+\s*)?(?:=\d+|\w+)\s*\{")
_CLOSING = re.compile(r"\s*\}")
_PLACEHOLDER = re.compile(
    r"%(?:\([\w.]+\)|\d+\$)?[-+#0]*\d*(?:\.\d+)?l{0,2}[sdfiuxXcgeEr@]|%\{[^{}\n]*\}|%[\w.]+%|\{\{.*?\}\}|[$#@]\{[^{}\n]*\}"
    r"|\$t\([^)\n]*\)|@:\(?[\w.]+\)?|(?<![\w:]):[a-z_]\w*|__\w+?__|&[#\w]+;|\[\[.*?\]\]|" + TAG
)


def protected_in_string(text: str) -> list[Span]:
    """Return the spans of a program's string that must stay, in order.

    Args:
        text: the string as it is read, without the escapes of its file.
    """
    syntax = _message_syntax(text)
    kept = [match.span() for match in _PLACEHOLDER.finditer(text)]
    chars = list(text)
    for start, end in [*syntax, *kept]:
        chars[start:end] = " " * (end - start)
    return joined([*syntax, *kept, *protected_spans("".join(chars))])


def _message_syntax(text: str) -> list[Span]:
    """Return the spans of braces that are no text."""
    spans: list[Span] = []
    _read(text, 0, spans, inside=False)
    return spans


def _read(text: str, at: int, spans: list[Span], *, inside: bool) -> int:
    """Read a message from ``at`` on, add the spans that are no text, and return where it ends."""
    while at < len(text):
        if text[at] == "{":
            at = _argument(text, at, spans)
        elif text[at] == "}" and inside:
            return at
        else:
            at += 1
    return at


def _argument(text: str, start: int, spans: list[Span]) -> int:
    """Read an argument, whose brace stands at ``start``; return the offset behind it."""
    choice = _CHOICE.match(text, start)
    if choice is None:
        end = text.find("}", start) + 1 or start + 1
        spans.append((start, end))
        return end
    begin, at = start, choice.end()
    while branch := _BRANCH.match(text, at):
        spans.append((begin, branch.end()))
        begin = _read(text, branch.end(), spans, inside=True)
        at = begin + 1
    closing = _CLOSING.match(text, at)
    end = closing.end() if closing else at
    spans.append((begin, min(end, len(text))))
    return end
