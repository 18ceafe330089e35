"""The WordPiece vocabulary (Devlin et al. 2019, section 3), learnt by `tokenizers`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from rewriter.errors import InputError
from rewriter.installation.extras import require
from train.bert.config import WordPieceConfig
from train.encoder.corpus import interleave

SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")


def train_wordpiece(files: list[Path], config: WordPieceConfig, output: Path) -> int:
    """Learn a vocabulary and leave a tokenizer that transformers loads in ``output``; return its size.

    Raises:
        MissingExtraError: tokenizers or transformers are not installed.
        InputError: there is no text in the files.
    """
    transformers = require("transformers", extra="train")
    rng = np.random.default_rng([1, 11])
    lines = list(_head(interleave(files, rng), config.sample))
    vocabulary = learn_vocabulary(lines, config)
    if len(vocabulary) <= len(SPECIAL):
        raise InputError(f"{', '.join(map(str, files))}: there is no text to learn a vocabulary from; name other files")
    fast = transformers.BertTokenizerFast(vocab=vocabulary, do_lower_case=config.lower_case)
    fast.save_pretrained(output)
    return len(vocabulary)


def learn_vocabulary(lines: list[str], config: WordPieceConfig) -> dict[str, int]:
    """Return pieces and their numbers: the special ones, then the others in alphabetical order.

    The library numbers the letters inside words in the order of a hash table, which differs from process to process
    and breaks ties differently. So they are given to it in a fixed order, and the pieces are numbered anew.
    """
    tokenizers = require("tokenizers", extra="train")
    tokenizer = _empty(tokenizers, config)
    letters: Counter[str] = Counter()
    for line in lines:
        letters.update(tokenizer.normalizer.normalize_str(line))
    common = sorted((c for c in letters if not c.isspace()), key=lambda c: (-letters[c], c))[: config.alphabet]
    trainer = tokenizers.trainers.WordPieceTrainer(
        vocab_size=config.vocab_size,
        min_frequency=config.min_frequency,
        limit_alphabet=config.alphabet,
        special_tokens=[*SPECIAL, *(f"##{letter}" for letter in sorted(common))],
        show_progress=False,
    )
    tokenizer.train_from_iterator(lines, trainer)
    pieces = sorted(set(tokenizer.get_vocab()) - set(SPECIAL))
    return {piece: number for number, piece in enumerate([*SPECIAL, *pieces])}


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
