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

from augment.balance.count import CountOptions
from augment.balance.forms import Variants
from augment.balance.select import SelectOptions, Target
from augment.diet.core import RANKED
from eval.bootstrap import Resampling
from eval.mlm_bias import BiasOptions
from rewriter.errors import RecipeError, UsageError
from rewriter.options import different, folder_name, one_of, share
from rewriter.registry import did_you_mean
from rewriter.runs.recipes import build, read_values
from train.bert.cds import CdsConfig
from train.bert.config import BertConfig, MlmConfig, PackingConfig, WordPieceConfig, needs_pairs

KIND = "debias"
UNTOUCHED = "untouched"
#: rows of the results that are no corpora
UNTRAINED, STEM, REWRITTEN, CDA = "untrained", "stem", "rewritten", "cda"
_SHARE = range(1, 101)
CHANGES = (REWRITTEN, "swapped", CDA)
#: change -> the stage whose lines it takes
_LINES_OF = {REWRITTEN: REWRITTEN, "swapped": "swapped", CDA: "swapped"}
#: which lines the stem is trained on
STEM_LINES = ("neutral", "unrelated")
_CHANGE = re.compile(rf"({'|'.join(CHANGES)})(?:-(\d{{1,3}}))?")


@dataclass(frozen=True)
class CorpusSpec:
    """How a corpus is made of the untouched one.

    Attributes:
        name: ``untouched``, ``added``, ``rewritten-25``, ``added+rewritten`` ...
        base: ``untouched``, ``rewritten``, or the key of a section of ``balance`` or ``diets``.
        change: what is then done to its lines: empty, ``rewritten``, ``swapped`` (each line gives way to its
            counterfactual: CDS with half of the lines) or ``cda`` (counterfactuals of changed lines are added).
        share: of the lines.
    """

    name: str
    base: str = UNTOUCHED
    change: str = ""
    share: float = 1.0

    @property
    def lines_of(self) -> str:
        """The stage whose lines the change takes; empty without a change."""
        stage = _LINES_OF.get(self.change, "")
        return f"{REWRITTEN}+{stage}" if stage and self.base == REWRITTEN else stage

    @classmethod
    def parse(cls, name: str, bases: Iterable[str], diets: Iterable[str] = ()) -> CorpusSpec:
        """Read a name: a base, a change with its share in percent, or both joined by ``+``.

        Raises:
            UsageError: it is no such name.
        """
        known, whole = [UNTOUCHED, *bases], list(diets)
        base, plus, change = name.partition("+")
        if not plus and base in whole:
            return cls(name, base)
        if not plus and base not in known and _CHANGE.fullmatch(base):
            base, change = UNTOUCHED, base
        found = _CHANGE.fullmatch(change)
        percent = int(found[2] or 100) if found else 100
        again = base == REWRITTEN and found is not None and found[1] != REWRITTEN
        if (
            (base not in known and not again)
            or (change and not found)
            or (plus and not change)
            or percent not in _SHARE
        ):
            hint = did_you_mean(name, [*known, *whole, *CHANGES])
            raise UsageError(
                f"corpora: there is no corpus '{name}'{hint}; a name is one of {', '.join([*known, *whole])}, or "
                "rewritten-N, swapped-N or cda-N (N percent of the lines; 100 without -N), or both joined by '+'"
            )
        return cls(name, base, found[1] if found else "", percent / 100)


@dataclass(frozen=True)
class TextConfig:
    """The untouched corpus.

    Attributes:
        inputs: text files, folders or globs; a paragraph or utterance a line.
        root: folder that ``${data.root}`` stands for; GENDER_FAIR_DATA by default.
        exclude: globs over file names, or ``licence:`` and a glob.
        about: metadata (shipped, or JSON files): only sentences that name one of their terms and speak of a gender are
            taken (:mod:`augment.about`); without any, all lines.
        about_gendered: the words of the categories are terms, too: for languages whose professions have a gender.
        words: words of the training part; 0 takes all.
        held_out: share of the lines that is kept for measuring perplexity.
        held_out_words: words of the held-out part at most.
        seed: of the mixture of files and the held-out part.
    """

    inputs: list[str] = field(default_factory=list)
    root: Path | None = None
    exclude: list[str] = field(default_factory=list)
    about: list[str] = field(default_factory=list)
    about_gendered: bool = False
    words: int = 0
    held_out: float = 0.01
    held_out_words: int = 150_000
    seed: int = 1

    def __post_init__(self) -> None:
        share(held_out=self.held_out)


