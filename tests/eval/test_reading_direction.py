"""Twins by direction: what their targets tell, figures and tests of each direction."""

from __future__ import annotations

import pytest

from eval.reading.direction import (
    BOTH,
    NEITHER,
    TO_FEMININE,
    TO_MASCULINE,
    by_direction,
    compare_by_direction,
    direction_of,
)
from eval.reading.edits import edits_between
from eval.reading.gold import FoundSentence, GoldSentence, word_edits
from eval.reading.score import ReadingScore, ScoredSentence
from rewriter.errors import MetricError


def scored(source: str, target: str, answer: str, line: int = 1) -> ScoredSentence:
    gold = GoldSentence("a", "f", line, 0, len(source), "", tuple(word_edits(source, target)))
    wanted = edits_between(source, target, referring=lambda *_: None)
    made = edits_between(source, answer, referring=lambda *_: None)
    return ScoredSentence(FoundSentence(gold, "", source, ""), answer, made, wanted)


@pytest.mark.parametrize(
    ("lang", "source", "target", "direction"),
    [
        ("en", "She left.", "He left.", TO_MASCULINE),
        ("en", "The king left.", "The queen left.", TO_FEMININE),
        ("en", "Her brother left.", "His sister left.", BOTH),
        ("en", "It rained.", "It rained.", NEITHER),
        ("de", "Die Ärztin kam.", "Der Arzt kam.", TO_MASCULINE),
        ("de", "Der Lehrer kam.", "Die Lehrerin kam.", TO_FEMININE),
        ("de", "Er schlief.", "Sie schlief.", TO_FEMININE),
        ("de", "Ihr Bruder kam.", "Seine Schwester kam.", BOTH),
    ],
)
def test_the_target_tells_the_direction(lang: str, source: str, target: str, direction: str) -> None:
    assert direction_of(scored(source, target, target), lang) == direction


def test_a_language_without_words_of_genders_is_refused() -> None:
    with pytest.raises(MetricError, match="told in de, en, not in 'xx'"):
        direction_of(scored("a b", "a c", "a c"), "xx")


def test_figures_and_tests_of_each_direction() -> None:
    twins = [
        ("She left.", "He left."),
        ("He left.", "She left."),
        ("He sat.", "She sat."),
        ("It rained.", "It rained."),
    ]
    right = ReadingScore("right", [scored(s, t, t, n) for n, (s, t) in enumerate(twins)], "")
    lazy = ReadingScore("lazy", [scored(s, t, s, n) for n, (s, t) in enumerate(twins)], "")
    exact = "to change: exactly right"
    assert {name: (part[exact].count, part[exact].total) for name, part in by_direction(right, "en").items()} == {
        TO_MASCULINE: (1, 1),
        TO_FEMININE: (2, 2),
    }
    tests = compare_by_direction(right, lazy, "en")
    assert (tests[TO_FEMININE].better, tests[TO_FEMININE].worse, tests[TO_FEMININE].total) == (2, 0, 2)
