"""Word error rate: hand-counted cases, bad input, properties."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eval.bootstrap import Resampling
from eval.signature import parse_signature
from eval.wer import wer
from rewriter.errors import MetricError, UsageError

#: hypothesis, reference, substitutions, deletions, insertions, reference tokens
COUNTED = [
    ("They know their stuff.", "They know their stuff.", 0, 0, 0, 5),
    ("They knows their stuff.", "They know their stuff.", 1, 0, 0, 5),
    ("They know stuff.", "They know their stuff.", 0, 1, 0, 5),
    ("They do know their stuff.", "They know their stuff.", 0, 0, 1, 5),
    ("they know their stuff.", "They know their stuff.", 1, 0, 0, 5),
    ("They's late", "They're late", 1, 0, 0, 3),
    ("They isn't late", "They aren't late", 1, 0, 0, 4),
    ("They’s late", "They’re late", 1, 0, 0, 4),
    ("", "They know.", 0, 3, 0, 3),
    ("a b c d", "x", 1, 0, 3, 1),
]


@pytest.mark.parametrize(("hypothesis", "reference", "subs", "dels", "ins", "length"), COUNTED)
def test_errors_are_counted_as_by_hand(hypothesis, reference, subs, dels, ins, length):
    result = wer(hypothesis=[hypothesis], reference=[reference])
    assert (result.substitutions, result.deletions, result.insertions) == (subs, dels, ins)
    assert result.lengths.tolist() == [length]
    assert result.errors.tolist() == [subs + dels + ins]
    assert result.score == pytest.approx(100 * (subs + dels + ins) / length)


def test_errors_of_all_sentences_are_divided_by_all_tokens_not_averaged():
    result = wer(hypothesis=["x", "a b c"], reference=["a", "a b c"], tokenizer="none")
    assert result.score == pytest.approx(25.0)
    assert result.exact == pytest.approx(50.0)
    assert result.hits == 3


def test_the_signature_says_everything_that_was_chosen():
    result = wer(
        hypothesis=["Er ging"],
        reference=["er ging"],
        lang="de",
        case="lower",
        resampling=Resampling(samples=20, seed=7),
    )
    fields = parse_signature(result.signature)
    assert result.score == 0
    assert list(fields) == ["metric", "lang", "tok", "case", "n", "bootstrap", "seed", "version"]
    assert fields | {"version": ""} == {
        "metric": "wer",
        "lang": "de",
        "tok": "moses-de",
        "case": "lower",
        "n": "1",
        "bootstrap": "20",
        "seed": "7",
        "version": "",
    }


def test_the_worst_sentences_come_first_and_right_ones_never():
    result = wer(hypothesis=["a", "x y", "x", "a"], reference=["a", "a b", "a", "a"], tokenizer="none")
    assert result.worst(10) == [1, 2]
    assert result.worst(1) == [1]


def test_json_holds_statistics_and_no_sentence():
    record = wer(hypothesis=["secret words"], reference=["other words"]).to_dict()
    assert record["errors"] == [1]
    assert "secret" not in str(record)


def test_unequal_lengths_are_refused_with_both_lengths():
    with pytest.raises(MetricError, match="hypothesis has 2, reference has 3"):
        wer(hypothesis=["a", "b"], reference=["a", "b", "c"])


@pytest.mark.parametrize("blank", ["", "   ", "\t", "\u00a0"])
def test_an_empty_reference_is_refused_by_number(blank):
    with pytest.raises(MetricError, match="reference sentence 2 is empty"):
        wer(hypothesis=["a", "", "c"], reference=["a", blank, "c"])


def test_an_empty_reference_beside_full_hypotheses_smells_of_a_swap():
    with pytest.raises(MetricError, match=r"sentence 1 \(and 1 more\) is empty.*swapped\?"):
        wer(hypothesis=["a", "b"], reference=["", ""])


def test_no_sentences_are_refused():
    with pytest.raises(MetricError, match="no sentences"):
        wer(hypothesis=[], reference=[])


def test_one_string_instead_of_a_list_is_refused():
    with pytest.raises(UsageError, match="hypothesis: expected a list"):
        wer(hypothesis="abc", reference="abc")


def test_arguments_have_to_be_named():
    with pytest.raises(TypeError):
        wer(["a"], ["a"])


@pytest.mark.parametrize(
    ("option", "message"),
    [({"tokenizer": "mosse"}, "known: moses-LANG"), ({"lang": "xx"}, "'xx'"), ({"case": "upper"}, "mixed, lower")],
)
def test_unknown_options_name_the_known_ones(option, message):
    with pytest.raises(UsageError, match=message):
        wer(hypothesis=["a"], reference=["a"], **option)


words = st.lists(st.sampled_from(["they", "know", "them", "'s", "."]), min_size=1, max_size=8).map(" ".join)
texts = st.lists(words, min_size=1, max_size=8)
few = Resampling(samples=30)


@given(texts)
def test_identical_text_scores_zero(text):
    result = wer(hypothesis=text, reference=text, tokenizer="none", resampling=few)
    assert (result.score, result.exact) == (0.0, 100.0)
    assert (result.interval.low, result.interval.high) == (0.0, 0.0)


@given(st.lists(st.tuples(words, words), min_size=1, max_size=8))
def test_statistics_add_up(pairs):
    hypothesis, reference = zip(*pairs, strict=True)
    result = wer(hypothesis=hypothesis, reference=reference, tokenizer="none", resampling=few)
    assert result.errors.sum() == result.substitutions + result.deletions + result.insertions
    assert result.lengths.sum() == result.hits + result.substitutions + result.deletions
    assert np.all(result.errors <= np.maximum(result.lengths, [len(h.split()) for h in hypothesis]))


@given(st.lists(st.tuples(words, words), min_size=1, max_size=8), st.integers(0, 2**32))
@settings(max_examples=25)
def test_the_same_seed_gives_the_same_interval(pairs, seed):
    hypothesis, reference = zip(*pairs, strict=True)
    options = {"tokenizer": "none", "resampling": Resampling(samples=50, seed=seed)}
    first, second = (wer(hypothesis=hypothesis, reference=reference, **options) for _ in range(2))
    assert first.interval == second.interval


def test_the_interval_holds_the_score_and_narrows_with_more_sentences():
    def interval(copies):
        hypothesis, reference = ["a b c x"] * copies + ["a b c d"] * copies, ["a b c d"] * (2 * copies)
        return wer(hypothesis=hypothesis, reference=reference, tokenizer="none").interval

    narrow, wide = interval(200), interval(10)
    assert wide.low <= narrow.low <= 12.5 <= narrow.high <= wide.high


def test_resampling_in_pieces_keeps_every_sample(monkeypatch):
    monkeypatch.setattr("eval.bootstrap.DRAWN_AT_ONCE", 7)
    result = wer(hypothesis=["a"] * 3, reference=["b"] * 3, tokenizer="none", resampling=Resampling(samples=11))
    assert (result.interval.low, result.interval.high) == (100.0, 100.0)


@pytest.mark.parametrize("options", [{"samples": 0}, {"level": 0}, {"level": 100}])
def test_senseless_resampling_is_refused(options):
    with pytest.raises(UsageError):
        Resampling(**options)
