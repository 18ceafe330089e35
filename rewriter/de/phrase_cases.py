"""What gender, number and case are left of a German noun phrase whose words have been found.

The intersection of what each of its words may be, and what a preposition before it leaves; what its place in the clause
tells is for a network to read.
"""

from __future__ import annotations

from rewriter.de.inflection import MASCULINE
from rewriter.de.phrase import Phrase
from rewriter.de.sentence import Sentence
from rewriter.de.word_readings import ALL, MASC, PLUR, Word, bit


def noun_mask(sentence: Sentence, word: Word) -> int:
    """Return what the form of a noun leaves; that of a nominalised adjective leaves all.

    For a network a masculine without its ending may stand in any case (*des Pharao, dem Patient*).

    Args:
        sentence: that holds the noun.
        word: the noun.
    """
    if word.noun is None:
        return ALL
    mask = word.noun.mask
    is_bare = sentence.lexicon.open_ended and mask & bit(MASCULINE, 0) and word.noun.gender == MASCULINE
    return mask | MASC if is_bare else mask


def adjectives_mask(sentence: Sentence, phrase: Phrase) -> int:
    """Return what the endings of a phrase's adjectives leave, that of a nominalised head included.

    Args:
        sentence: that holds the phrase.
        phrase: its words have been found.
    """
    mask = ALL
    for index in phrase.adjectives:
        if phrase.determiner >= 0 or sentence.ending(index) in ("er", "em"):
            mask &= sentence.adjective_mask(phrase.paradigm, index)
    if phrase.word.noun is None and phrase.word.nominalised is not None:
        mask &= sentence.closed.adjective_masks.get((phrase.paradigm, phrase.word.nominalised.ending), 0)
    return mask


def restrict(sentence: Sentence, phrase: Phrase) -> None:
    """Write down in a phrase what is left of it.

    Args:
        sentence: that holds the phrase.
        phrase: its words have been found.
    """
    noun = mask = noun_mask(sentence, phrase.word)
    if phrase.reading is not None:
        mask &= phrase.reading.mask
    with_adjectives = mask & adjectives_mask(sentence, phrase)
    if with_adjectives:
        mask = with_adjectives
    else:
        phrase.certain = False
    mask = _left_by_preposition(sentence, phrase, mask) | (0 if phrase.certain else noun)
    phrase.mask = mask | noun & PLUR if _may_be_pronoun(sentence, phrase) else mask


def _left_by_preposition(sentence: Sentence, phrase: Phrase, mask: int) -> int:
    """Return what a preposition right before a phrase leaves of a mask."""
    cases = sentence.closed.prepositions.get(sentence.norm(phrase.start - 1))
    return mask & cases or mask if cases is not None else mask


def _may_be_pronoun(sentence: Sentence, phrase: Phrase) -> bool:
    """Return True if the article right before a noun may be a relative pronoun instead."""
    if phrase.reading is None or phrase.reading.kind != "definite" or phrase.determiner != phrase.head - 1:
        return False
    before, further = sentence.norm(phrase.determiner - 1), sentence.norm(phrase.determiner - 2)
    return before == "," or (before in sentence.closed.prepositions and further == ",")
