"""Relative pronouns behind a pronoun that means a person (*Jeder, der Kinder hat*; *Ich kenne niemanden, der ...*)."""

from __future__ import annotations

from rewriter.de.inflection import ACCUSATIVE, DATIVE, GENITIVE, NOMINATIVE
from rewriter.de.sentence import Sentence

#: what a form may be behind a masculine and behind a feminine
MASCULINE_RELATIVES: dict[str, tuple[int, ...]] = {
    "der": (NOMINATIVE,),
    "den": (ACCUSATIVE,),
    "dem": (DATIVE,),
    "dessen": (GENITIVE,),
    "welcher": (NOMINATIVE,),
    "welchen": (ACCUSATIVE,),
    "welchem": (DATIVE,),
}
FEMININE_RELATIVES: dict[str, tuple[int, ...]] = {
    "die": (NOMINATIVE, ACCUSATIVE),
    "der": (DATIVE,),
    "deren": (GENITIVE,),
    "welche": (NOMINATIVE, ACCUSATIVE),
    "welcher": (DATIVE,),
}
#: pronouns of persons that have one form for all, and a masculine relative pronoun behind them
ANYBODY = frozenset(
    "niemand niemanden niemandem jemand jemanden jemandem irgendjemand irgendjemanden irgendjemandem".split()
)


def comma_before(sentence: Sentence, index: int) -> int:
    """Return the comma before a relative pronoun, with a preposition between them or none; 0 where there is none.

    Args:
        sentence: that holds the pronoun.
        index: its token.
    """
    comma = index - 1
    if sentence.norm(comma) in sentence.closed.prepositions:
        comma -= 1
    return comma if comma > 0 and sentence.norms[comma] == "," and not sentence.tokens[index].shape else 0


def cases_behind_pronoun(sentence: Sentence, index: int, pronoun: int) -> tuple[int, ...]:
    """Return the cases of a relative pronoun right behind *jeder, keine, einem* ..., none where it agrees with none.

    Args:
        sentence: that holds both.
        index: token of the relative pronoun.
        pronoun: token of the pronoun before the comma.
    """
    before = sentence.closed.prepositions.get(sentence.norm(pronoun - 1), 0)
    norm = sentence.norms[pronoun]
    is_feminine = norm.endswith("e") or (norm.endswith("er") and before & _DATIVES > 0)
    forms = FEMININE_RELATIVES if is_feminine else MASCULINE_RELATIVES
    if sentence.norm(index + 2) == "," and sentence.tokens[index + 1].shape:
        return ()  # Keiner, der Chef am wenigsten
    return forms.get(sentence.norms[index], ())


_DATIVES = 0x444
