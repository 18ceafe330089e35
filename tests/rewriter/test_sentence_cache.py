"""Sentences that come again are remembered, in bounded memory, and nothing but speed depends on it."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rewriter.en.language import make
from rewriter.errors import UsageError
from rewriter.model.directory import ModelInfo
from rewriter.model.proposer import Proposal, Sentence
from rewriter.model.sentence_cache import SentenceCache
from rewriter.pipeline import Options, Rewriter

ENGLISH = make()
INFO = ModelInfo(name="counting", lang="en", target="edits")


class Counting:
    """Changes nothing and counts what it was asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def propose(self, sentences: Sequence[Sentence]) -> list[Proposal]:
        self.asked += [sentence.text for sentence in sentences]
        return [Proposal() for _ in sentences]


def counting(cache: int) -> tuple[Counting, Rewriter]:
    proposer = Counting()
    return proposer, Rewriter(proposer, ENGLISH, INFO, options=Options(cache=cache))


def test_a_sentence_is_asked_about_once() -> None:
    proposer, rewriter = counting(100)
    rewriter.rewrite(["She left. He stayed.", "He stayed.", "She left."])
    rewriter.rewrite("She left.")
    assert proposer.asked == ["She left.", "He stayed."]
    assert rewriter.cache_counts == (3, 1)


def test_after_forgetting_it_is_asked_about_again() -> None:
    proposer, rewriter = counting(100)
    rewriter.rewrite("She left.")
    rewriter.forget()
    assert rewriter.cache_counts == (0, 0)
    rewriter.rewrite("She left.")
    assert proposer.asked == ["She left."] * 2


def test_without_a_cache_every_sentence_is_asked_about() -> None:
    proposer, rewriter = counting(0)
    rewriter.rewrite(["She left."] * 3)
    assert proposer.asked == ["She left."] * 3
    assert rewriter.cache_counts == (0, 0)


def test_a_protected_span_makes_another_sentence() -> None:
    """The same words may stand inside and outside a code block."""
    proposer, rewriter = counting(100)
    rewriter.rewrite(["he left", "```\nhe left\n```"])
    assert len(proposer.asked) == 2


def test_a_negative_size_is_refused() -> None:
    with pytest.raises(UsageError, match="cache"):
        counting(-1)


sentences = st.lists(st.integers(0, 30).map(lambda n: Sentence(f"She left {n} times.")), max_size=200)


@given(asked=sentences, size=st.integers(1, 20))
def test_the_cache_is_bounded_and_answers_what_it_was_told(asked: list[Sentence], size: int) -> None:
    cache = SentenceCache(size)
    told: dict[Sentence, Proposal] = {}
    for sentence in asked:
        found = cache.find([sentence])
        assert all(told[key] is proposal for key, proposal in found.items())
        if sentence not in found:
            told[sentence] = Proposal()
            cache.store([sentence], [told[sentence]])
        assert len(cache) <= max(2, size)


def test_what_is_asked_again_stays() -> None:
    cache = SentenceCache(10)
    often = Sentence("often")
    cache.store([often], [Proposal()])
    for number in range(100):
        assert often in cache.find([often])
        cache.store([Sentence(str(number))], [Proposal()])


def test_threads_may_share_it() -> None:
    _, rewriter = counting(50)
    texts = [f"She left {n % 70} times." for n in range(2000)]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(rewriter.rewrite, [texts] * 4)) == [texts] * 4
