"""Masked language modelling: blocks with whole words masked, the loss on masked places only, a time limit."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import numpy as np
import torch
import transformers

from rewriter.io.files import write_json
from rewriter.model.piece_table import PieceTable

IGNORE = -100


class MaskedBlocks(torch.utils.data.Dataset[dict[str, Any]]):
    """Fixed-length blocks of the packed corpus; masking depends on seed and block number only."""

    def __init__(self, folder: Path, *, block: int, vocab: PieceTable, share: float, seed: int) -> None:
        self._tokens = np.load(folder / "tokens.npy", mmap_mode="r")
        self._shapes = np.load(folder / "shapes.npy", mmap_mode="r")
        self._block, self._vocab, self._share, self._seed = block, vocab, share, seed

    def __len__(self) -> int:
        return len(self._tokens) // self._block

    def __getitem__(self, index: int) -> dict[str, Any]:
        """Return ids, shapes (token types) and labels of one block, each of length ``block``."""
        where = slice(index * self._block, (index + 1) * self._block)
        ids = self._tokens[where].astype(np.int64)
        marks = self._shapes[where]
        rng = np.random.default_rng([self._seed, 2, index])
        words = np.cumsum(marks >> 2)
        masked = (rng.random(int(words[-1]) + 1) < self._share)[words]
        labels = np.where(masked, ids, IGNORE)
        # Devlin et al. 2019: of the chosen places 80 % become the mask, 10 % a random piece, 10 % stay
        lot = rng.random(self._block)
        ids = np.where(masked & (lot < 0.8), self._vocab.mask, ids)
        ids = np.where(masked & (lot > 0.9), rng.integers(5, self._vocab.size, self._block), ids)
        return {"input_ids": ids, "token_type_ids": (marks & 3).astype(np.int64), "labels": labels}


def collate(items: list[dict[str, Any]]) -> dict[str, torch.Tensor]:
    """Stack blocks of equal length."""
    return {key: torch.from_numpy(np.stack([item[key] for item in items])) for key in items[0]}


class MaskedLanguageModel(transformers.BertForMaskedLM):
    """BERT with the vocabulary layer applied to masked places only (a fifth of the cost of all places)."""

    #: the loss is a mean; else the Trainer would take it for a sum and multiply it by the number of processes
    accepts_loss_kwargs = False

    def forward(
        self, input_ids: torch.Tensor, token_type_ids: torch.Tensor, labels: torch.Tensor, **_: Any
    ) -> dict[str, Any]:
        """Return the mean cross-entropy; all arguments are (batch, block)."""
        hidden = self.bert(input_ids=input_ids, token_type_ids=token_type_ids).last_hidden_state
        places = labels != IGNORE
        scores = self.cls(hidden[places])  # (masked, pieces)
        return {"loss": torch.nn.functional.cross_entropy(scores.float(), labels[places])}


class StopAfter(transformers.TrainerCallback):
    """End training after a number of minutes, with a checkpoint; where it stopped is written down."""

    def __init__(self, minutes: float, record: Path) -> None:
        self._seconds = minutes * 60
        self._record = record
        self._start = time.monotonic()

    def on_train_begin(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        """Start the clock."""
        self._start = time.monotonic()

    def on_step_end(self, args: Any, state: Any, control: Any, **kwargs: Any) -> Any:
        """Stop when the time is over, with a checkpoint."""
        if self._is_over(args):
            if state.is_world_process_zero:
                write_json(self._record, {"stopped_at_step": state.global_step})
            control.should_training_stop = True
            control.should_save = True
        return control

    def _is_over(self, args: Any) -> bool:
        over = time.monotonic() - self._start >= self._seconds
        if args.world_size > 1:
            # the clocks of several processes differ; the first one's counts
            told = torch.tensor(int(over), device=args.device)
            torch.distributed.broadcast(told, src=0)
            over = bool(told)
        return over
