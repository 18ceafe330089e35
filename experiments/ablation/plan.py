"""What an ablation compares: the cells of a plan, what they share, and what each may spend."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from eval.suite import EvaluationSet
from rewriter.errors import RecipeError, UsageError
from rewriter.model.directory import TARGETS
from rewriter.options import check_share, one_of
from rewriter.runs.recipes import build, read_values
from train.edits.config import EditsConfig
from train.encoder.pretraining import EncoderConfig
from train.seq2seq.config import Seq2SeqConfig
from train.seq2seq.tokenizer import TokenizerConfig

#: raise by hand when the same cell gets another model or other figures
VERSION = 1
PARTS = ("train", "dev")
MODEL = "model"


@dataclass(frozen=True)
class Cell:
    """One training of a plan.

    Attributes:
        group: heading of its rows in the report.
        target: ``edits`` or ``full`` (sequence to sequence).
        strategies: strategies of the pairs that it learns from, beside the copies; all by default.
        negatives: learn from sentences in which nothing changes, too.
        share: of the pairs; a smaller share is part of every larger one.
        balanced: with variations, rare outcomes repeated and weighed, common ones thinned, as the plan's ``edits`` say.
        layers: of an edit model (0: the plan's).
        hidden: width (0: the plan's); the feed-forward layers are four times as wide.
        dense_share: part of the updates that learn every candidate first (below 0: the plan's).
    """

    group: str = ""
    target: str = "edits"
    strategies: list[str] = field(default_factory=list)
    negatives: bool = True
    share: float = 1.0
    balanced: bool = True
    layers: int = 0
    hidden: int = 0
    dense_share: float = -1.0

    def __post_init__(self) -> None:
        one_of(TARGETS, target=self.target)
        check_share(one=True, share=self.share)


@dataclass(frozen=True)
class Plan:
    """Cells and what they share.

    Attributes:
        lang: language code.
        cells: trainings by name.
        encoder: shape of an edit model's encoder; its weights are random at the beginning.
        edits: options of edit models; ``steps`` comes from the budget.
        dense_share: part of the updates that learn every candidate first.
        tokenizer: vocabulary of sequence-to-sequence models.
        train: their options.
        tables: tables of own sentences that every cell is measured on.
        dev_pairs: so many development pairs too.
        seed: of the shares.
    """

    lang: str
    cells: dict[str, Cell]
    encoder: EncoderConfig = field(default_factory=lambda: EncoderConfig(inputs=[]))
    edits: EditsConfig = field(default_factory=EditsConfig)
    dense_share: float = 0.0
    tokenizer: TokenizerConfig = field(default_factory=TokenizerConfig)
    train: Seq2SeqConfig = field(default_factory=Seq2SeqConfig)
    tables: list[Path] = field(default_factory=list)
    dev_pairs: int = 2000
    seed: int = 1


@dataclass(frozen=True)
class Budget:
    """What a cell may spend: updates, or minutes of training (0: the other)."""

    updates: int = 0
    minutes: float = 0.0

    def __post_init__(self) -> None:
        if (self.updates > 0) == (self.minutes > 0):
            raise UsageError("give a budget: either --updates or --minutes")


@dataclass(frozen=True)
class AblationRun:
    """Where an ablation works.

    Attributes:
        plan: the cells.
        mix: folder of finished pairs, ``train`` and ``dev``.
        pieces: vocabulary of the edit models.
        output: a folder per cell, and what they share.
        budget: of each cell.
        sets: sets of others that the models are measured on too; for final figures only.
        log: file to which these measurements are appended.
    """

    plan: Plan
    mix: Path
    pieces: Path
    output: Path
    budget: Budget
    sets: tuple[EvaluationSet, ...] = ()
    log: Path | None = None


def load_plan(path: Path, *, overrides: Sequence[str] = ()) -> Plan:
    """Read a plan.

    Raises:
        RecipeError: the file, a key or a value is wrong.
    """
    values = read_values(path, overrides=overrides)
    values["tables"] = [str(path.parent / table) for table in values.get("tables", [])]
    for section in ("encoder", "edits"):
        values[section] = {"lang": values.get("lang", ""), **(values.get(section) or {})}
    values["encoder"].setdefault("inputs", [])
    plan = build(Plan, values, where=str(path))
    if not plan.cells:
        raise RecipeError(f"{path}: 'cells' is empty; name at least one")
    return plan
