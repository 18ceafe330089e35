"""The interface of everything that proposes edits, and what it is asked about."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from rewriter.language.candidates import Analysis
from rewriter.language.interface import Language
from rewriter.policy.protect import protected_spans
from rewriter.records import Edit

__all__ = ["Proposal", "Proposer", "Sentence"]


class Sentence(NamedTuple):
    """A sentence of a text.

    Attributes:
        text: the sentence.
        protected: spans (offsets within the sentence) that must stay.
        before: the sentences before it in its text, the last few and only where its language asks for them: they hold
            what its pronouns mean.
    """

    text: str
    protected: tuple[tuple[int, int], ...] = ()
    before: tuple[str, ...] = ()


def single_sentence(text: str, before: str, language: Language) -> Sentence:
    """Return a sentence that is known with the one before it as a rewriter would meet it in its text."""
    asked = (before,) if before and language.reads_before(text) else ()
    return Sentence(text, tuple(protected_spans(text)), asked)


def analyze(language: Language, sentence: Sentence) -> Analysis:
    """Return the analysis of a sentence, by those before it where its language asked for them (``reads_before``)."""
    if not sentence.before:
        return language.analyze(sentence.text, sentence.protected)
    return language.analyze(sentence.text, sentence.protected, before=sentence.before)


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
