"""Scores of all examples of a table, at early checkpoints, averaged over seeds; finished checkpoints are kept."""

from __future__ import annotations

import io
import re
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from tqdm import tqdm

from eval.classifier import TextClassifier
from eval.example_scores.core import el2n, forget_score, gender_equity, stereotype_sign
from rewriter.errors import InputError, ModelError, UsageError
from rewriter.io.columns import Columns, read_columns, write_columns
from rewriter.io.files import atomic_write, file_digest
from rewriter.registry import did_you_mean
from rewriter.runs.manifest import fingerprint, lock

__all__ = ["ScoreOptions", "score_file"]

#: raised when the same checkpoint and table give other scores
STAGE_VERSION = 2
SCORES = ("GE", "EL2N", "GraNd", "forget", "stereotype")
_FLIPPED = frozenset({"GE", "stereotype"})
_CHECKPOINT = re.compile(r"checkpoint-(\d+)$")

Arrays = Mapping[str, npt.NDArray[Any]]


@dataclass(frozen=True)
class ScoreOptions:
    """What is scored, and how.

    Attributes:
        scores: which of :data:`SCORES`.
        text: column of texts.
        label: column of classes.
        counterfactual: column of the flipped texts; needed for GE and the stereotype sign.
        early: which checkpoint of each run GE, EL2N, GraNd and the stereotype sign are taken at, from 1 (the paper:
            after the first epoch).
        batch: texts at a time.
        gradient_batch: texts at a time for GraNd, which holds a gradient of all weights for each.
        max_length: tokens at most; None takes what the model can.
        device: ``cpu``, ``cuda`` ...
    """

    scores: tuple[str, ...] = SCORES
    text: str = "text"
    label: str = "label"
    counterfactual: str = "counterfactual"
    early: int = 1
    batch: int = 32
    gradient_batch: int = 8
    max_length: int | None = None
    device: str = "cpu"

    def __post_init__(self) -> None:
        for name in self.scores:
            if name not in SCORES:
                raise UsageError(
                    f"unknown score '{name}'{did_you_mean(name, list(SCORES))}; known: {', '.join(SCORES)}"
                )
        if self.early < 1 or not self.scores:
            raise UsageError("name at least one score, and an early checkpoint from 1")


def score_file(
    table: str | Path, runs: Sequence[str | Path], output: str | Path, *, options: ScoreOptions | None = None
) -> Columns:
    """Score every example of a table and write the table with the scores.

    Args:
        table: texts, labels and flipped texts (CSV, TSV, JSON lines, Parquet).
        runs: a folder for each seed, with ``checkpoint-N`` folders in it or in its ``checkpoints``; or single
            checkpoints. Scores are averaged over them; with several the column ``GE 1`` holds that of the first.
        output: file for the table (.parquet, .jsonl, .csv). What is finished of an interrupted run stands beside it in
            ``OUTPUT.parts``, which is removed at the end.
        options: which scores.

    Returns:
        The table that was written.

    Raises:
        InputError: a column is missing, or a label is no class of the model.
        ModelError: a checkpoint is missing or no classifier.
        UsageError: no run, or a score that needs more checkpoints than there are.
    """
    options, data = options or ScoreOptions(), read_columns(table)
    if not runs:
        raise UsageError("name at least one training run or checkpoint (--run)")
    found = [find_checkpoints(run, options) for run in runs]
    texts = _Texts.read(data, options)
    parts = Path(f"{output}.parts")
    with lock(parts):
        worker = _Worker(texts, options, parts, file_digest(table))
        scores = [_run_scores(worker, checkpoints, options) for checkpoints in tqdm(found, unit="run", disable=None)]
        result = Columns(str(output), {**data.columns, **_merge(scores)})
        write_columns(output, result.columns)
    shutil.rmtree(parts, ignore_errors=True)
    return result


def find_checkpoints(run: str | Path, options: ScoreOptions) -> list[Path]:
    """Return the checkpoints of a training run in their order, as many as the scores need.

    Raises:
        ModelError: there is none, or not as many as needed.
    """
    folder = Path(run)
    if not folder.is_dir():
        raise ModelError(f"{run}: there is no such training run or checkpoint")
    numbered = [(int(m[1]), p) for p in folder.glob("**/checkpoint-*") if (m := _CHECKPOINT.search(p.name))]
    found = [path for _, path in sorted(numbered)] or ([folder] if (folder / "config.json").is_file() else [])
    needed = max(options.early, 2 if "forget" in options.scores else 1)
    if len(found) < needed:
        raise ModelError(
            f"{run}: {len(found)} checkpoints where {needed} are needed"
            + (" (the forget score needs those of several epochs)" if "forget" in options.scores else "")
        )
    return found


