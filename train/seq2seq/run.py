"""One training run: begin or resume, train (:mod:`train.seq2seq.trainer`), average, choose, end. Needs torch."""

from __future__ import annotations

import os
import shutil
from contextlib import nullcontext
from dataclasses import asdict
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import torch
from transformers import TrainingArguments

from rewriter.errors import InputError, ModelError
from rewriter.io.files import read_pairs
from rewriter.runs.manifest import Manifest, lock
from train.encoder.pretrained import find_start
from train.loop import processes
from train.loop.quiet import quiet_libraries
from train.seq2seq.alignment import Aligner, by_pieces, by_places
from train.seq2seq.averaging import write_average
from train.seq2seq.batching import EncodedPairs, encode_pairs
from train.seq2seq.config import (
    CHECKPOINT,
    Seq2SeqConfig,
    find_weights,
    identity,
    latest_state,
    limits,
    load_progress,
    open_output,
    quality,
)
from train.seq2seq.dev import EVAL_TOKENS, DevSet
from train.seq2seq.marian import (
    Seq2SeqModel,
    build_model,
    load_checkpoint,
    load_weights,
    padding_is_zero,
    save_checkpoint,
)
from train.seq2seq.tokenizer import MODEL_FILE, PieceEncoder, find_pairs
from train.seq2seq.trainer import Clock, RewriterTrainer, TrainingDivergedError, weights_file

__all__ = [
    "EVAL_TOKENS",
    "POSITIONS",
    "Clock",
    "DevSet",
    "RewriterTrainer",
    "Run",
    "TrainingDivergedError",
    "on_cpu",
    "use_bf16",
    "weights_file",
]

#: positions that the model can count; also the longest input of the exported model
POSITIONS = 1024


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
            weight_decay=config.weight_decay,
            adam_beta1=config.adam_beta1,
            adam_beta2=config.adam_beta2,
            adam_epsilon=config.adam_epsilon,
            max_grad_norm=config.clip,
            bf16=use_bf16(config),
            fp16=use_fp16(config),
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
            ddp_find_unused_parameters=False,
            ddp_broadcast_buffers=False,
            dataloader_pin_memory=not cpu,
            **processes.trainer_arguments(cpu=cpu),
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
        if self.main:
            self._align()
        return manifest

    @cached_property
    def aligner(self) -> Aligner | None:
        """What guided alignment teaches, where it does."""
        if not self.config.alignment:
            return None
        if self.config.align_by == "pieces":
            return by_pieces(self.train_pairs)
        return by_places(self.train_pairs, np.load(self._places, mmap_mode="r"))

    @property
    def _places(self) -> Path:
        return self.output / "encoded" / "train" / "places.npy"

    def _align(self) -> None:
        """Write what the states of the pretrained encoder tell, once; it goes when the pairs are encoded anew."""
        if self.config.alignment and self.config.align_by == "states" and not self._places.exists():
            from train.seq2seq.state_alignment import write_places

            model, config = self._new_model(), self.config
            write_places(
                model, self.train_pairs, self.encoder, self._places, bf16=use_bf16(config), most=config.align_most
            )

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
        model = self._new_model()
        if on_cpu(self.config) or self.config.alignment:
            # A sixth faster than the fused kernel in bf16 on the CPU at the lengths of sentences
            # (docs/train/seq2seq.md); and only so the attention can be seen, which guided alignment teaches.
            model.set_attn_implementation("eager")
        return model if self.init is None else self._start_from(model, self.init)

    def _new_model(self) -> Seq2SeqModel:
        config = self.config
        if not config.start:
            shape = {**config.shape(), "dropout": config.dropout, "max_position_embeddings": POSITIONS}
            return build_model(shape, self.encoder)
        from train.seq2seq.warm import WarmShape, build_warm_model, warm_config

        start = find_start(config.start)
        layers = {"encoder_layers": config.encoder_layers, "decoder_layers": config.decoder_layers}
        shape = warm_config(WarmShape.read(start), self.encoder, **layers, dropout=config.dropout)
        return build_warm_model(shape, self.encoder, start)

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
            from train.export.dequantize import load_exported

            found = load_exported(folder, self.encoder)
        wanted = {key: getattr(model.config, key) for key in ("model_type", *self.config.shape())}
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


def on_cpu(config: Seq2SeqConfig) -> bool:
    """Return True if training runs on the CPU.

    Raises:
        ModelError: ``device: cuda`` where torch sees no GPU.
    """
    if config.device == "cuda" and not torch.cuda.is_available():
        raise ModelError(
            "device: cuda, but torch sees no GPU; install a CUDA build of torch (docs/train/seq2seq.md) or use auto"
        )
    return config.device == "cpu" or not torch.cuda.is_available()


def use_bf16(config: Seq2SeqConfig) -> bool:
    """Return True if to compute in bfloat16: as asked, or where the hardware has units for it."""
    if config.precision != "auto":
        return config.precision == "bf16"
    if not on_cpu(config):
        return bool(torch.cuda.is_bf16_supported(including_emulation=False))
    checks = ("_is_amx_tile_supported", "_is_avx512_bf16_supported")
    return any(getattr(torch.cpu, name, bool)() for name in checks)


def use_fp16(config: Seq2SeqConfig) -> bool:
    """Return True if training computes in float16.

    Raises:
        ModelError: it is asked for where there is no GPU.
    """
    if config.precision == "fp16" and on_cpu(config):
        raise ModelError("precision: fp16 needs a GPU; on a processor use bf16, fp32 or auto")
    return config.precision == "fp16"


def _resolve(init: Path) -> Path:
    """Return the folder of ``init``: as given, or that of a bundled model of this name."""
    if init.exists():
        return init
    from rewriter.model.directory import resolve

    return resolve(str(init))
