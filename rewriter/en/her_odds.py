"""How much the words beside *her* speak for a possessive: log-odds counted over ordinary text.

*my, our, your, his, their* are possessives and *me, us, him, them* objects for certain, so a count tells between which
words the one kind stands and between which the other (``lexicons/en/her_odds.tsv``). The odds of the words behind are
added to those of the word before, pairs on both sides stand for themselves: naive Bayes with back-off.

Where they are overwhelming the reading is settled; elsewhere they are added to what the encoder thinks.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from lexicons.loader import read_table
from rewriter.en.lexicon import traps

#: odds beyond which the reading is settled: 0.26 % of the places kept apart that have them were wrong
CERTAIN = 4.0
#: what they count beside the encoder, which has seen the same words
WEIGHT = 0.5
_ENDINGS = "ing ed ly ness tion ment ity ence ance ship ful less ous able ive al ic ish er est ies s y".split()
#: beside letters and digits, what may stand inside a noun phrase
_INSIDE = frozenset("- – ‘ “ \" ' $ (".split())


@cache
def _table() -> Mapping[tuple[str, str], float]:
    return {(row["place"], row["words"]): int(row["odds"]) / 10 for row in read_table("en", "her_odds")}


@cache
def _closing() -> frozenset[str]:
    return traps("after object") | traps("phrase end")


def _ending(word: str) -> str:
    if not word.isalpha():
        return "#"
    return next((f"-{e}" for e in _ENDINGS if word.endswith(e) and len(word) > len(e) + 2), "-")


def her_odds(before: str, word: str, second: str) -> float:
    """Return the log-odds of a possessive against an object for *her* between two words.

    Args:
        before: the word before, in lower case.
        word: the word behind.
        second: the word behind that; empty at the end.
    """
    table = _table()
    ends = second in _closing() or not (second.isalnum() or second in _INSIDE)
    end = "." if ends else "+"
    around = table.get(("around", f"{before} {word} {end}"))
    if around is not None:
        return around
    prior = table["all", ""]
    behind = table.get(("behind two", f"{word} {second}"))
    if behind is None:
        behind = table.get(("behind", f"{word} {end}"))
    if behind is None:
        behind = table.get(("ending", f"{_ending(word)} {end}"), prior)
    return behind + table.get(("before", before), prior) - prior