@dataclass(frozen=True)
class _Texts:
    texts: list[str]
    flipped: list[str] | None
    labels: Sequence[Any]
    source: str

    @classmethod
    def read(cls, data: Columns, options: ScoreOptions) -> _Texts:
        flipped = data.texts(options.counterfactual) if _FLIPPED & set(options.scores) else None
        return cls(data.texts(options.text), flipped, data.values(options.label), data.source)

    def numbers(self, model: TextClassifier) -> npt.NDArray[np.int64]:
        """Return the labels as numbers of the model's classes."""
        known = {str(name): int(number) for name, number in (model.model.config.label2id or {}).items()}
        known |= {str(number): number for number in range(model.classes) if str(number) not in known}
        found = [known.get(str(label), -1) for label in self.labels]
        if -1 in found:
            row = found.index(-1)
            raise InputError(
                f"{self.source}: row {row + 1}: the label {self.labels[row]!r} is no class of the model "
                f"({', '.join(known)})"
            )
        return np.array(found, dtype=np.int64)


@dataclass(frozen=True)
class _Worker:
    """Scores checkpoints, or takes what an interrupted run has left of them."""

    texts: _Texts
    options: ScoreOptions
    folder: Path
    digest: str

    def scores(self, checkpoint: Path, names: tuple[str, ...]) -> Arrays:
        """Return the arrays of one checkpoint: one for each name, and ``correct``."""
        path = self.folder / f"{self._key(checkpoint, names)}.npz"
        if path.exists():
            with np.load(path, allow_pickle=False) as stored:
                return {name: stored[name] for name in stored.files}
        made = self._make(checkpoint, names)
        buffer = io.BytesIO()
        np.savez(buffer, **{name: np.asarray(values) for name, values in made.items()})  # type: ignore[arg-type]
        with atomic_write(path) as stream:
            stream.write(buffer.getvalue())
        return made

    def _key(self, checkpoint: Path, names: tuple[str, ...]) -> str:
        weights = [file_digest(path) for path in sorted(checkpoint.glob("*.safetensors"))]
        if not weights:
            raise ModelError(f"{checkpoint}: holds no weights (model.safetensors)")
        columns = (self.options.text, self.options.label, self.options.counterfactual, self.options.max_length)
        return fingerprint([STAGE_VERSION, self.digest, weights, columns, names])[:32]

    def _make(self, checkpoint: Path, names: tuple[str, ...]) -> Arrays:
        options = self.options
        model = TextClassifier.load(
            checkpoint, batch=options.batch, max_length=options.max_length, device=options.device
        )
        labels, size = self.texts.numbers(model), len(self.texts.texts)
        needed = (self.texts.flipped or []) if _FLIPPED & set(names) else []
        # In one call: the same text in another batch, padded otherwise, would differ in the last bits.
        together = model.logits([*self.texts.texts, *needed])
        logits, flipped = together[:size], together[size:]
        made: dict[str, npt.NDArray[Any]] = {"correct": logits.argmax(axis=1) == labels}
        if needed:
            made["GE"] = gender_equity(logits, flipped)
            made["stereotype"] = stereotype_sign(logits, flipped, labels)
        if "EL2N" in names:
            made["EL2N"] = el2n(logits, labels)
        if "GraNd" in names:
            model.batch = options.gradient_batch
            made["GraNd"] = model.gradient_norms(self.texts.texts, labels)
        return made


def _run_scores(worker: _Worker, checkpoints: Sequence[Path], options: ScoreOptions) -> dict[str, npt.NDArray[Any]]:
    """Return the scores of one run."""
    early = tuple(name for name in options.scores if name != "forget")
    found: dict[str, npt.NDArray[Any]] = {}
    if early:
        made = worker.scores(checkpoints[options.early - 1], early)
        found = {name: made[name] for name in early}
    if "forget" in options.scores:
        correct = [worker.scores(checkpoint, ())["correct"] for checkpoint in checkpoints]
        found["forget"] = forget_score(np.stack(correct))
    return found


def _merge(scores: Sequence[Mapping[str, npt.NDArray[Any]]]) -> dict[str, list[Any]]:
    """Return means over the runs, and with several those of each run."""
    columns = {name: np.mean([run[name] for run in scores], axis=0).tolist() for name in scores[0]}
    if len(scores) > 1:
        for number, run in enumerate(scores, 1):
            columns |= {f"{name} {number}": values.tolist() for name, values in run.items()}
    return columns
