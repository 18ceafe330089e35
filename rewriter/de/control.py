"""German rules of control: which edits belong together, and which sentences name a person."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from rewriter.de.names import names_person
from rewriter.records import Edit

__all__ = ["governors", "kept_spans", "names_person", "refers_back"]

_HEADS = ("noun", "nominalised", "pair")
_FOLLOWERS = ("article", "adjective", "possessive")
_PRONOUNS = ("pronoun", "relative")
#: characters between a determiner and its noun
_LOOK = 120
_BREAK = re.compile(r"[,;:.!?]")
_HONORIFIC = re.compile(
    r"\b(?:Seine?r?|Ihre?r?|Euer|Eure)\s+(?:(?:Kaiserliche|Königliche|Päpstliche|Durchlauchtigste)[nr]?\s+)?"
    r"(?:Majestät|Hoheit|Exzellenz|Eminenz|Heiligkeit|Durchlaucht|Magnifizenz|Gnaden|Ehren)\b"
)
_GOD = re.compile(r"\b(?:Gott(?:es)?|Allah|Jahwe|Jehova|Jesus|Christus|der Allmächtige|der Herrgott)\b")
_GODS_PRONOUN = re.compile(r"\b(?:er|ihn|ihm|seine?[nmrs]?|der|dessen)\b", re.IGNORECASE)
_SENTENCE_END = re.compile(r"[.!?](?=\s|$)|\n")
_INDEFINITE = re.compile(r"\b(?:eine?[mnrs]?|jede[mnrs]?|keine?[mnrs]?|wer|jemand\w*|niemand\w*)\b", re.IGNORECASE)


def governors(sentence: str, edits: Sequence[Edit]) -> list[int]:
    """Return for every edit the index of the edit that it follows, -1 for none.

    Articles, adjectives and possessives follow the next person behind them in the phrase; a pronoun the nearest person
    before it, else the nearest behind it.

    Args:
        sentence: the source.
        edits: of this sentence, in order of their start.
    """
    heads = [i for i, edit in enumerate(edits) if edit.kind in _HEADS]
    return [_governor(sentence, edits, index, heads) for index in range(len(edits))]


def _governor(sentence: str, edits: Sequence[Edit], index: int, heads: Sequence[int]) -> int:
    edit = edits[index]
    behind = next((i for i in heads if i > index), -1)
    if edit.kind in _FOLLOWERS and behind >= 0:
        gap = sentence[edit.end : edits[behind].start]
        if len(gap) < _LOOK and not _BREAK.search(gap):
            return behind
    if edit.kind not in _PRONOUNS and edit.kind != "possessive":
        return -1
    before = next((i for i in reversed(heads) if i < index and not edits[i].after.endswith("innen")), -1)
    return before if before >= 0 else behind


def kept_spans(text: str, kinds: Sequence[str]) -> Iterator[tuple[int, int, str]]:
    """Yield (start, end, what it is) of honorifics (*Seine Exzellenz*) and pronouns of God; titles of works are quoted.

    Args:
        text: the whole text.
        kinds: what is wanted of :data:`rewriter.policy.rules.PLACES`.
    """
    if "honorifics" in kinds:
        yield from ((*match.span(), "honorific") for match in _HONORIFIC.finditer(text))
    if "deities" in kinds:
        for name in _GOD.finditer(text):
            end = _SENTENCE_END.search(text, name.end())
            pronouns = _GODS_PRONOUN.finditer(text, name.end(), end.start() if end else len(text))
            yield from ((*match.span(), "deity") for match in pronouns)


def refers_back(sentence: str, offset: int) -> bool:
    """Return True if a pronoun at ``offset`` may mean a person named in an earlier sentence.

    Not so when an indefinite person may stand before it in its own sentence (*Jede Ärztin kennt ihre Grenzen*).
    """
    return _INDEFINITE.search(sentence, 0, offset) is None
