"""The way back: float weights from an exported CTranslate2 model, to fine-tune a model of which nothing else is left.

The layout of ``model.bin`` (binary version 6) is that of ``ModelSpec._serialize`` in CTranslate2's converters: a
header, then name, shape, type and bytes of every variable, then the names that share a variable. Integer weights were
made row by row as ``round(weight * scale)``; dividing brings them back up to rounding.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import numpy as np

from rewriter.errors import ModelError
from train.seq2seq.tokenizer import PieceEncoder

if TYPE_CHECKING:
    from train.seq2seq.marian import Seq2SeqModel

BINARY_VERSION = 6
SPEC = "TransformerSpec"
_TYPES = {0: "<f4", 1: "<i1", 2: "<i2", 3: "<i4", 4: "<f2", 5: "<u2"}
#: bfloat16 has no numpy type: the upper half of a float32
_BFLOAT16 = 5
_EMBEDDING_NORM = "layernorm_embedding"
#: positions of BART's table that stand before the first one, and that the converter drops
_OFFSET = 2
Array = np.ndarray[Any, Any]


def read_variables(path: Path, *, spec: str = SPEC) -> dict[str, Array]:
    """Return the variables of a CTranslate2 model, shared ones under each of their names.

    Args:
        path: ``model.bin``.
        spec: kind of model that it must be.

    Raises:
        ModelError: the file is missing or truncated, of another version or another kind.
    """
    try:
        with path.open("rb") as stream:
            version, found = _number(stream, "I"), _text(stream)
            if version != BINARY_VERSION or found != spec:
                raise ModelError(
                    f"{path}: is a '{found}' in binary version {version}; only '{spec}' in version {BINARY_VERSION} "
                    "can be turned back into float weights: pass the training run's output folder instead"
                )
            _number(stream, "I")  # the revision of the specification
            variables = dict(_variable(stream) for _ in range(_number(stream, "I")))
            for _ in range(_number(stream, "I")):
                alias, name = _text(stream), _text(stream)
                variables[alias] = variables[name]
    except (OSError, EOFError, UnicodeDecodeError, KeyError, struct.error) as error:
        raise ModelError(f"{path}: cannot be read as a CTranslate2 model ({error})") from None
    return variables


def load_exported(folder: Path, encoder: PieceEncoder) -> Seq2SeqModel:
    """Return a float model with the weights of an exported sequence-to-sequence model.

    Args:
        folder: directory with ``model.bin``.
        encoder: its vocabulary.

    Raises:
        ModelError: see :func:`read_variables`; or the vocabulary is another one.
    """
    import torch

    variables = read_variables(folder / "model.bin")
    warm = f"encoder/{_EMBEDDING_NORM}/gamma" in variables
    if (
        variables["decoder/pre_norm"]
        or (variables["encoder/activation"] and not warm)
        or not variables["decoder/start_from_zero_embedding"]
    ):
        raise ModelError(
            f"{folder}: was not made by this toolkit (pre-norm, no ReLU, or another decoder start); start from a float "
            "checkpoint"
        )
    # The tables of encoder, decoder and output are one; the names of the others carry no scale.
    table = matrix(variables, "decoder/embeddings/weight")
    if len(table) != encoder.size:
        raise ModelError(
            f"{folder}: has {len(table)} pieces, {encoder.path} has {encoder.size}; pass the model's own vocabulary"
        )
    model = _empty(variables, encoder, warm=warm)
    with torch.no_grad():
        for name, array in _named(variables, model.config, table):
            model.get_parameter(name).copy_(torch.from_numpy(np.ascontiguousarray(array)))
    return model


def _empty(variables: Mapping[str, Array], encoder: PieceEncoder, *, warm: bool) -> Seq2SeqModel:
    """Return a model of the variables' shape, whose weights are yet to come."""
    from train.seq2seq.marian import BartRewriter, build_model, protect_padding
    from train.seq2seq.warm import WarmShape, warm_config

    shape = _shape(variables)
    if not warm:
        return build_model({**shape, "max_position_embeddings": 1024}, encoder)
    found = WarmShape(
        layers=max(shape["encoder_layers"], shape["decoder_layers"]),
        width=shape["d_model"],
        inside=shape["encoder_ffn_dim"],
        heads=shape["encoder_attention_heads"],
        positions=len(variables["encoder/position_encodings/encodings"]),
        activation="gelu" if variables["encoder/activation"] else "relu",
    )
    layers = {key: shape[key] for key in ("encoder_layers", "decoder_layers")}
    return protect_padding(BartRewriter(warm_config(found, encoder, **layers)))


def _number(stream: IO[bytes], kind: str) -> int:
    return int(struct.unpack(kind, _bytes(stream, struct.calcsize(kind)))[0])


