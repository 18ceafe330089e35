"""What the rows of the published table learn from, and what they share."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from augment.round_trip.translate import GENDERS
from rewriter.errors import RecipeError, UsageError
from rewriter.options import different, one_of
from rewriter.registry import did_you_mean
from rewriter.runs.recipes import build, read_values
from train.recipe.schema import RewriterRecipe, fill_in

#: no way back, the whole way back, or its words merged into the original
WAYS = ("none", "whole", "merged")


@dataclass(frozen=True)
class Row:
    """What one row learns from, beside copies.

    Attributes:
        ways: ``none``, ``whole`` or ``merged``.
        genders: of the ways back: ``none`` (no tag), ``feminine``, ``masculine``.
        prompted: sentences of the language model count, too.
    """

    ways: str = "merged"
    genders: list[str] = field(default_factory=lambda: ["none"])
    prompted: bool = False

    def __post_init__(self) -> None:
        one_of(WAYS, ways=self.ways)
        for gender in self.genders:
            one_of(GENDERS, genders=gender)


@dataclass(frozen=True)
class Plan:
    """The rows and what they share.

    Attributes:
        lang: language code.
        rows: by name, in the order of the table.
        rewriter: sections of a rewriter's recipe: ``filter``, ``mix``, ``tokenizer``, ``train``, ``export``.
        first: row whose finished model the others go on from; empty for none.
        more: sections that differ where a row goes on from it (``train``: fewer updates ...).
        seeds: of the training; a model for each.
        tokenizer: by which the rows are scored.
    """

    lang: str
    rows: dict[str, Row]
    rewriter: dict[str, Any]
    first: str = ""
    more: dict[str, Any] = field(default_factory=dict)
    seeds: list[int] = field(default_factory=lambda: [1])
    tokenizer: str = "moses-en"

    def __post_init__(self) -> None:
        different("seeds", self.seeds)
        names = [slug(name) for name in self.rows]
        if len(set(names)) < len(names) or "" in names:
            raise UsageError("rows: two names, less signs and spaces, are alike, or one is empty; they name folders")
        for key, value in [*self.rewriter.items(), *self.more.items()]:
            if not isinstance(value, dict):
                raise UsageError(f"'{key}' must hold keys, not {value!r}")
        if self.first and self.first not in self.rows:
            raise UsageError(f"first: there is no row '{self.first}'{did_you_mean(self.first, list(self.rows))}")

    def recipe(self, name: str, seed: int, *, pairs: Path, init: Path | None) -> RewriterRecipe:
        """Return the recipe of a row.

        Args:
            name: of the row.
            seed: of the training.
            pairs: what it learns from.
            init: folder ``train`` of the run that it goes on from, whose vocabulary it keeps; None for none.

        Raises:
            RecipeError: a key or value of ``rewriter`` or ``more`` is wrong.
        """
        sections = self.rewriter if init is None else _merged(self.rewriter, self.more)
        values = _merged(sections, {"train": {"seed": seed}})
        values |= {"name": f"{slug(name)}-{seed}", "lang": self.lang, "pairs": [str(pairs)]}
        values |= {"init": str(init)} if init is not None else {}
        fill_in(values, name)
        return build(RewriterRecipe, values, where=f"row '{name}'")


def slug(name: str) -> str:
    """Return a row's name as that of a folder (*+ LM prompting* is *lm-prompting*)."""
    return "-".join("".join(c if c.isalnum() else " " for c in name.lower()).split())


def _merged(values: dict[str, Any], more: dict[str, Any]) -> dict[str, Any]:
    """Return sections with the keys of others put into them."""
    found = {key: dict(value) if isinstance(value, dict) else value for key, value in values.items()}
    for key, value in more.items():
        found[key] = {**(found.get(key) or {}), **value} if isinstance(value, dict) else value
    return found


def load_plan(path: Path, *, overrides: tuple[str, ...] = ()) -> Plan:
    """Read a plan.

    Raises:
        RecipeError: the file, a key or a value is wrong.
    """
    plan = build(Plan, read_values(path, overrides=overrides), where=str(path))
    if not plan.rows:
        raise RecipeError(f"{path}: 'rows' is empty; name at least one")
    return plan
