"""The tables of a diet run: examples with classes 0 and 1, sets for measuring, counterfactuals."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

from eval.fairness.predictions import classes
from eval.fairness.templates import make_templates, read_templates, template_columns
from rewriter.errors import InputError
from rewriter.io.columns import Columns, read_columns, write_columns
from train.diet.recipe import FLIPPED_TEST, TEST, DietData, DietRecipe, SetSection, template_options

#: raise by hand when the same inputs give other tables
STAGE_VERSION = 1
PARTS = ("train", "dev", "test")


def write_data(recipe: DietRecipe, output: Path) -> dict[str, Any]:
    """Write ``train.parquet``, ``dev.parquet``, ``test.parquet`` (text, label) and a table for each set.

    Returns:
        Counts for people.

    Raises:
        InputError: a column is missing, labels are text and no positive class is named, or a class has no example.
    """
    counts = {}
    for part in PARTS:
        columns = read_part(recipe.data, part)
        write_columns(output / f"{part}.parquet", columns)
        counts[part] = {str(label): count for label, count in sorted(Counter(columns["label"]).items())}
    for name, section in recipe.sets.items():
        columns = make_set(recipe, section)
        write_columns(output / f"{name}.parquet", columns)
        counts[name] = {str(label): count for label, count in sorted(Counter(columns["label"]).items())}
    return counts


def read_part(data: DietData, part: str) -> dict[str, list[Any]]:
    """Return text and label (0 or 1) of one part.

    Raises:
        InputError: see :func:`write_data`.
    """
    table = read_columns(getattr(data, part))
    texts = table.texts(data.text)
    if not texts:
        raise InputError(f"{table.source}: there are no examples (data.{part})")
    labels = _labels(table, data)
    if len(set(labels)) < 2:
        wanted = f"'{data.positive}'" if data.positive else "1"
        which = f"besides {wanted}" if labels[0] else f"of the positive class {wanted}"
        raise InputError(f"{table.source}: no example {which} in column '{data.label}'; a classifier needs both")
    return {"text": texts, "label": labels}


def _labels(table: Columns, data: DietData) -> list[int]:
    found = sorted({str(value) for value in table.values(data.label)})
    if not data.positive and not set(found) <= {"0", "1", "0.0", "1.0", "False", "True", "false", "true"}:
        shown = ", ".join(repr(name) for name in found[:6]) + (f" and {len(found) - 6} more" if len(found) > 6 else "")
        raise InputError(
            f"{table.source}: column '{data.label}' holds {shown}, not 0 and 1; name the class that counts as "
            "positive (data.positive), all others are then the negative one"
        )
    return [int(label) for label in classes(table, data.label, data.positive or None).tolist()]


def make_set(recipe: DietRecipe, section: SetSection) -> dict[str, list[Any]]:
    """Return a template set as columns: text, group, label, pair, frame."""
    if not section.published:
        return template_columns(make_templates(template_options(recipe, section)))
    templates = read_templates(section.published, identities=section.identities, leave_out=section.only_identities)
    chosen = [template for template in templates if not section.groups or template.group in section.groups]
    if not chosen:
        raise InputError(
            f"{section.published}: no text of the groups {', '.join(section.groups)}; see its column of groups"
        )
    if 0 < section.sample < len(chosen):
        rows = np.random.default_rng(section.seed).choice(len(chosen), size=section.sample, replace=False)
        chosen = [chosen[row] for row in sorted(rows.tolist())]
    return template_columns(chosen)


def write_counterfactuals(recipe: DietRecipe, data: Path, output: Path) -> dict[str, Any]:
    """Write ``train.parquet`` with the column ``counterfactual``, and ``test-flipped.parquet``.

    Args:
        recipe: says where the counterfactuals come from.
        data: folder of :func:`write_data`.
        output: folder to write into.

    Returns:
        Counts for people.

    Raises:
        InputError: no text is changed, or the table of flipped texts does not fit.
    """
    from augment.swap import Swapper

    swapper = Swapper(recipe.swap.lang)
    train, test = read_columns(data / "train.parquet"), read_columns(data / f"{TEST}.parquet")
    flipped = list(swapper.swap(test.texts("text")))
    others = _given(recipe, train) if recipe.swap.flipped else list(swapper.swap(train.texts("text")))
    changed = {"train": _changed(train, others), TEST: _changed(test, flipped)}
    source = recipe.swap.flipped or f"the swapper for '{recipe.swap.lang}'"
    if not changed["train"]:
        raise InputError(f"{recipe.data.train}: {source} changes no text, so there is nothing to learn from flipping")
    write_columns(output / "train.parquet", {**train.columns, "counterfactual": others})
    write_columns(output / f"{FLIPPED_TEST}.parquet", {**test.columns, "text": flipped})
    return {"train": len(train), "train changed": changed["train"], TEST: len(test), "test changed": changed[TEST]}


def _given(recipe: DietRecipe, train: Columns) -> list[str]:
    return row_by_row(recipe.swap.flipped, recipe.swap.text or recipe.data.text, train)


def row_by_row(path: str, column: str, train: Columns) -> list[str]:
    """Return a column of another table whose rows are those of the training table.

    Raises:
        InputError: the tables differ in length, or the column is missing.
    """
    table = read_columns(path)
    if len(table) != len(train):
        raise InputError(f"{path} has {len(table)} rows, the training table has {len(train)}; they go row by row")
    return table.texts(column)


def _changed(table: Columns, others: list[str]) -> int:
    return sum(text != other for text, other in zip(table.texts("text"), others, strict=True))
