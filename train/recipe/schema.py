"""What a rewriter recipe says: one YAML file whose sections are the option classes of the stages.

``augment`` is a mapping of a name to the options of one strategy. What is the same for all stages stands once: ``data``
names the corpus (each strategy and the encoder read it where they name no inputs of their own), ``lang`` the language;
the parser that a strategy needs is the one that the ``parser`` section trains or ``pipeline`` names.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from importlib.resources import files as resources
from pathlib import Path
from typing import Any

import yaml

from augment.filtering import FilterConfig
from augment.generate import GenerateConfig, needs_parser
from augment.gold import GoldConfig
from augment.mixing import MixConfig
from eval.ablation import GUARDS
from rewriter.errors import RecipeError, UsageError
from rewriter.model.directory import EDITS, SEQ2SEQ
from rewriter.model.guard import LEARNED
from rewriter.options import at_least, folder_name, one_of
from rewriter.registry import did_you_mean
from rewriter.runs.recipes import build, read_values, to_yaml, without_roots
from train.edits.config import EditsConfig
from train.encoder.pretraining import EncoderConfig
from train.parser import ParserConfig
from train.seq2seq.config import Seq2SeqConfig
from train.seq2seq.tokenizer import TokenizerConfig

__all__ = ["RewriterRecipe", "load_rewriter_recipe", "shipped_recipes"]

#: where the parser stage leaves its pipeline, below the run's folder
TRAINED_PARSER = "parser/pipeline"
#: what can be trained
TARGETS = (EDITS, SEQ2SEQ)


@dataclass(frozen=True)
class DataSection:
    """The corpus.

    Attributes:
        root: folder that ``${data.root}`` stands for; GENDER_FAIR_DATA by default.
        inputs: text files, folders or globs that strategies and encoder read.
        exclude: globs over file names, or ``licence:`` and a glob over the licence in ``MANIFEST.tsv``.
        hold_out: files of stand-off records whose lines no strategy reads, nor ``gold``.
    """

    root: Path | None = None
    inputs: list[str] = field(default_factory=list)
    exclude: list[str] = field(default_factory=list)
    hold_out: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class TestsetsSection:
    """Sets for measuring.

    Attributes:
        root: folder with a folder of sets per language (``NAME.src``, ``NAME.ref``); GENDER_FAIR_TESTSETS by default.
    """

    root: Path | None = None


@dataclass(frozen=True)
class ExportConfig:
    """The model directory.

    Attributes:
        quantization: of the weights: ``int8``, ``int8_float32``, ``int16``, ``float16``, ``bfloat16`` or ``float32``.
    """

    quantization: str = "int8"


@dataclass(frozen=True)
class ScoreConfig:
    """What the finished model is measured on.

    Attributes:
        sets: names of sets below ``testsets.root``/LANG; all by default.
        tables: own sentences: TSV files (or folders of them) with columns ``source``, ``target`` and perhaps
            ``construction``, whose kinds are scored one by one.
        dev_pairs: so many pairs of the run's own development part are scored too; 0 for none.
        log: file to which every measurement on ``testsets.root`` is appended, beside the one in the stage's folder.
        samples: bootstrap samples of the intervals.
        guard: ``strict``; ``off`` for the model's own answers, ``covered`` for those that lost no words, ``learned``
            for what of them its pairs taught; all but ``strict`` turn the gate off, too.
        ablate: score beside the model what it answers without the guard, constant answers in its network's place, and
            the grammar alone.
        labels: so many training pairs are what the constant answers of an edit model are fitted on; 0 takes the
            network's bias.
    """

    sets: list[str] = field(default_factory=list)
    tables: list[Path] = field(default_factory=list)
    dev_pairs: int = 2000
    log: Path | None = None
    samples: int = 1000
    guard: str = "strict"
    ablate: bool = True
    labels: int = 20_000

    def __post_init__(self) -> None:
        one_of(GUARDS, guard=self.guard)
        at_least(0, dev_pairs=self.dev_pairs, labels=self.labels)


@dataclass(frozen=True)
class RewriterRecipe:
    """From raw text to a scored model; sections that are left out give no stage.

    Attributes:
        name: of the recipe, the run's folder and the model.
        lang: language code.
        target: ``full`` (sequence to sequence) or ``edits`` (an encoder decides each candidate).
        data: the corpus.
        testsets: sets for measuring.
        pipeline: a ready spaCy pipeline, by name or folder, in place of a ``parser`` section.
        parser: trains a spaCy pipeline from a treebank.
        augment: strategies by name, each with its options.
        gold: read sentences (stand-off records below ``data.root``), mixed in beside ``augment``, each as often as its
            ``weight`` says; they are not filtered.
        pairs: ready files of pairs, used beside (or in place of) what ``augment`` makes.
        filter: which pairs are left out.
        mix: shares of the kinds of pairs, training and development part.
        tokenizer: vocabulary of a ``full`` model.
        encoder: pretraining of an encoder for an ``edits`` model.
        train: training of a ``full`` model.
        edits: training of an ``edits`` model.
        init: weights to start from: a model directory or bundled name, or of a run the folder ``train`` (or a
            checkpoint in it) for ``full``, the folder ``edits`` for ``edits``.
        init_layers: how many layers of an ``edits`` model of ``init`` are kept, from the first on; 0 for all. A small
            model that begins from the lower layers of the one that teaches it needs fewer steps (Sanh et al. 2019,
            section 2).
        export: the model directory.
        score: what it is measured on.
        kind: ``rewriter``.
    """

    name: str
    lang: str = "en"
    target: str = SEQ2SEQ
    data: DataSection = field(default_factory=DataSection)
    testsets: TestsetsSection = field(default_factory=TestsetsSection)
    pipeline: str = ""
    parser: ParserConfig | None = None
    augment: dict[str, GenerateConfig] = field(default_factory=dict)
    gold: GoldConfig | None = None
    pairs: list[str] = field(default_factory=list)
    filter: FilterConfig | None = None
    mix: MixConfig | None = None
    tokenizer: TokenizerConfig | None = None
    encoder: EncoderConfig | None = None
    train: Seq2SeqConfig | None = None
    edits: EditsConfig | None = None
    init: str = ""
    init_layers: int = 0
    export: ExportConfig | None = None
    score: ScoreConfig | None = None
    kind: str = "rewriter"

    def __post_init__(self) -> None:
        one_of(TARGETS, target=self.target)
        at_least(0, init_layers=self.init_layers)
        if self.init_layers and not (self.init and self.target == "edits"):
            raise UsageError("'init_layers' cuts the edit model that 'init' names; give 'init' with target 'edits'")
        folder_name(name=self.name, **{f"augment.{name}": name for name in self.augment})
        if self.parser is not None and self.pipeline:
            raise UsageError("'parser' trains a pipeline and 'pipeline' names a ready one; give one of them")
        if self.score is not None and self.score.guard == LEARNED and self.target != SEQ2SEQ:
            raise UsageError(f"score.guard: 'learned' is for models of target '{SEQ2SEQ}', which list what they learnt")
        for section, reason in _missing_sections(self):
            raise UsageError(f"the section '{section}' is missing: {reason}")

    @property
    def data_root(self) -> Path | None:
        """Folder that ``${data.root}`` stands for."""
        return _root(self.data.root, "GENDER_FAIR_DATA")

    @property
    def testsets_root(self) -> Path | None:
        """Folder of the sets for measuring, or None."""
        return _root(self.testsets.root, "GENDER_FAIR_TESTSETS")

    def text_inputs(self) -> list[tuple[list[str], list[str]]]:
        """Return the input patterns of everything that reads text, with what they exclude."""
        read = [(config.inputs, config.exclude) for config in self.augment.values()]
        return read if self.encoder is None else [*read, (self.encoder.inputs, self.encoder.exclude)]


def _root(given: Path | None, variable: str) -> Path | None:
    value = given or os.environ.get(variable)
    return Path(value) if value else None


def _missing_sections(recipe: RewriterRecipe) -> Iterable[tuple[str, str]]:
    """Yield what a section that is there needs and does not find."""
    parsed = [name for name, config in recipe.augment.items() if config.parser == TRAINED_PARSER]
    if parsed and recipe.parser is None:
        yield "parser", f"'augment.{parsed[0]}' parses; give a treebank there, or name a ready 'pipeline'"
    if recipe.mix is not None and not (recipe.augment or recipe.pairs or recipe.gold):
        yield "augment", "'mix' has nothing to mix; give strategies there, read sentences in 'gold', or ready 'pairs'"
    if recipe.gold is not None and recipe.data_root is None:
        yield "data", "'gold' needs the folder of its texts; give it as 'root' there, or set GENDER_FAIR_DATA"
    model = "train" if recipe.target == SEQ2SEQ else "edits"
    before = "tokenizer" if recipe.target == SEQ2SEQ else "encoder"
    if getattr(recipe, model) is not None:
        if recipe.mix is None:
            yield "mix", f"'{model}' reads the pairs that it leaves"
        if getattr(recipe, before) is None and not (recipe.init and recipe.target == "edits"):
            yield before, f"'{model}' needs it for target '{recipe.target}'"
    elif recipe.export is not None:
        yield model, f"'export' needs a model of target '{recipe.target}'"
    if recipe.score is not None and recipe.export is None:
        yield "export", "'score' measures the exported model"


def load_rewriter_recipe(name_or_path: str | Path, *, overrides: Iterable[str] = ()) -> RewriterRecipe:
    """Read a recipe by path, or a shipped one by name.

    Args:
        name_or_path: a YAML file, or the name of a shipped recipe (``en-small``).
        overrides: ``"train.steps=2000"``; keys by their dotted path, values in YAML.

    Raises:
        RecipeError: the file, a key or a value is wrong; the message names the key's path and the nearest known one.
    """
    path = find_recipe(name_or_path)
    overrides = list(overrides)
    values = read_values(path, overrides=overrides)
    if values.get("pipeline") and any(override.startswith("pipeline=") for override in overrides):
        values["parser"] = None  # who names a ready pipeline wants none trained
    name_beside(values, path.parent)
    fill_in(values, str(path))
    recipe = build(RewriterRecipe, values, where=str(path))
    _check_root(recipe, path)
    return recipe


def find_recipe(name_or_path: str | Path) -> Path:
    """Return the path of a recipe; a name without a path means a shipped one.

    Raises:
        RecipeError: there is none; the message lists the shipped ones.
    """
    path = Path(name_or_path)
    if path.is_file():
        return path
    shipped = {p.stem: p for p in shipped_recipes()}
    if path.name in (str(name_or_path), f"{name_or_path}.yaml") and path.stem in shipped and len(path.parts) == 1:
        return shipped[path.stem]
    hint = did_you_mean(path.stem, list(shipped))
    raise RecipeError(f"there is no recipe '{name_or_path}'{hint}; shipped recipes: {', '.join(shipped) or 'none'}")


def shipped_recipes() -> list[Path]:
    """Return the recipes that come with the toolkit: beside the package in a checkout, inside it when installed."""
    package = Path(str(resources("train")))
    for folder in (package / "recipes", package.parent / "recipes"):
        if folder.is_dir() and (found := sorted(folder.glob("*.yaml"))):
            return found
    return []


def name_beside(values: dict[str, Any], folder: Path) -> None:
    """Name the files of records that stand beside a recipe (``gold/de-open.jsonl``) by their whole path, in place."""

    def found(name: Any) -> Any:
        is_beside = isinstance(name, str) and not Path(name).exists() and _has(folder, name.lstrip("/"))
        return str(folder / name) if is_beside else name

    for section, key in (("data", "hold_out"), ("gold", "files"), ("gold", "hold_out")):
        options = values.get(section)
        if isinstance(options, dict) and isinstance(options.get(key), list):
            options[key] = [found(name) for name in options[key]]


def _has(folder: Path, pattern: str) -> bool:
    try:
        return any(folder.glob(pattern))
    except (ValueError, NotImplementedError, OSError):  # no pattern at all
        return False


def fill_in(values: dict[str, Any], where: str) -> None:
    """Give strategies and encoder what the recipe says once for all of them.

    Raises:
        RecipeError: a section does not hold keys.
    """
    data = values.get("data") or {}
    shared = {key: data[key] for key in ("inputs", "exclude") if isinstance(data, dict) and key in data}
    parser = values.get("pipeline") or TRAINED_PARSER
    strategies = values.get("augment") or {}
    if not isinstance(strategies, dict):
        raise RecipeError(f"{where}: 'augment' must hold strategies by name, not {strategies!r}")
    held = {"hold_out": data["hold_out"]} if isinstance(data, dict) and "hold_out" in data else {}
    for name, options in strategies.items():
        if not isinstance(options, dict | None):
            raise RecipeError(f"{where}: 'augment.{name}' must hold keys, not {options!r}")
        own = {"strategy": name, "lang": values.get("lang", "en"), **shared, **held, **(options or {})}
        _check_strategy(own, f"{where}: 'augment.{name}")
        if needs_parser(own["strategy"], own["lang"], own.get("inputs") or ["text"]):
            own.setdefault("parser", parser)
        strategies[name] = own
    if isinstance(values.get("gold"), dict):
        excluded = {key: value for key, value in shared.items() if key == "exclude"}
        edits = values.get("edits")
        settings = {"language": edits["language"]} if isinstance(edits, dict) and "language" in edits else {}
        values["gold"] = {"lang": values.get("lang", "en"), **excluded, **held, **settings, **values["gold"]}
    if isinstance(values.get("encoder"), dict):
        values["encoder"] = {"lang": values.get("lang", "en"), **shared, **values["encoder"]}
    if isinstance(values.get("edits"), dict):
        values["edits"] = {"lang": values.get("lang", "en"), **values["edits"]}


def _check_strategy(options: Mapping[str, Any], where: str) -> None:
    """Refuse what nobody could look a strategy up by; all other values are checked with the whole recipe."""
    for key in ("strategy", "lang"):
        if not isinstance(options[key], str):
            raise RecipeError(f"{where}.{key}' must be a name, not {options[key]!r}")
    inputs = options.get("inputs") or []
    if not isinstance(inputs, list) or not all(isinstance(name, str) for name in inputs):
        raise RecipeError(f"{where}.inputs' must be a list of files, not {inputs!r}")


def _check_root(recipe: RewriterRecipe, path: Path) -> None:
    root = recipe.data_root
    named = [*recipe.data.inputs, *(p for config in recipe.augment.values() for p in config.inputs)]
    named += [str(recipe.parser.treebank)] if recipe.parser else []
    if root is not None and not root.is_dir() and any(name.startswith(str(root)) for name in named):
        raise RecipeError(
            f"{path}: the data folder {root} does not exist; set GENDER_FAIR_DATA or pass --set data.root=FOLDER"
        )


def portable(recipe: RewriterRecipe) -> dict[str, Any]:
    """Return the resolved recipe with ``${data.root}`` and ``${testsets.root}`` for the folders of this machine.

    Files beside the shipped recipes are named as those name them (``gold/de-open.jsonl``).
    """
    roots = {"data.root": recipe.data_root, "testsets.root": recipe.testsets_root}
    names = {str(root): f"${{{key}}}" for key, root in roots.items() if root is not None}
    beside = [f"{path.parent}/" for path in shipped_recipes()[:1]]

    def replaced(value: Any) -> Any:
        if isinstance(value, dict):
            return {k: replaced(v) for k, v in value.items() if v is not None}
        if isinstance(value, list):
            return [replaced(v) for v in value]
        if isinstance(value, str):
            for folder, name in names.items():
                value = name + value[len(folder) :] if value == folder or value.startswith(f"{folder}/") else value
            for folder in beside:
                value = value.removeprefix(folder)
        return value

    return without_roots(replaced(yaml.safe_load(to_yaml(recipe))))
