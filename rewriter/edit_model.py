"""The edit model: an encoder reads a sentence, a small head decides each open candidate. Copying is exact.

Needs CTranslate2, SentencePiece and numpy only. The directory holds a CTranslate2 encoder, ``pieces.model`` and
``head.json`` (a linear layer from the encoding of a candidate's first piece to the outcomes of its language).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from rewriter.candidates import Analysis
from rewriter.engine import load_ctranslate2
from rewriter.errors import ModelError
from rewriter.files import read_json
from rewriter.languages import Language
from rewriter.piece_table import PieceTable
from rewriter.proposer import Proposal, Sentence

#: pieces of a window; the encoder's positions end at 512, training saw little beyond this
WINDOW = 256
#: pieces by which neighbouring windows of a long sentence overlap
OVERLAP = 96
BATCH_PIECES = 6144


@dataclass(slots=True)
class EncodedSentence:
    """Piece ids, case shapes, and for every token the position of its first piece; arrays of length P and T."""

    ids: list[int]
    shapes: list[int]
    first: list[int]


def encode_sentence(analysis: Analysis, table: PieceTable) -> EncodedSentence:
    """Return the encoder's input for a sentence, between begin and end marks."""
    ids, shapes, first = [table.begin], [0], []
    for token in analysis.tokens:
        first.append(len(ids))
        pieces = table.pieces(token.norm)
        ids.extend(pieces)
        shapes.extend([token.shape] * len(pieces))
    ids.append(table.end)
    shapes.append(0)
    return EncodedSentence(ids, shapes, first)


@dataclass(slots=True)
class _Window:
    """A stretch of one sentence: its pieces and the candidates (index, position within the window) it decides."""

    sentence: int
    ids: list[int]
    shapes: list[int]
    places: list[tuple[int, int]]


class EditModel:
    """Proposes edits by deciding candidates (see :class:`rewriter.proposer.Proposer`)."""

    def __init__(
        self, encoder: Any, table: PieceTable, head: tuple[Any, Any], language: Language, threads: int
    ) -> None:
        self._encoder, self._table, self._language = encoder, table, language
        self._weight, self._bias = head
        self._threads = threads

    @classmethod
    def load(cls, folder: Path, language: Language, *, device: str = "cpu", threads: int = 0) -> EditModel:
        """Load an exported edit model.

        Args:
            folder: the model directory.
            language: names the outcomes, which must be those of the head.
            device: ``cpu`` or ``cuda``.
            threads: parallel batches (0: one per core, at most 4).

        Raises:
            ModelError: the head does not fit the language, or a file is damaged.
        """
        import os

        threads = threads or min(4, os.cpu_count() or 1)
        ctranslate2 = load_ctranslate2()
        head = read_json(folder / "head.json")
        if tuple(head["outcomes"]) != language.outcomes:
            raise ModelError(
                f"{folder}: decides {head['outcomes']}, the language '{language.code}' has {language.outcomes}"
            )
        try:
            encoder = ctranslate2.Encoder(str(folder), device=device, inter_threads=threads, intra_threads=1)
        except (RuntimeError, ValueError) as error:
            raise ModelError(f"{folder}: cannot be loaded by CTranslate2 ({error})") from None
        weight = np.array(head["weight"], dtype=np.float32), np.array(head["bias"], dtype=np.float32)
        return cls(encoder, PieceTable.load(folder / "pieces.model"), weight, language, threads)

    def propose(self, sentences: Sequence[Sentence]) -> list[Proposal]:
        """Return one proposal per sentence; only sentences with open candidates reach the encoder."""
        analyses = [self._language.analyze(s.text, s.protected) for s in sentences]
        decided = self._decide(analyses)
        return [
            Proposal(self._edits(sentence.text, analysis, decided.get(index, {})))
            for index, (sentence, analysis) in enumerate(zip(sentences, analyses, strict=True))
        ]

    def _edits(self, text: str, analysis: Analysis, decided: dict[int, Any]) -> list[Any]:
        options: list[int] = []
        scores: list[float] = []
        probabilities: list[Any] = []
        for index, candidate in enumerate(analysis.candidates):
            outcomes = [outcome for outcome, _ in candidate.options]
            given = decided.get(index)
            if candidate.forced is not None or given is None:
                options.append(outcomes.index(candidate.forced) if candidate.forced is not None else 0)
                scores.append(1.0)
                probabilities.append(None)
                continue
            allowed = given[outcomes]
            best = int(allowed.argmax())
            options.append(best)
            scores.append(round(float(allowed[best] / allowed.sum()), 4))
            probabilities.append(given)
        return self._language.settle(text, analysis, options, scores, probabilities)

    def _decide(self, analyses: Sequence[Analysis]) -> dict[int, dict[int, Any]]:
        """Return sentence -> candidate -> probabilities over outcomes, an array of shape (outcomes,)."""
        windows = [w for i, a in enumerate(analyses) if a.candidates and a.open for w in self._windows(i, a)]
        windows.sort(key=lambda window: len(window.ids))
        decided: dict[int, dict[int, Any]] = {}
        batches = list(_batches(windows))
        if len(batches) > 1 and self._threads > 1:
            with ThreadPoolExecutor(self._threads) as pool:
                results = list(pool.map(self._probabilities, batches))
        else:
            results = [self._probabilities(batch) for batch in batches]
        for batch, result in zip(batches, results, strict=True):
            rows = iter(result)
            for window in batch:
                for candidate, _ in window.places:
                    decided.setdefault(window.sentence, {})[candidate] = next(rows)
        return decided

    def _windows(self, index: int, analysis: Analysis) -> Iterator[_Window]:
        encoded = encode_sentence(analysis, self._table)
        places = [(i, encoded.first[analysis.candidates[i].token]) for i in analysis.open]
        size = len(encoded.ids)
        if size <= WINDOW:
            yield _Window(index, encoded.ids, encoded.shapes, places)
            return
        step = WINDOW - OVERLAP
        for start in range(0, max(1, size - OVERLAP), step):
            end = min(size, start + WINDOW)
            # each candidate belongs to the window that shows it the most context on its poorer side
            low = start + OVERLAP // 2 if start else 0
            high = end - OVERLAP // 2 if end < size else size
            inside = [(i, place - start) for i, place in places if low <= place < high]
            if inside:
                yield _Window(index, encoded.ids[start:end], encoded.shapes[start:end], inside)

    def _probabilities(self, windows: list[_Window]) -> Any:
        """Return an array (places in order, outcomes)."""
        output = self._encoder.forward_batch([w.ids for w in windows], token_type_ids=[w.shapes for w in windows])
        hidden = np.array(output.last_hidden_state)
        rows = [row for row, window in enumerate(windows) for _ in window.places]
        columns = [place for window in windows for _, place in window.places]
        logits = hidden[rows, columns] @ self._weight.T + self._bias
        logits -= logits.max(axis=1, keepdims=True)
        exponential = np.exp(logits)
        return exponential / exponential.sum(axis=1, keepdims=True)


def _batches(windows: list[_Window]) -> Iterator[list[_Window]]:
    """Cut windows, sorted by length, into batches of about :data:`BATCH_PIECES` padded pieces."""
    batch: list[_Window] = []
    for window in windows:
        if batch and (len(batch) + 1) * len(window.ids) > BATCH_PIECES:
            yield batch
            batch = []
        batch.append(window)
    if batch:
        yield batch
