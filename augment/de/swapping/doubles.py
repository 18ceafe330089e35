"""Persons in both genders side by side, which stay: *Lehrerinnen und Lehrer*, *Mann und Frau*, *er oder sie*."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from augment.de.swapping.mention import PRONOUNS, Mention
from augment.de.swapping.sentence import SwapSentence
from rewriter.de.closed_classes import CONJUNCTIONS

_JOINTS = CONJUNCTIONS | {"/", "(", "&", "or"}
#: what may stand between the halves beside determiners and adjectives
_BETWEEN = frozenset(". / ( ) - auch von bei zum zur vom beim mit für".split())
_LONGEST = 8


def in_both_genders(sentence: SwapSentence, mentions: Sequence[Mention]) -> Iterator[int]:
    """Yield the tokens of mentions that stand beside their counterpart.

    Args:
        sentence: that holds them.
        mentions: of it, in order.
    """
    for number, mention in enumerate(mentions):
        for other in mentions[number + 1 :]:
            if other.token - mention.token > _LONGEST:
                break
            if _are_halves(sentence, mention, other) and _are_joined(sentence, mention, other):
                yield mention.token
                yield other.token


def _are_halves(sentence: SwapSentence, one: Mention, other: Mention) -> bool:
    if one.gender == other.gender:
        return False
    nouns = [None if m.phrase is None else m.phrase.word.noun for m in (one, other)]
    if nouns[0] is not None and nouns[1] is not None:
        return nouns[0].lemma == nouns[1].lemma
    if one.kind == other.kind == "nominalised":
        return sentence.norms[one.token][:-2] == sentence.norms[other.token][:-2]
    if one.kind in PRONOUNS and other.kind in PRONOUNS:
        norm = sentence.norms[other.token]
        return any(word.text.lower() == norm for reading in one.readings for word in reading.words)
    return False


def _are_joined(sentence: SwapSentence, one: Mention, other: Mention) -> bool:
    """Return True if nothing but a joint and what belongs to the second half stands between two mentions."""
    between = range(one.token + 1, other.token)
    norms = [sentence.norms[i] for i in between]
    if _JOINTS.isdisjoint(norms):
        return False
    first = next(i for i in between if sentence.norms[i] in _JOINTS)
    if first != one.token + 1 and sentence.norms[one.token + 1] not in _BETWEEN:
        return False
    return all(
        sentence.norms[i] in _JOINTS
        or sentence.norms[i] in _BETWEEN
        or sentence.norms[i] in sentence.lexicon.determiners
        or sentence.is_adjective(i)
        for i in between
    )
