"""The guard: whatever a proposer says, only what the grammar allows is made, and everything else is copied."""

from __future__ import annotations

import pickle
import random
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rewriter.en.language import make
from rewriter.errors import UsageError
from rewriter.model.alignment import cut
from rewriter.model.directory import ModelInfo
from rewriter.model.guard import MISFIT, NO_OPTION, OUTSIDE, OVERLAP, PROTECTED, REASONS, SETTLED, SPACE, Checked, check
from rewriter.model.proposer import Proposal, Sentence
from rewriter.pipeline import Options, Rewriter
from rewriter.policy.protect import protected_spans
from rewriter.records import Edit, Rewrite, apply_edits

ENGLISH = make()
INFO = ModelInfo(name="stranger", lang="en", target="edits")
TINY = Path(__file__).resolve().parents[1] / "data" / "models" / "tiny-edits"


def edit(source: str, before: str, after: str, *, nth: int = 0) -> Edit:
    """Return the edit of the ``nth`` place where ``before`` stands in ``source``."""
    start = -1
    for _ in range(nth + 1):
        start = source.index(before, start + 1)
    return Edit(start, start + len(before), before, after, "stranger's", "because", 0.7)


def checked(source: str, *edits: Edit, mode: str = "strict") -> tuple[str, list[str]]:
    """Return the text after the guard, and the reasons of what it refused."""
    proposal = check(source, protected_spans(source), Proposal(list(edits)), ENGLISH, mode=mode)
    return apply_edits(source, proposal.edits), [reason for _, reason in proposal.rejected]


S = "She said that her friend  knows it."
CASES = [
    # what the grammar allows is made
    (S, [("She", "They"), ("her", "their")], "They said that their friend  knows it.", []),
    ("The actress left.", [("The actress", "The actor")], "The actor left.", []),
    ("He's here.", [("He", "They"), ("'s", "'re")], "They're here.", []),
    # an edit over several words is cut into those that the grammar knows
    ("She knows.", [("She knows", "They know")], "They know.", []),
    ("Oh, she knows it all.", [("she knows it", "they know that")], "Oh, they know it all.", [OUTSIDE]),
    # a case or a number that the words beside it rule out
    ("The boat was his.", [("his", "their")], "The boat was theirs.", [SETTLED]),
    ("They met her.", [("her", "their")], "They met them.", [SETTLED]),
    ("They shook her hand.", [("her", "them")], "They shook their hand.", [SETTLED]),
    ("They lost his dog.", [("his", "theirs")], "They lost their dog.", [SETTLED]),
    (
        "He rang, but Mia sleeps and snores.",
        [("He", "They"), ("sleeps", "sleep"), ("snores", "snore")],
        "They rang, but Mia sleeps and snores.",
        [SETTLED, SETTLED],
    ),
    ("He has it and the boss has it.", [("He", "They"), ("has", "have")], "They have it and the boss has it.", []),
    # another word, another sense, another lemma
    (S, [("friend", "pal")], S, [OUTSIDE]),
    (S, [("She", "Xe")], S, [NO_OPTION]),
    (S, [("her", "her own")], S, [NO_OPTION]),
    (S, [("She", "They"), ("knows", "knew")], "They said that her friend  knows it.", [NO_OPTION]),
    (S, [("She", "")], S, [NO_OPTION]),
    # white space, quotes, typing mistakes stay
    (S, [("  ", " ")], S, [SPACE]),
    ("she siad “no”", [("siad", "said")], "she siad “no”", [OUTSIDE]),
    # agreement: a verb only follows a pronoun, a clitic always does
    (S, [("knows", "know")], S, [SETTLED]),
    ("She's late.", [("'s", "'re")], "She's late.", [SETTLED]),
    ("She's late.", [("She", "They")], "They're late.", []),
    # protected spans
    ("Type `he` and he leaves.", [("he", "they")], "Type `he` and he leaves.", [PROTECTED]),
]


@pytest.mark.parametrize(("source", "edits", "text", "reasons"), CASES)
def test_only_what_the_grammar_allows_stands(source: str, edits: list, text: str, reasons: list[str]) -> None:
    assert checked(source, *(edit(source, before, after) for before, after in edits)) == (text, reasons)


def test_an_edit_that_does_not_fit_is_left_out_in_every_mode() -> None:
    wrong = [Edit(0, 3, "He", "They", "x", ""), Edit(-1, 2, "", "They", "x", ""), Edit(30, 90, "it", "them", "x", "")]
    for mode in ("strict", "report", "off"):
        assert checked(S, *wrong, mode=mode) == (S, [MISFIT] * 3)


def test_of_two_edits_of_one_word_the_first_stands() -> None:
    source = "I know her."
    first, second = edit(source, "her", "them"), edit(source, "her", "their")
    assert checked(source, first, second) == ("I know them.", [OVERLAP])
    assert checked(source, first, second, mode="off") == ("I know them.", [OVERLAP])


