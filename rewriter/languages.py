"""The small interface behind which each language lives; a language is a folder ``rewriter/<code>/``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.util import find_spec
from inspect import signature
from typing import Any, Protocol

from rewriter.candidates import Analysis
from rewriter.errors import UsageError
from rewriter.records import Edit
from rewriter.tokens import Token


class Language(Protocol):
    """What the rest of the toolkit needs to know about a language."""

    code: str
    outcomes: tuple[str, ...]

    def segment(self, text: str) -> list[tuple[int, int]]:
        """Return sentence spans (start, end in characters)."""
        ...

    def gate(self, text: str) -> bool:
        """Tell cheaply whether ``text`` may hold a candidate; never False for one that does."""
        ...

    def analyze(self, text: str, protected: Sequence[tuple[int, int]] = (), *, training: bool = False) -> Analysis:
        """Return tokens and candidates of a sentence."""
        ...

    def settle(
        self, text: str, analysis: Analysis, options: Sequence[int], scores: Sequence[float], probabilities: Any = None
    ) -> list[Edit]:
        """Make the chosen options agree with each other and return the edits."""
        ...


def get_language(code: str, **settings: Any) -> Language:
    """Return the language of a code with its convention's settings.

    Raises:
        UsageError: there is no such language, or it does not know a setting.
    """
    known = known_settings(code)
    for name in settings:
        if name not in known:
            raise UsageError(f"the language '{code}' has no setting '{name}'; it has {', '.join(known)}")
    language: Language = _module(code, "language").make(**settings)
    return language


def known_settings(code: str) -> tuple[str, ...]:
    """Return the names of the settings that a language takes.

    Raises:
        UsageError: there is no such language.
    """
    return tuple(signature(_module(code, "language").make).parameters)


def _module(code: str, name: str) -> Any:
    if not code.isidentifier() or not find_spec(f"rewriter.{code}") or not find_spec(f"rewriter.{code}.{name}"):
        raise UsageError(f"there is no language '{code}'")
    return import_module(f"rewriter.{code}.{name}")


def get_tokenizer(code: str) -> Callable[[str], list[Token]]:
    """Return the function that cuts a text of a language into tokens, as the encoder reads them.

    Raises:
        UsageError: there is no such language.
    """
    tokenize: Callable[[str], list[Token]] = _module(code, "tokens").tokenize
    return tokenize
