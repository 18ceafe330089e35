"""Sentences that must be copied, with names, numbers, addresses and signs put in."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from augment.copying import MAKERS, copy_drill
from augment.generate import GenerateConfig, generate
from rewriter.io.files import read_pairs
from rewriter.language.interface import get_language

TEXT = "The ferry to the small harbour leaves at noon, see harbour.txt or ask."


def test_some_words_give_way_and_the_rest_stays() -> None:
    rng = np.random.default_rng(1)
    drills = [copy_drill(TEXT, rng) for _ in range(60)]
    assert all(text != TEXT for text in drills)
    assert all(text.startswith("The ") and text.endswith(" or ask.") and "see harbour.txt" in text for text in drills)
    assert len(set(drills)) == 60


@pytest.mark.parametrize("text", ["", "Ada 1815", "to a b", "file.name@host"])
def test_a_text_without_such_a_word_stays(text: str) -> None:
    assert copy_drill(text, np.random.default_rng(1)) == text


def test_every_kind_is_made_and_the_same_seed_gives_the_same() -> None:
    for make in MAKERS:
        made = [make(np.random.default_rng([2, n])) for n in range(40)]
        assert all(made) and not any("\n" in text for text in made)
        assert made == [make(np.random.default_rng([2, n])) for n in range(40)]
        assert len(set(made)) > 8


def test_pairs_are_copies_without_anything_to_rewrite(tmp_path: Path) -> None:
    lines = [f"The ferry to harbour {n} leaves without anybody waiting." for n in range(40)]
    lines += ["She waits for the ferry near the harbour."] * 5
    (tmp_path / "text.txt").write_text("\n".join(lines), encoding="utf-8")
    generate(GenerateConfig("copying", [str(tmp_path / "text.txt")]), output=tmp_path / "pairs")
    pairs = list(read_pairs(tmp_path / "pairs" / "pairs-00000.jsonl.zst"))
    assert 30 < len(pairs) <= 40
    gate = get_language("en").gate
    for pair in pairs:
        assert pair.source == pair.target and not gate(pair.source)
        assert (pair.strategy, pair.form) == ("copying", "neutral")
