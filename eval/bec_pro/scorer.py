"""Asks a masked language model for ln p of person words, with the profession present and masked.

Kurita et al. 2019, "Measuring Bias in Contextualized Word Representations", section 3; Bartl et al. 2020, section 4.1.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np

from eval.bec_pro.items import MASK, Item
from eval.bootstrap import Floats
from eval.masked_lm import answers_at, load_masked_lm
from rewriter.errors import ModelError, UsageError
from rewriter.installation.extras import require

#: one mask per word of the profession (as published) or per piece of the tokenizer (equal lengths)
MASKS = ("word", "piece")
Progress = Callable[[int, int], None]


class Scores(NamedTuple):
    """ln p of each sentence's person word: with the profession present, and with the profession masked."""

    present: Floats
    masked: Floats


class Scorer(Protocol):
    """Gives ln p of person words; what a model must do to be measured."""

    name: str

    def score(self, items: Sequence[Item], progress: Progress | None = None) -> Scores:
        """Return ln p of the person word of each sentence, natural logarithm."""
        ...


@dataclass(frozen=True, slots=True)
class ScorerOptions:
    """How a model is asked.

    Attributes:
        device: ``cpu``, ``cuda`` ...
        batch_size: sequences at a time.
        masks: ``word`` or ``piece``, see :data:`MASKS`.
        as_published: imitate the released code: masks made by replacing strings, padding with the mask token that is
            attended to, sequences cut to a power of two of *words*, only the first piece of a target.
    """

    device: str = "cpu"
    batch_size: int = 64
    masks: str = "word"
    as_published: bool = False

    def __post_init__(self) -> None:
        if self.masks not in MASKS:
            raise UsageError(f"masks are made by {' or '.join(MASKS)}, not by '{self.masks}'")
        if self.batch_size < 1:
            raise UsageError(f"a batch holds at least one sequence, not {self.batch_size}")


class _Query(NamedTuple):
    """A sequence of piece ids, the places of the target in it, and the pieces asked for there."""

    ids: tuple[int, ...]
    places: tuple[int, ...]
    wanted: tuple[int, ...]


