"""The Marian-type encoder-decoder: building, loss, greedy answers, float checkpoints. Needs torch; imported lazily.

The model that begins from a pretrained encoder (:mod:`train.seq2seq.warm`) is of another shape; loss, padding, answers
and checkpoints are the same and stand here.

Two facts of the conversion to CTranslate2 decide what stands here. It drops the last vocabulary entry as padding and
starts decoding from a *zero* vector, so ``<pad>`` is the last id, starts the decoder, and its embedding row must be
and stay zero. With tied embeddings the output layer would send gradient into that row; here the padding entry takes no
part in the softmax (:meth:`Seq2SeqModel.forward`), a hook masks what might still arrive, and weight decay leaves a zero
row zero.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.numpy import load_file
from torch import Tensor
from torch.nn import functional
from transformers import BartConfig, BartForConditionalGeneration, MarianConfig, MarianMTModel

from rewriter.errors import ModelError
from rewriter.io.files import atomic_write, read_json
from train.seq2seq.alignment import UNALIGNED, Aligner
from train.seq2seq.batching import EncodedPairs, Ids, is_borrowed
from train.seq2seq.tokenizer import MODEL_FILE, PieceEncoder

#: label of positions that do not count in the loss
IGNORED = -100
#: attention is not less, so that its logarithm is finite
_LEAST = 1e-6
WEIGHTS = "model.safetensors"


@dataclass(frozen=True)
class Guide:
    """Guided alignment (Chen et al. 2016, section 3): the last layer's attention to the source learns where to look.

    Attributes:
        places: of the source piece that each label answers to, shape (batch, time); UNALIGNED for none.
        weight: of the loss.
    """

    places: Tensor
    weight: float

    def loss(self, attention: Tensor, counted: Tensor) -> Tensor:
        """Return the summed cross-entropy of the mean over the heads.

        Args:
            attention: shape (batch, heads, time, source pieces).
            counted: which labels count, shape (batch, time).
        """
        taught = counted & (self.places != UNALIGNED)
        looked = attention.float().mean(dim=1)[taught]  # (labels, source pieces)
        right = looked.gather(1, self.places[taught].unsqueeze(1))
        return -self.weight * right.clamp_min(_LEAST).log().sum()


class Seq2SeqModel(torch.nn.Module):
    """What both shapes share: a loss that leaves out the padding entry and computes scores only where there is a label.

    It stands before a model of transformers among the bases of a class.
    """

    def forward(  # type: ignore[no-untyped-def]
        self, *args, labels: Tensor | None = None, smoothing: float = 0.0, guide: Guide | None = None, **kwargs
    ) -> Any:
        """Return what the model of transformers returns; with ``labels``, the *summed* cross-entropy instead.

        Args:
            *args: as there.
            labels: ids to predict, IGNORED where nothing is.
            smoothing: label smoothing (Szegedy et al. 2016, section 7).
            guide: where the attention to the source is to look; its loss is added.
            **kwargs: as there; with labels, ``decoder_input_ids`` is among them.
        """
        if labels is None:
            return super().forward(*args, **kwargs)
        found = self.model(*args, use_cache=False, output_attentions=guide is not None, **kwargs)
        counted = labels != IGNORED
        scores = functional.linear(found.last_hidden_state[counted], self.lm_head.weight[:-1])  # (labels, pieces)
        loss = functional.cross_entropy(scores.float(), labels[counted], label_smoothing=smoothing, reduction="sum")
        return loss if guide is None else loss + guide.loss(found.cross_attentions[-1], counted)


class MarianRewriter(Seq2SeqModel, MarianMTModel):
    """The shape of Vaswani et al. 2017: sinusoidal positions, ReLU, normalisation behind each part."""


class BartRewriter(Seq2SeqModel, BartForConditionalGeneration):
    """The shape of BERT in both halves: learned positions, normalised embeddings, GELU (:mod:`train.seq2seq.warm`)."""


def build_model(shape: Mapping[str, Any], encoder: PieceEncoder) -> Seq2SeqModel:
    """Make a model with random weights from torch's global generator.

    Args:
        shape: keys of MarianConfig: layers, d_model, heads, feed-forward size, dropout, max_position_embeddings.
        encoder: the vocabulary.
    """
    config = MarianConfig(
        **shape,
        vocab_size=encoder.size + 1,
        pad_token_id=encoder.pad,
        decoder_start_token_id=encoder.pad,
        eos_token_id=encoder.eos,
        bos_token_id=None,
        # Marian's default is id 0, whatever it is here.
        forced_eos_token_id=None,
        activation_function="relu",
        scale_embedding=True,
        tie_word_embeddings=True,
        share_encoder_decoder_embeddings=True,
    )
    model = MarianRewriter(config)
    _initialise(model)
    return protect_padding(model)


@torch.no_grad()
def _initialise(model: Seq2SeqModel) -> None:
    """Draw weights as fairseq and tensor2tensor do (Glorot and Bengio 2010; embeddings of length one).

    transformers draws everything with a deviation of 0.02, which suits pre-trained sizes: a small model's words would
    drown in the positions, and learning to copy takes several times as long.
    """
    for name, parameter in model.named_parameters():
        if not parameter.requires_grad:
            continue
        if "shared" in name:
            parameter.normal_(std=model.config.d_model**-0.5)
        elif parameter.dim() == 2:
            torch.nn.init.xavier_uniform_(parameter)


def protect_padding(model: Seq2SeqModel) -> Seq2SeqModel:
    """Make the embedding row of ``<pad>`` zero and keep gradient away from it; return the model."""
    weight = model.get_input_embeddings().weight
    with torch.no_grad():
        weight[model.config.pad_token_id].zero_()

    def mask(gradient: Tensor) -> Tensor:
        gradient = gradient.clone()
        gradient[model.config.pad_token_id] = 0
        return gradient

    weight.register_hook(mask)
    # `generate` computes a score for the padding entry too; CTranslate2 does not know it.
    model.generation_config.update(bad_words_ids=[[model.config.pad_token_id]], max_length=None, num_beams=1)
    return model


def padding_is_zero(model: Seq2SeqModel) -> bool:
    """Return True if the embedding row of ``<pad>`` is exactly zero."""
    return not bool(model.get_input_embeddings().weight[model.config.pad_token_id].any())


class Collator:
    """Row numbers of a batch to padded tensors, with ``decoder_input_ids`` made here.

    Label smoothing must see labels and decoder inputs apart: the Trainer's own smoothing takes the labels away before
    the model can shift them.
    """

    def __init__(self, pairs: EncodedPairs, pad: int, *, align: Aligner | None = None) -> None:
        self._pairs, self._pad, self._align = pairs, pad, align

    def __call__(self, rows: Sequence[int]) -> dict[str, Tensor]:
        """Return input_ids, attention_mask, decoder_input_ids and labels; a borrowed row gets no labels.

        ``places`` of :class:`Guide` are among them where there is an aligner.
        """
        numbers = [row if not is_borrowed(row) else -1 - row for row in rows]
        pairs = [self._pairs[number] for number in numbers]
        source = padded([a for a, _ in pairs], self._pad)
        labels = padded([b for _, b in pairs], IGNORED)
        decoder = np.full_like(labels, self._pad)
        decoder[:, 1:] = np.where(labels[:, :-1] == IGNORED, self._pad, labels[:, :-1])
        labels[[is_borrowed(row) for row in rows]] = IGNORED
        tensors = {"input_ids": source, "decoder_input_ids": decoder, "labels": labels}
        if self._align is not None:
            tensors["places"] = padded([self._align(number) for number in numbers], UNALIGNED)
        result = {name: torch.from_numpy(array) for name, array in tensors.items()}
        return {**result, "attention_mask": (result["input_ids"] != self._pad).long()}


def padded(rows: Sequence[NDArray[Any] | Sequence[int]], fill: int) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Return rows of ids as one array, filled up on the right."""
    result = np.full((len(rows), max(map(len, rows))), fill, np.int64)
    for n, row in enumerate(rows):
        result[n, : len(row)] = row
    return result


