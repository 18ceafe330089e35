"""A toy language for the tests of training: every word is copied, `she` becomes `they`, `lamps` becomes `a lamp`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rewriter.io.files import write_pairs
from rewriter.records import Pair
from train.seq2seq import Seq2SeqConfig
from train.seq2seq.tokenizer import TokenizerConfig, train_tokenizer

WORDS = [
    "garden",
    "river",
    "lamps",
    "teacher",
    "answers",
    "letter",
    "window",
    "often",
    "quietly",
    "bridge",
    "small",
    "by",
]
TOY = Seq2SeqConfig(
    encoder_layers=1,
    decoder_layers=1,
    d_model=64,
    ffn=128,
    heads=2,
    tokens_per_batch=600,
    learning_rate=3e-3,
    warmup=50,
    steps=20,
    eval_every=10,
    patience=0,
    dev_sentences=20,
    averaging=2,
    log_every=10,
    threads=1,
    precision="fp32",
    device="cpu",
)


def toy_pairs(count: int, seed: int) -> Iterator[Pair]:
    rng = np.random.default_rng(seed)
    for _ in range(count):
        words = rng.choice(WORDS, int(rng.integers(2, 7))).tolist()
        words.insert(int(rng.integers(len(words) + 1)), "she")
        source = " ".join(words)
        yield Pair(source, source.replace("she", "they").replace("lamps", "a lamp"))


@dataclass(frozen=True)
class Toy:
    """The toy corpus, its vocabulary, and small options to change."""

    data: Path
    tokenizer: Path

    def config(self, **changes: Any) -> Seq2SeqConfig:
        return replace(TOY, **changes)


@pytest.fixture(scope="session")
def toy(tmp_path_factory: pytest.TempPathFactory) -> Toy:
    data = tmp_path_factory.mktemp("toy")
    write_pairs(data / "train.jsonl.zst", toy_pairs(3000, seed=1))
    write_pairs(data / "dev.jsonl.zst", toy_pairs(100, seed=2))
    return Toy(data, train_tokenizer(TokenizerConfig(vocab_size=400), pairs=data, output=data / "tokenizer"))
