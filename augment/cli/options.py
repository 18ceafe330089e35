"""Reading option dataclasses from the command line: ``--set key=value``, checked against the dataclass."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from rewriter.cli.parsers import seed
from rewriter.errors import RecipeError, UsageError
from rewriter.runs import recipes
from rewriter.runs.yaml_values import parse_yaml

T = TypeVar("T")


def parse_settings(settings: Iterable[str]) -> dict[str, Any]:
    """Return ``key=value`` pairs as a mapping; values are YAML (``0.5``, ``[a, b]``, ``true``), dots go deeper.

    Raises:
        UsageError: a setting has no ``=``, or goes below one that is a value.
        RecipeError: its value is no YAML.
    """
    values: dict[str, Any] = {}
    for setting in settings:
        key, equals, text = setting.partition("=")
        if not key or not equals:
            raise UsageError(f"--set {setting}: write it as key=value")
        *parents, last = key.split(".")
        inside = values
        for parent in parents:
            inside = inside.setdefault(parent, {})
            if not isinstance(inside, dict):
                raise UsageError(f"--set {setting}: '{parent}' holds a value, not keys")
        inside[last] = parse_yaml(text, where=f"--set {setting}")
    return values


def build_config(schema: type[T], values: Mapping[str, Any], *, where: str) -> T:
    """Make the dataclass, telling an unknown key with the nearest known one.

    Raises:
        UsageError: a key is unknown or a value of the wrong type.
    """
    try:
        return recipes.build(schema, values, where=where)
    except RecipeError as error:
        raise UsageError(str(error)) from None


def add_common(parser: argparse.ArgumentParser, *, output_required: bool = True) -> None:
    """Add the options that all commands of this package share."""
    parser.add_argument("-o", "--output", metavar="DIR", required=output_required, help="folder for the result")
    parser.add_argument("--seed", type=seed, default=1, help="random seed (default 1)")
    parser.add_argument("--fresh", action="store_true", help="begin anew where another run's result stands")
    parser.add_argument("--json", action="store_true", help="print the counts as JSON")
    parser.add_argument(
        "--set", action="append", default=[], metavar="KEY=VALUE", help="any other option, as in a recipe (repeatable)"
    )


def processes(text: str) -> int:
    """Read a number of processes (argparse type)."""
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return number
