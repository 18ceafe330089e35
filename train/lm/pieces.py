"""The vocabulary of a causal language model: byte pairs over bytes (Radford et al. 2019, section 2.2)."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import numpy as np

from rewriter.errors import InputError
from rewriter.installation.extras import require
from train.encoder.corpus import interleave
from train.lm.config import LmPiecesConfig

BEGIN, END, PAD = SPECIAL = ("<s>", "</s>", "<pad>")


def train_pieces(files: list[Path], config: LmPiecesConfig, output: Path) -> int:
    """Learn a vocabulary and leave a tokenizer that transformers loads in ``output``; return its size.

    Raises:
        InputError: there is no text in the files.
        MissingExtraError: tokenizers or transformers are not installed.
    """
    tokenizers, transformers = (require(name, extra="train") for name in ("tokenizers", "transformers"))
    lines = interleave(files, np.random.default_rng([1, 11]))
    texts = list(islice(lines, config.sample) if config.sample else lines)
    if not texts:
        raise InputError(f"{', '.join(map(str, files))}: there is no text to learn a vocabulary from; name other files")
    tokenizer = tokenizers.Tokenizer(tokenizers.models.BPE())
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = tokenizers.decoders.ByteLevel()
    trainer = tokenizers.trainers.BpeTrainer(
        vocab_size=config.vocab_size,
        min_frequency=config.min_frequency,
        special_tokens=list(SPECIAL),
        initial_alphabet=sorted(tokenizers.pre_tokenizers.ByteLevel.alphabet()),
        show_progress=False,
    )
    tokenizer.train_from_iterator(texts, trainer)
    fast = transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, bos_token=BEGIN, eos_token=END, cls_token=BEGIN, sep_token=END, pad_token=PAD
    )
    fast.save_pretrained(output)
    return len(fast)