@dataclass(frozen=True)
class BalanceConfig:
    """One way to balance the corpus (see :mod:`augment.balance`).

    Attributes:
        mode: ``add`` or ``remove``.
        metadata: shipped metadata or a JSON file.
        context: ``sentence``, ``two-sentences`` or ``paragraph``.
        names: given names tell the gender, too.
        plurals: English plurals count, too.
        ratio: ``balanced`` or one part per category.
        threshold: see :class:`augment.balance.select.Target`.
        method: ``joint`` or ``as-published``.
        order: ``prioritised`` or ``random``.
        copies: how often a line may be added.
        seed: of the choice.
        apart: metadata; lines that name one of its terms are neither counted, added nor removed. What balancing does
            then is not the doing of those terms.
    """

    mode: str = "add"
    metadata: str = "professions_other"
    context: str = "sentence"
    names: bool = False
    plurals: bool = False
    ratio: str = "balanced"
    threshold: float = 0.95
    method: str = "joint"
    order: str = "prioritised"
    copies: int = 100
    seed: int = 1
    apart: str = ""

    def identity(self) -> dict[str, Any]:
        """Return the options on which the result depends."""
        values = {key: value for key, value in vars(self).items() if key != "apart" or value}
        return values | ({"name_words": False} if self.names else {})

    def __post_init__(self) -> None:
        self.select_options()
        self.count_options("en")
        Target.parse(self.ratio, max(2, self.ratio.count(":") + 1), self.threshold)

    def count_options(self, lang: str) -> CountOptions:
        """Return the options of the count."""
        values: dict[str, Any] = {"context": self.context, "names": self.names}
        return CountOptions(lang=lang, variants=Variants(plurals=self.plurals), **values)

    def select_options(self) -> SelectOptions:
        """Return the options of the selection."""
        values: dict[str, Any] = {key: getattr(self, key) for key in ("mode", "order", "method", "copies", "seed")}
        return SelectOptions(**values)


@dataclass(frozen=True)
class ChangeConfig:
    """How lines are rewritten, swapped and drawn.

    Attributes:
        model: of the rewriter, a bundled name or a model directory.
        processes: worker processes.
        seed: of the lines that a share takes.
    """

    model: str = "en"
    processes: int = 1
    seed: int = 1


@dataclass(frozen=True)
class PackConfig:
    """How text becomes examples (see :class:`train.bert.config.PackingConfig`).

    Attributes:
        packing: ``blocks``, ``single`` or ``pairs``.
        unit: ``line`` or ``sentence``.
        length: pieces of an example.
    """

    packing: str = "blocks"
    unit: str = "line"
    length: int = 128

    def __post_init__(self) -> None:
        self.config()

    def config(self) -> PackingConfig:
        """Return the options of the packer."""
        return PackingConfig(packing=self.packing, unit=self.unit, length=self.length)


@dataclass(frozen=True)
class CdsSection:
    """Fine-tuning on swapped texts.

    Attributes:
        texts: a TSV with a column of texts, or a text file.
        options: of the fine-tuning.
    """

    texts: Path
    options: CdsConfig = field(default_factory=CdsConfig)


@dataclass(frozen=True)
class BecProConfig:
    """How associations are measured (see :mod:`eval.bec_pro`).

    Attributes:
        templates: ``bec-pro``, ``own`` or ``all``.
        batch_size: sequences.
        bootstrap: samples of the intervals.
    """

    templates: str = "bec-pro"
    batch_size: int = 64
    bootstrap: int = 1000


