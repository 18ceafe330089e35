"""Encoded pairs on disk, and batches of them by number of tokens.

Pairs are encoded once into two flat arrays of ids with offsets (read through ``mmap``, so that several processes share
them and memory stays bounded). Batches hold about as many *padded* tokens each: sentences are shuffled, cut into pools,
sorted by length inside a pool, cut into batches, and the batches are shuffled (Ott et al. 2018, fairseq's
``max_tokens``; Vaswani et al. 2017, section 5.1). Order is a function of seed and epoch alone, so any position in the
stream can be found again without reading what lies before it. With several processes each takes every n-th row of the
*same* global batch; one process and n processes therefore see the same updates.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rewriter.errors import InputError, OutputError
from rewriter.io.files import file_digest, read_json, read_pairs, write_json
from rewriter.runs.manifest import fingerprint
from train.seq2seq.tokenizer import PieceEncoder

#: raise by hand when the same pairs are encoded or batched differently
VERSION = 1
_SIDES = ("source", "target")
_IDS = np.dtype("<u2"), np.dtype("<u4")
Ids = NDArray[np.unsignedinteger[Any]]


@dataclass(frozen=True)
class EncodedPairs:
    """Encoded pairs of one file.

    Attributes:
        source: ids of all sources, each as the model reads it (ending in ``</s>``).
        target: ids of all targets, each ending in ``</s>``.
        source_offsets: where source n begins; one more entry than there are pairs.
        target_offsets: where target n begins; one more entry than there are pairs.
        too_long: how many pairs were left out because a side had more than the allowed number of ids.
    """

    source: Ids
    target: Ids
    source_offsets: NDArray[np.int64]
    target_offsets: NDArray[np.int64]
    too_long: int = 0

    def __len__(self) -> int:
        return len(self.source_offsets) - 1

    def __getitem__(self, n: int) -> tuple[Ids, Ids]:
        """Return the ids of source and target of pair ``n``."""
        return (
            self.source[self.source_offsets[n] : self.source_offsets[n + 1]],
            self.target[self.target_offsets[n] : self.target_offsets[n + 1]],
        )

    def lengths(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the number of ids of every source and of every target."""
        return np.diff(self.source_offsets), np.diff(self.target_offsets)


def encode_pairs(path: Path, encoder: PieceEncoder, *, max_length: int, cache: Path) -> EncodedPairs:
    """Encode a file of pairs, or open what an earlier call with the same input left in ``cache``.

    Args:
        path: a file of pairs.
        encoder: the vocabulary.
        max_length: pairs with a side of more ids (``</s>`` included) are left out and counted.
        cache: folder for the arrays; a stale one is replaced.

    Returns:
        the encoded pairs, on disk.

    Raises:
        InputError: the file is no file of pairs.
        OutputError: the cache cannot be written.
    """
    parts = {"version": VERSION, "pairs": file_digest(path), "pieces": encoder.digest(), "max_length": max_length}
    wanted = fingerprint(parts)
    if not (cache / "index.json").exists() or read_json(cache / "index.json")["fingerprint"] != wanted:
        _write_cache(path, encoder, max_length, cache, wanted)
    return _open_cache(cache)


def _write_cache(path: Path, encoder: PieceEncoder, max_length: int, cache: Path, wanted: str) -> None:
    """Write the arrays into a temporary folder that takes its name when everything is there."""
    temporary = cache.with_name(f".{cache.name}.{os.getpid()}.tmp")
    dtype = _IDS[0] if encoder.size < 2**16 else _IDS[1]
    try:
        shutil.rmtree(temporary, ignore_errors=True)
        temporary.mkdir(parents=True)
        too_long = _write_arrays(_encoded(path, encoder), temporary, dtype, max_length)
        write_json(temporary / "index.json", {"fingerprint": wanted, "dtype": dtype.str, "too_long": too_long})
        shutil.rmtree(cache, ignore_errors=True)
        temporary.rename(cache)
    except OSError as error:
        raise OutputError(f"{cache}: cannot be written ({error.strerror or error})") from None
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def _encoded(path: Path, encoder: PieceEncoder) -> Iterator[tuple[list[int], list[int]]]:
    pairs = read_pairs(path)
    while chunk := list(islice(pairs, 4096)):
        sources = encoder.encode_many([pair.source for pair in chunk])
        targets = encoder.encode_many([pair.target for pair in chunk])
        for source, target in zip(sources, targets, strict=True):
            yield encoder.source(source), [*target, encoder.eos]


def _write_arrays(
    rows: Iterable[tuple[Sequence[int], Sequence[int]]], folder: Path, dtype: np.dtype[Any], max_length: int
) -> int:
    offsets: tuple[list[int], list[int]] = ([0], [0])
    too_long = 0
    with (folder / "source.ids").open("wb") as source, (folder / "target.ids").open("wb") as target:
        for row in rows:
            if max(map(len, row)) > max_length:
                too_long += 1
                continue
            for stream, ids, positions in zip((source, target), row, offsets, strict=True):
                stream.write(np.asarray(ids, dtype).tobytes())
                positions.append(positions[-1] + len(ids))
    for side, positions in zip(_SIDES, offsets, strict=True):
        np.save(folder / f"{side}.offsets.npy", np.asarray(positions, np.int64), allow_pickle=False)
    return too_long


