"""What the answers of a study say: the figures of its report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from statistics import median
from typing import Any

import numpy as np

from eval.bootstrap import Floats, Interval, Resampling, percentile_interval
from eval.human.agreement import alpha_interval, krippendorff_alpha
from eval.human.answers import Answers
from eval.human.mixed import MixedModel, fit_mixed
from eval.human.ratings import Choices, Ratings, choices_of, ratings_of
from eval.human.statistics import (
    PARTICIPANTS,
    Mean,
    VersionMeans,
    holm,
    participant_means,
    resampled_means,
    sign_flip,
    version_means,
)
from eval.human.study import Study
from eval.human.wording import Question
from eval.intervals import wilson
from eval.signature import signature
from rewriter.errors import MetricError, UsageError

__all__ = ["HumanReport", "ReportOptions", "human_report"]


@dataclass(frozen=True, slots=True)
class ReportOptions:
    """How a report is made.

    Attributes:
        failed_checks: participants who failed more attention checks are left out.
        simulated: report answers of a script; without it they are refused.
        over: what intervals draw, :data:`eval.human.statistics.OVER`.
        metric: of Krippendorff's alpha.
        resampling: of intervals and permutations.
    """

    failed_checks: int = 0
    simulated: bool = False
    over: str = PARTICIPANTS
    metric: str = "ordinal"
    resampling: Resampling = field(default_factory=lambda: Resampling(samples=10_000))


@dataclass(frozen=True)
class People:
    """Who took part.

    Attributes:
        planned: questionnaires of the study.
        answered: files that were collected.
        withdrawn: those who do not want their answers to be used.
        inattentive: those who failed more attention checks than allowed.
        used: the rest, whose answers count.
        unfinished: of those, who left out a rating or comparison.
        minutes: median of the time that pages with items were open.
        about: question -> option -> how many of those used chose it.
    """

    planned: int
    answered: int
    withdrawn: int
    inattentive: int
    used: int
    unfinished: int
    minutes: float
    about: Mapping[str, Mapping[str, int]]


@dataclass(frozen=True)
class Agreement:
    """Krippendorff's alpha with its interval; None where it is not defined."""

    alpha: float | None
    interval: Interval | None


@dataclass(frozen=True)
class StatementResult:
    """What was answered to a statement.

    Attributes:
        name: of the statement.
        text: the statement.
        versions: means and contrasts.
        by_genre: genre -> mean in every version.
        shares: how often each value of the scale was given (columns), of every version (rows).
        agreement: of the raters.
        model: the mixed-effects model; None where there are too few ratings.
    """

    name: str
    text: str
    versions: VersionMeans
    by_genre: Mapping[str, Floats]
    shares: Floats
    agreement: Agreement
    model: MixedModel | None


@dataclass(frozen=True, slots=True)
class PairResult:
    """Which of two versions is preferred.

    Attributes:
        first: number of a version.
        second: number of the other one.
        for_first: how often the first was preferred.
        neither: how often neither was.
        for_second: how often the second was.
        lean: mean from -1 (the first, clearly) to 1 (the second, clearly).
        p_value: of a permutation test over participants.
        adjusted: the same for all pairs together (Holm 1979).
    """

    first: int
    second: int
    for_first: int
    neither: int
    for_second: int
    lean: Mean
    p_value: float
    adjusted: float


@dataclass(frozen=True)
class Preferences:
    """What was preferred side by side.

    Attributes:
        pairs: every two versions.
        agreement: of the raters on the same text in the same two versions.
        left: how often the left side was preferred, of the choices that prefer one.
        chosen: how many those are.
        left_interval: of the share of the left side; 0.5 lies in it where sides do not matter.
    """

    pairs: tuple[PairResult, ...]
    agreement: Agreement
    left: int
    chosen: int
    left_interval: Interval


@dataclass(frozen=True)
class OpinionGroup:
    """Those who answered a statement about themselves alike, and how they rated the texts.

    Attributes:
        name: ``disagree``, ``neither`` or ``agree``.
        people: how many.
        higher: of them, how many rated each version but the first higher than the first, on the main statement.
    """

    name: str
    people: int
    higher: tuple[int, ...]


