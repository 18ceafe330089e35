"""The section ``gold`` of a recipe: read sentences below the data folder go into the mixture, as often as it says."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from eval.reading.gold import GoldSentence, digest, save_gold
from rewriter.errors import RecipeError
from rewriter.io.files import read_pairs, write_pairs
from rewriter.model.directory import model_card
from rewriter.records import Pair
from train.recipe.schema import load_rewriter_recipe, portable
from train.recipe.stages import data_files, model_info, recipe_stages
from train.stages import run_stages

RECIPE = """\
name: toy
lang: de
target: edits
data:
  hold_out: ["${data.root}/open.jsonl"]
pairs: ["${data.root}/pairs.jsonl"]
gold:
  files: ["${data.root}/gold.jsonl"]
  weight: 4
mix: {dev_size: 0, fair_copies: 0}
"""
SENTENCES = ["Er lacht.", "Sie lacht."]


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder with two read sentences, one of which is measured on."""
    root = tmp_path / "data"
    (root / "de").mkdir(parents=True)
    (root / "de" / "text.txt").write_text("".join(f"{s}\n" for s in SENTENCES), encoding="utf-8")
    (root / "de" / "MANIFEST.tsv").write_text("file\tsource repo\tlicence\ntext.txt\tour own\tCC0\n", encoding="utf-8")
    records = [
        GoldSentence(s, "de/text.txt", n, 0, len(s), digest(s)).read(s, f"Er*sie{s[-7:]}", "anna")
        for n, s in enumerate(SENTENCES, 1)
    ]
    save_gold(root / "gold.jsonl", records)
    save_gold(root / "open.jsonl", records[1:])
    write_pairs(root / "pairs.jsonl", [Pair(f"{n} Lehrer", f"{n} Lehrer*innen", "de", "plain") for n in range(30)])
    (tmp_path / "recipe.yaml").write_text(RECIPE, encoding="utf-8")
    monkeypatch.setenv("GENDER_FAIR_DATA", str(root))
    return tmp_path


def test_gold_is_mixed_in_with_its_weight(data: Path) -> None:
    recipe = load_rewriter_recipe(data / "recipe.yaml")
    stages = recipe_stages(recipe)
    assert [stage.name for stage in stages] == ["augment/gold", "mix"]
    run_stages(stages, data / "run")
    pairs = list(read_pairs(data / "run" / "mix" / "train.jsonl.zst"))
    assert Counter(pair.strategy for pair in pairs) == {"plain": 30, "gold": 4}
    assert {pair.source for pair in pairs if pair.strategy == "gold"} == {SENTENCES[0]}


def test_what_gold_reads_stands_in_the_card(data: Path) -> None:
    recipe = load_rewriter_recipe(data / "recipe.yaml")
    rows = [(row["file"], row["licence"], row["source"]) for row in data_files(recipe)]
    assert rows == [
        ("text.txt", "CC0", "our own"),
        ("gold.jsonl", "", "read sentences"),
        ("pairs.jsonl", "", "own pairs"),
    ]
    assert portable(recipe)["gold"]["files"] == ["${data.root}/gold.jsonl"]


def test_other_held_out_lines_make_another_stage(data: Path) -> None:
    def identity() -> dict[str, object]:
        return recipe_stages(load_rewriter_recipe(data / "recipe.yaml"))[0].own_identity()

    before = identity()
    assert identity() == before
    save_gold(data / "data" / "open.jsonl", [])
    assert identity() != before


def test_gold_needs_the_folder_of_its_texts(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GENDER_FAIR_DATA")
    text = RECIPE.replace("${data.root}", str(data / "data"))
    (data / "recipe.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(RecipeError, match="'gold' needs the folder of its texts"):
        load_rewriter_recipe(data / "recipe.yaml")


def test_the_card_says_who_read_and_names_no_folder_of_this_machine(data: Path) -> None:
    (data / "recipe.yaml").write_text(
        RECIPE.replace("weight: 4", "weight: 4\n  readers: two students"), encoding="utf-8"
    )
    recipe = load_rewriter_recipe(data / "recipe.yaml")
    assert "who read them: two students" in model_card(model_info(recipe))
    shipped = portable(load_rewriter_recipe("de-large", overrides=[f"data.root={data / 'data'}"]))
    assert shipped["gold"]["files"][0] == "gold/de-kinds.jsonl"
    assert shipped["data"]["hold_out"] == ["reading/de/open.jsonl", "reading/de/sealed.jsonl"]
