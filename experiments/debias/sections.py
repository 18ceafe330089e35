"""The sections of a recipe of the experiment: what each corpus, training and measurement is."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from augment.balance.count import CountOptions
from augment.balance.forms import Variants
from augment.balance.select import SelectOptions, Target
from augment.diet.core import RANKED
from eval.bootstrap import Resampling
from eval.mlm_bias import BiasOptions
from rewriter.errors import UsageError
from rewriter.options import check_share, one_of
from rewriter.registry import did_you_mean
from train.bert.cds import CdsConfig
from train.bert.config import MlmConfig, PackingConfig

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
CHANGE_NAME = re.compile(rf"({'|'.join(CHANGES)})(?:-(\d{{1,3}}))?")


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
        if not plus and base not in known and CHANGE_NAME.fullmatch(base):
            base, change = UNTOUCHED, base
        found = CHANGE_NAME.fullmatch(change)
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
        check_share(held_out=self.held_out)


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
        check_share(factual=self.factual / 100, counterfactual=self.counterfactual / 100)


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
        check_share(held_out=self.held_out)
        if not self.inputs:
            raise UsageError("inputs names no text; list files, folders or globs, or name the folder of a stem")

    def text(self) -> TextConfig:
        """Return which lines are taken, as for the corpus."""
        values: dict[str, Any] = {key: getattr(self, key) for key in ("words", "held_out", "held_out_words", "seed")}
        return TextConfig(inputs=self.inputs, exclude=self.exclude, **values)
