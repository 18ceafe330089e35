"""A progress bar of a training on standard error, with the time that is left of its updates or its minutes.

Needs transformers and tqdm; imported lazily.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tqdm import tqdm
from transformers import TrainerCallback, TrainerControl, TrainerState
from transformers.trainer_callback import PrinterCallback, ProgressCallback

from train.loop import processes
from train.stages import duration

_FORMAT = "{desc}: {percentage:3.0f}%|{bar}| {elapsed}{postfix}"


@dataclass(frozen=True, slots=True)
class Limits:
    """Where a training ends: after so many updates or minutes, whichever comes first.

    Attributes:
        steps: updates.
        minutes: None for no limit.
        first: updates that earlier runs of this training did.
        spent: seconds of ``minutes`` that earlier runs used.
    """

    steps: int
    minutes: float | None = None
    first: int = 0
    spent: float = 0.0

    def share(self, step: int, seconds: float) -> float:
        """Return how much of the training is done, from 0 to 1, by the limit that is nearer.

        Args:
            step: updates done, by earlier runs too.
            seconds: spent in this run.
        """
        by_time = (self.spent + seconds) / (self.minutes * 60) if self.minutes else 0.0
        return min(1.0, max(step / self.steps, by_time))

    def left(self, step: int, seconds: float) -> float | None:
        """Return the seconds that are left; None where only updates are limited and this run did none yet.

        Args:
            step: updates done, by earlier runs too.
            seconds: spent in this run.
        """
        times = [max(0.0, self.minutes * 60 - self.spent - seconds)] if self.minutes else []
        if step > self.first:
            times.append((self.steps - step) * seconds / (step - self.first))
        return min(times, default=None)


class Bar(TrainerCallback):
    """The bar as a callback of the Trainer.

    Args:
        name: what is trained.
        minutes: limit of the training, beside its updates; 0 or None for none.
        spent: seconds of it that earlier runs used.
        shown: names of the figures beside the bar.
        clock: gives seconds.
    """

    def __init__(
        self,
        name: str,
        *,
        minutes: float | None = None,
        spent: float = 0.0,
        shown: Sequence[str] = ("loss",),
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._name, self._minutes, self._spent, self._shown, self._clock = name, minutes or None, spent, shown, clock
        self._figures: dict[str, str] = {}

    def on_train_begin(self, args: Any, state: TrainerState, control: TrainerControl, **_: Any) -> None:
        """Show the bar and start the clock."""
        self._limits = Limits(state.max_steps, self._minutes, state.global_step, self._spent)
        self._begin = self._clock()
        self._bar = tqdm(total=1.0, desc=self._name, bar_format=_FORMAT, file=sys.stderr)

    def on_step_end(self, args: Any, state: TrainerState, control: TrainerControl, **_: Any) -> None:
        """Move the bar."""
        seconds = self._clock() - self._begin
        self._bar.set_postfix_str(self._text(state.global_step, seconds), refresh=False)
        self._bar.update(self._limits.share(state.global_step, seconds) - self._bar.n)

    def _text(self, step: int, seconds: float) -> str:
        left = self._limits.left(step, seconds)
        parts = [f"update {step:,} of {self._limits.steps:,}", *(f"{k} {v}" for k, v in self._figures.items())]
        return ", ".join([*parts, *([] if left is None else [f"{duration(left)} left"])])

    def on_log(
        self,
        args: Any,
        state: TrainerState,
        control: TrainerControl,
        logs: Mapping[str, Any] | None = None,
        **_: Any,
    ) -> None:
        """Remember the last figures."""
        for name in self._shown:
            value = (logs or {}).get(name, (logs or {}).get(f"eval_{name}"))
            if value is not None:
                self._figures[name.replace("_", " ")] = f"{value:,.0f}" if value >= 100 else f"{value:.3g}"

    def on_train_end(self, args: Any, state: TrainerState, control: TrainerControl, **_: Any) -> None:
        """Close the bar."""
        self._bar.close()


def show_progress(trainer: Any, name: str, **options: Any) -> None:
    """Put our bar in the place of the library's displays, which print their figures as Python would.

    The bar is there where somebody watches: standard error is a terminal, and this is the first of several processes.

    Args:
        trainer: of transformers.
        name: what is trained.
        **options: of :class:`Bar`.
    """
    for callback in (PrinterCallback, ProgressCallback):
        trainer.remove_callback(callback)
    if sys.stderr.isatty() and processes.rank() == 0:
        trainer.add_callback(Bar(name, **options))
