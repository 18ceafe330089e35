"""Gives the head of an edit model the frequencies of real text back. Needs torch; imported lazily.

Training shows rare outcomes more often and weighs them more, so that they are learnt at all; a model made so expects
them as often as it saw them. The bias of the head alone is refitted on labels as frequent as they are, with everything
else frozen (the last step of classifier re-training, Kang et al. 2020, reduced to the bias).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from train.edits.labels import LabelledSet
from train.edits.model import EditTagger, collate

BATCH = 64
#: pulls towards the bias as trained, so that an outcome of which the sample holds a handful keeps its own
_PULL = 1e-3


def refit_bias(model: EditTagger, data: LabelledSet, *, sentences: int, rng: np.random.Generator) -> list[float]:
    """Refit the head's bias in place and return what was added, one number per outcome.

    Args:
        model: a trained tagger.
        data: labelled sentences, none repeated or left out.
        sentences: how many of them, drawn without return, are used at most.
        rng: draws them.
    """
    rows = np.sort(rng.permutation(data.labelled_rows)[:sentences]).tolist()
    outcomes = model.head.out_features
    logits, labels = _frozen(model, data, rows, outcomes)
    added = torch.zeros(outcomes, requires_grad=True)
    optimizer = torch.optim.LBFGS([added], max_iter=60, line_search_fn="strong_wolfe")

    def closure() -> Any:
        optimizer.zero_grad()
        loss = torch.nn.functional.cross_entropy(logits + added, labels) + _PULL * added.square().sum()
        loss.backward()
        return loss

    optimizer.step(closure)
    with torch.no_grad():
        model.head.bias += added.detach().to(model.head.bias.device)
    return [round(value, 4) for value in added.tolist()]


def _frozen(model: EditTagger, data: LabelledSet, rows: list[int], outcomes: int) -> tuple[Any, Any]:
    """Return the logits of all candidates of ``rows``, (candidates, outcomes), and their labels."""
    training = model.training
    model.eval()
    device = model.head.weight.device
    logits, labels = [], []
    with torch.no_grad(), torch.autocast(device.type, torch.bfloat16):
        for start in range(0, len(rows), BATCH):
            batch = collate(data, rows[start : start + BATCH], outcomes=outcomes)
            logits.append(model.scores({key: value.to(device) for key, value in batch.items()}).float().cpu())
            labels.append(batch["labels"])
    model.train(training)
    return torch.cat(logits), torch.cat(labels)
