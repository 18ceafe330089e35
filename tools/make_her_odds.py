"""Make ``lexicons/en/her_odds.tsv``: how much the words beside *her* speak for a possessive and against an object.

*her* is spelt alike in both readings, but *me, us, him, them* are objects and *my, our, your, his, their* are
possessives for certain, so ordinary text tells how often each kind stands between two words. Counted are the word
before, the word behind with and without the end of a phrase behind it, two words behind, and pairs of the words on
both sides. Each is kept as natural log-odds, rarer ones drawn towards what the more general ones say (naive Bayes with
back-off; :mod:`rewriter.en.her_odds` adds them up in the same order).

Run by hand: ``python -m tools.make_her_odds FOLDER`` (text files, plain or .zst; half a minute of an idle core).
"""

from __future__ import annotations

import math
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from lexicons.loader import read_table
from tools import LEXICONS
from tools.plain_lines import lines_of

HEADER = """\
# How much the words beside "her" speak for a possessive (above 0) or an object (below 0), in log-odds times 10.
# before: the word before. ending: how the word behind ends; behind: the word behind; behind two: the two words behind;
# around: the words before and behind. "." stands where the phrase ends behind them, "+" where it goes on.
# Source: counted by tools/make_her_odds.py over the open English texts that the bundled model is trained on:
# my, our, your, his and their against me, us, him and them. Licence: facts.
place	words	odds
"""
OBJECTS = frozenset("me us him them".split())
#: how often each kind was seen at least, and how far it leaves what is known without it, at least
LEAST = {"before": 4, "ending": 20, "behind": 6, "behind two": 10, "around": 8}
APART = {"before": 0.3, "ending": 0.1, "behind": 0.4, "behind two": 1.5, "around": 1.5}
#: how many sightings the more general odds are worth
WEIGHT = {"before": 4.0, "ending": 2.0, "behind": 4.0, "behind two": 4.0, "around": 3.0}
ENDINGS = "ing ed ly ness tion ment ity ence ance ship ful less ous able ive al ic ish er est ies s y".split()
_PRONOUN = re.compile(r"(?<![\w'’-])(?:me|us|him|them|my|our|your|his|their)(?![\w'’-])")
_WORD = re.compile(r"[^\W\d_]+|\d+|\S")
Pair = tuple[int, int]


def ending(word: str) -> str:
    """Return the class of a word by its ending: ``-ing``, ``-`` for none of them, ``#`` for numbers."""
    if not word.isalpha():
        return "#"
    return next((f"-{e}" for e in ENDINGS if word.endswith(e) and len(word) > len(e) + 2), "-")


def count(
    paths: Iterable[Path], closing: frozenset[str], known: frozenset[str]
) -> dict[str, Counter[tuple[str, bool]]]:
    """Return how often each kind of words stood beside an object (True) and a possessive (False).

    Args:
        paths: text files.
        closing: words with which no noun phrase goes on.
        known: words before which *her* is an object for certain, which are left out.
    """
    places: Counter[tuple[str, bool, str, str]] = Counter()
    for path in paths:
        for line in lines_of(path):
            places.update(_places(line, known))
    counts: dict[str, Counter[tuple[str, bool]]] = {kind: Counter() for kind in ("all", *LEAST)}
    for (before, is_object, word, second), times in places.items():
        for kind, words in _features(before, word, second, closing):
            counts[kind][words, is_object] += times
    return counts


def _places(line: str, known: frozenset[str]) -> Iterator[tuple[str, bool, str, str]]:
    for match in _PRONOUN.finditer(line):
        before = _WORD.findall(line[max(0, match.start() - 30) : match.start()])
        behind = _WORD.findall(line[match.end() : match.end() + 50])[:2]
        if before and len(behind) == 2 and behind[0] not in known and (behind[0].islower() or behind[0].isdigit()):
            yield before[-1].lower(), match.group() in OBJECTS, behind[0], behind[1].lower()


def _features(before: str, word: str, second: str, closing: frozenset[str]) -> Iterator[tuple[str, str]]:
    end = "." if second in closing or not (second.isalnum() or second in "-–‘“\"'$(") else "+"
    yield "all", ""
    yield "before", before
    yield "ending", f"{ending(word)} {end}"
    yield "behind", f"{word} {end}"
    yield "behind two", f"{word} {second}"
    yield "around", f"{before} {word} {end}"


def her_odds(counts: dict[str, Counter[tuple[str, bool]]]) -> dict[tuple[str, str], int]:
    """Return the odds, times ten, of the words of every kind that are worth a row."""
    prior = math.log(counts["all"]["", False] / counts["all"]["", True])
    odds = {("all", ""): prior}

    def look_up(kind: str, words: str, otherwise: float) -> float:
        return odds.get((kind, words), otherwise)

    def general(kind: str, words: str) -> float:
        """Return what is known of the words without rows of this kind."""
        if kind in ("before", "ending"):
            return prior
        parts = words.split(" ")
        if kind == "behind":
            return look_up("ending", f"{ending(parts[0])} {parts[1]}", prior)
        word, last = parts[-2:]
        behind = look_up("behind", f"{word} {last}", look_up("ending", f"{ending(word)} {last}", prior))
        return behind if kind == "behind two" else behind + look_up("before", parts[0], prior) - prior

    for kind, least in LEAST.items():
        seen = {words for words, _ in counts[kind]}
        for words in sorted(seen):
            owners, objects = counts[kind][words, False], counts[kind][words, True]
            if owners + objects < least:
                continue
            if kind == "behind two":
                word, second = words.split(" ")
                expected = general(kind, f"{word} {'.' if not second.isalnum() or second in _closing() else '+'}")
            else:
                expected = general(kind, words)
            value = _drawn(owners, objects, expected, WEIGHT[kind])
            if abs(value - expected) >= APART[kind]:
                odds[kind, words] = value
    return {key: round(10 * value) for key, value in odds.items()}


def _drawn(owners: int, objects: int, expected: float, weight: float) -> float:
    share = 1 / (1 + math.exp(-expected))
    return math.log((owners + weight * share) / (objects + weight * (1 - share)))


@cache
def _closing() -> frozenset[str]:
    return frozenset(r["word"] for r in read_table("en", "traps") if r["kind"] in ("after object", "phrase end"))


def main() -> None:
    """Write the table."""
    known = frozenset(row["word"] for row in read_table("en", "traps") if row["kind"] == "after object")
    odds = her_odds(count(sorted(Path(sys.argv[1]).iterdir()), _closing(), known))
    rows = "".join(f"{kind}\t{words}\t{value}\n" for (kind, words), value in sorted(odds.items()))
    (LEXICONS / "en" / "her_odds.tsv").write_text(HEADER + rows, encoding="utf-8")


if __name__ == "__main__":
    main()
