"""The Hugging Face Trainer for the edit model: our batches, our noise, accuracy by kind. Needs torch."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
import transformers
from numpy.typing import NDArray

from rewriter.language.interface import get_language
from rewriter.model.piece_table import PieceTable
from train.edits.config import EditsConfig, schedule
from train.edits.labels import LabelledSet
from train.edits.model import EditTagger, Noise, class_weights, collate, shown_rows
from train.encoder.masking import StopAfter
from train.loop import processes
from train.loop.checkpoints import last_checkpoint, step_of
from train.loop.metric_lines import forget_after, note
from train.loop.progress_bar import show_progress
from train.seq2seq.batching import TokenBatches

EVAL_BATCH = 64
#: parameters of a layer of the encoder
_LAYER = re.compile(r"encoder\.encoder\.layer\.(\d+)\.")
METRICS = "metrics.jsonl"


@dataclass(frozen=True)
class _Phase:
    """Consecutive batches from one set of labels.

    Attributes:
        data: the labels.
        rows: sentence numbers, the rare repeated, the common thinned.
        weights: of the candidates of ``data``.
        stream: batches of indices into ``rows``.
    """

    data: LabelledSet
    rows: NDArray[np.int64]
    weights: NDArray[np.float32]
    stream: TokenBatches


class Batches(torch.utils.data.IterableDataset[dict[str, Any]]):
    """Ready batches from a position on; batch n is the same whether the stream began at 0 or at n.

    The first ``config.dense_steps`` batches hold every labelled candidate, the others only those that the model
    decides. A phase's order is made when its first batch is asked for.
    """

    def __init__(self, config: EditsConfig, data: LabelledSet, noise: Noise, outcomes: int) -> None:
        self._config, self._data, self._noise, self._outcomes = config, data, noise, outcomes
        self.start = 0

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """Yield batches from ``start`` on."""
        switch, end = self._config.dense_steps, self._config.main_steps
        if self.start < switch:
            yield from self._batches(self._data, self.start, 0, switch)
        if max(self.start, switch) < end:
            yield from self._batches(self._data.only_open(), max(self.start, switch), switch, end)
        if end < self._config.steps:
            finish = self._data if switch == end else self._data.only_open()
            yield from self._batches(finish, max(self.start, end), end, self._config.steps)

    def _batches(self, data: LabelledSet, start: int, first: int, end: int) -> Iterator[dict[str, Any]]:
        """Yield the batches from ``start`` on of the phase from ``first`` to ``end``."""
        is_finish = first == self._config.main_steps
        phase = self._read(data, end - first) if is_finish else self._phase(data, end - first)
        phase.stream.start = start - first
        for number, rows in enumerate(phase.stream, start):
            rng = np.random.default_rng([self._config.seed, 7, number])
            sentences = phase.rows[rows].tolist()
            yield collate(
                phase.data,
                sentences,
                outcomes=self._outcomes,
                rng=rng,
                noise=self._noise,
                weights=phase.weights,
                share=(processes.rank(), processes.count()),
            )

    def _phase(self, data: LabelledSet, batches: int) -> _Phase:
        config = self._config
        rows = shown_rows(
            data,
            repeat_limit=config.repeat_limit,
            common_limit=config.common_limit,
            rng=np.random.default_rng([config.seed, 5]),
        )
        lengths = data.lengths[rows]
        stream = TokenBatches(
            (lengths, lengths), tokens_per_batch=config.tokens_per_batch, seed=config.seed, total=batches
        )
        return _Phase(data, rows, class_weights(data, limit=config.weight_limit), stream)

    def _read(self, data: LabelledSet, batches: int) -> _Phase:
        """Return the finish: the read sentences, all alike often."""
        marks = data.gold if data.gold is not None else np.zeros(len(data), np.bool_)
        rows = data.labelled_rows[marks[data.labelled_rows]]
        lengths = data.lengths[rows]
        tokens = self._config.tokens_per_batch
        stream = TokenBatches((lengths, lengths), tokens_per_batch=tokens, seed=self._config.seed + 1, total=batches)
        return _Phase(data, rows, np.ones(len(data.outcomes), np.float32), stream)


class EditTrainer(transformers.Trainer):
    """Trainer over ready-made batches, evaluated by accuracy of decisions."""

    def __init__(self, config: EditsConfig, batches: Batches, dev: LabelledSet, **arguments: Any) -> None:
        super().__init__(**arguments)
        self._config, self._batches, self._dev = config, batches, dev

    def get_train_dataloader(self) -> Any:
        """Return the batches from the step on that this run begins with."""
        # The Trainer restores its state after asking for the loader; the folder tells the step before that.
        self._batches.start = self._resumed_step()
        # A loader draws a seed when it is iterated; from its own generator, or a resumed run's dropout would differ.
        return torch.utils.data.DataLoader(self._batches, batch_size=None, generator=torch.Generator())

    def _resumed_step(self) -> int:
        last = last_checkpoint(Path(self.args.output_dir))
        return step_of(last) if last else 0

    def compute_loss(
        self, model: Any, inputs: dict[str, Any], return_outputs: bool = False, num_items_in_batch: Any = None
    ) -> Any:
        """Return the loss of this process's share; the batch knows the weight of the whole."""
        return model(**inputs)["loss"]

    def create_scheduler(self, num_training_steps: int, optimizer: Any = None) -> Any:
        """Linear warm-up, then linear to zero at ``steps``."""
        if self.lr_scheduler is None:
            self.lr_scheduler: Any = torch.optim.lr_scheduler.LambdaLR(
                optimizer or self.optimizer, lambda step: schedule(self._config, step)
            )
        return self.lr_scheduler

    def create_optimizer(self, *arguments: Any, **keywords: Any) -> Any:
        """Return AdamW, with a learning rate for each layer where a pretrained encoder is trained further."""
        if self._config.layer_decay == 1:
            return super().create_optimizer(*arguments, **keywords)
        groups = layer_groups(self.model, self._config)
        self.optimizer: Any = torch.optim.AdamW(groups, lr=self._config.learning_rate, fused=True)
        return self.optimizer

    def evaluate(self, *arguments: Any, **keywords: Any) -> dict[str, float]:
        """Return and log accuracy by kind on the development labels."""
        language = get_language(self._config.lang)
        rows = self._dev.labelled_rows[: self._config.max_dev].tolist()
        model = self.model.eval()
        predicted = []
        with torch.no_grad(), torch.autocast(self.args.device.type, torch.bfloat16):
            for start in range(0, len(rows), EVAL_BATCH):
                batch = collate(self._dev, rows[start : start + EVAL_BATCH], outcomes=len(language.outcomes))
                batch = {key: value.to(self.args.device) for key, value in batch.items()}
                predicted.append(model.scores(batch).argmax(dim=1).cpu().numpy())
        model.train()
        table = accuracy_by_kind(_head(self._dev, rows[-1] + 1), np.concatenate(predicted), language.outcomes)
        note(Path(self.args.output_dir).parent / METRICS, {"step": self.state.global_step, **table})
        # TensorBoard's callback groups by this prefix
        shown = {f"eval_{name}": value for name, value in table.items()}
        self.callback_handler.on_log(self.args, self.state, self.control, shown)
        return table


