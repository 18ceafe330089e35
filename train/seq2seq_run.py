"""One training run: begin or resume, train through the Hugging Face Trainer, evaluate, average, end. Needs torch.

Exact resume rests on four things: the batch stream is a function of seed and position (:mod:`train.batching`); weights,
optimizer, schedule and random state are stored together in a folder that is renamed when whole; nothing between two
saved states reads the random state but dropout (the DataLoader has a generator of its own); evaluation is greedy and
draws nothing.
"""

from __future__ import annotations

import json
import math
import os
import shutil
import sys
import time
from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import asdict
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.utils.data import DataLoader
from transformers import Trainer, TrainerCallback, TrainerControl, TrainerState, TrainingArguments
from transformers.integrations import TensorBoardCallback
from transformers.trainer_callback import PrinterCallback, ProgressCallback

from eval.wer import wer
from rewriter.errors import GenderFairError, InputError, ModelError
from rewriter.files import read_pairs
from rewriter.runs import Manifest, lock
from train.averaging import write_average
from train.batching import EncodedPairs, TokenBatches, encode_pairs
from train.marian import (
    Collator,
    RowNumbers,
    Seq2SeqModel,
    answer,
    build_model,
    load_checkpoint,
    load_weights,
    padding_is_zero,
    save_checkpoint,
    save_weights,
)
from train.quiet import quiet_libraries
from train.seq2seq_config import (
    CHECKPOINT,
    Progress,
    Seq2SeqConfig,
    find_weights,
    identity,
    latest_state,
    limits,
    load_progress,
    open_output,
    quality,
    save_progress,
)
from train.tokenizer import MODEL_FILE, PieceEncoder, find_pairs

#: positions that the model can count; also the longest input of the exported model
POSITIONS = 1024
#: padded source tokens that are evaluated at once
EVAL_TOKENS = 8192


class TrainingDivergedError(GenderFairError):
    """The loss is no number any more."""


class DevSet:
    """The development pairs that are evaluated: ids and texts."""

    def __init__(self, pairs: EncodedPairs, encoder: PieceEncoder, lang: str, count: int, seed: int) -> None:
        rows = np.random.default_rng([seed, 1]).permutation(len(pairs))[:count]
        self._pairs, self._encoder, self.lang = pairs, encoder, lang
        self._collate = Collator(pairs, encoder.pad)
        self.rows = sorted(rows.tolist(), key=lambda n: max(map(len, pairs[n])))

    def evaluate(self, model: Seq2SeqModel) -> dict[str, float]:
        """Return ``dev_loss`` (cross-entropy of a piece, not smoothed), ``dev_wer`` and ``dev_exact`` in percent."""
        training = model.training
        model.eval()
        try:
            result = wer(hypothesis=self._answers(model), reference=self._references(), lang=self.lang)
            return {"dev_loss": self._loss(model), "dev_wer": result.score, "dev_exact": result.exact}
        finally:
            model.train(training)

    def _answers(self, model: Seq2SeqModel) -> list[str]:
        sources = [self._pairs[n][0] for n in self.rows]
        return [self._encoder.decode(ids) for ids in answer(model, sources, tokens=EVAL_TOKENS)]

    def _references(self) -> list[str]:
        return [self._encoder.decode(self._pairs[n][1].tolist()) for n in self.rows]

    @torch.no_grad()
    def _loss(self, model: Seq2SeqModel) -> float:
        total = pieces = 0.0
        for start in range(0, len(self.rows), 64):
            batch = {k: v.to(model.device) for k, v in self._collate(self.rows[start : start + 64]).items()}
            total += float(model(**batch))
            pieces += int((batch["labels"] >= 0).sum())
        return total / pieces


