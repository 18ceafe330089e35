"""Options of commands for the settings that languages declare (:mod:`rewriter.language.settings`); ``--setting``."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from typing import Any

from rewriter.errors import UsageError
from rewriter.language.settings import Setting, declared_settings

#: of the names under which a parser stores what was given
_PREFIX = "language_setting_"


def add_setting_options(parser: argparse.ArgumentParser, settings: Iterable[Setting] | None = None) -> None:
    """Add an option for each setting, and ``--setting``; call this after all other options were added.

    Args:
        parser: of the command.
        settings: None takes those of all languages. One whose option the command has itself is left to ``--setting``.
    """
    group = parser.add_argument_group("settings of the language")
    for setting in declared_settings() if settings is None else settings:
        try:
            _add(group, setting)
        except argparse.ArgumentError:
            continue
    group.add_argument(
        "--without-rule",
        action="append",
        default=[],
        metavar="NAME",
        help="leave out a rule of the grammar (repeatable; eval rules --list prints all)",
    )
    group.add_argument(
        "--setting",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="a setting of the language that has no option of its own (repeatable)",
    )


def _add(group: argparse._ArgumentGroup, setting: Setting) -> None:
    flag, dest = f"--{setting.name.replace('_', '-')}", _PREFIX + setting.name
    text = setting.help.replace("%", "%%")
    # None: not given, so that a language that does not have the setting is not asked for its default either
    if setting.default is False:
        group.add_argument(flag, dest=dest, action="store_true", default=None, help=text)
    else:
        group.add_argument(flag, dest=dest, choices=setting.choices or None, default=None, help=text)


def setting_options(args: argparse.Namespace) -> dict[str, Any]:
    """Return the settings that were given as options of :meth:`rewriter.Rewriter.from_pretrained`.

    Raises:
        UsageError: a ``--setting`` is not of the form NAME=VALUE.
    """
    from rewriter.pipeline import Options

    names = (name for name in vars(args) if name.startswith(_PREFIX) and vars(args)[name] is not None)
    given = {name.removeprefix(_PREFIX): vars(args)[name] for name in names}
    options = {name: value for name, value in given.items() if name in Options.__dataclass_fields__}
    others = {name: value for name, value in given.items() if name not in options}
    if args.without_rule:
        others["without_rules"] = tuple(args.without_rule)
    return {**options, "settings": tuple(sorted((others | _parsed(args.setting)).items()))}


def _parsed(given: Sequence[str]) -> dict[str, Any]:
    """Return the settings ``NAME=VALUE``, whose values are YAML.

    Raises:
        UsageError: one is not of that form.
        RecipeError: a value is no YAML.
    """
    from rewriter.runs.yaml_values import parse_yaml

    found: dict[str, Any] = {}
    for setting in given:
        name, equals, text = setting.partition("=")
        if not name or not equals:
            raise UsageError(f"--setting {setting}: write it as NAME=VALUE")
        found[name] = parse_yaml(text, where=f"--setting {setting}")
    return found
