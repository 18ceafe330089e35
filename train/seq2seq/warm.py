"""A sequence-to-sequence model that begins from a pretrained encoder. Needs torch; imported lazily.

BART's shape (Lewis et al. 2020: learned positions, normalised embeddings, GELU, normalisation behind each part) is that
of BERT layer for layer, so BERT's states are kept exactly: the token type, which is the same everywhere here, is added
to the positions. The decoder begins with copies of the encoder's first layers (Rothe et al. 2020, section 3.2); the
attention to the source, which BERT does not have, is new. CTranslate2 reads the shape; what :mod:`train.seq2seq.marian`
says of padding holds here too.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from safetensors.numpy import load_file
from torch import Tensor
from transformers import BartConfig

from rewriter.errors import ModelError
from train.encoder.pretrained import CONFIG, TOKENIZER, WEIGHTS, Unigram
from train.seq2seq.marian import BartRewriter, protect_padding
from train.seq2seq.tokenizer import PieceEncoder

#: BERT's activations that CTranslate2 and transformers compute alike
_ACTIVATIONS = ("gelu", "relu")
#: positions of BART's table that stand before the first one
OFFSET = 2
_PARTS = {
    "self_attn.q_proj": "attention.self.query",
    "self_attn.k_proj": "attention.self.key",
    "self_attn.v_proj": "attention.self.value",
    "self_attn.out_proj": "attention.output.dense",
    "self_attn_layer_norm": "attention.output.LayerNorm",
    "fc1": "intermediate.dense",
    "fc2": "output.dense",
    "final_layer_norm": "output.LayerNorm",
}


@dataclass(frozen=True)
class WarmShape:
    """Shape of a pretrained encoder.

    Attributes:
        layers: how many it has.
        width: of embeddings and layers.
        inside: width of the feed-forward part.
        heads: attention heads.
        positions: longest input.
        activation: of the feed-forward part.
    """

    layers: int
    width: int
    inside: int
    heads: int
    positions: int
    activation: str

    @classmethod
    def read(cls, folder: Path) -> WarmShape:
        """Read the shape of a Hugging Face folder.

        Raises:
            ModelError: the network is of another kind than BERT's, or its activation is another.
        """
        found = json.loads((folder / CONFIG).read_text(encoding="utf-8"))
        if found.get("model_type") != "bert":
            raise ModelError(f"{folder}: a network of the kind '{found.get('model_type')}'; only 'bert' can be read")
        if found["hidden_act"] not in _ACTIVATIONS:
            raise ModelError(f"{folder}: its activation '{found['hidden_act']}' is none of {', '.join(_ACTIVATIONS)}")
        return cls(
            layers=int(found["num_hidden_layers"]),
            width=int(found["hidden_size"]),
            inside=int(found["intermediate_size"]),
            heads=int(found["num_attention_heads"]),
            positions=int(found["max_position_embeddings"]),
            activation=str(found["hidden_act"]),
        )


def warm_config(
    shape: WarmShape, encoder: PieceEncoder, *, encoder_layers: int, decoder_layers: int, dropout: float = 0.0
) -> BartConfig:
    """Return the configuration of a model in the shape of a pretrained encoder.

    Raises:
        ModelError: it has fewer layers than are asked for.
    """
    if max(encoder_layers, decoder_layers) > shape.layers:
        raise ModelError(
            f"encoder_layers={encoder_layers} and decoder_layers={decoder_layers}, but the pretrained encoder has "
            f"{shape.layers} layers to begin from"
        )
    sides: dict[str, Any] = {}
    for side, layers in (("encoder", encoder_layers), ("decoder", decoder_layers)):
        sides |= {f"{side}_layers": layers, f"{side}_ffn_dim": shape.inside, f"{side}_attention_heads": shape.heads}
    return BartConfig(
        **sides,
        d_model=shape.width,
        vocab_size=encoder.size + 1,
        max_position_embeddings=shape.positions,
        activation_function=shape.activation,
        dropout=dropout,
        attention_dropout=0.0,
        activation_dropout=0.0,
        scale_embedding=False,
        tie_word_embeddings=True,
        pad_token_id=encoder.pad,
        decoder_start_token_id=encoder.pad,
        eos_token_id=encoder.eos,
        bos_token_id=None,
        forced_eos_token_id=None,
        forced_bos_token_id=None,
    )


def build_warm_model(config: BartConfig, encoder: PieceEncoder, start: Path) -> BartRewriter:
    """Make a model whose encoder gives the states of a pretrained one; what is new comes from torch's global generator.

    Args:
        config: see :func:`warm_config`.
        encoder: the vocabulary, cut from the pretrained one (:mod:`train.seq2seq.warm_vocabulary`).
        start: folder of the pretrained encoder.

    Raises:
        ModelError: weights are missing, or the vocabulary was not cut from this encoder's.
    """
    model = BartRewriter(config)
    _initialise(model)
    stored = _stored(start)
    try:
        with torch.no_grad():
            for name, weight in _named(stored, config):
                model.get_parameter(name).copy_(weight)
            _fill_vectors(model, stored["embeddings.word_embeddings.weight"], encoder, start)
    except KeyError as error:
        raise ModelError(f"{start / WEIGHTS}: holds no {error}, so it is no BERT encoder") from None
    return protect_padding(model)


@torch.no_grad()
def _initialise(model: BartRewriter) -> None:
    """Draw what is new as in the other shape (Glorot and Bengio 2010)."""
    for name, parameter in model.named_parameters():
        if parameter.dim() == 2 and "embed" not in name and "shared" not in name:
            torch.nn.init.xavier_uniform_(parameter)


def _stored(start: Path) -> dict[str, Tensor]:
    """Return the weights of a pretrained folder as floats, without the prefix that some are stored under."""
    try:
        arrays = load_file(start / WEIGHTS)
    except Exception as error:  # safetensors raises its own type, OSError or ValueError
        raise ModelError(f"{start / WEIGHTS}: weights cannot be read ({error})") from None
    return {name.removeprefix("bert."): torch.from_numpy(array).float() for name, array in arrays.items()}


def _named(stored: Mapping[str, Tensor], config: BartConfig) -> Iterator[tuple[str, Tensor]]:
    """Yield pretrained weights under their names in BART."""
    types = stored["embeddings.token_type_embeddings.weight"][0]
    positions = stored["embeddings.position_embeddings.weight"] + types
    for side, layers in (("encoder", config.encoder_layers), ("decoder", config.decoder_layers)):
        unused = torch.zeros(OFFSET, positions.shape[1])
        yield f"model.{side}.embed_positions.weight", torch.cat([unused, positions])
        for part in ("weight", "bias"):
            yield f"model.{side}.layernorm_embedding.{part}", stored[f"embeddings.LayerNorm.{part}"]
            for layer in range(layers):
                for new, old in _PARTS.items():
                    yield f"model.{side}.layers.{layer}.{new}.{part}", stored[f"encoder.layer.{layer}.{old}.{part}"]


def _fill_vectors(model: BartRewriter, vectors: Tensor, encoder: PieceEncoder, start: Path) -> None:
    """Give each piece its pretrained vector; new ones (bytes) are drawn with the mean and deviation of the others."""
    numbers = {piece: n for n, (piece, _) in enumerate(Unigram.load(start / TOKENIZER).pieces)}
    table = model.get_input_embeddings().weight
    rows = {row: numbers[piece] for piece, row in encoder.vocabulary().items() if piece in numbers}
    foreign = [piece for piece in encoder.vocabulary() if piece not in numbers and not piece.startswith("<0x")]
    if foreign:
        raise ModelError(
            f"{encoder.path}: {len(foreign)} of its pieces ('{foreign[0]}' ...) are no pieces of {start}; a model that "
            "begins from a pretrained encoder needs a vocabulary that is cut from the encoder's"
        )
    known = vectors[list(rows.values())]
    table.normal_().mul_(known.std(0)).add_(known.mean(0))
    table[list(rows)] = known
