"""The English augmentation rules behind the language interface."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import Any

import numpy as np

from augment.dependency import Parse
from augment.en.backward import BackwardOptions, backward, fair_words
from augment.en.forward import forward
from augment.en.lookalikes import is_candidate, look_alike
from augment.en.stand_ins import has_stand_ins, stand_ins
from augment.en.variations import join, vary
from augment.languages import RuleResult
from rewriter.en.lexicon import EnglishLexicon
from rewriter.errors import UsageError
from rewriter.language.interface import Language, get_language
from rewriter.records import Pair

STRATEGIES = ("forward", "backward", "look-alike", "stand-in")


def make() -> English:
    """Return the English rules under the default convention."""
    return English()


class English:
    """English: singular *they*, forward and backward."""

    code = "en"
    #: raise by hand when the same pairs give other variations
    variations_version: int | None = 2
    BackwardOptions = BackwardOptions
    parsed: Mapping[str, Callable[[Parse, bool], Sequence[RuleResult]]] = MappingProxyType({})

    @cached_property
    def unparsed(self) -> Mapping[str, Callable[[str, np.random.Generator], Sequence[RuleResult]]]:
        """Strategies that need no parser."""
        return {"stand-in": lambda text, rng: stand_ins(text, self._language, rng)}

    @cached_property
    def _lexicon(self) -> EnglishLexicon:
        return EnglishLexicon.load()

    @cached_property
    def _language(self) -> Language:
        return get_language("en")

    @cached_property
    def _fair(self) -> re.Pattern[str]:
        return re.compile(rf"\b(?:{'|'.join(fair_words())})\b", re.IGNORECASE)

    def forward(self, parse: Parse) -> RuleResult:
        """Rewrite a gendered text fairly; see :func:`augment.en.forward.forward`."""
        return forward(parse, self._lexicon)

    def backward(self, parse: Parse, options: Any, rng: np.random.Generator) -> Sequence[RuleResult]:
        """Rewrite a fair text into gendered ones; see :func:`augment.en.backward.backward`."""
        return backward(parse, options, rng)

    def look_alike(self, text: str, rng: np.random.Generator) -> RuleResult:
        """Put a look-alike into a text; see :func:`augment.en.lookalikes.look_alike`."""
        return look_alike(text, rng)

    def vary(self, pair: Pair, rng: np.random.Generator) -> Pair | None:
        """Make a rarer construction from a pair; see :func:`augment.en.variations.vary`."""
        return vary(pair, rng)

    def join(self, pairs: Iterable[Pair], rng: np.random.Generator) -> Iterator[Pair]:
        """Make one sentence of two short ones; see :func:`augment.en.variations.join`."""
        return join(pairs, rng)

    def candidates(self, text: str, strategy: str) -> bool:
        """Return True if ``text`` holds gendered words (``forward``), or fair ones and no gendered ones (``backward``).

        For ``look-alike``: neither of them, but a word in whose place a look-alike fits; for ``stand-in``: a word in
        whose place an ambiguous one can stand.

        Raises:
            UsageError: the strategy is unknown.
        """
        if strategy not in STRATEGIES:
            raise UsageError(f"unknown strategy '{strategy}'; known: {', '.join(STRATEGIES)}")
        if strategy == "stand-in":
            return has_stand_ins(text)
        gendered = self._language.gate(text)
        if strategy == "forward":
            return gendered
        if gendered or (self._fair.search(text) is not None) != (strategy == "backward"):
            return False
        return strategy == "backward" or is_candidate(text)
