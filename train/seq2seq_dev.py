"""Measuring a sequence-to-sequence rewriter on development pairs while it is trained. Needs torch."""

from __future__ import annotations

import numpy as np
import torch

from eval.wer import wer
from train.batching import EncodedPairs
from train.marian import Collator, Seq2SeqModel, answer
from train.tokenizer import PieceEncoder

#: padded source tokens that are evaluated at once
EVAL_TOKENS = 8192


class DevSet:
    """The development pairs that are evaluated: ids and texts."""

    def __init__(self, pairs: EncodedPairs, encoder: PieceEncoder, lang: str, count: int, seed: int) -> None:
        rows = np.random.default_rng([seed, 1]).permutation(len(pairs))[:count]
        self._pairs, self._encoder, self.lang = pairs, encoder, lang
        self._collate = Collator(pairs, encoder.pad)
        self.rows = sorted(rows.tolist(), key=lambda n: max(map(len, pairs[n])))

    def evaluate(self, model: Seq2SeqModel) -> dict[str, float]:
        """Return ``dev_loss`` (cross-entropy of a piece, not smoothed), ``dev_wer`` and ``dev_exact`` in percent."""
        training = model.training
        model.eval()
        try:
            result = wer(hypothesis=self._answers(model), reference=self._references(), lang=self.lang)
            return {"dev_loss": self._loss(model), "dev_wer": result.score, "dev_exact": result.exact}
        finally:
            model.train(training)

    def _answers(self, model: Seq2SeqModel) -> list[str]:
        sources = [self._pairs[n][0] for n in self.rows]
        return [self._encoder.decode(ids) for ids in answer(model, sources, tokens=EVAL_TOKENS)]

    def _references(self) -> list[str]:
        return [self._encoder.decode(self._pairs[n][1].tolist()) for n in self.rows]

    @torch.no_grad()
    def _loss(self, model: Seq2SeqModel) -> float:
        total = pieces = 0.0
        for start in range(0, len(self.rows), 64):
            batch = {k: v.to(model.device) for k, v in self._collate(self.rows[start : start + 64]).items()}
            total += float(model(**batch))
            pieces += int((batch["labels"] >= 0).sum())
        return total / pieces