class Run:
    """Everything that one call of :func:`train.seq2seq.train_seq2seq` needs."""

    def __init__(
        self, config: Seq2SeqConfig, encoder: PieceEncoder, data: Path, output: Path, init: Path | None
    ) -> None:
        self.config, self.encoder, self.data, self.output = config, encoder, data, output
        self.init = None if init is None else _resolve(init)
        self.main = int(os.environ.get("RANK", "0")) == 0

    def go(self, *, fresh: bool) -> Path:
        """Train, or go on, or return at once when everything is done."""
        result = self.output / CHECKPOINT
        with lock(self.output) if self.main else nullcontext():
            if self.config.threads:
                torch.set_num_threads(self.config.threads)
            with self.args.main_process_first(local=False):
                manifest = self._prepare(fresh)
            if manifest.complete and manifest.counts["limits"] == limits(self.config) and result.exists():
                return result
            with quiet_libraries():
                self._train(manifest)
        return result

    @cached_property
    def args(self) -> TrainingArguments:
        """The Trainer's arguments; making them joins the other processes."""
        config, cpu = self.config, on_cpu(self.config)
        args = TrainingArguments(
            output_dir=str(self.output / "resume"),
            max_steps=config.steps,
            gradient_accumulation_steps=config.accumulation,
            learning_rate=config.learning_rate,
            lr_scheduler_type="inverse_sqrt",
            warmup_steps=config.warmup,
            weight_decay=config.weight_decay,
            adam_beta1=0.9,
            adam_beta2=0.98,
            adam_epsilon=1e-9,
            max_grad_norm=config.clip,
            bf16=use_bf16(config),
            use_cpu=cpu,
            seed=config.seed,
            logging_steps=config.log_every,
            logging_nan_inf_filter=False,
            eval_strategy="steps",
            eval_steps=config.eval_every,
            save_strategy="no",
            report_to="none",
            disable_tqdm=True,
            remove_unused_columns=False,
            ignore_data_skip=True,
            ddp_backend="gloo" if cpu and "LOCAL_RANK" in os.environ else None,
            ddp_find_unused_parameters=False,
            ddp_broadcast_buffers=False,
            dataloader_pin_memory=not cpu,
        )
        # Several GPUs are used through torchrun; without it the Trainer would cut our batches by rows on its own.
        args._setup_devices  # noqa: B018 - a cached property whose first use counts the GPUs
        args._n_gpu = min(args._n_gpu, 1)
        return args

    def _prepare(self, fresh: bool) -> Manifest:
        """Check and open the output and encode the data; the main process does the work, the others find it done."""
        wanted = identity(self.config, bf16=use_bf16(self.config), data=self.data, encoder=self.encoder, init=self.init)
        if self.main:
            manifest = open_output(self.output, wanted, fresh=fresh)
        else:
            manifest = Manifest.load(self.output) or Manifest("train", wanted)
        self.train_pairs, self.dev_pairs = (self._encode(part) for part in ("train", "dev"))
        for part, pairs in (("train", self.train_pairs), ("dev", self.dev_pairs)):
            if not len(pairs):
                raise InputError(
                    f"{find_pairs(self.data, part)}: no pair is left to use (empty, or all longer than "
                    f"max_length={self.config.max_length} pieces)"
                )
        return manifest

    def _encode(self, part: str) -> EncodedPairs:
        path, cache = find_pairs(self.data, part), self.output / "encoded" / part
        return encode_pairs(path, self.encoder, max_length=self.config.max_length, cache=cache)

    def _train(self, manifest: Manifest) -> None:
        state = latest_state(self.output)
        progress = load_progress(state)
        lang = next(pair.lang for pair in islice(read_pairs(find_pairs(self.data, "dev")), 1))
        dev = DevSet(self.dev_pairs, self.encoder, lang, self.config.dev_sentences, self.config.seed)
        trainer = RewriterTrainer(self, self._model(), progress, dev)
        if progress.reached(self.config):
            # It was interrupted between the last update and the end; only the end is missing.
            trainer.resumed = True
        else:
            trainer.go(state)
        if self.main:
            self._finish(trainer, manifest)
        trainer.accelerator.wait_for_everyone()

    def _model(self) -> Seq2SeqModel:
        torch.manual_seed(self.config.seed)
        shape = {**self.config.shape(), "dropout": self.config.dropout, "max_position_embeddings": POSITIONS}
        model = build_model(shape, self.encoder)
        if on_cpu(self.config):
            # A sixth faster than the fused kernel in bf16 on the CPU at the lengths of sentences (docs/train.md).
            model.set_attn_implementation("eager")
        return model if self.init is None else self._start_from(model, self.init)

    def _start_from(self, model: Seq2SeqModel, init: Path) -> Seq2SeqModel:
        """Put the weights of ``init`` into ``model``."""
        folder = find_weights(init)
        vocabulary = next((p / MODEL_FILE for p in (folder, init) if (p / MODEL_FILE).exists()), None)
        if vocabulary is None or PieceEncoder(vocabulary).digest() != self.encoder.digest():
            raise ModelError(
                f"{init}: its vocabulary ({vocabulary or 'sentencepiece.model is missing'}) is not "
                f"{self.encoder.path}; weights need their own vocabulary: pass that one as the tokenizer"
            )
        if (folder / "model.safetensors").exists():
            found = load_checkpoint(folder)
        else:
            from train.dequantize import load_exported

            found = load_exported(folder, self.encoder)
        wanted = self.config.shape()
        different = [
            f"{k}: {getattr(found.config, k)}, recipe {v}" for k, v in wanted.items() if getattr(found.config, k) != v
        ]
        if different:
            raise ModelError(f"{init}: has another shape than the recipe asks for ({'; '.join(different)})")
        with torch.no_grad():
            parameters = dict(found.named_parameters())
            for name, parameter in model.named_parameters():
                parameter.copy_(parameters[name])
        return model

    def _finish(self, trainer: RewriterTrainer, manifest: Manifest) -> None:
        """Choose between the best weights and the average of the last, write the checkpoint and the manifest."""
        progress = trainer.progress
        chosen = self._choose(trainer)
        if not padding_is_zero(trainer.model):
            raise ModelError("the embedding of <pad> is not zero any more; the exported model would answer differently")
        temporary = self.output / f".{CHECKPOINT}.{os.getpid()}.tmp"
        save_checkpoint(trainer.model, self.encoder, temporary)
        shutil.rmtree(self.output / CHECKPOINT, ignore_errors=True)
        temporary.rename(self.output / CHECKPOINT)
        manifest.complete, manifest.seconds = True, progress.seconds
        manifest.counts = {
            "limits": limits(self.config),
            "pairs": len(self.train_pairs),
            "pairs_too_long": self.train_pairs.too_long,
            "parameters": trainer.model.num_parameters(only_trainable=True),
            **{k: v for k, v in asdict(progress).items() if k in ("step", "tokens", "stopped")},
            "epochs": round(trainer.batches.epoch_at(progress.step * self.config.accumulation), 3),
            "chosen": chosen,
        }
        manifest.notes = {
            "torch": torch.__version__,
            "threads": torch.get_num_threads(),
            "device": str(trainer.args.device),
        }
        manifest.save(self.output)

    def _choose(self, trainer: RewriterTrainer) -> dict[str, Any]:
        """Load the better of best single and averaged weights into the model; return what was chosen and its scores."""
        progress = trainer.progress
        assert progress.best is not None, "training ends with an evaluation"
        best = {"weights": "best", **progress.evaluations[progress.best]}
        candidates = [best]
        steps = [int(e["step"]) for e in progress.evaluations[-self.config.averaging :]]
        files = [path for path in (weights_file(self.output, step) for step in steps) if path.exists()]
        if len(files) > 1:
            write_average(files, self.output / "weights" / "average.safetensors")
            load_weights(trainer.model, self.output / "weights" / "average.safetensors")
            average = {
                "weights": f"average of {len(files)}",
                "step": progress.step,
                **trainer.dev.evaluate(trainer.model),
            }
            trainer.write({"final": "average", **average})
            candidates.append(average)
        chosen = min(candidates, key=lambda metrics: quality(metrics, self.config.select_by))
        if chosen is best:
            load_weights(trainer.model, weights_file(self.output, int(best["step"])))
        trainer.write({"final": "chosen", **chosen})
        return chosen


