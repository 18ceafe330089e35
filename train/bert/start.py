"""Training that begins from the weights of a BERT that is there: its vocabulary, its weights.

A folder is what ``train bert`` or transformers leave: ``config.json``, safetensors, the files of a tokenizer.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from eval.pretrained import first_line, hide_bars
from rewriter.errors import ModelError
from rewriter.installation.extras import require
from rewriter.io.files import read_json
from train.bert.shape import CONFIG, WEIGHTS

_VOCABULARIES = ("tokenizer.json", "vocab.txt")


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
        tokenizer = transformers.BertTokenizerFast.from_pretrained(str(folder))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ModelError(f"{folder}: its tokenizer cannot be loaded ({first_line(error)})") from None
    if None in (tokenizer.mask_token_id, tokenizer.cls_token_id, tokenizer.sep_token_id):
        raise ModelError(f"{folder}: its tokenizer lacks one of [MASK], [CLS], [SEP]; it is none of a BERT")
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


def start_model(folder: Path, tokenizer: Any, *, dropout: float) -> Any:
    """Return the network of a start with its weights, to be trained on; optimiser and schedule are no part of it.

    Args:
        folder: of the start.
        tokenizer: with which the corpus was packed.
        dropout: of hidden layers and attention.

    Raises:
        ModelError: weights are missing or damaged, or the corpus was packed with another vocabulary.
    """
    check_vocabulary(folder, tokenizer)
    torch = require("torch", extra="train")
    from train.bert.trainer import MaskedBert

    hide_bars()
    rates = {"hidden_dropout_prob": dropout, "attention_probs_dropout_prob": dropout}
    try:
        model, found = MaskedBert.from_pretrained(
            str(folder), use_safetensors=True, output_loading_info=True, dtype=torch.float32, **rates
        )
    except Exception as error:  # safetensors has an error of its own for damaged files
        raise ModelError(f"{folder}: its weights cannot be loaded ({first_line(error)})") from None
    missing = [key for key in found["missing_keys"] if not key.startswith("cls.predictions.decoder.")]
    wrong = sorted({*missing, *(str(entry[0]) for entry in found["mismatched_keys"])})
    if wrong:
        raise ModelError(
            f"{folder}: this BERT has no whole masked language model: {_some(wrong)} missing or of another shape"
        )
    return model


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
