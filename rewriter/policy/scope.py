"""What a policy has to know about a language: which sentences name a person, and which edits belong together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Protocol, cast

from rewriter.errors import UsageError
from rewriter.language.complete import Defaults, complete
from rewriter.language.interface import find_module
from rewriter.records import Edit


class ControlRules(Protocol):
    """The module ``rewriter/<code>/control.py``."""

    def names_person(self, sentence: str) -> bool:
        """Return True if ``sentence`` names a person (a heuristic, see the language's module)."""
        ...

    def refers_back(self, sentence: str, offset: int) -> bool:
        """Return True if a pronoun at ``offset`` may mean a person named in an earlier sentence."""
        ...

    def kept_spans(self, text: str, kinds: Sequence[str]) -> Iterable[tuple[int, int, str]]:
        """Return (start, end, what it is) of titles of works, honorifics and deities of a text; may be left out."""
        ...

    def ambiguous(self, sentence: str, edits: Sequence[Edit], before: str = "") -> str:
        """Return why the rewritten sentence may be read in two ways, or nothing; may be left out."""
        ...

    def governors(self, sentence: str, edits: Sequence[Edit]) -> list[int]:
        """Return for every edit the index of the edit that it follows (a verb its pronoun), -1 for none."""
        ...


def governors(sentence: str, edits: Sequence[Edit], language: str) -> list[int]:
    """Return for every edit the index of the edit that it follows; a language without rules ties nothing together."""
    rules = _module(language)
    return [-1] * len(edits) if rules is None else rules.governors(sentence, edits)


_DEFAULTS: Defaults = {
    "kept_spans": lambda module: lambda text, kinds: (),
    "ambiguous": lambda module: lambda sentence, edits, before="": "",
}


@cache
def _module(language: str) -> ControlRules | None:
    """Return the module with a language's rules, or None."""
    module = find_module("rewriter", language, "control")
    return None if module is None else cast("ControlRules", complete(module, _DEFAULTS))


def control_rules(language: str) -> ControlRules:
    """Return the rules of a language.

    Raises:
        UsageError: the language has none.
    """
    rules = _module(language)
    if rules is None:
        raise UsageError(f"for the language '{language}' there is no heuristic for the names of persons")
    return rules
