"""A language that has no rules here: a model's answers are all that is known of it.

For sequence-to-sequence models of round trips (Amrhein et al. 2023, section 4), which need no rules to be trained.
There is nothing by which the strict guard could tell what may change, so such a model is used with the guard
``learned``, ``covered`` or ``off``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rewriter.language.candidates import Analysis
from rewriter.language.interface import Language, completed
from rewriter.language.tokens import plain_tokens
from rewriter.records import Edit
from rewriter.text.plain_segmenter import segment


def without_rules(code: str) -> Language:
    """Return the language of a code as far as every language is one."""
    return completed(_WithoutRules(code))


class _WithoutRules:
    """No candidates, so nothing to settle; every sentence is the model's."""

    outcomes = ("keep",)

    def __init__(self, code: str) -> None:
        self.code = code

    def segment(self, text: str) -> list[tuple[int, int]]:
        return segment(text)

    def gate(self, text: str) -> bool:
        return True

    def analyze(
        self,
        text: str,
        protected: Sequence[tuple[int, int]] = (),
        *,
        training: bool = False,
        before: Sequence[str] = (),
    ) -> Analysis:
        return Analysis(plain_tokens(text), [])

    def settle(
        self, text: str, analysis: Analysis, options: Sequence[int], scores: Sequence[float], probabilities: Any = None
    ) -> list[Edit]:
        return []
