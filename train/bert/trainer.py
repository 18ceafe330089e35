"""Masked-language-model training through the Hugging Face Trainer: exact resume, perplexity on held-out text.

The masks of a run's example n are drawn from (seed, n), so that they are the same whether the run began at 0 or was
continued (:mod:`train.loop.checkpointed` says which example that is). Needs torch.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
import transformers

from eval.pretrained import hide_bars
from train.bert.config import BertConfig, MlmConfig
from train.bert.packing import FIRST, PRONOUN, SPECIAL, Examples
from train.loop.checkpointed import (
    CHECKPOINTS,
    EpochOrder,
    MeasuringTrainer,
    Recorder,
    on_cpu,
    prepare,
    train,
    trainer_arguments,
)
from train.loop.metric_lines import METRICS

IGNORE = -100
#: masks of held-out text, the same for every run
_EVAL_SEED = 977
_EVAL_BATCH = 64


class MaskedBert(transformers.BertForMaskedLM):
    """BERT with the vocabulary layer applied to masked places only."""

    #: the loss is a mean; else the Trainer would take it for a sum and multiply it by processes and parts of a batch
    accepts_loss_kwargs = False

    def forward(
        self,
        input_ids: torch.Tensor,
        token_type_ids: torch.Tensor,
        attention_mask: torch.Tensor,
        labels: torch.Tensor,
        **_: Any,
    ) -> dict[str, Any]:
        """Return loss (mean) and ``losses`` (of each masked place); all arguments are (batch, length)."""
        hidden = self.bert(
            input_ids=input_ids, token_type_ids=token_type_ids, attention_mask=attention_mask
        ).last_hidden_state
        places = labels != IGNORE
        scores = self.cls(hidden[places]).float()  # (masked, pieces)
        losses = torch.nn.functional.cross_entropy(scores, labels[places], reduction="none")
        # a batch without a masked place has the loss 0, not none
        return {"loss": losses.sum() / max(1, losses.numel()), "losses": losses}


class NextSentenceBert(transformers.BertForPreTraining):
    """BERT that learns, too, whether the second unit follows the first; else as :class:`MaskedBert`."""

    accepts_loss_kwargs = False

    def forward(
        self,
        input_ids: torch.Tensor,
        token_type_ids: torch.Tensor,
        attention_mask: torch.Tensor,
        labels: torch.Tensor,
        next_sentence_label: torch.Tensor | None = None,
        **_: Any,
    ) -> dict[str, Any]:
        """Return loss, ``losses`` of masked places, and ``right`` where labels of pairs (0: follows) are given."""
        read = self.bert(input_ids=input_ids, token_type_ids=token_type_ids, attention_mask=attention_mask)
        places = labels != IGNORE
        scores = self.cls.predictions(read.last_hidden_state[places]).float()
        losses = torch.nn.functional.cross_entropy(scores, labels[places], reduction="none")
        found = {"loss": losses.sum() / max(1, losses.numel()), "losses": losses}
        if next_sentence_label is None:
            return found
        answers = self.cls.seq_relationship(read.pooler_output).float()
        found["loss"] = found["loss"] + torch.nn.functional.cross_entropy(answers, next_sentence_label)
        return found | {"right": answers.argmax(dim=-1) == next_sentence_label}


@dataclass(frozen=True)
class Masking:
    """What is masked: share, words or pieces; and the ids of the tokenizer."""

    share: float
    whole_words: bool
    mask_id: int
    vocab_size: int
    specials: int = 5

    def apply(self, ids: Any, marks: Any, rng: np.random.Generator) -> tuple[Any, Any]:
        """Return masked ids and labels (Devlin et al. 2019: of the chosen 80 % mask, 10 % random, 10 % stay)."""
        special = (marks & SPECIAL) > 0
        if self.whole_words:
            words = np.cumsum(marks & FIRST)
            chosen = (rng.random(int(words[-1]) + 1) < self.share)[words]
        else:
            chosen = rng.random(len(ids)) < self.share
        chosen &= ~special
        if not chosen.any() and not special.all():
            chosen[int(rng.choice(np.flatnonzero(~special)))] = True
        labels = np.where(chosen, ids, IGNORE)
        lot = rng.random(len(ids))
        shown = np.where(chosen & (lot < 0.8), self.mask_id, ids)
        shown = np.where(chosen & (lot >= 0.9), rng.integers(self.specials, self.vocab_size, len(ids)), shown)
        return shown, labels


class MaskedExamples(torch.utils.data.Dataset[dict[str, Any]]):
    """The examples of a whole run, in order: as many as its steps need, over as many epochs as that takes."""

    def __init__(
        self, examples: Examples, masking: Masking, *, seed: int, size: int, next_sentence: bool = False
    ) -> None:
        self._examples, self._masking, self._seed, self._size = examples, masking, seed, size
        self._next_sentence = next_sentence
        self._order = EpochOrder(len(examples), seed)

    def __len__(self) -> int:
        return self._size

    def __getitem__(self, index: int) -> dict[str, Any]:
        """Return ids, token types and labels of the run's example ``index``."""
        rng, number = np.random.default_rng([self._seed, 2, index]), self._order[index]
        other = None
        if self._next_sentence:
            other = other_second(len(self._examples), number, np.random.default_rng([self._seed, 4, index]))
        made = masked_example(self._examples, number, self._masking, rng, second_of=other)
        return made | ({"next_sentence_label": int(other is not None)} if self._next_sentence else {})


