"""Rewritten sentences that could be read in two ways, as a language's rules tell (*they*: one or several)."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from rewriter.language.interface import Language
from rewriter.policy.scope import control_rules
from rewriter.records import Edit
from rewriter.text.offsets import moved


class Flag(NamedTuple):
    """A sentence that could be read in two ways when it is rewritten.

    Attributes:
        start: offset of the sentence in its text.
        end: offset behind it.
        reason: why.
    """

    start: int
    end: int
    reason: str


def flag_ambiguous(text: str, edits: Sequence[Edit], language: Language) -> list[Flag]:
    """Return the rewritten sentences of a text that could be read in two ways.

    Args:
        text: the source.
        edits: that were made, offsets in the text.
        language: cuts the text into sentences, names the rules.

    Raises:
        UsageError: the language has no rules of control.
    """
    flags: list[Flag] = []
    spans = language.segment(text) if edits else []
    for index, group in by_sentence(spans, edits).items():
        start, end = spans[index]
        before = text[slice(*spans[index - 1])] if index else ""
        own = [moved(edit, -start) for edit in group]
        reason = control_rules(language.code).ambiguous(text[start:end], own, before)
        if reason:
            flags.append(Flag(start, end, reason))
    return flags


def by_sentence(spans: Sequence[tuple[int, int]], edits: Sequence[Edit]) -> dict[int, list[Edit]]:
    """Return the edits by index of their sentence."""
    groups: dict[int, list[Edit]] = {}
    for edit in edits:
        index = max(0, bisect_right(spans, edit.start, key=lambda span: span[0]) - 1)
        groups.setdefault(index, []).append(edit)
    return groups
