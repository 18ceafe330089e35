"""Embeddings to begin from: what the corpus's co-occurrences say of its pieces.

A small masked language model spends its first thousands of updates at the loss of word frequencies before it learns
that words depend on each other. Vectors from co-occurrences (Levy, Goldberg and Dagan 2015: positive mutual
information, singular values) tell that at once, and the logarithm of the frequencies as the bias of the output tells
the rest. They come from the training text alone, so nothing of another corpus gets into the model.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from augment.balance.vectors import Floats, positive_information, reduced
from rewriter.installation.extras import require
from train.bert.packing import Examples, plain_pieces

#: standard deviation of the values; random ones have 0.02, and vectors that small hardly speed training up
_SCALE = 0.05


@dataclass(frozen=True)
class Cooccurrences:
    """How co-occurrences are counted.

    Attributes:
        window: pieces to each side that count, the nearest most.
        contexts: the most frequent pieces, which count as context.
        pieces: of the training text that are read at most.
    """

    window: int = 5
    contexts: int = 2000
    pieces: int = 10_000_000


def piece_vectors(examples: Examples, vocab_size: int, size: int, options: Cooccurrences | None = None) -> Floats:
    """Return vectors of the pieces, shape (vocab_size, size); zero for pieces without neighbours.

    Args:
        examples: the packed training text.
        vocab_size: pieces of the vocabulary, special ones included.
        size: of a vector, at most the number of contexts.
        options: how co-occurrences are counted.
    """
    options = options or Cooccurrences()
    tokens = plain_pieces(examples, options.pieces)
    frequent = np.argsort(-np.bincount(tokens, minlength=vocab_size), kind="stable")[: options.contexts]
    column = np.full(vocab_size, -1, dtype=np.int64)
    column[frequent] = np.arange(len(frequent))
    table = np.zeros(vocab_size * len(frequent))
    for distance in range(1, options.window + 1):
        weight = (options.window + 1 - distance) / options.window
        for word, context in ((tokens[:-distance], tokens[distance:]), (tokens[distance:], tokens[:-distance])):
            kept = column[context] >= 0
            cells = word[kept] * len(frequent) + column[context[kept]]
            table += weight * np.bincount(cells, minlength=len(table))
    return reduced(positive_information(table.astype(np.float32).reshape(vocab_size, -1)), size)


def begin_from_vectors(model: Any, examples: Examples) -> None:
    """Give a model's pieces their vectors and its output their frequencies; special pieces keep random values.

    Args:
        model: a BERT for masked language modelling with random weights.
        examples: the packed training text.
    """
    torch = require("torch", extra="train")
    weights, bias = model.bert.embeddings.word_embeddings.weight, model.cls.predictions.bias
    vectors = piece_vectors(examples, *weights.shape)
    known = np.abs(vectors).sum(axis=1) > 0
    vectors[known] -= vectors[known].mean(axis=0)
    vectors[known] *= _SCALE / max(float(vectors[known].std()), 1e-12)
    counts = np.bincount(plain_pieces(examples), minlength=len(vectors)) + 1.0
    with torch.no_grad():
        weights[torch.from_numpy(known)] = torch.from_numpy(vectors[known]).to(weights.dtype)
        bias.copy_(torch.from_numpy(np.log(counts / counts.sum())))
