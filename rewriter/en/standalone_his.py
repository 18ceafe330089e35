"""Where *his* stands alone as a pronoun: *mine is old but his runs better*, *all will be his one day*."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, partial

from lexicons.loader import read_table
from rewriter.en.back_words import PAST_FORMS, back_words
from rewriter.en.inflection import to_plural
from rewriter.en.outcomes import STANDALONE
from rewriter.en.readings import HIS_ALONE
from rewriter.en.view import persons
from rewriter.language.tokens import Token

__all__ = ["HIS_ALONE"]

_alone = partial(HIS_ALONE.rule, outcome=STANDALONE)

_BE = frozenset("is are was were be been become became isn't wasn't aren't weren't being".split())
#: behind a form of be they say when, or that nobody else's it is
_WHEN = frozenset([("one", "day"), ("some", "day"), ("this", "time"), ("these", "days"), ("once", "more")])
_ALONE = frozenset("alone someday tomorrow today forever already yet too".split())
#: what begins a clause in which his is set against somebody else's
_AGAINST = frozenset("but while whereas and than when because".split())
_OWNERS = frozenset("my your our their her mine yours ours theirs hers".split())
#: behind a verb they say how; no noun follows a participle there
_HOW = frozenset(
    "better worse faster slower longer more less first last later earlier louder well badly great fine further".split()
)
#: verbs without an object, which are no adjectives before a noun: while his stayed dry
_INTRANSITIVE = frozenset(
    """stayed looked seemed remained lasted arrived sounded smelled smelt tasted ran stood sat survived came went
    began became appeared happened worked took got says""".split()
)
_FRIENDS = frozenset(
    """friend cousin colleague neighbour neighbor buddy mate pal acquaintance classmate roommate coworker uncle aunt
    nephew niece student pupil client patient customer""".split()
)
#: what such a one does; hardly a noun that his would own
_DOES = frozenset("works lives says knows owns thinks swears claims teaches studies drives moved died told".split())
#: what an animal or somebody of the family does
_ALSO_DOES = frozenset("bites barks sleeps eats runs drinks snores growls scratches keeps seems gets".split())
_ENDS = frozenset(". , ! ? ; : ) ” than and but".split())


@_alone("his some day", example="It will be [his] one day.", counter="It was [his] one friend.")
def _is_his_some_day(tokens: Sequence[Token], index: int) -> bool:
    """Return True if *his* stands alone behind a form of *be* and before a time: *it will be his one day*."""
    if not index or tokens[index - 1].norm not in _BE:
        return False
    word, second = (_norm(tokens, index + distance) for distance in (1, 2))
    return (word, second) in _WHEN or (word in _ALONE and (second in _ENDS or not second))


@_alone(
    "his against another's", example="Mine is old but [his] stayed dry.", counter="We slept but [his] dry hat fell."
)
def _is_his_compared(tokens: Sequence[Token], index: int) -> bool:
    """Return True if *his* is a subject set against another's: *your team played well, but his played better*.

    The verb behind it looks like a participle; that a comparison ends the clause leaves no room for a noun.
    """
    if not index or tokens[index - 1].norm not in _AGAINST | {";", ","}:
        return False
    verb, how, end = (_norm(tokens, index + distance) for distance in (1, 2, 3))
    if verb in _INTRANSITIVE or (verb in ("kept", "started") and how.endswith("ing")):
        return True
    if tokens[index - 1].norm not in _AGAINST:
        return False
    is_verb = verb in PAST_FORMS or verb in back_words("past") or verb.endswith("ed") or to_plural(verb) is not None
    if not is_verb or how not in _HOW or (end and end not in _ENDS):
        return False
    return verb.endswith("ed") or any(token.norm in _OWNERS for token in tokens[max(0, index - 12) : index])


@_alone("a friend of his works", example="A cousin of [his] works here.", counter="A cousin of [his] mother came.")
def _is_friend_of_his(tokens: Sequence[Token], index: int) -> bool:
    """Return True if *his* stands alone behind a person or animal and *of*, before a verb: *a cousin of his works*."""
    if index < 3 or tokens[index - 1].norm != "of":
        return False
    head, does = tokens[index - 2].norm, _DOES
    if tokens[index - 3].norm in ("that", "this") and (head in persons("gendered") or head in animals()):
        does = _DOES | _ALSO_DOES
    elif head not in _FRIENDS:
        return False
    return _norm(tokens, index + 1) in does and _norm(tokens, index + 2) not in ("of", "'s")


@cache
def animals() -> frozenset[str]:
    """Return words for animals, plants and their lives."""
    return frozenset(row["word"] for row in read_table("en", "animals"))


def _norm(tokens: Sequence[Token], index: int) -> str:
    return tokens[index].norm if index < len(tokens) else ""
