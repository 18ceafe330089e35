"""Properties that hold whatever a model says: a proposer that answers anything stands in for the model."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rewriter.en.language import make
from rewriter.en.segmenter import segment
from rewriter.model.alignment import cut
from rewriter.model.directory import ModelInfo
from rewriter.model.guard import enforce
from rewriter.model.proposer import Proposal, Sentence
from rewriter.pipeline import Options, Rewriter
from rewriter.policy.protect import protected_spans
from rewriter.records import Rewrite, apply_edits

ENGLISH = make()
WORDS = (
    "he she him her his hers himself herself He She HE HER his, he's she’s he'd isn't doesn't is was has does knows "
    "tries goes says runs keys chairman Chairwomen actress policemen average man best man for the job mankind stewards "
    "he or she he/she s/he (s)he his or her him/herself and who that the a an Mr. Dr. etc. U.S. they them man woman "
    '`code` <b> </b> https://example.org/he @her #his $x_{he}$ a_he he_b ``` --- *her* _her_ "he" ‘she’'
).split(" ")
SPACES = [
    " ",
    " ",
    " ",
    " ",
    "  ",
    "\n",
    "\n\n",
    "\r\n",
    "\t",
    ". ",
    ", ",
    "? ",
    "…",
    "\u2028",
    "\u00a0",
    "",
    "-",
    "'",
    "\0",
]
#: texts that look like something the rules know, and texts of anything
near_text = st.lists(st.tuples(st.sampled_from(WORDS), st.sampled_from(SPACES)), max_size=25).map(
    lambda pairs: "".join(word + space for word, space in pairs)
)
any_text = st.text(st.characters(exclude_categories=("Cs",)), max_size=60)
text = st.one_of(near_text, any_text, st.tuples(near_text, any_text, near_text).map("".join))


class Anything:
    """Chooses options at random; or, as a sequence model does, answers text of which the guard lets edits stand."""

    def __init__(self, seed: int, *, writes: bool) -> None:
        self._seed, self._writes = seed, writes

    def propose(self, sentences: Sequence[Sentence]) -> list[Proposal]:
        return [self._one(sentence) for sentence in sentences]

    def _one(self, sentence: Sentence) -> Proposal:
        # the answer depends on the sentence alone, as a model's does
        rng = random.Random(f"{self._seed} {sentence.text}")
        analysis = ENGLISH.analyze(sentence.text, sentence.protected, training=self._writes)
        if self._writes:
            answer = self._mangle(sentence.text, rng)
            edits = cut(sentence.text, answer, analysis.candidates, ENGLISH.tokenize)
            return Proposal(*enforce(sentence.text, sentence.protected, edits, ENGLISH, analysis))
        options = [rng.randrange(len(candidate.options)) for candidate in analysis.candidates]
        return Proposal(ENGLISH.settle(sentence.text, analysis, options, [0.5] * len(options)))

    @staticmethod
    def _mangle(source: str, rng: random.Random) -> str:
        words = source.split(" ")
        for _ in range(rng.randrange(4)):
            at = rng.randrange(len(words))
            words[at] = rng.choice(["they", "them", "their", "know", "are", "", "nonsense", words[-1], "\n"])
        return " ".join(words)


def rewriter(seed: int = 0, *, writes: bool = False) -> Rewriter:
    info = ModelInfo(name="anything", lang="en", target="edits")
    return Rewriter(Anything(seed, writes=writes), ENGLISH, info, folder=Path("nowhere"), options=Options())


seeds = st.integers(0, 1000)
proposers = pytest.mark.parametrize("writes", [False, True], ids=["chooses", "writes"])


def rewritten(source: str, seed: int, writes: bool) -> Rewrite:
    return rewriter(seed, writes=writes).rewrite(source, return_edits=True)


@proposers
@given(source=text, seed=seeds)
def test_edits_replay(writes: bool, source: str, seed: int) -> None:
    result = rewritten(source, seed, writes)
    assert apply_edits(source, result.edits) == result.text


@proposers
@given(source=text, seed=seeds)
def test_edits_are_in_order_and_do_not_overlap(writes: bool, source: str, seed: int) -> None:
    position = 0
    for edit in rewritten(source, seed, writes).edits:
        assert position <= edit.start < edit.end <= len(source)
        assert source[edit.start : edit.end] == edit.before != edit.after
        assert edit.after
        position = edit.end


@proposers
@given(source=text, seed=seeds)
def test_the_number_of_lines_stays(writes: bool, source: str, seed: int) -> None:
    result = rewritten(source, seed, writes)
    assert result.text.count("\n") == source.count("\n")
    assert len(result.text.splitlines()) == len(source.splitlines())


@proposers
@given(source=text, seed=seeds)
def test_protected_spans_stay(writes: bool, source: str, seed: int) -> None:
    spans = protected_spans(source)
    for edit in rewritten(source, seed, writes).edits:
        # a collapsed double form may begin or end beside a protected span, but no edit begins in one
        assert not any(start <= edit.start + (edit.before[0] == " ") < end for start, end in spans)


@given(source=any_text, seed=seeds)
def test_what_holds_no_candidate_is_copied(source: str, seed: int) -> None:
    if not ENGLISH.gate(source):
        assert rewritten(source, seed, False) == Rewrite(source)


@given(source=text)
def test_the_gate_lets_every_candidate_through(source: str) -> None:
    if ENGLISH.analyze(source).candidates:
        assert ENGLISH.gate(source)


@proposers
@given(sources=st.lists(text, max_size=6), seed=seeds)
def test_order_is_kept_and_chunks_do_not_matter(writes: bool, sources: list[str], seed: int) -> None:
    one_by_one = [rewritten(source, seed, writes).text for source in sources]
    together = rewriter(seed, writes=writes)
    assert together.rewrite(sources) == one_by_one
    assert list(together.rewrite(iter(sources))) == one_by_one


@given(sources=st.lists(text, max_size=4), seed=seeds, size=st.integers(1, 3))
def test_the_size_of_the_parts_does_not_matter(sources: list[str], seed: int, size: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        expected = rewriter(seed).rewrite(sources)
        patch.setattr("rewriter.pipeline.SENTENCES", size)
        patch.setattr("rewriter.pipeline.CHUNK", size)
        assert list(rewriter(seed).rewrite(iter(sources))) == expected


@given(source=text)
def test_a_model_that_keeps_everything_copies(source: str) -> None:
    class Silent:
        def propose(self, sentences: Sequence[Sentence]) -> list[Proposal]:
            return [Proposal() for _ in sentences]

    info = ModelInfo(name="silent", lang="en", target="edits")
    silent: Any = Rewriter(Silent(), ENGLISH, info, folder=Path("nowhere"), options=Options())
    assert silent.rewrite(source, return_edits=True) == Rewrite(source)


@given(source=text)
def test_sentences_and_the_gaps_between_them_are_the_text(source: str) -> None:
    position = 0
    for start, end in segment(source):
        assert position <= start < end <= len(source)
        assert source[position:start].strip() == ""
        assert source[start:end] == source[start:end].strip()
        position = end
    assert source[position:].strip() == ""


@given(source=text)
def test_protected_spans_are_in_order_within_the_text(source: str) -> None:
    position = 0
    for start, end in protected_spans(source):
        assert position <= start < end <= len(source)
        position = end


@given(source=text)
def test_candidates_name_their_span(source: str) -> None:
    position = 0
    for candidate in ENGLISH.analyze(source).candidates:
        outcome, surface = candidate.options[0]
        assert outcome == 0 and surface == source[candidate.start : candidate.end]
        assert position <= candidate.start < candidate.end
        position = candidate.end
