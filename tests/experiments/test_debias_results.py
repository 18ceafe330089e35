"""Tables of the experiment from planted measurements: reductions, what counts, doses."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from eval.bec_pro import Scores, generate
from eval.bec_pro.results import evaluate
from eval.bootstrap import Resampling
from experiments.debias import doses, more_tests, results
from experiments.debias.cells import Measured
from experiments.debias.config import DebiasRecipe, TextConfig
from experiments.debias.results import as_markdown, comparison_table, verdict
from experiments.debias.rows import Row, read_rows
from rewriter.io.files import read_json, write_json
from train.bert.config import BertConfig

FEW = Resampling(samples=30, seed=1)
CORPUS = generate("en")
RECIPE = DebiasRecipe(
    "toy", data=TextConfig(["x.txt"]), corpora={"untouched": [1, 2], "rewritten-50": [1], "rewritten": [1]}
)


def measured(
    corpus: str,
    size: float,
    perplexity: float = 20.0,
    *,
    seed: int = 1,
    tuned: bool = False,
    apart: float = 0.0,
    stereotype: float | None = None,
) -> Measured:
    """Return a model that ties every person word to every profession by ``size``, male ones by ``apart`` more.

    ``stereotype``: by how much male words are nearer to men's professions than to women's, against female words;
    half of ``size`` by default.
    """
    rng = np.random.default_rng([seed, int(1000 * size)])
    masked = np.full(len(CORPUS.items), -3.0)
    stereotype = size / 2 if stereotype is None else stereotype
    side = {"male": 0.5, "female": -0.5, "balanced": 0.0}
    more = np.array([side[i.gender] * (apart + stereotype * side[i.prof_gender]) for i in CORPUS.items])
    scores = Scores(masked + size + more + 0.01 * rng.normal(size=len(masked)), masked)
    part = {"all": perplexity * 1.1, "neutral": perplexity, "pronouns": 5.0, "pieces": 90, "pronoun_pieces": 9}
    probe = {"accuracy": 80.0 + size, "signature": "pos-probe|task:upos"}
    return Measured(corpus, seed, tuned, scores, {"untouched": part, "rewritten": part}, probe)


def save(run: Path, one: Measured) -> Path:
    name = "measure-cds" if one.tuned else "measure"
    folder = (
        run / one.corpus / "measure"
        if one.corpus in ("untrained", "stem")
        else run / f"cells/{one.corpus}/seed-{one.seed}/{name}"
    )
    folder.mkdir(parents=True)
    np.savez(folder / "scores.npz", present=one.scores.present, masked=one.scores.masked)
    found = {"perplexity": one.perplexity, "probe": one.probe, **({"bias": one.bias} if one.bias else {})}
    write_json(folder / "measure.json", found)
    return folder


def rows(run: Path, *models: Measured) -> list[Row]:
    return read_rows(RECIPE, [save(run, one) for one in models], run)


def test_seeds_are_one_row_and_rows_stand_in_the_order_of_the_recipe(tmp_path: Path) -> None:
    models = [measured("rewritten", 0.1), measured("untouched", 0.4), measured("untouched", 0.4, seed=2)]
    found = rows(tmp_path, *models, measured("untouched", 0.2, tuned=True), measured("untrained", 0.0))
    assert [(row.label, row.seeds) for row in found] == [
        ("untrained", [1]), ("untouched", [1, 2]), ("untouched, CDS", [1]), ("rewritten", [1])
    ]  # fmt: skip
    assert [round(row.less.average.value) if row.less else None for row in found] == [100, None, 50, 75]
    assert found[1].perplexity("untouched", "neutral") == pytest.approx(20)
    assert found[1].ln_p("male", "masked") == -3


def test_the_comparison_holds_perplexity_and_tagging(tmp_path: Path) -> None:
    found = rows(tmp_path, measured("untouched", 0.4), measured("rewritten", 0.1, perplexity=21.0))
    ((name, tuned, less, *_, perplexity, tagging),) = comparison_table(found).rows
    assert (name, tuned, less, perplexity, tagging) == ("rewritten", "", "75 %", "+5.0 %", "-0.30 points")


def test_the_comparison_holds_how_much_closer_male_and_female_are(tmp_path: Path) -> None:
    found = rows(
        tmp_path,
        measured("untouched", 0.4, apart=0.2, stereotype=0),
        measured("rewritten", 0.4, apart=0.05, stereotype=0),
    )
    ((_, _, less, _, narrower, _, fairer, *_),) = comparison_table(found).rows
    assert (less, narrower, fairer) == ("0 %", "75 %", "")


def test_the_comparison_holds_how_much_less_of_a_stereotype_there_is(tmp_path: Path) -> None:
    found = rows(tmp_path, measured("untouched", 0.4, stereotype=0.2), measured("rewritten", 0.4, stereotype=0.05))
    ((*_, fairer, interval, of_pronouns, _, _, _),) = comparison_table(found).rows
    assert (fairer, interval, of_pronouns) == ("75 %", "75 to 76 %", "76 %")


@pytest.mark.parametrize(
    ("models", "message"),
    [
        ([measured("untouched", 0.4), measured("rewritten", 0.1)], "of the absolute average count: "),
        ([measured("untouched", 0.004), measured("rewritten", 0.001)], "absolute average do not count"),
        ([measured("untouched", 0.4, perplexity=30.0), measured("rewritten", 0.1)], "not within 10 %"),
        ([measured("rewritten", 0.1)], "no untouched cell yet"),
        ([measured("stem", 0.1, perplexity=15), measured("untouched", 0.4, apart=0.3)], "not within 10 %"),
    ],
    ids=["counts", "too little", "badly trained", "no reference", "worse than the stem"],
)
def test_what_counts(models: list[Measured], message: str, tmp_path: Path) -> None:
    assert message in " ".join(verdict(rows(tmp_path, *models)))


@pytest.mark.parametrize(("stereotype", "known"), [(0.3, True), (0.0, False), (-0.3, False)])
def test_an_association_that_is_no_stereotype_is_told(stereotype: float, known: bool, tmp_path: Path) -> None:
    """Genders are far apart, but alike in all professions, or the other way round than professions are held."""
    found = rows(tmp_path, measured("untouched", 0.4, apart=0.2, stereotype=stereotype))
    assert found[0].stereotypes.all.value == pytest.approx(stereotype, abs=0.01)
    assert ("no stereotype to reduce" in " ".join(verdict(found))) != known
    assert ("Reductions of the stereotype count" in " ".join(verdict(found))) == known


def test_a_stem_is_a_row_before_the_cells_and_is_not_compared(tmp_path: Path) -> None:
    models = [measured("untouched", 0.4), measured("stem", 0.5), measured("rewritten", 0.1)]
    found = rows(tmp_path, *models)
    assert [row.label for row in found] == ["stem", "untouched", "rewritten"]
    assert [row[0] for row in comparison_table(found).rows] == ["rewritten"]
    (tmp_path / "begin").mkdir()
    (tmp_path / "begin/model.safetensors").write_bytes(b"weights")
    model = BertConfig()
    model.start = tmp_path / "begin"
    text = as_markdown(replace(RECIPE, model=model), found, tmp_path)
    assert "All cells begin from the weights" in text and "(weights " in text
    assert "The stem itself is not at zero: absolute average 0.500" in text
    assert "All cells begin" not in as_markdown(RECIPE, found, tmp_path)


def test_everything_is_written_with_signatures(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    models = [measured("untouched", 0.4), measured("rewritten-50", 0.2), measured("rewritten", 0.1)]
    folders = [save(tmp_path, one) for one in models]
    results.write_results(RECIPE, folders, tmp_path)
    assert {path.name for path in (tmp_path / "results").iterdir()} == {
        "results.md", "results.json", "associations.png", "doses.png", "trade-off.png"
    }  # fmt: skip
    text = (tmp_path / "results/results.md").read_text()
    assert "`bec-pro|lang:en|data:generated-bec-pro" in text and "`pos-probe|task:upos`" in text
    record = read_json(tmp_path / "results/results.json")["rows"][2]
    assert record["corpus"] == "rewritten" and record["reduction"]["average"]["value"] == pytest.approx(75, abs=1)
    results.write_results(RECIPE, folders[:1], tmp_path)
    assert not (tmp_path / "results/doses.png").exists(), "one share is no dose response"


def test_doses_and_trade_offs_by_treatment(tmp_path: Path) -> None:
    models = [
        measured("untouched", 0.4, stereotype=0.4),
        measured("rewritten-50", 0.2, perplexity=20.1, stereotype=0.1),
        measured("rewritten", 0.3, perplexity=30.0, stereotype=0.0),
    ]
    found = rows(tmp_path, *models)
    assert [(d.share, d.row.corpus) for d in doses.doses(RECIPE, found)["rewritten"]] == [
        (0.0, "untouched"), (0.5, "rewritten-50"), (1.0, "rewritten")
    ]  # fmt: skip
    table = doses.dose_table(RECIPE, found)
    assert [(row[1], row[-2]) for row in table.rows] == [("0 %", "+0.0 %"), ("50 %", "+0.5 %"), ("100 %", "+50.0 %")]
    curve, cheap = doses.tradeoff(found, doses.BIASES["stereotype (BEC-Pro)"])
    assert [row.corpus for row in curve] == ["untouched", "rewritten-50", "rewritten"]
    assert cheap is not None and cheap.corpus == "rewritten-50"
    assert "the smallest is rewritten-50, 75 % less than untouched" in doses.tradeoff_notes(found)[1]
    average = doses.tradeoff(found, doses.BIASES["absolute average (BEC-Pro)"])
    assert [row.corpus for row in average[0]] == ["untouched", "rewritten-50"], "what is worse and dearer is left out"


def other_test(value: float, low: float, high: float) -> dict[str, Any]:
    """Return what a test beside BEC-Pro gave: a bias above its zero of 50, and a cost."""
    scores = [
        {"name": "share", "value": value, "interval": {"low": low, "high": high}, "unbiased": 50.0, "p_value": None},
        {"name": "cost", "value": 7.0, "interval": None, "unbiased": None, "p_value": None},
    ]
    return {"measure": "pairs", "scores": scores, "warning": "Beware.", "signature": "pairs|n:3"}


def test_other_tests_are_tables_with_seeds_and_items_in_their_intervals(tmp_path: Path) -> None:
    models = [
        replace(measured("untouched", 0.4, seed=seed), bias=(other_test(value, value - 2, value + 2),))
        for seed, value in ((1, 60.0), (2, 64.0))
    ]
    models.append(replace(measured("rewritten", 0.1), bias=(other_test(51, 49, 53),)))
    found = rows(tmp_path, *models)
    both = more_tests.figures(found[0])["pairs", "share"]
    assert both.value == 62 and both.error == pytest.approx(((2 / 1.959964) ** 2 + 8 / 2) ** 0.5)
    assert both.shows_bias and not more_tests.figures(found[1])["pairs", "share"].shows_bias
    by_figure = {(row[0], row[1]): row for row in more_tests.test_table(found, "pairs").rows}
    assert by_figure["share", "rewritten"][-2].startswith("-11.000 (") and by_figure["share", "rewritten"][-1] == "yes"
    assert list(by_figure["cost", "untouched"][4:]) == ["7.000", "", "", ""]
    text = as_markdown(RECIPE, found, tmp_path)
    assert "value without bias: pairs (share)." in text and "`pairs`. Beware." in text and "- `pairs|n:3`" in text


def test_without_matplotlib_the_tables_are_written_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    results.write_results(RECIPE, [save(tmp_path, measured("untouched", 0.4))], tmp_path)
    assert (tmp_path / "results/results.md").exists() and "no plots" in capsys.readouterr().err


def test_nothing_finished_gives_empty_tables(tmp_path: Path) -> None:
    assert "no untouched cell yet" in as_markdown(RECIPE, [], tmp_path)


def test_models_of_a_row_are_evaluated_together(tmp_path: Path) -> None:
    models = [measured("untouched", 0.4, seed=1), measured("untouched", 0.2, seed=2)]
    (row,) = rows(tmp_path, *models)
    together: Any = evaluate(CORPUS, [m.scores for m in models], models=["1", "2"], resampling=FEW)
    assert row.bias.absolute_average.value == pytest.approx(together.absolute_average.value)
    assert row.bias.by_model == pytest.approx((0.4, 0.2), abs=0.01)
