"""Export of a trained rewriter as a CTranslate2 directory, and the way back from one to float weights.

The converter of CTranslate2 reads a Marian model's vocabulary from its tokenizer; ours is a SentencePiece model alone,
so a small object stands in for the tokenizer. The converter drops the last vocabulary entry and starts decoding from a
zero vector (:mod:`train.seq2seq.marian`); both are checked here, before anything is written.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rewriter.errors import ModelError, OutputError, UsageError
from rewriter.installation.extras import require
from rewriter.io.files import read_json, read_pairs, write_json
from rewriter.model.directory import ModelInfo, seal
from rewriter.model.seq2seq import POSITIONS
from train.export.changes import learn_changes
from train.seq2seq.config import CHECKPOINT, find_weights
from train.seq2seq.tokenizer import MODEL_FILE, PieceEncoder, find_pairs

if TYPE_CHECKING:
    from train.seq2seq.marian import Seq2SeqModel

__all__ = ["export_seq2seq"]

#: kinds of weights that CTranslate2 stores
QUANTIZATIONS = ("int8", "int8_float32", "int8_float16", "int8_bfloat16", "int16", "float16", "bfloat16", "float32")


def export_seq2seq(
    *,
    checkpoint: Path,
    tokenizer: Path,
    output: Path,
    quantization: str = "int8",
    info: ModelInfo | None = None,
    keep_checkpoint: bool = False,
    pairs: Path | None = None,
) -> Path:
    """Convert a float checkpoint into a directory that the rewriter loads; it appears whole or not at all.

    Args:
        checkpoint: output folder of :func:`train.seq2seq.train_seq2seq`, or its ``checkpoint`` folder.
        tokenizer: ``sentencepiece.model`` or a folder that holds it.
        output: the directory to make; one that exists is replaced.
        quantization: one of QUANTIZATIONS.
        info: seal the directory with ``rewriter.json`` and model card; without, that is left to the caller.
        keep_checkpoint: put the float checkpoint beside the model, for exact fine-tuning.
        pairs: file or folder of the pairs that a rewriter was trained on; what they change is listed beside the model,
            for the guard ``learned``.

    Returns:
        ``output``.

    Raises:
        UsageError: an unknown quantization.
        InputError: the pairs cannot be read.
        ModelError: the checkpoint is missing, damaged, does not fit the vocabulary, or its padding row is not zero.
        OutputError: the directory cannot be written.
    """
    if quantization not in QUANTIZATIONS:
        raise UsageError(f"unknown quantization '{quantization}'; known: {', '.join(QUANTIZATIONS)}")
    for module in ("torch", "transformers"):
        require(module, extra="train")
    from train.seq2seq.marian import load_checkpoint

    encoder = PieceEncoder(tokenizer)
    folder = find_weights(checkpoint)
    model = load_checkpoint(folder)
    _check(model, encoder, folder)
    with whole_or_not(output) as temporary:
        _convert(model, encoder, temporary, quantization)
        config = read_json(temporary / "config.json")
        write_json(temporary / "config.json", {**config, POSITIONS: model.config.max_position_embeddings})
        shutil.copyfile(encoder.path, temporary / MODEL_FILE)
        if keep_checkpoint:
            shutil.copytree(folder, temporary / CHECKPOINT)
        if pairs is not None:
            learn_changes(read_pairs(find_pairs(pairs, "train"))).save(temporary)
        if info is not None:
            seal(temporary, info)
    return output


@contextmanager
def whole_or_not(output: Path) -> Iterator[Path]:
    """Give a temporary folder that takes the place of ``output`` when nothing went wrong, and is removed otherwise."""
    temporary = output.with_name(f".{output.name}.{os.getpid()}.tmp")
    try:
        shutil.rmtree(temporary, ignore_errors=True)
        output.parent.mkdir(parents=True, exist_ok=True)
        yield temporary
        shutil.rmtree(output, ignore_errors=True)
        temporary.rename(output)
    except OSError as error:
        raise OutputError(f"{output}: cannot be written ({error.strerror or error})") from None
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def _check(model: Seq2SeqModel, encoder: PieceEncoder, folder: Path) -> None:
    """Refuse what would convert without a complaint and answer wrongly."""
    own = folder / MODEL_FILE
    same = PieceEncoder(own).digest() == encoder.digest() if own.exists() else True
    if not same or model.config.vocab_size != encoder.size + 1 or model.config.pad_token_id != encoder.pad:
        raise ModelError(
            f"{folder}: was trained with another vocabulary than {encoder.path} (its table has "
            f"{model.config.vocab_size} rows, <pad> as number {model.config.pad_token_id}; this one makes "
            f"{encoder.size + 1} with <pad> as the last)"
        )
    # load_checkpoint zeroes the row in memory, so the stored one is what tells.
    stored = require("safetensors.numpy", extra="train").load_file(folder / "model.safetensors")
    if stored["model.shared.weight"][encoder.pad].any():
        raise ModelError(
            f"{folder}: the embedding of <pad> is not zero; CTranslate2 would start from another vector than training"
        )


def _convert(model: Seq2SeqModel, encoder: PieceEncoder, output: Path, quantization: str) -> None:
    converters = require("ctranslate2.converters", extra="train")

    class Converter(converters.TransformersConverter):  # type: ignore[name-defined]
        """The converter with a model and a vocabulary that are loaded already."""

        def _load(self) -> Any:
            torch = require("torch", extra="train")
            with torch.no_grad():
                return _loader(model)(model.eval(), _Vocabulary(encoder))

    Converter(str(output)).convert(str(output), quantization=quantization)


def _loader(model: Seq2SeqModel) -> Any:
    """Return what reads a model's weights: both shapes start decoding from a zero vector and do without ``<pad>``."""
    from ctranslate2.converters.transformers import BartLoader, MarianMTLoader

    if model.config.model_type == "marian":
        return MarianMTLoader()

    class Loader(MarianMTLoader):
        """Marian's vocabulary and start, BART's normalised embeddings."""

        def get_model_spec(self, model: Any) -> Any:
            model.config.normalize_before = False
            spec = BartLoader.get_model_spec(self, model)
            self._remove_pad_weights(spec)
            return spec

    return Loader()


class _Vocabulary:
    """What the converter asks of a tokenizer."""

    bos_token = "<s>"
    eos_token = "</s>"
    unk_token = "<unk>"

    def __init__(self, encoder: PieceEncoder) -> None:
        self._encoder = encoder

    def get_vocab(self) -> dict[str, int]:
        """Return piece -> id, ``<pad>`` last, which the converter takes away."""
        return self._encoder.vocabulary()
