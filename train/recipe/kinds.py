"""What a recipe may be: of a rewriter, of a classifier on several data diets (``kind: diet``), of a rewriter from round
trips (``kind: round-trip``), of one translator (``kind: translator``), or whatever another package brings.

A kind is an entry point of the group ``gender_fair.recipes``: its name is what the key ``kind`` of a recipe says, its
object a :class:`RecipeKind`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any, Protocol

from rewriter.errors import RecipeError
from rewriter.registry import did_you_mean
from rewriter.runs.recipes import read_values
from train.recipe.schema import find_recipe
from train.stages import Stage, Step

__all__ = ["Recipe", "RecipeKind", "get_kind", "kinds", "load_any_recipe"]

GROUP = "gender_fair.recipes"
#: packages that only a checkout of the repository has
_WORKSHOP = ("experiments", "tools")


class Recipe(Protocol):
    """What recipes of all kinds have."""

    @property
    def name(self) -> str:
        """Of the recipe and the run's folder."""

    @property
    def kind(self) -> str:
        """Name of the :class:`RecipeKind`."""


@dataclass(frozen=True)
class RecipeKind:
    """How recipes of one kind are read and run.

    Attributes:
        load: takes a path and ``overrides=``; returns the recipe or raises a RecipeError.
        stages: returns the stages of a recipe in the order in which they run.
        run: runs a recipe in place of :func:`train.recipe.run.run_recipe`, with the same arguments.
    """

    load: Callable[..., Recipe]
    stages: Callable[[Any], list[Stage]]
    run: Callable[..., list[Step]] | None = None


def kinds() -> Mapping[str, EntryPoint]:
    """Return the installed kinds of recipes by name."""
    return {entry.name: entry for entry in entry_points(group=GROUP)}


def get_kind(name: str, *, where: str) -> RecipeKind:
    """Return the kind of recipes called ``name``.

    Args:
        name: what the recipe's key ``kind`` says.
        where: file that says it, for messages.

    Raises:
        RecipeError: there is none, or it belongs to the repository's experiments and these are not installed.
    """
    known = kinds()
    if name not in known:
        listed = ", ".join(sorted(known)) or "none (the toolkit was installed by an older version: install it again)"
        raise RecipeError(f"{where}: unknown kind '{name}'{did_you_mean(name, sorted(known))}; known: {listed}")
    try:
        kind: RecipeKind = known[name].load()
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] not in _WORKSHOP:
            raise
        raise RecipeError(
            f"{where}: recipes of kind '{name}' are experiments, which only the repository has, not the installed "
            "package: clone it and run `pip install -e '.[train]'` there"
        ) from None
    return kind


def load_any_recipe(name_or_path: str | Path, *, overrides: Iterable[str] = ()) -> Recipe:
    """Read a recipe of any kind by path, or a shipped one by name; its key ``kind`` says which.

    Args:
        name_or_path: a YAML file, or the name of a shipped recipe.
        overrides: ``"train.steps=2000"``; keys by their dotted path, values in YAML.

    Raises:
        RecipeError: the file, a key or a value is wrong; the message names the key's path and the nearest known one.
    """
    overrides = tuple(overrides)
    path = find_recipe(name_or_path)
    name = str(read_values(path, overrides=overrides).get("kind", "rewriter"))
    return get_kind(name, where=str(path)).load(path, overrides=overrides)


def stages_of(recipe: Recipe) -> list[Stage]:
    """Return the stages of a recipe in the order in which they run.

    Raises:
        InputError: an input file is missing.
        UsageError: options that do not go together.
    """
    return get_kind(recipe.kind, where=recipe.name).stages(recipe)
