"""Where fine-tuning of an edit model starts: the weights of an exported model or of a training run, as floats.

An exported model holds int8 weights; turned back into floats they carry the rounding of the export, which a few
hundred updates mend. A training run's folder holds the floats themselves.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from rewriter.errors import ModelError
from rewriter.model.piece_table import PieceTable
from train.export.dequantize import Array, linear, matrix, norm, read_variables

SPEC = "TransformerEncoderSpec"
PIECES, HEAD = "pieces.model", "head.json"


def write_start(init: Path, output: Path, *, layers: int = 0) -> None:
    """Make an encoder folder (``pieces.model``, ``encoder/``, ``head.json``) that training starts from.

    Args:
        init: an exported edit model, or the folder ``edits`` of a run (its vocabulary lies in ``encoder`` beside it).
        output: the folder to write into.
        layers: how many layers are kept, from the first on; 0 for all.

    Raises:
        ModelError: ``init`` is neither, or has fewer layers.
    """
    output.mkdir(parents=True, exist_ok=True)
    if (init / "encoder" / "model.safetensors").is_file():
        pieces = next((p for p in (init / PIECES, init.parent / "encoder" / PIECES) if p.is_file()), None)
        if pieces is None or not (init / HEAD).is_file():
            raise ModelError(f"{init}: the vocabulary {PIECES} or {HEAD} of this training run is missing")
        shutil.copytree(init / "encoder", output / "encoder", dirs_exist_ok=True)
        shutil.copyfile(pieces, output / PIECES)
    elif (init / "model.bin").is_file() and (init / HEAD).is_file():
        shutil.copyfile(init / PIECES, output / PIECES)
        load_exported_encoder(init).save_pretrained(output / "encoder")
    else:
        raise ModelError(
            f"{init}: is no edit model to start from; pass a model directory or the folder 'edits' of a run"
        )
    shutil.copyfile(init / HEAD, output / HEAD)
    if layers:
        _keep_layers(output / "encoder", layers)


def _keep_layers(folder: Path, layers: int) -> None:
    """Cut the layers behind the first ``layers`` off an encoder, in place."""
    import transformers

    model = transformers.BertModel.from_pretrained(folder, add_pooling_layer=False)
    if layers > model.config.num_hidden_layers:
        raise ModelError(f"init_layers: {layers}, but the model to start from has {model.config.num_hidden_layers}")
    model.encoder.layer = model.encoder.layer[:layers]
    model.config.num_hidden_layers = layers
    model.save_pretrained(folder)


def load_exported_encoder(folder: Path) -> Any:
    """Return a float ``BertModel`` with the weights of an exported edit model.

    Raises:
        ModelError: the model is damaged or of another kind.
    """
    import torch
    import transformers

    variables = read_variables(folder / "model.bin", spec=SPEC)
    model = transformers.BertModel(_config(variables, PieceTable.load(folder / PIECES).size))
    with torch.no_grad():
        for name, array in _named(variables, model.config.num_hidden_layers):
            model.get_parameter(name).copy_(torch.from_numpy(np.ascontiguousarray(array)))
    return model


def _config(variables: Mapping[str, Array], size: int) -> Any:
    import transformers

    table = variables["encoder/embeddings_0/weight"]
    if len(table) != size:
        raise ModelError(f"the model has {len(table)} pieces, its vocabulary {size}; copy the model again")
    return transformers.BertConfig(
        vocab_size=size,
        hidden_size=table.shape[1],
        num_hidden_layers=sum(n.endswith("/ffn/linear_0/weight") for n in variables),
        num_attention_heads=int(variables["encoder/num_heads"]),
        intermediate_size=len(variables["encoder/layer_0/ffn/linear_0/weight"]),
        max_position_embeddings=len(variables["encoder/position_encodings/encodings"]),
        type_vocab_size=len(variables["encoder/embeddings_1/weight"]),
        pad_token_id=0,
        hidden_dropout_prob=0.0,
        attention_probs_dropout_prob=0.0,
        attn_implementation="eager",
    )


def _named(variables: Mapping[str, Array], layers: int) -> Iterator[tuple[str, Array]]:
    """Yield the weights under their names in BertModel."""
    yield "embeddings.word_embeddings.weight", matrix(variables, "encoder/embeddings_0/weight")
    yield "embeddings.token_type_embeddings.weight", matrix(variables, "encoder/embeddings_1/weight")
    yield "embeddings.position_embeddings.weight", matrix(variables, "encoder/position_encodings/encodings")
    yield from norm(variables, "encoder/layernorm_embedding", "embeddings.LayerNorm")
    for n in range(layers):
        old, new = f"encoder/layer_{n}", f"encoder.layer.{n}"
        queries = [f"{new}.attention.self.{part}" for part in ("query", "key", "value")]
        yield from linear(variables, f"{old}/self_attention/linear_0", queries)
        yield from linear(variables, f"{old}/self_attention/linear_1", [f"{new}.attention.output.dense"])
        yield from norm(variables, f"{old}/self_attention/layer_norm", f"{new}.attention.output.LayerNorm")
        yield from linear(variables, f"{old}/ffn/linear_0", [f"{new}.intermediate.dense"])
        yield from linear(variables, f"{old}/ffn/linear_1", [f"{new}.output.dense"])
        yield from norm(variables, f"{old}/ffn/layer_norm", f"{new}.output.LayerNorm")
