"""Sentences with pronouns bring those before them, in which the network finds what they mean."""

from rewriter import Rewriter
from rewriter.de.language import make
from rewriter.model.directory import load_info, resolve
from rewriter.model.grammar import GrammarProposer
from rewriter.model.proposer import Sentence

GERMAN = make()


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
