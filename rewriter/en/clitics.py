"""What *'s* behind *he* or *she* is for certain: *is* (*he's driven by greed*) or *has* (*he's driven the bus*)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from lexicons.loader import read_table
from rewriter.tokens import Token

IS, HAS = "is", "has"
_BETWEEN = frozenset(
    "not never always already just also only ever since long finally probably certainly really".split()
)
_PHRASE_BEGINS = frozenset(
    "a an the my your his her its our their this that these those some any no every each another it them him me us you "
    "two three four five six seven eight nine ten".split()
)
_PERSONS = frozenset("me us him them you".split())
#: behind *every* and *each* they say when: she's tired every day
_TIMES = frozenset("time day night morning evening week weekend month year summer winter minute hour single".split())
#: behind *by* they say when or how, not by whom
_NO_AGENT = frozenset(
    "now then the noon midnight himself herself themself tomorrow accident mistake chance far".split()
)
#: what begins a clause; other words may be what somebody did: the films he's done with her
_CLAUSE_BEGINS = frozenset(
    """and but so because if when since until once think say said hope like says now then well yes no yeah , . ; : " “ ‘
    ( – — - ! ?""".split()
)


@cache
def participles(kind: str) -> frozenset[str]:
    """Return the participles of a kind of ``lexicons/en/participles.tsv``."""
    return frozenset(row["participle"] for row in read_table("en", "participles") if row["kind"] == kind)


def certain_clitic(tokens: Sequence[Token], index: int) -> str | None:
    """Return what the *'s* before ``index`` is, :data:`IS` or :data:`HAS`, or None where the model decides.

    Args:
        tokens: of the sentence.
        index: of the word behind *'s*.
    """

    def norm(place: int) -> str:
        return tokens[place].norm if 0 <= place < len(tokens) else ""

    before, has_ever = norm(index - 3), False
    while norm(index) in _BETWEEN:
        has_ever = has_ever or norm(index) in ("ever", "never")
        index += 1
    word, following, second = norm(index), norm(index + 1), norm(index + 2)
    is_regular = len(word) > 4 and word.endswith("ed")
    if word in participles("has"):
        return HAS
    if following == "by" and second not in _NO_AGENT and not second.isdigit():
        is_passive = is_regular or word in participles("passive") or word in participles("other")
        return IS if is_passive and not has_ever and word not in participles("intransitive") else None
    if word in participles("active"):
        return None if following == "alive" else HAS
    if word == "set" and following in ("on", "to"):
        return IS
    if word == "done" and following == "with":
        return IS if not before or before in _CLAUSE_BEGINS else None
    if word == "known" and following in ("as", "to"):
        return IS
    if word in participles("passive"):
        # he's told me: nobody is told me
        return HAS if following in _PERSONS else None
    return HAS if (is_regular or word in participles("other")) and _begins_object(word, following, second) else None


def _begins_object(word: str, following: str, second: str) -> bool:
    if following == "that":  # he's worried that; he's taken that
        return word in participles("other") and not word.endswith("ed")
    if following in ("every", "each") and second in _TIMES:
        return False
    return following in _PHRASE_BEGINS
