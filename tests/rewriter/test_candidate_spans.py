"""Candidates of a sentence never overlap, whatever words meet in it."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rewriter.en.candidates import analyze
from rewriter.en.lexicon import EnglishLexicon

LEXICON = EnglishLexicon.load()
WORDS = [
    "she",
    "He",
    "hers",
    "his",
    "her",
    "'s",
    "stewards",
    "a stewardess",
    "he or she",
    "s/he",
    "is",
    "goes",
    "man",
    "and wife",
    "-",
    ".",
]


@pytest.mark.parametrize("text", ["Is she hers?", "She hers it.", "He stewards stewards.", "He or she stewards hers."])
def test_words_that_are_two_things(text: str) -> None:
    check(text)


@given(st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join))
def test_any_sequence_of_tempting_words(text: str) -> None:
    check(text)


def check(text: str) -> None:
    candidates = analyze(text, LEXICON).candidates
    assert all(a.end <= b.start for a, b in pairwise(candidates))
    assert all(candidate.options[0] == (0, text[candidate.start : candidate.end]) for candidate in candidates)