def other_second(examples: int, number: int, rng: np.random.Generator) -> int | None:
    """Return the example whose second unit takes the place of an example's own, in half of all cases; else None."""
    if examples < 2 or rng.random() < 0.5:
        return None
    other = int(rng.integers(examples - 1))
    return other + (other >= number)


def _pieces(examples: Examples, number: int) -> tuple[Any, Any, int]:
    """Return an example's pieces and marks, and where its second unit begins."""
    where = slice(int(examples.starts[number]), int(examples.starts[number + 1]))
    ids, marks = examples.tokens[where].astype(np.int64), np.asarray(examples.marks[where])
    return ids, marks, int(examples.seconds[number])


def _with_second(examples: Examples, number: int, other: int) -> tuple[Any, Any, int]:
    """Return an example with the second unit of another one, cut so that it is no longer than the longest of both."""
    ids, marks, second = _pieces(examples, number)
    others, other_marks, begins = _pieces(examples, other)
    room = max(len(ids), len(others)) - second
    tail = np.r_[begins : len(others)]
    if len(tail) > room:  # its last piece ends the unit
        tail = np.r_[tail[: max(0, room - 1)], tail[-1:]]
    return np.r_[ids[:second], others[tail]], np.r_[marks[:second], other_marks[tail]], second


def masked_example(
    examples: Examples, number: int, masking: Masking, rng: np.random.Generator, *, second_of: int | None = None
) -> dict[str, Any]:
    """Return one example with masks: ``input_ids``, ``token_type_ids``, ``labels``, ``pronouns``.

    Args:
        examples: of which it is one.
        number: its number.
        masking: what is masked.
        rng: draws it.
        second_of: the example whose second unit takes the place of its own; None: its own.
    """
    if second_of is None:
        ids, marks, second = _pieces(examples, number)
    else:
        ids, marks, second = _with_second(examples, number, second_of)
    shown, labels = masking.apply(ids, marks, rng)
    types = (np.arange(len(ids)) >= second).astype(np.int64)
    return {"input_ids": shown, "token_type_ids": types, "labels": labels, "pronouns": (marks & PRONOUN) > 0}