class TransformersScorer:
    """A masked language model of the Hugging Face library.

    Equal sequences are computed once: with the profession masked, few different sentences remain.

    Args:
        name: folder, or a name on the hub.
        options: device, batch size, how masks are made.

    Raises:
        MissingExtraError: torch or transformers are not installed.
        ModelError: there is no such model, or it cannot be measured.
    """

    def __init__(self, name: str | Path, options: ScorerOptions | None = None) -> None:
        self.name = str(name)
        self.options = options or ScorerOptions()
        self._torch = require("torch", extra="train")
        self._tokenizer, self._model = load_masked_lm(name, device=self.options.device)
        if not getattr(self._tokenizer, "is_fast", False):
            raise ModelError(f"{name}: its tokenizer cannot tell where pieces stand; save it with a fast tokenizer")

    def score(self, items: Sequence[Item], progress: Progress | None = None) -> Scores:
        """Return ln p of the person word of each sentence; a target of several pieces is the sum over them.

        Raises:
            ModelError: a person word is unknown to the tokenizer, or as published, a target was cut off.
        """
        queries = self._published(items) if self.options.as_published else self._right(items)
        values = self._answer(queries, progress)
        return Scores(values[: len(items)], values[len(items) :])

    def _right(self, items: Sequence[Item]) -> list[_Query]:
        encoded = self._tokenizer([item.sentence for item in items], return_offsets_mapping=True)
        rows = zip(items, encoded["input_ids"], encoded["offset_mapping"], strict=True)
        pairs = [self._mask_pieces(*row) for row in rows]
        return [present for present, _ in pairs] + [masked for _, masked in pairs]

    def _mask_pieces(self, item: Item, ids: Sequence[int], offsets: Sequence[tuple[int, int]]) -> tuple[_Query, _Query]:
        target = [n for n, span in enumerate(offsets) if _overlap(span, item.target)]
        attribute = [n for n, span in enumerate(offsets) if _overlap(span, item.attribute)]
        wanted = tuple(ids[n] for n in target)
        if not target or self._tokenizer.unk_token_id in wanted:
            raise ModelError(f"{self.name}: its vocabulary does not hold the person word '{item.person}'")
        mask = self._tokenizer.mask_token_id
        shown = [mask if n in target else piece for n, piece in enumerate(ids)]
        kept = set(attribute) if self.options.masks == "piece" else _first_of_words(item, attribute, offsets)
        hidden = [mask if n in kept else p for n, p in enumerate(shown) if n not in attribute or n in kept]
        # Targets stand before attributes in every template; otherwise their places would move here.
        before = sum(1 for n in attribute if n < target[0] and n not in kept)
        places = tuple(n - before for n in target)
        return _Query(tuple(shown), tuple(target), wanted), _Query(tuple(hidden), places, wanted)

    def _published(self, items: Sequence[Item]) -> list[_Query]:
        """Imitate the released code (see :class:`ScorerOptions`); the length is 16 for BEC-Pro."""
        words = max(len(item.target_masked.split()) for item in items)
        length = 2 ** math.ceil(math.log2(words))
        columns = [
            self._padded(texts, length)
            for texts in ([i.sentence for i in items], [i.target_masked for i in items], [i.both_masked for i in items])
        ]
        present, masked = [], []
        for original, shown, hidden in zip(*columns, strict=True):
            place = hidden.index(self._tokenizer.mask_token_id)
            present.append(_Query(shown, (place,), (original[place],)))
            masked.append(_Query(hidden, (place,), (original[place],)))
        return present + masked

    def _padded(self, texts: Sequence[str], length: int) -> Iterable[tuple[int, ...]]:
        mask = self._tokenizer.mask_token_id
        encoded = self._tokenizer([text.replace(MASK, self._tokenizer.mask_token) for text in texts])["input_ids"]
        return [tuple(ids[:length]) + (mask,) * (length - len(ids)) for ids in encoded]

    def _answer(self, queries: Sequence[_Query], progress: Progress | None) -> Floats:
        groups: dict[tuple[tuple[int, ...], tuple[int, ...]], list[int]] = {}
        for number, query in enumerate(queries):
            groups.setdefault((query.ids, query.places), []).append(number)
        order = sorted(groups, key=lambda key: len(key[0]))
        values = np.empty(len(queries))
        for start in range(0, len(order), self.options.batch_size):
            batch = order[start : start + self.options.batch_size]
            for key, scores in zip(batch, self._forward(batch), strict=True):
                for number in groups[key]:
                    wanted = queries[number].wanted
                    values[number] = sum(float(scores[at, piece]) for at, piece in enumerate(wanted))
            if progress is not None:
                progress(start + len(batch), len(order))
        return values

    def _forward(self, batch: Sequence[tuple[tuple[int, ...], tuple[int, ...]]]) -> list[Any]:
        """Return for each sequence ln p over the vocabulary at its places, shape (places, vocabulary)."""
        torch = self._torch
        longest = max(len(ids) for ids, _ in batch)
        padding = self._tokenizer.pad_token_id or 0
        ids = torch.tensor([list(ids) + [padding] * (longest - len(ids)) for ids, _ in batch])
        attention = torch.tensor([[1] * len(ids) + [0] * (longest - len(ids)) for ids, _ in batch])
        counts = [len(places) for _, places in batch]
        device = self.options.device
        with torch.inference_mode():
            rows = torch.repeat_interleave(torch.arange(len(batch)), torch.tensor(counts)).to(device)
            at = torch.tensor([place for _, places in batch for place in places], device=device)
            logits = answers_at(self._model, ids.to(device), attention.to(device), rows, at)
            return [part.cpu().numpy() for part in torch.log_softmax(logits.float(), dim=-1).split(counts)]


def _overlap(span: tuple[int, int], other: tuple[int, int]) -> bool:
    return span[0] < other[1] and other[0] < span[1]


def _first_of_words(item: Item, attribute: Sequence[int], offsets: Sequence[tuple[int, int]]) -> set[int]:
    """Return the first piece of each word of the attribute; words are what stands between spaces."""
    kept, seen = set(), set()
    for number in attribute:
        # A byte-level tokenizer may count the space before a word to it, so the end of the piece tells the word.
        word = item.sentence.count(" ", item.attribute[0], offsets[number][1])
        if word not in seen:
            seen.add(word)
            kept.add(number)
    return kept
