"""Paired bootstrap: what must come out whatever the data, and cases with a clear answer."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eval.bootstrap import Resampling
from eval.significance import compare
from eval.wer import wer
from rewriter.errors import MetricError

few = Resampling(samples=60)


def scored(errors, length=5):
    """Return a result with the given errors per sentence, each of ``length`` tokens."""
    reference = ["a " * length] * len(errors)
    hypothesis = ["x " * e + "a " * (length - e) for e in errors]
    return wer(hypothesis=hypothesis, reference=reference, tokenizer="none", resampling=few)


error_pairs = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=1, max_size=20)


@given(error_pairs)
@settings(max_examples=50)
def test_swapping_the_systems_changes_the_sign_and_nothing_else(pairs):
    one, other = (scored(errors) for errors in zip(*pairs, strict=True))
    there = compare(system=one, baseline=other, resampling=few)
    back = compare(system=other, baseline=one, resampling=few)
    assert there.difference == -back.difference
    assert there.p_value == back.p_value
    assert there.equal == back.equal
    assert there.interval.low == pytest.approx(-back.interval.high)
    assert there.better + back.better + there.equal == pytest.approx(100)


@given(st.lists(st.integers(0, 5), min_size=1, max_size=20))
@settings(max_examples=25)
def test_equal_systems_never_differ(errors):
    same = compare(system=scored(errors), baseline=scored(errors), resampling=few)
    assert (same.difference, same.p_value, same.equal) == (0.0, 1.0, 100.0)
    assert not same.significant()


def test_a_clear_difference_is_significant():
    generator = np.random.default_rng(3)
    bad, good = generator.integers(0, 4, 300), generator.integers(0, 2, 300)
    result = compare(system=scored(good), baseline=scored(bad))
    assert result.significant(0.01)
    assert result.better == 100.0
    assert result.interval.low <= result.difference <= result.interval.high < 0


@pytest.mark.parametrize(("differing", "smallest"), [(1, 1.0), (2, 0.5), (5, 0.0625)])
def test_a_handful_of_sentences_proves_little(differing, smallest):
    """All samples favour the system, so resampling alone would call it certain."""
    result = compare(system=scored([0] * differing), baseline=scored([1] * differing))
    assert result.better == 100.0
    assert result.p_value == smallest


def test_one_sentence_more_or_less_is_chance():
    result = compare(system=scored([0] * 99 + [1]), baseline=scored([0] * 98 + [1, 0]))
    assert result.difference == 0
    assert not result.significant()


def test_chance_alone_is_called_significant_about_as_often_as_it_should():
    generator = np.random.default_rng(11)
    systems = [generator.integers(0, 3, (2, 60)) for _ in range(60)]
    found = sum(
        compare(system=scored(a), baseline=scored(b), resampling=Resampling(samples=200)).significant()
        for a, b in systems
    )
    assert found <= 9  # 3 expected; more than 9 of 60 at 5 % has a probability below 0.002


def test_the_same_seed_gives_the_same_figures_and_another_seed_others():
    one, other = scored([0, 1, 2, 3, 0, 1] * 5), scored([1, 1, 0, 3, 2, 1] * 5)
    assert compare(system=one, baseline=other).to_dict() == compare(system=one, baseline=other).to_dict()
    another = compare(system=one, baseline=other, resampling=Resampling(seed=1))
    assert compare(system=one, baseline=other).better != another.better


def test_sets_of_different_length_are_refused():
    with pytest.raises(MetricError, match="2 and 3 sentences"):
        compare(system=scored([0, 1]), baseline=scored([0, 1, 1]))


def test_different_references_are_refused():
    with pytest.raises(MetricError, match="different references"):
        compare(system=scored([0, 1], length=5), baseline=scored([0, 1], length=6))


def test_different_settings_are_refused():
    one = wer(hypothesis=["a"], reference=["a"], tokenizer="none")
    other = wer(hypothesis=["a"], reference=["a"], tokenizer="moses-en")
    with pytest.raises(MetricError, match=r"tok:none.*tok:moses-en"):
        compare(system=one, baseline=other)
