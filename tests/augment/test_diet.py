"""Diets: what each keeps, from small tables; the rule that chooses among them; the command."""

from __future__ import annotations

import json
import os
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from augment.diet.core import DIETS, Diet, apply_diet, choose, grid, ranked
from augment.diet.examples import ExampleColumns, Examples, blind, read_examples
from augment.diet.rule import Outcome, Rule, best, mean_outcomes, pareto, read_outcomes, survivors
from eval.example_scores.run import SCORES
from rewriter.cli.main import main
from rewriter.errors import InputError, MetricError, UsageError
from rewriter.io.columns import Columns, read_columns, write_columns

GE = np.array([0.9, 0.0, 0.5, 0.0, 0.1, 0.7, 0.0, 0.3, 0.2, 0.4])


def examples(labels: list[object] | None = None) -> Examples:
    texts = [f"she is number {i}" if GE[i] else f"it is number {i}" for i in range(10)]
    flipped = [text.replace("she", "he") for text in texts]
    return Examples(texts, flipped, labels or [0, 1] * 5, {"GE": GE, "bert EL2N": GE[::-1]})


def kept(name: str, a: float = 0.5, b: float = 0.5, **options: object) -> tuple[list[int], list[int]]:
    found = choose(examples(), Diet(name, a, b, **options))  # type: ignore[arg-type]
    return found.factual.tolist(), found.counterfactual.tolist()


class TestTable3:
    def test_healthy_random_takes_the_counterfactuals_with_the_highest_scores(self):
        factual, counterfactual = kept("healthy-random", 0.4, 0.3)
        assert counterfactual == [0, 2, 5]
        assert len(factual) == 4

    def test_unhealthy_random_takes_those_with_the_lowest(self):
        assert kept("unhealthy-random", 0.5, 0.4)[1] == [1, 3, 4, 6]

    def test_vanilla_ge_takes_the_lowest_of_both(self):
        assert kept("vanilla-ge", 0.5, 0.3) == ([1, 3, 4, 6, 8], [1, 3, 6])

    def test_random_is_another_choice_for_each_seed_and_part(self):
        one, two = kept("random", seed=1), kept("random", seed=2)
        assert one == kept("random", seed=1) and one != two
        assert one[0] != one[1]

    def test_random_parts_are_the_same_in_all_diets(self):
        assert kept("random", 0.4)[0] == kept("healthy-random", 0.4)[0] == kept("unhealthy-random", 0.4)[0]

    def test_a_smaller_share_is_a_part_of_a_larger_one(self):
        assert set(kept("healthy-random", 0.3, 0.2)[0]) < set(kept("healthy-random", 0.5, 0.2)[0])

    def test_any_score(self):
        assert kept("healthy-random", 0.5, 0.2, score="EL2N")[1] == [4, 9]


class TestWhole:
    def test_vanilla(self):
        assert kept("vanilla") == (list(range(10)), [])

    def test_cda_doubles(self):
        assert kept("cda") == (list(range(10)), list(range(10)))
        assert kept("cda", changed_only=True)[1] == [0, 2, 4, 5, 7, 8, 9]

    def test_cds_keeps_one_version_of_each(self):
        factual, counterfactual = kept("cds")
        assert sorted(factual + counterfactual) == list(range(10))
        assert factual and counterfactual

    def test_blindness(self):
        rows = apply_diet(examples(), Diet("blindness"))
        assert (rows[0].text, rows[1].text, rows[0].version) == ("is number 0", "it is number 1", "blind")


@pytest.mark.parametrize(
    ("text", "flipped", "expected"),
    [
        ("Tell her that he left.", "Tell him that she left.", "Tell that left."),
        ("She's here", "He's here", "here"),
        ("No change,  at all", "No change,  at all", "No change,  at all"),
    ],
)
def test_blind(text, flipped, expected):
    assert blind(text, flipped) == expected


@given(st.lists(st.floats(-1, 1), min_size=1, max_size=30), st.integers(0, 5))
def test_ranking_is_a_permutation_in_order(scores, seed):
    values = np.array(scores)
    order = ranked(values, np.arange(len(values)), "descending", np.random.default_rng(seed))
    assert sorted(order.tolist()) == list(range(len(values)))
    assert (np.diff(values[order]) <= 0).all()


def test_equal_scores_are_drawn_not_taken_from_the_top():
    scores, rng = np.zeros(1000), np.random.default_rng(1)
    first = ranked(scores, np.arange(1000), "ascending", rng)[:100]
    assert 300 < first.mean() < 700


