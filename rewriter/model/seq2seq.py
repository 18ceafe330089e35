"""The sequence-to-sequence model: writes the whole sentence anew; its answer is cut into edits that the grammar allows.

Needs CTranslate2 and SentencePiece only. The directory holds a CTranslate2 translation model, ``sentencepiece.model``
and, for the guard ``learned``, ``changes.json`` (:mod:`rewriter.model.learned`).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from rewriter.errors import InputError, ModelError
from rewriter.io.files import read_json
from rewriter.language.candidates import Analysis
from rewriter.language.interface import Language
from rewriter.model.alignment import cut, match_outcomes
from rewriter.model.ctranslate import compute_type, load_ctranslate2
from rewriter.model.guard import LEARNED, UNGUARDED, check_mode, covered, enforce, learned, overruled
from rewriter.model.learned import LearnedChanges
from rewriter.model.piece_table import encodable
from rewriter.model.proposer import Proposal, Sentence
from rewriter.runs.per_process import PerProcess

#: source pieces of a batch: what a core's caches hold; a GPU wants more
BATCH_TOKENS = 1024
GPU_BATCH_TOKENS = 16384
#: source pieces beyond which a sentence is left alone: training saw nothing longer
MAX_PIECES = 512
#: pieces by which an answer may be longer than its sentence
ROOM = 20
#: key of a model's config.json: how many places it can tell apart, sources and answers alike
POSITIONS = "positions"
#: of models whose config.json does not say it: those of BERT's shape, others
_POSITIONS = (512, 1024)


class Answers(Protocol):
    """What answers sentences as a whole."""

    def answer(self, sentences: Sequence[str]) -> list[str]:
        """Return one answer per sentence."""
        ...


class AnswerProposer:
    """Proposes edits by answers (see :class:`rewriter.model.proposer.Proposer`); they go through the guard.

    Args:
        answers: writes every sentence anew.
        language: knows candidates and agreement.
        guard: one of :data:`rewriter.model.guard.MODES`.
        gate: whether sentences without a candidate are left alone instead of being answered too.
        changes: what the model was taught, for the mode ``learned``.
    """

    def __init__(
        self,
        answers: Answers,
        language: Language,
        *,
        guard: str = "strict",
        gate: bool = True,
        changes: LearnedChanges | None = None,
    ) -> None:
        self._answers, self._language, self._changes = answers, language, changes
        self._guard, self._gate = check_mode(guard, changes=changes), gate

    def propose(self, sentences: Sequence[Sentence]) -> list[Proposal]:
        """Return one proposal per sentence: what of its answer the guard lets stand."""
        if self._changes is not None and self._guard == LEARNED:
            answers = self._answers.answer([sentence.text for sentence in sentences])
            pairs = zip(sentences, answers, strict=True)
            return [learned(s.text, s.protected, answer, self._changes) for s, answer in pairs]
        analyses = [self._language.analyze(s.text, s.protected, training=True) for s in sentences]
        every = not self._gate or self._guard != "strict"
        asked = [i for i, analysis in enumerate(analyses) if analysis.candidates or every]
        answers = self._answers.answer([sentences[i].text for i in asked])
        proposals = [Proposal() for _ in sentences]
        for i, answer in zip(asked, answers, strict=True):
            proposals[i] = self._read(sentences[i], answer, analyses[i])
        return proposals

    def _read(self, sentence: Sentence, answer: str, analysis: Analysis) -> Proposal:
        text = sentence.text
        exact = match_outcomes(text, answer, analysis.candidates) if self._guard not in UNGUARDED else None
        if exact is not None:
            settled = self._language.settle(text, analysis, exact, [1.0] * len(exact))
            chosen = [(c, option) for c, option in zip(analysis.candidates, exact, strict=True) if option]
            held = Proposal(settled, overruled(text, chosen, settled))
        else:
            edits = cut(text, answer, analysis.candidates, self._language.tokenize)
            held = Proposal(edits)
            if self._guard == "covered":
                held = covered(text, answer, held)
            elif self._guard != "off":
                held = Proposal(*enforce(text, sentence.protected, edits, self._language, analysis))
        if self._guard == "report":
            return Proposal(cut(text, answer, analysis.candidates, self._language.tokenize), held.rejected)
        return held


class Seq2SeqModel:
    """Proposes edits by translating (see :class:`rewriter.model.proposer.Proposer`)."""

    def __init__(
        self,
        translator: Any,
        pieces: Any,
        language: Language,
        *,
        beam_size: int = 1,
        guard: str = "strict",
        gate: bool = True,
        changes: LearnedChanges | None = None,
        positions: int = 0,
    ) -> None:
        self._translator: PerProcess[Any] = PerProcess.of(translator)
        self._pieces, self._beam_size = pieces, beam_size
        # a vocabulary cut from a pretrained encoder's has the beginning of a sentence, which its sources stand behind
        self._begin = ["<s>"] if pieces.bos_id() >= 0 else []
        self._positions = positions or _POSITIONS[not self._begin]
        self._proposer = AnswerProposer(self, language, guard=guard, gate=gate, changes=changes)
        on_gpu = getattr(self._translator.get(), "device", "cpu") == "cuda"
        self._batch_tokens = GPU_BATCH_TOKENS if on_gpu else BATCH_TOKENS

    @classmethod
    def load(
        cls, folder: Path, language: Language, *, device: str = "cpu", threads: int = 0, **options: Any
    ) -> Seq2SeqModel:
        """Load an exported sequence-to-sequence model.

        Args:
            folder: the model directory.
            language: knows candidates and agreement.
            device: ``cpu`` or ``cuda``.
            threads: batches that run at the same time (0: one per core, at most 4).
            **options: ``beam_size``; ``guard``, one of :data:`rewriter.model.guard.MODES`; ``gate``: whether sentences
                without a candidate are left alone instead of being translated too.

        Raises:
            ModelError: a file is missing or damaged; with the guard ``learned`` also the list of changes.
            UsageError: an unknown mode of the guard.
        """
        import os

        import sentencepiece

        threads = threads or min(4, os.cpu_count() or 1)
        translator = PerProcess(partial(_load_translator, folder, device, threads))
        translator.get()
        try:
            pieces = sentencepiece.SentencePieceProcessor(model_file=str(folder / "sentencepiece.model"))
        except (RuntimeError, ValueError, OSError) as error:
            raise ModelError(f"{folder}: sentencepiece.model cannot be loaded ({error})") from None
        changes = LearnedChanges.load(folder) if options.get("guard") == LEARNED else None
        return cls(translator, pieces, language, changes=changes, positions=_positions(folder), **options)

    def translate(self, sentences: Sequence[str]) -> list[str]:
        """Return the model's own answers, unguarded; a sentence that is too long comes back as it is."""
        pieces = [self._pieces.encode(encodable(text), out_type=str) for text in sentences]
        # a longer one would run out of places, itself or its answer
        most = min(MAX_PIECES, self._positions - ROOM - 1 - len(self._begin))
        short = [i for i, p in enumerate(pieces) if 0 < len(p) <= most]
        answers = list(sentences)
        if not short:
            return answers
        longest = max(len(pieces[i]) for i in short)
        results = self._translator.get().translate_batch(
            [[*self._begin, *pieces[i], "</s>"] for i in short],
            beam_size=self._beam_size,
            max_batch_size=self._batch_tokens,
            batch_type="tokens",
            max_decoding_length=longest + ROOM,
            max_input_length=0,
        )
        for i, result in zip(short, results, strict=True):
            answers[i] = self._pieces.decode(result.hypotheses[0])
        return answers

    def answer(self, sentences: Sequence[str]) -> list[str]:
        """Return what :meth:`translate` does."""
        return self.translate(sentences)

    def propose(self, sentences: Sequence[Sentence]) -> list[Proposal]:
        """Return one proposal per sentence: what of its answer the guard lets stand."""
        return self._proposer.propose(sentences)


def _load_translator(folder: Path, device: str, threads: int) -> Any:
    try:
        library, computed = load_ctranslate2(), compute_type(device)
        options = {"device": device, "compute_type": computed, "inter_threads": threads, "intra_threads": 1}
        return library.Translator(str(folder), **options)
    except (RuntimeError, ValueError, OSError) as error:
        raise ModelError(f"{folder}: cannot be loaded by CTranslate2 ({error})") from None


def _positions(folder: Path) -> int:
    """Return how many places the model says that it can tell apart; 0 where it does not say."""
    path = folder / "config.json"
    try:
        stored = read_json(path) if path.is_file() else {}
    except InputError as error:
        raise ModelError(str(error)) from None
    found = stored.get(POSITIONS) if isinstance(stored, dict) else None
    return found if isinstance(found, int) and found > 2 * ROOM else 0