class RowNumbers(torch.utils.data.Dataset):
    """A dataset whose items are their own (possibly borrowed) numbers; the collator fetches the ids."""

    def __init__(self, size: int) -> None:
        self._size = size

    def __len__(self) -> int:
        return self._size

    def __getitem__(self, row: int) -> int:
        return row


@torch.no_grad()
def answer(
    model: Seq2SeqModel, sources: Sequence[Sequence[int] | Ids], *, tokens: int = 4096, limit: int | None = None
) -> list[list[int]]:
    """Answer encoded sources greedily, ``</s>`` removed, in the given order.

    Args:
        model: in any mode; the mode is kept.
        sources: ids, each ending in ``</s>``.
        tokens: padded source tokens that are answered at once.
        limit: longest answer in ids; by default 50 % and 10 more than the longest source of the batch.
    """
    training = model.training
    model.eval()
    answers: list[list[int]] = [[] for _ in sources]
    eos, most = model.config.eos_token_id, model.config.max_position_embeddings
    for rows in _by_length(sources, tokens):
        ids = torch.from_numpy(padded([sources[n] for n in rows], model.config.pad_token_id)).to(model.device)
        longest = min(limit or ids.shape[1] * 3 // 2 + 10, most - 1)
        mask = (ids != model.config.pad_token_id).long()
        out = model.generate(input_ids=ids, attention_mask=mask, max_new_tokens=longest, do_sample=False)
        for n, row in zip(rows, out[:, 1:].tolist(), strict=True):
            answers[n] = row[: row.index(eos)] if eos in row else [i for i in row if i != model.config.pad_token_id]
    model.train(training)
    return answers


def _by_length(sources: Sequence[Sequence[int] | Ids], tokens: int) -> Iterator[list[int]]:
    rows: list[int] = []
    for n in sorted(range(len(sources)), key=lambda n: len(sources[n])):
        if rows and (len(rows) + 1) * len(sources[n]) > tokens:
            yield rows
            rows = []
        rows.append(n)
    if rows:
        yield rows


def save_weights(model: Seq2SeqModel, path: Path) -> None:
    """Write the trained weights (tied ones once) as one safetensors file, atomically."""
    from safetensors.torch import save

    with atomic_write(path) as stream:
        stream.write(save(weights(model)))


def weights(model: Seq2SeqModel) -> dict[str, Tensor]:
    """Return the trained weights, on the CPU, tied ones once, under their names in transformers."""
    return {name: p.detach().cpu().contiguous() for name, p in model.named_parameters() if p.requires_grad}


def load_weights(model: Seq2SeqModel, path: Path) -> Seq2SeqModel:
    """Put weights of :func:`save_weights` (or of a saved MarianMTModel) into ``model``; return it.

    Raises:
        ModelError: the file is missing or damaged, or holds weights of another shape.
    """
    try:
        stored = load_file(path)
    except Exception as error:  # safetensors raises its own type, OSError or ValueError
        raise ModelError(f"{path}: weights cannot be read ({error})") from None
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if not parameter.requires_grad:
                continue
            if name not in stored or tuple(stored[name].shape) != tuple(parameter.shape):
                found = tuple(stored[name].shape) if name in stored else "none"
                raise ModelError(
                    f"{path}: '{name}' has shape {found}, wanted is {tuple(parameter.shape)}; the weights are those of "
                    "another network"
                )
            parameter.copy_(torch.from_numpy(stored[name]))
    return model


def save_checkpoint(model: Seq2SeqModel, encoder: PieceEncoder, folder: Path) -> None:
    """Write a checkpoint that transformers reads (`AutoModelForSeq2SeqLM`), with the vocabulary beside it."""
    folder.mkdir(parents=True, exist_ok=True)
    is_marian = isinstance(model, MarianMTModel)
    model.config.architectures = ["MarianMTModel" if is_marian else "BartForConditionalGeneration"]
    model.config.dtype = "float32"
    model.config.save_pretrained(folder)
    model.generation_config.save_pretrained(folder)
    save_weights(model, folder / WEIGHTS)
    if encoder.path.resolve() != (folder / MODEL_FILE).resolve():
        shutil.copyfile(encoder.path, folder / MODEL_FILE)


def load_checkpoint(folder: Path) -> Seq2SeqModel:
    """Read a float checkpoint of :func:`save_checkpoint`.

    Raises:
        ModelError: it is missing, damaged or of another kind.
    """
    if not (folder / "config.json").exists():
        raise ModelError(
            f"{folder}: holds no checkpoint (config.json is missing); pass the 'checkpoint' folder of a training run"
        )
    kind = read_json(folder / "config.json").get("model_type")
    if kind not in ("marian", "bart"):
        raise ModelError(f"{folder}: its config.json is that of a '{kind}', not of a model that was trained here")
    try:
        config = (MarianConfig if kind == "marian" else BartConfig).from_pretrained(folder)
    except (OSError, ValueError, TypeError) as error:
        raise ModelError(f"{folder}: its config.json cannot be read ({error})") from None
    model = MarianRewriter(config) if kind == "marian" else BartRewriter(config)
    return load_weights(protect_padding(model), folder / WEIGHTS)
