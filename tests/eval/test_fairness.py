"""Fairness figures: worked by hand, against scikit-learn and fairlearn, and where they are not defined."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.bootstrap import Resampling
from eval.fairness.auc import auc
from eval.fairness.measure import compare_fairness, measure
from eval.fairness.predictions import ColumnNames, Predictions, by_group, by_pair, by_pair_column, classes
from eval.fairness.rates import GROUP_FIGURES
from rewriter.cli.main import main
from rewriter.errors import InputError, MetricError
from rewriter.io.columns import Columns, write_columns

FEW = Resampling(samples=200)

# Worked by hand. Women: 4 examples, y = 1 1 0 0, answers 1 1 1 0. Men: 5 examples, y = 1 1 0 0 0, answers 1 0 0 0 0.
LABELS = [1, 1, 0, 0, 1, 1, 0, 0, 0]
ANSWERS = [1, 1, 1, 0, 1, 0, 0, 0, 0]
SCORES = [0.9, 0.8, 0.6, 0.2, 0.8, 0.4, 0.4, 0.1, 0.0]
GROUPS = ["f"] * 4 + ["m"] * 5
BY_HAND = {
    "DP": 1 - (3 / 4 - 1 / 5),
    "EqOpp1": 1 - (1 - 1 / 2),
    "EqOpp0": 1 - (1 / 2 - 0),
    "EqOdd": 0.5,
    # overall: false positive rate 1/5, false negative rate 1/4
    "FPED": (1 / 2 - 1 / 5) + (1 / 5 - 0),
    "FNED": (1 / 4 - 0) + (1 / 2 - 1 / 4),
    "TPED": (1 - 3 / 4) + (3 / 4 - 1 / 2),
    "TNED": (4 / 5 - 1 / 2) + (1 - 4 / 5),
    "accuracy": 7 / 9,
    # positives 0.9 0.8 0.8 win over all 5 negatives, 0.4 over 3 of them, with one tie
    "AUC": (5 + 5 + 5 + 3 + 0.5) / 20,
}


def table(**columns: object) -> Columns:
    return Columns("answers.csv", columns)  # type: ignore[arg-type]


def worked() -> Predictions:
    data = table(label=LABELS, answer=ANSWERS, p=SCORES, gender=GROUPS)
    return by_group(data, ColumnNames(prediction="answer", score="p"), "gender")


def test_worked_by_hand():
    result = measure(worked(), resampling=FEW)
    found = {name: figure.value for name, figure in result.figures.items()}
    assert found == pytest.approx(BY_HAND)
    assert result.groups["f"]["positive_rate"] == 0.75
    assert result.signature.startswith("fairness-groups|groups:f,m|n:9|bootstrap:200|seed:12345|version:")


@pytest.mark.parametrize(
    ("scores", "labels", "expected"),
    [
        ([0.1, 0.9], [0, 1], 1.0),
        ([0.9, 0.1], [0, 1], 0.0),
        ([0.5, 0.5, 0.5], [0, 1, 1], 0.5),
        ([0.2, 0.2, 0.7], [0, 1, 1], 0.75),
    ],
)
def test_auc_small(scores, labels, expected):
    assert auc(np.array(scores), np.array(labels)) == pytest.approx(expected)


def test_auc_of_one_class_or_nothing_is_undefined():
    assert math.isnan(auc(np.array([0.1, 0.2]), np.array([1, 1])))
    assert math.isnan(auc(np.array([]), np.array([], dtype=np.int64)))


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 1), st.integers(0, 3)), min_size=2, max_size=40))
def test_weights_are_repetitions(rows):
    scores, labels, times = (np.array(column) for column in zip(*rows, strict=True))
    weighted = auc(scores.astype(float), labels, times.astype(float))
    repeated = auc(np.repeat(scores, times).astype(float), np.repeat(labels, times))
    np.testing.assert_allclose(weighted, repeated)


def random_set(seed: int, groups: int = 3) -> Predictions:
    rng = np.random.default_rng(seed)
    scores = np.round(rng.random(300), 2)  # with ties
    labels = (rng.random(300) < scores).astype(np.int64)
    names = tuple(f"g{i}" for i in range(groups))
    return Predictions((scores >= 0.5).astype(np.int64), rng.integers(groups, size=300), names, labels, scores)


@pytest.mark.parametrize("seed", range(3))
def test_equal_to_scikit_learn(seed):
    metrics = pytest.importorskip("sklearn.metrics")
    data = random_set(seed)
    figures = measure(data, resampling=FEW).figures
    assert figures["AUC"].value == pytest.approx(metrics.roc_auc_score(data.labels, data.scores))
    assert figures["accuracy"].value == pytest.approx(metrics.accuracy_score(data.labels, data.predicted))


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("groups", [2, 4])
def test_equal_to_fairlearn(seed, groups):
    metrics = pytest.importorskip("fairlearn.metrics")
    data = random_set(seed, groups)
    figures = {name: figure.value for name, figure in measure(data, resampling=FEW).figures.items()}
    arguments = {"y_true": data.labels, "y_pred": data.predicted, "sensitive_features": data.groups}
    assert figures["DP"] == pytest.approx(1 - metrics.demographic_parity_difference(**arguments))
    assert figures["EqOpp1"] == pytest.approx(1 - metrics.equal_opportunity_difference(**arguments))
    # fairlearn's equalized odds takes the worse of both, the paper their mean
    worst = min(figures["EqOpp0"], figures["EqOpp1"])
    assert worst == pytest.approx(1 - metrics.equalized_odds_difference(**arguments))
    frame = metrics.MetricFrame(metrics=metrics.false_positive_rate, **arguments)
    assert figures["FPED"] == pytest.approx(abs(frame.by_group - frame.overall).sum())


def test_intervals_are_those_of_drawing_rows_one_by_one():
    data, resampling = random_set(5), Resampling(samples=50, seed=7)
    found = measure(data, resampling=resampling).figures["DP"].interval
    rng, values = np.random.default_rng(7), []
    for _ in range(50):
        rows = rng.integers(300, size=300)
        counts = np.zeros((3, 2, 2))
        np.add.at(counts, (data.groups[rows], data.labels[rows], data.predicted[rows]), 1)
        values.append(GROUP_FIGURES["DP"](counts))
    low, high = np.percentile(values, [2.5, 97.5])
    assert (found.low, found.high) == pytest.approx((low, high))


class TestUndefined:
    def test_a_group_with_one_class_only(self):
        data = table(label=[1, 1, 0, 1], answer=[1, 0, 0, 1], gender=["f", "f", "m", "m"])
        figures = measure(by_group(data, ColumnNames(prediction="answer"), "gender"), resampling=FEW).figures
        assert figures["DP"].value == 1.0
        assert figures["EqOpp1"].value == 0.5
        assert math.isnan(figures["EqOpp0"].value)
        assert figures["EqOpp0"].undefined == "the group 'f' has no example with the label 0"
        assert figures["AUC"].undefined == "there are no scores"
        assert figures["EqOpp0"].to_dict() == {
            "value": None,
            "interval": None,
            "undefined": "the group 'f' has no example with the label 0",
        }

    def test_no_labels(self):
        data = table(answer=[1, 0, 0, 0], gender=["f", "f", "m", "m"])
        figures = measure(by_group(data, ColumnNames(None, "answer"), "gender"), resampling=FEW).figures
        assert figures["DP"].value == 0.5
        assert figures["EqOdd"].undefined == "the truth is not known (no labels)"

    def test_an_empty_group(self):
        data = table(label=[1, 0], answer=[1, 0], gender=["f", "m"])
        with pytest.raises(MetricError, match="no example belongs to the group x; found: f, m"):
            by_group(data, ColumnNames(prediction="answer"), "gender", groups=["f", "m", "x"])

    def test_one_group(self):
        data = table(label=[1, 0], answer=[1, 0], gender=["f", "f"])
        with pytest.raises(MetricError, match="at least two groups; found: f"):
            by_group(data, ColumnNames(prediction="answer"), "gender")


class TestPairs:
    kept = table(label=[1, 1, 0, 0], p=[0.9, 0.7, 0.4, 0.6])
    flipped = table(label=[1, 1, 0, 0], p=[0.9, 0.4, 0.6, 0.2])

    def pairs(self, flipped=None):
        return by_pair(self.kept, flipped or self.flipped, ColumnNames(score="p"), ColumnNames(score="p"))

    def test_by_hand(self):
        # kept 1 1 0 1, flipped 1 0 1 0
        result = measure(self.pairs(), resampling=FEW)
        assert result.figures["flip rate"].value == 0.75
        assert result.figures["DP"].value == 1 - (0.75 - 0.5)
        assert result.signature.startswith("fairness-pairs|groups:kept,flipped|n:4|")

    def test_nothing_changes(self):
        result = measure(self.pairs(self.kept), resampling=FEW)
        assert result.figures["flip rate"].value == 0.0
        assert (result.figures["DP"].interval.low, result.figures["DP"].interval.high) == (1.0, 1.0)

    def test_other_label(self):
        with pytest.raises(MetricError, match="row 2: the flipped text has another label"):
            self.pairs(table(label=[1, 0, 0, 0], p=[0, 0, 0, 0]))

    def test_other_length(self):
        with pytest.raises(MetricError, match="row N of one belongs to row N"):
            self.pairs(table(label=[1], p=[0]))

    def test_both_versions_in_one_table(self):
        data = table(
            label=[1, 1, 0, 0], p=[0.9, 0.2, 0.1, 0.3], g=["male", "female", "female", "male"], pair=[0, 0, 1, 1]
        )
        result = measure(by_pair_column(data, ColumnNames(score="p"), "g", "pair"), resampling=FEW)
        assert result.figures["flip rate"].value == 0.5
        assert result.groups["male"]["positive_rate"] == 0.5

    def test_a_pair_without_its_other_half(self):
        data = table(label=[1, 1], p=[1, 1], g=["male", "female"], pair=[0, 1])
        with pytest.raises(MetricError, match="pair '0' has not one row of each group"):
            by_pair_column(data, ColumnNames(score="p"), "g", "pair")


class TestCompare:
    def test_equal_systems(self):
        result = measure(random_set(1), resampling=FEW)
        found = compare_fairness(result, result, resampling=FEW)
        assert found["DP"].difference == 0.0
        assert found["DP"].p_value == 1.0
        assert found["DP"].better is None

    def test_a_fair_system_against_an_unfair_one(self):
        rng = np.random.default_rng(3)
        groups, labels = np.repeat([0, 1], 200), rng.integers(2, size=400)
        unfair = np.where(groups == 1, 1, labels)
        one, two = (
            measure(Predictions(answers, groups, ("f", "m"), labels), resampling=FEW) for answers in (labels, unfair)
        )
        found = compare_fairness(one, two, resampling=FEW)
        assert found["DP"].better and found["DP"].p_value < 0.01
        assert found["FPED"].better and found["FPED"].difference < 0
        back = compare_fairness(two, one, resampling=FEW)["DP"]
        assert back.difference == -found["DP"].difference and back.p_value == found["DP"].p_value

    def test_few_differing_examples_prove_little(self):
        one = worked()
        answers = one.predicted.copy()
        answers[0] = 0
        other = Predictions(answers, one.groups, one.names, one.labels, one.scores)
        found = compare_fairness(measure(one, resampling=FEW), measure(other, resampling=FEW), resampling=FEW)
        assert found["DP"].p_value == 1.0

    def test_other_examples(self):
        with pytest.raises(MetricError, match="needs the same examples"):
            compare_fairness(measure(random_set(1), resampling=FEW), measure(worked(), resampling=FEW))


class TestClasses:
    @pytest.mark.parametrize("values", [["1", "0"], [1, 0], [1.0, 0.0], [True, False], ["True", "false"]])
    def test_known_forms(self, values):
        assert classes(table(y=values), "y").tolist() == [1, 0]

    def test_text_needs_the_positive_class(self):
        with pytest.raises(InputError, match="holds 'none', 'racism', 'sexism', not 0 and 1; name the class"):
            classes(table(y=["none", "sexism", "racism"]), "y")

    def test_one_against_the_others(self):
        assert classes(table(y=["none", "sexism", "racism"]), "y", "sexism").tolist() == [0, 1, 0]

    def test_a_class_without_examples(self):
        with pytest.raises(InputError, match="no row of column 'y' holds 'sexist'; it holds 'none', 'sexism'"):
            classes(table(y=["none", "sexism"]), "y", "sexist")

    def test_missing_column(self):
        with pytest.raises(InputError, match=r"no column 'lable' \(did you mean 'label'\?\); columns: label, text"):
            classes(table(label=[1], text=["a"]), "lable")


class TestCommand:
    @pytest.fixture
    def answers(self, tmp_path):
        path = tmp_path / "answers.csv"
        write_columns(path, {"label": LABELS, "p": SCORES, "gender": GROUPS, "flipped": SCORES[::-1]})
        return str(path)

    def test_json(self, answers, capsys):
        arguments = ["--score", "p", "--group", "gender", "--flipped-score", "flipped", "--bootstrap", "50", "--json"]
        assert main(["eval", "fairness", answers, *arguments]) == 0
        groups, pairs = json.loads(capsys.readouterr().out)
        assert (groups["on"], groups["column"], pairs["on"]) == ("groups", "gender", "pairs")
        assert groups["figures"]["DP"]["value"] == pytest.approx(0.45)
        assert "|threshold:0.5|" in groups["signature"]

    def test_table_with_a_second_classifier(self, answers, tmp_path, capsys):
        other = tmp_path / "other.parquet"
        pytest.importorskip("pyarrow")
        write_columns(other, {"label": LABELS, "p": [0.9] * 9, "gender": GROUPS})
        arguments = ["--score", "p", "--group", "gender", "--against", str(other), "--bootstrap", "50"]
        assert main(["eval", "fairness", answers, *arguments]) == 0
        shown = capsys.readouterr().out
        assert "EqOpp1" in shown and "against" in shown and "difference" in shown

    def test_what_is_missing_is_said(self, answers, capsys):
        assert main(["eval", "fairness", answers, "--score", "p"]) == 2
        assert "--group" in capsys.readouterr().err
        assert main(["eval", "fairness", answers, "--group", "gender"]) == 2
        assert "--score" in capsys.readouterr().err
        assert main(["eval", "fairness", answers, "--score", "q", "--group", "gender"]) == 4
        assert "no column 'q'" in capsys.readouterr().err
