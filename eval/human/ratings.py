"""Answers with the versions that they are about: arrays for statistics, and a table for other programs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from eval.bootstrap import Floats, Ints
from eval.human.answers import Answers, ItemAnswer
from eval.human.study import CHECK, PREFERENCE, RATING, Item, Study


@dataclass(frozen=True)
class Ratings:
    """The ratings of a statement: one of each array's values belongs to one rating.

    Attributes:
        participant: number of who rated.
        text: number of the text.
        version: number of its version.
        value: of the scale, from 1.
        shape: how many participants, texts, versions there are.
    """

    participant: Ints
    text: Ints
    version: Ints
    value: Floats
    shape: tuple[int, int, int]

    def __len__(self) -> int:
        """Return the number of ratings."""
        return len(self.value)

    def sums(self) -> tuple[Floats, Floats]:
        """Return sums of values and numbers of ratings, each of shape (participants, texts, versions)."""
        total, count = np.zeros(self.shape), np.zeros(self.shape)
        place = (self.participant, self.text, self.version)
        np.add.at(total, place, self.value)
        np.add.at(count, place, 1.0)
        return total, count


@dataclass(frozen=True)
class Choices:
    """What was preferred: one of each array's values belongs to one comparison.

    Attributes:
        participant: number of who chose.
        text: number of the text.
        left: number of the version on the left side (A).
        right: number of that on the right side (B).
        lean: from -1 (left, clearly) over 0 (neither) to 1 (right, clearly).
    """

    participant: Ints
    text: Ints
    left: Ints
    right: Ints
    lean: Floats

    def __len__(self) -> int:
        """Return the number of comparisons."""
        return len(self.lean)


def ratings_of(study: Study, answers: Sequence[Answers], statement: str) -> Ratings:
    """Return the ratings of a statement; those left open are not there, nor are checks."""
    rows = [
        (number, item.text, item.version, given.ratings[statement])
        for number, (item, given) in _answered(study, answers, RATING)
        if statement in given.ratings
    ]
    table = np.array(rows, dtype=np.int64).reshape(-1, 4)
    shape = (len(answers), len(study.texts), len(study.versions))
    return Ratings(table[:, 0], table[:, 1], table[:, 2], table[:, 3].astype(float), shape)


def choices_of(study: Study, answers: Sequence[Answers]) -> Choices:
    """Return the comparisons; those left open are not there."""
    rows = [
        (number, item.text, item.version, item.other, given.preference)
        for number, (item, given) in _answered(study, answers, PREFERENCE)
        if given.preference
    ]
    table = np.array(rows, dtype=np.int64).reshape(-1, 5)
    middle = study.wording.middle
    return Choices(table[:, 0], table[:, 1], table[:, 2], table[:, 3], (table[:, 4] - middle) / (middle - 1))


#: columns of the table for other programs
COLUMNS = (
    "participant",
    "form",
    "place",
    "kind",
    "text",
    "genre",
    "version",
    "against",
    "question",
    "value",
    "seconds",
)


def long_table(study: Study, answers: Sequence[Answers]) -> dict[str, list[str | int | float]]:
    """Return one row for every answer, with the names of texts and versions: columns by name.

    Checks have the value that they ask for in ``against``; of a comparison ``version`` stood on the left side (A) and
    ``against`` on the right. Answers of the questions before and after the texts are rows of the kind ``before`` and
    ``after``.
    """
    rows: list[tuple[str | int | float, ...]] = []
    for given in answers:
        questionnaire = next(q for q in study.questionnaires if q.participant == given.participant)
        head = (given.participant, questionnaire.form)
        rows += [(*head, 0, "before", "", "", "", "", name, value, 0.0) for name, value in given.before.items()]
        for place, item in enumerate(questionnaire.items, 1):
            if answer := given.items.get(item.id):
                values = dict(answer.ratings) if item.kind != PREFERENCE else {"preference": answer.preference}
                about = (place, item.kind, *_named(study, item))
                rows += [(*head, *about, question, value, answer.seconds) for question, value in values.items()]
        rows += [(*head, 0, "after", "", "", "", "", name, value, 0.0) for name, value in given.after.items()]
    return {name: [row[place] for row in rows] for place, name in enumerate(COLUMNS)}


def _named(study: Study, item: Item) -> tuple[str, str, str, str]:
    if item.kind == CHECK:
        return "", "", "", str(item.expected)
    text = study.texts[item.text]
    other = study.versions[item.other] if item.kind == PREFERENCE else ""
    return text.id, text.genre, study.versions[item.version], other


def _answered(study: Study, answers: Sequence[Answers], kind: str) -> Iterator[tuple[int, tuple[Item, ItemAnswer]]]:
    """Yield the number of a participant with an item of a kind and its answer."""
    items = {questionnaire.participant: questionnaire.items for questionnaire in study.questionnaires}
    for number, given in enumerate(answers):
        for item in items[given.participant]:
            if item.kind == kind and item.id in given.items:
                yield number, (item, given.items[item.id])
