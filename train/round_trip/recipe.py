"""What a recipe of ``kind: round-trip`` says: a rewriter's recipe whose pairs come from round trips.

Amrhein et al. 2023, section 4: Round-trip Augmentation, + merged, + LM prompting, + gender control.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from augment.round_trip.find import FindConfig
from augment.round_trip.merge import MergeConfig
from augment.round_trip.prompting import PromptConfig
from augment.round_trip.translate import RoundTripConfig
from rewriter.errors import RecipeError, UsageError
from rewriter.options import folder_name
from rewriter.runs.recipes import build, read_values
from train.recipe.schema import RewriterRecipe, fill_in
from train.translator.config import TranslatorConfig

#: where the stages of the translators leave them, below the run's folder
TRAINED_THERE = "there/export/model"
TRAINED_BACK = "back/export/model"


@dataclass(frozen=True)
class RoundTripRecipe(RewriterRecipe):
    """A rewriter from gender-fair text alone.

    Attributes:
        kind: ``round-trip``.
        there: trains the translator into the pivot language.
        back: trains the translator back.
        there_model: a ready translator in its place (folder of ours, or folder or name for transformers).
        back_model: the same for the way back.
        find: gender-fair sentences, from ``data.inputs`` where it names no inputs.
        plain: sentences without anything to rewrite, for a language without the strategy ``neutral``.
        patterns: file with the gender-fair forms of a language without rules (:mod:`augment.round_trip.patterns`), for
            all sections that read some.
        prompt: more of them from a language model.
        round_trip: ways back to make.
        merge: the biased words into the originals; without this section the whole way back is the source.
        fair_sources: the sentences as they were written are sources too (table 4 of the paper).
    """

    kind: str = "round-trip"
    there: TranslatorConfig | None = None
    back: TranslatorConfig | None = None
    there_model: str = ""
    back_model: str = ""
    find: FindConfig = field(default_factory=FindConfig)
    plain: FindConfig | None = None
    patterns: str = ""
    prompt: PromptConfig | None = None
    round_trip: RoundTripConfig = field(default_factory=lambda: RoundTripConfig(TRAINED_THERE, TRAINED_BACK))
    merge: MergeConfig | None = None
    fair_sources: bool = True

    def __post_init__(self) -> None:
        folder_name(name=self.name, **{f"augment.{name}": name for name in self.augment})
        for reason in _mistakes(self):
            raise UsageError(reason)

    @property
    def translators(self) -> dict[str, TranslatorConfig]:
        """The translators that are trained, by the folder of their stages."""
        sections = {"there": self.there, "back": self.back}
        return {name: config for name, config in sections.items() if config is not None}

    def text_inputs(self) -> list[tuple[list[str], list[str]]]:
        """Return the input patterns of everything that reads text, with what they exclude."""
        read = [(self.find.inputs, self.find.exclude), *super().text_inputs()]
        read += [(self.plain.inputs, self.plain.exclude)] if self.plain is not None else []
        return [*read, *((config.data.inputs, config.data.exclude) for config in self.translators.values())]


def _mistakes(recipe: RoundTripRecipe) -> list[str]:
    """Return what does not go together."""
    found = []
    if recipe.kind != "round-trip":
        found.append(f"'kind' must be round-trip, not '{recipe.kind}'")
    if recipe.target != "full":
        found.append(f"round trips train a model of target 'full', not '{recipe.target}'")
    for name in ("there", "back"):
        if (getattr(recipe, name) is None) != bool(getattr(recipe, f"{name}_model")):
            found.append(f"give either '{name}', which trains a translator, or '{name}_model', a ready one")
    if not recipe.find.inputs:
        found.append("'find.inputs' (or 'data.inputs') names no text")
    needs = {"train": ("mix", "tokenizer"), "export": ("train",), "score": ("export",)}
    for section, others in needs.items():
        missing = [name for name in others if getattr(recipe, name) is None]
        if getattr(recipe, section) is not None and missing:
            found.append(f"the section '{missing[0]}' is missing: '{section}' needs it")
    return found


def load_round_trip_recipe(path: Path, *, overrides: Iterable[str] = ()) -> RoundTripRecipe:
    """Read a recipe.

    Args:
        path: a YAML file.
        overrides: ``"KEY=VALUE"``; keys by their dotted path, values in YAML.

    Raises:
        RecipeError: the file, a key or a value is wrong; the message names the key's path.
    """
    return build_round_trip_recipe(read_values(path, overrides=overrides), where=str(path))


def build_round_trip_recipe(values: dict[str, Any], *, where: str) -> RoundTripRecipe:
    """Make the recipe of plain values; what stands once for all sections is filled in.

    Raises:
        RecipeError: a key or value is wrong; the message names the key's path.
    """
    fill_in(values, where)
    lang, data = values.get("lang", "de"), values.get("data") or {}
    shared = {key: data[key] for key in ("inputs", "exclude") if isinstance(data, Mapping) and key in data}
    known = {"lang": lang, **({"patterns": values["patterns"]} if values.get("patterns") else {})}
    values = {**values, "find": {**known, **shared, **_section(values, "find", where)}}
    if values.get("plain") is not None:
        values["plain"] = {**known, **shared, "plain": True, **_section(values, "plain", where)}
    models = {"there": values.get("there_model") or TRAINED_THERE, "back": values.get("back_model") or TRAINED_BACK}
    values["round_trip"] = {**known, **models, **_section(values, "round_trip", where)}
    for name in ("merge", "prompt"):
        if name in values:
            values[name] = {**known, **_section(values, name, where)}
    try:
        return build(RoundTripRecipe, values, where=where)
    except UsageError as error:
        raise RecipeError(f"{where}: {error}") from None


def _section(values: Mapping[str, Any], name: str, where: str) -> dict[str, Any]:
    section = values.get(name) or {}
    if not isinstance(section, dict):
        raise RecipeError(f"{where}: '{name}' must hold keys, not {section!r}")
    return section
