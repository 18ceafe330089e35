"""Swapping genders: what the grammar settles takes the other gender; *la* at the beginning is a pronoun."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from augment.swap.settings import Plan, SwapSettings
from rewriter.language.interface import get_language
from rewriter.language.tokens import shape_of
from rewriter.records import Edit


def make(settings: SwapSettings) -> ToySwap:
    """Return the rules under some settings."""
    return ToySwap(settings)


class ToySwap:
    """Swaps toy words; names have no gender."""

    #: no model is needed
    asks = False

    def __init__(self, settings: SwapSettings) -> None:
        self.language: Any = cast(Any, get_language("toy"))
        self.gate_words = self.language.gate_words
        self.gate = self.language.gate
        forms = {gender: self.language.forms(gender) for gender in ("masculine", "feminine")}
        #: word of one gender -> that of the other, where the direction asks for it
        self._other = {
            word: form for gender in settings.targets for word, form in forms[gender].items() if word != form
        }

    def plan(self, text: str, protected: Sequence[tuple[int, int]]) -> Plan:
        """Return the edits of a text."""
        plan = Plan()
        for candidate in self.language.analyze(text, protected).candidates:
            before = text[candidate.start : candidate.end]
            if before.lower() == "la" and text[: candidate.start].strip():
                continue  # probably "there"
            after = self._other.get(before.lower(), before.lower())
            if after != before.lower():
                after = (after, after.capitalize(), after.upper())[shape_of(before)]
                edit = Edit(candidate.start, candidate.end, before, after, candidate.kind, f"{before} -> {after}")
                plan.edits.append(edit)
        return plan