class TestWrong:
    def test_unknown_diet(self):
        with pytest.raises(UsageError, match=r"unknown diet 'healthy-randm' \(did you mean 'healthy-random'\?\)"):
            Diet("healthy-randm")

    def test_share(self):
        with pytest.raises(UsageError, match="between 0 and 100 percent, not at 140"):
            Diet("random", 1.4)

    def test_score_is_missing(self):
        with pytest.raises(InputError, match="no score is called 'GraNd'; there are: 'GE', 'bert EL2N'"):
            kept("healthy-random", score="GraNd")

    def test_a_class_is_lost(self):
        data = examples([1] + [0] * 9)
        with pytest.raises(InputError, match="leaves no example of the class 1; take larger shares"):
            choose(data, Diet("unhealthy-random", 0.0, 0.5))

    def test_one_class(self):
        with pytest.raises(InputError, match="all examples have the class '0'"):
            choose(examples([0] * 10), Diet("cda"))

    def test_nothing_was_swapped(self, tmp_path):
        path = tmp_path / "t.csv"
        write_columns(path, {"text": ["a", "b"], "label": [0, 1], "counterfactual": ["a", "b"]})
        with pytest.raises(InputError, match="no counterfactual differs from its text"):
            read_examples(path)

    def test_missing_column(self, tmp_path):
        path = tmp_path / "t.csv"
        write_columns(path, {"text": ["a"], "label": [0]})
        with pytest.raises(InputError, match="no column 'counterfactual'"):
            read_examples(path)


class TestRead:
    def test_published_form(self, tmp_path):
        one, two = tmp_path / "original.csv", tmp_path / "swap.csv"
        write_columns(one, {"tweet": ["he", "it"], "Class": [0, 1], "bert-base-cased GE": [0.5, 0]})
        write_columns(two, {"tweet": ["she", "it"], "Class": [0, 1], "bert-base-cased El2N_fairness": [0.5, 0]})
        found = read_examples(one, flipped=two)
        assert found.counterfactuals == ["she", "it"]
        assert found.score("GE").tolist() == [0.5, 0.0]
        assert read_examples(two, flipped=one).score("GE").tolist() == [0.5, 0.0]

    def test_every_score_that_is_computed_is_found_again(self, tmp_path: Path) -> None:
        names = [name for name in SCORES if name != "stereotype"]  # a sign, by which nothing is ranked
        path = tmp_path / "scores.csv"
        path.write_text(f"text,label,counterfactual,{','.join(names)}\nshe,0,he,{','.join('1' for _ in names)}\n")
        assert sorted(read_examples(path).scores) == sorted(names)

    def test_labels_must_agree(self, tmp_path):
        one, two = tmp_path / "original.csv", tmp_path / "swap.csv"
        write_columns(one, {"text": ["he", "it"], "label": [0, 1]})
        write_columns(two, {"text": ["she", "it"], "label": [0, 0]})
        with pytest.raises(InputError, match="row 2 has another label"):
            read_examples(one, flipped=two)

    def test_a_swapper(self, tmp_path):
        path = tmp_path / "t.csv"
        write_columns(path, {"doc": ["he", "it"], "y": ["no", "yes"]})
        columns = ExampleColumns(text="doc", label="y")
        found = read_examples(path, columns=columns, swap=lambda texts: [t.replace("he", "she") for t in texts])
        assert (found.counterfactuals, found.labels) == (["she", "it"], ["no", "yes"])

    @pytest.mark.data
    def test_the_authors_tables(self):
        folder = os.environ.get("GENDER_FAIR_DATA")
        if not folder or not (Path(folder) / "diet").exists():
            pytest.skip("GENDER_FAIR_DATA is not set or has no diet tables")
        original, swap = (
            Path(folder) / "diet" / f"Twitter_train_{kind}.csv.zst" for kind in ("original_gender", "gender_swap")
        )
        found = read_examples(original, flipped=swap)
        assert len(found) == 13_525
        assert (found.score("bert-base-cased GE") > 0).sum() == 4_890
        assert (found.score("bert-base-cased GE")[~found.changed] == 0).mean() > 0.99


def outcome(diet: str, dp: float, auc: float, a: float = 1.0, b: float = 1.0) -> Outcome:
    return Outcome(diet, {"DP": dp, "AUC": auc}, a, b)


OUTCOMES = [
    outcome("vanilla", 0.80, 0.90),
    outcome("cda", 0.90, 0.91),
    outcome("healthy-random", 0.96, 0.88, 0.4, 0.4),
    outcome("healthy-random", 0.99, 0.86, 0.3, 0.5),
    outcome("unhealthy-random", 0.81, 0.89, 0.4, 0.4),
]


