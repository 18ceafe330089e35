"""The small interface behind which each language lives; a language is a folder ``rewriter/<code>/``.

A language that another installed package brings is found the same way, see :mod:`lexicons.languages`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from inspect import signature
from typing import Any, Protocol, cast

from lexicons.languages import LanguageError, codes, module_name
from rewriter.errors import UsageError
from rewriter.language.candidates import Analysis
from rewriter.language.complete import Defaults, complete, never
from rewriter.language.respelt import Respelt
from rewriter.language.rules import Rules
from rewriter.language.tokens import Token, plain_tokens
from rewriter.records import Edit
from rewriter.registry import did_you_mean

__all__ = [
    "Language",
    "Profile",
    "completed",
    "find_module",
    "get_language",
    "get_tokenizer",
    "known_languages",
    "known_settings",
    "languages_with",
    "profile",
]


class Language(Protocol):
    """What the rest of the toolkit needs to know about a language; it uses no other part of the object.

    Members with a default in :data:`DEFAULTS` may be left out, as may the argument ``before`` of :meth:`analyze` where
    ``reads_before`` is.

    Attributes:
        code: of the language.
        outcomes: names of what may become of a candidate; the first keeps it.
        gate_words: words one of which every text holds that :meth:`gate` lets through; None where they cannot be
            listed. With them lines of a corpus are passed over without being decoded.
    """

    code: str
    outcomes: tuple[str, ...]

    @property
    def gate_words(self) -> tuple[str, ...] | None:
        """See the attributes."""
        ...

    def tokenize(self, text: str) -> list[Token]:
        """Return the tokens of a text, as the encoder reads them and as answers of a model are cut."""
        ...

    def segment(self, text: str) -> list[tuple[int, int]]:
        """Return sentence spans (start, end in characters)."""
        ...

    def units(self, text: str) -> list[tuple[int, int]]:
        """Return the spans that are rewritten one by one: sentences, or paragraphs on the way back."""
        ...

    def gate(self, text: str) -> bool:
        """Return True, at little cost, if ``text`` may hold a candidate; never False for one that does."""
        ...

    def reads_before(self, text: str) -> bool:
        """Return True if the analysis of a sentence may depend on the sentences before it."""
        ...

    def respelt(self, text: str) -> Respelt | None:
        """Return a sentence in the spelling that the language reads, None where it is written so already."""
        ...

    def analyze(
        self,
        text: str,
        protected: Sequence[tuple[int, int]] = (),
        *,
        training: bool = False,
        before: Sequence[str] = (),
    ) -> Analysis:
        """Return tokens and candidates of a sentence; ``before`` are the sentences before it, where it reads them."""
        ...

    @property
    def rules(self) -> Rules:
        """The rules that are asked (:mod:`rewriter.language.rules`); a language may have none."""
        ...

    def with_rules(self, rules: Rules) -> Language:
        """Return the same language with other rules."""
        ...

    def settle(
        self, text: str, analysis: Analysis, options: Sequence[int], scores: Sequence[float], probabilities: Any = None
    ) -> list[Edit]:
        """Make the chosen options agree with each other and return the edits."""
        ...


def _as_it_is(text: str) -> None:
    """Return None: a sentence is written as it is read."""


def _unchanged(language: Language, rules: Rules) -> Language:
    """Return a language that has no rules as it is."""
    return language


#: what a language has that leaves a member of :class:`Language` out
DEFAULTS: Defaults = {
    "gate_words": lambda language: None,
    "tokenize": lambda language: _tokenizer_of(language.code) or plain_tokens,
    "units": lambda language: language.segment,
    "reads_before": lambda language: never,
    "respelt": lambda language: _as_it_is,
    "rules": lambda language: Rules(language.code),
    "with_rules": lambda language: partial(_unchanged, language),
}


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
        model_settings: settings (name, value) that every edit model of the language says; one that does not was made by
            an older version, whose candidates were others.
    """

    convention: str
    convention_version: int = 1
    names: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    example: str = ""
    limits: str = ""
    model_settings: tuple[tuple[str, Any], ...] = ()


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
    unknown, module = Profile(code, names=(code,)), find_module("rewriter", code, "language")
    if module is None:
        return unknown
    found: Profile = complete(module, {"PROFILE": lambda module: unknown}).PROFILE
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
    return completed(_module(code, "language").make(**settings))


def completed(language: Any) -> Language:
    """Return the language with the defaults of the members that it leaves out.

    Raises:
        UsageError: one is missing and the object takes no attributes.
    """
    found: Language = complete(language, DEFAULTS)
    return found


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


def _tokenizer_of(code: str) -> Callable[[str], list[Token]] | None:
    module = find_module("rewriter", code, "tokens")
    return None if module is None else cast("Callable[[str], list[Token]]", module.tokenize)


def get_tokenizer(code: str) -> Callable[[str], list[Token]]:
    """Return the function that cuts a text of a language into tokens, as the encoder reads them.

    Raises:
        UsageError: there is no such language.
    """
    tokenize: Callable[[str], list[Token]] = _module(code, "tokens").tokenize
    return tokenize
