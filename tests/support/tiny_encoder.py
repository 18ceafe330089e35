"""Makes a pretrained encoder of random weights over a vocabulary like XLM-R's."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

SPECIAL = ["<s>", "<pad>", "</s>", "<unk>"]


def make_encoder(folder: Path, pieces: Mapping[str, float], *, width: int, **config: Any) -> Path:
    """Write an encoder of three layers and its tokenizer, and return the folder.

    Args:
        folder: where.
        pieces: with their scores.
        width: of the layers.
        config: more of the configuration; ``vocab_size`` where it is more than the pieces.
    """
    import torch
    import transformers

    vocabulary = [[piece, 0.0] for piece in SPECIAL] + [[piece, score] for piece, score in pieces.items()]
    model = {"type": "Unigram", "unk_id": SPECIAL.index("<unk>"), "vocab": vocabulary, "byte_fallback": False}
    added = [{"id": i, "content": piece} for i, piece in enumerate(SPECIAL)]
    (folder / "tokenizer.json").write_text(json.dumps({"model": model, "added_tokens": added}), encoding="utf-8")
    shape = {"hidden_size": width, "intermediate_size": 2 * width, "num_hidden_layers": 3, "num_attention_heads": 2}
    rest = {"vocab_size": len(vocabulary), "type_vocab_size": 2, "pad_token_id": SPECIAL.index("<pad>")}
    with torch.random.fork_rng():
        torch.manual_seed(1)
        encoder = transformers.BertModel(transformers.BertConfig(**shape | rest | config), add_pooling_layer=False)
    encoder.save_pretrained(folder)
    return folder