def _text(stream: IO[bytes]) -> str:
    return _bytes(stream, _number(stream, "H"))[:-1].decode("utf-8")


def _bytes(stream: IO[bytes], count: int) -> bytes:
    data = stream.read(count)
    if len(data) < count:
        raise EOFError("the file ends too early")
    return data


def _variable(stream: IO[bytes]) -> tuple[str, Array]:
    name = _text(stream)
    shape = [_number(stream, "I") for _ in range(_number(stream, "B"))]
    kind = _number(stream, "B")
    data = np.frombuffer(_bytes(stream, _number(stream, "I")), np.dtype(_TYPES[kind]))
    if kind == _BFLOAT16:
        data = (data.astype(np.uint32) << 16).view(np.float32)
    return name, data.reshape(shape)


def matrix(variables: Mapping[str, Array], name: str) -> Array:
    """Return a weight as float32, scaled back where it is an integer."""
    array = variables[name].astype(np.float32)
    scale = variables.get(f"{name}_scale")
    return array if scale is None else array / scale.astype(np.float32).reshape(-1, *[1] * (array.ndim - 1))


def _shape(variables: Mapping[str, Array]) -> dict[str, Any]:
    """Return the keys of MarianConfig that the variables tell."""
    count = {side: sum(n.startswith(f"{side}/layer_") and n.endswith("/ffn/linear_0/weight") for n in variables)
             for side in ("encoder", "decoder")}  # fmt: skip
    wide, width = variables["encoder/layer_0/ffn/linear_0/weight"].shape
    heads = int(variables["encoder/num_heads"])
    shape: dict[str, Any] = {"d_model": width}
    for side in ("encoder", "decoder"):
        shape |= {f"{side}_layers": count[side], f"{side}_ffn_dim": wide, f"{side}_attention_heads": heads}
    return shape


def _named(variables: Mapping[str, Array], config: Any, table: Array) -> Iterator[tuple[str, Array]]:
    """Yield the weights under their names in MarianMTModel."""
    yield "model.shared.weight", np.vstack([table, np.zeros((1, table.shape[1]), np.float32)])
    for side, layers in (("encoder", config.encoder_layers), ("decoder", config.decoder_layers)):
        yield from _embeddings(variables, side)
        for n in range(layers):
            old, new = f"{side}/layer_{n}", f"model.{side}.layers.{n}"
            yield from _attention(variables, f"{old}/self_attention", f"{new}.self_attn", ("qkv", "o"))
            if side == "decoder":
                yield from _attention(variables, f"{old}/attention", f"{new}.encoder_attn", ("q", "kv", "o"))
            yield from linear(variables, f"{old}/ffn/linear_0", [f"{new}.fc1"])
            yield from linear(variables, f"{old}/ffn/linear_1", [f"{new}.fc2"])
            yield from norm(variables, f"{old}/ffn/layer_norm", f"{new}.final_layer_norm")


def _embeddings(variables: Mapping[str, Array], side: str) -> Iterator[tuple[str, Array]]:
    """Yield what a model that began from a pretrained encoder has beside its table: positions and a normalisation."""
    if f"{side}/{_EMBEDDING_NORM}/gamma" not in variables:
        return
    table = matrix(variables, f"{side}/position_encodings/encodings")
    yield f"model.{side}.embed_positions.weight", np.vstack([np.zeros((_OFFSET, table.shape[1]), np.float32), table])
    yield from norm(variables, f"{side}/{_EMBEDDING_NORM}", f"model.{side}.layernorm_embedding")


def _attention(
    variables: Mapping[str, Array], old: str, new: str, fused: tuple[str, ...]
) -> Iterator[tuple[str, Array]]:
    names = {"q": "q_proj", "k": "k_proj", "v": "v_proj", "o": "out_proj"}
    for n, letters in enumerate(fused):
        yield from linear(variables, f"{old}/linear_{n}", [f"{new}.{names[letter]}" for letter in letters])
    yield from norm(variables, f"{old}/layer_norm", f"{new}_layer_norm")


def linear(variables: Mapping[str, Array], old: str, new: list[str]) -> Iterator[tuple[str, Array]]:
    """Yield weight and bias of layers that the converter put on top of each other."""
    for part in ("weight", "bias"):
        for name, array in zip(new, np.split(matrix(variables, f"{old}/{part}"), len(new)), strict=True):
            yield f"{name}.{part}", array


def norm(variables: Mapping[str, Array], old: str, new: str) -> Iterator[tuple[str, Array]]:
    """Yield gain and bias of a layer normalisation."""
    for ours, theirs in (("weight", "gamma"), ("bias", "beta")):
        yield f"{new}.{ours}", matrix(variables, f"{old}/{theirs}")
