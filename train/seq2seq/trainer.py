"""The Hugging Face Trainer of a sequence-to-sequence rewriter: whole states, clock, metrics. Needs torch.

Exact resume rests on four things: the batch stream is a function of seed and position
(:mod:`train.seq2seq.batching`); weights, optimizer, schedule and random state are stored together in a folder that is
renamed when whole; nothing between two saved states reads the random state but dropout (the DataLoader has a
generator of its own); evaluation is greedy and draws nothing.
"""

from __future__ import annotations

import math
import os
import shutil
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

import torch
from torch import Tensor
from torch.optim.lr_scheduler import LambdaLR
from torch.utils.data import DataLoader
from transformers import Trainer, TrainerCallback, TrainerControl, TrainerState, TrainingArguments
from transformers.integrations import TensorBoardCallback

from rewriter.errors import GenderFairError
from train.loop.metric_lines import METRICS, forget_after, note
from train.loop.progress_bar import show_progress
from train.seq2seq.alignment import Aligner
from train.seq2seq.batching import EncodedPairs, TokenBatches
from train.seq2seq.config import Progress, Seq2SeqConfig, latest_state, save_progress
from train.seq2seq.dev import DevSet
from train.seq2seq.marian import Collator, Guide, RowNumbers, Seq2SeqModel, save_weights
from train.seq2seq.tokenizer import PieceEncoder


class TrainingRun(Protocol):
    """What the trainer reads of a run (:class:`train.seq2seq.run.Run`)."""

    config: Seq2SeqConfig
    encoder: PieceEncoder
    output: Path
    main: bool

    @property
    def args(self) -> TrainingArguments:
        """Arguments of transformers' Trainer."""

    @property
    def train_pairs(self) -> EncodedPairs:
        """The training part as piece ids."""

    @property
    def aligner(self) -> Aligner | None:
        """What guided alignment teaches, where it does."""


class TrainingDivergedError(GenderFairError):
    """The loss is no number any more."""