@dataclass(frozen=True)
class Opinion:
    """Answers to a question after the texts: counts by value, and groups where it is a statement."""

    question: Question
    counts: Mapping[str, int]
    groups: tuple[OpinionGroup, ...]


@dataclass(frozen=True)
class HumanReport:
    """The figures of a study."""

    study: Study
    people: People
    statements: tuple[StatementResult, ...]
    preferences: Preferences | None
    opinions: tuple[Opinion, ...]
    simulated: bool
    signature: str


def human_report(study: Study, answers: Sequence[Answers], options: ReportOptions | None = None) -> HumanReport:
    """Return what the answers say.

    Args:
        study: the study.
        answers: what was collected.
        options: how.

    Raises:
        UsageError: answers of a script without ``options.simulated``.
        MetricError: nobody's answers are left.
    """
    options = options or ReportOptions()
    simulated = _simulated(answers, options)
    used, people = _used(study, answers, options)
    ratings = {name: ratings_of(study, used, name) for name in study.wording.statements}
    if not used or not any(map(len, ratings.values())):
        raise MetricError(
            f"no ratings are left: {people.answered} answered, {people.withdrawn} took their answers back, "
            f"{people.inattentive} failed attention checks (--failed-checks)"
        )
    main = next(iter(ratings.values()))
    return HumanReport(
        study,
        people,
        tuple(_statement(study, name, found, options) for name, found in ratings.items() if len(found)),
        _preferences(study, choices_of(study, used), len(used), options),
        tuple(_opinion(study, question, used, main) for question in study.wording.after),
        simulated,
        signature(
            "human-report",
            study=study.id,
            n=people.used,
            texts=len(study.texts),
            versions=len(study.versions),
            **({"answers": "simulated"} if simulated else {}),
            failed_checks=options.failed_checks,
            over=options.over,
            alpha=options.metric,
            bootstrap=options.resampling.samples,
            seed=options.resampling.seed,
        ),
    )


def _simulated(answers: Sequence[Answers], options: ReportOptions) -> bool:
    made = [given for given in answers if given.simulated]
    if made and not options.simulated:
        raise UsageError(
            f"{len(made)} of {len(answers)} answers are simulated (a script gave them, such as {made[0].participant}); "
            "leave them out, or pass --simulated to try the report on nothing but such answers"
        )
    if made and len(made) < len(answers):
        raise UsageError(
            f"{len(made)} of {len(answers)} answers are simulated: answers of people are not mixed with them"
        )
    return bool(made)


def _used(study: Study, answers: Sequence[Answers], options: ReportOptions) -> tuple[list[Answers], People]:
    questionnaires = {questionnaire.participant: questionnaire for questionnaire in study.questionnaires}
    willing = [given for given in answers if not given.withdrawn]
    used = [g for g in willing if g.failed_checks(questionnaires[g.participant]) <= options.failed_checks]
    statements = len(study.wording.statements)
    unfinished = sum(
        any(
            item.id not in given.items or len(given.items[item.id].ratings) not in (0, statements)
            for item in questionnaires[given.participant].items
        )
        for given in used
    )
    about = {
        question.id: _counts(question, [given.before for given in used], study) for question in study.wording.before
    }
    return used, People(
        planned=len(study.questionnaires),
        answered=len(answers),
        withdrawn=len(answers) - len(willing),
        inattentive=len(willing) - len(used),
        used=len(used),
        unfinished=unfinished,
        minutes=median(given.seconds for given in used) / 60 if used else 0.0,
        about=about,
    )


def _counts(question: Question, given: Sequence[Mapping[str, str | int]], study: Study) -> dict[str, int]:
    found = Counter(str(answers[question.id]) for answers in given if question.id in answers)
    options = list(question.options) or [str(value) for value in range(1, len(study.wording.scale) + 1)]
    counts = {option: found[option] for option in options}
    silent = len(given) - sum(counts.values())
    return counts | ({"no answer": silent} if silent else {})