def test_report_makes_what_was_proposed_and_lists_what_strict_would_refuse() -> None:
    edits = [edit(S, "She", "They"), edit(S, "friend", "pal")]
    assert checked(S, *edits, mode="report") == ("They said that her pal  knows it.", [OUTSIDE])
    assert checked(S, *edits, mode="off") == ("They said that her pal  knows it.", [])


def test_edits_are_named_by_the_grammar() -> None:
    made = check("She knew.", (), Proposal([edit("She knew.", "She", "They")]), ENGLISH).edits
    told = "She -> They: gendered pronoun, model 0.70"
    assert [(e.kind, e.reason, e.score) for e in made] == [("pronoun", told, 0.7)]


def test_a_verb_beside_its_pronoun_follows_it_whatever_was_proposed() -> None:
    source = "She wasn't there."
    assert checked(source, edit(source, "She", "They")) == ("They weren't there.", [])
    wrong = edit(source, "wasn't", "were")
    assert checked(source, edit(source, "She", "They"), wrong) == ("They weren't there.", [NO_OPTION])


class Silent:
    """Answers with too few proposals."""

    def propose(self, sentences: Sequence[Sentence]) -> list[Proposal]:
        return []


def test_a_proposer_that_loses_sentences_is_named() -> None:
    with pytest.raises(UsageError, match=r"Silent.propose\(\) answered 0 proposals for 1 sentences"):
        Rewriter(Silent(), ENGLISH, INFO).rewrite("She left.")


def test_an_unknown_mode_is_refused() -> None:
    with pytest.raises(UsageError, match="strict, report, off"):
        Checked(Silent(), ENGLISH, "loose")
    with pytest.raises(UsageError, match="strict, report, off"):
        Rewriter.from_pretrained(TINY, guard="loose")


# --- any proposer, any text -------------------------------------------------------------------------------------------

WORDS = (
    "he she him her his hers himself He She HE HIS he's she’s isn't was has knows goes actress policemen average man "
    "he or she s/he (s)he his or her who that Mr. they `he` <b> </b> https://example.org/he $x_{he}$ _her_ “he” 她"
).split(" ")
SPACES = [" ", " ", "  ", "\n", "\r\n", "\n\n", "\t", ". ", ", ", "?! ", "\u2028", "\u00a0", "", "-", "\0", "\u200d"]
near_text = st.lists(st.tuples(st.sampled_from(WORDS), st.sampled_from(SPACES)), max_size=20).map(
    lambda pairs: "".join(word + space for word, space in pairs)
)
any_text = st.text(max_size=40)  # lone surrogates too
text = st.one_of(near_text, any_text, st.tuples(near_text, any_text, near_text).map("".join))
ANSWERS = [
    "they",
    "They",
    "them",
    "their",
    "theirs",
    "'re",
    "’ve",
    "know",
    "are",
    "",
    " ",
    "\n",
    "x",
    "she",
    "😀",
    "\ud800",
]


class Stranger:
    """Proposes any edits: of words or across them, overlapping, out of range, wrong ``before``, white space."""

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def propose(self, sentences: Sequence[Sentence]) -> list[Proposal]:
        return [self._one(sentence) for sentence in sentences]

    def _one(self, sentence: Sentence) -> Proposal:
        rng = random.Random(f"{self._seed} {sentence.text!r}")
        return Proposal([self._edit(sentence.text, rng) for _ in range(rng.randrange(8))])

    @staticmethod
    def _edit(source: str, rng: random.Random) -> Edit:
        candidates = ENGLISH.analyze(source).candidates
        if candidates and rng.random() < 0.6:
            candidate = rng.choice(candidates)
            start, end = candidate.start, candidate.end + rng.choice([0, 0, 0, 1, 5])
            after = rng.choice([rng.choice(candidate.options)[1], rng.choice(ANSWERS)])
        else:
            start, end = sorted(rng.randrange(-2, len(source) + 4) for _ in range(2))
            after = rng.choice([*ANSWERS, source, source[::-1]])
        before = source[max(start, 0) : max(end, 0)] if rng.random() < 0.9 else "x"
        return Edit(start, end, before, after, "anything", "no reason", rng.random())


def stranger(seed: int, **options: object) -> Rewriter:
    return Rewriter(Stranger(seed), ENGLISH, INFO, options=Options(**options))  # type: ignore[arg-type]


def allowed(source: str) -> set[tuple[int, int, str]]:
    """Return (start, end, after) of every edit that the grammar allows in a text, found sentence by sentence."""
    protected = protected_spans(source)
    found = set()
    for start, end in ENGLISH.segment(source):
        inside = [(max(a, start) - start, min(b, end) - start) for a, b in protected if a < end and b > start]
        for c in ENGLISH.analyze(source[start:end], inside).candidates:
            found |= {(start + c.start, start + c.end, after) for _, after in c.options}
    return found


@given(source=text, seed=st.integers(0, 999), gate=st.booleans())
def test_only_edits_of_the_grammar_come_out(source: str, seed: int, gate: bool) -> None:
    result = stranger(seed, gate=gate).rewrite(source, return_edits=True)
    assert {(e.start, e.end, e.after) for e in result.edits} <= allowed(source)
    assert apply_edits(source, result.edits) == result.text
    assert {rejection.reason for rejection in result.rejected} <= set(REASONS)
    assert all(rejection.sentence in source for rejection in result.rejected)
    if not allowed(source):
        assert result.text == source


