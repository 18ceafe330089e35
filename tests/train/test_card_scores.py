"""The scores in a model's card are those that ``eval suite`` gives later, on the same sets in the same conditions."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from eval.suite import EvaluationSet
from rewriter.cli.main import main
from rewriter.errors import InputError
from rewriter.model.directory import load_info, resolve
from train.recipe import schema
from train.recipe.schema import RewriterRecipe, ScoreConfig
from train.scoring import find_tables, published_sets, score_model
from train.stages import StageContext

#: what the network decides among them, and what it gets wrong: the last target is one that nobody would write
PAIRS = [
    ("She lost her keys.", "They lost their keys."),
    ("I saw her duck under the rope.", "I saw them duck under the rope."),
    ("He's gone home because he was tired.", "They've gone home because they were tired."),
    ("Rain fell on the roof.", "Rain fell on the roof."),
    ("The chairman said that he agrees.", "The chairperson said that they agree."),
    ("She smiled.", "Nobody smiled."),
]


@pytest.fixture(params=["en", "tiny-edits"])
def run(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A run whose stage ``export`` is done: its model is the bundled one, or a tiny one with random weights."""
    tiny = Path(__file__).parents[1] / "data" / "models" / "tiny-edits"
    shutil.copytree(tiny if request.param == "tiny-edits" else resolve("en"), tmp_path / "run" / "export" / "model")
    rows = "".join(f"{source}\t{target}\n" for source, target in PAIRS)
    (tmp_path / "own.tsv").write_text(f"source\ttarget\n{rows}", encoding="utf-8")
    return tmp_path / "run"


@pytest.mark.parametrize("guard", ["strict", "off"])
def test_a_card_says_what_the_suite_says(run: Path, guard: str, capsys: pytest.CaptureFixture[str]) -> None:
    config = ScoreConfig(
        dev_pairs=0, samples=50, tables=[run.parent / "own.tsv"], guard=guard, ablate=guard == "strict"
    )
    recipe = RewriterRecipe(name="toy", lang="en", target="edits")
    none: list[EvaluationSet] = []
    score_model(recipe, config, StageContext(run / "score", run), none, list(find_tables(config.tables)))
    model = run / "export" / "model"
    (card,) = load_info(model).scores
    assert 0 < card["score"] < 100
    capsys.readouterr()

    words = ["eval", "suite", f"again={model}", "--sets", str(run / "score" / "sets"), "--bootstrap", "50", "--json"]
    assert main([*words, "--guard", guard, *(["--ablate"] if config.ablate else [])]) == 0
    systems = {s["system"]: s["scores"]["own"] for s in json.loads(capsys.readouterr().out)["systems"]}
    again = systems["again"]
    assert round(again["score"], 4) == card["score"]
    assert again["signature"] == card["signature"]
    for part, row in {"raw": "guard off", "constant": "constant answers", "grammar": "grammar alone"}.items():
        assert (part in card) == config.ablate
        if config.ablate:
            assert card[part] == round(systems[f"again, {row}"]["score"], 4)
    shown = (model / "README.md").read_text(encoding="utf-8")
    assert f"| own | {card['score']} |" in shown and card["signature"] in shown


class TestSetsOfALanguageThatHasNone:
    def test_a_folder_that_the_environment_names_need_not_know_it(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("GENDER_FAIR_TESTSETS", str(tmp_path))
        assert published_sets(RewriterRecipe("toy", "tq", "full"), ScoreConfig()) == []

    def test_one_that_the_recipe_names_is_meant(self, tmp_path: Path) -> None:
        recipe = RewriterRecipe("toy", "tq", "full", testsets=schema.TestsetsSection(root=tmp_path))
        with pytest.raises(InputError, match="no sets here"):
            published_sets(recipe, ScoreConfig())

    def test_so_is_a_set_that_it_names(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("GENDER_FAIR_TESTSETS", str(tmp_path))
        with pytest.raises(InputError, match="no sets here"):
            published_sets(RewriterRecipe("toy", "tq", "full"), ScoreConfig(sets=("sun",)))
