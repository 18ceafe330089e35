"""The interface of everything that proposes edits, and what it is asked about."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from rewriter.records import Edit


class Sentence(NamedTuple):
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


def propose_parts(proposer: Proposer, parts: Iterable[Sequence[Sentence]]) -> Iterator[list[Proposal]]:
    """Yield the proposals of each part of a text's sentences, in order.

    A proposer that has a method ``propose_parts`` of its own prepares the next part while its engine computes.
    """
    own = getattr(proposer, "propose_parts", None)
    return own(parts) if own is not None else map(proposer.propose, parts)
