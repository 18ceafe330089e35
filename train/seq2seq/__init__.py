"""Training a sequence-to-sequence rewriter.

The output folder holds::

    manifest.json     identity, limits, counts, what was chosen at the end
    metrics.jsonl     one line per log entry and evaluation
    tensorboard/      the same for TensorBoard
    encoded/          ids of the training and development pairs
    resume/step-N/    everything needed to go on (weights, optimizer, schedule, random state), whole or not at all
    weights/          weights of the evaluations that averaging and the choice of the best still need
    checkpoint/       the result: a float checkpoint of transformers' MarianMTModel with sentencepiece.model beside it

This module itself needs no torch, so that recipes can be read and checked without it.
"""

from __future__ import annotations

from pathlib import Path

from rewriter.installation.extras import require
from train.seq2seq.config import Seq2SeqConfig
from train.seq2seq.tokenizer import PieceEncoder

__all__ = ["Seq2SeqConfig", "train_seq2seq"]


def train_seq2seq(
    config: Seq2SeqConfig, *, data: Path, tokenizer: Path, output: Path, init: Path | None = None, fresh: bool = False
) -> Path:
    """Train a rewriter, or go on where an earlier call with the same identity was interrupted.

    Under ``torchrun`` every process calls this; each takes its share of every batch.

    Args:
        config: see :class:`Seq2SeqConfig`.
        data: folder with ``train`` and ``dev`` pairs (.jsonl.zst, .jsonl.gz, .jsonl, .parquet).
        tokenizer: ``sentencepiece.model`` or a folder that holds it.
        output: folder for everything that is written, see the module's documentation.
        init: start from these weights instead of random ones: an output folder of this function, a float checkpoint,
            or the name or directory of an exported model; its vocabulary must be ``tokenizer``.
        fresh: throw away what another run left in ``output``.

    Returns:
        the folder of the float checkpoint, ``output/checkpoint``.

    Raises:
        MissingExtraError: torch, transformers or another part of the extra ``train`` is not installed.
        InputError: there are no pairs, or they cannot be read.
        ModelError: ``init`` does not fit the options or the vocabulary.
        ResumeError: ``output`` holds the output of another run; the message says what differs.
    """
    for module in ("torch", "transformers", "accelerate", "tensorboard", "jiwer", "sacremoses"):
        require(module, extra="eval" if module in ("jiwer", "sacremoses") else "train")
    from train.seq2seq.run import Run

    return Run(config, PieceEncoder(tokenizer), data, output, init).go(fresh=fresh)
