"""The network of the edit model: an encoder and a linear head over its outcomes. Needs torch; imported lazily."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from train.edits.labels import LabelledSet


class EditTagger(torch.nn.Module):
    """Encoder + head; the loss is the mean cross-entropy over labelled candidates, among allowed outcomes only."""

    def __init__(self, encoder: Any, outcomes: int) -> None:
        super().__init__()
        self.encoder = encoder
        self.dropout = torch.nn.Dropout(0.1)
        self.head = torch.nn.Linear(encoder.config.hidden_size, outcomes)

    def load_head(self, head: Mapping[str, Any]) -> None:
        """Start from the head of an earlier model: ``weight`` (outcomes, hidden) and ``bias`` (outcomes,)."""
        with torch.no_grad():
            self.head.weight.copy_(torch.tensor(head["weight"]))
            self.head.bias.copy_(torch.tensor(head["bias"]))

    def scores(self, batch: dict[str, Tensor]) -> Tensor:
        """Return logits (candidates, outcomes), forbidden outcomes at minus infinity."""
        states = self.encoder(
            input_ids=batch["input_ids"],
            attention_mask=batch["attention_mask"],
            token_type_ids=batch["token_type_ids"],
        ).last_hidden_state
        chosen = states[batch["rows"], batch["places"]]
        logits = self.head(self.dropout(chosen)).float()
        return logits.masked_fill(~batch["allowed"], float("-inf"))

    def forward(self, **batch: Tensor) -> dict[str, Tensor]:
        """Return the loss and, for evaluation, the logits."""
        logits = self.scores(batch)
        weights = batch.get("weights")
        losses = torch.nn.functional.cross_entropy(logits, batch["labels"], reduction="none")
        if weights is None:
            return {"loss": losses.mean(), "logits": logits.detach()}
        # several processes share a batch: their gradients are averaged, so the whole batch's weight counts
        loss = (losses * weights).sum() / batch.get("total", weights.sum())
        return {"loss": loss, "logits": logits.detach()}


def class_weights(data: LabelledSet, *, limit: float) -> NDArray[np.float32]:
    """Return a weight per labelled candidate that lets rare outcomes count more.

    Among candidates with the same allowed outcomes the most frequent outcome has weight 1, another the square root of
    how many times rarer it is, at most ``limit``: *theirs* for *his* is one in several hundred.

    Args:
        data: the labelled set.
        limit: largest weight.

    Returns:
        weights of shape (candidates,), in the order of ``data``.
    """
    classes = data.allowed.astype(np.int64) * 256 + data.outcomes
    values, inverse, counts = np.unique(classes, return_inverse=True, return_counts=True)
    most: dict[int, int] = {}
    for value, count in zip((values // 256).tolist(), counts.tolist(), strict=True):
        most[value] = max(most.get(value, 0), count)
    ratios = np.array([most[v // 256] / c for v, c in zip(values.tolist(), counts.tolist(), strict=True)])
    weights: NDArray[np.float32] = np.minimum(limit, np.sqrt(ratios)).astype(np.float32)[inverse]
    return weights


def shown_rows(
    data: LabelledSet, *, repeat_limit: float, common_limit: float, rng: np.random.Generator
) -> NDArray[np.int64]:
    """Return sentence numbers: those with rare outcomes several times, those with very common ones only not always.

    Sentences without a candidate are not among them.

    Args:
        data: the labelled set.
        repeat_limit: a sentence stands there as often as its largest class weight says, at most so often.
        common_limit: an outcome that is more than so many times as frequent as all others among its candidates is
            thinned to that; a sentence stays with the largest of its candidates' chances. 0: none is left out.
        rng: draws which ones stay.
    """
    weights = class_weights(data, limit=repeat_limit)
    labelled = data.labelled_rows
    # from the start of one labelled sentence to that of the next: no slice is empty
    starts = data.candidate_offsets[labelled]
    times = np.maximum(1, np.maximum.reduceat(weights, starts).round()).astype(np.int64)
    if common_limit:
        chances = np.maximum.reduceat(_chances(data, common_limit), starts)
        times[rng.random(len(labelled)) >= chances] = 0
    rows: NDArray[np.int64] = np.repeat(labelled, times)
    return rows


def _chances(data: LabelledSet, common_limit: float) -> NDArray[np.float64]:
    """Return for every candidate the chance that its outcome alone lets its sentence stay."""
    chances = np.ones(len(data.outcomes))
    for allowed in np.unique(data.allowed):
        among = data.allowed == allowed
        counts = np.bincount(data.outcomes[among])
        common = int(counts.argmax())
        others = int(counts.sum() - counts[common])
        # with one outcome only there is nothing to balance against
        if others:
            chances[among & (data.outcomes == common)] = min(1.0, common_limit * others / counts[common])
    return chances


class Noise:
    """Makes training sentences less tidy: whole sentences in one case, words replaced by the mask.

    Users' text is lower-cased, shouted and misspelt; the labels do not change with any of it.
    """

    def __init__(self, *, lower: float, upper: float, mask: float, mask_id: int) -> None:
        self.lower, self.upper, self.mask, self.mask_id = lower, upper, mask, mask_id

    def apply(self, ids: Any, shapes: Any, places: Any, rng: np.random.Generator) -> tuple[Any, Any]:
        """Return noisy copies of ids and shapes of one sentence; deciding pieces are never masked."""
        lot = rng.random()
        if lot < self.lower:
            shapes = np.zeros_like(shapes)
        elif lot < self.lower + self.upper:
            shapes = np.full_like(shapes, 2)
        if self.mask:
            hit = rng.random(len(ids)) < self.mask
            hit[places] = False
            ids = np.where(hit, self.mask_id, ids)
        return ids, shapes


def collate(
    data: LabelledSet,
    rows: list[int],
    *,
    outcomes: int,
    rng: np.random.Generator | None = None,
    noise: Noise | None = None,
    weights: NDArray[np.float32] | None = None,
    share: tuple[int, int] = (0, 1),
) -> dict[str, Tensor]:
    """Return the padded batch of some sentences, or one process's share of it.

    Args:
        data: the labelled set.
        rows: sentence numbers.
        outcomes: how many there are in the language.
        rng: draws the noise of all rows, also of those of other processes.
        noise: what makes the sentences untidy.
        weights: of the candidates of ``data``.
        share: number of this process and how many there are; each gets every n-th row.

    Returns:
        ``input_ids``, ``attention_mask``, ``token_type_ids`` of shape (rows, longest); ``rows``, ``places``, ``labels``
        of shape (candidates,); ``allowed`` of shape (candidates, outcomes); ``weights`` like ``labels``, if given, and
        in a share ``total``, what a process's weighted losses are divided by.
    """
    rank, processes = share
    # a batch of fewer rows than processes: the last row is shown to several, and counts for one
    own = range(rank, len(rows), processes) or range(len(rows) - 1, len(rows))
    shown = [row for at, row in enumerate(_shown(data, rows, noise, rng)) if at in own]
    batch = _padded(shown) | _candidates(data, shown, outcomes)
    if weights is None:
        return batch
    batch["weights"] = torch.from_numpy(np.concatenate([weights[row.candidates] for row in shown]))
    if processes > 1:
        batch["weights"] *= rank < len(rows)
        starts, ends = data.candidate_offsets[rows], data.candidate_offsets[np.add(rows, 1)]
        total = sum(float(weights[a:b].sum()) for a, b in zip(starts, ends, strict=True))
        batch["total"] = torch.tensor(total / processes)
    return batch


class _Row(NamedTuple):
    """A sentence as it is shown: noisy pieces, and where its candidates stand in the labelled set."""

    ids: Any
    shapes: Any
    candidates: slice


def _shown(data: LabelledSet, rows: list[int], noise: Noise | None, rng: np.random.Generator | None) -> Iterator[_Row]:
    """Yield all rows with their noise, which is drawn in their order."""
    for row in rows:
        pieces = slice(data.offsets[row], data.offsets[row + 1])
        candidates = slice(data.candidate_offsets[row], data.candidate_offsets[row + 1])
        ids, shapes = data.ids[pieces], data.shapes[pieces]
        if noise is not None and rng is not None:
            ids, shapes = noise.apply(ids, shapes, data.places[candidates], rng)
        yield _Row(ids, shapes, candidates)


def _padded(shown: list[_Row]) -> dict[str, Tensor]:
    """Return what the encoder reads."""
    lengths = np.array([len(row.ids) for row in shown])
    ids = np.zeros((len(shown), int(lengths.max())), np.int64)
    shapes = np.zeros_like(ids)
    for n, row in enumerate(shown):
        ids[n, : len(row.ids)], shapes[n, : len(row.ids)] = row.ids, row.shapes
    mask = np.arange(ids.shape[1])[None, :] < lengths[:, None]
    return {
        "input_ids": torch.from_numpy(ids),
        "attention_mask": torch.from_numpy(mask.astype(np.int64)),
        "token_type_ids": torch.from_numpy(shapes),
    }


def _candidates(data: LabelledSet, shown: list[_Row], outcomes: int) -> dict[str, Tensor]:
    """Return where the candidates stand in the batch, their labels, and which outcomes each may have."""

    def joined(values: NDArray[Any]) -> NDArray[np.int64]:
        return np.concatenate([values[row.candidates] for row in shown]).astype(np.int64)

    counts = [row.candidates.stop - row.candidates.start for row in shown]
    bits = joined(data.allowed)
    return {
        "rows": torch.from_numpy(np.repeat(np.arange(len(shown)), counts)),
        "places": torch.from_numpy(joined(data.places)),
        "labels": torch.from_numpy(joined(data.outcomes)),
        "allowed": torch.from_numpy((bits[:, None] >> np.arange(outcomes)[None, :]) & 1).bool(),
    }
