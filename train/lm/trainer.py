"""Training of a causal language model through the Hugging Face Trainer: exact resume, perplexity on held-out text.

Example n of a run is the same whether the run began at 0 or was continued, and whatever the number of processes. Needs
torch.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
import transformers

from eval.pretrained import hide_bars
from train import processes
from train.bert.packing import FIRST, Examples
from train.bert.trainer import Recorder, last_checkpoint, on_cpu, trainer_arguments
from train.lm.config import LmNetworkConfig, LmTrainConfig
from train.memory import keep_freed_memory
from train.metric_lines import METRICS, forget_after, note
from train.progress_bar import show_progress

_EVAL_BATCH = 32


class CausalExamples(torch.utils.data.Dataset[dict[str, Any]]):
    """The examples of a whole run, in order: as many as its updates need, over as many epochs as that takes."""

    def __init__(self, examples: Examples, *, seed: int, size: int) -> None:
        self._examples, self._seed, self._size = examples, seed, size
        self._epoch, self._order = -1, np.empty(0, dtype=np.int64)

    def __len__(self) -> int:
        return self._size

    def __getitem__(self, index: int) -> dict[str, Any]:
        """Return the pieces of the run's example ``index``; each tells the next one."""
        epoch, place = divmod(index, len(self._examples))
        if epoch != self._epoch:
            self._epoch = epoch
            self._order = np.random.default_rng([self._seed, 3, epoch]).permutation(len(self._examples))
        return {"input_ids": pieces_of(self._examples, int(self._order[place]))}


def pieces_of(examples: Examples, number: int) -> Any:
    """Return the piece ids of an example."""
    where = slice(int(examples.starts[number]), int(examples.starts[number + 1]))
    return np.asarray(examples.tokens[where]).astype(np.int64)


def collate(items: list[dict[str, Any]]) -> dict[str, torch.Tensor]:
    """Return examples of one length (blocks) as a batch."""
    ids = torch.from_numpy(np.stack([item["input_ids"] for item in items]))
    return {"input_ids": ids, "labels": ids}


@dataclass(frozen=True)
class CausalPerplexity:
    """Perplexity of held-out text.

    Attributes:
        piece: of a piece, which depends on the vocabulary.
        word: of a word or sign with all its pieces, which does not.
        pieces: how many were predicted.
    """

    piece: float
    word: float
    pieces: int


def perplexity(model: Any, examples: Examples) -> CausalPerplexity:
    """Measure a model on packed text; the first piece of an example is given."""
    device, was_training = next(model.parameters()).device, model.training
    model.eval()
    total, count = 0.0, 0
    with torch.inference_mode():
        for start in range(0, len(examples), _EVAL_BATCH):
            numbers = range(start, min(len(examples), start + _EVAL_BATCH))
            ids = collate([{"input_ids": pieces_of(examples, n)} for n in numbers])["input_ids"].to(device)
            scores = model(input_ids=ids).logits[:, :-1].float()
            losses = torch.nn.functional.cross_entropy(scores.flatten(0, 1), ids[:, 1:].flatten(), reduction="sum")
            total, count = total + float(losses), count + ids[:, 1:].numel()
    model.train(was_training)
    words = int((np.asarray(examples.marks) & FIRST > 0).sum())
    return CausalPerplexity(math.exp(total / count), math.exp(min(700.0, total / max(1, words))), count)


class LmTrainer(transformers.Trainer):
    """Trainer that reads its examples in order and measures perplexity."""

    def __init__(self, held_out: Examples, metrics: Path, **arguments: Any) -> None:
        super().__init__(eval_dataset=held_out, **arguments)
        self._held_out, self._metrics = held_out, metrics
        self._measured: tuple[int, CausalPerplexity] | None = None

    def _get_train_sampler(self, *arguments: Any, **keywords: Any) -> Any:
        return torch.utils.data.SequentialSampler(self.train_dataset)

    def evaluate(self, *arguments: Any, **keywords: Any) -> dict[str, float]:
        """Return the perplexity of the held-out part, and note it in ``metrics.jsonl``."""
        return {"eval_perplexity": self.measured().piece}

    def measured(self) -> CausalPerplexity:
        """Measure the model as it is, once at each step."""
        step = self.state.global_step
        if self._measured is None or self._measured[0] != step:
            self._measured = step, perplexity(self.accelerator.unwrap_model(self.model), self._held_out)
            note(self._metrics, {"step": step, "perplexity": vars(self._measured[1])})
        return self._measured[1]


def build_lm(config: LmNetworkConfig, tokenizer: Any) -> Any:
    """Return a network of GPT-2's shape with random weights."""
    return transformers.GPT2LMHeadModel(
        transformers.GPT2Config(
            vocab_size=len(tokenizer),
            n_positions=config.positions,
            n_embd=config.hidden,
            n_layer=config.layers,
            n_head=config.heads,
            resid_pdrop=config.dropout,
            embd_pdrop=config.dropout,
            attn_pdrop=config.dropout,
            bos_token_id=tokenizer.bos_token_id,
            eos_token_id=tokenizer.eos_token_id,
            pad_token_id=tokenizer.pad_token_id,
        )
    )


def train_causal(
    model: Any, data: tuple[Examples, Examples], tokenizer: Any, config: LmTrainConfig, *, output: Path
) -> dict[str, Any]:
    """Train a model, or go on where an interrupted call stood; leaves ``model/`` and ``metrics.jsonl`` in ``output``.

    Args:
        model: the network.
        data: packed text to train on, and held-out text.
        tokenizer: saved beside the weights.
        config: the training.
        output: folder.

    Raises:
        ModelError: the last checkpoint is damaged.
    """
    output.mkdir(parents=True, exist_ok=True)
    checkpoints, metrics = output / "checkpoints", output / METRICS
    hide_bars()
    if config.threads:
        torch.set_num_threads(config.threads)
    if on_cpu(config):
        keep_freed_memory()
    checkpoint = last_checkpoint(checkpoints)
    forget_after(metrics, int(checkpoint.name.split("-")[1]) if checkpoint else -1)
    trainer = LmTrainer(
        data[1],
        metrics,
        model=model,
        args=trainer_arguments(config, checkpoints, config.seed, measured_first=False),
        train_dataset=CausalExamples(data[0], seed=config.seed, size=config.steps * config.batch_size),
        data_collator=collate,
        callbacks=[Recorder(metrics)],
    )
    show_progress(trainer, output.name)
    trainer.train(resume_from_checkpoint=str(checkpoint) if checkpoint else None)
    trained = trainer.accelerator.unwrap_model(trainer.model)
    if processes.rank() == 0:
        trained.save_pretrained(output / "model")
        tokenizer.save_pretrained(output / "model")
    return {"steps": trainer.state.global_step, **{f"perplexity {k}": v for k, v in vars(trainer.measured()).items()}}
