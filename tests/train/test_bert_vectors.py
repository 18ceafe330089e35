"""Embeddings to begin from: what co-occurrences say of the pieces."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from rewriter.errors import UsageError
from train.bert.config import BertConfig
from train.bert.packing import SPECIAL, Examples
from train.bert.vectors import Cooccurrences, begin_from_vectors, piece_vectors

# pieces: 0 to 4 special; 5 and 6 stand where 7 stands, 8 and 9 where 10 stands; 11 never occurs
SENTENCES = [[2, 5, 7, 5, 7, 3], [2, 6, 7, 6, 7, 3], [2, 8, 10, 8, 10, 3], [2, 9, 10, 9, 10, 3]]
PIECES, SIZE = 12, 3


def examples() -> Examples:
    tokens = np.array([piece for sentence in SENTENCES for piece in sentence] * 20, dtype=np.uint16)
    starts = np.arange(0, len(tokens) + 1, 6)
    marks = np.where(tokens < 5, SPECIAL, 0).astype(np.uint8)
    return Examples(tokens, marks, starts, np.full(len(starts) - 1, 6, dtype=np.int32))


def cosine(vectors: np.ndarray, one: int, other: int) -> float:
    lengths = np.linalg.norm(vectors[[one, other]], axis=1)
    return float(vectors[one] @ vectors[other] / lengths.prod())


def test_pieces_of_the_same_company_have_like_vectors() -> None:
    vectors = piece_vectors(examples(), PIECES, SIZE, Cooccurrences(window=1))
    assert vectors.shape == (PIECES, SIZE)
    assert cosine(vectors, 5, 6) > 0.9 and cosine(vectors, 8, 9) > 0.9
    assert cosine(vectors, 5, 8) < 0.5


def test_pieces_without_company_have_none() -> None:
    vectors = piece_vectors(examples(), PIECES, SIZE)
    assert not vectors[[0, 1, 2, 3, 4, 11]].any()


def test_a_model_begins_with_vectors_and_frequencies() -> None:
    torch = pytest.importorskip("torch")
    pytest.importorskip("transformers")
    from train.bert.trainer import build_bert

    config = BertConfig(size="tiny", hidden=8, heads=2, feed_forward=8)
    models = [build_bert(config, PIECES) for _ in range(2)]
    models[1].load_state_dict(models[0].state_dict())
    begin_from_vectors(models[1], examples())
    before, after = (model.bert.embeddings.word_embeddings.weight.detach() for model in models)
    assert torch.equal(before[[0, 1, 2, 3, 4, 11]], after[[0, 1, 2, 3, 4, 11]])
    assert cosine(after.numpy(), 5, 6) > 0.9
    assert float(after[5:11].std()) == pytest.approx(0.05, rel=0.2)
    frequencies = models[1].cls.predictions.bias.detach().exp()
    assert float(frequencies.sum()) == pytest.approx(1, rel=1e-4)
    assert int(frequencies.argmax()) in (7, 10)
    assert models[1].cls.predictions.decoder.weight is models[1].bert.embeddings.word_embeddings.weight


def test_a_start_has_vectors_of_its_own(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="vectors and start"):
        BertConfig(vectors=True, start=tmp_path)
