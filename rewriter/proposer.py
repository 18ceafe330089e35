"""The interface of everything that proposes edits, and what it is asked about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from rewriter.records import Edit


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a text with the spans (offsets within the sentence) that must stay."""

    text: str
    protected: tuple[tuple[int, int], ...] = ()


@dataclass(slots=True)
class Proposal:
    """What a proposer says about one sentence.

    Attributes:
        edits: with offsets within the sentence, in order.
        rejected: (what was proposed, reason) for everything that the edit grammar did not allow.
    """

    edits: list[Edit] = field(default_factory=list)
    rejected: list[tuple[str, str]] = field(default_factory=list)


class Proposer(Protocol):
    """Sentences in, proposals out, same order and number; safe to call from several threads."""

    def propose(self, sentences: Sequence[Sentence]) -> list[Proposal]:
        """Return one proposal per sentence."""
        ...