def _open_cache(cache: Path) -> EncodedPairs:
    index = read_json(cache / "index.json")
    arrays: dict[str, Any] = {}
    for side in _SIDES:
        ids = cache / f"{side}.ids"
        # An empty file cannot be mapped.
        arrays[side] = np.memmap(ids, np.dtype(index["dtype"]), "r") if ids.stat().st_size else np.zeros(0, np.uint16)
        arrays[f"{side}_offsets"] = np.load(cache / f"{side}.offsets.npy", allow_pickle=False)
    return EncodedPairs(**arrays, too_long=index["too_long"])


class TokenBatches:
    """An endless stream of batches by number of padded tokens, over all epochs; a batch sampler for a DataLoader.

    A batch is a list of row numbers. Its size is (rows) x (longest source or target in it), at most
    ``tokens_per_batch``; a single longer pair makes a batch of its own.

    Attributes:
        start: number of batches of the stream that are skipped, without making them where whole epochs are skipped.
    """

    def __init__(
        self,
        lengths: tuple[NDArray[np.int64], NDArray[np.int64]],
        *,
        tokens_per_batch: int,
        seed: int,
        total: int,
        rank: int = 0,
        processes: int = 1,
        pool: int = 100,
    ) -> None:
        """Describe the stream.

        Args:
            lengths: lengths of all sources and of all targets.
            tokens_per_batch: padded tokens of a global batch, over all processes.
            seed: seed of the order; epoch e uses the generator of (seed, e).
            total: length of the stream in batches.
            rank: number of this process.
            processes: how many processes share each batch.
            pool: sentences are sorted by length among about this many batches.

        Raises:
            InputError: there are no pairs.
        """
        self._source, self._target = lengths
        if not len(self._source):
            raise InputError("there are no pairs to train on: all are empty or longer than max_length; raise it")
        self._cost = np.maximum(self._source, self._target)
        self._tokens = tokens_per_batch
        self._seed, self._total, self._rank, self._processes = seed, total, rank, processes
        self._pool = max(1, int(pool * tokens_per_batch / float(self._cost.mean())))
        self._sizes: list[int] = []
        self.start = 0

    def __len__(self) -> int:
        return self._total

    def __iter__(self) -> Iterator[list[int]]:
        """Yield this process's share of each batch from ``start`` on.

        A batch with fewer rows than processes gives some of them a borrowed row, written as ``-1 - row``: it keeps
        their shapes alive and must not count in the loss (:func:`is_borrowed`).
        """
        epoch, skip = self._locate(self.start)
        left = self._total - self.start
        while left > 0:
            for batch in self.epoch(epoch)[skip : skip + left]:
                yield self._share(batch)
                left -= 1
            epoch, skip = epoch + 1, 0

    def epoch(self, number: int) -> list[NDArray[np.int64]]:
        """Return the global batches of one epoch, in order."""
        rng = np.random.default_rng([self._seed, number])
        order = rng.permutation(len(self._cost))
        batches: list[NDArray[np.int64]] = []
        for start in range(0, len(order), self._pool):
            batches += self._cut(order[start : start + self._pool])
        if number == len(self._sizes):
            self._sizes.append(len(batches))
        return [batches[n] for n in rng.permutation(len(batches))]

    def epoch_at(self, position: int) -> float:
        """Return how many epochs lie before ``position`` in the stream, as a fraction."""
        epoch, within = self._locate(position)
        if epoch == len(self._sizes):
            self.epoch(epoch)
        return epoch + within / self._sizes[epoch]

    def _locate(self, position: int) -> tuple[int, int]:
        """Return the epoch of a position and its place in it."""
        epoch = 0
        while True:
            if epoch == len(self._sizes):
                if position == 0:
                    return epoch, 0
                self.epoch(epoch)
            if position < self._sizes[epoch]:
                return epoch, position
            position -= self._sizes[epoch]
            epoch += 1

    def _cut(self, rows: NDArray[np.int64]) -> list[NDArray[np.int64]]:
        """Sort rows by length (ties stay shuffled) and cut them where a batch would grow too large."""
        rows = rows[np.lexsort((self._source[rows], self._target[rows], self._cost[rows]))]
        batches, begin = [], 0
        for n, cost in enumerate(self._cost[rows].tolist()):
            # Sorted by cost: row n is the longest so far.
            if n > begin and (n - begin + 1) * cost > self._tokens:
                batches.append(rows[begin:n])
                begin = n
        batches.append(rows[begin:])
        return batches

    def _share(self, batch: NDArray[np.int64]) -> list[int]:
        mine: list[int] = batch[self._rank :: self._processes].tolist()
        return mine or [-1 - int(batch[0])]


def is_borrowed(row: int) -> bool:
    """Return True if a row number of :class:`TokenBatches` stands for a row that must not count."""
    return row < 0
