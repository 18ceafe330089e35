"""The sequence-to-sequence model: writes the whole sentence anew; its answer is cut into edits that the grammar allows.

Needs CTranslate2 and SentencePiece only. The directory holds a CTranslate2 translation model and
``sentencepiece.model``.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rewriter.alignment import read_proposal
from rewriter.engine import load_ctranslate2
from rewriter.errors import ModelError
from rewriter.languages import Language
from rewriter.piece_table import encodable
from rewriter.proposer import Proposal, Sentence

BATCH_TOKENS = 4096
#: source pieces beyond which a sentence is left alone: training saw nothing longer
MAX_PIECES = 512


class Seq2SeqModel:
    """Proposes edits by translating (see :class:`rewriter.proposer.Proposer`)."""

    def __init__(self, translator: Any, pieces: Any, language: Language, *, beam_size: int = 1) -> None:
        self._translator, self._pieces, self._language = translator, pieces, language
        self._beam_size = beam_size

    @classmethod
    def load(
        cls, folder: Path, language: Language, *, device: str = "cpu", threads: int = 0, beam_size: int = 1
    ) -> Seq2SeqModel:
        """Load an exported sequence-to-sequence model.

        Raises:
            ModelError: a file is missing or damaged.
        """
        import os

        import sentencepiece

        threads = threads or min(4, os.cpu_count() or 1)
        ctranslate2 = load_ctranslate2()
        try:
            translator = ctranslate2.Translator(str(folder), device=device, inter_threads=threads, intra_threads=1)
            pieces = sentencepiece.SentencePieceProcessor(model_file=str(folder / "sentencepiece.model"))
        except (RuntimeError, ValueError, OSError) as error:
            raise ModelError(f"{folder}: cannot be loaded by CTranslate2 ({error})") from None
        return cls(translator, pieces, language, beam_size=beam_size)

    def translate(self, sentences: Sequence[str]) -> list[str]:
        """Return the model's own answers, unguarded; a sentence that is too long comes back as it is."""
        pieces = [self._pieces.encode(encodable(text), out_type=str) for text in sentences]
        short = [i for i, p in enumerate(pieces) if 0 < len(p) <= MAX_PIECES]
        answers = list(sentences)
        if not short:
            return answers
        longest = max(len(pieces[i]) for i in short)
        results = self._translator.translate_batch(
            [pieces[i] + ["</s>"] for i in short],
            beam_size=self._beam_size,
            max_batch_size=BATCH_TOKENS,
            batch_type="tokens",
            max_decoding_length=longest + 20,
            max_input_length=0,
        )
        for i, result in zip(short, results, strict=True):
            answers[i] = self._pieces.decode(result.hypotheses[0])
        return answers

    def propose(self, sentences: Sequence[Sentence]) -> list[Proposal]:
        """Return one proposal per sentence: the edits of the answer that the language's grammar allows."""
        analyses = [self._language.analyze(s.text, s.protected, training=True) for s in sentences]
        asked = [i for i, analysis in enumerate(analyses) if analysis.candidates]
        answers = dict(zip(asked, self.translate([sentences[i].text for i in asked]), strict=True))
        proposals = [Proposal() for _ in sentences]
        for i in asked:
            text, analysis = sentences[i].text, analyses[i]
            reading = read_proposal(text, answers[i], analysis.candidates)
            scores = [1.0] * len(reading.options)
            proposals[i].edits = self._language.settle(text, analysis, reading.options, scores)
            if reading.unexplained:
                proposals[i].rejected.append((answers[i], f"{reading.unexplained} tokens outside the edit grammar"))
        return proposals
