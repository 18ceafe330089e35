"""The small interface behind which each language lives; a language is a folder ``rewriter/<code>/``.

A language that another installed package brings is found the same way, see :mod:`lexicons.languages`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from inspect import signature
from typing import Any, Protocol

from lexicons.languages import LanguageError, codes, module_name
from rewriter.errors import UsageError
from rewriter.language.candidates import Analysis
from rewriter.language.tokens import Token
from rewriter.records import Edit
from rewriter.registry import did_you_mean


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


@dataclass(frozen=True)
class Profile:
    """What is to be said about a language beside its grammar; its module ``language.py`` has it as ``PROFILE``.

    Attributes:
        convention: name of its convention, ``en-singular-they``.
        convention_version: raised when the convention asks for other text.
        names: what a column may call the language (lower case), ``en``, ``eng``, ``english``.
        kinds: kinds of edit that the policy does not know yet (:data:`rewriter.policy.KINDS`).
        example: a sentence for model cards.
        limits: what models of the language are bad at, for model cards.
    """

    convention: str
    convention_version: int = 1
    names: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    example: str = ""
    limits: str = ""


def find_module(part: str, code: str, name: str) -> Any | None:
    """Import a module of a language: ours (``<part>/<code>/<name>.py``), or that of an installed package.

    Args:
        part: package of ours: ``rewriter``, ``eval``, ``augment``.
        code: of the language.
        name: of the module.

    Returns:
        The module, or None where the language has none.

    Raises:
        UsageError: the package that brings the language is broken.
    """
    try:
        found = module_name(part, code, name)
    except LanguageError as error:
        raise UsageError(str(error)) from None
    return import_module(found) if found else None


def known_languages() -> list[str]:
    """Return the codes of all languages that can be rewritten, sorted.

    Raises:
        UsageError: two installed packages bring the same language.
    """
    return languages_with("rewriter", "language")


def languages_with(part: str, name: str) -> list[str]:
    """Return the codes of all languages that have a module, sorted; see :func:`find_module`.

    Raises:
        UsageError: two installed packages bring the same language.
    """
    try:
        return codes(part, f"{name}.py")
    except LanguageError as error:
        raise UsageError(str(error)) from None


def profile(code: str) -> Profile:
    """Return what is to be said about a language; of an unknown one, or one that says nothing, only its code."""
    module = find_module("rewriter", code, "language")
    found: Profile = getattr(module, "PROFILE", Profile(code, names=(code,)))
    return found


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
    module = find_module("rewriter", code, name)
    if module is None:
        known = known_languages()
        if code in known:
            raise UsageError(f"the language '{code}' has no module '{name}'")
        raise UsageError(f"there is no language '{code}'{did_you_mean(code, known)}; there are {', '.join(known)}")
    return module


def get_tokenizer(code: str) -> Callable[[str], list[Token]]:
    """Return the function that cuts a text of a language into tokens, as the encoder reads them.

    Raises:
        UsageError: there is no such language.
    """
    tokenize: Callable[[str], list[Token]] = _module(code, "tokens").tokenize
    return tokenize
