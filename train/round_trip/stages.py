"""The stages of a recipe with a round trip.

there/... and back/... (translators) -> augment/find-fair, augment/prompt -> augment/round-trip -> augment/merge
-> filter -> mix -> tokenizer -> train -> export -> score
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from augment.round_trip import find, merge, prompting, translate
from augment.round_trip.patterns import pattern_identity
from augment.round_trip.translators import translator_identity
from augment.sources import find_inputs
from lexicons.loader import LEXICON_VERSION
from train.recipe.kinds import RecipeKind
from train.recipe.stages import recipe_stages
from train.round_trip.recipe import TRAINED_BACK, TRAINED_THERE, RoundTripRecipe, load_round_trip_recipe
from train.stages import Stage, StageContext
from train.translator.stages import translator_stages

FIND, PLAIN, PROMPT = "augment/find-fair", "augment/plain", "augment/prompt"
TRIPS, MERGE = "augment/round-trip", "augment/merge"
#: how fast, and what stands elsewhere: these never count
_NOT_COMPARED = ("inputs", "exclude", "processes", "device", "patterns")


def round_trip_stages(recipe: RoundTripRecipe) -> list[Stage]:
    """Return the stages of a recipe in the order in which they run.

    Raises:
        InputError: an input file is missing.
        UsageError: options that do not go together.
    """
    made: list[Stage] = []
    for name, config in recipe.translators.items():
        made += translator_stages(config, prefix=f"{name}/")
    fair = [FIND]
    made.append(_find_stage(recipe.find, FIND))
    plain = [PLAIN] if recipe.plain is not None else []
    if recipe.plain is not None:
        made.append(_find_stage(recipe.plain, PLAIN))
    if recipe.prompt is not None:
        made.append(_prompt_stage(recipe.prompt))
        fair.append(PROMPT)
    made.append(_trips_stage(recipe, fair))
    sources = [TRIPS]
    if recipe.merge is not None:
        made.append(_merge_stage(recipe.merge))
        sources = [MERGE]
    return recipe_stages(recipe, before=made, sources=[*sources, *plain, *(fair if recipe.fair_sources else ())])


def _options(config: Any, *left_out: str) -> dict[str, Any]:
    options = {k: v for k, v in asdict(config).items() if k not in (*_NOT_COMPARED, *left_out)}
    return options | pattern_identity(config.patterns)


def _find_stage(config: find.FindConfig, name: str) -> Stage:
    def run(stage: StageContext) -> None:
        find.find_fair(config, output=stage.output)

    paths = find_inputs(config.inputs, config.exclude)
    options = _options(config, *([] if config.plain else ["plain"])) | {"lexicon": LEXICON_VERSION}
    return Stage(name, find.STAGE_VERSION, run, options, {path.name: path for path in paths}, outputs=("pairs-*",))


def _prompt_stage(config: prompting.PromptConfig) -> Stage:
    def run(stage: StageContext) -> None:
        prompting.prompt(config, output=stage.output)

    options = _options(config, "model", "prompts")
    options |= {"model": translator_identity(config.model), "lexicon": LEXICON_VERSION}
    files = {"prompts": Path(config.prompts)} if config.prompts else {}
    return Stage(PROMPT, prompting.STAGE_VERSION, run, options, files, outputs=("pairs-*",))


def _trips_stage(recipe: RoundTripRecipe, fair: Sequence[str]) -> Stage:
    config = recipe.round_trip
    ready = {"there": recipe.there_model, "back": recipe.back_model, "untagged": config.untagged}

    def run(stage: StageContext) -> None:
        there = recipe.there_model or str(stage.run / TRAINED_THERE)
        back = recipe.back_model or str(stage.run / TRAINED_BACK)
        inputs = [str(stage.run / name) for name in fair]
        translate.round_trip(replace(config, there=there, back=back, inputs=inputs), output=stage.output)

    options = _options(config, *ready)
    options |= {name: translator_identity(model) for name, model in ready.items() if model}
    after = (*fair, *(f"{name}/export" for name in recipe.translators))
    return Stage(TRIPS, translate.STAGE_VERSION, run, options, after=after, outputs=("pairs-*",))


def _merge_stage(config: merge.MergeConfig) -> Stage:
    def run(stage: StageContext) -> None:
        merge.merge_round_trips(replace(config, inputs=[str(stage.run / TRIPS)]), output=stage.output)

    options = _options(config, "scorer", *([] if config.scorer else ["most_worse"])) | {"lexicon": LEXICON_VERSION}
    options |= {"scored by": translator_identity(config.scorer)} if config.scorer else {}
    return Stage(MERGE, merge.STAGE_VERSION, run, options, after=(TRIPS,), outputs=("pairs-*",))


KIND = RecipeKind(load_round_trip_recipe, round_trip_stages)
