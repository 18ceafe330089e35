"""Measuring a sequence-to-sequence rewriter on development pairs while it is trained. Needs torch."""

from __future__ import annotations

import numpy as np
import torch

from eval.tokenize import nearest_tokenizer
from eval.wer import wer
from train.seq2seq.batching import EncodedPairs
from train.seq2seq.marian import Collator, Seq2SeqModel, answer
from train.seq2seq.tokenizer import PieceEncoder

#: padded source tokens that are evaluated at once
EVAL_TOKENS = 8192
#: of one process: answers, summed loss, pieces
_Share = tuple[list[str], float, float]


class DevSet:
    """The development pairs that are evaluated: ids and texts."""

    def __init__(self, pairs: EncodedPairs, encoder: PieceEncoder, lang: str, count: int, seed: int) -> None:
        rows = np.random.default_rng([seed, 1]).permutation(len(pairs))[:count]
        self._pairs, self._encoder, self._lang = pairs, encoder, lang
        self._collate = Collator(pairs, encoder.pad)
        self.rows = sorted(rows.tolist(), key=lambda n: max(map(len, pairs[n])))

    def evaluate(self, model: Seq2SeqModel, *, rank: int = 0, processes: int = 1) -> dict[str, float]:
        """Return ``dev_loss`` (cross-entropy of a piece, not smoothed), ``dev_wer`` and ``dev_exact`` in percent.

        Args:
            model: in any mode; the mode is kept.
            rank: number of this process.
            processes: how many share the pairs; all of them must call this, and all get the figures.
        """
        training = model.training
        model.eval()
        try:
            own = self.rows[rank::processes]
            shares = _gathered((self._answers(model, own), *self._loss(model, own)), processes)
        finally:
            model.train(training)
        answers = [""] * len(self.rows)
        for number, (answered, _, _) in enumerate(shares):
            answers[number::processes] = answered
        result = wer(
            hypothesis=answers, reference=self._references(), lang=self._lang, tokenizer=nearest_tokenizer(self._lang)
        )
        loss = sum(total for _, total, _ in shares) / sum(pieces for _, _, pieces in shares)
        return {"dev_loss": loss, "dev_wer": result.score, "dev_exact": result.exact}

    def _answers(self, model: Seq2SeqModel, rows: list[int]) -> list[str]:
        sources = [self._pairs[n][0] for n in rows]
        return [self._encoder.decode(ids) for ids in answer(model, sources, tokens=EVAL_TOKENS)]

    def _references(self) -> list[str]:
        return [self._encoder.decode(self._pairs[n][1].tolist()) for n in self.rows]

    @torch.no_grad()
    def _loss(self, model: Seq2SeqModel, rows: list[int]) -> tuple[float, float]:
        """Return the summed loss of rows and how many pieces it is of."""
        total = pieces = 0.0
        for start in range(0, len(rows), 64):
            batch = {k: v.to(model.device) for k, v in self._collate(rows[start : start + 64]).items()}
            total += float(model(**batch))
            pieces += int((batch["labels"] >= 0).sum())
        return total, pieces


def _gathered(share: _Share, processes: int) -> list[_Share]:
    """Return what every process has, in the order of their numbers."""
    if processes == 1:
        return [share]
    shares: list[_Share] = [share] * processes
    torch.distributed.all_gather_object(shares, share)
    return shares
