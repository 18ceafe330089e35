"""Answers of participants: read back from the files that their pages saved, and checked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from pathlib import Path
from typing import Any

from eval.human.study import CHECK, PREFERENCE, Item, Questionnaire, Study
from eval.human.wording import Question
from rewriter.errors import GenderFairError, InputError
from rewriter.io.files import read_json
from rewriter.registry import did_you_mean

__all__ = ["Answers", "collect"]

#: of the files that pages save
FORMAT = "gender-fair-human-answers/1"


@dataclass(frozen=True, slots=True)
class ItemAnswer:
    """What was answered on a page.

    Attributes:
        ratings: name of a statement -> value of the scale, from 1.
        preference: value of the scale of preference, from 1 (A) on; 0 where none was asked or given.
        seconds: how long the page was open.
    """

    ratings: Mapping[str, int]
    preference: int
    seconds: float


@dataclass(frozen=True)
class Answers:
    """The answers of a participant.

    Attributes:
        participant: their name in the study.
        simulated: whether a script answered, not a person.
        withdrawn: whether they do not want them to be used.
        items: name of an item -> its answer; those left open are not there.
        before: question -> answer, of the questions before the texts.
        after: the same of those after them.
        comment: what they wrote.
        source: the file.
    """

    participant: str
    simulated: bool
    withdrawn: bool
    items: Mapping[str, ItemAnswer]
    before: Mapping[str, str | int]
    after: Mapping[str, str | int]
    comment: str
    source: str

    @property
    def seconds(self) -> float:
        """How long all pages with items were open."""
        return sum(item.seconds for item in self.items.values())

    def failed_checks(self, questionnaire: Questionnaire) -> int:
        """Return how many attention checks were not answered as they ask, or not at all."""
        checks = [item for item in questionnaire.items if item.kind == CHECK]
        return sum(not self._passes(item) for item in checks)

    def _passes(self, check: Item) -> bool:
        given = self.items.get(check.id)
        return (
            given is not None
            and bool(given.ratings)
            and all(value == check.expected for value in given.ratings.values())
        )

    def to_dict(self, study: Study) -> dict[str, Any]:
        """Return the JSON form, which :func:`answers_from` reads."""
        kinds = {item.id: item.kind for q in study.questionnaires for item in q.items}
        return {
            "format": FORMAT,
            "study": study.id,
            "participant": self.participant,
            "simulated": self.simulated,
            "before": dict(self.before),
            "items": {name: _item_record(answer, kinds[name]) for name, answer in self.items.items()},
            "after": dict(self.after),
            "comment": self.comment,
            "withdrawn": self.withdrawn,
        }


@dataclass(frozen=True, slots=True)
class Problem:
    """A file that could not be taken, and why."""

    source: str
    reason: str


@dataclass(frozen=True)
class Collected:
    """What was read.

    Attributes:
        answers: one for every participant who answered, in the order of the study.
        problems: files that were not taken.
        notes: what else is to be known, such as files that are there twice.
    """

    answers: tuple[Answers, ...]
    problems: tuple[Problem, ...]
    notes: tuple[str, ...]


def collect(study: Study, paths: Iterable[Path]) -> Collected:
    """Read the files of participants; one that is wrong costs no other one.

    The same file twice counts once. Where two files of one participant differ, neither is taken: nobody but the people
    who know where they come from can say which one counts.

    Args:
        study: whose pages were answered.
        paths: files, or folders whose .json files are read.

    Raises:
        InputError: a path does not exist, or a folder has no .json file.
    """
    found: dict[str, list[Answers]] = {}
    problems: list[Problem] = []
    for path in _files(paths):
        try:
            answers = answers_from(study, read_json(path), where=str(path))
        except GenderFairError as error:
            problems.append(Problem(str(path), str(error)))
        else:
            found.setdefault(answers.participant, []).append(answers)
    taken, notes = [], []
    for questionnaire in study.questionnaires:
        given = found.get(questionnaire.participant, [])
        names = ", ".join(answers.source for answers in given)
        if len({_content(answers) for answers in given}) > 1:
            reason = f"they answer the same questionnaire ({questionnaire.participant}) differently; keep one of them"
            problems.append(Problem(names, reason))
            continue
        if len(given) > 1:
            notes.append(f"{names}: the same answers; counted once")
        taken += given[:1]
    return Collected(tuple(taken), tuple(problems), tuple(notes))


def answers_from(study: Study, record: Any, *, where: str) -> Answers:
    """Return the answers that a JSON object holds.

    Args:
        study: whose page was answered.
        record: what the page saved.
        where: for messages.

    Raises:
        InputError: it holds no answers, those of another study, or values that the page cannot have given; the message
            names the place.
    """
    if not isinstance(record, dict) or record.get("format") != FORMAT:
        raise InputError(f"{where}: not a file of answers ({FORMAT}); take the file that the page saved, unchanged")
    if record.get("study") != study.id:
        raise InputError(f"{where}: answers of the study {record.get('study')!r}, not of this one ({study.id})")
    questionnaire = _questionnaire(study, record.get("participant"), where)
    reader = _Reader(study, where)
    return Answers(
        questionnaire.participant,
        reader.flag(record, "simulated"),
        reader.flag(record, "withdrawn"),
        reader.items(record.get("items"), questionnaire),
        reader.questions(record.get("before"), study.wording.before, "before"),
        reader.questions(record.get("after"), study.wording.after, "after"),
        reader.text(record.get("comment", ""), "comment"),
        where,
    )


def _questionnaire(study: Study, name: Any, where: str) -> Questionnaire:
    by_name = {questionnaire.participant: questionnaire for questionnaire in study.questionnaires}
    if not isinstance(name, str) or name not in by_name:
        hint = did_you_mean(str(name), list(by_name))
        raise InputError(f"{where}: participant: the study has no participant {name!r}{hint}")
    return by_name[name]


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads parts of a file and says where one is wrong."""

    study: Study
    where: str

    def flag(self, record: Mapping[str, Any], key: str) -> bool:
        value = record.get(key)
        if not isinstance(value, bool):
            raise self._wrong(key, value, "true or false")
        return value

    def text(self, value: Any, key: str) -> str:
        if not isinstance(value, str):
            raise self._wrong(key, value, "text")
        return value

    def items(self, record: Any, questionnaire: Questionnaire) -> dict[str, ItemAnswer]:
        if not isinstance(record, dict):
            raise self._wrong("items", record, "an object")
        by_id = {item.id: item for item in questionnaire.items}
        for name in record:
            if name not in by_id:
                raise InputError(
                    f"{self.where}: items.{name}: not a page of participant {questionnaire.participant}; "
                    "was the file mixed up with another one?"
                )
        return {item.id: self._item(record[item.id], item) for item in questionnaire.items if item.id in record}

    def questions(self, record: Any, questions: Sequence[Question], when: str) -> dict[str, str | int]:
        if not isinstance(record, dict):
            raise self._wrong(when, record, "an object")
        known = {question.id: question for question in questions}
        found: dict[str, str | int] = {}
        for name, value in record.items():
            if name not in known:
                raise InputError(f"{self.where}: {when}.{name}: the study asks no such question")
            options = known[name].options
            if not options:
                found[name] = self._value(value, len(self.study.wording.scale), f"{when}.{name}")
            elif isinstance(value, str) and value in options:
                found[name] = value
            else:
                raise self._wrong(f"{when}.{name}", value, f"one of {', '.join(options)}")
        return found

    def _item(self, record: Any, item: Item) -> ItemAnswer:
        key = f"items.{item.id}"
        if not isinstance(record, dict):
            raise self._wrong(key, record, "an object")
        seconds = record.get("seconds", 0)
        if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not 0 <= seconds < inf:
            raise self._wrong(f"{key}.seconds", seconds, "a number of seconds")
        if item.kind == PREFERENCE:
            most = len(self.study.wording.preference_scale)
            return ItemAnswer({}, self._value(record.get("preference"), most, f"{key}.preference"), float(seconds))
        return ItemAnswer(self._ratings(record.get("ratings"), key), 0, float(seconds))

    def _ratings(self, record: Any, key: str) -> dict[str, int]:
        if not isinstance(record, dict):
            raise self._wrong(f"{key}.ratings", record, "an object")
        wording = self.study.wording
        unknown = next((name for name in record if name not in wording.statements), None)
        if unknown is not None:
            raise InputError(f"{self.where}: {key}.ratings.{unknown}: the study has no such statement")
        return {name: self._value(v, len(wording.scale), f"{key}.ratings.{name}") for name, v in record.items()}

    def _value(self, value: Any, most: int, key: str) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= most:
            raise self._wrong(key, value, f"a whole number from 1 to {most}")
        return value

    def _wrong(self, key: str, value: Any, expected: str) -> InputError:
        return InputError(f"{self.where}: {key}: expected {expected}, not {str(value)[:60]!r}")


def _files(paths: Iterable[Path]) -> Iterator[Path]:
    for path in paths:
        if not path.is_dir():
            yield path
            continue
        files = sorted(path.glob("*.json"))
        if not files:
            raise InputError(f"{path}: no .json file in this folder; put the saved answers there")
        yield from files


def _content(answers: Answers) -> tuple[Any, ...]:
    items = [(name, sorted(a.ratings.items()), a.preference) for name, a in sorted(answers.items.items())]
    surveys = [sorted(survey.items()) for survey in (answers.before, answers.after)]
    return (str(items), str(surveys), answers.comment, answers.withdrawn, answers.simulated)


def _item_record(answer: ItemAnswer, kind: str) -> dict[str, Any]:
    given: dict[str, Any] = (
        {"preference": answer.preference} if kind == PREFERENCE else {"ratings": dict(answer.ratings)}
    )
    return given | {"seconds": answer.seconds}
