"""What a policy has to know about a language: which sentences name a person, and which edits belong together."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Protocol, cast

from rewriter.errors import UsageError
from rewriter.records import Edit


class ControlRules(Protocol):
    """The module ``rewriter/<code>/control.py``."""

    def names_person(self, sentence: str) -> bool:
        """Tell whether ``sentence`` names a person (a heuristic, see the language's module)."""
        ...

    def refers_back(self, sentence: str, offset: int) -> bool:
        """Tell whether a pronoun at ``offset`` may mean a person named in an earlier sentence."""
        ...

    def governors(self, sentence: str, edits: Sequence[Edit]) -> list[int]:
        """Return for every edit the index of the edit that it follows (a verb its pronoun), -1 for none."""
        ...


@cache
def control_rules(language: str) -> ControlRules:
    """Return the rules of a language.

    Raises:
        UsageError: the language has none.
    """
    name = f"rewriter.{language}.control"
    if not language.isidentifier() or find_spec(f"rewriter.{language}") is None or find_spec(name) is None:
        raise UsageError(f"there are no rules of control for the language '{language}'")
    return cast(ControlRules, import_module(name))