class RewriterTrainer(Trainer):
    """The Hugging Face Trainer with our batches, loss, evaluation and whole-or-not-at-all states."""

    def __init__(self, run: TrainingRun, model: Seq2SeqModel, progress: Progress, dev: DevSet) -> None:
        self.run, self.config, self.progress, self.dev = run, run.config, progress, dev
        self.resumed = False
        self.control: TrainerControl
        self.optimizer: Any
        self.lr_scheduler: Any
        self.batches = TokenBatches(
            run.train_pairs.lengths(),
            tokens_per_batch=run.config.tokens_per_batch,
            seed=run.config.seed,
            total=run.config.steps * run.config.accumulation,
            rank=run.args.process_index,
            processes=run.args.world_size,
        )
        super().__init__(
            model=model,
            args=run.args,
            data_collator=Collator(run.train_pairs, run.encoder.pad, align=run.aligner),
            train_dataset=RowNumbers(len(run.train_pairs)),
            eval_dataset=RowNumbers(len(dev.rows)),
        )
        # Our loss is a sum that is divided by the number of labels of the whole update.
        self.model_accepts_loss_kwargs = True
        self._clock = Clock(self)
        self.add_callback(self._clock)
        show_progress(
            self,
            "train",
            minutes=self.config.max_minutes,
            spent=progress.seconds,
            shown=("loss", "tokens_per_second", "dev_wer"),
        )

    def go(self, state: Path | None) -> None:
        """Train from the beginning, or from a stored state."""
        self.batches.start = self.progress.step * self.config.accumulation
        if self.run.main:
            forget_after(self.run.output / METRICS, self.progress.step)
            self._add_displays()
        self._clock.start(self.progress.seconds)
        self.train(resume_from_checkpoint=None if state is None else str(state))

    def _add_displays(self) -> None:
        from torch.utils.tensorboard import SummaryWriter

        writer = SummaryWriter(str(self.run.output / "tensorboard"), purge_step=self.progress.step + 1)
        self.add_callback(TensorBoardCallback(writer))

    def get_train_dataloader(self) -> DataLoader[Any]:
        """Return this process's share of the batches; the generator of its own keeps dropout's random state alone."""
        return DataLoader(
            self.train_dataset,
            batch_sampler=self.batches,
            collate_fn=self.data_collator,
            generator=torch.Generator(),
            pin_memory=self.args.dataloader_pin_memory,
        )

    def create_optimizer(self, *args: Any, **kwargs: Any) -> Any:
        """Make the optimizer; what began pretrained learns at a rate of its own."""
        if self.config.start_rate == 1.0 or self.optimizer is not None:
            return super().create_optimizer(*args, **kwargs)
        kind, options = self.get_optimizer_cls_and_kwargs(self.args)
        began: list[list[Any]] = [[], []]
        for name, parameter in self.model.named_parameters():
            if parameter.requires_grad:
                began[name.startswith(("model.encoder.", "model.shared."))].append(parameter)
        rate, decay = self.config.learning_rate, self.config.weight_decay
        groups: list[dict[str, Any]] = [{"params": began[0]}, {"params": began[1], "lr": rate * self.config.start_rate}]
        self.optimizer = kind([{"weight_decay": decay, **group} for group in groups], **options)
        return self.optimizer

    def create_scheduler(self, num_training_steps: int, optimizer: Any = None) -> Any:
        """Make the schedule; transformers has no inverse square root with a cooldown."""
        if self.lr_scheduler is None:
            self.lr_scheduler = LambdaLR(optimizer or self.optimizer, self.config.rate)
        return self.lr_scheduler

    def compute_loss(
        self, model: Any, inputs: dict[str, Tensor], return_outputs: bool = False, num_items_in_batch: Any = None
    ) -> Any:
        """Return the smoothed cross-entropy of this process, divided by the labels of the whole update."""
        places = inputs.pop("places", None)
        guide = None if places is None else Guide(places, self.config.alignment)
        loss = model(**inputs, smoothing=self.config.label_smoothing, guide=guide)
        # Gradients are averaged over the processes afterwards.
        return loss * self.args.world_size / num_items_in_batch

    def get_batch_samples(self, *args: Any, **kwargs: Any) -> Any:
        """Count the labels that an update learns from."""
        samples, items = super().get_batch_samples(*args, **kwargs)
        self._labels = items
        return samples, items

    def floating_point_ops(self, inputs: Any) -> int:
        """Not counted: walking over all weights at every step costs more than it tells."""
        return 0

    def evaluate(self, *args: Any, **kwargs: Any) -> dict[str, float]:
        """Evaluate, each process its share; keep the weights that the end will need."""
        begun = time.monotonic()
        share = {"rank": self.args.process_index, "processes": self.args.world_size}
        found = self.dev.evaluate(self.model, **share)
        if self.run.main:
            metrics = {"step": self.state.global_step, **found}
            self.progress.step = self.state.global_step
            self.progress.add(metrics, self.config.select_by)
            self.progress.eval_seconds = time.monotonic() - begun
            self._keep_weights()
            self.write(metrics)
        self._share_progress()
        metrics = dict(self.progress.evaluations[-1])
        self.control = self.callback_handler.on_log(self.args, self.state, self.control, _for_display(metrics))
        if self.progress.reached(self.config):
            self._clock.stop(self.control)
        return metrics

    def _keep_weights(self) -> None:
        save_weights(self.model, weights_file(self.run.output, self.state.global_step))
        kept = {weights_file(self.run.output, step) for step in self.progress.kept(self.config.averaging)}
        for path in (self.run.output / "weights").glob("step-*.safetensors"):
            if path not in kept:
                path.unlink()

    def _share_progress(self) -> None:
        if self.args.world_size > 1:
            told = [self.progress]
            torch.distributed.broadcast_object_list(told, src=0)
            self.progress = told[0]

    def restore_loss(self) -> None:
        """Take up the sum of losses that the next line of metrics averages; called when training begins."""
        self._tr_loss += self.progress.pending_loss
        self._globalstep_last_logged = self.progress.logged

    def _save_checkpoint(self, model: Any, trial: Any) -> None:
        """Store the state under a temporary name and rename it when every process has written its part."""
        temporary = self.run.output / "resume" / ".unfinished"
        if self.run.main:
            shutil.rmtree(temporary, ignore_errors=True)
            temporary.mkdir(parents=True)
        self.accelerator.wait_for_everyone()
        self.args.output_dir = str(temporary)
        self.progress.pending_loss = self.accelerator.gather(self._tr_loss).mean().item()
        self.progress.logged = self._globalstep_last_logged
        super()._save_checkpoint(model, trial)
        self.accelerator.wait_for_everyone()
        if self.run.main:
            self._finish_state(temporary / f"checkpoint-{self.state.global_step}")
        self.accelerator.wait_for_everyone()

    def _finish_state(self, written: Path) -> None:
        # The Trainer stores its arguments as a pickle that nothing reads.
        (written / "training_args.bin").unlink(missing_ok=True)
        save_progress(self.progress, written)
        for path in written.iterdir():
            _sync(path)
        final = self.run.output / "resume" / f"step-{self.state.global_step:08d}"
        older = latest_state(self.run.output)
        if older != final:
            written.rename(final)
            if older is not None:
                shutil.rmtree(older)
        shutil.rmtree(written.parent, ignore_errors=True)

    def log(self, logs: dict[str, float], start_time: float | None = None) -> None:
        """Write a line of metrics; stop when the loss is no number."""
        if "loss" not in logs:
            return
        if not math.isfinite(logs["loss"]):
            raise TrainingDivergedError(
                f"the loss is {logs['loss']} at step {self.state.global_step}: lower learning_rate or raise warmup "
                "and begin anew with --fresh"
            )
        logs["epoch"] = self.batches.epoch_at(self.state.global_step * self.config.accumulation)
        logs.update(self._clock.rates())
        if self.run.main:
            self.write({"step": self.state.global_step, **logs})
        self.control = self.callback_handler.on_log(self.args, self.state, self.control, logs)

    def write(self, metrics: Mapping[str, Any]) -> None:
        """Append a line to metrics.jsonl."""
        line = {k: round(v, 6) if isinstance(v, float) else v for k, v in metrics.items()}
        note(self.run.output / METRICS, line)


