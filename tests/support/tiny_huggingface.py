"""Makes tiny Hugging Face folders with random weights: Marian, T5, BART, GPT-2, and a BERT, which writes no text."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

TEXTS = (
    "she knows the way and he gave his tools to her",
    "they know the way and they gave their tools to them",
    "Rewrite fairly: She left. They left. He stayed.",
)
#: most positions of each model
POSITIONS = 64
SHAPE = {"d_model": 16, "encoder_layers": 1, "decoder_layers": 1, "encoder_ffn_dim": 32, "decoder_ffn_dim": 32}
HEADS = {"encoder_attention_heads": 2, "decoder_attention_heads": 2}


def make_folder(kind: str, folder: Path) -> Path:
    """Write a folder of a kind (``marian``, ``t5``, ``bart``, ``gpt2``, ``bert``) and return it."""
    import torch
    import transformers

    with torch.random.fork_rng():
        torch.manual_seed(3)
        if kind == "marian":
            return _marian(folder, transformers)
        tokenizer = _tokenizer(transformers)
        model = _models(transformers, len(tokenizer))[kind]()
        model.save_pretrained(folder)
        tokenizer.save_pretrained(folder)
    return folder


def _models(transformers: Any, size: int) -> dict[str, Any]:
    ids = {"vocab_size": size, "pad_token_id": 0, "eos_token_id": 1}
    bart = {
        **SHAPE,
        **HEADS,
        **ids,
        "bos_token_id": 2,
        "decoder_start_token_id": 1,
        "max_position_embeddings": POSITIONS,
    }
    t5 = {"d_model": 16, "d_kv": 8, "d_ff": 32, "num_layers": 1, "num_heads": 2, "decoder_start_token_id": 0}
    gpt2 = {"n_embd": 16, "n_layer": 1, "n_head": 2, "n_positions": POSITIONS, "bos_token_id": 1}
    bert = {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 32}
    return {
        "t5": lambda: transformers.T5ForConditionalGeneration(transformers.T5Config(**ids, **t5)),
        "bart": lambda: transformers.BartForConditionalGeneration(transformers.BartConfig(**bart)),
        "gpt2": lambda: transformers.GPT2LMHeadModel(transformers.GPT2Config(**ids, **gpt2)),
        "bert": lambda: transformers.BertForMaskedLM(transformers.BertConfig(vocab_size=size, **bert)),
    }


def _tokenizer(transformers: Any) -> Any:
    import tokenizers

    made = tokenizers.Tokenizer(tokenizers.models.BPE(unk_token="<unk>"))
    made.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = tokenizers.decoders.ByteLevel()
    special = ["<pad>", "</s>", "<s>", "<unk>"]
    alphabet = tokenizers.pre_tokenizers.ByteLevel.alphabet()
    trainer = tokenizers.trainers.BpeTrainer(vocab_size=320, special_tokens=special, initial_alphabet=alphabet)
    made.train_from_iterator(TEXTS, trainer)
    names = {"pad_token": "<pad>", "eos_token": "</s>", "bos_token": "<s>", "unk_token": "<unk>"}
    return transformers.PreTrainedTokenizerFast(tokenizer_object=made, **names)


def _marian(folder: Path, transformers: Any) -> Path:
    import sentencepiece

    folder.mkdir(parents=True)
    prefix = folder / "source"
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(TEXTS * 20), model_prefix=str(prefix), vocab_size=60, model_type="bpe", minloglevel=2
    )
    (folder / "source.vocab").unlink()
    prefix.with_suffix(".model").rename(folder / "source.spm")
    shutil.copyfile(folder / "source.spm", folder / "target.spm")
    pieces = sentencepiece.SentencePieceProcessor(model_file=str(folder / "source.spm"))
    names = ["</s>", "<unk>", *(pieces.id_to_piece(i) for i in range(pieces.get_piece_size()))]
    names = [*dict.fromkeys(name for name in names if name != "<s>"), "<pad>"]
    (folder / "vocab.json").write_text(json.dumps({name: i for i, name in enumerate(names)}), encoding="utf-8")
    files = {"source_spm": "source.spm", "target_spm": "target.spm", "vocab": "vocab.json"}
    tokenizer = transformers.MarianTokenizer(**{k: str(folder / v) for k, v in files.items()})
    tokenizer.save_pretrained(folder)
    pad = len(names) - 1
    ids = {"vocab_size": len(names), "pad_token_id": pad, "eos_token_id": 0, "decoder_start_token_id": pad}
    config = transformers.MarianConfig(
        **SHAPE, **HEADS, **ids, max_position_embeddings=POSITIONS, forced_eos_token_id=0
    )
    model = transformers.MarianMTModel(config)
    # as in every Marian model that was converted for transformers: decoding starts from zeros, and never writes padding
    model.model.shared.weight.data[pad] = 0
    model.generation_config.bad_words_ids = [[pad]]
    model.save_pretrained(folder)
    return folder
