"""Diets from tables to training files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from augment.diet.core import Diet, apply_diet
from augment.diet.examples import ExampleColumns, Examples, read_examples
from rewriter.errors import UsageError
from rewriter.io.columns import write_columns
from rewriter.io.files import file_digest
from rewriter.options import one_of
from rewriter.runs.manifest import Manifest
from rewriter.runs.resume import run_in

__all__ = ["DietConfig", "diet_files"]

STAGE_VERSION = 1
_FORMATS = ("csv", "jsonl", "jsonl.zst", "parquet")


@dataclass(frozen=True)
class DietConfig:
    """Options of ``gender-fair augment diet``.

    Attributes:
        table: table with texts, labels and scores.
        flipped: table with the flipped texts, row by row; empty where the column ``counterfactual`` holds them.
        swap: language whose swapper makes the flipped texts; empty where they are given.
        diet: name of the diet.
        factual: percent of factual examples (a in the paper).
        counterfactual: percent of counterfactual examples (b in the paper).
        score: name of the score that ranks.
        changed_only: never take a counterfactual that is the same as its text.
        text, label, counterfactual_column: names of columns.
        format: of the result: csv, jsonl, jsonl.zst or parquet.
        seed: of everything random.
    """

    table: str
    flipped: str = ""
    swap: str = ""
    diet: str = "healthy-random"
    factual: float = 40.0
    counterfactual: float = 40.0
    score: str = "GE"
    changed_only: bool = False
    text: str = "text"
    label: str = "label"
    counterfactual_column: str = "counterfactual"
    format: str = "jsonl.zst"
    seed: int = 1

    def __post_init__(self) -> None:
        one_of(_FORMATS, format=self.format)
        if self.flipped and self.swap:
            raise UsageError("give a table of flipped texts (--flipped) or a language to swap (--swap), not both")

    def to_diet(self) -> Diet:
        """Return the diet that these options describe."""
        shares = (self.factual / 100, self.counterfactual / 100)
        return Diet(self.diet, *shares, score=self.score, changed_only=self.changed_only, seed=self.seed)


def diet_files(config: DietConfig, *, output: str | Path, fresh: bool = False) -> Manifest:
    """Write the training set of a diet: ``train.FORMAT`` (text, label, row, version) and ``manifest.json``.

    Raises:
        InputError: see :func:`augment.diet.examples.read_examples`.
        ResumeError: ``output`` holds the result of other options or inputs.
        UsageError: unknown diet, or a share outside 0 to 100 percent.
    """
    diet, folder = config.to_diet(), Path(output)
    with run_in(folder, "diet", _identity(config), fresh=fresh) as run:
        if not run.is_done:
            examples = _read(config)
            rows = apply_diet(examples, diet)
            columns: dict[str, list[Any]] = {
                name: [getattr(row, name) for row in rows] for name in ("text", "label", "row", "version")
            }
            write_columns(folder / f"train.{config.format}", columns)
            run.manifest.counts = _counts(examples, columns)
    return run.manifest


def _read(config: DietConfig) -> Examples:
    known = ("GE", "EL2N", "GraNd", "forget")
    own = (config.score,) if config.diet in ("vanilla-ge", "healthy-random", "unhealthy-random") else ()
    columns = ExampleColumns(
        config.text, config.label, config.counterfactual_column, tuple(name for name in own if name not in known)
    )
    swap = _swapper(config.swap) if config.swap else None
    return read_examples(config.table, columns=columns, flipped=config.flipped or None, swap=swap)


def _swapper(lang: str) -> Callable[[list[str]], Sequence[str]]:
    from augment.swap import Swapper

    swapper = Swapper(lang)
    return lambda texts: list(swapper.swap(texts))


def _identity(config: DietConfig) -> dict[str, Any]:
    inputs = {name: file_digest(path) for name in ("table", "flipped") if (path := getattr(config, name))}
    options = {f"config.{name}": value for name, value in (asdict(config) | inputs).items()}
    return {"stage": STAGE_VERSION, **options}


def _counts(examples: Examples, columns: dict[str, list[Any]]) -> dict[str, Any]:
    return {
        "examples": len(columns["text"]),
        "versions": dict(Counter(columns["version"])),
        "labels": {str(label): count for label, count in Counter(columns["label"]).items()},
        "input": len(examples),
        "changed counterfactuals": int(examples.changed.sum()),
    }
