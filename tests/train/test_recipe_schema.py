"""Recipes: shipped ones fit their schema, mistakes are named by their key, machine paths stay out of descriptions."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rewriter.errors import GenderFairError, RecipeError
from train.encoder.pretrained import START_FILES
from train.recipe.schema import TRAINED_PARSER, find_recipe, load_rewriter_recipe, portable, shipped_recipes
from train.recipe.stages import data_files, model_info, recipe_stages

PAIRS_RECIPE = """\
name: toy
pairs: ["{pairs}"]
mix: {{dev_size: 5}}
tokenizer: {{vocab_size: 400}}
train: {{steps: 5}}
export: {{}}
"""


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder in the shape of the real one, with two lines of text and an empty treebank."""
    root = tmp_path / "data"
    (root / "en" / "train").mkdir(parents=True)
    (root / "en" / "train" / "notes.txt").write_text("They know the way.\nShe knows it too.\n")
    (root / "en" / "MANIFEST.tsv").write_text("file\tsource repo\tlicence\nnotes.txt\tour own\tCC0\n")
    (root / "de" / "train").mkdir(parents=True)
    for name in ("general-notes.txt", "genderfair-notes.txt"):
        (root / "de" / "train" / name).write_text("Der Lehrer kennt den Weg.\n", encoding="utf-8")
    treebank = root / "ud" / "UD_English-EWT"
    treebank.mkdir(parents=True)
    for part in ("train", "dev", "test"):
        (treebank / f"en_ewt-ud-{part}.conllu.zst").write_bytes(b"")
    german = "GSD/de_gsd-ud-dev GSD/de_gsd-ud-history-extra PUD/de_pud-ud-test HDT/de_hdt-ud-history-part"
    for name in german.split():
        part = root / "ud" / f"UD_German-{name}.conllu.zst"
        part.parent.mkdir(exist_ok=True)
        part.write_bytes(b"")
    monkeypatch.setenv("GENDER_FAIR_DATA", str(root))
    monkeypatch.delenv("GENDER_FAIR_TESTSETS", raising=False)
    (root / "own.txt").write_text("A text of one's own.\n", encoding="utf-8")
    (tmp_path / "runs" / "parser-en" / "parser" / "pipeline").mkdir(parents=True)
    (tmp_path / "runs" / "parser-en" / "parser" / "pipeline" / "meta.json").write_text("{}", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return root


def write(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "recipe.yaml"
    path.write_text(text)
    return path


def pairs_recipe(tmp_path: Path, extra: str = "") -> Path:
    pairs = tmp_path / "pairs.jsonl"
    pairs.write_text(json.dumps({"source": "She knows.", "target": "They know."}) + "\n")
    return write(tmp_path, PAIRS_RECIPE.format(pairs=pairs) + extra)


#: of rewriters; other kinds have tests of their own
SHIPPED = [path.stem for path in shipped_recipes() if "\nkind: " not in path.read_text(encoding="utf-8")]


def test_recipes_are_shipped() -> None:
    assert {"en-small", "en-backward", "en-forward", "en-edits", "parser-en"} <= set(SHIPPED)


@pytest.fixture
def encoders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make a folder of pretrained encoders as a recipe's plan sees it: names and files, nothing to train from."""
    for encoder in ("e5-multilingual", "en-cased"):
        folder = tmp_path / "encoders" / encoder
        folder.mkdir(parents=True)
        for name in START_FILES:
            (folder / name).write_text("{}")
    monkeypatch.setenv("GENDER_FAIR_ENCODERS", str(tmp_path / "encoders"))


@pytest.mark.usefixtures("encoders")
@pytest.mark.parametrize("name", SHIPPED)
def test_every_shipped_recipe_is_valid_and_gives_stages(name: str, data: Path) -> None:
    recipe = load_rewriter_recipe(name)
    assert recipe.name == name
    stages = recipe_stages(recipe)
    names = [stage.name for stage in stages]
    assert len(set(names)) == len(names)
    for number, stage in enumerate(stages):
        assert set(stage.after) <= set(names[:number]), "each stage stands behind those that it reads"


def test_the_stages_of_a_sequence_model_and_of_an_edit_model(data: Path) -> None:
    full = [stage.name for stage in recipe_stages(load_rewriter_recipe("en-small"))]
    assert full[0] == "parser"
    assert full[-5:] == ["mix", "tokenizer", "train", "export", "score"]
    edits = [stage.name for stage in recipe_stages(load_rewriter_recipe("en-edits"))]
    assert edits[-5:] == ["mix", "encoder", "edits", "export", "score"]


def test_the_data_folder_may_be_given_by_override(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GENDER_FAIR_DATA")
    recipe = load_rewriter_recipe("en-small", overrides=[f"data.root={data}"])
    assert recipe.data_root == data
    assert recipe.augment["backward"].inputs == [f"{data}/en/train"]


def test_what_is_said_once_reaches_every_strategy(data: Path) -> None:
    recipe = load_rewriter_recipe("en-small", overrides=["data.exclude=[licence:cc-by-nc*]", "data.inputs=[a, b]"])
    for name, config in recipe.augment.items():
        assert (config.strategy, config.inputs, config.exclude) == (name, ["a", "b"], ["licence:cc-by-nc*"])
    assert recipe.augment["backward"].parser == TRAINED_PARSER
    assert recipe.augment["neutral"].parser == ""


def test_a_ready_pipeline_takes_the_place_of_the_parser_stage(data: Path) -> None:
    recipe = load_rewriter_recipe("en-small", overrides=["parser=null", "pipeline=en_core_web_md"])
    assert recipe.augment["forward"].parser == "en_core_web_md"
    assert "parser" not in [stage.name for stage in recipe_stages(recipe)]


MISTAKES = {
    "a misspelt key": ("train: {stepps: 1}", r"unknown key 'train.stepps' \(did you mean 'steps'\?\)"),
    "a misspelt section": ("tokeniser: {}", r"unknown key 'tokeniser' \(did you mean 'tokenizer'\?\)"),
    "a value of the wrong type": ("train: {steps: many}", r"'train.steps' must be int, not 'many'"),
    "a value that cannot be": ("train: {heads: 3}", r"train: d_model must be even and divisible by heads"),
    "a share above 1": ("edits: {lower: 2}", r"edits: lower must be between 0 and 1, not 2"),
    "heads that share no width": ("encoder: {inputs: [a], heads: 3}", r"encoder: hidden .256. must be a multiple"),
    "a key twice": ("name: again", r"the key 'name' stands twice"),
    "an unknown target": ("target: half", r"target must be one of edits, full, not 'half'"),
    "no pairs for a model": ("train: {}", r"the section 'mix' is missing: 'train' reads the pairs"),
    "no vocabulary": ("pairs: [p]\nmix: {}\ntrain: {}", r"the section 'tokenizer' is missing: 'train' needs it"),
    "nothing to mix": ("mix: {}", r"the section 'augment' is missing: 'mix' has nothing to mix"),
    "nothing to export": ("export: {}", r"the section 'train' is missing: 'export' needs a model of target 'full'"),
    "nothing to score": ("score: {}", r"the section 'export' is missing"),
    "no parser": ("augment: {forward: {inputs: [a]}}", r"the section 'parser' is missing: 'augment.forward' parses"),
    "a list of strategies": ("augment: [forward]", r"'augment' must hold strategies by name"),
    "two parsers": ("pipeline: x\nparser: {treebank: y}", r"give one of them"),
    "an unknown strategy": ("augment: {sideways: {inputs: [a]}}", r"unknown strategy 'sideways'"),
}  # fmt: skip


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistakes_are_named(mistake: str, tmp_path: Path) -> None:
    text, message = MISTAKES[mistake]
    with pytest.raises(GenderFairError, match=message):
        load_rewriter_recipe(write(tmp_path, f"name: toy\n{text}\n"))


def test_an_override_of_an_unknown_key_is_named_too(tmp_path: Path) -> None:
    with pytest.raises(RecipeError, match=r"unknown key 'train.step' \(did you mean 'steps'\?\)"):
        load_rewriter_recipe(pairs_recipe(tmp_path), overrides=["train.step=7"])


def test_overrides_reach_every_key(tmp_path: Path) -> None:
    recipe = load_rewriter_recipe(pairs_recipe(tmp_path), overrides=["train.learning_rate=5e-4", "name=other"])
    assert recipe.train is not None
    assert (recipe.train.learning_rate, recipe.name) == (5e-4, "other")


def test_a_missing_data_folder_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GENDER_FAIR_DATA", raising=False)
    with pytest.raises(
        RecipeError, match=r"data.root.*has no value; set GENDER_FAIR_DATA or pass --set data.root=FOLDER"
    ):
        load_rewriter_recipe("en-small")
    with pytest.raises(
        RecipeError, match=r"the data folder no/where does not exist; set GENDER_FAIR_DATA or pass --set"
    ):
        load_rewriter_recipe("en-small", overrides=["data.root=no/where"])


def test_a_misspelt_recipe_is_told_with_the_nearest_name() -> None:
    with pytest.raises(
        RecipeError, match=r"no recipe 'en-smal' \(did you mean 'en-small'\?\); shipped recipes: .*en-small"
    ):
        find_recipe("en-smal")


def test_a_file_goes_before_a_shipped_recipe(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "en-small").write_text("name: mine\n")
    assert find_recipe("en-small") == Path("en-small")
    assert find_recipe("en-edits").name == "en-edits.yaml"


def test_descriptions_name_no_folder_of_this_machine(data: Path) -> None:
    recipe = load_rewriter_recipe("en-small")
    text = json.dumps(portable(recipe))
    assert str(data) not in text
    assert "${data.root}/en/train" in text and "${data.root}/ud/UD_English-EWT" in text
    assert str(data) not in json.dumps(model_info(recipe).recipe)


def test_the_model_lists_its_data_with_licences(data: Path) -> None:
    rows = data_files(load_rewriter_recipe("en-small"))
    assert [(row["file"], row["licence"]) for row in rows] == [
        ("notes.txt", "CC0"),
        ("en_ewt-ud-train.conllu.zst", "CC BY-SA 4.0"),
        ("en_ewt-ud-dev.conllu.zst", "CC BY-SA 4.0"),
    ]
    assert all(len(row["sha256"]) == 64 for row in rows)


def test_what_only_changes_the_speed_does_not_change_the_run(data: Path) -> None:
    def identities(*overrides: str) -> dict[str, object]:
        recipe = load_rewriter_recipe("en-small", overrides=overrides)
        return {stage.name: stage.own_identity() for stage in recipe_stages(recipe)}

    base = identities()
    assert (
        identities("augment.backward.processes=7", "filter.processes=7", "train.threads=1", "train.device=cpu") == base
    )
    changed = identities("train.learning_rate=0.1", "augment.forward.sentences=5")
    assert [name for name in base if base[name] != changed[name]] == ["augment/forward", "train"]
    assert identities("train.max_minutes=1", "train.steps=1") == base, "limits are compared by themselves"


def test_the_data_folder_may_move(data: Path, tmp_path: Path) -> None:
    before = [stage.own_identity() for stage in recipe_stages(load_rewriter_recipe("en-small"))]
    moved = data.rename(tmp_path / "elsewhere")
    recipe = load_rewriter_recipe("en-small", overrides=[f"data.root={moved}"])
    assert [stage.own_identity() for stage in recipe_stages(recipe)] == before


def test_a_ready_pipeline_takes_the_place_of_the_parser(data: Path) -> None:
    recipe = load_rewriter_recipe("en-small", overrides=["pipeline=en_core_web_md"])
    assert recipe.parser is None
    assert recipe.augment["backward"].parser == "en_core_web_md"


def test_own_text_makes_either_kind_of_model(data: Path) -> None:
    full = [stage.name for stage in recipe_stages(load_rewriter_recipe("own-text"))]
    assert full[-4:] == ["tokenizer", "train", "export", "score"]
    edits = recipe_stages(load_rewriter_recipe("own-text", overrides=["target=edits", "init=en"]))
    assert [stage.name for stage in edits][-4:] == ["encoder", "edits", "export", "score"]
