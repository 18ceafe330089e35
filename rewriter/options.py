"""Checks of option values, the same for every command, class and recipe: the message names the option and its values.

In a recipe's section :func:`rewriter.runs.recipes.build` adds the file and the path of the key.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from rewriter.errors import UsageError
from rewriter.registry import did_you_mean

#: bundles of settings that a language may have (:class:`rewriter.language.settings.Preset`)
PRESETS = ("publishing", "corpus")
#: torch and numpy take seeds of 32 bits
MOST_SEED = 2**32 - 1
#: far more than any machine has cores; beyond what the system gives, libraries abort instead of raising
MOST_THREADS = 256
MOST_PROCESSES = 1024
#: pieces of a vocabulary, more than any model has
MOST_PIECES = 1_000_000
#: characters of the name of a folder
MOST_NAME = 100
_FOLDER_NAME = re.compile(r"[\w+][\w .+-]*")
#: where training may run
DEVICES = ("auto", "cpu", "cuda")


def one_of(known: Iterable[str], **values: str) -> None:
    """Refuse values that are none of those known.

    Raises:
        UsageError: names the option, what is known, and the nearest of it.
    """
    known = list(known)
    for name, value in values.items():
        if value not in known:
            hint = did_you_mean(str(value), known)
            raise UsageError(f"{name} must be one of {', '.join(known)}, not '{value}'{hint}")


def at_least(least: float, **values: float) -> None:
    """Refuse values that are too small.

    Raises:
        UsageError: names the option, the least value and the one given.
    """
    for name, value in values.items():
        if value < least:
            raise UsageError(f"{name} must be at least {least:g}, not {value}")


def at_most(most: float, **values: float) -> None:
    """Refuse values that are too large, which no machine could work with.

    Raises:
        UsageError: names the option, the greatest value and the one given.
    """
    for name, value in values.items():
        if value > most:
            raise UsageError(f"{name} must be at most {most:,}, not {value:,}")


def folder_name(**values: str) -> None:
    """Refuse names that cannot be those of a folder: they must stay where the run puts them.

    Raises:
        UsageError: names the option and its value.
    """
    for name, value in values.items():
        if not _FOLDER_NAME.fullmatch(value) or len(value) > MOST_NAME:
            raise UsageError(
                f"{name} names a folder: letters, digits, '_', '-', '.', '+' and spaces, at most {MOST_NAME}, none "
                f"of '-', '.' and spaces first, not {value[:MOST_NAME]!r}"
            )


def positive(**values: float) -> None:
    """Refuse values that are not above zero.

    Raises:
        UsageError: names the option and its value.
    """
    for name, value in values.items():
        if value <= 0:
            raise UsageError(f"{name} must be greater than 0, not {value}")


def check_share(*, zero: bool = False, one: bool = False, **values: float) -> None:
    """Refuse values that are no share between 0 and 1.

    Args:
        zero: 0 is one.
        one: 1 is one.
        values: the options.

    Raises:
        UsageError: names the option and its value.
    """
    for name, value in values.items():
        if not 0 <= value <= 1 or (value == 0 and not zero) or (value == 1 and not one):
            ends = {(True, True): "", (True, False): ", 1 excluded", (False, True): ", 0 excluded"}
            raise UsageError(f"{name} must be between 0 and 1{ends.get((zero, one), ', both excluded')}, not {value}")


def different(name: str, values: list[int], *, least: int = 1) -> None:
    """Refuse a list of numbers with one twice, or with too few.

    Raises:
        UsageError: names the option and its values.
    """
    if len(values) < least or len(set(values)) < len(values):
        raise UsageError(f"{name} must be different numbers, at least {least}, not {values}")
