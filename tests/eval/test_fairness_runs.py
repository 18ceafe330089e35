"""Means over runs, worked by hand and held against single runs; rank correlation, held against definitions."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.bootstrap import Resampling
from eval.example_scores.agreement import agreement, ranks, spearman
from eval.fairness.measure import measure
from eval.fairness.predictions import Predictions
from eval.fairness.runs import Answers, measure_runs
from rewriter.errors import MetricError

LABELS, GROUPS = np.tile([0, 1], 20), np.repeat([0, 1], 20)
FEW = Resampling(samples=50, seed=3)


def answered(seed: int, shift: float = 0.0) -> Predictions:
    scores = np.random.default_rng(seed).random(40) + shift * GROUPS
    return Predictions((scores > 0.5).astype(np.int64), GROUPS, ("a", "b"), LABELS, scores)


class TestRuns:
    def test_values_are_means_and_deviations_of_single_runs(self) -> None:
        runs = [answered(seed) for seed in (1, 2, 3)]
        found = measure_runs({"vanilla": runs}, resampling=FEW).figures["vanilla"]
        for name in ("DP", "EqOdd", "AUC", "accuracy"):
            single = [measure(run, resampling=FEW).figures[name].value for run in runs]
            assert found[name].value == pytest.approx(np.mean(single))
            assert found[name].deviation == pytest.approx(np.std(single, ddof=1))
            assert found[name].runs == pytest.approx(single)

    def test_one_run_has_the_interval_of_examples_alone(self) -> None:
        run = answered(1)
        found, single = measure_runs({"one": [run]}, resampling=FEW), measure(run, resampling=FEW)
        assert found.figures["one"]["DP"].interval == single.figures["DP"].interval
        assert math.isnan(found.figures["one"]["DP"].deviation)
        assert found.figures["one"]["DP"].to_dict()["deviation"] is None

    def test_runs_that_differ_widen_the_interval(self) -> None:
        same, other = [answered(1), answered(1)], [answered(1), answered(1, shift=0.4)]
        found = measure_runs({"same": same, "other": other}, resampling=Resampling(samples=400)).figures
        widths = {name: row["DP"].interval.high - row["DP"].interval.low for name, row in found.items()}  # type: ignore[union-attr]
        assert widths["other"] > widths["same"]

    def test_a_difference_to_itself_is_nothing(self) -> None:
        result = measure_runs({"one": [answered(1)], "two": [answered(1)]}, resampling=FEW)
        difference = result.difference("two", "one")["DP"]
        assert (difference.difference, difference.interval.low, difference.p_value) == (0.0, 0.0, 1.0)  # type: ignore[union-attr]
        with pytest.raises(MetricError, match="no runs of 'three' were measured; there are one, two"):
            result.difference("three", "one")

    def test_performance_without_groups(self) -> None:
        scores = np.where(LABELS == 1, 0.9, 0.1)
        right = Answers((scores > 0.5).astype(np.int64), LABELS, scores)
        figures = measure_runs({"right": [right]}, resampling=FEW).figures["right"]
        assert (figures["AUC"].value, figures["accuracy"].value) == (1.0, 1.0)

    def test_one_class_only_is_undefined_with_a_reason(self) -> None:
        ones = np.ones(40, dtype=np.int64)
        run = Predictions(ones, GROUPS, ("a", "b"), ones, ones.astype(np.float64))
        figures = measure_runs({"one": [run]}, resampling=FEW).figures["one"]
        assert math.isnan(figures["AUC"].value) and figures["AUC"].undefined == "all examples have the same label"
        assert figures["DP"].value == 1.0

    def test_other_examples_are_refused(self) -> None:
        other = Predictions(LABELS, GROUPS, ("a", "b"), 1 - LABELS, LABELS.astype(np.float64))
        with pytest.raises(MetricError, match="different labels"):
            measure_runs({"one": [answered(1)], "two": [other]}, resampling=FEW)
        with pytest.raises(MetricError, match="at least one run"):
            measure_runs({"one": []}, resampling=FEW)


class TestAgreement:
    def test_ranks_of_equal_values_are_their_mean(self) -> None:
        assert ranks(np.array([3.0, 1.0, 3.0, 2.0])).tolist() == [2.5, 0.0, 2.5, 1.0]

    @given(st.permutations(list(range(8))))
    def test_without_ties_it_is_the_formula_of_differences(self, order: list[int]) -> None:
        first, second = np.arange(8.0), np.array(order, dtype=np.float64)
        assert spearman(first, second) == pytest.approx(1 - 6 * ((first - second) ** 2).sum() / (8 * 63))

    @given(st.lists(st.integers(0, 4), min_size=3, max_size=30), st.integers(0, 99))
    def test_equal_to_scipy(self, values: list[int], seed: int) -> None:
        stats = pytest.importorskip("scipy.stats")
        first, second = np.array(values, dtype=np.float64), np.random.default_rng(seed).random(len(values))
        if len(set(values)) > 1:
            assert spearman(first, second) == pytest.approx(stats.spearmanr(first, second).statistic)

    def test_seeds_against_seeds_and_theirs(self) -> None:
        rng = np.random.default_rng(5)
        truth = rng.random(200)
        seeds = [truth + 0.1 * rng.random(200) for _ in range(3)]
        others = {"theirs GE": truth, "constant GE": np.zeros(200)}
        near, nothing = agreement("GE", seeds, others, resampling=FEW)
        assert near.spearman > 0.9 and near.ceiling is not None and near.ceiling > 0.9
        assert near.interval is not None and near.interval.low <= near.spearman <= near.interval.high
        assert math.isnan(nothing.spearman) and nothing.interval is None
        (part,) = agreement("GE", seeds[:1], {"theirs GE": truth}, rows=truth > 0.5, resampling=FEW)
        assert part.n == (truth > 0.5).sum() and part.ceiling is None
