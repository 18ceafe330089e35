"""The German augmentation rules behind the language interface."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from augment.de.pair_form import pair_form
from augment.de.plain import plain, reference
from augment.de.reference import contradicted
from augment.de.tree import leaves_open, tree
from augment.dependency import Parse
from augment.languages import RuleResult
from rewriter.de.fair_forms import fair_forms
from rewriter.de.language import German as Grammar
from rewriter.de.language import make as make_grammar
from rewriter.errors import UsageError
from rewriter.records import Pair


def make() -> German:
    """Return the German rules under the default convention."""
    return German()


@dataclass(frozen=True)
class NoOptions:
    """German has no backward strategy by rules, hence no options of it."""


class German:
    """German: the gender star, from what plain text says for certain."""

    code = "de"
    BackwardOptions: type[Any] = NoOptions
    variations_version: int | None = None

    @cached_property
    def _grammar(self) -> Grammar:
        return make_grammar()

    @cached_property
    def unparsed(self) -> Mapping[str, Callable[[str, np.random.Generator], Sequence[RuleResult]]]:
        """Strategies that need no parser."""
        return {
            "plain": lambda text, _: plain(text, self._grammar),
            "reference": lambda text, _: reference(text, self._grammar),
            "pair-form": lambda text, _: self._without_contradictions(pair_form(text)),
        }

    @cached_property
    def in_context(self) -> Mapping[str, Callable[[str, str], Sequence[RuleResult]]]:
        """Strategies of :attr:`unparsed` for which the sentence before tells more (second argument)."""
        return {
            "plain": lambda text, before: plain(text, self._grammar, before),
            "reference": lambda text, before: reference(text, self._grammar, before),
        }

    @cached_property
    def parsed(self) -> Mapping[str, Callable[[Parse, bool], Sequence[RuleResult]]]:
        """Strategies that read a parse."""
        return {"tree": lambda parse, gold: self._without_contradictions(tree(parse, self._grammar, gold=gold))}

    def _without_contradictions(self, results: Iterable[RuleResult]) -> list[RuleResult]:
        """Return results without labels of pronouns that only their writer knew to mean nobody's star."""
        return [replace(r, doubtful=(*r.doubtful, *contradicted(r.source, r.target, self._grammar))) for r in results]

    def forward(self, parse: Parse) -> RuleResult:
        """Say that German has no forward rules over a parse.

        Raises:
            UsageError: always.
        """
        raise UsageError(f"German has no strategy 'forward'; it has {', '.join(self.unparsed)}")

    def backward(self, parse: Parse, options: Any, rng: np.random.Generator) -> Sequence[RuleResult]:
        """Say that German has no backward rules over a parse.

        Raises:
            UsageError: always.
        """
        raise UsageError(f"German has no strategy 'backward'; it has {', '.join(self.unparsed)}")

    def look_alike(self, text: str, rng: np.random.Generator) -> RuleResult:
        """Say that German has no look-alikes to put into a text.

        Raises:
            UsageError: always.
        """
        raise UsageError(f"German has no strategy 'look-alike'; it has {', '.join(self.unparsed)}")

    def vary(self, pair: Pair, rng: np.random.Generator) -> Pair | None:
        """Return None: German pairs have no variations."""
        return None

    def join(self, pairs: Iterable[Pair], rng: np.random.Generator) -> Iterator[Pair]:
        """Return nothing: German sentences are not joined."""
        return iter(())

    def candidates(self, text: str, strategy: str) -> bool:
        """Tell whether ``text`` may hold a person, and suits the strategy.

        For ``plain`` and ``tree`` it holds no gender-fair form; for ``tree`` its forms leave something open.
        """
        if not self._grammar.gate(text):
            return False
        if strategy not in ("plain", "reference", "tree"):
            return True
        if next(fair_forms(text, self._grammar.lexicon), None) is not None:
            return False
        return strategy != "tree" or leaves_open(text, self._grammar)