def collate(items: list[dict[str, Any]]) -> dict[str, torch.Tensor]:
    """Pad examples to the longest, rounded up to eight; padding is not attended to."""
    longest = -(-max(len(item["input_ids"]) for item in items) // 8) * 8

    def stacked(key: str, filler: int) -> torch.Tensor:
        rows = [np.pad(item[key], (0, longest - len(item[key])), constant_values=filler) for item in items]
        return torch.from_numpy(np.stack(rows))

    attended = [{"mask": np.ones(len(item["input_ids"]), dtype=np.int64)} for item in items]
    rows = [np.pad(item["mask"], (0, longest - len(item["mask"]))) for item in attended]
    batch = {"input_ids": stacked("input_ids", 0), "token_type_ids": stacked("token_type_ids", 0)}
    if "next_sentence_label" in items[0]:
        batch["next_sentence_label"] = torch.tensor([item["next_sentence_label"] for item in items])
    return batch | {"labels": stacked("labels", IGNORE), "attention_mask": torch.from_numpy(np.stack(rows))}


@dataclass(frozen=True)
class Perplexity:
    """Perplexity of masked pieces of held-out text, with and without pronoun forms among them.

    Attributes:
        all: over all masked pieces.
        neutral: over those that are no he, she or they form.
        pronouns: over the pronoun forms alone; 0 without any.
        pieces: masked pieces.
        pronoun_pieces: those of pronoun forms.
    """

    all: float
    neutral: float
    pronouns: float
    pieces: int
    pronoun_pieces: int


def perplexity(model: Any, examples: Examples, masking: Masking) -> Perplexity:
    """Measure a model; the masks depend on the examples only, so models of one vocabulary can be compared."""
    device = next(model.parameters()).device
    was_training = model.training
    model.eval()
    losses, pronouns = [], []
    with torch.no_grad():
        for start in range(0, len(examples), _EVAL_BATCH):
            numbers = range(start, min(len(examples), start + _EVAL_BATCH))
            items = [masked_example(examples, n, masking, np.random.default_rng([_EVAL_SEED, n])) for n in numbers]
            batch = {key: value.to(device) for key, value in collate(items).items()}
            losses.append(model(**batch)["losses"].double().cpu().numpy())
            pronouns += [item["pronouns"][item["labels"] != IGNORE] for item in items]
    model.train(was_training)
    loss, pronoun = np.concatenate(losses), np.concatenate(pronouns)
    values = [math.exp(part.mean()) if len(part) else 0.0 for part in (loss, loss[~pronoun], loss[pronoun])]
    return Perplexity(values[0], values[1], values[2], len(loss), int(pronoun.sum()))


def next_sentence_accuracy(model: Any, examples: Examples, masking: Masking) -> float:
    """Return the share of held-out pairs, half of them not following, that a model tells right, in percent."""
    device = next(model.parameters()).device
    was_training = model.training
    model.eval()
    right: list[Any] = []
    with torch.no_grad():
        for start in range(0, len(examples), _EVAL_BATCH):
            items = []
            for number in range(start, min(len(examples), start + _EVAL_BATCH)):
                rng = np.random.default_rng([_EVAL_SEED, number, 4])
                other = other_second(len(examples), number, rng)
                item = masked_example(examples, number, masking, rng, second_of=other)
                items.append(item | {"next_sentence_label": int(other is not None)})
            batch = {key: value.to(device) for key, value in collate(items).items()}
            right.append(model(**batch)["right"].cpu().numpy())
    model.train(was_training)
    return 100.0 * float(np.concatenate(right).mean())


def bert_class(*, next_sentence: bool) -> Any:
    """Return the class of what is trained: with or without the question whether a unit follows."""
    return NextSentenceBert if next_sentence else MaskedBert


def build_bert(config: BertConfig, vocab_size: int, *, next_sentence: bool = False) -> Any:
    """Return a BERT of the configured size with random weights."""
    layers, hidden, heads, feed_forward = config.shape()
    return bert_class(next_sentence=next_sentence)(
        transformers.BertConfig(
            vocab_size=vocab_size,
            hidden_size=hidden,
            num_hidden_layers=layers,
            num_attention_heads=heads,
            intermediate_size=feed_forward,
            max_position_embeddings=config.positions,
            hidden_dropout_prob=config.dropout,
            attention_probs_dropout_prob=config.dropout,
            pad_token_id=0,
        )
    )


@dataclass(frozen=True)
class Sets:
    """What is trained on and measured."""

    train: Examples
    held_out: Examples
    tokenizer: Any


def train_masked(model: Any, sets: Sets, config: MlmConfig, *, seed: int, output: Path) -> dict[str, Any]:
    """Train a model, or go on where an interrupted call stood; leaves ``model/`` and ``metrics.jsonl`` in ``output``.

    Raises:
        ModelError: the last checkpoint is damaged.
        OutputError: the disk is full.
    """
    masking = Masking(config.mask_share, config.whole_words, sets.tokenizer.mask_token_id, len(sets.tokenizer))
    if on_cpu(config):
        # a fifth faster than the fused kernel in bf16 on the CPU at blocks of 64 (1.56 s an update; 1.9 to 2.0)
        model.set_attn_implementation("eager")
    checkpoint, metrics = prepare(config, output), output / METRICS
    examples = MaskedExamples(
        sets.train,
        masking,
        seed=seed,
        size=config.steps * config.batch_size,
        next_sentence=config.next_sentence,
    )
    started = bool(config.epochs) and checkpoint is None
    trainer = MeasuringTrainer(
        lambda model: perplexity(model, sets.held_out, masking),
        metrics,
        each=config.eval_every if config.epochs else 0,
        model=model,
        args=trainer_arguments(config, output / CHECKPOINTS, seed, measured_first=started),
        train_dataset=examples,
        eval_dataset=sets.held_out,
        data_collator=collate,
        callbacks=[Recorder(metrics)],
    )
    train(trainer, checkpoint, output, lambda trained: save_plain(trained, sets.tokenizer, output / "model"))
    counts = {"steps": trainer.state.global_step}
    counts |= {f"perplexity_{key}": value for key, value in vars(trainer.measured()).items()}
    if config.next_sentence:
        counts["next_sentence_accuracy"] = next_sentence_accuracy(
            trainer.accelerator.unwrap_model(trainer.model), sets.held_out, masking
        )
    return counts | ({"perplexity_by_epoch": _by_epoch(metrics)} if config.epochs else {})


def _by_epoch(metrics: Path) -> list[float]:
    """Return the perplexities that were noted: before the first epoch, and after each."""
    lines = [json.loads(line) for line in metrics.read_text(encoding="utf-8").splitlines()]
    by_step = {line["step"]: line["perplexity"]["all"] for line in lines if "perplexity" in line}
    return [by_step[step] for step in sorted(by_step)]


def save_plain(model: Any, tokenizer: Any, folder: Path) -> None:
    """Save as a plain class of the library, with the tokenizer: what ``eval bec-pro`` and others load."""
    hide_bars()
    whole = isinstance(model, transformers.BertForPreTraining)
    plain = (transformers.BertForPreTraining if whole else transformers.BertForMaskedLM)(model.config)
    plain.load_state_dict(model.state_dict())
    plain.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
