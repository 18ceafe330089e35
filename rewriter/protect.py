"""Spans that are no running text whatever they hold: code, addresses, markup, formulas, keys, handles."""

from __future__ import annotations

import re

_FENCE = r"(?m:^[ \t]*(?P<fence>```+|~~~+)[^\n]*\n(?s:.*?)(?:^[ \t]*(?P=fence)[ \t]*$|\Z))"
_PARTS = (
    _FENCE,
    r"(?P<ticks>`+)(?=\S|\s\S)[^\n]*?(?<!`)(?P=ticks)(?!`)",
    r"<(?:code|pre|script|style)\b[^>]*>(?s:.*?)</(?:code|pre|script|style)>",
    r"<!--(?s:.*?)-->",
    r"</?[A-Za-z][^<>\n]*>",
    r"\b(?:https?|ftp|file)://[^\s<>\"”]+",
    r"\bwww\.[^\s<>\"”]+",
    r"\b[\w.+-]+@[\w-]+\.[\w.-]*\w",
    r"\b[\w-]+(?:\.[\w-]+)*\.(?:com|org|net|edu|gov|io|info|de|uk|co|app|dev|me|tv|ai)\b(?:/[^\s<>\"”]*)?",
    r"(?<![\w@])[@#][\w.-]*\w",
    # formulas between dollar signs; prices ("$5 and he paid $6") lack the signs of a formula
    r"\$\$(?s:.+?)\$\$",
    r"\$(?=\S)[^$\n]*[\\^_={}+][^$\n]*(?<=\S)\$",
    r"\\(?:\(.*?\\\)|\[.*?\\\])",
    r"\\[A-Za-z]+",
    # paths: rooted, home, relative, drive; or several parts with an ending
    r"(?<![\w/<])(?:~|\.{1,2})?/(?:[\w.+-]+/)*[\w.+-]+",
    r"\b[A-Za-z]:\\[^\s\"<>|]+",
    r"\b[\w-]+(?:/[\w.-]+)*/[\w-]+\.\w{1,5}\b",
    r"\b[\w-]+\.(?:py|js|ts|txt|md|json|ya?ml|csv|tsv|html?|css|cpp|java|pdf|docx?|png|jpe?g|mp[34]|zip|gz|sh)\b",
    # identifiers: snake_case, calls, attributes, placeholders
    r"\b\w*[^\W_]_\w+",
    # _her_ is emphasis, not an identifier
    r"(?<!\w)_+(?![^\W_]+_(?!\w))\w+",
    r"\b\w+(?:\.\w+)*\(\)",
    r"\b[a-z]+(?:\.[a-z]\w*)+\b(?!\.[ \n]|\.$)",
    r"\{\{?[^{}\n]*\}?\}",
    r"%\([A-Za-z]+\)s|\$\w+",
    r"(?<!\w)--?[a-z][\w-]*(?==)",
    # keys and assignments
    r"[\"']\w+[\"']\s*:(?=\s|\S)",
    r"(?m:^[ \t-]*\w+:(?=[ \t]+\S|[ \t]*$))",
    r"\b\w+\s*(?:[-+*/|&]?=|:=|==|!=|=>|->)\s*(?=[\w\"'\[({-])",
    # declared pronouns are a person's own words: she/her, he/him/his, they/she
    r"\b(?:(?:she|he|they|xe|ze|any|it)/(?:her|him|them|hers|his|theirs|xem|zir|its)(?:/(?:hers|his|theirs|her|their))?"
    r"|(?:they|xe|ze)/(?:she|he)|(?:she|he)/(?:xe|ze))\b",
)
_PROTECTED = re.compile("|".join(_PARTS), re.IGNORECASE)
#: a cheap look first: text without any of these characters holds nothing that could match
_HINT = re.compile(r"[`<@#$\\/_={}:%]|\.\w|\(\)|--|www\.")


def protected_spans(text: str) -> list[tuple[int, int]]:
    """Return the spans (start, end in characters) that must come out as they are, in order, not overlapping."""
    if _HINT.search(text) is None:
        return []
    return [match.span() for match in _PROTECTED.finditer(text)]
