"""Relative pronouns right behind a person follow it; gender, prepositions and genitives tell the case of pronouns."""

import pytest

from rewriter.de.agreement import agree
from rewriter.de.drafts import CASE, KEEP, SINGULAR
from rewriter.language.interface import get_language

GERMAN = get_language("de")

#: sentence, its relative pronoun as the last word of that form, what it becomes by the grammar alone
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
    analysis = GERMAN.analyze(text)
    found = [c for c in analysis.candidates if c.kind == "relative" and text[c.start : c.end] == word]
    return analysis, found[-1] if found else None


@pytest.mark.parametrize(("text", "word", "fair"), SETTLED)
def test_the_grammar_settles_a_pronoun_right_behind_a_certain_person(text, word, fair):
    _, candidate = relative(text, word)
    assert candidate is not None
    assert dict(candidate.options)[candidate.forced] == fair
    assert candidate.governor >= 0


@pytest.mark.parametrize(("text", "word"), OTHERS)
def test_what_does_not_agree_or_stands_elsewhere_is_not_settled(text, word):
    _, candidate = relative(text, word)
    assert candidate is None or (candidate.forced is None and candidate.governor < 0)


def test_the_pronoun_follows_what_its_person_is():
    text = "Wir sahen die Lehrerin, die dort steht."
    analysis, candidate = relative(text, "die")
    place = analysis.candidates.index(candidate)
    # the model leaves the pronoun: it is starred with its person, in the case that the clause tells
    options = [0] * len(analysis.candidates)
    rows = [[1.0] + [0.0] * 12 for _ in options]
    rows[candidate.governor] = [0.0, 1.0] + [0.0] * 11
    rows[place] = [0.8, 0, 0, 0.05, 0.15] + [0.0] * 8
    options[candidate.governor] = next(
        i for i, (o, _) in enumerate(analysis.candidates[candidate.governor].options) if o == SINGULAR
    )
    assert agree(analysis, options, rows)[place] == CASE
    # and stays where its person stays
    stays = [0] * len(options)
    stays[place] = 1
    assert agree(analysis, stays, rows)[place] == KEEP


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


def test_persons_behind_a_pronoun_are_several():
    nouns = [c for c in GERMAN.analyze("Einer der Lehrer spielt.").candidates if c.kind == "noun"]
    assert [dict(c.options)[c.forced] for c in nouns] == ["Lehrer*innen"]
