"""Which source piece a target piece translates, by a pretrained encoder's states. Needs torch.

The sides of a translation share no pieces, but a multilingual encoder gives words that mean the same like states: two
pieces answer to each other where each is the most similar one to the other (Jalili Sabet et al. 2020, section 2.2,
*argmax*). Each sentence's mean is taken off first, since all states of such an encoder point the same way.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from tqdm import tqdm

from rewriter.io.files import atomic_write
from train.seq2seq.alignment import UNALIGNED
from train.seq2seq.batching import EncodedPairs, Ids
from train.seq2seq.marian import Seq2SeqModel, padded
from train.seq2seq.tokenizer import PieceEncoder

#: padded pieces that are read at once
_TOKENS = 8192


def write_places(
    model: Seq2SeqModel, pairs: EncodedPairs, encoder: PieceEncoder, path: Path, *, bf16: bool, most: int = 0
) -> None:
    """Write the place of the source piece that each target piece answers to, UNALIGNED where there is none.

    Args:
        model: its encoder is that of the pretrained one (:mod:`train.seq2seq.warm`).
        pairs: sources as the model reads them, targets ending in ``</s>``.
        encoder: the vocabulary.
        path: the file (.npy), shape (target pieces of all pairs,).
        bf16: compute in bfloat16.
        most: pairs that are aligned at most, the shortest ones; 0 for all.

    Raises:
        OutputError: the disk is full.
    """
    places = np.full(int(pairs.target_offsets[-1]), UNALIGNED, np.int16)
    model.eval()
    with tqdm(
        total=min(most or len(pairs), len(pairs)),
        disable=not sys.stderr.isatty(),
        desc="align",
        unit="pair",
        file=sys.stderr,
    ) as bar:
        for rows in _batches(pairs, most):
            sides = [pairs[n] for n in rows]
            sources = _states(model, [source for source, _ in sides], bf16=bf16)
            targets = _states(model, [[*encoder.begin, *target.tolist()] for _, target in sides], bf16=bf16)
            for n, (source, target), *states in zip(rows, sides, sources, targets, strict=True):
                begin = int(pairs.target_offsets[n])
                places[begin : begin + len(target)] = _matched(states, source, target, len(encoder.begin))
            bar.update(len(rows))
    with atomic_write(path) as stream:
        np.save(stream, places, allow_pickle=False)


def _batches(pairs: EncodedPairs, most: int) -> Iterator[list[int]]:
    """Yield the numbers of pairs that are about as long, in order of their length; of the shortest ones, if so many."""
    cost = np.maximum(*pairs.lengths())
    rows: list[int] = []
    for n in np.argsort(cost, kind="stable")[: most or None].tolist():
        if rows and (len(rows) + 1) * int(cost[n]) > _TOKENS:
            yield rows
            rows = []
        rows.append(n)
    yield rows


@torch.no_grad()
def _states(model: Seq2SeqModel, rows: Sequence[Ids | Sequence[int]], *, bf16: bool) -> Iterator[Tensor]:
    """Yield the states of each row, (pieces, width)."""
    ids = torch.from_numpy(padded(rows, model.config.pad_token_id)).to(model.device)
    mask = (ids != model.config.pad_token_id).long()
    with torch.autocast(model.device.type, torch.bfloat16, enabled=bf16):
        states = model.model.encoder(input_ids=ids, attention_mask=mask).last_hidden_state
    for found, row in zip(states.float(), rows, strict=True):
        yield found[: len(row)]


def _matched(states: Sequence[Tensor], source: Ids, target: Ids, begin: int) -> NDArray[np.int16]:
    """Return the places of one pair; the ends of both answer to each other, what begins them to nothing."""
    places = np.full(len(target), UNALIGNED, np.int16)
    places[-1] = len(source) - 1
    words = [_directions(side[begin:-1]) for side in states]
    if all(len(part) for part in words):
        similar = words[1] @ words[0].T  # (target pieces, source pieces)
        there, back = similar.argmax(dim=1), similar.argmax(dim=0)
        mutual: Any = (back[there] == torch.arange(len(there), device=there.device)).cpu().numpy()
        places[:-1][mutual] = there.cpu().numpy()[mutual] + begin
    return places


def _directions(states: Tensor) -> Tensor:
    """Return the states without what they have in common, of length one."""
    return torch.nn.functional.normalize(states - states.mean(dim=0), dim=1)
