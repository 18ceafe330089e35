"""The rows of the published table: which pairs each learns from, and what its recipe is."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from augment.round_trip.records import Record, write_records
from experiments.round_trip.plan import Plan, Row, load_plan
from experiments.round_trip.select import chosen_pairs
from rewriter.errors import InputError, RecipeError, UsageError
from rewriter.records import Pair
from rewriter.runs.manifest import Manifest
from train.recipe.kinds import load_any_recipe
from train.round_trip.recipe import RoundTripRecipe

PLAN = Path(__file__).parents[2] / "experiments" / "round_trip" / "de.yaml"
WRITTEN, STAR = "Die Lehrerinnen und Lehrer warten.", "Die Lehrer*innen warten."
PROMPT = "Ein*e Lehrer*in wartet."


def record(source: str, target: str, strategy: str, origin: str = "laws.txt:1", **more: Any) -> Record:
    return Record(Pair(source, target, "de", strategy, "mixed", origin), 1, more)


@pytest.fixture
def pool(tmp_path: Path) -> Path:
    """What a run of a round-trip recipe leaves, with one sentence found and one prompted."""
    prompted = {"origin": "prompts.txt:3"}
    stages = {
        "find-fair": [record(WRITTEN, STAR, "fair")],
        "prompt": [record(PROMPT, PROMPT, "prompted", **prompted)],
        "round-trip": [
            record("Lehrer warten.", STAR, "round-trip", asked="none"),
            record("Lehrerinnen warten.", STAR, "round-trip", asked="feminine"),
            record("Ein Lehrer wartet da.", PROMPT, "round-trip", asked="none", **prompted),
        ],
        "merge": [
            record("Die Lehrer warten.", STAR, "merged", asked="none"),
            record("Die Lehrerinnen warten.", STAR, "merged", asked="feminine"),
            record("Ein Lehrer wartet.", PROMPT, "merged", asked="none", **prompted),
        ],
        "neutral": [record("Es regnet.", "Es regnet.", "copy")],
    }
    for name, records in stages.items():
        folder = tmp_path / "augment" / name
        folder.mkdir(parents=True)
        write_records(folder / "pairs-00000.jsonl.zst", records)
        Manifest(name, {}, complete=True).save(folder)
    return tmp_path


@pytest.mark.parametrize(
    ("row", "sources"),
    [
        (Row(ways="none"), [WRITTEN, "Es regnet."]),
        (Row(ways="whole"), [WRITTEN, "Lehrer warten.", "Es regnet."]),
        (Row(), [WRITTEN, "Die Lehrer warten.", "Es regnet."]),
        (Row(prompted=True), [WRITTEN, PROMPT, "Die Lehrer warten.", "Ein Lehrer wartet.", "Es regnet."]),
        (Row(genders=["none", "feminine"]), [WRITTEN, "Die Lehrer warten.", "Die Lehrerinnen warten.", "Es regnet."]),
    ],
    ids=["copies", "whole ways back", "merged", "prompted too", "both genders"],
)
def test_a_row_learns_from_its_part_of_the_pool(pool: Path, row: Row, sources: list[str]) -> None:
    assert [pair.source for pair in chosen_pairs(pool, row)] == sources


def test_a_pool_without_prompts_cannot_serve_a_row_that_wants_some(pool: Path) -> None:
    shutil.rmtree(pool / "augment" / "prompt")
    with pytest.raises(InputError, match="augment/prompt is missing"):
        list(chosen_pairs(pool, Row(prompted=True)))
    assert len(list(chosen_pairs(pool, Row()))) > 0


@pytest.mark.parametrize("stage", ["merge", "neutral"])
def test_what_is_not_finished_is_not_read(pool: Path, stage: str) -> None:
    Manifest(stage, {}).save(pool / "augment" / stage)
    with pytest.raises(InputError, match=f"augment/{stage} is missing or not finished"):
        list(chosen_pairs(pool, Row()))


def test_copies_with_names_put_in_are_taken_where_there_are_any(pool: Path) -> None:
    folder = pool / "augment" / "copying"
    folder.mkdir()
    write_records(folder / "pairs-00000.jsonl.zst", [record("Es regnet in Ulm.", "Es regnet in Ulm.", "copying")])
    Manifest("copying", {}, complete=True).save(folder)
    assert [pair.source for pair in chosen_pairs(pool, Row())][-2:] == ["Es regnet.", "Es regnet in Ulm."]


def test_a_pool_without_copies_is_refused(pool: Path) -> None:
    shutil.rmtree(pool / "augment" / "neutral")
    with pytest.raises(InputError, match="run its recipe until 'filter'"):
        list(chosen_pairs(pool, Row()))


def test_the_shipped_plan_has_the_published_rows() -> None:
    plan = load_plan(PLAN)
    assert list(plan.rows)[1:] == [
        "round-trip", "+ merged", "+ merged + LM prompting", "+ merged + gender control", "+ all"
    ]  # fmt: skip
    first = plan.recipe("copies", 2, pairs=Path("pairs.jsonl"), init=None)
    row = plan.recipe("+ all", 2, pairs=Path("pairs.jsonl"), init=Path("copies-2/train"))
    assert first.train is not None
    assert row.train is not None
    assert (first.name, row.name, row.init) == ("copies-2", "all-2", "copies-2/train")
    assert (first.train.seed, row.train.seed) == (2, 2)
    assert first.train.max_minutes != row.train.max_minutes
    assert first.train.shape() == row.train.shape()


def test_mistakes_in_a_plan_are_named() -> None:
    with pytest.raises(UsageError, match="there is no row 'copy'"):
        Plan("de", {"copies": Row(ways="none")}, {}, first="copy")
    with pytest.raises(RecipeError, match="ways"):
        load_plan(PLAN, overrides=("rows={copies: {ways: all}}",))
    with pytest.raises(RecipeError, match="'train' must hold keys"):
        load_plan(PLAN, overrides=("rewriter.train=3",))
    for wrong in ({"seeds": [1, 1]}, {"rows": {"merged": Row(), "+ merged": Row()}}, {"rows": {"+": Row()}}):
        with pytest.raises(UsageError, match=r"seeds|rows"):
            Plan(**{"lang": "de", "rows": {"merged": Row()}, "rewriter": {}, **wrong})  # type: ignore[arg-type]


def test_the_recipe_of_the_pool_makes_what_the_rows_need() -> None:
    recipe = load_any_recipe(PLAN.with_name("pool.yaml"), overrides=("data.root=texts",))
    assert isinstance(recipe, RoundTripRecipe)
    rows = load_plan(PLAN).rows.values()
    assert {gender for row in rows for gender in row.genders} == set(recipe.round_trip.genders)
    assert recipe.prompt is not None and any(row.prompted for row in rows)
    assert recipe.merge is not None and "neutral" in recipe.augment
