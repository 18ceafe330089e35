"""Answers that lost, repeated or changed what they had to copy are told from those that rewrote."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from rewriter.language.interface import get_language
from rewriter.model.coverage import CHANGED_SIGN, LOST, REPEATED, TOO_LONG, TOO_SHORT, fault
from rewriter.model.guard import check
from rewriter.model.proposer import Proposal, Sentence
from rewriter.model.seq2seq import AnswerProposer
from rewriter.records import Edit

LONG = "The clerk told her that the ferry to the old harbour had left an hour ago"
FINE = [
    ("She sees.", "They see."),
    ("He is a teacher and his wife knows it.", "They are a teacher and their wife knows it."),
    ("Der Lehrer und der Schüler sahen den Arzt.", "Der*die Lehrer*in und der*die Schüler*in sahen den*die Ärzt*in."),
    ("Die Lehrer kommen.", "Die Lehrerinnen und Lehrer kommen."),
    ("Die Bürger und die Ärzte.", "Die Bürgerinnen und Bürger und die Ärztinnen und Ärzte."),
    ("no no no no no", "no no no no no"),
    ("Write to him at https://a.example/b?c=1 by 9:30.", "Write to them at https://a.example/b?c=1 by 9:30."),
    (LONG, "The clerk told them that the ferry to the left an hour ago"),
    ("", ""),
]  # fmt: skip
FAULTY = [
    (LONG, "The clerk told them.", TOO_SHORT),
    (LONG, "The clerk told them that the boat of our new pier had left an hour ago", LOST),
    ("She sees.", "They see, " * 8, TOO_LONG),
    ("He saw the dog there.", "They saw the dog saw the dog saw the dog.", REPEATED),
    ("He paid 1,250 euros.", "They paid 1,520 euros.", CHANGED_SIGN),
    ("Ask him, @mara_9!", "Ask them, @mara!", CHANGED_SIGN),
    ("He reads www.harbour.example daily.", "They read www.harbor.example daily.", CHANGED_SIGN),
]


@pytest.mark.parametrize(("source", "answer"), FINE)
def test_what_was_rewritten_is_covered(source: str, answer: str) -> None:
    assert fault(source, answer) == ""


@pytest.mark.parametrize(("source", "answer", "reason"), FAULTY)
def test_faults_are_named(source: str, answer: str, reason: str) -> None:
    assert fault(source, answer) == reason


class Fixed:
    """Answers every sentence with one text."""

    def __init__(self, text: str) -> None:
        self.text = text

    def answer(self, sentences: Sequence[str]) -> list[str]:
        return [self.text for _ in sentences]


@pytest.mark.parametrize(
    ("answer", "edits", "reasons"),
    [("They paid 12 pounds", ["He -> They", "euros -> pounds"], []), ("They paid 21 euros", [], [CHANGED_SIGN])],
)
def test_the_mode_covered_takes_an_answer_whole_or_not_at_all(
    answer: str, edits: list[str], reasons: list[str]
) -> None:
    proposer = AnswerProposer(Fixed(answer), get_language("en"), guard="covered")
    [proposal] = proposer.propose([Sentence("He paid 12 euros")])
    assert [f"{edit.before} -> {edit.after}" for edit in proposal.edits] == edits
    assert [reason for _, reason in proposal.rejected] == reasons


def test_edits_of_any_proposer_are_held_to_it() -> None:
    text, english = "He paid 12 euros", get_language("en")
    wrong = Proposal([Edit(0, 2, "He", "They", "pronoun", "x"), Edit(8, 10, "12", "13", "other", "x")])
    assert check(text, (), wrong, english, mode="covered").edits == []
    assert len(check(text, (), wrong, english, mode="off").edits) == 2
    assert check(text, (), Proposal(wrong.edits[:1]), english, mode="covered").edits == wrong.edits[:1]
