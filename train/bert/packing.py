"""Text as training examples: pieces with marks, packed as blocks, single units or pairs. Needs no torch."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from lexicons.loader import TableError, read_table
from rewriter.en.segmenter import segment as segment_en
from rewriter.errors import InputError, UsageError
from rewriter.language.interface import get_language
from train.bert.config import PackingConfig
from train.encoder.corpus import interleave

#: marks of a piece
FIRST, PRONOUN, SPECIAL = 1, 2, 4
_BATCH = 1000
#: with which words begin in the pieces of SentencePiece; there a word is what stands between spaces, with its signs
_SPACE, _SIGNS = "▁", ".,;:!?\"'()"


class Unit(NamedTuple):
    """A line or sentence: piece ids and their marks."""

    ids: list[int]
    marks: list[int]


@dataclass(frozen=True)
class Examples:
    """Packed examples.

    Attributes:
        tokens: piece ids of all examples, one after the other, special ones included.
        marks: of each piece, bits :data:`FIRST`, :data:`PRONOUN`, :data:`SPECIAL`.
        starts: where each example begins, and the end of the last.
        seconds: where in each example the second unit begins; its length where there is none.
    """

    tokens: npt.NDArray[Any]
    marks: npt.NDArray[np.uint8]
    starts: npt.NDArray[np.int64]
    seconds: npt.NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.seconds)

    def save(self, folder: Path, name: str) -> None:
        """Write the arrays as ``NAME-tokens.npy`` and so on."""
        folder.mkdir(parents=True, exist_ok=True)
        for key, value in vars(self).items():
            np.save(folder / f"{name}-{key}.npy", value)

    @classmethod
    def load(cls, folder: Path, name: str) -> Examples:
        """Read what :meth:`save` wrote, tokens and marks without loading them into memory.

        Raises:
            InputError: a file is missing or damaged.
        """
        try:
            arrays = {key: np.load(folder / f"{name}-{key}.npy", mmap_mode="r") for key in cls.__annotations__}
        except (OSError, ValueError, EOFError) as error:
            raise InputError(f"{folder}: the packed corpus '{name}' is damaged ({error}); make it anew") from None
        return cls(**arrays)


def plain_pieces(examples: Examples, most: int | None = None) -> npt.NDArray[np.int64]:
    """Return the pieces of examples without special ones, of the first ``most`` (None: of all)."""
    tokens, marks = examples.tokens[:most], examples.marks[:most]
    kept: npt.NDArray[np.int64] = np.asarray(tokens)[(np.asarray(marks) & SPECIAL) == 0].astype(np.int64)
    return kept


class Encoder:
    """Turns texts into units.

    Args:
        tokenizer: a fast tokenizer of transformers.
        lang: language, for its pronoun forms; without a list of them none is marked.
    """

    def __init__(self, tokenizer: Any, lang: str) -> None:
        self._backend = tokenizer.backend_tokenizer
        # some tokenizers are saved with a length to which every text is cut and filled up
        self._backend.no_truncation()
        self._backend.no_padding()
        self.vocab_size = len(tokenizer)
        self.cls, self.sep = tokenizer.cls_token_id, tokenizer.sep_token_id
        self._forms = pronoun_forms(lang)

    def units(self, texts: Iterable[str]) -> Iterator[Unit]:
        """Yield a unit for each text that has a piece."""
        stream = iter(texts)
        while batch := list(islice(stream, _BATCH)):
            for encoded in self._backend.encode_batch(batch, add_special_tokens=False):
                if encoded.ids:
                    yield Unit(encoded.ids, self._marks(encoded))

    def _marks(self, encoded: Any) -> list[int]:
        marks: list[int] = []
        words: list[str] = []
        for token, word, before in zip(encoded.tokens, encoded.word_ids, [None, *encoded.word_ids], strict=False):
            first = word != before
            if first:
                words.append("")
            words[-1] += token.removeprefix("##").removeprefix(_SPACE).lower()
            marks.append(FIRST if first else 0)
        number = -1
        for at, mark in enumerate(marks):
            number += mark & FIRST
            if words[number].strip(_SIGNS) in self._forms:
                marks[at] = mark | PRONOUN
        return marks


def pronoun_forms(lang: str) -> frozenset[str]:
    """Return the pronoun forms of a language in lower case; empty where there is no list."""
    try:
        return frozenset(row["form"] for row in read_table(lang, "pronoun_forms"))
    except TableError:
        return frozenset()


def split_units(lines: Iterable[str], unit: str, lang: str) -> Iterator[str]:
    """Yield lines, or their sentences (by the language's segmenter; by the English one where it has none)."""
    if unit == "line":
        yield from lines
        return
    try:
        segment = get_language(lang).segment
    except (UsageError, AttributeError):
        segment = segment_en
    for line in lines:
        for start, end in segment(line):
            if text := line[start:end].strip():
                yield text


def pack_corpus(files: list[Path], encoder: Encoder, config: PackingConfig, lang: str, output: Path) -> dict[str, int]:
    """Write the examples ``train`` and ``held-out`` into ``output``; return counts.

    Which lines are held out depends on the seed and the files only, so runs over the same files share them.

    Raises:
        InputError: there is too little text.
    """
    held: list[str] = []
    budget = config.held_out_tokens

    def kept() -> Iterator[str]:
        rng = np.random.default_rng([config.seed, 12])
        for line in interleave(files, np.random.default_rng([config.seed, 13])):
            if rng.random() < config.held_out:
                held.append(line)
            else:
                yield line

    train = pack_lines(kept(), encoder, config, lang, limit=config.max_tokens)
    aside = pack_lines(held, encoder, config, lang, limit=budget)
    for name, examples in (("train", train), ("held-out", aside)):
        if not len(examples):
            raise InputError(
                f"{', '.join(path.name for path in files)}: too little text for one example of the part '{name}' "
                f"(length {config.length}, held out {config.held_out}); use more text, or a smaller data.length"
            )
        examples.save(output, name)
    return {"train": len(train), "tokens": len(train.tokens), "held_out": len(aside)}


def pack_lines(lines: Iterable[str], encoder: Encoder, config: PackingConfig, lang: str, *, limit: int = 0) -> Examples:
    """Return lines as examples, ``limit`` pieces at most (0: all); none where there is too little text."""
    units = encoder.units(split_units(lines, config.unit, lang))
    return collect(_packed(units, encoder, config), encoder, limit=limit)


def _packed(units: Iterator[Unit], encoder: Encoder, config: PackingConfig) -> Iterator[tuple[Unit, int]]:
    """Yield examples and where their second unit begins."""
    if config.packing == "blocks":
        yield from _blocks(units, encoder, config.length)
    elif config.packing == "single":
        for unit in units:
            example = framed([unit], encoder, config.length)
            yield example, len(example.ids)
    else:
        yield from _pairs(units, encoder, config.length)


def _blocks(units: Iterator[Unit], encoder: Encoder, length: int) -> Iterator[tuple[Unit, int]]:
    ids: list[int] = []
    marks: list[int] = []
    for unit in units:
        ids += [*unit.ids, encoder.sep]
        marks += [*unit.marks, SPECIAL]
        while len(ids) >= length - 1:
            yield Unit([encoder.cls, *ids[: length - 1]], [SPECIAL, *marks[: length - 1]]), length
            ids, marks = ids[length - 1 :], marks[length - 1 :]


def _pairs(units: Iterator[Unit], encoder: Encoder, length: int) -> Iterator[tuple[Unit, int]]:
    for first in units:
        second = next(units, None)
        if second is None:
            return
        half = (length - 3) // 2
        # the one may be longer where the other is short
        room = max(half, length - 3 - len(second.ids))
        first = Unit(first.ids[:room], first.marks[:room])
        yield framed([first, second], encoder, length), len(first.ids) + 2


def framed(units: list[Unit], encoder: Encoder, length: int) -> Unit:
    """Return ``[CLS] unit [SEP] unit [SEP]``, cut to ``length``."""
    ids, marks = [encoder.cls], [SPECIAL]
    for unit in units:
        ids += [*unit.ids, encoder.sep]
        marks += [*unit.marks, SPECIAL]
    if len(ids) > length:
        ids, marks = [*ids[: length - 1], encoder.sep], [*marks[: length - 1], SPECIAL]
    return Unit(ids, marks)


def collect(examples: Iterable[tuple[Unit, int]], encoder: Encoder, *, limit: int = 0) -> Examples:
    """Gather examples into arrays, ``limit`` pieces at most (0: all)."""
    kind = np.uint16 if encoder.vocab_size < 2**16 else np.uint32
    chunks: list[tuple[npt.NDArray[Any], npt.NDArray[np.uint8]]] = []
    lengths, seconds, total = [], [], 0
    for unit, second in examples:
        chunks.append((np.array(unit.ids, dtype=kind), np.array(unit.marks, dtype=np.uint8)))
        lengths.append(len(unit.ids))
        seconds.append(second)
        total += len(unit.ids)
        if limit and total >= limit:
            break
    tokens = np.concatenate([ids for ids, _ in chunks]) if chunks else np.empty(0, kind)
    marks = np.concatenate([m for _, m in chunks]) if chunks else np.empty(0, np.uint8)
    starts = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    return Examples(tokens, marks, starts, np.array(seconds, dtype=np.int32))
