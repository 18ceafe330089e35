"""Lists of bare nouns, whose members are alike: *Lehrer, Schüler und Eltern* are several."""

from __future__ import annotations

from rewriter.de.lexicon import PLUR, genders
from rewriter.de.phrase import Phrase
from rewriter.de.sentence import Sentence

_JOINTS = frozenset({",", "und", "oder", "sowie"})


def is_listed_with_several(sentence: Sentence, phrase: Phrase) -> bool:
    """Tell whether a bare noun is joined to bare nouns of which one is a plural and nothing else.

    Args:
        sentence: that holds the phrase.
        phrase: without a determiner.
    """
    norms = sentence.norms
    if phrase.determiner >= 0 or phrase.adjectives:
        return False
    if sentence.norm(phrase.head + 1) not in _JOINTS and sentence.norm(phrase.head - 1) not in _JOINTS:
        return False
    members = []
    for step in (-1, 1):
        at = phrase.head
        while sentence.norm(at + step) in _JOINTS and 0 <= at + 2 * step < len(norms):
            at += 2 * step
            if not sentence.tokens[at].shape or not norms[at].isalpha():
                break
            members.append(at)
    return any(_is_plural(sentence, at) for at in members)


def _is_plural(sentence: Sentence, at: int) -> bool:
    """Tell whether a noun is a plural and nothing else (*Eltern, Kinder, Schülerinnen*)."""
    if at and not (sentence.norms[at - 1] in _JOINTS or at == 0):
        return False
    word = sentence.words[at]
    if word is not None and word.noun is not None:
        return not word.noun.mask & ~PLUR
    return genders().get(sentence.surface(at)) == "p"
