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


def governors(sentence: str, edits: Sequence[Edit], language: str) -> list[int]:
    """Return for every edit the index of the edit that it follows; a language without rules ties nothing together."""
    return control_rules(language).governors(sentence, edits) if _module(language) else [-1] * len(edits)


@cache
def _module(language: str) -> str:
    """Return the name of the module with a language's rules, or an empty string."""
    name = f"rewriter.{language}.control"
    is_there = language.isidentifier() and find_spec(f"rewriter.{language}") and find_spec(name)
    return name if is_there else ""


@cache
def control_rules(language: str) -> ControlRules:
    """Return the rules of a language.

    Raises:
        UsageError: the language has none.
    """
    if not _module(language):
        raise UsageError(f"for the language '{language}' there is no heuristic for the names of persons")
    return cast(ControlRules, import_module(_module(language)))
