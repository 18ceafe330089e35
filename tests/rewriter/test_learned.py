"""The guard ``learned``: of an answer stands what the model's training pairs change; it knows no language."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rewriter import Rewriter
from rewriter.errors import ModelError, UsageError
from rewriter.language.interface import get_language
from rewriter.language.without_rules import without_rules
from rewriter.model.constant import FirstForms
from rewriter.model.guard import LEARNED, PROTECTED, check
from rewriter.model.learned import CHANGES, UNKNOWN, LearnedChanges
from rewriter.model.proposer import Proposal, Sentence
from rewriter.model.seq2seq import AnswerProposer
from rewriter.records import Pair, apply_edits
from train.export.changes import learn_changes

VERBS = "knows needs wants sees feels thinks brings keeps turns moves".split()
PAIRS = [
    ("She knows her stuff.", "They know their stuff."),
    ("He or she sees it.", "They see it."),
    ("The fireman waits.", "The firefighter waits."),
    ("A congresswoman spoke.", "A member of congress spoke."),
    ("Die Lehrerin kommt.", "Der*die Lehrer*in kommt."),
    ("It rains.", "It rains."),
    *((f"She {verb} it.", f"They {verb[:-1]} it.") for verb in VERBS),
    *((f"The maps of {who} are here.", f"The maps of {who} are here, they say.") for who in ("Ann", "Bo", "Cy")),
    ("Die Lehrer kommen heute.", "Die Lehrerinnen und Lehrer kommen heute."),
    ("Alle Lehrer wissen es.", "Alle Lehrerinnen und Lehrer wissen es."),
    ("Les étudiants lisent.", "Les étudiant·e·s lisent."),
    ("वह जाता है", "वह जाती है"),
    ("Er kommt.", "die Person kommt."),
    ("She left.", "They left."),
]
CHANGED = learn_changes([Pair(a, b, "en", "own", "mixed") for a, b in PAIRS for _ in range(2)])

ANSWERS = [
    ("She knows her stuff.", "They know their stuff.", "They know their stuff."),
    ("She knows Ana Smith.", "They know Anna Smyth.", "They know Ana Smith."),
    ("She  knows it .", "They know it .", "They  know it ."),
    ("He or she  knows Kai.", "They know Kay.", "They  know Kai."),
    ("She slumps there.", "They slump there.", "They slump there."),
    ("The bank knows it.", "The bank know it.", "The bank knows it."),
    ("She slumps on maps by McKinseys.", "They slump on map by McKinsey.", "They slump on maps by McKinseys."),
    ("In the 1990s Williams left.", "In the 1990 William left.", "In the 1990s Williams left."),
    ("SHE left.", "They left.", "SHE left."),
    ("SHE left.", "THEY left.", "THEY left."),
    ("Er ging.", "die Person ging.", "die Person ging."),
    ("Er ging.", "Die Person ging.", "Er ging."),
    ("Viele Lehrer lesen.", "Viele Lehrerinnen und Lehrer lesen.", "Viele Lehrerinnen und Lehrer lesen."),
    ("Lehrer", "Lehrerinnen und Lehrer", "Lehrerinnen und Lehrer"),
    ("Viele Tage und Nächte.", "Viele Tage und viele Nächte.", "Viele Tage und Nächte."),
    ("Des étudiants lisent.", "Des étudiant·e·s lisent.", "Des étudiant·e·s lisent."),
    ("वह पानी है", "वह पानता है", "वह पानी है"),
    ("वह जाता है", "वह जाती है", "वह जाती है"),
    ("She has fled to Kyiv, she knows.", "They fled to Kyiv, they know.", "They has fled to Kyiv, they know."),
    ("The fireman waits at 9:45.", "The firefighter waits at at 9:54.", "The firefighter waits at 9:45."),
    ("the Fireman", "the firefighter", "the Fireman"),
    ("A congresswoman spoke.", "A member of  congress talked.", "A member of  congress spoke."),
    ("Die Lehrerin", "Der*die Lehrer*in", "Der*die Lehrer*in"),
    ("It rains.", "", "It rains."),
    ("", "They know.", ""),
    ("Ein Zug fährt.", "Ein Zug fährt fährt fährt.", "Ein Zug fährt."),
]  # fmt: skip


@pytest.mark.parametrize(("source", "answer", "stands"), ANSWERS)
def test_what_the_pairs_never_change_stays(source: str, answer: str, stands: str) -> None:
    taught, foreign = CHANGED.split(source, answer)
    assert apply_edits(source, taught) == stands
    assert bool(foreign) == (stands != answer and stands.split() != answer.split())


def test_an_ending_needs_many_words_and_a_stem() -> None:
    assert CHANGED.endings == {("s", "", False): False}
    assert "maps" in CHANGED.stays and "knows" not in CHANGED.stays
    assert CHANGED.knows(["slumps"], ["slump"])
    assert not CHANGED.knows(["gas"], ["ga"]), "too short a stem"
    assert not CHANGED.knows(["slumped"], ["slump"]), "an ending that no pair changes"


def test_what_was_seen_once_is_not_listed() -> None:
    once = learn_changes([Pair("She left.", "They left.", "en", "own", "mixed")])
    assert once.changes == {}


def test_copies_do_not_count_towards_what_is_read() -> None:
    copies = [Pair("It rains.", "It rains.", "en", "copy", "neutral")] * 10
    pairs = [Pair("She left.", "They left.", "en", "own", "mixed")] * 2
    assert learn_changes([*copies, *pairs], most=2).changes == {("she", "they", True): True}


@given(st.text(max_size=60), st.text(max_size=60))
def test_any_answer_can_be_read(source: str, answer: str) -> None:
    taught, foreign = CHANGED.split(source, answer)
    assert all(source[edit.start : edit.end] == edit.before for edit in [*taught, *foreign])
    ends = [0, *(edit.end for edit in taught)]
    assert all(edit.start >= end for edit, end in zip(taught, ends, strict=False))
    assert CHANGED.split(source, source) == ([], [])


class Fixed:
    """Answers every sentence with one text."""

    def __init__(self, text: str) -> None:
        self.text = text

    def answer(self, sentences: Sequence[str]) -> list[str]:
        return [self.text for _ in sentences]


def test_what_is_protected_stays() -> None:
    proposer = AnswerProposer(Fixed("They know `they`."), get_language("en"), guard=LEARNED, changes=CHANGED)
    [proposal] = proposer.propose([Sentence("She knows `she`.", ((10, 15),))])
    assert [f"{edit.before} -> {edit.after}" for edit in proposal.edits] == ["She -> They", "knows -> know"]
    assert proposal.rejected == [("she -> they", PROTECTED)]


@pytest.mark.parametrize("language", [get_language("en"), without_rules("xx")], ids=["with rules", "without"])
def test_it_needs_no_rules(language: object) -> None:
    proposer = AnswerProposer(Fixed("They know Anna."), language, guard=LEARNED, gate=False, changes=CHANGED)  # type: ignore[arg-type]
    [proposal] = proposer.propose([Sentence("She knows Ana.")])
    assert [f"{edit.before} -> {edit.after}" for edit in proposal.edits] == ["She -> They", "knows -> know"]
    assert proposal.rejected == [("Ana -> Anna", UNKNOWN)]


def test_what_was_taught_nothing_is_refused() -> None:
    for make in (
        lambda: AnswerProposer(Fixed(""), get_language("en"), guard=LEARNED),
        lambda: FirstForms(get_language("en"), guard=LEARNED),
    ):
        with pytest.raises(UsageError, match="only such a model lists that"):
            make()
    with pytest.raises(UsageError, match="only such a model lists that"):
        check("She left.", (), Proposal(), get_language("en"), mode=LEARNED)
    for options in ({}, {"decides": "grammar"}):
        with pytest.raises(UsageError, match="only such a model lists that"):
            Rewriter.from_pretrained("en", guard=LEARNED, **options)


def test_it_is_stored_beside_the_model(tmp_path: Path) -> None:
    CHANGED.save(tmp_path)
    assert LearnedChanges.load(tmp_path) == CHANGED


@pytest.mark.parametrize(
    "stored",
    ["", "[]", '{"changes": 3}', '{"changes": [["a"]]}', '{"changes": [["a", 1, true, true]]}', '{"changes": []}'],
)
def test_a_damaged_list_is_named(stored: str, tmp_path: Path) -> None:
    (tmp_path / CHANGES).write_text(stored, encoding="utf-8")
    with pytest.raises(ModelError, match=CHANGES):
        LearnedChanges.load(tmp_path)


def test_a_model_without_a_list_says_how_to_get_one(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="export the model again with its pairs"):
        LearnedChanges.load(tmp_path)
