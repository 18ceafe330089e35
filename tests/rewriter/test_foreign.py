"""What is no English: other languages, quotations from them, names, code. Such words stay whatever they look like."""

from __future__ import annotations

import pytest

from rewriter.language.interface import get_language
from rewriter.policy.protect import protected_spans

#: sentences in which no pronoun may become a candidate
STAYS = [
    "Ya he comido dos veces en Lima.",
    "He ovat asuneet kaupungissa kauan.",
    "He nui te wai i konei.",
    "Her akşam deniz kenarında yürürüm.",
    "Die Firma stellt mehr Stühle her.",
    "Sie gebt Wein her, dachte Anna.",
    'The sign said "kom her" in red letters.',
    "Nobody knew what ‘her og nå’ meant.",
    "The chairman of the association is He Weiping.",
    "The guests were Tang Yi, He Bin and a friend.",
    "They arrested the painter He Fan.",
    "Ya he comido tres veces en Wales.",
    "    return (x > she) - (x < she)",
    "    (first, last) = split(herself[3:])",
    "Last year He Man Shek opened a shop.",
    "Yesterday Mai Her and Kao Her signed the lease.",
    "See He and Wang (1988) for details.",
    "He, X., & Liu, Y. (1999). Notes on tides.",
    "The method of He et al. was faster.",
    "A cloud of He and dust.",
    "Here the He was lost, and solid He formed.",
    "The anatomist Wilhelm His lives on in a name.",
    "Only He stayed liquid; Ar and N2 froze.",
    "The residues Asp, Glu and His form the triad.",
    "Home Secretary She spoke first.",
    "    def load(self, herself):",
    "for he in names:",
    "    return str(she)",
    "source = herself",
    "    her(1, 2)",
    "Call her._read before you go on.",
    "    if her in (FIRST, LAST):",
    "while he >= 0:",
    "        return 0 == herself",
    "    total: List[his] = []",
    "first, last = him, her",
    "state.hers = other.hers + hers",
    "found = found or her",
    "    Frame.load(self, himself)",
    "        TextAction(kind, hers, queue),",
    "Everybody shouted “her er vi” at the gate.",
    "The word 'von alters her' is carved above the door.",
    "He\thelium\t4.0\tnoble gas",
]
#: sentence, and the pronouns that are ones
CHANGES = [
    ("She smiled.", ["She"]),
    ("How She Lost Her Shoes", ["She", "Her"]),
    ("He was a narcissist, said Umberto.", ["He"]),
    ("idk man he jus sits there", ["he"]),
    ("For her this is new:", ["her"]),
    ("If he comes (see page 3), call me.", ["he"]),
    ("With the owner(s) gone, she waited.", ["she"]),
    ("Return the book to her; she needs it.", ["her", "she"]),
    ("“Tell her!” he cried.", ["her", "he"]),
    ("They said “kiss her” and laughed.", ["her"]),
    ("Then he... well, he left.", ["he", "he"]),
    ("Reports say she[3] lives in Oslo.", ["she"]),
    ("Name = the word she writes on the card", ["she"]),
    ("if she stays in (and he too), call:", ["she", "he"]),
    ("“Er, her name?” he asked.", ["her", "he"]),
    ("“The von Trapps saw her.”", ["her"]),
    ("They praised Jehovah His servant.", ["His"]),
    ("They asked, and He Said, of course, no.", ["He"]),
    ("When he comes, she leaves: He Will, and soon.", ["he", "she", "He"]),
    ("Did Kvist ever frimp her brool?", ["her"]),
    ("return the book (it is hers)", ["hers"]),
    ("He met Xi and Wang.", ["He"]),
    ("Her favourite is the Kandinsky.", ["Her"]),
]


def pronouns(text: str) -> list[str]:
    analysis = get_language("en").analyze(text, protected_spans(text))
    return [text[c.start : c.end] for c in analysis.candidates if c.kind == "pronoun"]


@pytest.mark.parametrize("text", STAYS)
def test_what_is_no_english_pronoun(text: str) -> None:
    assert pronouns(text) == []


@pytest.mark.parametrize(("text", "expected"), CHANGES)
def test_what_is_one(text: str, expected: list[str]) -> None:
    assert pronouns(text) == expected
