"""The small interface behind which the augmentation rules of each language live (folder ``augment/<code>/``)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from augment.dependency import Parse
from rewriter.errors import UsageError
from rewriter.language.complete import Defaults, complete
from rewriter.language.interface import find_module
from rewriter.records import Edit, Pair

__all__ = ["AugmentLanguage", "NoOptions", "RuleResult", "RulesWithoutParser", "get"]


@dataclass(frozen=True)
class RuleResult:
    """What a strategy made of one parsed text.

    Attributes:
        source: the gendered text.
        target: the gender-fair text.
        form: form of the source, one of ``rewriter.records.FORMS``.
        edits: what turns ``source`` into ``target``; ``reason`` of an edit is the name of its rule.
        doubtful: spans of ``source`` whose treatment rests on weak evidence.
        statistics: how often each rule fired.
        dropped: why the pair must not be used; empty for a good one.
    """

    source: str
    target: str
    form: str
    edits: tuple[Edit, ...] = ()
    doubtful: tuple[tuple[int, int], ...] = ()
    statistics: Counter[str] = field(default_factory=Counter)
    dropped: str = ""


class AugmentLanguage(Protocol):
    """What the augmentation commands need to know about a language; they use no other part of the object.

    Members with a default in :data:`DEFAULTS` may be left out.
    """

    code: str
    #: raised by hand when the same pairs give other variations; None where there are none
    variations_version: int | None
    #: dataclass of the options of :meth:`backward`
    BackwardOptions: type[Any]
    #: strategies of this language that need no parser: name -> results of a sentence
    unparsed: Mapping[str, Callable[[str, np.random.Generator], Sequence[RuleResult]]]
    #: strategies of this language that read a parse: name -> results of it (True: it is a treebank's)
    parsed: Mapping[str, Callable[[Parse, bool], Sequence[RuleResult]]]

    def forward(self, parse: Parse) -> RuleResult:
        """Rewrite a gendered text fairly by rules over its parse."""
        ...

    def backward(self, parse: Parse, options: Any, rng: np.random.Generator) -> Sequence[RuleResult]:
        """Rewrite a fair text into gendered ones."""
        ...

    def look_alike(self, text: str, rng: np.random.Generator) -> RuleResult:
        """Put a word that must stay, but looks like one that changes, into a text without gendered words."""
        ...

    def vary(self, pair: Pair, rng: np.random.Generator) -> Pair | None:
        """Make a pair with a rarer construction from a common one, or None where none fits."""
        ...

    def join(self, pairs: Iterable[Pair], rng: np.random.Generator) -> Iterator[Pair]:
        """Make one sentence of two short ones, so that a word stands far from what it depends on."""
        ...

    def candidates(self, text: str, strategy: str) -> bool:
        """Return True, at little cost, if ``text`` may give a pair for ``strategy`` (``forward``, ``backward`` ...)."""
        ...


#: what rules have that leave a member of :class:`AugmentLanguage` out
DEFAULTS: Defaults = {"variations_version": lambda rules: None}


@dataclass(frozen=True)
class NoOptions:
    """The options of a strategy that has none."""


class RulesWithoutParser:
    """What the rules of a language begin with that has none over a parse: a subclass adds strategies to ``unparsed``.

    Attributes:
        code: of the language.
        unparsed: see :class:`AugmentLanguage`.
        parsed: see :class:`AugmentLanguage`.
    """

    code: str
    BackwardOptions: type[Any] = NoOptions
    variations_version: int | None = None

    @property
    def unparsed(self) -> Mapping[str, Callable[[str, np.random.Generator], Sequence[RuleResult]]]:
        """Strategies that need no parser."""
        return {}

    @property
    def parsed(self) -> Mapping[str, Callable[[Parse, bool], Sequence[RuleResult]]]:
        """Strategies that read a parse."""
        return {}

    def forward(self, parse: Parse) -> RuleResult:
        """Say that there are no forward rules.

        Raises:
            UsageError: always.
        """
        raise self._missing("forward")

    def backward(self, parse: Parse, options: Any, rng: np.random.Generator) -> Sequence[RuleResult]:
        """Say that there are no backward rules.

        Raises:
            UsageError: always.
        """
        raise self._missing("backward")

    def look_alike(self, text: str, rng: np.random.Generator) -> RuleResult:
        """Say that there are no look-alikes.

        Raises:
            UsageError: always.
        """
        raise self._missing("look-alike")

    def vary(self, pair: Pair, rng: np.random.Generator) -> Pair | None:
        """Return None: pairs have no variations."""
        return None

    def join(self, pairs: Iterable[Pair], rng: np.random.Generator) -> Iterator[Pair]:
        """Return nothing: sentences are not joined."""
        return iter(())

    def _missing(self, strategy: str) -> UsageError:
        known = ", ".join([*self.unparsed, *self.parsed]) or "none"
        return UsageError(f"the language '{self.code}' has no strategy '{strategy}'; it has {known}")


def get(code: str) -> AugmentLanguage:
    """Return the augmentation rules of a language.

    Raises:
        UsageError: there are none for this code.
    """
    module = find_module("augment", code, "language")
    if module is None:
        raise UsageError(
            f"there are no augmentation rules for the language '{code}'; "
            "docs/extend/add-a-language.md tells how to add them"
        )
    language: AugmentLanguage = complete(module.make(), DEFAULTS)
    return language
