"""Guided alignment: which piece answers to which, and that the attention learns to look there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rewriter.errors import UsageError
from train.seq2seq.alignment import UNALIGNED, align_pieces, by_pieces
from train.seq2seq.config import Seq2SeqConfig, identity
from train.seq2seq.tokenizer import PieceEncoder

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from train.seq2seq import train_seq2seq  # noqa: E402
from train.seq2seq.batching import encode_pairs  # noqa: E402
from train.seq2seq.marian import Collator, Guide, build_model, load_checkpoint  # noqa: E402

IDS = st.lists(st.integers(3, 9), max_size=12)


@pytest.mark.parametrize(
    ("source", "target", "places"),
    [
        ("she reads .", "she reads .", [0, 1, 2]),  # a copy
        ("she reads a book .", "they read a book .", [0, 1, 2, 3, 4]),  # as many pieces for others
        ("the chairman left .", "the chair person left .", [0, 1, 1, 2, 3]),  # more pieces for one
        ("he or she left .", "they left .", [0, 3, 4]),  # fewer
        ("he left .", "well , he left .", [0, 0, 0, 1, 2]),  # what is put in stands before what comes
        ("he left", "he left .", [0, 1, 1]),  # at the end too
        ("", "left .", [UNALIGNED, UNALIGNED]),
    ],
)
def test_pieces_answer_to_what_they_copy(source: str, target: str, places: list[int]) -> None:
    numbers: dict[str, int] = {}
    rows = [[numbers.setdefault(word, len(numbers)) for word in side.split()] for side in (source, target)]
    assert align_pieces(*(np.array(row, np.uint16) for row in rows)).tolist() == places


@given(source=IDS.filter(bool), target=IDS)
def test_places_are_in_the_source_and_never_go_back(source: list[int], target: list[int]) -> None:
    places = align_pieces(np.array(source, np.uint16), np.array(target, np.uint16))
    assert len(places) == len(target)
    assert all(0 <= place < len(source) for place in places)
    assert sorted(places) == list(places)


@given(ids=IDS.filter(bool))
def test_a_copy_answers_piece_by_piece(ids: list[int]) -> None:
    both = np.array(ids, np.uint16)
    assert align_pieces(both, both).tolist() == list(range(len(ids)))


def test_the_loss_is_that_of_the_definition() -> None:
    heads = torch.tensor([[[0.5, 0.5, 0.0], [0.2, 0.2, 0.6]], [[0.1, 0.9, 0.0], [0.0, 0.0, 1.0]]])
    guide = Guide(torch.tensor([[1, 0]]), weight=0.5)
    both = guide.loss(heads[None], torch.tensor([[True, True]]))
    assert float(both) == pytest.approx(-0.5 * (np.log(0.7) + np.log(0.1)), abs=1e-5)
    first = guide.loss(heads[None], torch.tensor([[True, False]]))
    assert float(first) == pytest.approx(-0.5 * np.log(0.7), abs=1e-5)
    nothing = Guide(torch.tensor([[UNALIGNED, UNALIGNED]]), weight=0.5).loss(heads[None], torch.tensor([[True, True]]))
    assert float(nothing) == 0


def test_the_attention_learns_where_to_look(toy: Any, tmp_path: Path) -> None:
    shares = []
    for weight in (0.0, 1.0):
        output = tmp_path / str(weight)
        train_seq2seq(toy.config(alignment=weight, steps=120), data=toy.data, tokenizer=toy.tokenizer, output=output)
        shares.append(share_looked_right(toy, output))
    assert shares[1] > 0.6 > shares[0]


def share_looked_right(toy: Any, output: Path) -> float:
    """Return how much of the last layer's attention lies on the piece that is copied, over the development pairs."""
    encoder = PieceEncoder(toy.tokenizer)
    model = load_checkpoint(output / "checkpoint").eval()
    model.set_attn_implementation("eager")
    pairs = encode_pairs(toy.data / "dev.jsonl.zst", encoder, max_length=100, cache=output / "encoded" / "dev")
    batch = Collator(pairs, encoder.pad, align=by_pieces(pairs))(range(len(pairs)))
    counted, places = batch.pop("labels") >= 0, batch.pop("places")
    with torch.no_grad():
        attention = model.model(**batch, output_attentions=True).cross_attentions[-1].mean(dim=1)
    return float(attention.gather(2, places.clamp_min(0).unsqueeze(2))[..., 0][counted].mean())


def test_a_training_without_it_is_what_it_was(toy: Any) -> None:
    given = {"bf16": False, "data": toy.data, "encoder": PieceEncoder(toy.tokenizer), "init": None}
    assert "alignment" not in identity(toy.config(), **given)
    assert identity(toy.config(alignment=0.3), **given)["alignment"] == 0.3
    with pytest.raises(UsageError, match="alignment must be at least 0"):
        Seq2SeqConfig(alignment=-1)


def test_the_guide_adds_to_the_loss(toy: Any) -> None:
    encoder = PieceEncoder(toy.tokenizer)
    torch.manual_seed(1)
    model = build_model({**toy.config().shape(), "max_position_embeddings": 64}, encoder).eval()
    model.set_attn_implementation("eager")
    ids = torch.tensor([[5, 6, 7, encoder.eos]])
    given = {"input_ids": ids, "decoder_input_ids": ids, "labels": ids}
    with torch.no_grad():
        plain = model(**given)
        guided = [model(**given, guide=Guide(torch.tensor([[0, 1, 2, 3]]), weight)) for weight in (0.0, 2.0)]
    assert float(guided[0]) == pytest.approx(float(plain), abs=1e-4)
    assert float(guided[1]) > float(plain)
