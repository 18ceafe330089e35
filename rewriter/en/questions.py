"""*'s* before its subject: *Why's he limping?*, *Here's she again*, *whats he want*.

Singular *they* has no such contraction (*why're they*), so it is written out: *Why are they limping?* What it stands
for is told by the word behind the pronoun: *been*, *got* (has), a base form (*what's he want*: does), else *is*.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rewriter.en.clitics import participles
from rewriter.en.closed_words import SUBJECT_PRONOUNS
from rewriter.en.inflection import to_plural, to_singular
from rewriter.en.outcomes import CHANGE, HAS, IS
from rewriter.language.tokens import Token

_ASKING = frozenset("what who where when why how".split())
_SHOWING = frozenset("here there".split())
_ASKED = _ASKING | _SHOWING
#: the same without apostrophe
_RUN_ON = {f"{word}s": word for word in _ASKING}
_PLURALS = {IS: "are", HAS: "have", CHANGE: "do"}
#: between the pronoun and what tells
_BETWEEN = frozenset("not never ever always already just even really actually only all also still".split())
#: base forms that are adjectives, adverbs, prepositions or nouns here: how's he well, where's he now, what's she like
_NO_BASES = frozenset(
    """like up down out off over back home so then now here there well right wrong mad sick better late long near open
    close clear short cool calm fit free dry slow lower busy even else about with under at in on to for from of as by
    supposed next behind round present correct a an the my his her our your their one sound quiet warm tidy""".split()
)

#: participles that where, why and how are asked of with *has*
_MOVED = frozenset("taken put hidden kept left flown spent managed coped fared survived handled".split())
#: participles that say how somebody is: what's he worried about
_STATES = frozenset("supposed meant interested worried scared bothered concerned stuck used hurt lost married".split())
_BEHIND_STATES = frozenset("by about of with".split())


class Asked(NamedTuple):
    """An *'s* before its subject.

    Attributes:
        token: place of the token that is changed.
        pronoun: place of the subject.
        start: offset of what is replaced.
        outcome: what it stands for (:mod:`rewriter.en.outcomes`).
        after: its plural, written out.
    """

    token: int
    pronoun: int
    start: int
    outcome: int
    after: str


def find_asked(text: str, tokens: Sequence[Token], index: int) -> Asked | None:
    """Return the *'s* between a question word, *here* or *there* and the *he* or *she* at ``index``, if there is one.

    Args:
        text: the sentence.
        tokens: of the sentence.
        index: of the pronoun.
    """
    clitic = tokens[index - 1]
    if not index or tokens[index].norm not in SUBJECT_PRONOUNS or (clitic.norm != "'s" and clitic.norm not in _RUN_ON):
        return None
    if index + 1 < len(tokens) and tokens[index + 1].norm == "'s":
        return None  # what's he's
    word, asking, start = clitic, clitic.norm[:-1], clitic.end - 1
    if clitic.norm == "'s":
        word, start = tokens[max(0, index - 2)], clitic.start
        asking = word.norm
        if asking not in _ASKED or word.end != clitic.start:
            return None
    if asking in _SHOWING and index + 1 < len(tokens) and to_plural(tokens[index + 1].norm) is not None:
        return None  # here's she comes
    outcome = IS if asking in _SHOWING else _outcome(tokens, asking, index)
    after = f" {_PLURALS[outcome]}"
    is_upper = text[word.start : word.end].isupper() and text[clitic.end - 1].isupper()
    return Asked(index - 1, index, start, outcome, after.upper() if is_upper else after)


def _outcome(tokens: Sequence[Token], asking: str, pronoun: int) -> int:
    """Return what an *'s* behind a question word stands for."""
    place = pronoun + 1
    while place < len(tokens) and tokens[place].norm in _BETWEEN:
        place += 1
    word = tokens[place].norm if place < len(tokens) else ""
    behind = tokens[place + 1].norm if place + 1 < len(tokens) else ""
    if word in participles("has") or word == "done" or tokens[pronoun + 1].norm == "ever":
        return HAS
    if not word.isalpha() or word in _NO_BASES or word in _STATES:
        return IS
    is_object = asking in ("what", "who")
    is_participle = word.endswith("ed") or any(word in participles(kind) for kind in ("active", "other"))
    if is_participle and (is_object or word in _MOVED):
        return IS if behind in _BEHIND_STATES or word in participles("passive") else HAS
    return CHANGE if to_singular(word) is not None and not word.endswith("ing") else IS
