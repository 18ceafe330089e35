"""Rows of pronouns, which are spoken about (*he, him, his, himself*; *| I | you | he |*), and cells with one alone."""

from __future__ import annotations

import re

#: any personal pronoun in any case
PRONOUN = (
    "(?:i|you|he|she|it|we|they|me|him|her|us|them|my|your|his|its|our|their|mine|yours|hers|ours|theirs|myself"
    "|yourself|himself|herself|itself|ourselves|yourselves|themself|themselves)"
)
#: cells of a row: between bars, in a longer list, or in brackets
_ROW = re.compile(
    rf"(?<![\w'’])(?:{PRONOUN}(?:\s*\|\s*{PRONOUN})+|{PRONOUN}(?:\s*[,;/\t]\s*{PRONOUN}){{3,}}"
    rf"|(?<=\(){PRONOUN}(?:, {PRONOUN}){{2,}}(?=\)))(?![\w'’])",
    re.IGNORECASE,
)
#: a cell that holds nothing else: of Markdown or between tabs, of HTML, of a LaTeX table
_CELL = re.compile(
    rf"(?:(?<=[|\t])|(?m:^))[ ]*{PRONOUN}[ ]*(?=[|\t])|(?<=[|\t])[ ]*{PRONOUN}[ ]*(?m:$)"
    rf"|<t[dh]\b[^<>]{{0,200}}>\s*{PRONOUN}\s*(?=</t[dh]>)"
    rf"|(?:(?<=&)|(?m:^))[^\S\n]*{PRONOUN}[^\S\n]*(?=(?:&[^&\n]{{0,200}}){{0,20}}\\\\)",
    re.IGNORECASE,
)


def find_rows(text: str) -> list[tuple[int, int]]:
    """Return the spans of the rows of pronouns of a sentence (*he, him, his*; *he | she*), and of cells with one."""
    spans = [match.span() for match in _ROW.finditer(text)]
    if any(mark in text for mark in ("|", "\t", "<t", "&")):
        spans += [match.span() for match in _CELL.finditer(text)]
    return spans
