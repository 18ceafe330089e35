"""The vocabulary gives every text back exactly, and `<pad>` is the id behind the last piece."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from rewriter.errors import InputError, ModelError, ResumeError, UsageError
from rewriter.io.files import write_pairs
from rewriter.records import Pair
from train.seq2seq.tokenizer import MODEL_FILE, PieceEncoder, TokenizerConfig, sample_texts, train_tokenizer

WORDS = ["garden", "river", "lamp", "teacher", "answers", "letter", "window", "often", "quietly", "bridge", "small"]
CONFIG = TokenizerConfig(vocab_size=400, sample=2000)


def toy_pairs(count: int = 200) -> list[Pair]:
    rng = np.random.default_rng(3)
    texts = [" ".join(rng.choice(WORDS, 6)) for _ in range(count)]
    return [Pair(f"She sees the {text}.", f"They see the {text}.") for text in texts]


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> PieceEncoder:
    folder = tmp_path_factory.mktemp("tokenizer")
    write_pairs(folder / "train.jsonl.zst", toy_pairs())
    return PieceEncoder(train_tokenizer(CONFIG, pairs=folder, output=folder / "out"))


def test_byte_pairs_lose_nothing_either(tmp_path: Path, encoder: PieceEncoder) -> None:
    write_pairs(tmp_path / "train.jsonl.zst", toy_pairs())
    bpe = PieceEncoder(train_tokenizer(replace(CONFIG, kind="bpe"), pairs=tmp_path, output=tmp_path / "out"))
    assert bpe.digest() != encoder.digest()
    for text in [
        "two  spaces, a\ttab, a line end\r\n",
        "smile 😀, flag 🇳🇱, é",
        "▁ the mark ▁▁",
        *(p.source for p in toy_pairs()[:50]),
    ]:
        assert bpe.decode(bpe.encode(text)) == text


@given(st.text(st.characters(exclude_categories=["Cs"])))
@example("two  spaces, a\ttab, a line end\r\n")
@example("  leading and trailing  ")
@example("smile 😀, family 👩‍👩‍👧, flag 🇳🇱, é and e\u0301")
@example("▁ the mark that SentencePiece writes for a space ▁▁")
@example("▁ and its stand-in \U0010ffff \U0010fffe")
@example("<unk> </s> <pad> <0x41>")
@example("\x00")
@settings(max_examples=300, deadline=None)
def test_every_text_comes_back_exactly(encoder: PieceEncoder, text: str) -> None:
    assert encoder.decode(encoder.encode(text)) == text


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=12), max_size=5))
@example(["a▁b", "", " c"])
@settings(max_examples=50, deadline=None)
def test_many_texts_at_once_are_encoded_as_one_by_one(encoder: PieceEncoder, texts: list[str]) -> None:
    assert encoder.encode_many(texts) == [encoder.encode(text) for text in texts]


def test_padding_is_the_id_behind_the_last_piece(encoder: PieceEncoder) -> None:
    vocabulary = encoder.vocabulary()
    assert encoder.pad == encoder.size == vocabulary["<pad>"] == max(vocabulary.values())
    assert list(vocabulary.values()) == list(range(encoder.size + 1))


def test_special_ids_decode_to_nothing(encoder: PieceEncoder) -> None:
    assert encoder.decode([encoder.eos, encoder.pad, -100, encoder.unk]) == ""


def test_the_same_seed_gives_the_same_file(tmp_path: Path, encoder: PieceEncoder) -> None:
    write_pairs(tmp_path / "pairs.jsonl", toy_pairs())
    again = train_tokenizer(CONFIG, pairs=tmp_path / "pairs.jsonl", output=tmp_path / "out")
    assert again.read_bytes() == encoder.path.read_bytes()


def test_a_finished_vocabulary_is_kept_and_another_one_refused(tmp_path: Path) -> None:
    write_pairs(tmp_path / "train.jsonl", toy_pairs())
    path = train_tokenizer(CONFIG, pairs=tmp_path, output=tmp_path / "out")
    before = path.stat().st_mtime_ns
    assert train_tokenizer(CONFIG, pairs=tmp_path, output=tmp_path / "out").stat().st_mtime_ns == before
    other = TokenizerConfig(vocab_size=390, sample=2000)
    with pytest.raises(ResumeError, match="config"):
        train_tokenizer(other, pairs=tmp_path, output=tmp_path / "out")
    assert PieceEncoder(train_tokenizer(other, pairs=tmp_path, output=tmp_path / "out", fresh=True)).size <= 390


def test_the_sample_is_drawn_by_the_generator_and_keeps_the_order() -> None:
    pairs = [Pair(f"text {n}", f"text {n}") for n in range(100)]
    drawn = sample_texts(pairs, 10, np.random.default_rng(5))
    assert (
        drawn == sample_texts(pairs, 10, np.random.default_rng(5)) != sample_texts(pairs, 10, np.random.default_rng(6))
    )
    assert drawn == sorted(drawn, key=lambda text: int(text.split()[1])) and len(set(drawn)) == 10
    assert sample_texts(pairs[:3], 10, np.random.default_rng(5)) == ["text 0", "text 1", "text 2"]


@pytest.mark.parametrize("pairs", [[], [Pair("", "")]], ids=["no pairs", "only an empty one"])
def test_nothing_to_learn_from_is_said(tmp_path: Path, pairs: list[Pair]) -> None:
    write_pairs(tmp_path / "train.jsonl", pairs)
    with pytest.raises(InputError, match=r"train\.jsonl"):
        train_tokenizer(CONFIG, pairs=tmp_path, output=tmp_path / "out")


@pytest.mark.parametrize("content", [None, b"", b"no vocabulary"], ids=["missing", "empty", "damaged"])
def test_a_vocabulary_that_is_none_is_named(tmp_path: Path, content: bytes | None) -> None:
    if content is not None:
        (tmp_path / MODEL_FILE).write_bytes(content)
    with pytest.raises(ModelError, match=MODEL_FILE):
        PieceEncoder(tmp_path)


@pytest.mark.parametrize("values", [{"vocab_size": 200}, {"character_coverage": 1.5}, {"sample": 0}])
def test_options_out_of_range_are_refused(values: dict[str, int]) -> None:
    with pytest.raises(UsageError, match=next(iter(values))):
        TokenizerConfig(**values)
