"""Presets, places that stay, and sentences in which *they* may mean one or several."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest

from rewriter.cli.main import main
from rewriter.errors import UsageError
from rewriter.pipeline import Rewriter
from rewriter.policy import Policy, flag_ambiguous
from rewriter.policy.quotations import quoted_spans


@cache
def rewriter(**options: object) -> Rewriter:
    return Rewriter.from_pretrained("en", threads=1, **options)


STAYS = [
    ("quotations", "The clerk said: “She is late.” Then he left.", "The clerk said: “She is late.” Then they left."),
    ("quotations", 'The clerk said "he is late" as she left.', 'The clerk said "he is late" as they left.'),
    ("quotations", "> he said so\n\nThen she left.", "> he said so\n\nThen they left."),
    ("honorifics", "Her Majesty came, and he left.", "Her Majesty came, and they left."),
    ("honorifics", "I thank his aunt and His Royal Highness.", "I thank their aunt and His Royal Highness."),
    ("works", "He was reading His Dark Materials in bed.", "They were reading His Dark Materials in bed."),
    ("works", "He saw Death of a Salesman there.", "They saw Death of a Salesman there."),
    ("deities", "We know that He is great, but she is not.", "We know that He is great, but they are not."),
    ("honorifics", "His Honour found his hat, and she left.", "His Honour found his hat, and they left."),
    ("honorifics", "Her Majesty's cook lost her hat.", "Her Majesty's cook lost their hat."),
    ("deities", "The Lord is near; He waits.", "The Lord is near; He waits."),
    ("deities", "Pray to God. He hears, and she prays.", "Pray to God. He hears, and they pray."),
    ("deities", "Thank God. He is safe.", "Thank God. They are safe."),
    ("deities", "Ask the nurse. He hears.", "Ask the nurse. They hear."),
    ("deities", "He said that God loves his people.", "They said that God loves his people."),
]


@pytest.mark.parametrize(("place", "source", "target"), STAYS)
def test_places_stay(place: str, source: str, target: str) -> None:
    assert rewriter(policy=Policy(places=(place,))).rewrite(source) == target


def test_a_quotation_ends_with_its_paragraph() -> None:
    text = 'He said "no.\n\nShe said "yes" and left.'
    assert [text[a:b] for a, b in quoted_spans(text)] == ['"yes"']


AMBIGUOUS = [
    ("He told her that it was late.", "two genders become one they"),
    ("They know that she is ill.", "an older they stands beside the new one"),
    ("The nurses met the cook when he came.", "a group is named just before (nurses)"),
    ("Tom and Mia called. She was late.", "a group is named just before (Tom and Mia)"),
    ("Tom and my wife called. He was late.", "a group is named just before (Tom and my wife)"),
    ("The Hendersons called him.", "a group is named just before (Hendersons)"),
    ("Her sisters sang while she slept.", "a group is named just before (sisters)"),
    ("His old horses know him.", "a group is named just before (horses)"),
    ("Two nurses came in. He was late.", "a group is named just before (nurses)"),
]
CLEAR = [
    "The Duchess called him.",
    "Her shoes hurt while she ran.",
    "He knows the way.",
    "She lost her hat and her coat.",
    "The cook met the nurse when he came.",
    "Nobody came.",
]


@pytest.mark.parametrize(("text", "reason"), AMBIGUOUS)
def test_ambiguous_sentences_are_found_and_left(text: str, reason: str) -> None:
    plain = rewriter()
    flags = flag_ambiguous(text, plain.rewrite(text, return_edits=True).edits, plain.language)
    assert [flag.reason for flag in flags] == [reason]
    assert rewriter(policy=Policy(on_ambiguous="keep")).rewrite(text) == text


@pytest.mark.parametrize("text", CLEAR)
def test_clear_sentences_are_not(text: str) -> None:
    plain = rewriter()
    result = plain.rewrite(text, return_edits=True)
    assert flag_ambiguous(text, result.edits, plain.language) == []
    assert rewriter(policy=Policy(on_ambiguous="keep")).rewrite(text) == result.text


PUBLISHED = [
    ("A reader sees that he hurt himself.", "A reader sees that they hurt themselves."),
    ("Anna met her aunt.", "Anna met her aunt."),
    ("The mailman said: “She knows.”", "The mail carrier said: “She knows.”"),
]


@pytest.mark.parametrize(("source", "target"), PUBLISHED)
def test_publishing(source: str, target: str) -> None:
    assert rewriter(preset="publishing").rewrite(source) == target


def test_what_is_given_beside_a_preset_wins() -> None:
    own = rewriter(preset="publishing", reflexive="themself", policy=Policy())
    assert own.rewrite("Anna met the mailman herself.") == "Anna met the mail carrier themself."


def test_a_preset_that_a_language_does_not_have_is_named() -> None:
    with pytest.raises(UsageError, match="preset must be one of publishing, corpus"):
        Rewriter.from_pretrained("en", preset="publish")


def test_the_command_flags_and_keeps(tmp_path: Path) -> None:
    source, target, flags = tmp_path / "in.txt", tmp_path / "out.txt", tmp_path / "flags.jsonl"
    source.write_text("He knows. He told her so.\nAnna himself left.\n", encoding="utf-8")
    base = ["rewrite", str(source), "-o", str(target)]
    assert main([*base, "--flag-ambiguous", str(flags)]) == 0
    (record,) = [json.loads(line) for line in flags.read_text(encoding="utf-8").splitlines()]
    assert (record["line"], record["source"], record["text"]) == (1, "He told her so.", "They told them so.")
    assert main([*base, "--on-ambiguous", "keep"]) == 0
    assert target.read_text(encoding="utf-8").startswith("They know. He told her so.\n")
    assert main([*base, "--preset", "publishing", "--scope", "all", "--on-ambiguous", "rewrite"]) == 0
    assert target.read_text(encoding="utf-8") == "They know. They told them so.\nAnna themselves left.\n"
