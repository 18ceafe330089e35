"""The rows of the results: what the models of a corpus show together, and against those of the untouched corpus."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from eval.bec_pro.compare import of_pairs, reduction, stereotype, stereotype_by_pair
from eval.bec_pro.items import PRONOUNS, Corpus, Item
from eval.bec_pro.measure import read_corpus
from eval.bec_pro.results import BecProResult, Figure, evaluate
from eval.bec_pro.scorer import Scores
from eval.bootstrap import Resampling
from experiments.debias.cells import Measured, measure_options
from experiments.debias.config import STEM, UNTOUCHED, UNTRAINED, DebiasRecipe

#: rows beside those of the cells
NO_CELLS = (UNTRAINED, STEM)


@dataclass(frozen=True)
class Stereotypes:
    """Male less female words among men's professions, less the same among women's (eval.bec_pro.compare).

    Attributes:
        all: of all person words.
        pronouns: of *he* and *she* alone, which rewriting takes.
        nouns: of the other person words, most of which it leaves.
        pairs: of each pair of person words.
    """

    all: Figure
    pronouns: Figure
    nouns: Figure
    pairs: dict[str, float]

    @classmethod
    def of(cls, items: Sequence[Item], scores: Sequence[Scores], resampling: Resampling) -> Stereotypes:
        """Measure them."""
        nouns = {item.pair for item in items} - {PRONOUNS}
        return cls(
            stereotype(items, scores, resampling),
            stereotype(*of_pairs(items, scores, {PRONOUNS}), resampling),
            stereotype(*of_pairs(items, scores, nouns), resampling),
            stereotype_by_pair(items, scores),
        )


@dataclass(frozen=True)
class Reductions:
    """By how many percent figures are smaller than those of the untouched models without fine-tuning.

    Attributes:
        average: the absolute average.
        gap: the mean of \\|male - female\\|.
        stereotype: :attr:`Stereotypes.all`; None where that of the untouched models is not certainly above zero.
        pronouns: :attr:`Stereotypes.pronouns`; likewise.
    """

    average: Figure
    gap: Figure
    stereotype: Figure | None = None
    pronouns: Figure | None = None


@dataclass(frozen=True)
class Row:
    """One line of the results: the models of a corpus, with or without fine-tuning.

    Attributes:
        corpus: its name; ``untrained`` for the network with random weights, ``stem`` for that from which all cells
            begin.
        tuned: whether the models were fine-tuned on swapped texts.
        models: what was measured of each.
        bias: the figures of BEC-Pro over all of them.
        stereotypes: whose professions they take them to be.
        less: what is smaller than in the untouched models; None for these.
    """

    corpus: str
    tuned: bool
    models: tuple[Measured, ...]
    bias: BecProResult
    stereotypes: Stereotypes
    less: Reductions | None = None

    @property
    def label(self) -> str:
        """As it stands in tables and plots."""
        return f"{self.corpus}, CDS" if self.tuned else self.corpus

    @property
    def seeds(self) -> list[int]:
        """Of the models."""
        return [model.seed for model in self.models]

    def perplexity(self, text: str, kind: str) -> float:
        """Return the mean perplexity of the models (geometric) on a held-out part."""
        return math.exp(sum(math.log(m.perplexity[text][kind]) for m in self.models) / len(self.models))

    def tagging(self) -> float | None:
        """Return the mean accuracy of the probe, or None."""
        values = [model.probe["accuracy"] for model in self.models if model.probe]
        return sum(values) / len(values) if values else None

    def ln_p(self, gender: str, kind: str) -> float:
        """Return the mean ln p of the person words of one gender, profession ``present`` or ``masked``."""
        values: list[float] = [getattr(group, kind) for group in self.bias.groups if group.gender == gender]
        return sum(values) / len(values)

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            "corpus": self.corpus,
            "tuned": self.tuned,
            "seeds": self.seeds,
            "stereotype": asdict(self.stereotypes),
            "reduction": asdict(self.less) if self.less else None,
            "bias": self.bias.to_dict(),
            "perplexity": [model.perplexity for model in self.models],
            "probe": [model.probe for model in self.models],
            "tests": [list(model.bias) for model in self.models],
        }


def read_rows(recipe: DebiasRecipe, folders: Sequence[Path], run: Path) -> list[Row]:
    """Return the results of finished measurements, corpora in the order of the recipe."""
    grouped: defaultdict[tuple[str, bool], list[Measured]] = defaultdict(list)
    for folder in folders:
        measured = _load(folder, run)
        grouped[measured.corpus, measured.tuned].append(measured)
    names = [(name, tuned) for name in (UNTRAINED, STEM, *recipe.corpora) for tuned in (False, True)]
    options = measure_options(recipe)
    corpus = read_corpus(options)
    rows = {name: _row(corpus, options.resampling, name, grouped[name]) for name in names if name in grouped}
    reference = rows.get((UNTOUCHED, False))
    if reference is None:
        return list(rows.values())
    return [
        row if row is reference else replace(row, less=_reductions(corpus.items, reference, row, options.resampling))
        for row in rows.values()
    ]


def _load(folder: Path, run: Path) -> Measured:
    parts = folder.relative_to(run).parts
    if parts[0] in NO_CELLS:
        return Measured.load(folder, parts[0], 1, tuned=False)
    return Measured.load(folder, parts[1], int(parts[2].removeprefix("seed-")), tuned=parts[3].endswith("-cds"))


def _row(corpus: Corpus, resampling: Resampling, name: tuple[str, bool], models: Sequence[Measured]) -> Row:
    scores = [model.scores for model in models]
    bias = evaluate(corpus, scores, models=[f"seed-{m.seed}" for m in models], resampling=resampling)
    return Row(*name, tuple(models), bias, Stereotypes.of(corpus.items, scores, resampling))


def _reductions(items: Sequence[Item], reference: Row, row: Row, resampling: Resampling) -> Reductions:
    before, after = ([model.scores for model in one.models] for one in (reference, row))
    average, gap = (reduction(items, before, after, resampling, figure=figure) for figure in ("average", "gap"))
    whole = pronouns = None
    if reference.stereotypes.all.interval.low > 0:
        whole = reduction(items, before, after, resampling, figure="stereotype")
    if reference.stereotypes.pronouns.interval.low > 0:
        some, old = of_pairs(items, before, {PRONOUNS})
        pronouns = reduction(some, old, of_pairs(items, after, {PRONOUNS})[1], resampling, figure="stereotype")
    return Reductions(average, gap, whole, pronouns)
