"""What trainings through the Hugging Face Trainer share: order of examples, whole checkpoints, figures beside them.

Example n of a run is the same whether the run began at 0 or was continued, and whatever the number of processes: it is
drawn from a permutation of (seed, epoch). Needs torch.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Generic, TypeVar

import numpy as np
import torch
import transformers

from eval.pretrained import hide_bars
from rewriter.errors import ModelError, OutputError
from rewriter.io.files import read_json, write_json
from train.loop import processes
from train.loop.memory import keep_freed_memory
from train.loop.metric_lines import METRICS, forget_after, note
from train.loop.progress_bar import show_progress
from train.loop.updates import UpdateConfig

Measured = TypeVar("Measured")

#: folder of a run's checkpoints
CHECKPOINTS = "checkpoints"
_COMPLETE = "complete.json"


class EpochOrder:
    """Which of so many examples the run's n-th is: every epoch has an order of its own.

    Args:
        count: examples of an epoch.
        seed: of the orders.
    """

    def __init__(self, count: int, seed: int) -> None:
        self._count, self._seed = count, seed
        self._epoch, self._order = -1, np.empty(0, dtype=np.int64)

    def __getitem__(self, index: int) -> int:
        """Return the number of the example."""
        epoch, place = divmod(index, self._count)
        if epoch != self._epoch:
            self._epoch = epoch
            self._order = np.random.default_rng([self._seed, 3, epoch]).permutation(self._count)
        return int(self._order[place])


class MeasuringTrainer(transformers.Trainer, Generic[Measured]):
    """Trainer that reads its examples in order and measures held-out text by ``measure``.

    Args:
        measure: returns the figures of a model, a dataclass.
        metrics: file in which they are noted.
        each: steps of an epoch, where it is epochs that count.
        arguments: of the Hugging Face Trainer.
    """

    def __init__(self, measure: Callable[[Any], Measured], metrics: Path, *, each: int = 0, **arguments: Any) -> None:
        super().__init__(**arguments)
        self._measure, self._metrics, self._each = measure, metrics, each
        self._last: tuple[int, Measured] | None = None

    def _get_train_sampler(self, *arguments: Any, **keywords: Any) -> Any:
        return torch.utils.data.SequentialSampler(self.train_dataset)

    def evaluate(self, *arguments: Any, **keywords: Any) -> dict[str, float]:
        """Return the figures of the held-out part, and note them in ``metrics.jsonl``."""
        return {f"eval_{name}": value for name, value in vars(self.measured()).items()}

    def measured(self) -> Measured:
        """Measure the model as it is, once at each step."""
        step = self.state.global_step
        if self._last is None or self._last[0] != step:
            self._last = step, self._measure(self.accelerator.unwrap_model(self.model))
            note(self._metrics, {"step": step, **self._epoch(step), "perplexity": vars(self._last[1])})
        return self._last[1]

    def _epoch(self, step: int) -> dict[str, int]:
        return {"epoch": step // self._each} if self._each else {}


class Recorder(transformers.TrainerCallback):
    """Notes losses, and which checkpoints were written to their end."""

    def __init__(self, metrics: Path) -> None:
        self._metrics = metrics

    def on_log(self, args: Any, state: Any, control: Any, logs: dict[str, Any] | None = None, **_: Any) -> None:
        """Note the training loss."""
        if logs and "loss" in logs:
            note(self._metrics, {"step": state.global_step, "loss": logs["loss"], "rate": logs.get("learning_rate")})

    def on_save(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        """Mark the checkpoint as complete."""
        folder = Path(args.output_dir) / f"checkpoint-{state.global_step}"
        if processes.rank() == 0 and folder.is_dir():
            sizes = {p.name: p.stat().st_size for p in sorted(folder.iterdir()) if not p.name.startswith("rng_state")}
            write_json(folder / _COMPLETE, sizes)


def last_checkpoint(folder: Path) -> Path | None:
    """Return the last complete checkpoint, or None; one that a kill left half-written is removed.

    Raises:
        ModelError: a file of the checkpoint is missing or has another size than when it was written.
    """
    found = sorted((p for p in folder.glob("checkpoint-*") if p.is_dir()), key=lambda p: int(p.name.split("-")[1]))
    for path in found:
        if not (path / _COMPLETE).exists() and processes.rank() == 0:
            shutil.rmtree(path, ignore_errors=True)
    complete = [path for path in found if (path / _COMPLETE).exists()]
    if not complete:
        return None
    for name, size in read_json(complete[-1] / _COMPLETE).items():
        file = complete[-1] / name
        if not file.exists() or file.stat().st_size != size:
            raise ModelError(
                f"{file} is missing or damaged; remove the folder {complete[-1].name} and the run goes on from the "
                "checkpoint before it, or begin anew with --redo"
            )
    return complete[-1]


def prepare(config: UpdateConfig, output: Path) -> Path | None:
    """Make a run's folder, threads and memory ready; return the checkpoint to go on from, None at the beginning.

    Raises:
        ModelError: the last checkpoint is damaged.
    """
    output.mkdir(parents=True, exist_ok=True)
    hide_bars()
    if config.threads:
        torch.set_num_threads(config.threads)
    if on_cpu(config):
        keep_freed_memory()
    checkpoint = last_checkpoint(output / CHECKPOINTS)
    forget_after(output / METRICS, int(checkpoint.name.split("-")[1]) if checkpoint else -1)
    return checkpoint


def train(trainer: MeasuringTrainer[Any], checkpoint: Path | None, output: Path, save: Callable[[Any], None]) -> None:
    """Train to the end, and save what was trained, by the first process.

    Raises:
        OutputError: the disk is full.
    """
    show_progress(trainer, output.name)
    with _full_disk_told(output):
        trainer.train(resume_from_checkpoint=str(checkpoint) if checkpoint else None)
        if processes.rank() == 0:
            save(trainer.accelerator.unwrap_model(trainer.model))


@contextmanager
def _full_disk_told(output: Path) -> Iterator[None]:
    try:
        yield
    except Exception as error:  # torch, safetensors and the system each have a type of their own
        if "No space left" not in str(error):
            raise
        raise OutputError(
            f"{output}: the disk is full; finished checkpoints are kept, and the same command goes on from there"
        ) from None


def on_cpu(config: UpdateConfig) -> bool:
    """Return True if training runs on the CPU."""
    return config.device == "cpu" or (config.device == "auto" and not torch.cuda.is_available())


def trainer_arguments(config: UpdateConfig, folder: Path, seed: int, *, measured_first: bool) -> Any:
    """Return the arguments of a Hugging Face Trainer whose metrics and examples are ours."""
    return transformers.TrainingArguments(
        output_dir=str(folder),
        max_steps=config.steps,
        per_device_train_batch_size=processes.own_part(config.batch_size, "batch_size", steps=config.accumulation),
        gradient_accumulation_steps=config.accumulation,
        learning_rate=config.learning_rate,
        warmup_steps=config.warmup,
        lr_scheduler_type="linear",
        weight_decay=config.weight_decay,
        bf16=config.precision == "bf16",
        use_cpu=on_cpu(config),
        ddp_find_unused_parameters=False,
        logging_steps=config.log_every,
        eval_strategy="steps",
        eval_on_start=measured_first,
        eval_steps=config.eval_every,
        save_steps=config.save_every,
        save_total_limit=2,
        report_to=[],
        disable_tqdm=True,
        dataloader_num_workers=config.workers,
        remove_unused_columns=False,
        seed=seed,
    )
