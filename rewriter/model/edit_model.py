"""The edit model: an encoder reads a sentence, a small head decides each open candidate. Copying is exact.

Needs CTranslate2, SentencePiece and numpy only. The directory holds a CTranslate2 encoder, ``pieces.model`` and
``head.json`` (a linear layer from the encoding of a candidate's first piece to the outcomes of its language).
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from copy import copy
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from rewriter.errors import ModelError, UsageError
from rewriter.language.candidates import Analysis, Candidate
from rewriter.language.interface import Language, get_language
from rewriter.language.respelt import Respelt
from rewriter.language.rules import Rules, Spoken, TracedRules
from rewriter.language.tokens import Token
from rewriter.model.ctranslate import compute_type, load_ctranslate2
from rewriter.model.directory import load_info, resolve
from rewriter.model.guard import check_mode, overruled, refused
from rewriter.model.head import HEAD, load_head
from rewriter.model.piece_table import PieceTable
from rewriter.model.proposer import Proposal, Sentence, analyze
from rewriter.options import MOST_THREADS, at_least, at_most
from rewriter.records import Edit
from rewriter.runs.per_process import PerProcess

#: pieces of a window; the encoder's positions end at 512, training saw little beyond this
WINDOW = 256
#: pieces of what stands before a sentence that a pretrained encoder reads with it
BEFORE = 48
#: pieces by which neighbouring windows of a long sentence overlap
OVERLAP = 96
#: padded pieces of a batch: what a core's caches hold (6,144 take a third more time)
BATCH_PIECES = 1024
GPU_BATCH_PIECES = 32768


@dataclass(slots=True)
class EncodedSentence:
    """Piece ids, case shapes, and for every token the position of its first piece; arrays of length P and T."""

    ids: list[int]
    shapes: list[int]
    first: list[int]


def encode_sentence(sentence: Sentence, tokens: Sequence[Token], table: PieceTable) -> EncodedSentence:
    """Return the encoder's input for a sentence, between begin and end marks.

    An encoder with a cased vocabulary, which was pretrained on running text, reads the end of what stands before the
    sentence, too (at most :data:`BEFORE` pieces): what a pronoun means often stands there.
    """
    ids, shapes, first = [table.begin], [0], []
    if table.cased and sentence.before:
        ids.extend(_pieces_before(sentence.before, table))
        ids.append(table.end)
        shapes.extend([0] * (len(ids) - 1))
    for token in tokens:
        first.append(len(ids))
        pieces = table.encode(sentence.text, token)
        ids.extend(pieces)
        shapes.extend([table.shape(token)] * len(pieces))
    ids.append(table.end)
    shapes.append(0)
    return EncodedSentence(ids, shapes, first)


def _pieces_before(before: Sequence[str], table: PieceTable) -> list[int]:
    """Return the last pieces of the sentences before one."""
    text = unicodedata.normalize("NFKC", " ".join(before)[-8 * BEFORE :])
    return [piece for word in text.split() for piece in table.pieces(f" {word}")][-BEFORE:]


@dataclass(frozen=True, slots=True)
class Reading:
    """How a model read a sentence, before and after the rules.

    Attributes:
        analysis: the candidates of the sentence.
        shares: candidate that the model decides (index in the analysis) -> probability of each of its options among
            them, in their order.
        edits: what came out when the rules had made the choices agree.
        spoken: the rules that spoke, where that was asked for.
    """

    analysis: Analysis
    shares: dict[int, list[float]]
    edits: list[Edit]
    spoken: tuple[Spoken, ...] = ()


@dataclass(slots=True)
class _Window:
    """A stretch of one sentence: its pieces and the candidates (index, position within the window) it decides."""

    sentence: int
    ids: list[int]
    shapes: list[int]
    places: list[tuple[int, int]]


@dataclass(slots=True)
class _Started:
    """A part of the sentences whose batches are being computed, or are."""

    sentences: Sequence[Sentence]
    analyses: list[Analysis]
    batches: list[list[_Window]]
    results: Iterable[list[list[float]]] = ()
    #: index of a sentence -> what it is in plain spelling; ``sentences`` holds that
    respelt: dict[int, Respelt] = field(default_factory=dict)


class EditModel:
    """Proposes edits by deciding candidates (see :class:`rewriter.model.proposer.Proposer`).

    Behind the guard (``strict``, see :mod:`rewriter.model.guard`) the outcomes are in the grammar by construction: what
    the grammar settles is not asked, and verbs and clitics follow their pronouns. With the guard off the model decides
    every candidate by itself, within code and addresses too, and nothing is made to agree.

    Attributes:
        language: names the candidates and makes the choices agree.
    """

    def __init__(
        self,
        encoder: Any,
        table: PieceTable,
        head: tuple[Any, Any],
        language: Language,
        threads: int,
        *,
        guard: str = "strict",
    ) -> None:
        self._encoder: PerProcess[Any] = PerProcess.of(encoder)
        self._table, self.language = table, language
        self._weight, self._bias = head
        self._threads, self._guard = threads, check_mode(guard)
        on_gpu = getattr(self._encoder.get(), "device", "cpu") == "cuda"
        self._batch_pieces = GPU_BATCH_PIECES if on_gpu else BATCH_PIECES

    @classmethod
    def load(
        cls, folder: Path, language: Language, *, device: str = "cpu", threads: int = 0, guard: str = "strict"
    ) -> EditModel:
        """Load an exported edit model.

        Args:
            folder: the model directory.
            language: names the outcomes, which must be those of the head.
            device: ``cpu`` or ``cuda``.
            threads: parallel batches (0: one per core, at most 4).
            guard: mode of the guard, one of :data:`rewriter.model.guard.MODES`.

        Raises:
            ModelError: the head does not fit the language, or a file is damaged.
            UsageError: an unknown mode.
        """
        import os

        threads = threads or min(4, os.cpu_count() or 1)
        at_least(0, threads=threads)
        at_most(MOST_THREADS, threads=threads)
        head = load_head(folder / HEAD, language)
        encoder = PerProcess(partial(_load_encoder, folder, device, threads))
        encoder.get()
        table = PieceTable.load(folder / "pieces.model")
        _check_fit(folder, encoder.get(), table, head[0].shape[1])
        return cls(encoder, table, head, language, threads, guard=guard)

    def with_rules(self, rules: Rules) -> EditModel:
        """Return a model that shares the network and whose language asks other rules.

        Args:
            rules: that are asked.
        """
        other = copy(self)
        other.language = self.language.with_rules(rules)
        return other

    def with_encoder(self, wrapped: Callable[[Any], Any]) -> EditModel:
        """Return a model of another encoder: what ``wrapped`` makes of this one's."""
        other = copy(self)
        other._encoder = PerProcess.of(wrapped(self._encoder.get()))
        return other

    def propose(self, sentences: Sequence[Sentence]) -> list[Proposal]:
        """Return one proposal per sentence; only sentences with open candidates reach the encoder."""
        return next(iter(self.propose_parts([sentences])))

    def propose_parts(self, parts: Iterable[Sequence[Sentence]]) -> Iterator[list[Proposal]]:
        """Yield the proposals of each part; with several threads the next part is analysed while this one computes."""
        if self._guard != "report":
            yield from self._run(parts, strict=self._guard == "strict")
            return
        for part in parts:
            (strict,), (loose,) = self._run([part], strict=True), self._run([part], strict=False)
            yield [
                Proposal(free.edits, refused(sentence.text, sentence.protected, free.edits, held.edits))
                for sentence, free, held in zip(part, loose, strict, strict=True)
            ]

    def read(self, sentences: Sequence[Sentence]) -> list[Reading]:
        """Return how sure the model is of every candidate that it decides, and what comes out behind the guard."""
        started = self._start(sentences, True)
        started.results = map(self._probabilities, started.batches)
        readings = []
        for index, decided in enumerate(self._decided(started)):
            analysis = started.analyses[index]
            shares = {i: _shares(analysis.candidates[i], row) for i, row in decided.items()}
            edits = self._settled(started.sentences[index].text, analysis, decided).edits
            if index in started.respelt:
                edits = started.respelt[index].edits(edits)
            readings.append(Reading(analysis, shares, edits))
        return readings

    def heard(self, sentence: Sentence) -> tuple[Spoken, ...]:
        """Return which rules of the language speak about which words of a sentence, in the order in which they did."""
        rules = TracedRules(self.language.code, self.language.rules.without)
        self.with_rules(rules).read([sentence])
        return tuple(rules.taken())

    def _run(self, parts: Iterable[Sequence[Sentence]], *, strict: bool) -> Iterator[list[Proposal]]:
        if self._threads == 1:
            for part in parts:
                started = self._start(part, strict)
                started.results = map(self._probabilities, started.batches)
                yield self._finish(started, strict)
            return
        with ThreadPoolExecutor(self._threads) as pool:
            waiting: _Started | None = None
            for part in parts:
                started = self._start(part, strict)
                started.results = pool.map(self._probabilities, started.batches)
                if waiting is not None:
                    yield self._finish(waiting, strict)
                waiting = started
            if waiting is not None:
                yield self._finish(waiting, strict)

    def _start(self, part: Sequence[Sentence], strict: bool) -> _Started:
        """Analyse sentences and form batches; which sentences meet in a batch depends on the part alone."""
        respelt = {i: other for i, s in enumerate(part) if (other := self.language.respelt(s.text)) is not None}
        if respelt:
            part = [_plain(sentence, respelt.get(index)) for index, sentence in enumerate(part)]
        if strict:
            analyses = [analyze(self.language, sentence) for sentence in part]
        else:
            analyses = [self.language.analyze(s.text, training=True) for s in part]
        asked = [[(c, analysis.candidates[c].token) for c in analysis.open] for analysis in analyses]
        windows = self._cut(part, [analysis.tokens for analysis in analyses], asked)
        return _Started(part, analyses, list(_batches(windows, self._batch_pieces)), respelt=respelt)

    def states(
        self, sentences: Sequence[Sentence], tokens: Sequence[Sequence[Token]], asked: Sequence[Sequence[int]]
    ) -> list[npt.NDArray[np.float32]]:
        """Return how the encoder reads some tokens of sentences: for each sentence an array (asked, width).

        Args:
            sentences: any sentences.
            tokens: of each sentence.
            asked: indices of the tokens in question, of each sentence.
        """
        windows = self._cut(sentences, tokens, [list(enumerate(places)) for places in asked])
        found = [np.zeros((len(places), self._weight.shape[1]), np.float32) for places in asked]
        batches = list(_batches(windows, self._batch_pieces))
        for batch, rows in zip(batches, self._each(self._encoded, batches), strict=True):
            places = ((window.sentence, number) for window in batch for number, _ in window.places)
            for (sentence, number), row in zip(places, rows, strict=True):
                found[sentence][number] = row
        return found

    def outcomes(self, states: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        """Return the log-odds of each outcome for rows of :meth:`states`."""
        found: npt.NDArray[np.float32] = states @ self._weight.T + self._bias
        return found

    def _each(self, work: Callable[[list[_Window]], Any], batches: list[list[_Window]]) -> Iterable[Any]:
        if self._threads == 1 or len(batches) == 1:
            return map(work, batches)
        with ThreadPoolExecutor(self._threads) as pool:
            return list(pool.map(work, batches))

    def _cut(
        self,
        sentences: Sequence[Sentence],
        tokens: Sequence[Sequence[Token]],
        asked: Sequence[Sequence[tuple[int, int]]],
    ) -> list[_Window]:
        """Return the windows of the sentences of which something is asked, sorted by length."""
        several = zip(sentences, tokens, asked, strict=True)
        windows = [w for i, (s, t, places) in enumerate(several) if places for w in self._windows(i, s, t, places)]
        windows.sort(key=lambda window: len(window.ids))
        return windows

    def _finish(self, started: _Started, strict: bool) -> list[Proposal]:
        proposal = self._settled if strict else self._unsettled
        proposals = [
            proposal(sentence.text, analysis, decided)
            for sentence, analysis, decided in zip(
                started.sentences, started.analyses, self._decided(started), strict=True
            )
        ]
        for index, other in started.respelt.items():
            proposals[index] = Proposal(other.edits(proposals[index].edits), proposals[index].rejected)
        return proposals

    @staticmethod
    def _decided(started: _Started) -> list[dict[int, list[float]]]:
        """Return of each sentence the probabilities of the outcomes for every candidate that the model decides."""
        decided: list[dict[int, list[float]]] = [{} for _ in started.sentences]
        for batch, result in zip(started.batches, started.results, strict=True):
            rows = iter(result)
            for window in batch:
                for candidate, _ in window.places:
                    decided[window.sentence][candidate] = next(rows)
        return decided

    def _settled(self, text: str, analysis: Analysis, decided: dict[int, list[float]]) -> Proposal:
        options: list[int] = []
        scores: list[float] = []
        chosen: list[tuple[Candidate, int]] = []
        for index, candidate in enumerate(analysis.candidates):
            if candidate.forced is not None or index not in decided:
                outcomes = [outcome for outcome, _ in candidate.options]
                options.append(outcomes.index(candidate.forced) if candidate.forced is not None else 0)
                scores.append(1.0)
                continue
            option, score = _likeliest(candidate, decided[index])
            options.append(option)
            scores.append(score)
            if option:
                chosen.append((candidate, option))
        probabilities = [decided.get(index) for index in range(len(options))]
        edits = self.language.settle(text, analysis, options, scores, probabilities)
        return Proposal(edits, overruled(text, chosen, edits) if chosen else [])

    @staticmethod
    def _unsettled(text: str, analysis: Analysis, decided: dict[int, list[float]]) -> Proposal:
        edits = []
        for index, row in sorted(decided.items()):
            candidate = analysis.candidates[index]
            option, score = _likeliest(candidate, row)
            before, after = text[candidate.start : candidate.end], candidate.options[option][1]
            if before != after:
                reason = f"{before} -> {after}"
                edits.append(Edit(candidate.start, candidate.end, before, after, candidate.kind, reason, score))
        return Proposal(edits)

    def _windows(
        self, index: int, sentence: Sentence, tokens: Sequence[Token], asked: Sequence[tuple[int, int]]
    ) -> Iterator[_Window]:
        encoded = encode_sentence(sentence, tokens, self._table)
        places = [(i, encoded.first[token]) for i, token in asked]
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

    def _encoded(self, windows: list[_Window]) -> npt.NDArray[np.float32]:
        """Return how the encoder reads every place, in order."""
        output = self._encoder.get().forward_batch([w.ids for w in windows], token_type_ids=[w.shapes for w in windows])
        hidden = np.array(output.last_hidden_state)
        rows = [row for row, window in enumerate(windows) for _ in window.places]
        columns = [place for window in windows for _, place in window.places]
        states: npt.NDArray[np.float32] = hidden[rows, columns]
        return states

    def _probabilities(self, windows: list[_Window]) -> list[list[float]]:
        """Return the probabilities of the outcomes for every place in order."""
        logits = self.outcomes(self._encoded(windows))
        logits -= logits.max(axis=1, keepdims=True)
        exponential = np.exp(logits)
        rows_of_outcomes: list[list[float]] = (exponential / exponential.sum(axis=1, keepdims=True)).tolist()
        return rows_of_outcomes


def _plain(sentence: Sentence, respelt: Respelt | None) -> Sentence:
    """Return a sentence in plain spelling."""
    if respelt is None:
        return sentence
    return Sentence(respelt.text, respelt.protected(sentence.protected), sentence.before)


def load_edit_model(name_or_dir: str | Path, *, threads: int = 0) -> EditModel:
    """Return an edit model whose language has the settings under which the model was trained.

    Args:
        name_or_dir: name of a bundled model, or a model directory.
        threads: parallel batches (0: one per core, at most 4).

    Raises:
        ModelError: there is none.
        UsageError: it is no edit model, so that it decides no candidates.
    """
    folder = resolve(name_or_dir)
    info = load_info(folder)
    if info.target != "edits":
        raise UsageError(f"{name_or_dir}: an edit model is needed here, not one of target '{info.target}'")
    return EditModel.load(folder, get_language(info.lang, **info.settings.get("language", {})), threads=threads)


def _load_encoder(folder: Path, device: str, threads: int) -> Any:
    try:
        library, computed = load_ctranslate2(), compute_type(device)
        options = {"device": device, "compute_type": computed, "inter_threads": threads, "intra_threads": 1}
        return library.Encoder(str(folder), **options)
    except (RuntimeError, ValueError) as error:
        raise ModelError(f"{folder}: cannot be loaded by CTranslate2 ({error})") from None


def _check_fit(folder: Path, encoder: Any, table: PieceTable, width: int) -> None:
    """Let the encoder read its first and last piece.

    Raises:
        ModelError: it knows fewer pieces than the vocabulary has, or its width is not that of the head.
    """
    try:
        output = encoder.forward_batch([[table.begin, table.size - 1]], token_type_ids=[[0, 0]])
    except (RuntimeError, ValueError, IndexError) as error:
        raise ModelError(f"{folder}: the network does not fit the vocabulary ({error})") from None
    hidden = np.array(output.last_hidden_state)
    if hidden.shape[-1] != width:
        raise ModelError(f"{folder}: the head reads {width} numbers, the network gives {hidden.shape[-1]}")
    if not np.isfinite(hidden).all():
        raise ModelError(f"{folder}: the network gives numbers that are not finite; export it again")


def _likeliest(candidate: Candidate, row: list[float]) -> tuple[int, float]:
    """Return the likeliest option of a candidate and its share among the candidate's options."""
    allowed = _allowed(candidate, row)
    best = max(allowed)
    return allowed.index(best), round(best / sum(allowed), 4)


def _shares(candidate: Candidate, row: list[float]) -> list[float]:
    allowed = _allowed(candidate, row)
    return [weight / sum(allowed) for weight in allowed]


def _allowed(candidate: Candidate, row: list[float]) -> list[float]:
    """Return the probabilities of a candidate's options, with what it leans to."""
    allowed = [row[outcome] for outcome, _ in candidate.options]
    if candidate.lean:
        allowed[-1] *= math.exp(candidate.lean)
    return allowed


def _batches(windows: list[_Window], size: int) -> Iterator[list[_Window]]:
    """Cut windows, sorted by length, into batches of about ``size`` padded pieces."""
    batch: list[_Window] = []
    for window in windows:
        if batch and (len(batch) + 1) * len(window.ids) > size:
            yield batch
            batch = []
        batch.append(window)
    if batch:
        yield batch
