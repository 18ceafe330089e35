"""Language models as the tests ask them: ln p of pieces behind masks, vectors of sentences, ln p of answers."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from tqdm import tqdm

from eval.bootstrap import Floats
from eval.masked_lm import answers_at, answers_everywhere, load_masked_lm
from eval.pretrained import first_line, load_pretrained
from rewriter.errors import ModelError
from rewriter.installation.extras import require
from rewriter.model.downloads import advice, loading

MASKED, CAUSAL = "masked", "causal"
POOLINGS = ("cls", "mean")
#: numbers that a batch's answers may hold, which bounds the memory whatever the vocabulary
_ANSWERS_AT_ONCE = 2**27


class Encoded(NamedTuple):
    """A text in pieces: their ids, where they stand in it (characters), which of them are special."""

    ids: tuple[int, ...]
    offsets: tuple[tuple[int, int], ...]
    special: tuple[bool, ...]

    def inside(self, span: tuple[int, int]) -> list[int]:
        """Return the numbers of the pieces that overlap a span of characters."""
        places = enumerate(zip(self.offsets, self.special, strict=True))
        return [n for n, ((start, end), special) in places if not special and start < span[1] and span[0] < end]


class Question(NamedTuple):
    """A sequence of pieces, the place of a mask in it, and the piece whose ln p is asked for there."""

    ids: tuple[int, ...]
    place: int
    wanted: int


class MaskedModel:
    """A masked language model of the Hugging Face library.

    Args:
        name: folder, or a name on the hub.
        device: ``cpu``, ``cuda`` ...
        batch_size: sequences at a time at most.

    Raises:
        MissingExtraError: torch or transformers are not installed.
        ModelError: there is no such model, it fills no masks, or it has no fast tokenizer.
    """

    def __init__(self, name: str | Path, *, device: str = "cpu", batch_size: int = 64) -> None:
        self.name = str(name)
        self._device, self._batch_size = device, batch_size
        self._torch = require("torch", extra="train")
        self._tokenizer, self._model = load_masked_lm(name, device=device)
        if not getattr(self._tokenizer, "is_fast", False):
            raise ModelError(f"{name}: its tokenizer cannot tell where pieces stand; save it with a fast tokenizer")
        self.mask: str = self._tokenizer.mask_token
        self.mask_id: int = self._tokenizer.mask_token_id
        self.unknown: int | None = self._tokenizer.unk_token_id

    def encode(self, text: str) -> Encoded:
        """Return a text in pieces, with the model's special ones.

        Raises:
            ModelError: the text is longer than the model reads.
        """
        found = self._tokenizer(text, return_offsets_mapping=True, return_special_tokens_mask=True)
        most = getattr(self._model.config, "max_position_embeddings", None) or sys.maxsize
        if len(found["input_ids"]) > most:
            raise ModelError(
                f"{self.name}: it reads {most} pieces, and '{text[:60]} ...' has {len(found['input_ids'])}"
            )
        offsets = tuple((int(start), int(end)) for start, end in found["offset_mapping"])
        return Encoded(tuple(found["input_ids"]), offsets, tuple(bool(s) for s in found["special_tokens_mask"]))

    def masked(self, ids: Sequence[int], places: Sequence[int]) -> tuple[int, ...]:
        """Return the pieces with masks at some places."""
        hidden = set(places)
        return tuple(self.mask_id if n in hidden else piece for n, piece in enumerate(ids))

    def fill(self, text: str, span: tuple[int, int]) -> list[Question]:
        """Return questions for the pieces in a span, all masked at once.

        Raises:
            ModelError: the vocabulary does not hold what stands there.
        """
        encoded = self.encode(text)
        places = encoded.inside(span)
        wanted = [encoded.ids[place] for place in places]
        if not places or self.unknown in wanted:
            raise ModelError(f"{self.name}: its vocabulary does not hold '{text[slice(*span)]}'")
        shown = self.masked(encoded.ids, places)
        return [Question(shown, place, piece) for place, piece in zip(places, wanted, strict=True)]

    def log_p(self, questions: Sequence[Question], *, label: str = "") -> Floats:
        """Return ln p of each question's piece, natural logarithm; equal sequences are computed once."""
        asked = sorted({(question.ids, question.place) for question in questions}, key=lambda key: (len(key[0]), key))
        wanted: dict[tuple[tuple[int, ...], int], dict[int, float]] = {key: {} for key in asked}
        for question in questions:
            wanted[question.ids, question.place][question.wanted] = 0.0
        with tqdm(total=len(asked), disable=not sys.stderr.isatty(), desc=label, unit="seq", file=sys.stderr) as bar:
            for batch, scores in self._answers(asked):
                for key, row in zip(batch, scores, strict=True):
                    wanted[key] = {piece: float(row[piece]) for piece in wanted[key]}
                bar.update(len(batch))
        return np.array([wanted[q.ids, q.place][q.wanted] for q in questions], dtype=np.float64)

    def distributions(self, asked: Sequence[tuple[tuple[int, ...], int]]) -> npt.NDArray[np.float32]:
        """Return p over the vocabulary at each place, shape (asked, pieces)."""
        parts = [np.exp(scores.numpy()) for _, scores in self._answers(asked)]
        return np.concatenate(parts)

    def piece(self, number: int) -> str:
        """Return a piece as text."""
        return str(self._tokenizer.convert_ids_to_tokens(number))

    def vectors(self, texts: Sequence[str], pooling: str) -> Floats:
        """Return a vector of each text: of the last layer, its first piece (``cls``) or the mean of all (``mean``)."""
        torch, rows = self._torch, []
        with torch.inference_mode():
            for start in range(0, len(texts), self._batch_size):
                ids, attention = self._tensors(
                    [self.encode(text).ids for text in texts[start : start + self._batch_size]]
                )
                hidden = self._model.base_model(input_ids=ids, attention_mask=attention).last_hidden_state.double()
                weights = attention.unsqueeze(-1).double()
                chosen = hidden[:, 0] if pooling == "cls" else (hidden * weights).sum(dim=1) / weights.sum(dim=1)
                rows.append(chosen.cpu().numpy())
        return np.concatenate(rows)

    def _answers(self, asked: Sequence[tuple[tuple[int, ...], int]]) -> Iterator[tuple[Any, Any]]:
        """Yield batches and their ln p over the vocabulary, shape (batch, pieces)."""
        torch, start = self._torch, 0
        while start < len(asked):
            everywhere = len(asked[start][0]) if answers_everywhere(self._model) else 1
            room = _ANSWERS_AT_ONCE // (self._model.config.vocab_size * everywhere)
            batch = asked[start : start + max(1, min(self._batch_size, room))]
            ids, attention = self._tensors([ids for ids, _ in batch])
            with torch.inference_mode():
                rows = torch.arange(len(batch), device=ids.device)
                at = torch.tensor([place for _, place in batch], device=ids.device)
                logits = answers_at(self._model, ids, attention, rows, at)
                scores = torch.log_softmax(logits.float(), dim=-1)
            yield batch, scores.cpu()
            start += len(batch)

    def _tensors(self, rows: Sequence[Sequence[int]]) -> tuple[Any, Any]:
        return padded(self._torch, rows, self._tokenizer.pad_token_id or 0, self._device)


