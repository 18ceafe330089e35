"""Toy pairs from plain text: *lo* at the beginning is certain, and so is what it makes of the sentence with *la*."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, partial

import numpy as np

from augment.languages import RuleResult, RulesWithoutParser
from rewriter.language.interface import Language, get_language
from rewriter.model.grammar import settled_options
from rewriter.records import Edit, apply_edits


def make() -> ToyRules:
    """Return the rules of the toy language."""
    return ToyRules()


class ToyRules(RulesWithoutParser):
    """One strategy, ``plain``, which needs no parser."""

    code = "toy"

    @cached_property
    def _grammar(self) -> Language:
        return get_language("toy")

    @cached_property
    def unparsed(self) -> Mapping[str, Callable[[str, np.random.Generator], Sequence[RuleResult]]]:
        """Strategies that need no parser."""
        return {"plain": partial(plain, self._grammar)}

    def candidates(self, text: str, strategy: str) -> bool:
        """Tell whether ``text`` begins with *lo* (``plain``); whether it holds anything gendered (all others)."""
        return text.lower().startswith("lo ") if strategy == "plain" else self._grammar.gate(text)


def plain(language: Language, text: str, rng: np.random.Generator) -> list[RuleResult]:
    """Return a sentence that begins with *lo*, masculine and with *la* in its place, with one fair target.

    The subject stands there, so every *la* behind it is *there* and stays: that is what makes both sources certain.
    """
    analysis = language.analyze(text)
    options = settled_options(analysis)
    edits = language.settle(text, analysis, options, [1.0] * len(options))
    target = apply_edits(text, edits)
    twin = f"{text[0]}a{text[2:]}"
    first = edits[0]
    turned = [Edit(first.start, first.end, twin[:2], first.after, first.kind, "twin"), *edits[1:]]
    return [
        RuleResult(text, target, "masculine", tuple(edits)),
        RuleResult(twin, target, "feminine", tuple(turned)),
    ]
