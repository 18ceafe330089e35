"""Look-alikes: a word that must stay takes the place of another of its kind."""

from __future__ import annotations

import numpy as np
import pytest

from augment.en.lookalikes import is_candidate, look_alike
from rewriter.language.interface import get_language

#: text, rule, what may stand there afterwards
CASES = [
    ("The EU decided.", "abbreviation", {"The HE decided.", "The HIS decided.", "The SHE decided.", "The HER decided.",
                                         "The HERS decided.", "The HIM decided."}),
    ("Filled with argon gas.", "symbol", {"Filled with He gas."}),
    ("They want to protect the forest.", "to steward", {"They want to steward the forest."}),
    ("I met Chen Wei.", "surname before a given name", {"I met He Wei."}),
]  # fmt: skip


@pytest.mark.parametrize(("text", "rule", "expected"), CASES, ids=[rule for _, rule, _ in CASES])
def test_what_stands_there(text: str, rule: str, expected: set[str]) -> None:
    results = [look_alike(text, np.random.default_rng(seed)) for seed in range(60)]
    assert {result.source for result in results} == expected
    assert all(result.source == result.target and not result.dropped for result in results)
    assert {name for result in results for name in result.statistics} == {f"look-alike: {rule}"}


@pytest.mark.parametrize("text", ["Mr. Brown left.", "Professor Miller left.", "George Baker left."])
def test_surnames(text: str) -> None:
    changed = look_alike(text, np.random.default_rng(1)).source
    assert changed != text
    assert changed.split()[:-2] == text.split()[:-2]


@pytest.mark.parametrize("text", ["It rains.", "ALL OF IT IS IN CAPITALS, EU TOO", "I am OK."])
def test_no_place_for_one(text: str) -> None:
    assert not is_candidate(text)


def test_the_model_gets_something_to_decide() -> None:
    """A look-alike that the grammar settles alone would teach nothing."""
    analysis = get_language("en").analyze("The HIS system of the EU failed.")
    assert [analysis.tokens[analysis.candidates[i].token].norm for i in analysis.open] == ["his"]
