"""Kinds of recipes are entry points: ours, those of an installed package, and those that only a checkout has."""

from __future__ import annotations

import sys
import tomllib
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from rewriter.errors import RecipeError
from train.recipe import kinds as recipe_kinds
from train.recipe.kinds import GROUP, RecipeKind, load_any_recipe, stages_of
from train.recipe.run import run_recipe
from train.stages import Choice

ROOT = Path(__file__).resolve().parents[2]
DECLARED: dict[str, str] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"][
    "entry-points"
][GROUP]

#: a package that brings a kind of its own
FOREIGN = """\
from dataclasses import dataclass
from pathlib import Path
from rewriter.runs.recipes import load_recipe
from train.recipe.kinds import RecipeKind
from train.stages import Stage, Step

@dataclass(frozen=True)
class Count:
    lines: int
    name: str = "count"
    kind: str = "count"

def load(path, *, overrides=()):
    return load_recipe(path, Count, overrides=overrides)

def stages(recipe):
    def write(stage):
        (stage.output / "numbers.txt").write_text("\\n".join(map(str, range(recipe.lines))))
    return [Stage("numbers", 1, write, {"lines": recipe.lines})]

def run_elsewhere(recipe, *, output, choice=None):
    return [Step("elsewhere", "run", f"{recipe.lines} lines", 0.0, {})]

KIND = RecipeKind(load, stages)
OWN_RUN = RecipeKind(load, stages, run_elsewhere)
"""


@pytest.fixture
def recipe(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A recipe of a kind that a package in the same folder brings."""
    (tmp_path / "count_things.py").write_text(FOREIGN)
    monkeypatch.syspath_prepend(tmp_path)
    install(monkeypatch, count="count_things:KIND")
    path = tmp_path / "count.yaml"
    path.write_text("kind: count\nlines: 3\n")
    return path


def install(monkeypatch: pytest.MonkeyPatch, **entries: str) -> None:
    """Let exactly these kinds be installed."""
    found = {name: EntryPoint(name, value, GROUP) for name, value in entries.items()}
    monkeypatch.setattr(recipe_kinds, "kinds", lambda: found)


@pytest.mark.parametrize("name", sorted(DECLARED))
def test_every_declared_kind_loads(name: str) -> None:
    assert isinstance(EntryPoint(name, DECLARED[name], GROUP).load(), RecipeKind)


def test_the_kinds_of_the_toolkit_are_installed() -> None:
    assert {name: entry.value for name, entry in recipe_kinds.kinds().items()} == DECLARED


def test_a_kind_of_another_package_is_read_and_run(recipe: Path, tmp_path: Path) -> None:
    loaded = load_any_recipe(recipe, overrides=["lines=2"])
    assert [stage.name for stage in stages_of(loaded)] == ["numbers"]
    assert [step.action for step in run_recipe(loaded, output=tmp_path / "run")] == ["run"]
    assert (tmp_path / "run/numbers/numbers.txt").read_text() == "0\n1"
    assert [step.action for step in run_recipe(loaded, output=tmp_path / "run", choice=Choice(dry_run=True))] == [
        "skip"
    ]


def test_a_kind_may_run_its_recipes_itself(recipe: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch, count="count_things:OWN_RUN")
    (step,) = run_recipe(load_any_recipe(recipe), output=tmp_path / "run")
    assert (step.stage, step.why) == ("elsewhere", "3 lines")


def test_an_unknown_kind_is_told_with_the_nearest_one(recipe: Path) -> None:
    with pytest.raises(RecipeError, match=r"unknown kind 'cuont' \(did you mean 'count'\?\); known: count"):
        load_any_recipe(recipe, overrides=["kind=cuont"])


def test_an_installation_without_kinds_says_what_to_do(recipe: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch)
    with pytest.raises(RecipeError, match="install it again"):
        load_any_recipe(recipe)


def test_an_experiment_says_where_it_is_to_be_had(recipe: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch, debias=DECLARED["debias"])
    for name in [name for name in sys.modules if name.partition(".")[0] == "experiments"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "experiments", None)
    with pytest.raises(RecipeError, match="only the repository has"):
        load_any_recipe(recipe, overrides=["kind=debias"])


def test_a_broken_kind_is_not_taken_for_a_missing_one(recipe: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch, count="no_such_package:KIND")
    with pytest.raises(ModuleNotFoundError, match="no_such_package"):
        load_any_recipe(recipe)


def test_a_recipe_without_a_kind_is_one_of_a_rewriter(tmp_path: Path) -> None:
    path = tmp_path / "own.yaml"
    for text in ("name: own\n", "name: own\nkind: rewriter\n"):
        path.write_text(text)
        assert load_any_recipe(path).kind == "rewriter"
