"""Training of a causal language model by the Hugging Face Trainer (:mod:`train.loop.checkpointed`). Needs torch."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
import transformers

from train.bert.packing import FIRST, Examples
from train.lm.config import LmNetworkConfig, LmTrainConfig
from train.loop.checkpointed import (
    CHECKPOINTS,
    EpochOrder,
    MeasuringTrainer,
    Recorder,
    prepare,
    train,
    trainer_arguments,
)
from train.loop.metric_lines import METRICS

_EVAL_BATCH = 32


class CausalExamples(torch.utils.data.Dataset[dict[str, Any]]):
    """The examples of a whole run, in order: as many as its updates need, over as many epochs as that takes."""

    def __init__(self, examples: Examples, *, seed: int, size: int) -> None:
        self._examples, self._size, self._order = examples, size, EpochOrder(len(examples), seed)

    def __len__(self) -> int:
        return self._size

    def __getitem__(self, index: int) -> dict[str, Any]:
        """Return the pieces of the run's example ``index``; each tells the next one."""
        return {"input_ids": pieces_of(self._examples, self._order[index])}


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
        OutputError: the disk is full.
    """
    checkpoint, metrics = prepare(config, output), output / METRICS
    trainer = MeasuringTrainer(
        lambda model: perplexity(model, data[1]),
        metrics,
        model=model,
        args=trainer_arguments(config, output / CHECKPOINTS, config.seed, measured_first=False),
        train_dataset=CausalExamples(data[0], seed=config.seed, size=config.steps * config.batch_size),
        eval_dataset=data[1],
        data_collator=collate,
        callbacks=[Recorder(metrics)],
    )

    def save(trained: Any) -> None:
        trained.save_pretrained(output / "model")
        tokenizer.save_pretrained(output / "model")

    train(trainer, checkpoint, output, save)
    return {"steps": trainer.state.global_step, **{f"perplexity {k}": v for k, v in vars(trainer.measured()).items()}}
