"""``Rewriter.explain`` and ``gender-fair rewrite --explain``: who decided each candidate word, and how."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from typing import Any

import pytest

from rewriter.cli.main import main
from rewriter.errors import UsageError
from rewriter.language.candidates import Analysis, Candidate
from rewriter.language.interface import get_language
from rewriter.model.directory import ModelInfo
from rewriter.model.edit_model import Reading
from rewriter.model.grammar import write_grammar_model
from rewriter.model.proposer import Proposal, Sentence
from rewriter.pipeline import Rewriter
from rewriter.policy import Policy
from rewriter.records import Edit, Rewrite, apply_edits
from rewriter.report.explain import Explanation, Word, explain_rewrite, render


@cache
def rewriter(model: str, **options: Any) -> Rewriter:
    return Rewriter.from_pretrained(model, threads=1, **options)


def words(explanation: Explanation) -> dict[str, Word]:
    return {word.place.text: word for word in explanation.words}


#: model, text, (word, what stands there now, who decided)
DECISIONS = [
    ("en", "She knows her stuff.", [("She", "They", "grammar"), ("her", "their", "network")]),
    ("en", "I told `him` that he naps.", [("him", "him", "protected"), ("he", "they", "grammar")]),
    ("de", "Der Lehrer sagt, dass er singt.", [("Lehrer", "Lehrer*in", "network"), ("er", "er*sie", "network")]),
    ("de", "Der Bote sah `der Arzt` an.", [("Bote", "Bot*in", "network"), ("Arzt", "Arzt", "protected")]),
]


@pytest.mark.parametrize(("model", "text", "decisions"), DECISIONS)
def test_who_decided(model: str, text: str, decisions: list[tuple[str, str, str]]) -> None:
    found = words(rewriter(model).explain(text))
    assert [(w, found[w].result, found[w].decided_by) for w, _, _ in decisions] == decisions


def test_what_the_network_said_goes_by_outcome() -> None:
    her = words(rewriter("en").explain("She knows her stuff."))["her"]
    assert [choice.outcome for choice in her.choices] == ["keep", "object", "possessive"]
    assert [choice.text for choice in her.choices] == ["her", "them", "their"]
    said = [choice.probability or 0.0 for choice in her.choices]
    assert max(said) == said[2] and sum(said) == pytest.approx(1, abs=2e-4)


def test_what_the_grammar_settles_was_not_asked() -> None:
    she = words(rewriter("en").explain("She knows her stuff."))["She"]
    assert she.settled == "change" and all(choice.probability is None for choice in she.choices)


def test_what_a_word_follows_is_told() -> None:
    found = words(rewriter("de").explain("Der Lehrer sagt, dass er singt."))
    assert found["Der"].follows == found["Lehrer"].place


def test_agreement_overrules_the_likeliest_outcome() -> None:
    language, text = get_language("de"), "Die neue Richterin fragt."
    analysis = language.analyze(text)
    # the article alone would be an accusative; the adjective says otherwise
    shares = {0: [0.0, 0.45, 0.55], 1: [0.9, 0.1], 2: [0.0, 1.0]}
    rows = [[0.0] * len(language.outcomes) for _ in analysis.candidates]
    for index, candidate in enumerate(analysis.candidates):
        for (outcome, _), share in zip(candidate.options, shares[index], strict=True):
            rows[index][outcome] = share
    likeliest = [max(range(len(found)), key=found.__getitem__) for found in shares.values()]
    edits = language.settle(text, analysis, likeliest, [1.0] * len(rows), rows)
    rewrite = Rewrite(apply_edits(text, edits), tuple(edits), sentences=1, gated=1)
    found = words(explain_rewrite(text, rewrite, [(0, Sentence(text), Reading(analysis, shares, edits))], language))
    assert (found["Die"].result, found["Die"].decided_by) == ("Der*die", "agreement")


TEXTS = [
    ("en", "The sky is blue. She naps.\n\nHe or she reads, and I like her dog. See https://example.org/her."),
    ("en", "She naps. She naps. He's late, and his is the blue one."),
    ("de", "Es regnet. Die Ärztin kennt ihre Patienten.\n\nEr fuhr los. Sie kam, die Studentin."),
    ("de", "Der Zug war alt. Er fuhr los. Die Angestellten sahen den jungen Fahrer und seinen Wagen."),
]


@pytest.mark.parametrize(("model", "text"), TEXTS)
def test_an_explanation_tells_what_rewriting_does(model: str, text: str) -> None:
    explained, rewritten = rewriter(model).explain(text), rewriter(model).rewrite(text, return_edits=True)
    assert (explained.text, explained.sentences, explained.asked) == (
        rewritten.text,
        rewritten.sentences,
        rewritten.gated,
    )
    for word in explained.words:
        assert text[word.place.start : word.place.end] == word.place.text == word.choices[0].text
    changed = [(w.place.start, w.place.end, w.result) for w in explained.words if w.result != w.place.text]
    assert changed == [(edit.start, edit.end, edit.after) for edit in rewritten.edits]


def test_a_policy_withholds_with_its_reason() -> None:
    careful = Rewriter.from_pretrained("en", threads=1, policy=Policy(deny=("she",)))
    found = words(careful.explain("She knows her stuff."))
    assert (found["She"].decided_by, found["She"].result) == ("policy", "She")
    assert found["She"].reason == "denied word 'she'"
    assert (found["knows"].decided_by, found["her"].decided_by) == ("policy", "network")


def test_the_pair_form_names_the_phrase_that_is_written_anew() -> None:
    found = words(rewriter("de", form="pair").explain("Der junge Lehrer sagt, dass er singt."))
    assert found["Lehrer"].phrase is not None and found["Lehrer"].phrase.text == "Der junge Lehrer"
    assert found["Lehrer"].result == "Die junge Lehrerin oder der junge Lehrer"
    assert (found["er"].result, found["er"].phrase, found["er"].decided_by) == ("sie oder er", None, "network")


def test_odds_of_the_rules_that_outweigh_the_network_are_agreement() -> None:
    language = get_language("en")
    outcomes = (0, "her"), (2, "them"), (3, "their")
    her = Candidate(6, 9, 2, "pronoun", outcomes, lean=3.0)
    # with the rules' odds possessive is likelier: 0.3 * exp(3) against 0.7
    total = 0.7 + 0.3 * 20.0855
    reading = Reading(Analysis([], [her]), {0: [0.0, 0.7 / total, 0.3 * 20.0855 / total]}, [])
    edit = Edit(6, 9, "her", "their", "pronoun", "her -> their")
    rewrite = Rewrite("I saw their duck.", (edit,), sentences=1, gated=1)
    explained = explain_rewrite("I saw her duck.", rewrite, [(0, Sentence("I saw her duck."), reading)], language)
    (word,) = explained.words
    assert word.decided_by == "agreement"
    assert [choice.probability for choice in word.choices] == pytest.approx([0.0, 0.7, 0.3], abs=1e-3)


@pytest.mark.parametrize(("model", "text"), [("en", "The sky is blue."), ("de", "Es regnet."), ("en", "")])
def test_a_closed_gate_is_told_in_one_line(model: str, text: str) -> None:
    explained = rewriter(model).explain(text)
    assert (explained.text, explained.words) == (text, ())
    assert explained.note.startswith("the gate let nothing through") and "\n" not in explained.note


class Silent:
    """A proposer of somebody's own."""

    def propose(self, sentences: Sequence[Sentence]) -> list[Proposal]:
        return [Proposal() for _ in sentences]


