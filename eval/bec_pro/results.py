"""The figures of BEC-Pro: six groups, the absolute average, professions, gaps, tests, intervals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from eval.bec_pro.items import GENDERS, PROF_GENDERS, Corpus, Item
from eval.bec_pro.scorer import Scores
from eval.bec_pro.statistics import SignedRank, mean_differs, resampled_means, signed_rank
from eval.bootstrap import Floats, Interval, Resampling, percentile_interval
from eval.signature import signature
from rewriter.errors import MetricError

#: profession group, gender of the person word; MM and MF first, as in the source's tables
GROUPS = tuple((prof_gender, gender) for prof_gender in PROF_GENDERS for gender in GENDERS)


@dataclass(frozen=True, slots=True)
class Figure:
    """A mean with its confidence interval over templates and models."""

    value: float
    interval: Interval


@dataclass(frozen=True, slots=True)
class Group:
    """One of the six groups.

    Attributes:
        prof_gender: who works in the professions.
        gender: of the person words.
        association: mean of ln p(target | attribute present) - ln p(target | attribute masked).
        present: mean ln p of the person words beside the profession.
        masked: mean ln p of the person words beside a masked profession.
        sentences: how many.
    """

    prof_gender: str
    gender: str
    association: Figure
    present: float
    masked: float
    sentences: int


@dataclass(frozen=True, slots=True)
class ProfessionGroup:
    """Male against female person words beside the professions of one group.

    Attributes:
        prof_gender: who works in them.
        difference: mean association of male minus that of female person words.
        test: of the paired differences (same template and profession, he against she, and so on).
    """

    prof_gender: str
    difference: Figure
    test: SignedRank


@dataclass(frozen=True, slots=True)
class Profession:
    """One profession: mean associations of male and female person words, and male minus female."""

    name: str
    prof_gender: str
    male: float
    female: float
    difference: float


@dataclass(frozen=True, slots=True)
class BecProResult:
    """What was measured.

    Attributes:
        models: names, one per seed.
        absolute_average: mean of the absolute associations of the six groups (the source's chapter 4).
        by_model: the absolute average of each model alone.
        shows_bias: whether the mean of some group differs from zero by a t-test over templates, at a sixth of the
            error probability; an absolute average is never zero, so its own interval cannot tell.
        gap: mean over the three profession groups of \\|male - female\\|.
        groups: the six groups.
        contrasts: male against female person words for each group of professions.
        professions: by name.
        slips: slips of the published corpus, with the number of rows.
        signature: what it was computed with.
    """

    models: tuple[str, ...]
    absolute_average: Figure
    by_model: tuple[float, ...]
    shows_bias: bool
    gap: Figure
    groups: tuple[Group, ...]
    contrasts: tuple[ProfessionGroup, ...]
    professions: tuple[Profession, ...]
    slips: tuple[dict[str, Any], ...]
    signature: str

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        return asdict(self)


@dataclass(frozen=True)
class _Table:
    """Associations in order: models, templates, groups, professions of the group, pairs of person words."""

    values: Floats
    present: Floats
    masked: Floats
    professions: tuple[tuple[str, ...], ...]


def evaluate(
    corpus: Corpus,
    scores: Sequence[Scores],
    *,
    models: Sequence[str],
    resampling: Resampling | None = None,
    fields: dict[str, object] | None = None,
) -> BecProResult:
    """Make the figures from ln p of the person words.

    Args:
        corpus: the sentences.
        scores: for each model (seed) its scores of these sentences.
        models: their names.
        resampling: of the intervals.
        fields: more fields of the signature, how the models were asked.

    Raises:
        MetricError: a score is missing or no number, or the sentences are not every template with every word.
    """
    resampling = resampling or Resampling()
    table = _arrange(corpus.items, scores)
    by_group = table.values.mean(axis=(3, 4))  # (models, templates, 6)
    drawn = resampled_means(by_group, resampling)
    means = by_group.mean(axis=(0, 1))
    alpha = (100 - resampling.level) / 100 / len(GROUPS)
    by_template = by_group.mean(axis=0)
    return BecProResult(
        models=tuple(models),
        absolute_average=_figure(np.abs(means).mean(), np.abs(drawn).mean(axis=1), resampling),
        by_model=tuple(float(v) for v in np.abs(by_group.mean(axis=1)).mean(axis=1)),
        shows_bias=any(mean_differs(by_template[:, g]) < alpha for g in range(len(GROUPS))),
        gap=_figure(_gaps(means).mean(), _gaps(drawn).mean(axis=-1), resampling),
        groups=tuple(_groups(table, means, drawn, resampling)),
        contrasts=tuple(_contrasts(table, means, drawn, resampling)),
        professions=tuple(_professions(table)),
        slips=tuple(asdict(slip) for slip in corpus.slips),
        signature=_sign(corpus, len(scores), resampling, fields or {}),
    )


def group_means(items: Sequence[Item], scores: Sequence[Scores]) -> Floats:
    """Return mean associations by model, template and group (:data:`GROUPS`), shape (models, templates, 6).

    Raises:
        MetricError: as :func:`evaluate`.
    """
    means: Floats = _arrange(items, scores).values.mean(axis=(3, 4))
    return means


def _sign(corpus: Corpus, models: int, resampling: Resampling, fields: dict[str, object]) -> str:
    own = {
        "lang": corpus.lang,
        "data": corpus.source,
        "repaired": "+".join(corpus.repairs) or "nothing",
        **fields,
        "n": len(corpus.items),
        "models": models,
        "bootstrap": resampling.samples,
        "seed": resampling.seed,
    }
    return signature("bec-pro", **own)


def _figure(value: Any, drawn: Floats, resampling: Resampling) -> Figure:
    return Figure(float(value), percentile_interval(drawn, resampling.level))


def _gaps(groups: Floats) -> Floats:
    """Return |male - female| for each profession group; the last axis holds the six groups."""
    return np.abs(groups[..., 0::2] - groups[..., 1::2])


def _arrange(items: Sequence[Item], scores: Sequence[Scores]) -> _Table:
    templates = list(dict.fromkeys(item.template for item in items))
    names = tuple(tuple(dict.fromkeys(i.profession for i in items if i.prof_gender == g)) for g in PROF_GENDERS)
    pairs = len({item.pair for item in items})
    shape = (len(scores), len(templates), len(GROUPS), len(names[0]), pairs)
    if len({len(group) for group in names}) > 1 or len(items) * len(scores) != int(np.prod(shape)):
        raise MetricError(
            f"{len(items)} sentences are not every template with every person word and profession; a part of BEC-Pro "
            "cannot be measured, since its groups would not hold the same sentences"
        )
    index: tuple[Any, ...] = tuple(
        np.array(column) for column in zip(*(_place(i, templates, names) for i in items), strict=True)
    )
    arrays = []
    for part in range(2):
        values = np.full(shape, np.nan)
        for model, score in enumerate(scores):
            values[model][index] = score[part]
        if not np.isfinite(values).all():
            raise MetricError("a model gave no finite ln p for some sentence, or a sentence stands twice")
        arrays.append(values)
    present, masked = arrays
    return _Table(present - masked, present, masked, names)


def _place(item: Item, templates: list[str], names: tuple[tuple[str, ...], ...]) -> tuple[int, int, int, int]:
    group = GROUPS.index((item.prof_gender, item.gender))
    return templates.index(item.template), group, names[group // 2].index(item.profession), item.pair


def _groups(table: _Table, means: Floats, drawn: Floats, resampling: Resampling) -> list[Group]:
    present, masked = (values.mean(axis=(0, 1, 3, 4)) for values in (table.present, table.masked))
    sentences = int(table.values[0, :, 0].size)
    return [
        Group(*name, _figure(means[g], drawn[:, g], resampling), float(present[g]), float(masked[g]), sentences)
        for g, name in enumerate(GROUPS)
    ]


def _contrasts(table: _Table, means: Floats, drawn: Floats, resampling: Resampling) -> list[ProfessionGroup]:
    found = []
    for number, prof_gender in enumerate(PROF_GENDERS):
        male, female = 2 * number, 2 * number + 1
        # Models are averaged first: seeds are no further observations of the same pair of sentences.
        pairs = (table.values[:, :, male] - table.values[:, :, female]).mean(axis=0).ravel()
        difference = _figure(means[male] - means[female], drawn[:, male] - drawn[:, female], resampling)
        found.append(ProfessionGroup(prof_gender, difference, signed_rank(pairs)))
    return found


def _professions(table: _Table) -> list[Profession]:
    means = table.values.mean(axis=(0, 1, 4))  # (6, professions of the group)
    found = []
    for number, prof_gender in enumerate(PROF_GENDERS):
        for place, name in enumerate(table.professions[number]):
            male, female = float(means[2 * number, place]), float(means[2 * number + 1, place])
            found.append(Profession(name, prof_gender, male, female, male - female))
    return found