class RewriterTrainer(Trainer):
    """The Hugging Face Trainer with our batches, loss, evaluation and whole-or-not-at-all states."""

    def __init__(self, run: Run, model: Seq2SeqModel, progress: Progress, dev: DevSet) -> None:
        self.run, self.config, self.progress, self.dev = run, run.config, progress, dev
        self.resumed = False
        self.control: TrainerControl
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
            data_collator=Collator(run.train_pairs, run.encoder.pad),
            train_dataset=RowNumbers(len(run.train_pairs)),
            eval_dataset=RowNumbers(len(dev.rows)),
        )
        # Our loss is a sum that is divided by the number of labels of the whole update.
        self.model_accepts_loss_kwargs = True
        self._clock = Clock(self)
        for callback in (PrinterCallback, ProgressCallback):
            self.remove_callback(callback)
        self.add_callback(self._clock)

    def go(self, state: Path | None) -> None:
        """Train from the beginning, or from a stored state."""
        self.batches.start = self.progress.step * self.config.accumulation
        if self.run.main:
            self._keep_metrics_until(self.progress.step)
            self._add_displays()
        self._clock.start(self.progress.seconds)
        self.train(resume_from_checkpoint=None if state is None else str(state))

    def _add_displays(self) -> None:
        from torch.utils.tensorboard import SummaryWriter

        writer = SummaryWriter(str(self.run.output / "tensorboard"), purge_step=self.progress.step + 1)
        self.add_callback(TensorBoardCallback(writer))
        if sys.stderr.isatty():
            self.add_callback(Bar(self))

    def get_train_dataloader(self) -> DataLoader[Any]:
        """Return this process's share of the batches; the generator of its own keeps dropout's random state alone."""
        return DataLoader(
            self.train_dataset,
            batch_sampler=self.batches,
            collate_fn=self.data_collator,
            generator=torch.Generator(),
            pin_memory=self.args.dataloader_pin_memory,
        )

    def compute_loss(
        self, model: Any, inputs: dict[str, Tensor], return_outputs: bool = False, num_items_in_batch: Any = None
    ) -> Any:
        """Return the smoothed cross-entropy of this process, divided by the labels of the whole update."""
        loss = model(**inputs, smoothing=self.config.label_smoothing)
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
        """Evaluate in the main process; tell the others; keep the weights that the end will need."""
        begun = time.monotonic()
        if self.run.main:
            metrics = {"step": self.state.global_step, **self.dev.evaluate(self.model)}
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
        with (self.run.output / "metrics.jsonl").open("a", encoding="utf-8") as stream:
            stream.write(json.dumps(line) + "\n")

    def _keep_metrics_until(self, step: int) -> None:
        """Drop the lines that a killed run wrote behind the state from which it goes on."""
        path = self.run.output / "metrics.jsonl"
        if path.exists():
            lines = path.read_text(encoding="utf-8").splitlines()
            kept = [
                line
                for line in lines
                if "final" not in (entry := _parsed(line)) and entry.get("step", step + 1) <= step
            ]
            path.write_text("".join(f"{line}\n" for line in kept), encoding="utf-8")


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


