"""Training that begins from the weights of a BERT that is there: its vocabulary, its weights.

A folder is what ``train bert`` or transformers leave: ``config.json``, safetensors, the files of a tokenizer. An
encoder without a masked language model (a sentence encoder, a classifier) gets one: the transform of Devlin et al. 2019
with random weights, the output tied to the embeddings, its bias the logarithm of the pieces' frequencies in the text.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from eval.pretrained import first_line, hide_bars
from rewriter.errors import ModelError
from rewriter.installation.extras import require
from rewriter.io.files import read_json
from rewriter.model.downloads import loading
from train.bert.packing import Examples, plain_pieces
from train.bert.shape import CONFIG, WEIGHTS
from train.loop.quiet import quiet_libraries

_VOCABULARIES = ("tokenizer.json", "vocab.txt")
#: where the weights of the masked language model stand; those of its decoder are the embeddings
_HEAD, _DECODER = "cls.predictions.", "cls.predictions.decoder."
#: where those stand by which it tells whether a unit follows
_NEXT = ("cls.seq_relationship.", "bert.pooler.")


def weight_files(folder: Path) -> dict[str, Path]:
    """Return the files with the weights by a label, for the identity of a stage."""
    return {f"start {path.name}": path for path in sorted(folder.glob(WEIGHTS))}


def vocabulary_files(folder: Path) -> dict[str, Path]:
    """Return the files of the tokenizer by a label, for the identity of a stage."""
    return {f"start {name}": folder / name for name in _VOCABULARIES if (folder / name).exists()}


def start_tokenizer(folder: Path) -> Any:
    """Return the tokenizer of a start.

    Raises:
        ModelError: it has none, or none that masks.
    """
    transformers = require("transformers", extra="train")
    if not vocabulary_files(folder):
        raise ModelError(f"{folder} holds no tokenizer ({' or '.join(_VOCABULARIES)}); copy the model's own beside it")
    try:
        tokenizer = transformers.AutoTokenizer.from_pretrained(str(folder), **loading(folder))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ModelError(f"{folder}: its tokenizer cannot be loaded ({first_line(error)})") from None
    if None in (tokenizer.mask_token_id, tokenizer.cls_token_id, tokenizer.sep_token_id):
        raise ModelError(f"{folder}: its tokenizer lacks one of [MASK], [CLS], [SEP]; it is none of a BERT")
    if not tokenizer.is_fast:
        raise ModelError(f"{folder}: its tokenizer is a slow one; save it as a fast one (tokenizer.json) and try again")
    return tokenizer


def copy_tokenizer(folder: Path, output: Path) -> int:
    """Leave the tokenizer of a start in ``output``; return how many pieces it has.

    Raises:
        ModelError: there is none, or it has more pieces than the network.
    """
    tokenizer = start_tokenizer(folder)
    rows = int(read_json(folder / CONFIG).get("vocab_size", 0))
    if len(tokenizer) > rows:
        raise ModelError(
            f"{folder}: the vocabulary differs: the tokenizer has {len(tokenizer):,} pieces and the network {rows:,}; "
            "the folder must hold the tokenizer with which this network was trained"
        )
    tokenizer.save_pretrained(output)
    return len(tokenizer)


def start_model(
    folder: Path, tokenizer: Any, *, dropout: float, text: Examples | None = None, next_sentence: bool = False
) -> Any:
    """Return the network of a start with its weights, to be trained on; optimiser and schedule are no part of it.

    An encoder without any masked language model gets a new one; its random weights come from torch's generator.

    Args:
        folder: of the start.
        tokenizer: with which the corpus was packed.
        dropout: of hidden layers and attention.
        text: the packed training text, from whose frequencies a new head begins.
        next_sentence: with the part that tells whether a unit follows; random weights where the start has none.

    Raises:
        ModelError: weights are missing or damaged, or the corpus was packed with another vocabulary.
    """
    check_vocabulary(folder, tokenizer)
    torch = require("torch", extra="train")
    from train.bert.trainer import bert_class

    hide_bars()
    rates = {"hidden_dropout_prob": dropout, "attention_probs_dropout_prob": dropout}
    try:
        with quiet_libraries():  # what is missing is looked at here
            model, found = bert_class(next_sentence=next_sentence).from_pretrained(
                str(folder), use_safetensors=True, output_loading_info=True, dtype=torch.float32, **rates
            )
    except Exception as error:  # safetensors has an error of its own for damaged files
        raise ModelError(f"{folder}: its weights cannot be loaded ({first_line(error)})") from None
    missing = {key for key in found["missing_keys"] if not key.startswith((_DECODER, *_NEXT))}
    if missing == _head_of(model):
        _begin_from_frequencies(model, text)
        missing = set()
    wrong = sorted({*missing, *(str(entry[0]) for entry in found["mismatched_keys"])})
    if wrong:
        raise ModelError(
            f"{folder}: this BERT has no whole masked language model: {_some(wrong)} missing or of another shape"
        )
    return model


def has_head(folder: Path) -> bool:
    """Return True if the weights in a folder hold a masked language model, whole or in part.

    Raises:
        ModelError: the weights are damaged.
    """
    safetensors = require("safetensors", extra="train")
    try:
        for path in folder.glob(WEIGHTS):
            with safetensors.safe_open(path, framework="np") as weights:
                if any(key.startswith(_HEAD) for key in weights.keys()):  # noqa: SIM118 (it is no mapping)
                    return True
    except Exception as error:  # safetensors has an error of its own for damaged files
        raise ModelError(f"{folder}: its weights cannot be loaded ({first_line(error)})") from None
    return False


def _head_of(model: Any) -> set[str]:
    return {key for key in model.state_dict() if key.startswith(_HEAD) and not key.startswith(_DECODER)}


def _begin_from_frequencies(model: Any, text: Examples | None) -> None:
    """Set the output's bias to the logarithm of the frequencies in a text, so that training begins behind them."""
    if text is None:
        return
    torch = require("torch", extra="train")
    bias = model.cls.predictions.bias
    counts = np.bincount(plain_pieces(text), minlength=len(bias)) + 1.0
    with torch.no_grad():
        bias.copy_(torch.from_numpy(np.log(counts / counts.sum())))


def check_vocabulary(folder: Path, tokenizer: Any) -> None:
    """Make sure that a corpus was packed with the tokenizer of a start.

    Raises:
        ModelError: it was not; the message says how many pieces differ, and some of them.
    """
    own, other = start_tokenizer(folder).get_vocab(), tokenizer.get_vocab()
    if own == other:
        return
    differing = sorted(piece for piece in {*own, *other} if own.get(piece) != other.get(piece))
    raise ModelError(
        f"{folder}: the vocabulary differs from that with which the corpus was packed: {len(own):,} and {len(other):,} "
        f"pieces, {len(differing):,} not the same ({_some(differing)}); pack the corpus anew with the start's tokenizer"
    )


def _some(names: Iterable[str]) -> str:
    listed = list(names)
    return ", ".join(listed[:5]) + (" ..." if len(listed) > 5 else "")
