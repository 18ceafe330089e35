"""What *'s* behind *he* or *she* is for certain: *is* (*he's driven by greed*) or *has* (*he's driven the bus*)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from lexicons.loader import read_table
from rewriter.language.tokens import Token

IS, HAS = "is", "has"
_BETWEEN = frozenset(
    "not never always already just also only ever since long finally probably certainly really".split()
)
_PHRASE_BEGINS = frozenset(
    "a an the my your his her its our their this that these those some any no every each another it them him me us you "
    "two three four five six seven eight nine ten".split()
)
_KNOWN = frozenset("me us him them you it her".split())
_PERSONS = frozenset("me us him them you".split())
#: behind *every* and *each* they say when: she's tired every day
_TIMES = frozenset("time day night morning evening week weekend month year summer winter minute hour single".split())
#: behind *by* they say when or how, not by whom
_NO_AGENT = frozenset("now then noon midnight himself herself themself tomorrow accident mistake chance far".split())
#: behind a participle and "to": he's supposed to know
_TO = frozenset("said supposed expected allowed used forced obliged known bound meant due".split())
#: no adjective follows: she's re-opened the shop
_PREFIXES = frozenset("re pre co un over out under mis de dis self".split())
#: participles that say how somebody is
_STATES = frozenset(
    [
        ("set", "on"),
        ("set", "to"),
        ("known", "as"),
        ("lost", "without"),
        ("taken", "aback"),
        ("taken", "ill"),
        ("finished", "with"),
    ]
)
#: prepositions behind which no participle stands
_PREPOSITIONS = frozenset(
    "in on at from with for of about under behind near beside between against without inside outside".split()
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


#: words that no object begins with
BEHIND = frozenset(
    """in at on with for from to about of as than because when and but or if while after before since until over under
    into onto through again now today yet already here there too so out up down off away back together well . , ! ? ; :
    ) ” " """.split()
) | {""}


@cache
def states() -> dict[str, str]:
    """Return what *'s* is before words that leave one reading where no object follows: *impressed* (is)."""
    return {row["word"]: row["reading"] for row in read_table("en", "states")}


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
    is_regular = len(word) > 3 and word.endswith("ed")
    if following == "-" and second.isalpha() and tokens[index + 1].start == tokens[index].end:
        # left-handed, colour-blind
        return None if word in _PREFIXES or tokens[index + 2].start > tokens[index + 1].end else IS
    if word in participles("has") or (word == "yet" and following == "to"):
        return HAS
    # he's to be sworn in: what is to be; has behind a clitic needs "got"
    if word == "to" or word in _PREPOSITIONS or (following == "to" and word in _TO) or (word, following) in _STATES:
        return IS
    is_when = second in _NO_AGENT or second.isdigit() or (second, norm(index + 3)) == ("the", "time")
    if following == "by" and not is_when:
        is_passive = is_regular or word in participles("passive") or word in participles("other")
        return IS if is_passive and not has_ever and word not in participles("intransitive") else None
    if word == "known" and following in _KNOWN:
        return HAS
    if following in BEHIND and not has_ever and word in states():
        return states()[word]
    if word in participles("active"):
        return None if following == "alive" else HAS
    if word == "done" and following == "with":
        return IS if not before or before in _CLAUSE_BEGINS else None
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
