"""Options of training an edit model, and its learning rate."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from rewriter.errors import UsageError
from rewriter.options import at_least, check_share

__all__ = ["EditsConfig"]

#: steps of warm-up of the finish
FINISH_WARMUP = 10


@dataclass
class EditsConfig:
    """Options of training an edit model.

    Attributes:
        lang: language code.
        language: settings of the language under which labels are made and the model will be used (``reader: model``).
        tokens_per_batch: padded pieces of a batch.
        steps: optimiser steps.
        max_minutes: stop after so much time (0: no limit); the learning rate then ends above zero.
        learning_rate: peak, reached after ``warmup`` steps, then linear to zero.
        layer_decay: each layer's learning rate is that of the layer above it times this (Howard & Ruder 2018, section
            3.2, discriminative fine-tuning); 1 where nothing is pretrained.
        warmup: steps.
        weight_decay: of AdamW.
        eval_every: steps between evaluations on the development labels.
        save_every: steps between checkpoints.
        lower: share of sentences shown in lower case; with a cased (pretrained) vocabulary none are.
        upper: share of sentences shown in capitals; likewise.
        mask: share of pieces hidden behind the mask.
        open_only: learn only what the model decides, not what the grammar settles alone, from the first step on.
        open_only_after: steps that learn from every candidate before only those count that the model decides; it takes
            the place of ``open_only`` (true is the same as 0). An encoder that knows little learns faster from all.
        variations: share of the pairs of which a variation is learnt too (``vary`` of the language).
        repeat_limit: how often a sentence with a rare outcome is shown at most for once of the others.
        common_limit: an outcome that is more than so many times as frequent as all others among its candidates is
            thinned to that (0: not at all).
        finish_steps: steps at the end, of ``steps``, that see the read sentences alone (pairs of the strategy
            ``gold``), all alike often: what rules say for certain comes first, what was read has the last word.
        finish_rate: share of ``learning_rate`` at which they begin, after ten steps of warm-up; then linear to zero.
        weight_limit: largest weight of a rare outcome (1: all count alike); see ``class_weights``.
        keep_start: share of the weights from which the training began in those at its end (Wortsman et al. 2022); for a
            training that begins from a finished model and learns something new, so that it keeps what it could.
        calibrate: sentences on which the head's bias is refitted at the end (0: not at all), see
            :mod:`train.edits.calibrate`.
        max_dev: development sentences at most.
        processes: for making labels.
        seed: of weights, order and noise.
        threads: of torch (0: its default).
    """

    lang: str = "en"
    language: dict[str, Any] = field(default_factory=dict)
    tokens_per_batch: int = 6000
    steps: int = 3000
    max_minutes: float = 0
    learning_rate: float = 6e-4
    layer_decay: float = 1.0
    warmup: int = 200
    weight_decay: float = 0.01
    eval_every: int = 500
    save_every: int = 250
    lower: float = 0.04
    upper: float = 0.03
    mask: float = 0.02
    open_only: bool = True
    open_only_after: int | None = None
    variations: float = 1.0
    repeat_limit: float = 4.0
    common_limit: float = 2.5
    weight_limit: float = 2.0
    finish_steps: int = 0
    finish_rate: float = 0.5
    keep_start: float = 0.0
    calibrate: int = 20_000
    max_dev: int = 5000
    processes: int = 2
    seed: int = 1
    threads: int = 0

    def __post_init__(self) -> None:
        for name in ("tokens_per_batch", "steps", "eval_every", "save_every", "max_dev", "processes"):
            at_least(1, **{name: getattr(self, name)})
        at_least(1, repeat_limit=self.repeat_limit, weight_limit=self.weight_limit)
        at_least(0, open_only_after=self.open_only_after or 0, common_limit=self.common_limit, calibrate=self.calibrate)
        at_least(0, max_minutes=self.max_minutes, warmup=self.warmup, learning_rate=self.learning_rate)
        check_share(zero=True, one=True, lower=self.lower, upper=self.upper, mask=self.mask, variations=self.variations)
        check_share(zero=True, keep_start=self.keep_start)
        check_share(one=True, layer_decay=self.layer_decay, finish_rate=self.finish_rate)
        at_least(0, finish_steps=self.finish_steps)
        if self.finish_steps >= self.steps:
            raise UsageError(f"finish_steps ({self.finish_steps}) must leave some of the steps ({self.steps})")

    @property
    def dense_steps(self) -> int:
        """How many steps learn from every candidate, also those that the grammar settles."""
        if self.open_only_after is not None:
            return min(self.open_only_after, self.main_steps)
        return 0 if self.open_only else self.main_steps

    @property
    def main_steps(self) -> int:
        """How many steps see all pairs, before those that see the read sentences alone."""
        return self.steps - self.finish_steps


def schedule(config: EditsConfig, step: int) -> float:
    """Return the factor of the learning rate at ``step``: linear warm-up, then linear to zero, again in the finish."""
    if config.finish_steps and step >= config.main_steps:
        warmup = min(FINISH_WARMUP, config.warmup)
        return config.finish_rate * _slope(step - config.main_steps, warmup, config.finish_steps)
    return _slope(step, config.warmup, config.main_steps)


def _slope(step: int, warmup: int, steps: int) -> float:
    if step < warmup:
        return step / max(1, warmup)
    return max(0.0, (steps - step) / max(1, steps - warmup))
