"""The settings of a language that commands offer as options: what ``rewriter/<code>/settings.py`` declares.

A module of its own, since every command line reads it: it must not import the grammar.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from lexicons.languages import LanguageError, installed, own_codes
from rewriter.errors import UsageError
from rewriter.language.interface import find_module
from rewriter.options import PRESETS, one_of

__all__ = ["Preset", "Setting", "declared_settings", "preset"]


@dataclass(frozen=True)
class Setting:
    """A keyword argument of a language's ``make`` that has an option of its own on the command line.

    Attributes:
        name: of the argument; the option is called so, with hyphens for underscores.
        default: of the argument. Where it is False, the option is a switch.
        help: what is said about the option; it names the language.
        choices: values that it takes; empty for a switch, and where any text will do.
    """

    name: str
    default: str | bool
    help: str
    choices: tuple[str, ...] = ()

    def merged(self, other: Setting) -> Setting:
        """Return one setting for two of the same name, if both have choices; else this one.

        The other one can be reached by ``--setting`` then. Which choices a language takes it says itself.
        """
        if not self.choices or not other.choices:
            return self
        choices = tuple(dict.fromkeys((*self.choices, *other.choices)))
        return replace(self, choices=choices, help=f"{self.help}; {other.help}")


@dataclass(frozen=True)
class Preset:
    """Settings for a purpose, by which a user need not know them one by one; what is given beside it wins.

    Attributes:
        policy: fields of :class:`rewriter.policy.Policy` with their values.
        settings: settings of the language, or options of :class:`rewriter.pipeline.Options`, with their values.
    """

    policy: Mapping[str, Any] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)


def preset(code: str, name: str) -> Preset:
    """Return a preset of a language (``PRESETS`` of its module ``settings``, by name).

    Raises:
        UsageError: there is no such preset, or the language has none of that name.
    """
    one_of(PRESETS, preset=name)
    module: Any = find_module("rewriter", code, "settings")
    found: Mapping[str, Preset] = {} if module is None else getattr(module, "PRESETS", {})
    if name not in found:
        raise UsageError(f"the language '{code}' has no preset '{name}'; it has {', '.join(found) or 'none'}")
    return found[name]


def declared_settings() -> tuple[Setting, ...]:
    """Return the settings that languages declare, by the order of their codes; one for each name.

    An installed language that is broken has none: whoever asks for that language is told what is wrong with it.
    """
    found: dict[str, Setting] = {}
    for code in _codes():
        for setting in settings_of(code):
            found[setting.name] = found[setting.name].merged(setting) if setting.name in found else setting
    return tuple(found.values())


def settings_of(code: str) -> tuple[Setting, ...]:
    """Return the settings that a language declares (``SETTINGS`` of its module ``settings``)."""
    try:
        module: Any = find_module("rewriter", code, "settings")
    except UsageError:
        return ()
    return () if module is None else tuple(module.SETTINGS)


def _codes() -> list[str]:
    own = own_codes("rewriter", "settings.py")
    try:
        return sorted({*own, *installed()})
    except LanguageError:
        return sorted(own)
