"""Batches by number of tokens: every pair once an epoch, the same order for the same seed, found again anywhere."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rewriter.errors import InputError
from rewriter.io.files import write_pairs
from rewriter.records import Pair
from train.seq2seq.batching import EncodedPairs, TokenBatches, encode_pairs, is_borrowed
from train.seq2seq.tokenizer import PieceEncoder, TokenizerConfig, train_tokenizer

Lengths = tuple[np.ndarray, np.ndarray]
LENGTHS = st.lists(st.tuples(st.integers(1, 40), st.integers(1, 40)), min_size=1, max_size=120).map(
    lambda pairs: (np.array([a for a, _ in pairs]), np.array([b for _, b in pairs]))
)


def stream(lengths: Lengths, total: int = 50, **options: int) -> TokenBatches:
    return TokenBatches(lengths, **{"tokens_per_batch": 100, "seed": 1, "pool": 3, **options}, total=total)


@given(LENGTHS, st.integers(0, 3))
@settings(max_examples=60, deadline=None)
def test_an_epoch_holds_every_pair_once(lengths: Lengths, epoch: int) -> None:
    rows = np.concatenate(stream(lengths).epoch(epoch))
    assert sorted(rows.tolist()) == list(range(len(lengths[0])))


@given(LENGTHS)
@settings(max_examples=60, deadline=None)
def test_a_batch_holds_at_most_so_many_padded_tokens(lengths: Lengths) -> None:
    for batch in stream(lengths).epoch(0):
        padded = len(batch) * max(lengths[0][batch].max(), lengths[1][batch].max())
        assert padded <= 100 or len(batch) == 1


@given(LENGTHS, st.integers(0, 60))
@settings(max_examples=60, deadline=None)
def test_any_position_of_the_stream_is_found_again(lengths: Lengths, start: int) -> None:
    whole = list(stream(lengths, total=60))
    later = stream(lengths, total=60)
    later.start = start
    assert list(later) == whole[start:]


@given(LENGTHS, st.integers(2, 5))
@settings(max_examples=60, deadline=None)
def test_processes_share_the_batches_of_one_process(lengths: Lengths, processes: int) -> None:
    whole = list(stream(lengths))
    shares = [list(stream(lengths, rank=rank, processes=processes)) for rank in range(processes)]
    for batch, *parts in zip(whole, *shares, strict=True):
        assert all(parts), "a process without a row would hang the others"
        counted = [row for part in parts for row in part if not is_borrowed(row)]
        assert sorted(counted) == sorted(batch)


def test_order_depends_on_seed_and_epoch() -> None:
    lengths = (np.arange(1, 200) % 17 + 1,) * 2

    def order(seed: int, epoch: int) -> list[list[int]]:
        return [batch.tolist() for batch in stream(lengths, seed=seed).epoch(epoch)]

    assert order(1, 0) == order(1, 0)
    assert order(1, 0) != order(1, 1)
    assert order(1, 0) != order(2, 0)


def test_sorting_wastes_little_and_batches_come_in_no_order_of_length() -> None:
    lengths = (np.random.default_rng(0).integers(5, 60, 5000),) * 2
    batches = TokenBatches(lengths, tokens_per_batch=2000, seed=1, total=1).epoch(0)
    padded = sum(len(batch) * int(lengths[0][batch].max()) for batch in batches)
    assert padded < 1.06 * int(lengths[0].sum())
    longest = [int(lengths[0][batch].max()) for batch in batches]
    assert abs(np.corrcoef(longest, range(len(longest)))[0, 1]) < 0.3


def test_the_epoch_of_a_position_is_a_fraction() -> None:
    lengths = (np.full(100, 10),) * 2
    batches = stream(lengths)  # ten batches of ten rows an epoch
    assert [batches.epoch_at(n) for n in (0, 5, 10, 25)] == [0.0, 0.5, 1.0, 2.5]


def test_no_pairs_are_an_error() -> None:
    with pytest.raises(InputError, match="no pairs"):
        stream((np.zeros(0, np.int64), np.zeros(0, np.int64)))


PAIRS = [Pair(f"She sees {n} lamps.", f"They see {n} lamps.") for n in range(50)]


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> PieceEncoder:
    folder = tmp_path_factory.mktemp("batching")
    write_pairs(folder / "train.jsonl", PAIRS)
    return PieceEncoder(train_tokenizer(TokenizerConfig(vocab_size=320), pairs=folder, output=folder))


def texts(encoded: EncodedPairs, encoder: PieceEncoder) -> list[tuple[str, str]]:
    return [
        (encoder.decode(a.tolist()), encoder.decode(b.tolist()))
        for a, b in map(encoded.__getitem__, range(len(encoded)))
    ]


def test_encoded_pairs_come_back_from_disk(tmp_path: Path, encoder: PieceEncoder) -> None:
    write_pairs(tmp_path / "train.jsonl", PAIRS)
    encoded = encode_pairs(tmp_path / "train.jsonl", encoder, max_length=200, cache=tmp_path / "cache")
    assert texts(encoded, encoder) == [(pair.source, pair.target) for pair in PAIRS]
    assert all(ids[-1] == encoder.eos for n in range(len(encoded)) for ids in encoded[n])
    assert [len(encoded[3][0]), len(encoded[3][1])] == [int(side[3]) for side in encoded.lengths()]


def test_the_cache_is_kept_for_the_same_input_and_replaced_for_another(tmp_path: Path, encoder: PieceEncoder) -> None:
    path, cache = tmp_path / "train.jsonl", tmp_path / "cache"
    write_pairs(path, PAIRS)
    encode_pairs(path, encoder, max_length=200, cache=cache)
    made = (cache / "index.json").stat().st_mtime_ns
    encode_pairs(path, encoder, max_length=200, cache=cache)
    assert (cache / "index.json").stat().st_mtime_ns == made
    write_pairs(path, PAIRS[:7])
    assert len(encode_pairs(path, encoder, max_length=200, cache=cache)) == 7


def test_long_pairs_are_left_out_and_counted(tmp_path: Path, encoder: PieceEncoder) -> None:
    write_pairs(tmp_path / "p.jsonl", [*PAIRS[:3], Pair("a", "long " * 100)])
    encoded = encode_pairs(tmp_path / "p.jsonl", encoder, max_length=100, cache=tmp_path / "cache")
    assert (len(encoded), encoded.too_long) == (3, 1)


def test_an_empty_file_gives_no_pairs(tmp_path: Path, encoder: PieceEncoder) -> None:
    write_pairs(tmp_path / "p.jsonl", [])
    assert len(encode_pairs(tmp_path / "p.jsonl", encoder, max_length=100, cache=tmp_path / "cache")) == 0