@given(sources=st.lists(text, max_size=8), seed=st.integers(0, 999), size=st.integers(1, 4), order=st.randoms())
def test_order_chunks_and_cache_do_not_matter(sources: list[str], seed: int, size: int, order: random.Random) -> None:
    expected = [stranger(seed, cache=0).rewrite(source, return_edits=True) for source in sources]
    places = list(range(len(sources)))
    order.shuffle(places)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("rewriter.pipeline.SENTENCES", size)
        patch.setattr("rewriter.pipeline.CHUNK", size)
        for rewriter in (stranger(seed, cache=0), stranger(seed, cache=2), stranger(seed)):
            assert rewriter.rewrite(sources, return_edits=True) == expected
            assert list(rewriter.rewrite(iter(sources), return_edits=True)) == expected
            shuffled = rewriter.rewrite([sources[i] for i in places], return_edits=True)
            assert shuffled == [expected[i] for i in places]


@given(source=text, seed=st.integers(0, 999))
def test_report_and_off_make_the_same_edits(source: str, seed: int) -> None:
    reported = stranger(seed, guard="report").rewrite(source, return_edits=True)
    free = stranger(seed, guard="off").rewrite(source, return_edits=True)
    assert reported.text == free.text == apply_edits(source, free.edits)
    assert len(reported.rejected) >= len(free.rejected)


@given(source=text, answer=text)
def test_edits_that_were_cut_replay(source: str, answer: str) -> None:
    edits = cut(source, answer, ENGLISH.analyze(source, training=True).candidates, ENGLISH.tokenize)
    assert apply_edits(source, edits) == answer
    assert all(edit.before != edit.after for edit in edits)


CUTS = [
    ("She knows it.", "They know that.", ["She -> They", "knows -> know", "it -> that"]),
    ("She left.", "They left, sadly.", ["She -> They", " -> , sadly"]),
    ("He said that she  left.", "They said they left.", ["He -> They", "that  -> ", "she -> they", "  -> "]),
    ("All the same.", "All the same.", []),
    ("", "New.", [" -> New."]),
]


@pytest.mark.parametrize(("source", "answer", "edits"), CUTS)
def test_a_difference_is_cut_into_small_edits(source: str, answer: str, edits: list[str]) -> None:
    found = cut(source, answer, ENGLISH.analyze(source, training=True).candidates, ENGLISH.tokenize)
    assert [f"{e.before} -> {e.after}" for e in found] == edits


# --- pickles, and our own models --------------------------------------------------------------------------------------


def test_a_stranger_travels_with_its_rewriter() -> None:
    rewriter = stranger(5)
    copy = pickle.loads(pickle.dumps(rewriter))
    sources = ["She knows her stuff.", "He said that he left."]
    assert copy.rewrite(sources, return_edits=True) == rewriter.rewrite(sources, return_edits=True)


CODE = "Type `he` to see whether he knows her."


def test_the_edit_model_without_its_guard_decides_everything_by_itself() -> None:
    strict = Rewriter.from_pretrained(TINY, threads=1).rewrite(CODE, return_edits=True)
    free = Rewriter.from_pretrained(TINY, threads=1, guard="off").rewrite(CODE, return_edits=True)
    report = Rewriter.from_pretrained(TINY, threads=1, guard="report").rewrite(CODE, return_edits=True)
    assert "`he`" in strict.text
    assert report.text == free.text == apply_edits(CODE, free.edits)
    stands = {(e.start, e.after) for e in strict.edits}
    assert len(report.rejected) == sum((e.start, e.after) not in stands for e in free.edits)
    assert free.rejected == ()


def test_without_the_gate_every_sentence_is_asked_about() -> None:
    source = "Nothing to see here. Not at all."
    gated: Rewrite = Rewriter.from_pretrained(TINY, threads=1).rewrite(source, return_edits=True)
    every: Rewrite = Rewriter.from_pretrained(TINY, threads=1, gate=False).rewrite(source, return_edits=True)
    assert (gated.text, gated.gated) == (source, 0)
    assert (every.text, every.gated, every.sentences) == (source, 2, 2)


@pytest.fixture(scope="module")
def pair() -> tuple[Rewriter, Rewriter]:
    return Rewriter.from_pretrained(TINY, threads=1, cache=0), Rewriter.from_pretrained(TINY, threads=3, gate=False)


@given(sources=st.lists(text, max_size=6))
def test_the_gate_and_the_threads_change_nothing(pair: tuple[Rewriter, Rewriter], sources: list[str]) -> None:
    """What the gate holds back has no candidate; batches are formed by content, whoever computes them."""
    gated, every = pair
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("rewriter.pipeline.SENTENCES", 1)
        one = gated.rewrite(sources, return_edits=True)
        assert every.rewrite(sources, return_edits=True) == one
    assert [result.text for result in one] == every.rewrite(sources)
