"""The whole measurement: sentences, models, figures."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tqdm import tqdm

from eval.bec_pro.items import REPAIRS, Corpus, generate, read_published
from eval.bec_pro.results import BecProResult, evaluate
from eval.bec_pro.scorer import Scorer, ScorerOptions, Scores, TransformersScorer
from eval.bootstrap import Resampling
from rewriter.errors import InputError

#: folder below ``GENDER_FAIR_DATA``, file by language
FOLDER = "bec-pro"
FILES = {"en": "BEC-Pro_EN.tsv", "de": "BEC-Pro_DE.tsv"}


@dataclass(frozen=True)
class MeasureOptions:
    """Options of a measurement.

    Attributes:
        lang: ``en`` or ``de``.
        data: a published file; None makes the sentences from our tables, which are the same.
        templates: ``bec-pro``, ``own`` or ``all``, of sentences made from tables.
        repairs: kinds of slips that are mended; none with ``scorer.as_published``.
        nurse: with *nurse*, of sentences made from tables.
        scorer: how models are asked.
        resampling: of the intervals.
    """

    lang: str = "en"
    data: Path | None = None
    templates: str = "bec-pro"
    repairs: tuple[str, ...] = REPAIRS
    scorer: ScorerOptions = field(default_factory=ScorerOptions)
    resampling: Resampling = field(default_factory=Resampling)
    nurse: bool = False


def find_published(lang: str) -> Path:
    """Return the published file below ``GENDER_FAIR_DATA``.

    Raises:
        InputError: the variable is not set, or the file is not there.
    """
    root = os.environ.get("GENDER_FAIR_DATA")
    name = FILES.get(lang, f"BEC-Pro_{lang.upper()}.tsv")
    for path in [Path(root) / FOLDER / (name + end) for end in ("", ".zst", ".gz")] if root else []:
        if path.exists():
            return path
    raise InputError(
        f"there is no {FOLDER}/{name} below GENDER_FAIR_DATA ({root or 'not set'}); pass the file with --data FILE, "
        "or leave --data out: the same sentences are then made from tables"
    )


def measure(models: Sequence[str | Path | Scorer], options: MeasureOptions | None = None) -> BecProResult:
    """Measure models; several are seeds of one, and the intervals then cover them too.

    Args:
        models: folders, names on the hub, or objects that score.
        options: sentences, how the models are asked, resampling.

    Raises:
        ModelError: a model cannot be loaded or measured.
        InputError: the published file is not as expected.
        UsageError: an option has an unknown value.
    """
    options = options or MeasureOptions()
    corpus = read_corpus(options)
    scores, names = [], []
    for model in models:
        scorer = TransformersScorer(model, options.scorer) if isinstance(model, str | Path) else model
        scores.append(_score(scorer, corpus))
        names.append(scorer.name)
    fields: dict[str, object] = {"mode": "as-published" if options.scorer.as_published else "right"}
    if not options.scorer.as_published:
        fields["masks"] = options.scorer.masks
    return evaluate(corpus, scores, models=names, resampling=options.resampling, fields=fields)


def read_corpus(options: MeasureOptions) -> Corpus:
    """Return the sentences that the options ask for."""
    repairs = () if options.scorer.as_published else options.repairs
    if options.data is not None:
        return read_published(options.data, options.lang, repairs=repairs)
    return generate(options.lang, templates=options.templates, repairs=repairs, nurse=options.nurse)


def _score(scorer: Scorer, corpus: Corpus) -> Scores:
    with tqdm(disable=not sys.stderr.isatty(), desc=Path(scorer.name).name, unit="seq", file=sys.stderr) as bar:

        def advance(done: int, total: int) -> None:
            bar.total = total
            bar.update(done - bar.n)

        return scorer.score(corpus.items, advance)
