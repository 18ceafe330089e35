"""The options that trainings of masked and of causal language models share. Needs no torch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rewriter.options import DEVICES, at_least, one_of

PRECISIONS = ("bf16", "fp32")
#: where and how often something is written: may differ when a run is continued
_NOT_COMPARED = frozenset({"device", "threads", "workers", "save_every", "log_every"})


@dataclass(frozen=True, kw_only=True)
class UpdateConfig:
    """How often, how fast and where weights are updated.

    Attributes:
        steps: updates.
        batch_size: examples of an update, over all processes.
        accumulation: parts in which a process computes its share of an update.
        learning_rate: peak, reached after ``warmup`` updates, then linear to zero.
        warmup: updates.
        weight_decay: of AdamW.
        precision: ``bf16`` or ``fp32``.
        eval_every: updates between measurements of perplexity.
        save_every: updates between checkpoints.
        log_every: updates between entries of the training loss.
        device: ``auto``, ``cpu`` or ``cuda``.
        threads: of torch (0: its default).
        workers: processes that make examples ahead; worth it where a GPU waits for them.
    """

    steps: int
    batch_size: int
    accumulation: int = 1
    learning_rate: float
    warmup: int = 500
    weight_decay: float = 0.01
    precision: str = "bf16"
    eval_every: int = 1000
    save_every: int
    log_every: int = 50
    device: str = "auto"
    threads: int = 0
    workers: int = 0

    def __post_init__(self) -> None:
        one_of(PRECISIONS, precision=self.precision)
        one_of(DEVICES, device=self.device)
        counts = ("steps", "batch_size", "accumulation", "eval_every", "save_every", "log_every")
        at_least(1, **{name: getattr(self, name) for name in counts})

    def identity(self) -> dict[str, Any]:
        """Return the options on which the result depends (not the device, nor how often something is written)."""
        return {key: value for key, value in vars(self).items() if key not in _NOT_COMPARED}