@dataclass(frozen=True)
class ProbeConfig:
    """The probe that is not gender: parts of speech by a linear classifier (see :mod:`eval.pos_probe`).

    Attributes:
        treebank: folder of a Universal Dependencies treebank.
        train: file of its training part.
        test: file that is measured on.
        sentences: of the training part.
    """

    treebank: Path
    train: str = "en_ewt-ud-train.conllu.zst"
    test: str = "en_ewt-ud-dev.conllu.zst"
    sentences: int = 3000


@dataclass(frozen=True)
class DietConfig:
    """A part of the lines with a part of their counterfactuals, after Zayed et al. 2023 (:mod:`augment.diet`).

    Attributes:
        diet: ``healthy-random``, ``unhealthy-random``, ``vanilla-ge`` or ``random``.
        factual: percent of the lines.
        counterfactual: percent of the counterfactuals of lines that swapping changes.
        seed: of what is random.
    """

    diet: str = "healthy-random"
    factual: float = 50.0
    counterfactual: float = 50.0
    seed: int = 1

    def __post_init__(self) -> None:
        one_of(RANKED, diet=self.diet)
        share(factual=self.factual / 100, counterfactual=self.counterfactual / 100)


@dataclass(frozen=True)
class BiasConfig:
    """More tests of bias, and of use, beside BEC-Pro (see :mod:`eval.mlm_bias`).

    Attributes:
        tests: their names; none takes all whose items are there.
        paths: of a test, the file or folder of its items.
        words: of both held-out texts, whose pseudo-perplexity per word is measured.
        pooling: of SEAT.
        permutations: of the tests of SEAT.
        bootstrap: samples of the intervals.
    """

    tests: list[str] = field(default_factory=list)
    paths: dict[str, Path] = field(default_factory=dict)
    words: int = 1000
    pooling: str = "cls"
    permutations: int = 10_000
    bootstrap: int = 1000

    def __post_init__(self) -> None:
        self.options()

    def options(self, texts: Iterable[Path] = (), *, lang: str = "en", device: str = "cpu") -> BiasOptions:
        """Return the options of the measurement, for these held-out texts."""
        return BiasOptions(
            lang=lang,
            measures=tuple(self.tests),
            paths=self.paths,
            texts=tuple(texts),
            words=self.words,
            pooling=self.pooling,
            permutations=self.permutations,
            device=device,
            resampling=Resampling(samples=self.bootstrap),
        )


@dataclass(frozen=True)
class StemConfig:
    """A training that all cells share, from random weights or from ``model.start``.

    Attributes:
        inputs: text files, folders or globs; a paragraph or sentence a line.
        exclude: globs over file names, or ``licence:`` and a glob.
        lines: ``neutral`` (nothing in them speaks of a gender, see :mod:`augment.neutral`) or ``unrelated`` (none that
            names a term of ``data.about`` and speaks of a gender: *he* and *she* are there, and no professions beside
            them).
        words: words of its training part; 0 takes all lines that are neutral.
        held_out: share of the neutral lines that is kept for measuring its perplexity.
        held_out_words: words of that part at most.
        seed: of the mixture of files, and of weights, order and masks.
        train: the training; that of the cells by default.
    """

    inputs: list[str]
    exclude: list[str] = field(default_factory=list)
    lines: str = "neutral"
    words: int = 0
    held_out: float = 0.01
    held_out_words: int = 100_000
    seed: int = 1
    train: MlmConfig | None = None

    def __post_init__(self) -> None:
        one_of(STEM_LINES, lines=self.lines)
        share(held_out=self.held_out)
        if not self.inputs:
            raise UsageError("inputs names no text; list files, folders or globs, or name the folder of a stem")

    def text(self) -> TextConfig:
        """Return which lines are taken, as for the corpus."""
        values: dict[str, Any] = {key: getattr(self, key) for key in ("words", "held_out", "held_out_words", "seed")}
        return TextConfig(inputs=self.inputs, exclude=self.exclude, **values)


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
        known = name in (UNTOUCHED, UNTRAINED, STEM, *taken) or _CHANGE.fullmatch(name)
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
