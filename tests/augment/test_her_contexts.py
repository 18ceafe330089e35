"""Certain labels for *her* from sentences with *him* and *his*."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from augment.en.her_contexts import her_contexts
from augment.generate import GenerateConfig, generate
from rewriter.files import read_pairs
from rewriter.languages import get_language

ENGLISH = get_language("en")


@pytest.mark.parametrize(
    ("text", "source", "target"),
    [
        ("He says he knows him well.", "He says he knows her well.", "He says he knows them well."),
        ("Seeing HIM angry at his desk", "Seeing HER angry at her desk", "Seeing THEM angry at their desk"),
        ("Despite him dying early, we won.", "Despite her dying early, we won.", "Despite them dying early, we won."),
    ],
)  # fmt: skip
def test_him_and_his_tell_what_her_would_be(text: str, source: str, target: str) -> None:
    (result,) = her_contexts(text, ENGLISH)
    assert (result.source, result.target, result.form) == (source, target, "feminine")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("She knows her.", "no him"),
        ("His dog barked at Peter.", "his alone teaches what is common already"),
        ("I saw him.", "the grammar settles her before a full stop"),
        ("I saw him angry, the fault was his.", "his that stands alone would be hers"),
        ("I saw him angry at her.", "its own her has no certain label"),
    ],
)
def test_sentences_that_say_nothing_certain_or_nothing_new_are_left_out(text: str, why: str) -> None:
    assert her_contexts(text, ENGLISH) == (), why


@given(st.lists(st.sampled_from(["him", "his", "angry", "dogs", "He", "saw", "at", "well", "they"]), min_size=1))
def test_everything_but_her_is_without_label(words: list[str]) -> None:
    for result in her_contexts(" ".join(words), ENGLISH):
        outside, at = [], 0
        for start, end in result.doubtful:
            outside.append(result.source[at:start])
            at = end
        assert {word.lower() for word in [*outside, result.source[at:]] if word} <= {"her"}


def test_the_strategy_runs_over_files(tmp_path: Path) -> None:
    (tmp_path / "text.txt").write_text(
        "They left him exhausted.\nNothing here.\nShe knows him well.\n", encoding="utf-8"
    )
    config = GenerateConfig("her-contexts", [str(tmp_path / "text.txt")], max_share=1.0)
    generate(config, output=tmp_path / "pairs")
    pairs = [pair for path in sorted((tmp_path / "pairs").glob("pairs-*")) for pair in read_pairs(path)]
    assert [(pair.source, pair.strategy) for pair in pairs] == [
        ("They left her exhausted.", "her-contexts"),
        ("She knows her well.", "her-contexts"),
    ]
