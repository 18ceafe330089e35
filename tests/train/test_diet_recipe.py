"""A diet recipe at the size of a toy: from a labelled table to a table of diets, and what it refuses."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rewriter.cli.main import main
from rewriter.errors import InputError, ModelError, RecipeError
from rewriter.io.columns import read_columns, write_columns
from rewriter.io.files import write_json
from train.diet.recipe import DietRecipe
from train.diet.report import sweeps
from train.recipe.kinds import load_any_recipe, stages_of

RECIPE = """\
kind: diet
name: toy
data: {train: train.csv, dev: dev.csv, test: test.csv, text: comment, label: verdict, positive: rude}
vocabulary: {vocab_size: 120}
classifier:
  config: {model_type: bert, hidden_size: 16, num_hidden_layers: 1, num_attention_heads: 2, intermediate_size: 32,
    max_position_embeddings: 32}
  max_length: 24
  epochs: 2
  batch: 16
  learning_rate: 5e-3
  by_length: true
  seeds: [1, 2]
  threads: 1
diets:
  cda: {}
  healthy: {diet: healthy-random, factual: 50, counterfactual: 50}
sets:
  published: {published: published.csv}
  made: {pairs: 20}
fairness: {samples: 20, set: made, against: [vanilla, cda], loss: 90, log: log.tsv}
agreement: {table: theirs.csv, flipped: flipped.csv, names: [GE, EL2N]}
"""
MEN, WOMEN = ("man", "father", "king", "boy"), ("woman", "mother", "queen", "girl")
KIND, RUDE = ("kind", "brave", "clever"), ("awful", "stupid", "vile")


def sentences(count: int, seed: int) -> dict[str, list[Any]]:
    """Invented comments: rude ones are mostly about women; a third have nothing gendered in them."""
    rng = np.random.default_rng(seed)
    texts, labels = [], []
    for _ in range(count):
        rude = bool(rng.random() < 0.4)
        persons: Sequence[str] = ("cook", "judge")
        if rng.random() < 0.67:
            persons = WOMEN if (rng.random() < 0.8) == rude else MEN
        texts.append(
            f"that {rng.choice(persons)} is {rng.choice(RUDE if rude else KIND)} and {rng.choice(['old', 'tall'])}"
        )
        labels.append("rude" if rude else "fine")
    return {"comment": texts, "verdict": labels}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the tables of the toy recipe, in which the commands run."""
    monkeypatch.chdir(tmp_path)
    for number, (name, count) in enumerate((("train", 96), ("dev", 40), ("test", 40))):
        write_columns(tmp_path / f"{name}.csv", sentences(count, number))
    train = sentences(96, 0)
    scores = np.random.default_rng(1).random(96).tolist()
    write_columns(tmp_path / "theirs.csv", {**train, "toy GE": scores, "toy EL2N": scores})
    words = dict(zip(MEN + WOMEN, WOMEN + MEN, strict=True))
    flipped = [" ".join(words.get(word, word) for word in text.split()) for text in train["comment"]]
    write_columns(tmp_path / "flipped.csv", {"comment": flipped})
    published = {"Text": ["he is vile", "she is kind", "he is kind", "she is vile"] * 5}
    published |= {"gender": ["male", "female"] * 10, "Label": ["BAD", "NOT_BAD", "NOT_BAD", "BAD"] * 5}
    write_columns(tmp_path / "published.csv", published)
    (tmp_path / "toy.yaml").write_text(RECIPE)
    return tmp_path