class Bar(TrainerCallback):
    """A progress bar on standard error."""

    def __init__(self, trainer: RewriterTrainer) -> None:
        from tqdm import tqdm

        self._shown: dict[str, str] = {}
        self._bar = tqdm(total=trainer.config.steps, initial=trainer.progress.step, unit="update", desc="train")

    def on_step_end(self, args: Any, state: TrainerState, control: TrainerControl, **_: Any) -> None:
        """Move the bar."""
        self._bar.update(state.global_step - self._bar.n)

    def on_log(self, args: Any, state: TrainerState, control: TrainerControl, logs: Any = None, **_: Any) -> None:
        """Show the last figures."""
        for key in ("loss", "tokens_per_second", "dev_wer"):
            value = (logs or {}).get(key, (logs or {}).get(f"eval_{key}"))
            if value is not None:
                self._shown[key] = f"{value:.3g}" if key != "tokens_per_second" else f"{value:.0f}"
        self._bar.set_postfix(self._shown)

    def on_train_end(self, args: Any, state: TrainerState, control: TrainerControl, **_: Any) -> None:
        """Close the bar."""
        self._bar.close()


def on_cpu(config: Seq2SeqConfig) -> bool:
    """Tell whether training runs on the CPU.

    Raises:
        ModelError: ``device: cuda`` where torch sees no GPU.
    """
    if config.device == "cuda" and not torch.cuda.is_available():
        raise ModelError(
            "device: cuda, but torch sees no GPU; install a CUDA build of torch (docs/train.md) or use auto"
        )
    return config.device == "cpu" or not torch.cuda.is_available()


def use_bf16(config: Seq2SeqConfig) -> bool:
    """Tell whether to compute in bfloat16: as asked, or where the hardware has units for it."""
    if config.precision != "auto":
        return config.precision == "bf16"
    if not on_cpu(config):
        return bool(torch.cuda.is_bf16_supported(including_emulation=False))
    checks = ("_is_amx_tile_supported", "_is_avx512_bf16_supported")
    return any(getattr(torch.cpu, name, bool)() for name in checks)


def weights_file(output: Path, step: int) -> Path:
    """Return where the weights of an evaluation are kept."""
    return output / "weights" / f"step-{step:08d}.safetensors"


def _resolve(init: Path) -> Path:
    """Return the folder of ``init``: as given, or that of a bundled model of this name."""
    if init.exists():
        return init
    from rewriter.models import resolve

    return resolve(str(init))


def _for_display(metrics: Mapping[str, Any]) -> dict[str, Any]:
    """Return the metrics under the names by which TensorBoard's callback groups them."""
    return {f"eval_{name}": value for name, value in metrics.items() if name != "step"}


def _parsed(line: str) -> dict[str, Any]:
    """Return a line of metrics; nothing for one that a killed process left half-written."""
    try:
        entry = json.loads(line)
    except ValueError:
        return {}
    return entry if isinstance(entry, dict) else {}


def _sync(path: Path) -> None:
    if path.is_file():
        with path.open("rb") as stream:
            os.fsync(stream.fileno())
