"""A sequence-to-sequence training's options, identity, progress and output folder; needs no torch.

What the folder holds stands in :mod:`train.seq2seq`. Recipes are read and checked with this module alone.
"""

from __future__ import annotations

import re
import shutil
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from rewriter.errors import ModelError, UsageError
from rewriter.io.files import file_digest, read_json, write_json
from rewriter.options import DEVICES, at_least, check_share, one_of, positive
from rewriter.runs.manifest import Manifest, check_same
from train.encoder.pretrained import START_FILES, find_start
from train.loop.metric_lines import METRICS
from train.seq2seq import batching
from train.seq2seq.tokenizer import PieceEncoder, find_pairs

__all__ = ["Seq2SeqConfig"]

#: raise by hand when the same input and options give other weights
VERSION = 1
CHECKPOINT = "checkpoint"
#: how far, how often and where: may differ when a run goes on
_LIMITS = ("steps", "max_minutes", "patience", "averaging")
NOT_COMPARED = (*_LIMITS, "save_minutes", "save_every", "log_every", "threads", "device", "precision")


@dataclass(frozen=True)
class Seq2SeqConfig:
    """Options of :func:`train_seq2seq`; the defaults are the paper's (Amrhein et al. 2023, section 3.2) where it says.

    Attributes:
        encoder_layers: layers of the encoder.
        decoder_layers: layers of the decoder.
        d_model: width of embeddings and layers.
        ffn: width of the feed-forward part.
        heads: attention heads of each layer.
        dropout: share of values dropped while training.
        max_length: pairs with more pieces on a side (``</s>`` included) are left out.
        tokens_per_batch: padded tokens (of the longer side) in a batch, over all processes.
        accumulation: batches whose gradients are summed for one update.
        learning_rate: highest learning rate, reached after the warm-up.
        warmup: updates of linear warm-up; inverse square root decay follows (Vaswani et al. 2017, section 5.3).
        cooldown: how many of the last ``steps`` the rate falls further, in a straight line to zero (Zhai et al. 2022,
            "Learning-rate schedule"). When ``steps`` is raised later, it rises again.
        label_smoothing: share of probability spread over all pieces.
        weight_decay: decoupled weight decay of AdamW.
        adam_beta1: decay of Adam's mean of gradients.
        adam_beta2: decay of its mean of squares: 0.98 (Vaswani et al. 2017, section 5.3) or 0.999 (Kingma, Ba 2015).
        adam_epsilon: what is added to the root of the squares: 1e-9 and 1e-8 there.
        clip: largest norm of the gradient.
        steps: updates at most.
        max_minutes: minutes at most, over all resumed runs, final evaluation included.
        eval_every: updates between evaluations on the development pairs.
        patience: evaluations without a better one before training stops; 0 never stops.
        select_by: ``wer`` or ``loss`` of the development pairs decides which weights are best.
        dev_sentences: development pairs that are evaluated, drawn at random where there are more.
        averaging: weights of so many last evaluations are averaged at the end; 1 averages nothing.
        save_minutes: minutes between saved states to resume from.
        save_every: updates between them, in addition.
        log_every: updates between lines in metrics.jsonl.
        seed: of weights, order and dropout.
        start: pretrained encoder from which encoder, vocabulary and embeddings begin (:mod:`train.seq2seq.warm`): a
            Hugging Face folder of the BERT family over Unigram pieces, or its name below GENDER_FAIR_ENCODERS. Its
            first ``encoder_layers`` layers are kept; width, heads and feed-forward part are its own, so ``d_model``,
            ``ffn`` and ``heads`` do not count.
        start_rate: learning rate of what began pretrained, as a share of ``learning_rate``.
        alignment: weight of guided alignment (Chen et al. 2016): how much the last layer's attention to the source is
            taught to look at the piece that is copied or translated; 0 for none.
        align_by: what tells that piece: ``pieces`` that both sides share (rewrites), or ``states`` of the encoder that
            a start brings (translations).
        align_most: with ``states``, pairs that are aligned at most, the shortest ones; 0 for all.
        precision: ``bf16``, ``fp16`` (on a GPU), ``fp32`` or ``auto`` (bf16 where processor or GPU have units for it).
        device: ``auto``, ``cpu`` or ``cuda``.
        threads: CPU threads; torch's own choice by default.
    """

    encoder_layers: int = 6
    decoder_layers: int = 6
    d_model: int = 512
    ffn: int = 1024
    heads: int = 4
    dropout: float = 0.1
    max_length: int = 256
    tokens_per_batch: int = 4096
    accumulation: int = 1
    learning_rate: float = 5e-4
    warmup: int = 4000
    cooldown: int = 0
    label_smoothing: float = 0.1
    weight_decay: float = 0.0
    adam_beta1: float = 0.9
    adam_beta2: float = 0.98
    adam_epsilon: float = 1e-9
    clip: float = 1.0
    steps: int = 100_000
    max_minutes: float | None = None
    eval_every: int = 1000
    patience: int = 10
    select_by: str = "wer"
    dev_sentences: int = 500
    averaging: int = 5
    save_minutes: float = 10.0
    save_every: int | None = None
    log_every: int = 50
    seed: int = 1
    precision: str = "auto"
    device: str = "auto"
    threads: int | None = None
    start: str = ""
    start_rate: float = 1.0
    alignment: float = 0.0
    align_by: str = "pieces"
    align_most: int = 0

    def __post_init__(self) -> None:
        positive(**{name: getattr(self, name) for name in _POSITIVE})
        one_of(("wer", "loss"), select_by=self.select_by)
        one_of(("auto", "bf16", "fp16", "fp32"), precision=self.precision)
        one_of(DEVICES, device=self.device)
        if self.d_model % self.heads or self.d_model % 2:
            raise UsageError(f"d_model must be even and divisible by heads: {self.d_model} is not ({self.heads} heads)")
        check_share(zero=True, dropout=self.dropout, label_smoothing=self.label_smoothing)
        positive(start_rate=self.start_rate)
        if self.start_rate != 1.0 and not self.start:
            raise UsageError("start_rate is the learning rate of what began pretrained; give 'start', or leave it out")
        at_least(0, alignment=self.alignment, align_most=self.align_most, cooldown=self.cooldown)
        if self.cooldown > self.steps:
            raise UsageError(f"cooldown is a part of the updates: it is {self.cooldown}, steps is {self.steps}")
        one_of(("pieces", "states"), align_by=self.align_by)
        if self.align_by == "states" and not self.start:
            raise UsageError("align_by: states are those of a pretrained encoder; give 'start', or align by pieces")
        if self.align_most and self.align_by != "states":
            raise UsageError("align_most counts pairs that are aligned by states; set align_by: states, or omit it")
        check_share(zero=True, adam_beta1=self.adam_beta1, adam_beta2=self.adam_beta2)

    def options(self, *left_out: str) -> dict[str, Any]:
        """Return the options by name, but those that are left out and those that do not count without another."""
        silent = {*left_out, "start"} | {name for name in _USED_WITH if not getattr(self, _USED_WITH[name])}
        return {key: value for key, value in asdict(self).items() if key not in silent}

    def rate(self, step: int) -> float:
        """Return the learning rate behind ``step`` updates, as a share of ``learning_rate``."""
        if step < self.warmup:
            share = step / self.warmup
        else:  # without a warm-up as in transformers' schedule
            share = (1 + (step - self.warmup) / (self.warmup or 10_000)) ** -0.5
        return share * min(1.0, max(0, self.steps - step) / self.cooldown) if self.cooldown else share

    def shape(self) -> dict[str, Any]:
        """Return the keys of transformers' MarianConfig that decide the shape of the weights."""
        return {
            "encoder_layers": self.encoder_layers,
            "decoder_layers": self.decoder_layers,
            "d_model": self.d_model,
            "encoder_ffn_dim": self.ffn,
            "decoder_ffn_dim": self.ffn,
            "encoder_attention_heads": self.heads,
            "decoder_attention_heads": self.heads,
        }