def accuracy_by_kind(data: LabelledSet, predicted: np.ndarray[Any, Any], outcomes: tuple[str, ...]) -> dict[str, float]:
    """Return the share of right decisions per class of (allowed outcomes, right outcome), and over all.

    Args:
        data: the labelled set.
        predicted: (candidates,) outcome ids in the order of ``data``.
        outcomes: names.
    """
    right = predicted == data.outcomes
    table: dict[str, float] = {"accuracy": round(float(right.mean()), 5)}
    groups: Counter[tuple[int, int]] = Counter(zip(data.allowed.tolist(), data.outcomes.tolist(), strict=True))
    for (allowed, outcome), count in sorted(groups.items()):
        among = "/".join(name for i, name in enumerate(outcomes) if allowed >> i & 1)
        chosen = (data.allowed == allowed) & (data.outcomes == outcome)
        table[f"{among}={outcomes[outcome]} ({count})"] = round(float(right[chosen].mean()), 4)
    return table


def _head(data: LabelledSet, size: int) -> LabelledSet:
    """Return the candidates of the first ``size`` sentences (texts stay whole)."""
    end = data.candidate_offsets[size]
    return LabelledSet(
        data.ids,
        data.shapes,
        data.offsets[: size + 1],
        data.places[:end],
        data.outcomes[:end],
        data.allowed[:end],
        data.candidate_offsets[: size + 1],
    )