class TestRule:
    def test_best_within_three_percent(self):
        # 0.97 * 0.90 = 0.873
        assert best(OUTCOMES).key == ("healthy-random", 0.4, 0.4)

    def test_other_limits(self):
        assert best(OUTCOMES, Rule(loss=0.05)).figures["DP"] == 0.99
        assert best(OUTCOMES, Rule(loss=0.0)).diet == "cda"
        assert best(OUTCOMES, Rule(loss=0.01, relative=False)).figures["DP"] == 0.90

    def test_of_equals_the_smaller(self):
        equal = [OUTCOMES[0], outcome("cda", 0.9, 0.9), outcome("random", 0.9, 0.9, 0.3, 0.3)]
        assert best(equal).diet == "random"

    def test_seeds_are_averaged(self):
        runs = [outcome("cda", 0.8, 0.9), outcome("cda", 0.9, 0.8), outcome("vanilla", 0.5, 0.5)]
        means = mean_outcomes(runs)
        assert means[0].figures == pytest.approx({"DP": 0.85, "AUC": 0.85})
        assert means[0].seeds == 2

    def test_nothing_keeps_to_the_limit(self):
        with pytest.raises(MetricError, match=r"at least 0\.8730; the nearest is 'cda' with 0\.5000"):
            best([OUTCOMES[0], outcome("cda", 0.9, 0.5)])

    def test_no_baseline(self):
        with pytest.raises(MetricError, match="no outcome of the diet 'vanilla'"):
            best(OUTCOMES[1:])

    def test_pareto(self):
        assert [o.figures["DP"] for o in pareto(OUTCOMES)] == [0.90, 0.96, 0.99]

    def test_early_pruning(self):
        assert [o.figures["DP"] for o in survivors(OUTCOMES)] == [0.80, 0.96, 0.99]
        assert [o.figures["DP"] for o in survivors(OUTCOMES, tolerance=0.001)] == [0.80, 0.96]

    def test_grid(self):
        diets = grid(Diet("random"), (0.3, 0.4), (0.0, 0.5))
        assert [(d.factual, d.counterfactual) for d in diets] == [(0.3, 0.0), (0.3, 0.5), (0.4, 0.0), (0.4, 0.5)]
        with pytest.raises(UsageError, match="has no shares"):
            grid(Diet("cda"), (0.3,), (0.3,))

    def test_table(self):
        table = Columns("t", {"diet": ["cda"], "factual": ["40"], "DP": ["0.9"], "seed": ["1"], "note": ["x"]})
        assert read_outcomes(table) == [Outcome("cda", {"DP": 0.9}, 0.4, 1.0)]


class TestCommand:
    @pytest.fixture
    def table(self, tmp_path):
        path, data = tmp_path / "scores.csv", examples()
        columns = {"text": data.texts, "label": data.labels, "counterfactual": data.counterfactuals, "GE": list(GE)}
        write_columns(path, columns)
        return str(path)

    @pytest.mark.parametrize("diet", DIETS)
    def test_every_diet(self, table, tmp_path, capsys, diet):
        assert main(["augment", "diet", table, "--diet", diet, "-o", str(tmp_path / diet), "--json"]) == 0
        counts = json.loads(capsys.readouterr().out)
        rows = read_columns(tmp_path / diet / "train.jsonl.zst")
        assert len(rows) == counts["examples"]
        assert list(rows.columns) == ["text", "label", "row", "version"]

    def test_another_run_is_not_overwritten(self, table, tmp_path, capsys):
        command = ["augment", "diet", table, "-o", str(tmp_path / "out")]
        assert main(command) == 0 and main(command) == 0
        assert main([*command, "--factual", "50"]) == 2
        assert "config.factual: was 40.0, is 50.0" in capsys.readouterr().err
        assert main([*command, "--factual", "50", "--fresh"]) == 0

    def test_choose(self, tmp_path, capsys):
        path = tmp_path / "outcomes.csv"
        write_columns(
            path,
            {
                "diet": [o.diet for o in OUTCOMES],
                "factual": [100 * o.factual for o in OUTCOMES],
                "counterfactual": [100 * o.counterfactual for o in OUTCOMES],
                "DP": [o.figures["DP"] for o in OUTCOMES],
                "AUC": [o.figures["AUC"] for o in OUTCOMES],
            },
        )
        assert main(["augment", "diet-choose", str(path)]) == 0
        assert capsys.readouterr().out.startswith(
            "healthy-random (40 % factual, 40 % counterfactual; seeds: 1): DP 0.96"
        )
        assert main(["augment", "diet-choose", str(path), "--survivors", "--json"]) == 0
        assert len(json.loads(capsys.readouterr().out)) == 3

    def test_plot(self, tmp_path):
        pytest.importorskip("matplotlib")
        from augment.diet.plot import plot_pareto

        plot_pareto(tmp_path / "pareto.svg", OUTCOMES)
        assert (tmp_path / "pareto.svg").read_text().startswith("<?xml")