class CausalModel:
    """A causal language model of the Hugging Face library: ln p of what may follow a text.

    Args:
        name: folder, or a name on the hub.
        device: ``cpu``, ``cuda`` ...
        batch_size: sequences at a time at most.

    Raises:
        MissingExtraError: torch or transformers are not installed.
        ModelError: there is no such model.
    """

    def __init__(self, name: str | Path, *, device: str = "cpu", batch_size: int = 16) -> None:
        self.name = str(name)
        self._device, self._batch_size = device, batch_size
        self._torch = require("torch", extra="train")
        self._tokenizer, self._model = load_pretrained(
            name,
            "AutoModelForCausalLM",
            kind="causal language model",
            device=device,
            advice=", with its tokenizer and model.safetensors",
            model={"use_safetensors": True},
        )

    def log_p(self, pairs: Sequence[tuple[str, str]], *, label: str = "") -> list[Floats]:
        """Return of each (text, continuation) ln p of the continuation's pieces.

        What counts as the continuation is what the pieces of both together have beyond those of the text alone.

        Raises:
            ModelError: a continuation has no piece of its own.
        """
        sequences = [self._pieces(*pair) for pair in pairs]
        found: list[Floats] = []
        with tqdm(total=len(pairs), disable=not sys.stderr.isatty(), desc=label, unit="seq", file=sys.stderr) as bar:
            for start in range(0, len(sequences), self._batch_size):
                batch = sequences[start : start + self._batch_size]
                found += self._answers(batch)
                bar.update(len(batch))
        return found

    def _pieces(self, text: str, continuation: str) -> tuple[list[int], int]:
        before, whole = (self._tokenizer(part)["input_ids"] for part in (text, text + continuation))
        same = next((n for n, (a, b) in enumerate(zip(before, whole, strict=False)) if a != b), len(before))
        begin = max(1, min(same, len(before)))
        if begin >= len(whole):
            raise ModelError(f"{self.name}: its tokenizer gives '{continuation}' no piece after '{text[-30:]}'")
        return list(whole), begin

    def _answers(self, batch: Sequence[tuple[list[int], int]]) -> list[Floats]:
        torch = self._torch
        filler = self._tokenizer.pad_token_id or 0
        ids, attention = padded(torch, [row for row, _ in batch], filler, self._device)
        with torch.inference_mode():
            logits = self._model(input_ids=ids, attention_mask=attention).logits
        found = []
        for number, (row, begin) in enumerate(batch):
            scores = torch.log_softmax(logits[number, begin - 1 : len(row) - 1].float(), dim=-1)
            wanted = torch.tensor(row[begin:], device=scores.device)
            found.append(scores.gather(1, wanted[:, None])[:, 0].double().cpu().numpy())
        return found


def padded(torch: Any, rows: Sequence[Sequence[int]], filler: int, device: str) -> tuple[Any, Any]:
    """Return ids and attention mask of rows, filled up at the end."""
    longest = max(map(len, rows))
    ids = torch.tensor([[*row, *[filler] * (longest - len(row))] for row in rows], device=device)
    attention = torch.tensor([[1] * len(row) + [0] * (longest - len(row)) for row in rows], device=device)
    return ids, attention


def kind_of(name: str | Path) -> str:
    """Return ``masked`` or ``causal``, by the configuration of a model.

    Raises:
        ModelError: there is no such model, or it is neither.
    """
    transformers = require("transformers", extra="train")
    try:
        config = transformers.AutoConfig.from_pretrained(str(name), **loading(name))
    except (OSError, ValueError, KeyError) as error:
        raise ModelError(f"{name}: no language model could be loaded ({first_line(error)}). {advice(name)}") from None
    if type(config) in transformers.MODEL_FOR_MASKED_LM_MAPPING and not getattr(config, "is_decoder", False):
        return MASKED
    if type(config) in transformers.MODEL_FOR_CAUSAL_LM_MAPPING:
        return CAUSAL
    raise ModelError(f"{name}: a model of type '{config.model_type}' is neither a masked nor a causal language model")