class LogLosses(transformers.TrainerCallback):
    """Append the losses that the Trainer logs to ``metrics.jsonl``."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def on_train_begin(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        """Give each of several processes its own dropout; a stored random state is loaded after this."""
        if args.world_size > 1:
            torch.manual_seed(args.seed + args.process_index)

    def on_log(self, args: Any, state: Any, control: Any, logs: dict[str, Any] | None = None, **kwargs: Any) -> None:
        """Write one line; evaluations write their own."""
        if logs and not any(name.startswith("eval_") for name in logs):
            note(self._path, {"step": state.global_step, **logs})


def layer_groups(model: EditTagger, config: EditsConfig) -> list[dict[str, Any]]:
    """Return the parameters in groups, from the head (the full learning rate) down to the embeddings (the least).

    Howard & Ruder 2018, section 3.2: what a layer near the text has learnt serves every task, so it changes least.
    Vectors (norms, biases) do not decay.
    """
    layers = model.encoder.config.num_hidden_layers
    grouped: dict[tuple[int, bool], list[torch.nn.Parameter]] = {}
    for name, weights in model.named_parameters():
        if not weights.requires_grad:
            continue
        found = _LAYER.match(name)
        depth = 0 if name.startswith("head.") else layers - int(found[1]) if found else layers + 1
        grouped.setdefault((depth, weights.ndim > 1), []).append(weights)
    return [
        {
            "params": weights,
            "lr": config.learning_rate * config.layer_decay**depth,
            "weight_decay": config.weight_decay if is_matrix else 0.0,
        }
        for (depth, is_matrix), weights in sorted(grouped.items(), key=lambda item: item[0])
    ]


def training_arguments(config: EditsConfig, output: Path) -> Any:
    """Return the Trainer's arguments of a run; making them joins the other processes, if there are any."""
    arguments = transformers.TrainingArguments(
        output_dir=str(output / "checkpoints"),
        max_steps=config.steps,
        learning_rate=config.learning_rate,
        weight_decay=config.weight_decay,
        bf16=True,
        use_cpu=not torch.cuda.is_available(),
        logging_steps=50,
        eval_strategy="steps",
        eval_steps=config.eval_every,
        save_steps=config.save_every,
        save_total_limit=2,
        report_to=[],
        disable_tqdm=True,
        remove_unused_columns=False,
        ignore_data_skip=True,
        seed=config.seed,
        **processes.trainer_arguments(),
    )
    # several GPUs are used through torchrun; without it the Trainer would cut our batches by rows on its own
    arguments._setup_devices  # noqa: B018 - a cached property whose first use counts the GPUs
    arguments._n_gpu = min(arguments._n_gpu, 1)
    return arguments


def make_noise(config: EditsConfig, table: PieceTable) -> Noise:
    """Return the noise of training sentences; a cased vocabulary has no shapes, a word's capitals are in its pieces."""
    lower, upper = (0.0, 0.0) if table.cased else (config.lower, config.upper)
    return Noise(lower=lower, upper=upper, mask=config.mask, mask_id=table.mask)


def make_trainer(
    config: EditsConfig, model: EditTagger, sets: dict[str, LabelledSet], arguments: Any, table: PieceTable
) -> EditTrainer:
    """Return the trainer of a run, ready to begin or to go on from its last checkpoint."""
    output = Path(arguments.output_dir).parent
    batches = Batches(config, sets["train"], make_noise(config, table), len(get_language(config.lang).outcomes))
    callbacks: list[transformers.TrainerCallback] = [LogLosses(output / METRICS)]
    if config.max_minutes:
        callbacks.append(StopAfter(config.max_minutes, output / "stop.json"))
    trainer = EditTrainer(
        config,
        batches,
        sets["dev"],
        model=model,
        args=arguments,
        train_dataset=batches,
        eval_dataset=sets["dev"],
        callbacks=callbacks,
    )
    show_progress(trainer, "edits", minutes=config.max_minutes, shown=("loss", "accuracy"))
    last = last_checkpoint(Path(arguments.output_dir))
    step = step_of(last) if last else 0
    forget_after(output / METRICS, step)
    _add_tensorboard(trainer, output / "tensorboard", step)
    return trainer


def _add_tensorboard(trainer: EditTrainer, folder: Path, step: int) -> None:
    """Log to TensorBoard, too, where it is installed; what a killed run logged behind ``step`` is dropped."""
    from transformers.integrations import TensorBoardCallback, is_tensorboard_available

    if processes.rank() > 0 or not is_tensorboard_available():
        return
    from torch.utils.tensorboard import SummaryWriter

    callback = TensorBoardCallback(SummaryWriter(str(folder), purge_step=step + 1))
    # the evaluation behind the last update comes when the callback has closed its first file
    callback.logging_dir = str(folder)
    trainer.add_callback(callback)
