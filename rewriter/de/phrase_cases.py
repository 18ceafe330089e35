"""What gender, number and case are left of a German noun phrase whose words have been found.

The intersection of what each of its words may be, and what the words around it rule out.
"""

from __future__ import annotations

from rewriter.de.certain_cases import (
    DATIVE,
    GENITIVE,
    excluded_case,
    is_predicate,
    opens_clause,
    without_genitive,
    without_plural,
)
from rewriter.de.inflection import MASCULINE
from rewriter.de.lexicon import ALL, FEM, MASC, PLUR, Word, bit
from rewriter.de.lists import is_listed_with_several
from rewriter.de.phrase import Phrase
from rewriter.de.sentence import Sentence
from rewriter.de.short_texts import is_bare_object, is_of_order

#: prepositions that take a dative in speech only
_GENITIVE_FIRST = frozenset("wegen während trotz statt anstatt anstelle mittels seitens angesichts mithilfe".split())
_NOMINATIVES = bit(0, 0) | bit(1, 0) | bit(2, 0)
_ACCUSATIVES = bit(0, 1) | bit(1, 1) | bit(2, 1)
_FEMININE_SUBJECT = bit(1, 0) | bit(1, 1)
_PARTITIVES = frozenset("einer eine einem einen eines keiner keine jeder jede welcher".split())


def noun_mask(word: Word, *, leaves_open: bool = False) -> int:
    """Return what the form of a noun leaves; that of a nominalised adjective leaves all.

    Args:
        word: the noun.
        leaves_open: a masculine without its ending may stand in any case (*des Pharao, dem Patient*).
    """
    if word.noun is None:
        return ALL
    mask = word.noun.mask
    return mask | MASC if leaves_open and mask & bit(MASCULINE, 0) and word.noun.gender == MASCULINE else mask


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


def restrict(sentence: Sentence, phrase: Phrase, *, is_thing: bool = False) -> None:
    """Write down in a phrase what is left of it.

    Args:
        sentence: that holds the phrase.
        phrase: its words have been found.
        is_thing: it means no person, and may stand first as an object (*Die Leitung übernahm die Ärztin*).
    """
    leaves_open = sentence.lexicon.open_ended
    noun = mask = noun_mask(phrase.word, leaves_open=leaves_open)
    if phrase.reading is not None:
        mask &= phrase.reading.mask
    with_adjectives = mask & adjectives_mask(sentence, phrase)
    if with_adjectives:
        mask = with_adjectives
    else:
        phrase.certain = False
    if leaves_open:
        # what the place in the clause tells is for the network to read
        mask = _left_by_preposition(sentence, phrase, mask) | (0 if phrase.certain else noun)
        if _may_be_pronoun(sentence, phrase):
            mask |= noun & PLUR
        phrase.mask = mask
        return
    mask = _governed(sentence, phrase, mask)
    mask = _placed(sentence, phrase, mask, is_thing=is_thing)
    if phrase.determiner < 0 and _is_several(sentence, phrase, mask):
        mask = mask & PLUR or mask
    if _may_be_pronoun(sentence, phrase):
        # ..., ab dem Nutzer zahlen: a relative pronoun before a bare noun
        mask, phrase.certain = mask | noun & PLUR, False
    phrase.mask = mask


def _governed(sentence: Sentence, phrase: Phrase, mask: int) -> int:
    """Return what the word before a phrase leaves, or that there is none which governs it."""
    before = _governor(sentence, phrase)
    cases = sentence.closed.prepositions.get(before)
    if cases is not None and mask & cases:
        mask &= cases
        if before in _GENITIVE_FIRST and mask & GENITIVE:
            mask &= ~DATIVE  # wegen der Ärztin
    if before in _PARTITIVES and phrase.reading is not None and phrase.reading.ending in ("", "er"):
        return mask & PLUR or mask  # einer der Lehrer
    if cases is None and phrase.reading is not None:
        return without_plural(sentence, phrase, without_genitive(sentence, phrase, mask))
    return mask


def _left_by_preposition(sentence: Sentence, phrase: Phrase, mask: int) -> int:
    """Return what a preposition right before a phrase leaves of a mask."""
    cases = sentence.closed.prepositions.get(sentence.norm(phrase.start - 1))
    return mask & cases or mask if cases is not None else mask


def _governor(sentence: Sentence, phrase: Phrase) -> str:
    """Return the word before a phrase, or before the adverb of its adjective (mit staatlich geprüfter Lehrerin)."""
    before = sentence.norm(phrase.start - 1)
    if before in ("während", "bis", "seit") and opens_clause(sentence, phrase.start - 1):
        return ""
    if before in ("um", "ohne", "für") and is_predicate(sentence, phrase):
        return ""
    if before in sentence.closed.prepositions or phrase.determiner >= 0 or not phrase.adjectives:
        return before
    further = sentence.norm(phrase.start - 2)
    is_adverb = before.isalpha() and sentence.tokens[phrase.start - 1].shape == 0
    return further if is_adverb and further in sentence.closed.prepositions else before


def _placed(sentence: Sentence, phrase: Phrase, mask: int, *, is_thing: bool) -> int:
    """Return what the place of a phrase in its clause or label leaves."""
    if phrase.determiner >= 0 and mask & FEM == _FEMININE_SUBJECT:
        return mask if is_thing else mask & ~excluded_case(sentence, phrase)
    if is_of_order(sentence, phrase):
        return mask & _ACCUSATIVES or mask  # Neue Besucherin anlegen
    if not is_thing and _is_headline(sentence, phrase):
        return mask & _NOMINATIVES or mask  # Neuer Trainer für Kiel; but: Letzte Woche kam sie
    if is_bare_object(sentence, phrase):
        # nimmt mutmaßlichen Betrüger fest
        return mask & (sentence.adjective_mask("strong", phrase.adjectives[0]) or mask)
    return mask


def _is_headline(sentence: Sentence, phrase: Phrase) -> bool:
    """Tell whether a sentence begins with a bare phrase in the nominative, and goes on behind it."""
    if phrase.determiner >= 0 or phrase.start or phrase.head + 1 == len(sentence.tokens):
        return False
    if not phrase.adjectives:
        word = phrase.word.nominalised  # Unbekannter überfällt Taxifahrer
        following = sentence.tokens[phrase.head + 1]
        return phrase.word.noun is None and word is not None and word.ending == "er" and not following.shape
    return sentence.ending(phrase.adjectives[0]) in ("e", "er")


def _is_several(sentence: Sentence, phrase: Phrase, mask: int) -> bool:
    """Tell whether a phrase without a determiner means several."""
    return sentence.is_counted(phrase) or _is_bare_oblique(phrase, mask) or is_listed_with_several(sentence, phrase)


def _is_bare_oblique(phrase: Phrase, mask: int) -> bool:
    """Tell whether a weak noun stands bare in a form that is no nominative: a plural (*Nachbarn riefen an*)."""
    noun = phrase.word.noun
    is_weak = noun is not None and noun.gender == MASCULINE and noun.person.declension in ("weak", "mixed")
    return is_weak and not mask & bit(MASCULINE, 0) and not phrase.adjectives


def _may_be_pronoun(sentence: Sentence, phrase: Phrase) -> bool:
    """Tell whether the article right before a noun may be a relative pronoun instead."""
    if phrase.reading is None or phrase.reading.kind != "definite" or phrase.determiner != phrase.head - 1:
        return False
    before, further = sentence.norm(phrase.determiner - 1), sentence.norm(phrase.determiner - 2)
    return before == "," or (before in sentence.closed.prepositions and further == ",")
