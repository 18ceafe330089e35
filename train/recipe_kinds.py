"""What a recipe may be: one of a rewriter, of a classifier on several data diets (``kind: diet``), or of
language models on several corpora (``kind: debias``), of a rewriter from round trips (``kind: round-trip``), or of one
translator (``kind: translator``)."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from rewriter.errors import RecipeError
from rewriter.recipes import build, read_values
from rewriter.registry import did_you_mean
from train.debias.config import DebiasRecipe, load_debias_recipe
from train.diet.recipe import DietRecipe, build_diet_recipe
from train.recipe_schema import RewriterRecipe, find_recipe, load_rewriter_recipe
from train.round_trip.recipe import RoundTripRecipe, build_round_trip_recipe
from train.stages import Stage
from train.translator.config import TranslatorConfig

Recipe = RewriterRecipe | DietRecipe | DebiasRecipe | TranslatorConfig
KINDS = ["rewriter", "diet", "debias", "round-trip", "translator"]


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
    values = read_values(path, overrides=overrides)
    kind = values.get("kind", "rewriter")
    if kind not in KINDS:
        raise RecipeError(f"{path}: unknown kind '{kind}'{did_you_mean(str(kind), KINDS)}; known: {', '.join(KINDS)}")
    if kind == "diet":
        return build_diet_recipe(values, where=str(path))
    if kind == "debias":
        return load_debias_recipe(path, overrides=overrides)
    if kind == "round-trip":
        return build_round_trip_recipe(values, where=str(path))
    if kind == "translator":
        return build(TranslatorConfig, values, where=str(path))
    return load_rewriter_recipe(name_or_path, overrides=overrides)


def stages_of(recipe: Recipe) -> list[Stage]:
    """Return the stages of a recipe in the order in which they run.

    Raises:
        InputError: an input file is missing.
        UsageError: options that do not go together.
    """
    if isinstance(recipe, DietRecipe):
        from train.diet.stages import diet_stages

        return diet_stages(recipe)
    if isinstance(recipe, DebiasRecipe):
        from train.debias.run import debias_stages

        return debias_stages(recipe)
    if isinstance(recipe, RoundTripRecipe):
        from train.round_trip.stages import round_trip_stages

        return round_trip_stages(recipe)
    if isinstance(recipe, TranslatorConfig):
        from train.translator.stages import translator_stages

        return translator_stages(recipe)
    from train.recipe_stages import recipe_stages

    return recipe_stages(recipe)