def test_a_model_without_single_words_says_so(tmp_path: Any) -> None:
    write_grammar_model(tmp_path / "rules", "en")
    by_rules = Rewriter.from_pretrained(tmp_path / "rules")
    own = Rewriter(Silent(), get_language("en"), ModelInfo(name="silent", lang="en", target="edits"))
    assert by_rules.explain("She left.").text == "They left."
    for one in (by_rules, own):
        explained = one.explain("She left.")
        assert "is no edit model" in explained.note and not explained.words


@pytest.mark.parametrize(("options", "why"), [({"guard": "off"}, "--guard off"), ({"to": "feminine"}, "--to feminine")])
def test_other_ways_of_rewriting_are_not_explained(options: dict[str, str], why: str) -> None:
    other = Rewriter.from_pretrained("en", threads=1, **options)
    explained = other.explain("He left.")
    assert why in explained.note and explained.text == other.rewrite("He left.")


def test_only_a_string_is_explained() -> None:
    with pytest.raises(UsageError, match="takes a string, not list"):
        rewriter("en").explain(["She left."])  # type: ignore[arg-type]


def test_lines_for_people() -> None:
    lines = render(rewriter("en").explain("The sky is blue. She naps.")).splitlines()
    assert lines == [
        "The sky is blue. She naps.",
        "-> The sky is blue. They nap.",
        "   the gate let 1 of 2 sentences through",
        "",
        "17-20 She -> They",
        "    pronoun, decided by: grammar (rule 'pronoun that begins')",
        "    outcomes: keep She, change They",
        "    rules:    settle change",
        "",
        "21-25 naps -> nap",
        "    verb, decided by: grammar (rule 'beside its pronoun')",
        "    outcomes: keep naps, change nap",
        "    rules:    settle change, 'follows its pronoun'",
        "    follows:  17-20 She",
    ]


def test_the_command_explains_texts_in_order(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rewrite", "--explain", "She naps.", "Nothing here.", "--threads", "1"]) == 0
    said = capsys.readouterr().out
    assert said.index("-> They nap.") < said.index("-> Nothing here.\n   the gate let nothing through")


def test_the_command_writes_an_object_per_text(capsys: pytest.CaptureFixture[str]) -> None:
    texts = ["Die Ärztin singt.", "a//b: er kam."]
    assert main(["rewrite", "--explain", "--json", "--lang", "de", *texts]) == 0
    records = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [record["source"] for record in records] == texts
    assert records[0] == json.loads(json.dumps(rewriter("de").explain(texts[0]).to_dict()))


@pytest.mark.parametrize("option", [["-o", "x.txt"], ["--in-place"], ["--check"], ["--diff"], ["--lang", "auto"]])
def test_options_about_files_do_not_go_with_texts(option: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rewrite", "--explain", "She left.", *option]) == 2
    assert "--explain takes texts" in capsys.readouterr().err