class Clock(TrainerCallback):
    """Says when to save and when to stop; the main process decides for all."""

    def __init__(self, trainer: RewriterTrainer) -> None:
        self._trainer = trainer

    def start(self, spent: float) -> None:
        """Begin to count, ``spent`` seconds were used by earlier runs."""
        self._begun = time.monotonic() - spent
        self._saved = self._logged = time.monotonic()
        self._tokens_logged = self._trainer.progress.tokens

    def rates(self) -> dict[str, float]:
        """Return minutes spent and target tokens per second since the last call."""
        now, progress = time.monotonic(), self._trainer.progress
        rate = (progress.tokens - self._tokens_logged) / max(now - self._logged, 1e-9)
        self._logged, self._tokens_logged = now, progress.tokens
        return {"minutes": (now - self._begun) / 60, "tokens": progress.tokens, "tokens_per_second": round(rate, 1)}

    def on_train_begin(self, args: Any, state: TrainerState, control: TrainerControl, **_: Any) -> None:
        """Give every process its own dropout; a stored random state is loaded after this."""
        self._trainer.restore_loss()
        torch.manual_seed(self._trainer.config.seed + args.process_index)

    def on_step_end(self, args: Any, state: TrainerState, control: TrainerControl, **_: Any) -> TrainerControl:
        """Count, and decide."""
        progress, config = self._trainer.progress, self._trainer.config
        progress.step = state.global_step
        progress.tokens += int(self._trainer._labels)
        progress.seconds = time.monotonic() - self._begun
        save, stop = self._decide(config)
        control.should_save = save or control.should_save
        if stop:
            progress.stopped, progress.minutes_allowed = "time", config.max_minutes
            self.stop(control)
        if state.global_step >= config.steps:
            self.stop(control)
        return control

    def stop(self, control: TrainerControl) -> None:
        """Stop after this update; evaluate (unless just done) and save the state first."""
        progress = self._trainer.progress
        progress.stopped = progress.stopped or progress.reached(self._trainer.config)
        evaluated = bool(progress.evaluations) and progress.evaluations[-1]["step"] == progress.step
        control.should_evaluate = not evaluated
        control.should_save = control.should_training_stop = True

    def on_save(self, args: Any, state: TrainerState, control: TrainerControl, **_: Any) -> None:
        """Count from the last saved state."""
        self._saved = time.monotonic()

    def _decide(self, config: Seq2SeqConfig) -> tuple[bool, bool]:
        progress = self._trainer.progress
        save = time.monotonic() - self._saved > config.save_minutes * 60
        save = save or bool(config.save_every and progress.step % config.save_every == 0)
        # One more evaluation, that of the average, and the writing must fit in.
        reserve = 2.5 * progress.eval_seconds
        stop = config.max_minutes is not None and progress.seconds + reserve > config.max_minutes * 60
        if self._trainer.args.world_size > 1:
            told = torch.tensor([save, stop], dtype=torch.int32, device=self._trainer.args.device)
            torch.distributed.broadcast(told, src=0)
            save, stop = bool(told[0]), bool(told[1])
        return save, stop


def weights_file(output: Path, step: int) -> Path:
    """Return where the weights of an evaluation are kept."""
    return output / "weights" / f"step-{step:08d}.safetensors"


def _for_display(metrics: Mapping[str, Any]) -> dict[str, Any]:
    """Return the metrics under the names by which TensorBoard's callback groups them."""
    return {f"eval_{name}": value for name, value in metrics.items() if name != "step"}


def _sync(path: Path) -> None:
    if path.is_file():
        with path.open("rb") as stream:
            os.fsync(stream.fileno())
