"""Export of an edit model: a BERT encoder and a linear head become what :mod:`rewriter.model.edit_model` loads."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from rewriter.errors import InputError, UsageError
from rewriter.installation.extras import require
from rewriter.io.files import write_json
from rewriter.model.ctranslate import load_ctranslate2
from train.loop.quiet import quiet_libraries

__all__ = ["export_edits"]

#: what CTranslate2 can store; ``float32`` is there for comparing with torch
QUANTIZATIONS = ("int8", "int8_float32", "int16", "float16", "bfloat16", "float32")


def export_edits(
    *, encoder_dir: Path, head: Mapping[str, Any], pieces: Path, output: Path, quantization: str = "int8"
) -> Path:
    """Write the CTranslate2 encoder, ``head.json`` and ``pieces.model`` of an edit model to a folder.

    The folder is built beside ``output`` and renamed, so a half-written model never stands under the final name.
    :func:`rewriter.model.directory.seal` makes it a model directory.

    Args:
        encoder_dir: a ``BertModel`` saved by transformers (``config.json``, ``model.safetensors``).
        head: ``outcomes`` (names), ``weight`` of shape (outcomes, hidden) and ``bias`` of shape (outcomes,).
        pieces: the SentencePiece model whose ids the encoder reads.
        output: the folder to write; an earlier one is replaced.
        quantization: one of :data:`QUANTIZATIONS`.

    Returns:
        ``output``.

    Raises:
        UsageError: an unknown quantisation.
        InputError: the parts do not fit each other.
        MissingExtraError: torch or transformers is not installed.
    """
    if quantization not in QUANTIZATIONS:
        raise UsageError(f"unknown quantization '{quantization}'; known: {', '.join(QUANTIZATIONS)}")
    require("torch", extra="train")
    transformers = require("transformers", extra="train")
    with quiet_libraries():  # an encoder without a pooling layer gets a random one, which _spec leaves out again
        model = transformers.BertModel.from_pretrained(str(encoder_dir), use_safetensors=True).eval()
    vocabulary = _vocabulary(pieces)
    _check_fit(model.config, len(vocabulary), head)
    temporary = output.with_name(f".{output.name}.tmp")
    shutil.rmtree(temporary, ignore_errors=True)
    temporary.mkdir(parents=True)
    try:
        spec = _spec(model, vocabulary)
        spec.validate()
        spec.optimize(quantization=None if quantization == "float32" else quantization)
        spec.save(str(temporary))
        _write_head(head, temporary / "head.json")
        shutil.copyfile(pieces, temporary / "pieces.model")
        shutil.rmtree(output, ignore_errors=True)
        temporary.replace(output)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
    return output


def _vocabulary(pieces: Path) -> list[str]:
    import sentencepiece

    processor = sentencepiece.SentencePieceProcessor(model_file=str(pieces))
    return [processor.id_to_piece(i) for i in range(processor.get_piece_size())]


def _check_fit(config: Any, vocabulary_size: int, head: Mapping[str, Any]) -> None:
    if config.vocab_size != vocabulary_size:
        raise InputError(
            f"the encoder has {config.vocab_size} pieces, the SentencePiece model {vocabulary_size}; take the "
            "pieces.model that the encoder was trained with"
        )
    expected = (len(head["outcomes"]), config.hidden_size)
    shape = np.asarray(head["weight"]).shape
    if shape != expected or np.asarray(head["bias"]).shape != expected[:1]:
        raise InputError(f"the head's weight has shape {shape}, encoder and outcomes need {expected}")


def _spec(model: Any, vocabulary: Sequence[str]) -> Any:
    """Return the CTranslate2 specification of a ``BertModel``.

    The specification is built directly: the ready converter wants a tokenizer's files, which an encoder over our own
    pieces does not have. The pooling layer is left out; edits read the encoding of single pieces.
    """
    load_ctranslate2(converters=True)
    from ctranslate2.converters.transformers import BertLoader

    # transformers 5 has no such field any more, CTranslate2 4.8 still asks for it
    model.config.position_embedding_type = "absolute"
    spec = BertLoader().get_model_spec(model)
    del spec.pooler_dense, spec.pooler_activation
    spec.register_vocabulary(list(vocabulary))
    spec.config.unk_token = vocabulary[1]
    spec.config.layer_norm_epsilon = model.config.layer_norm_eps
    return spec


def _write_head(head: Mapping[str, Any], path: Path) -> None:
    weight, bias = (np.asarray(head[key], dtype=np.float32) for key in ("weight", "bias"))
    # nine significant digits bring every float32 back exactly
    numbers = {
        "weight": [[float(f"{x:.9g}") for x in row] for row in weight],
        "bias": [float(f"{x:.9g}") for x in bias],
    }
    rest = {key: value for key, value in head.items() if key not in numbers}
    write_json(path, json.loads(json.dumps({**rest, **numbers})))
