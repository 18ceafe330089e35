"""What stays when text is written for people to read: titles of works, honorifics, deities."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from rewriter.en.closed_words import FEMININE_PRONOUNS, MASCULINE_PRONOUNS
from rewriter.en.sentence import is_shouting

_HONORIFIC = re.compile(
    r"\b(?P<whose>His|Her|Their|HIS|HER)\s+(?:(?:Royal|Imperial|Serene|Most|All|Britannic|Catholic)\s+){0,2}"
    r"(?:Honou?r|Majesty|Highness|Excellency|Grace|Holiness|Eminence|Lordship|Ladyship|Worship|Reverence|Beatitude"
    r"|HONOU?R|MAJESTY|HIGHNESS|EXCELLENCY|HOLINESS)\b",
)
_GOD = re.compile(
    r"\b(?:God|Allah|Jehovah|Yahweh|YHWH|[Tt]he\s+(?:L[Oo][Rr][Dd]|Almighty|Creator)|Jesus|Christ|Messiah)(?:['’]s)?\b"
)
_PRONOUN = re.compile(r"\b(?:he|she|him|his|her|hers|himself|herself)\b", re.IGNORECASE)
#: God as a cry, of whom nobody goes on to speak: thank God, oh my God
_CRY = re.compile(r"\b(?:my|oh|thank|good|dear|by|for)\s+$", re.IGNORECASE)
_REVERENT = re.compile(r"\b(?:He|Him|His|Himself|She|Her|Hers|Herself)\b")
_SENTENCE_END = re.compile(r"[.!?](?=\s|$)|\n")
#: a capital that begins the next sentence of a paragraph
_NEXT = re.compile(r"[.!?]\s*(?P<pronoun>He|His|Him)\b")
#: behind them a capital begins something
_BEGINS = re.compile(r"(?:^|[.!?…:;\"“”‘'«»(\[*_>|—–•\n-])\s*$")
#: a run of capitalised words with small words in between
_TITLE = re.compile(
    r"\b[A-Z][\w'’-]*(?:,?\s+(?:(?:of|the|a|an|and|in|on|for|to|with|at|from|who|is|as)\s+){0,3}[A-Z][\w'’-]*)+"
)
_SMALL = frozenset("i he she his her the a an in on at but and when if as for it we they you my our".split())
#: of a title beginning with a pronoun so many capitals follow
_FEWEST = 3


def kept_spans(text: str, kinds: Sequence[str]) -> Iterator[tuple[int, int, str]]:
    """Yield (start, end, kind) of what stays.

    Args:
        text: the whole text.
        kinds: of ``works``, ``honorifics``, ``deities``.
    """
    if "honorifics" in kinds:
        yield from ((*span, "honorific") for span in _honorifics(text))
    if "works" in kinds and not is_shouting(text):
        yield from ((*span, "title of a work") for span in _works(text))
    if "deities" in kinds:
        yield from ((*span, "deity") for span in _deities(text))


def _works(text: str) -> Iterator[tuple[int, int]]:
    """Yield runs of capitals with a pronoun or a noun in them that are no headline: *His Dark Materials*."""
    for match in _TITLE.finditer(text):
        words = match.group().split()
        capitals = sum(word[:1].isupper() for word in words)
        if _BEGINS.search(text, max(0, match.start() - 3), match.start()):
            # the first word of a sentence has its capital anyway
            if capitals < _FEWEST:
                continue
            if words[0].lower() not in _SMALL and capitals - 1 < _FEWEST:
                continue
        line = text[text.rfind("\n", 0, match.start()) + 1 : _end_of_line(text, match.end())]
        if len(match.group()) < 0.8 * len(line.strip()):
            yield match.span()


def _end_of_line(text: str, offset: int) -> int:
    end = text.find("\n", offset)
    return len(text) if end < 0 else end


def _deities(text: str) -> Iterator[tuple[int, int]]:
    """Yield pronouns with a capital inside a sentence, and all of a sentence's pronouns behind the name of a god."""
    for match in _REVERENT.finditer(text):
        if not _BEGINS.search(text, max(0, match.start() - 3), match.start()):
            yield match.span()
    for name in _GOD.finditer(text):
        end = _end_of_sentence(text, name.end())
        for match in _PRONOUN.finditer(text, name.end(), end):
            yield match.span()
        following = _NEXT.match(text, end)
        if following and not _CRY.search(text, max(0, name.start() - 8), name.start()):
            yield following.span("pronoun")


def _honorifics(text: str) -> Iterator[tuple[int, int]]:
    """Yield honorifics, and the pronouns of their gender behind them in the sentence: *His Honour took his seat*."""
    for title in _HONORIFIC.finditer(text):
        yield title.span()
        if text[title.end() : title.end() + 2] in ("'s", "’s"):
            continue  # Her Majesty's nurse lost her keys
        own = FEMININE_PRONOUNS if title["whose"].lower() == "her" else MASCULINE_PRONOUNS
        for match in _PRONOUN.finditer(text, title.end(), _end_of_sentence(text, title.end())):
            if match.group().lower() in own:
                yield match.span()


def _end_of_sentence(text: str, offset: int) -> int:
    end = _SENTENCE_END.search(text, offset)
    return end.start() if end else len(text)