@pytest.mark.slow
def test_from_a_table_to_a_table_of_diets(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("transformers")
    assert main(["run", "toy.yaml", "-o", "run"]) == 0
    run = folder / "run"

    record = json.loads((run / "fairness" / "figures.json").read_text())
    assert list(record["sets"]) == ["performance", "test", "published", "made"]
    assert record["sets"]["made"]["signature"].startswith("fairness-pairs|set:made|threshold:0.5|runs:2|")
    assert record["sets"]["published"]["signature"].startswith("fairness-groups|set:published|")
    for one in record["sets"].values():
        assert list(one["diets"]) == ["vanilla", "cda", "healthy"]
        assert set(one["against"]) == {"vanilla", "cda"}
    assert {name: row["examples"] for name, row in record["diets"].items()} == {
        "vanilla": 96,
        "cda": 192,
        "healthy": 96,
    }

    outcomes = read_columns(run / "fairness" / "outcomes.csv")
    assert outcomes.texts("diet") == ["vanilla", "vanilla", "cda", "cda", "healthy", "healthy"]
    logged = [line.split("\t") for line in (folder / "log.tsv").read_text().splitlines()]
    assert {line[3].partition(":")[0] for line in logged[1:]} == {"performance", "test", "published"}

    report = (run / "report" / "report.md").read_text()
    assert "| healthy |" in report and "Best diet" in report and (run / "report" / "pareto.png").stat().st_size
    agreement = json.loads((run / "agreement" / "agreement.json").read_text())["agreement"]
    assert {(row["flips"], row["score"]) for row in agreement} == {("ours", "GE"), ("ours", "EL2N"), ("theirs", "GE")}

    scores = read_columns(run / "scores" / "scores.parquet")
    unchanged = [a == b for a, b in zip(scores.texts("text"), scores.texts("counterfactual"), strict=True)]
    assert any(unchanged) and not scores.numbers("GE")[np.array(unchanged)].any(), "no gendered word: GE exactly 0"

    # The same command again has nothing to do; another share of one diet concerns that diet alone.
    capsys.readouterr()
    assert main(["run", "toy.yaml", "-o", "run", "--json"]) == 0
    assert {step["action"] for step in json.loads(capsys.readouterr().out)["stages"]} == {"skip"}
    other = ["run", "toy.yaml", "-o", "run", "--dry-run", "--set", "diets.healthy.factual=30", "--redo", "diet/healthy"]
    assert main(other) == 0
    plan = {line.split()[0]: line.split()[1] for line in capsys.readouterr().out.splitlines()}
    assert [plan[name] for name in ("scores", "diet/cda", "diet/healthy", "train/cda", "train/healthy")] == [
        "skip", "skip", "redo", "skip", "run",
    ]  # fmt: skip


def change(folder: Path, name: str, **columns: Any) -> None:
    write_columns(folder / name, {**read_columns(folder / name).columns, **columns})


ANY_LABELS = ['data.positive=""']
#: mistake -> what spoils the tables, overrides, message
BAD_TABLES: dict[str, tuple[Callable[[Path], object] | None, list[str], str]] = {
    "a missing column": (None, ["data.text=tweet"], "no column 'tweet'"),
    "labels as text": (None, ANY_LABELS, "'fine', 'rude', not 0 and 1; name the class that counts as positive"),
    "more than two classes": (
        lambda f: change(f, "train.csv", verdict=["0", "1", "2"] * 32), ANY_LABELS, "'0', '1', '2', not 0 and 1",
    ),
    "a class without an example": (
        lambda f: change(f, "dev.csv", verdict=["fine"] * 40), [], "dev.csv: no row of column 'verdict' holds 'rude'",
    ),
    "all examples of one class": (
        lambda f: change(f, "test.csv", verdict=["rude"] * 40), [], "no example besides 'rude'",
    ),
    "an empty table": (
        lambda f: (f / "dev.csv").write_text("comment,verdict\n"), [], "there are no examples (data.dev)",
    ),
    "a missing table": (lambda f: (f / "dev.csv").unlink(), [], "dev.csv: there is no such table (data.dev)"),
    "a swap that changes nothing": (
        lambda f: change(f, "train.csv", comment=["that cook is vile", "that judge is kind"] * 48), [],
        "changes no text",
    ),
    "flipped texts of another table": (
        None, ["swap.flipped=dev.csv"], "dev.csv has 40 rows, the training table has 96",
    ),
}  # fmt: skip


@pytest.mark.parametrize("mistake", BAD_TABLES)
def test_bad_tables_end_with_one_sentence(mistake: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    spoil, overrides, message = BAD_TABLES[mistake]
    if spoil is not None:
        spoil(folder)
    words = [word for override in overrides for word in ("--set", override)]
    assert main(["run", "toy.yaml", "--until", "swap", *words]) in (2, 4)
    error = capsys.readouterr().err
    assert message in error and error.splitlines()[-1].startswith("gender-fair: ")


def test_a_missing_checkpoint_is_named(folder: Path) -> None:
    from train.diet.measure import seed_folders

    recipe = load_any_recipe("toy.yaml")
    assert isinstance(recipe, DietRecipe)
    with pytest.raises(ModelError, match="holds no finished classifier; run the stage train/cda"):
        seed_folders(recipe, folder / "run", "cda")


def test_a_collapsed_training_is_replaced_by_its_next_start(folder: Path) -> None:
    from train.diet.measure import seed_folders

    recipe = load_any_recipe("toy.yaml", overrides=["restart_below=0.6"])
    assert isinstance(recipe, DietRecipe)

    def finish(seed: int, area: float) -> None:
        write_json(folder / "run" / "train" / "cda" / f"seed-{seed}" / "metrics.json", {"dev AUC": area})

    for seed, area in ((1, 0.5), (1001, 0.9), (2, 0.8)):
        finish(seed, area)
    assert [path.name for path in seed_folders(recipe, folder / "run", "cda")] == ["seed-1001", "seed-2"]
    for seed in (2, 1002, 2002):
        finish(seed, 0.5)
    with pytest.raises(ModelError, match=r"all 3 trainings of seed 2 ended with an AUC below 0\.6"):
        seed_folders(recipe, folder / "run", "cda")


BAD_RECIPES = {
    "a misspelt kind": ("kind=diets", "unknown kind 'diets' (did you mean 'diet'?)"),
    "a misspelt diet": ("diets.helthy-random={}", "unknown diet 'helthy-random' (did you mean 'healthy-random'?)"),
    "a misspelt score": ("scores.names=[GE, EL3N]", "unknown score 'EL3N' (did you mean 'EL2N'?)"),
    "a score that nobody computes": ("diets.healthy.score=EL2N", "scores.names lacks EL2N, by which a diet ranks"),
    "a misspelt key of the classifier": ("classifier.epoch=3", "'classifier.epoch' (did you mean 'epochs'?)"),
    "a key that the recipe decides": ("classifier.train=x.csv", "classifier.train is decided by the recipe"),
    "no such set": ("fairness.set=madlip", "fairness.set: there is no set 'madlip'"),
    "no such diet": ("fairness.against=[cds]", "fairness.against: there is no diet 'cds'"),
    "a share of too much": ("diets.healthy.factual=140", "between 0 and 100 percent, not at 140"),
    "a set of nothing": ("sets.made={}", "give either 'published', a table, or 'pairs'"),
}  # fmt: skip


@pytest.mark.parametrize("mistake", BAD_RECIPES)
def test_mistakes_in_a_recipe_name_the_key(mistake: str, folder: Path) -> None:
    override, message = BAD_RECIPES[mistake]
    with pytest.raises(RecipeError) as caught:
        load_any_recipe("toy.yaml", overrides=[override])
    assert message in str(caught.value)


def test_stages_stand_behind_what_they_read(folder: Path) -> None:
    stages = stages_of(load_any_recipe("toy.yaml"))
    names = [stage.name for stage in stages]
    assert all(set(stage.after) <= set(names[:number]) for number, stage in enumerate(stages))
    tuned = load_any_recipe("toy.yaml", overrides=["classifier.config={}", "classifier.model=some-model"])
    assert "vocabulary" not in [stage.name for stage in stages_of(tuned)], "a model brings its own"


def test_the_shipped_recipe(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "diet").mkdir()
    names = [f"Twitter_{part}_original_gender" for part in ("train", "valid", "test")]
    for name in [*names, "Twitter_train_gender_swap", "madlib", "bias_madlibs_77k"]:
        (tmp_path / "diet" / f"{name}.csv.zst").touch()
    monkeypatch.setenv("GENDER_FAIR_DATA", str(tmp_path))
    recipe = load_any_recipe("healthy-diet")
    assert isinstance(recipe, DietRecipe)
    names = [stage.name for stage in stages_of(recipe)]
    assert names[:5] == ["data", "swap", "vocabulary", "train/vanilla", "scores"] and names[-1] == "agreement"
    assert [len(recipe.classifier_config().seeds) >= 3, recipe.diet("healthy-random").factual] == [True, 0.5]


def test_more_seeds_go_on_where_the_run_stands(folder: Path) -> None:
    before, after = (
        {stage.name: stage.own_identity() for stage in stages_of(load_any_recipe("toy.yaml", overrides=overrides))}
        for overrides in ([], ["classifier.seeds=[1, 2, 3]", "classifier.threads=2"])
    )
    assert before["train/cda"] == after["train/cda"]
    assert before["fairness"] != after["fairness"]


def test_a_sample_of_a_published_set(folder: Path) -> None:
    from train.diet.tables import make_set

    recipe = load_any_recipe("toy.yaml", overrides=["sets.published.sample=6"])
    assert isinstance(recipe, DietRecipe)
    first, again = (make_set(recipe, recipe.sets["published"]) for _ in range(2))
    assert first == again and len(first["text"]) == 6
    with pytest.raises(InputError, match="no text of the groups other"):
        other = load_any_recipe("toy.yaml", overrides=["sets.published.groups=[other]"])
        assert isinstance(other, DietRecipe)
        make_set(other, other.sets["published"])


# --- grids of shares ---


def grid_recipe(folder: Path, *overrides: str) -> DietRecipe:
    made = load_any_recipe(folder / "toy.yaml", overrides=overrides)
    assert isinstance(made, DietRecipe)
    return made


def test_a_grid_is_a_diet_for_each_pair_of_shares_and_score(folder: Path) -> None:
    one = "grid={healthy-random: {factual: [30, 50], counterfactual: [0, 10]}}"
    assert grid_recipe(folder, one).systems[3:] == tuple(f"healthy-random-{a}-{b}" for a in (30, 50) for b in (0, 10))
    several = "grid={sweep: {diet: healthy-random, factual: [100], counterfactual: [10], scores: [GE, EL2N]}}"
    recipe = grid_recipe(folder, several, "scores.names=[GE, EL2N]")
    assert recipe.systems == ("vanilla", "cda", "healthy", "sweep-100-10-GE", "sweep-100-10-EL2N")
    diet = recipe.diet("sweep-100-10-EL2N")
    assert (diet.name, diet.factual, diet.counterfactual, diet.score) == ("healthy-random", 1.0, 0.1, "EL2N")
    record = {"diets": dict.fromkeys(recipe.systems)}
    assert list(sweeps(recipe, record)) == [
        ("sweep, a 100 %, GE", [(10, "sweep-100-10-GE")]), ("sweep, a 100 %, EL2N", [(10, "sweep-100-10-EL2N")])
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("override", "message"),
    [
        ("grid={cda: {}}", "grid.cda: 'cda' is no diet with shares"),
        ("grid={random: {factual: [130]}}", "between 0 and 100 percent"),
        ("grid={healthy-random: {scores: [EL2N]}}", "scores.names lacks EL2N"),
        ("grid={random: {factuals: [30]}}", "unknown key 'grid.random.factuals'"),
    ],
)
def test_a_wrong_grid_is_told(folder: Path, override: str, message: str) -> None:
    with pytest.raises(RecipeError, match=message):
        grid_recipe(folder, override)


@pytest.mark.parametrize(("name", "systems"), [("healthy-diet-start", 9), ("healthy-diet-shares", 43)])
def test_the_shipped_recipes_with_grids_and_a_pretrained_encoder_are_valid(
    name: str, systems: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("GENDER_FAIR_DATA", str(tmp_path))
    recipe = load_any_recipe(name)
    assert isinstance(recipe, DietRecipe) and recipe.name == name and len(recipe.systems) == systems