def _statement(study: Study, name: str, ratings: Ratings, options: ReportOptions) -> StatementResult:
    values = np.arange(1, len(study.wording.scale) + 1)
    shares = np.array(
        [[(ratings.value[ratings.version == v] == value).sum() for value in values] for v in range(len(study.versions))]
    )
    places = ratings.text * len(study.versions) + ratings.version
    units = [ratings.value[places == place].tolist() for place in np.unique(places)]
    return StatementResult(
        name,
        study.wording.statements[name],
        version_means(ratings, options.resampling, over=options.over),
        _by_genre(study, ratings),
        shares.astype(float),
        _agreement(units, options),
        _model(ratings),
    )


def _by_genre(study: Study, ratings: Ratings) -> dict[str, Floats]:
    total, count = ratings.sums()
    found = {}
    for genre in dict.fromkeys(text.genre for text in study.texts):
        rows = [number for number, text in enumerate(study.texts) if text.genre == genre]
        sums, numbers = total[:, rows].sum(axis=(0, 1)), count[:, rows].sum(axis=(0, 1))
        found[genre] = np.divide(sums, numbers, out=np.full(sums.shape, np.nan), where=numbers > 0)
    return found


def _agreement(units: Sequence[Sequence[float]], options: ReportOptions) -> Agreement:
    return Agreement(
        krippendorff_alpha(units, metric=options.metric),
        alpha_interval(units, options.resampling, metric=options.metric),
    )


def _model(ratings: Ratings) -> MixedModel | None:
    try:
        return fit_mixed(ratings)
    except MetricError:
        return None


def _preferences(study: Study, choices: Choices, people: int, options: ReportOptions) -> Preferences | None:
    if not len(choices):
        return None
    pairs = list(combinations(range(len(study.versions)), 2))
    number = np.array([pairs.index((min(a, b), max(a, b))) for a, b in zip(choices.left, choices.right, strict=True)])
    lean = np.where(choices.left < choices.right, choices.lean, -choices.lean)
    total, count = np.zeros((2, people, len(study.texts), len(pairs)))
    np.add.at(total, (choices.participant, choices.text, number), lean)
    np.add.at(count, (choices.participant, choices.text, number), 1.0)
    drawn = resampled_means(total, count, options.resampling, over=options.over)
    means = participant_means(total, count)
    tests = [sign_flip(column[np.isfinite(column)], options.resampling) for column in means.T]
    units = [lean[(choices.text * len(pairs) + number) == place] for place in range(len(study.texts) * len(pairs))]
    chosen = choices.lean[choices.lean != 0]
    left = int((chosen < 0).sum())
    return Preferences(
        tuple(
            PairResult(
                *pair, *_votes(lean[number == n]), _mean(lean[number == n], drawn[:, n], options), test, adjusted
            )
            for n, (pair, test, adjusted) in enumerate(zip(pairs, tests, holm(tests), strict=True))
        ),
        _agreement([unit.tolist() for unit in units], options),
        left,
        len(chosen),
        wilson(left, len(chosen), level=options.resampling.level),
    )


def _votes(lean: Floats) -> tuple[int, int, int]:
    return int((lean < 0).sum()), int((lean == 0).sum()), int((lean > 0).sum())


def _mean(lean: Floats, drawn: Floats, options: ReportOptions) -> Mean:
    if not len(lean):
        return Mean(None, None, 0)
    finite = drawn[np.isfinite(drawn)]
    return Mean(float(lean.mean()), percentile_interval(finite, options.resampling.level), len(lean))


def _opinion(study: Study, question: Question, used: Sequence[Answers], main: Ratings) -> Opinion:
    given = [answers.after for answers in used]
    return Opinion(
        question, _counts(question, given, study), () if question.options else _groups(study, question, given, main)
    )


def _groups(
    study: Study, question: Question, given: Sequence[Mapping[str, Any]], main: Ratings
) -> tuple[OpinionGroup, ...]:
    """Return those who disagree and agree, and how many of them rate a version higher than the first (section 4.4)."""
    middle = (len(study.wording.scale) + 1) / 2
    answers = np.array([float(answers.get(question.id, np.nan)) for answers in given])
    means = participant_means(*main.sums())
    higher = means[:, 1:] - means[:, :1] > 1e-12
    masks = {"disagree": answers < middle, "neither": answers == middle, "agree": answers > middle}
    return tuple(
        OpinionGroup(name, int(mask.sum()), tuple(int(n) for n in higher[mask].sum(axis=0)))
        for name, mask in masks.items()
    )
