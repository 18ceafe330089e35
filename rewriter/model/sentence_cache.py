"""Remembered answers for sentences that come again (boilerplate, dialogue, duplicates), in bounded memory."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence

from rewriter.model.proposer import Proposal, Sentence


class SentenceCache:
    """Proposals by sentence, in two generations: when the young one is full it becomes the old one, which is dropped.

    So at most ``size`` sentences are held, those asked for lately among them, without a list of ages. Thread-safe.

    Attributes:
        asked: sentences looked up.
        hits: sentences found.
    """

    def __init__(self, size: int) -> None:
        self._half = max(1, size // 2)
        self._young: dict[Sentence, Proposal] = {}
        self._old: dict[Sentence, Proposal] = {}
        self._lock = threading.Lock()
        self.asked = self.hits = 0

    def __len__(self) -> int:
        return len(self._young) + len(self._old)

    def find(self, sentences: Iterable[Sentence]) -> dict[Sentence, Proposal]:
        """Return the proposals of those sentences that are remembered."""
        found: dict[Sentence, Proposal] = {}
        with self._lock:
            for sentence in sentences:
                self.asked += 1
                proposal = self._young.get(sentence)
                if proposal is None and (proposal := self._old.get(sentence)) is not None:
                    self._add(sentence, proposal)
                if proposal is not None:
                    found[sentence] = proposal
            self.hits += len(found)
        return found

    def store(self, sentences: Sequence[Sentence], proposals: Sequence[Proposal]) -> None:
        """Remember the proposals of sentences."""
        with self._lock:
            for sentence, proposal in zip(sentences, proposals, strict=True):
                self._add(sentence, proposal)

    def clear(self) -> None:
        """Forget everything, the counts too."""
        with self._lock:
            self._young, self._old = {}, {}
            self.asked = self.hits = 0

    def _add(self, sentence: Sentence, proposal: Proposal) -> None:
        if len(self._young) >= self._half and sentence not in self._young:
            self._old, self._young = self._young, {}
        self._young[sentence] = proposal
