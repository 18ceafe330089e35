"""Relative pronouns right behind a person follow it; gender, prepositions and genitives tell the case of pronouns."""

import pytest

from rewriter.language.interface import get_language

GERMAN = get_language("de")

#: sentence, its relative pronoun as the last word of that form, what it may become
SETTLED = [
    ("Ein Autor, dessen Buch ich las, singt.", "dessen", "dessen*deren"),
    ("Ein Lehrer, dem ich schrieb, singt.", "dem", "dem*der"),
    ("Ein Lehrer, den ich sah, singt.", "den", "den*die"),
    ("Ein Lehrer, der dort steht, singt.", "der", "der*die"),
    ("Ein Lehrer, mit dem ich sprach, singt.", "dem", "dem*der"),
]
#: no relative pronouns of the person
OTHERS = [
    ("Ein Lehrer, den Hut in der Hand, singt.", "den"),
    ("Ein Lehrer, die dort stehen, singt.", "die"),
    ("Das Haus, dem ein Lehrer gehört, singt.", "dem"),
]


def relative(text, word):
    found = [c for c in GERMAN.analyze(text).candidates if c.kind == "relative" and text[c.start : c.end] == word]
    return found[-1] if found else None


@pytest.mark.parametrize(("text", "word", "fair"), SETTLED)
def test_a_pronoun_right_behind_a_person_follows_it_in_one_case(text, word, fair):
    candidate = relative(text, word)
    assert [after for _, after in candidate.options[1:]] == [fair]
    assert candidate.governor >= 0


@pytest.mark.parametrize(("text", "word"), OTHERS)
def test_what_does_not_agree_or_stands_elsewhere_follows_nobody(text, word):
    candidate = relative(text, word)
    assert candidate is None or candidate.governor < 0


#: pronouns that stand alone: what they may become
ALONE = [
    ("Einer der Lehrer spielt.", "Einer", ["Eine*r"]),
    ("Eine der Lehrerinnen spielt.", "Eine", ["Eine*r", "Eine*n"]),
    ("Sie sprach mit einer der Lehrerinnen.", "einer", ["einem*r"]),
    ("Das gilt für jeden.", "jeden", ["jede*n"]),
    ("Die Anglerin fluchte, weil ihr der Fisch entkam.", "ihr", ["ihm*ihr"]),
    ("Die Anglerin kam ohne sie.", "sie", ["ihn*sie"]),
]


@pytest.mark.parametrize(("text", "word", "fair"), ALONE)
def test_neighbours_tell_the_case_of_pronouns(text, word, fair):
    found = [c for c in GERMAN.analyze(text).candidates if text[c.start : c.end] == word]
    assert [replacement for _, replacement in found[0].options[1:]] == fair