#: option -> the one without which it does not count
_USED_WITH = {
    "start_rate": "start", "alignment": "alignment", "align_by": "alignment", "align_most": "align_most",
    "cooldown": "cooldown",
}  # fmt: skip
_POSITIVE = (
    "encoder_layers", "decoder_layers", "d_model", "ffn", "heads", "max_length", "tokens_per_batch", "accumulation",
    "learning_rate", "steps", "eval_every", "dev_sentences", "averaging", "save_minutes", "log_every", "clip",
    "adam_epsilon",
)  # fmt: skip


@dataclass
class Progress:
    """What a run knows about itself; stored in every state to resume from.

    Attributes:
        step: updates done.
        tokens: target tokens learnt from.
        seconds: time spent, over all resumed runs.
        evaluations: ``step``, ``dev_loss`` and ``dev_wer`` of every evaluation.
        best: index of the best of them.
        eval_seconds: how long the last one took.
        stopped: why training stopped (``steps``, ``patience``, ``time``), or nothing.
        minutes_allowed: ``max_minutes`` when it did.
        pending_loss: sum of the losses since the last line of metrics.
        logged: step of that line.
    """

    step: int = 0
    tokens: int = 0
    seconds: float = 0.0
    evaluations: list[dict[str, Any]] = field(default_factory=list)
    best: int | None = None
    eval_seconds: float = 0.0
    stopped: str = ""
    minutes_allowed: float | None = None
    pending_loss: float = 0.0
    logged: int = 0

    def add(self, metrics: dict[str, Any], select_by: str) -> bool:
        """Take up an evaluation; return whether it is the best so far (the first of equal ones stays)."""
        self.evaluations.append(metrics)
        better = self.best is None or quality(metrics, select_by) < quality(self.evaluations[self.best], select_by)
        if better:
            self.best = len(self.evaluations) - 1
        return better

    @property
    def without_gain(self) -> int:
        """How many evaluations lie behind the best one."""
        return 0 if self.best is None else len(self.evaluations) - 1 - self.best

    def kept(self, averaging: int) -> list[int]:
        """Return the steps whose weights are still needed: the last ``averaging`` evaluations and the best."""
        last = self.evaluations[-averaging:]
        best = [] if self.best is None else [self.evaluations[self.best]]
        return sorted({int(e["step"]) for e in [*last, *best]})

    def reached(self, config: Seq2SeqConfig) -> str:
        """Return why no more updates are to follow under ``config``, or an empty string."""
        if self.step >= config.steps:
            return "steps"
        if config.patience and self.without_gain >= config.patience:
            return "patience"
        if self.stopped == "time" and config.max_minutes is not None:
            return "time" if config.max_minutes <= (self.minutes_allowed or 0) else ""
        return ""


