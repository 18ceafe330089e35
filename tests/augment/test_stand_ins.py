"""Certain labels for *her*, *his* and *'s* from sentences whose words say what they would be."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from augment.en.stand_ins import has_stand_ins, stand_ins
from augment.generate import GenerateConfig, generate
from augment.languages import RuleResult
from rewriter.io.files import read_pairs
from rewriter.language.interface import get_language

ENGLISH = get_language("en")


def made(text: str, seed: int = 1) -> list[RuleResult]:
    return list(stand_ins(text, ENGLISH, np.random.default_rng(seed)))


def labelled(result: RuleResult) -> list[str]:
    """Return the parts of the source that get a label."""
    parts, at = [], 0
    for start, end in [*result.doubtful, (len(result.source), len(result.source))]:
        parts.append(result.source[at:start])
        at = end
    return [part for part in parts if part]


_analyze = type(ENGLISH).analyze


def _nothing_settled(*arguments: Any) -> Any:
    analysis = _analyze(*arguments)
    return replace(analysis, candidates=[replace(c, forced=None) for c in analysis.candidates])


@pytest.mark.parametrize(
    ("text", "source", "target", "labels"),
    [
        ("He says he knows him well.", "He says he knows her well.", "He says he knows them well.", ["her"]),
        ("Seeing HIM sad in his den", "Seeing HER sad in her den", "Seeing THEM sad in their den", ["HER", "her"]),
        ("It was yours and mine.", "It was his and his.", "It was theirs and theirs.", ["his", "his"]),
    ],
)  # fmt: skip
def test_a_word_in_the_same_place_tells(
    text: str, source: str, target: str, labels: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(ENGLISH), "analyze", _nothing_settled)  # which of them are open is the grammar's matter
    (result,) = made(text)
    assert (result.source, result.target, labelled(result)) == (source, target, labels)


@pytest.mark.parametrize(("text", "verb"), [("You've finished the job.", "'ve"), ("I'm finished with you.", "'re")])
def test_contractions_tell_is_from_has(text: str, verb: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(ENGLISH), "analyze", _nothing_settled)
    results = [result for seed in range(20) for result in made(text, seed)]
    first = {result.source.split()[0] for result in results}
    assert {"He's", "She's"} <= first <= {"He's", "She's", "Hes", "Shes"}
    for result in results:
        assert result.target.split()[0] == f"They{verb if chr(39) in result.source else verb[1:]}"
        assert labelled(result) in (["'s"], ["s"])


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("She knows her.", "no word that tells"),
        ("His dog barked at Peter.", "his alone teaches what is common already"),
        ("I saw him.", "the grammar settles her before a full stop"),
        ("I saw him angry, the fault was his.", "his that stands alone would be hers"),
        ("I saw him angry at her.", "its own her has no certain label"),
        ("They dug a mine.", "mine is a noun"),
        ("Yours truly", "the end of a letter"),
    ],
)
def test_sentences_that_say_nothing_certain_or_nothing_new_are_left_out(text: str, why: str) -> None:
    assert made(text) == [], why


WORDS = ["him", "his", "angry", "dogs", "I'm", "saw", "at", "well", "they", "yours", "you've", "lost", "HIM"]


@given(st.lists(st.sampled_from(WORDS), min_size=1))
def test_only_the_words_written_anew_have_labels(words: list[str]) -> None:
    text = " ".join(words)
    results = made(text)
    assert not results or has_stand_ins(text)
    for result in results:
        assert {part.lower() for part in labelled(result)} <= {"her", "his", "'s", "s"}


def test_the_strategy_runs_over_files(tmp_path: Path) -> None:
    text = "They left him ajar.\nNothing here.\nShe heard him yodel.\n"
    (tmp_path / "text.txt").write_text(text, encoding="utf-8")
    generate(GenerateConfig("stand-in", [str(tmp_path / "text.txt")], max_share=1.0), output=tmp_path / "pairs")
    pairs = [pair for path in sorted((tmp_path / "pairs").glob("pairs-*")) for pair in read_pairs(path)]
    assert [(pair.source, pair.strategy) for pair in pairs] == [
        ("They left her ajar.", "stand-in"),
        ("She heard her yodel.", "stand-in"),
    ]
