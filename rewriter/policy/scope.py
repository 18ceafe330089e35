"""What a policy has to know about a language: which sentences name a person, and which edits belong together."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Protocol, cast

from rewriter.errors import UsageError
from rewriter.language.interface import find_module
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
    rules = _module(language)
    return [-1] * len(edits) if rules is None else rules.governors(sentence, edits)


@cache
def _module(language: str) -> ControlRules | None:
    """Return the module with a language's rules, or None."""
    return cast("ControlRules | None", find_module("rewriter", language, "control"))


def control_rules(language: str) -> ControlRules:
    """Return the rules of a language.

    Raises:
        UsageError: the language has none.
    """
    rules = _module(language)
    if rules is None:
        raise UsageError(f"for the language '{language}' there is no heuristic for the names of persons")
    return rules
