"""A sequence-to-sequence model behind the guard; a translator that answers from a table stands in for the engine."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import pytest

from rewriter.en.language import make
from rewriter.language.interface import get_language
from rewriter.model.guard import NO_OPTION, OUTSIDE, SPACE
from rewriter.model.proposer import Sentence
from rewriter.model.seq2seq import Seq2SeqModel
from rewriter.records import apply_edits

ENGLISH = make()
ANSWERS = {
    "She knows her stuff.": "They know their stuff.",
    "He said  that he left.": "They said that they leaved.",
    "Her friend is here.": "Their friends are here.",
    "Nothing to see.": "Nothing to look at.",
}


class Table:
    """Translator and vocabulary in one: a sentence is one piece, and its answer stands in a table."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def bos_id(self) -> int:
        return -1

    def encode(self, text: str, out_type: type) -> list[str]:
        return [text]

    def decode(self, pieces: Sequence[str]) -> str:
        return pieces[0]

    def translate_batch(self, sources: Sequence[Sequence[str]], **options: Any) -> list[SimpleNamespace]:
        self.asked += [source[0] for source in sources]
        return [SimpleNamespace(hypotheses=[[ANSWERS[source[0]]]]) for source in sources]


def propose(**options: Any) -> tuple[dict[str, str], dict[str, list[str]], list[str]]:
    """Return the result and the reasons of what was refused for every source, and what the engine was asked."""
    table = Table()
    proposals = Seq2SeqModel(table, table, ENGLISH, **options).propose([Sentence(source) for source in ANSWERS])
    pairs = list(zip(ANSWERS, proposals, strict=True))
    texts = {source: apply_edits(source, proposal.edits) for source, proposal in pairs}
    return texts, {source: [reason for _, reason in p.rejected] for source, p in pairs}, table.asked


STRICT = {
    "She knows her stuff.": ("They know their stuff.", []),
    "He said  that he left.": ("They said  that they left.", [SPACE, OUTSIDE]),
    # "is" may only change where a subject pronoun does
    "Her friend is here.": ("Their friend is here.", [OUTSIDE, OUTSIDE]),
    "Nothing to see.": ("Nothing to see.", []),
}


def test_strict_keeps_what_the_grammar_allows() -> None:
    texts, reasons, asked = propose()
    assert {source: (texts[source], reasons[source]) for source in ANSWERS} == STRICT
    assert "Nothing to see." not in asked  # nothing in it may change, so nobody need ask


def test_report_makes_what_strict_lists() -> None:
    texts, reasons, _ = propose(guard="report")
    assert texts == ANSWERS
    strict = {source: found for source, (_, found) in STRICT.items()}
    assert reasons == {**strict, "Nothing to see.": [OUTSIDE, OUTSIDE]}


@pytest.mark.parametrize(
    ("lang", "edits"),
    # *'s* is one token in English, two in German
    [("en", [("", " "), ("'s", "es")]), ("de", [("", " "), ("'", "es"), ("s", "")])],
)
def test_an_answer_is_cut_by_the_tokenizer_of_the_language(
    lang: str, edits: list[tuple[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    source, answer = "Er kann's nicht.", "Er kann es nicht."
    monkeypatch.setitem(ANSWERS, source, answer)
    model = Seq2SeqModel(Table(), Table(), get_language(lang), guard="off")
    (proposal,) = model.propose([Sentence(source)])
    assert [(edit.before, edit.after) for edit in proposal.edits] == edits
    assert apply_edits(source, proposal.edits) == answer


def test_off_gives_the_models_own_answer() -> None:
    texts, reasons, _ = propose(guard="off")
    assert texts == ANSWERS
    assert not any(reasons.values())


def test_without_the_gate_the_guard_holds() -> None:
    texts, reasons, asked = propose(gate=False)
    assert texts["Nothing to see."] == "Nothing to see."
    assert reasons["Nothing to see."] and set(asked) == set(ANSWERS)


@pytest.mark.parametrize("answer", ["", "They.", "Xe knows xir stuff.", "She knows her stuff. She knows her stuff."])
def test_any_answer_leaves_a_sentence_of_the_grammar(answer: str, monkeypatch: pytest.MonkeyPatch) -> None:
    source = "She knows her stuff."
    monkeypatch.setitem(ANSWERS, source, answer)
    texts, reasons, _ = propose()
    assert texts[source].endswith(" stuff.") and len(texts[source].split()) == 4
    assert set(reasons[source]) <= {OUTSIDE, NO_OPTION, SPACE}
