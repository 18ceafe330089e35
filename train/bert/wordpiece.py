"""The WordPiece vocabulary (Devlin et al. 2019, section 3), learnt by `tokenizers`."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from rewriter.errors import InputError
from rewriter.extras import require
from train.bert.config import WordPieceConfig
from train.corpus import interleave

SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")


def train_wordpiece(files: list[Path], config: WordPieceConfig, output: Path) -> int:
    """Learn a vocabulary and leave a tokenizer that transformers loads in ``output``; return its size.

    Raises:
        MissingExtraError: tokenizers or transformers are not installed.
        InputError: there is no text in the files.
    """
    tokenizers = require("tokenizers", extra="train")
    transformers = require("transformers", extra="train")
    rng = np.random.default_rng([1, 11])
    tokenizer = _empty(tokenizers, config)
    trainer = tokenizers.trainers.WordPieceTrainer(
        vocab_size=config.vocab_size,
        min_frequency=config.min_frequency,
        special_tokens=list(SPECIAL),
        show_progress=False,
    )
    tokenizer.train_from_iterator(_head(interleave(files, rng), config.sample), trainer)
    vocabulary = tokenizer.get_vocab()
    if len(vocabulary) <= len(SPECIAL):
        raise InputError(f"{', '.join(map(str, files))}: there is no text to learn a vocabulary from")
    fast = transformers.BertTokenizerFast(vocab=vocabulary, do_lower_case=config.lower_case)
    fast.save_pretrained(output)
    return len(vocabulary)


def _empty(tokenizers: Any, config: WordPieceConfig) -> Any:
    tokenizer = tokenizers.Tokenizer(tokenizers.models.WordPiece(unk_token="[UNK]"))
    tokenizer.normalizer = tokenizers.normalizers.BertNormalizer(lowercase=config.lower_case)
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.BertPreTokenizer()
    return tokenizer


def _head(lines: Iterable[str], number: int) -> Iterable[str]:
    for count, line in enumerate(lines, 1):
        yield line
        if number and count >= number:
            return
