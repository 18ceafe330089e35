"""No text stops swapping, whatever its words and whatever a model says about *her* and *his*."""

from __future__ import annotations

from typing import Any

import pytest
from word_salad import Whim, check_in_order, word_salad

from augment.swap.core import Swapper
from rewriter.language.interface import get_language
from rewriter.records import apply_edits


@pytest.fixture(scope="module")
def proposers() -> dict[str, Any]:
    return {"de": None, "en": Whim(get_language("en"))}


def swap_salad(proposers: dict[str, Any], lang: str, direction: str, seeds: range) -> None:
    swapper = Swapper(lang, direction=direction, proposer=proposers[lang])
    for seed in seeds:
        text = word_salad(lang, seed)
        result = swapper.swap(text, return_edits=True)
        check_in_order(text, sorted(result.edits, key=lambda edit: edit.start))
        assert apply_edits(text, result.edits) == result.text
        assert result.text.count("\n") == text.count("\n"), text


everywhere = pytest.mark.parametrize("direction", ["both", "to-masculine", "to-feminine"])


@everywhere
@pytest.mark.parametrize("lang", ["de", "en"])
def test_no_text_stops_swapping(proposers: dict[str, Any], lang: str, direction: str) -> None:
    swap_salad(proposers, lang, direction, range(30))


@pytest.mark.slow
@everywhere
@pytest.mark.parametrize("lang", ["de", "en"])
def test_no_text_of_many_stops_swapping(proposers: dict[str, Any], lang: str, direction: str) -> None:
    swap_salad(proposers, lang, direction, range(1000, 3000))
