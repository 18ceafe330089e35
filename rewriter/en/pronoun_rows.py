"""Rows of pronouns, which are spoken about: *he, him, his, himself*; *| I | you | he | she |*."""

from __future__ import annotations

import re

#: any personal pronoun in any case
PRONOUN = (
    "(?:i|you|he|she|it|we|they|me|him|her|us|them|my|your|his|its|our|their|mine|yours|hers|ours|theirs|myself"
    "|yourself|himself|herself|itself|ourselves|yourselves|themself|themselves)"
)
#: cells of a row of pronouns
_ROW = re.compile(
    rf"(?<![\w'’])(?:{PRONOUN}(?:\s*\|\s*{PRONOUN})+|{PRONOUN}(?:\s*[,;\t]\s*{PRONOUN}){{3,}})(?![\w'’])",
    re.IGNORECASE,
)


def find_rows(text: str) -> list[tuple[int, int]]:
    """Return the spans of the rows of pronouns of a sentence: *he, him, his*; *he | she*."""
    return [match.span() for match in _ROW.finditer(text)]
