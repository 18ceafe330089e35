"""Rewriters that fail on marked texts, wherever they are loaded: in this process, in others, in an actor of Ray."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rewriter import Rewriter
from rewriter.corpus import RewriterSpec
from rewriter.model.proposer import Proposal, Proposer, Sentence

TINY = Path(__file__).resolve().parents[1] / "data" / "models" / "tiny-edits"
#: texts that hold these make the proposer, and the cutting into sentences, fail
IN_PROPOSING, IN_CUTTING = "Kaboom", "Splat"


class PlantedError(Exception):
    """What the planted faults raise."""


class BreakingProposer:
    """A proposer that fails on marked sentences."""

    def __init__(self, proposer: Proposer) -> None:
        self._proposer = proposer

    def propose(self, sentences: Sequence[Sentence]) -> list[Proposal]:
        if any(IN_PROPOSING in sentence.text for sentence in sentences):
            raise PlantedError("planted in the proposer")
        return self._proposer.propose(sentences)


class BreakingLanguage:
    """A language that cannot cut marked texts into sentences."""

    def __init__(self, language: Any) -> None:
        self._language = language

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self._language, name)

    def segment(self, text: str) -> list[tuple[int, int]]:
        if IN_CUTTING in text:
            raise PlantedError("planted in the segmenter")
        found: list[tuple[int, int]] = self._language.segment(text)
        return found

    units = segment


def broken(rewriter: Rewriter) -> Rewriter:
    """Return the rewriter, which fails on marked texts from now on."""
    inner: Any = rewriter
    inner._proposer = BreakingProposer(inner._proposer)
    inner.language = BreakingLanguage(inner.language)
    return rewriter


@dataclass(frozen=True)
class BreakingSpec(RewriterSpec):
    """Loads a rewriter that fails on marked texts."""

    def load(self, *, threads: int | None = None) -> Rewriter:
        return broken(super().load(threads=threads))
