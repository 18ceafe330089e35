"""Variations of pairs: what they give, and that their labels are right."""

from __future__ import annotations

import numpy as np
import pytest

from augment.en.variations import vary
from rewriter.alignment import match_outcomes
from rewriter.languages import get_language
from rewriter.records import Pair


def varied(pair: Pair, tries: int = 200) -> set[tuple[str, str]]:
    found = (vary(pair, np.random.default_rng(seed)) for seed in range(tries))
    return {(v.source, v.target) for v in found if v is not None}


def neutral(text: str) -> Pair:
    return Pair(text, text, strategy="copy", form="neutral")


def test_first_person_tells_the_reading() -> None:
    assert varied(neutral("You gave me food, but my soup is mine.")) == {
        ("You gave her food, but her soup is hers.", "You gave them food, but their soup is theirs."),
        ("You gave him food, but his soup is his.", "You gave them food, but their soup is theirs."),
    }


def test_an_insertion_parts_pronoun_and_verb() -> None:
    pairs = varied(Pair("If she knows it, we go.", "If they know it, we go.", strategy="backward", form="feminine"))
    assert ("If she never knows it, we go.", "If they never know it, we go.") in pairs
    assert ("If she, however, knows it, we go.", "If they, however, know it, we go.") in pairs


def test_a_tag_question_follows_a_short_sentence() -> None:
    pairs = varied(Pair("He has a plan.", "They have a plan.", strategy="backward", form="masculine"))
    assert ("He has a plan, hasn't he?", "They have a plan, haven't they?") in pairs


@pytest.mark.parametrize(
    "pair",
    [
        neutral("Nothing to see here."),
        neutral("The US army met me."),
        Pair("She knew.", "They knew.", strategy="backward", form="feminine"),
        Pair("She knows he knows.", "They know they know.", strategy="backward", form="mixed"),
        Pair("She knows.", "They know.", strategy="forward", form="feminine"),
        Pair("She knows.", "They know.", strategy="backward", form="feminine", doubtful=((4, 9),)),
    ],
    ids=lambda pair: f"{pair.strategy}: {pair.source}",
)
def test_no_variation_fits(pair: Pair) -> None:
    assert varied(pair) == set()


@pytest.mark.parametrize(
    ("source", "target"), [("She is late.", "They are late."), ("Today he says no.", "Today they say no.")]
)
def test_targets_are_explained_by_the_candidates(source: str, target: str) -> None:
    language = get_language("en")
    for changed, fair in varied(Pair(source, target, strategy="backward", form="mixed")):
        assert match_outcomes(changed, fair, language.analyze(changed, training=True).candidates) is not None
