"""The recipe of the experiment: corpora, cells, and how they are made, trained and measured."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

from experiments.debias.sections import (
    CHANGE_NAME,
    KIND,
    STEM,
    UNTOUCHED,
    UNTRAINED,
    BalanceConfig,
    BecProConfig,
    BiasConfig,
    CdsSection,
    ChangeConfig,
    CorpusSpec,
    DietConfig,
    PackConfig,
    ProbeConfig,
    StemConfig,
    TextConfig,
)
from rewriter.errors import RecipeError, UsageError
from rewriter.options import different, folder_name
from rewriter.registry import did_you_mean
from rewriter.runs.recipes import build, read_values
from train.bert.config import BertConfig, MlmConfig, WordPieceConfig, needs_pairs


@dataclass(frozen=True)
class DebiasRecipe:
    """The experiment.

    Attributes:
        name: of the run.
        kind: ``debias``.
        lang: language code.
        size: name of the sizes that was chosen; recorded.
        data: the untouched corpus.
        balance: ways to balance it, by the name that their corpus has.
        change: how lines are rewritten, swapped and drawn.
        corpora: name of a corpus (:class:`CorpusSpec`) to the seeds of its models.
        seeds: in place of those of each corpus.
        cells: only these: CORPUS or CORPUS/SEED, with ``*`` and ``?``; all by default.
        tokenizer: the vocabulary, one for all cells, learnt from untouched and rewritten text.
        packing: how text becomes examples.
        model: the network.
        train: the pretraining.
        cds: fine-tuning on swapped texts; without it only the pretrained models are measured.
        bec_pro: how associations are measured.
        probe: another task; without it there is none.
        prepared: folder of another run of the same recipe, whose vocabulary and packed corpora are taken: no text is
            needed then.
        stem: a training that all cells share, as their beginning; with ``model.start`` it begins from those weights. In
            a recipe also the folder of a BERT that was trained so already, which is the same as naming it in
            ``model.start`` without a stem.
        diets: parts of the lines with parts of their counterfactuals, by the name that their corpus has; they rank by
            the stem (:mod:`experiments.debias.diets`).
        bias: more tests of bias and of use; without it BEC-Pro alone.
    """

    name: str
    kind: str = KIND
    lang: str = "en"
    size: str = ""
    data: TextConfig = field(default_factory=TextConfig)
    balance: dict[str, BalanceConfig] = field(default_factory=dict)
    change: ChangeConfig = field(default_factory=ChangeConfig)
    corpora: dict[str, list[int]] = field(default_factory=lambda: {UNTOUCHED: [1]})
    seeds: list[int] = field(default_factory=list)
    cells: list[str] = field(default_factory=list)
    tokenizer: WordPieceConfig = field(default_factory=WordPieceConfig)
    packing: PackConfig = field(default_factory=PackConfig)
    model: BertConfig = field(default_factory=BertConfig)
    train: MlmConfig = field(default_factory=MlmConfig)
    cds: CdsSection | None = None
    bec_pro: BecProConfig = field(default_factory=BecProConfig)
    probe: ProbeConfig | None = None
    prepared: Path | None = None
    stem: StemConfig | None = None
    diets: dict[str, DietConfig] = field(default_factory=dict)
    bias: BiasConfig | None = None

    def __post_init__(self) -> None:
        folder_name(name=self.name, **{f"balance.{name}": name for name in self.balance})
        _can_name("balance", self.balance, "a way to balance; use a word such as 'added'")
        _can_name("diets", self.diets, "a diet; use a word such as 'healthy'", taken=self.balance)
        for name, seeds in self.corpora.items():
            self.corpus(name)
            different(f"corpora.{name}: seeds", seeds)
        different("seeds", self.seeds, least=0)
        for train in (self.train, self.stem.train if self.stem is not None else None):
            if train is not None:
                needs_pairs(train, self.packing.packing, "packing.packing")
        if self.packing.length > self.model.positions:
            raise UsageError(
                f"packing.length ({self.packing.length}) is more than model.positions ({self.model.positions}); lower "
                "the one or raise the other"
            )
        if not self.data.inputs and self.prepared is None:
            raise UsageError("data.inputs names no text; list files, folders or globs")
        if self.stem is not None and self.stem.lines == "unrelated" and not self.data.about:
            raise UsageError("stem.lines: unrelated lines are those about nothing in data.about, which is empty")
        if self.diets and not self.has_stem:
            raise UsageError(
                "diets: they rank by the stem; name one (stem: FOLDER) or let one be trained (stem.inputs)"
            )
        self.chosen()

    def corpus(self, name: str) -> CorpusSpec:
        """Return how the corpus of this name is made.

        Raises:
            UsageError: it is no such name.
        """
        spec = CorpusSpec.parse(name, self.balance, self.diets)
        if spec.change and spec.base in self.balance and self.balance[spec.base].apart:
            raise UsageError(f"corpora: '{name}': what is balanced with 'apart' is not changed further; leave one out")
        return spec

    @property
    def names_are_touched(self) -> bool:
        """Whether some corpus differs by given names, too: they are swapped, or counted for balancing."""
        swapped = any("swapped" in self.corpus(name).lines_of for name in self.corpora)
        return swapped or bool(self.diets) or any(config.names for config in self.balance.values())

    @property
    def has_stem(self) -> bool:
        """Whether all cells begin from one model."""
        return self.stem is not None or self.model.start is not None

    def stem_model(self, run: Path) -> Path | None:
        """Return the folder of the model from which all cells begin; None where each begins from random weights."""
        return run / STEM / "bert" / "model" if self.stem is not None else self.model.start

    def all_cells(self) -> list[Cell]:
        """Return the cells of all corpora, the first seed of each before the second of any."""
        seeds = {name: self.seeds or own for name, own in self.corpora.items()}
        rounds = range(max(map(len, seeds.values()), default=0))
        specs = {name: self.corpus(name) for name in seeds}
        return [Cell(specs[name], own[n]) for n in rounds for name, own in seeds.items() if n < len(own)]

    def chosen(self) -> list[Cell]:
        """Return the cells that are to be run.

        Raises:
            UsageError: an entry of ``cells`` names none.
        """
        every = self.all_cells()
        for pattern in self.cells:
            if not any(cell.matches(pattern) for cell in every):
                names = [cell.name for cell in every]
                hint = did_you_mean(pattern, [*names, *self.corpora])
                raise UsageError(f"cells: there is no cell '{pattern}'{hint}; cells: {', '.join(names)}")
        return [cell for cell in every if not self.cells or any(map(cell.matches, self.cells))]


@dataclass(frozen=True)
class Cell:
    """One model: a corpus and a seed.

    Attributes:
        corpus: what it is trained on.
        seed: of weights, order and masks.
    """

    corpus: CorpusSpec
    seed: int

    @property
    def name(self) -> str:
        """As it is written in ``cells``: CORPUS/SEED."""
        return f"{self.corpus.name}/{self.seed}"

    @property
    def folder(self) -> str:
        """Its folder below that of the run."""
        return f"cells/{self.corpus.name}/seed-{self.seed}"

    def matches(self, pattern: str) -> bool:
        """Return True if an entry of ``cells`` names this cell."""
        return fnmatch(self.name, pattern) or fnmatch(self.corpus.name, pattern)


def _can_name(key: str, names: Iterable[str], what: str, taken: Iterable[str] = ()) -> None:
    """Make sure that sections of a recipe can name corpora.

    Raises:
        UsageError: one cannot.
    """
    for name in names:
        known = name in (UNTOUCHED, UNTRAINED, STEM, *taken) or CHANGE_NAME.fullmatch(name)
        if known or "+" in name or not re.fullmatch(r"[\w.-]+", name):
            raise UsageError(f"{key}: '{name}' cannot name {what}")


def load_debias_recipe(path: str | Path, *, overrides: Iterable[str] = ()) -> DebiasRecipe:
    """Read a recipe; its key ``sizes`` holds sets of overrides, of which ``size`` chooses one.

    Args:
        path: a YAML file.
        overrides: ``"train.steps=2000"``; they win over those of the size.

    Raises:
        RecipeError: the file, a key or a value is wrong; the message names the key's path and the nearest known one.
    """
    overrides = list(overrides)
    values = read_values(path, overrides=overrides)
    stored = "sizes" not in values and not any(override.startswith("size=") for override in overrides)
    if not stored:  # the recipe that a run leaves has the keys of its size already
        values = read_values(path, overrides=[*_of_size(values, str(path)), *overrides])
    values.pop("sizes", None)
    values.setdefault("name", Path(path).stem)
    _take_folder(values, str(path))
    recipe = build(DebiasRecipe, values, where=str(path))
    root = recipe.data.root or os.environ.get("GENDER_FAIR_DATA")
    if root and not Path(root).is_dir() and any(name.startswith(str(root)) for name in recipe.data.inputs):
        raise RecipeError(
            f"{path}: the data folder {root} does not exist; set GENDER_FAIR_DATA or pass --set data.root=FOLDER"
        )
    return replace(recipe, cds=_on_device(recipe)) if recipe.cds is not None else recipe


def _take_folder(values: dict[str, Any], where: str) -> None:
    """Let ``stem: FOLDER`` mean ``model.start: FOLDER``."""
    folder, model = values.get("stem"), values.get("model") or {}
    if not isinstance(folder, str) or not isinstance(model, dict):
        return
    if model.get("start") not in (None, folder):
        raise RecipeError(f"{where}: 'stem' and 'model.start' name two folders; leave one out")
    # a model that is there has vectors of its own
    values["model"], values["stem"] = {**model, "start": folder, "vectors": False}, None


def _on_device(recipe: DebiasRecipe) -> CdsSection:
    """Let fine-tuning use the device of the pretraining where it names none of its own."""
    assert recipe.cds is not None
    options = recipe.cds.options
    device = recipe.train.device if options.device == "auto" else options.device
    return replace(recipe.cds, options=replace(options, device=device))


def _of_size(values: Mapping[str, Any], where: str) -> list[str]:
    """Return the overrides of the chosen size."""
    sizes, size = values.get("sizes") or {}, values.get("size") or ""
    if not isinstance(sizes, dict):
        raise RecipeError(f"{where}: 'sizes' must hold sets of keys by name, not {sizes!r}")
    if not size:
        return []
    if size not in sizes:
        hint = did_you_mean(str(size), list(sizes))
        raise RecipeError(f"{where}: there is no size '{size}'{hint}; sizes: {', '.join(sizes)}")
    if not isinstance(sizes[size], dict):
        raise RecipeError(f"{where}: 'sizes.{size}' must hold keys, not {sizes[size]!r}")
    return [f"{key}={json.dumps(value)}" for key, value in _flat(sizes[size])]


def _flat(values: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for key, value in values.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", value
