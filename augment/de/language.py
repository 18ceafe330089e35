"""The German augmentation rules behind the language interface."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property

import numpy as np

from augment.de.pair_form import pair_form
from augment.languages import RuleResult, RulesWithoutParser
from rewriter.de.language import German as Grammar
from rewriter.de.language import make as make_grammar


def make() -> German:
    """Return the German rules under the default convention."""
    return German()


class German(RulesWithoutParser):
    """German: the gender star, from text that is gender-fair already; all other labels are read (``augment gold``)."""

    code = "de"

    @cached_property
    def _grammar(self) -> Grammar:
        return make_grammar()

    @property
    def unparsed(self) -> Mapping[str, Callable[[str, np.random.Generator], Sequence[RuleResult]]]:
        """Strategies that need no parser."""
        return {"pair-form": lambda text, _: pair_form(text)}

    def candidates(self, text: str, strategy: str) -> bool:
        """Return True if ``text`` may hold a person."""
        return self._grammar.gate(text)