def quality(metrics: dict[str, Any], select_by: str) -> tuple[float, float]:
    """Return a key by which the better evaluation is smaller; the other figure settles a tie."""
    wer, loss = float(metrics["dev_wer"]), float(metrics["dev_loss"])
    return (wer, loss) if select_by == "wer" else (loss, wer)


def identity(
    config: Seq2SeqConfig, *, bf16: bool, data: Path, encoder: PieceEncoder, init: Path | None
) -> dict[str, Any]:
    """Return what the weights depend on, for comparison when a run goes on."""
    return {
        "version": f"{VERSION}.{batching.VERSION}",
        **config.options(*NOT_COMPARED),
        "bf16": bf16,
        "train": file_digest(find_pairs(data, "train")),
        "dev": file_digest(find_pairs(data, "dev")),
        "vocabulary": encoder.digest(),
        "init": None if init is None else weights_digest(init),
        **({"fp16": True} if config.precision == "fp16" else {}),
        **start_parts(config),
    }


def start_files(config: Seq2SeqConfig) -> dict[str, Path]:
    """Return the files of the pretrained encoder that a training begins from, by what they are called in manifests.

    Raises:
        InputError: there is no such encoder.
    """
    if not config.start:
        return {}
    folder = find_start(config.start)
    return {f"start {name}": folder / name for name in START_FILES}


def start_parts(config: Seq2SeqConfig) -> dict[str, str]:
    """Return the digests of :func:`start_files`."""
    return {name: file_digest(path) for name, path in start_files(config).items()}


def limits(config: Seq2SeqConfig) -> dict[str, Any]:
    """Return the options that say how far a run goes; a finished run goes on when they are raised."""
    return {key: getattr(config, key) for key in _LIMITS}


def open_output(output: Path, wanted: dict[str, Any], *, fresh: bool) -> Manifest:
    """Return the manifest of a run to go on with, or of a new one, which is written.

    Raises:
        ResumeError: another run's output is there.
    """
    found = Manifest.load(output)
    if found is not None and not fresh:
        check_same(found.identity, wanted, where=output)
        return found
    for name in (METRICS, "tensorboard", "encoded", "resume", "weights", CHECKPOINT):
        path = output / name
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)
    manifest = Manifest("train", wanted)
    manifest.save(output)
    return manifest


def latest_state(output: Path) -> Path | None:
    """Return the newest ``resume/step-N``; unfinished ones have another name."""
    states = [p for p in (output / "resume").glob("step-*") if re.fullmatch(r"step-\d+", p.name)]
    return max(states, key=lambda path: int(path.name[5:]), default=None)


def load_progress(state: Path | None) -> Progress:
    """Return the progress stored in a state to resume from; a new one without."""
    return Progress() if state is None else Progress(**read_json(state / "progress.json"))


def save_progress(progress: Progress, folder: Path) -> None:
    """Store the progress beside the other parts of a state."""
    write_json(folder / "progress.json", asdict(progress))


def find_weights(folder: Path) -> Path:
    """Return the folder whose weights ``init`` means: its ``checkpoint``, itself, or an exported model.

    Raises:
        ModelError: there are none.
    """
    for candidate in (folder / CHECKPOINT, folder):
        if (candidate / "model.safetensors").exists() or (candidate / "model.bin").exists():
            return candidate
    raise ModelError(
        f"{folder}: holds no weights to start from; pass the output folder of a training run, its 'checkpoint' folder, "
        "or an exported sequence-to-sequence model (model.bin)"
    )


def weights_digest(folder: Path) -> str:
    """Return the digest of the weights that ``init`` means."""
    found = find_weights(folder)
    name = "model.safetensors" if (found / "model.safetensors").exists() else "model.bin"
    return file_digest(found / name)
