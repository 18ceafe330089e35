"""Pronouns in the second sentence of a text: what the first one names decides."""

import pytest

from rewriter import Rewriter
from rewriter.de.language import make
from rewriter.model.directory import load_info, resolve
from rewriter.model.grammar import GrammarProposer
from rewriter.model.proposer import Sentence

GERMAN = make()

#: text, whether the last sentence's first pronoun may mean a person whom the convention stars
TEXTS = [
    (("Der Tisch ist alt.", "Er wackelt."), False),
    (("Der Tisch ist alt.", "Er wackelt.", "Ich mag ihn."), False),
    (("Die Stadt wuchs.", "Sie hatte zehntausend Einwohner."), False),
    (("Peter kam.", "Er setzte sich."), False),
    (("Mein Vater kam.", "Er setzte sich."), False),
    (("Die Kinder spielten.", "Wir riefen sie."), False),
    (("Der Lehrer kam.", "Er sang."), True),
    (("Die Lehrerin ging.", "Der Zug kam.", "Sie stieg ein."), True),
    (("Es regnete.", "Er sang."), True),
]


@pytest.mark.parametrize(("sentences", "is_person"), TEXTS)
def test_sentences_before_tell_what_a_pronoun_means(sentences, is_person):
    *before, last = sentences
    found = GERMAN.analyze(last, before=before).candidates
    assert any(c.kind == "pronoun" and c.hint > 0 for c in found) == is_person


class Recorder(GrammarProposer):
    """Keeps the sentences that it was asked about."""

    def propose(self, sentences):
        self.asked = list(sentences)
        return super().propose(sentences)


def test_only_sentences_with_pronouns_bring_those_before_them_and_at_most_three():
    proposer = Recorder(GERMAN)
    text = "Eins kam. Zwei kam. Drei kam. Vier kam. Er sang. Der Lehrer schlief."
    Rewriter(proposer, GERMAN, load_info(resolve("de"))).rewrite(text)
    assert proposer.asked == [
        Sentence("Er sang.", (), ("Zwei kam.", "Drei kam.", "Vier kam.")),
        Sentence("Der Lehrer schlief."),
    ]
