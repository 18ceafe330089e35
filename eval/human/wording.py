"""What a questionnaire says: statements, scales, questions, the words of its buttons."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from rewriter.errors import InputError, UsageError
from rewriter.io.files import read_json
from rewriter.registry import did_you_mean

#: keys become parts of names in pages and tables
_KEY = re.compile(r"[a-z][a-z0-9_-]*")


@dataclass(frozen=True)
class Question:
    """A question about the participant or their opinion; it may be left open.

    Attributes:
        id: its name in answers.
        text: what is asked.
        options: value -> what stands beside it; none for a statement on the scale of agreement.
    """

    id: str
    text: str
    options: Mapping[str, str]


@dataclass(frozen=True)
class Wording:
    """All words of a questionnaire.

    Attributes:
        lang: language of the words.
        title: of the page.
        introduction: its first paragraphs.
        consent: beside the box without which nobody goes on.
        scale: labels of the scale of agreement, the least first.
        statements: name -> statement that is rated for every text; the first one is the main one.
        check: text of an attention check; ``{choice}`` is the label to choose.
        preference_introduction: added to the introduction where versions are compared.
        preference: question about two versions.
        preference_scale: its labels, from A to B; an odd number.
        before: questions before the texts.
        after: questions after them.
        comment: question for free words.
        withdraw: beside the box that takes the answers out of the study.
        hand_in: what to do with the file.
        ui: words of buttons and messages.
    """

    lang: str
    title: str
    introduction: tuple[str, ...]
    consent: str
    scale: tuple[str, ...]
    statements: Mapping[str, str]
    check: str
    preference_introduction: str
    preference: str
    preference_scale: tuple[str, ...]
    before: tuple[Question, ...]
    after: tuple[Question, ...]
    comment: str
    withdraw: str
    hand_in: str
    ui: Mapping[str, str]

    @property
    def middle(self) -> int:
        """The value of the scale of preference that prefers neither; values begin at 1."""
        return (len(self.preference_scale) + 1) // 2

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form, as :func:`wording_from` reads it."""
        record = asdict(self) | {"return": self.hand_in}
        record["preference"] = {
            "introduction": self.preference_introduction,
            "question": self.preference,
            "scale": list(self.preference_scale),
        }
        del record["hand_in"], record["preference_scale"], record["preference_introduction"]
        return record


def wording_languages() -> list[str]:
    """Return the languages that questionnaires are written in."""
    folder = files("eval") / "human" / "wording"
    return sorted(entry.name.removesuffix(".json") for entry in folder.iterdir() if entry.name.endswith(".json"))


def load_wording(lang: str, path: Path | None = None) -> Wording:
    """Return the words of a language, with what a file of one's own says instead.

    Args:
        lang: language of the questionnaire.
        path: JSON object with some keys of ``eval/human/wording/en.json``; each replaces what stands there (those of
            ``ui`` one by one).

    Raises:
        UsageError: there are no words for this language.
        InputError: the file cannot be read, has an unknown key, or a value is not what it must be.
    """
    if lang not in wording_languages():
        known = ", ".join(wording_languages())
        raise UsageError(f"there are no questionnaires in '{lang}'; known: {known}")
    own = read_json(Path(str(files("eval") / "human" / "wording" / f"{lang}.json")))
    if path is None:
        return wording_from(own, where=lang)
    given = read_json(path)
    if not isinstance(given, dict):
        raise InputError(f"{path}: expected a JSON object with keys such as {', '.join(list(own)[:4])}")
    _refuse_unknown(given, own, str(path))
    ui = given.get("ui", {})
    if isinstance(ui, dict):
        _refuse_unknown(ui, own["ui"], f"{path}: ui")
        ui = own["ui"] | ui
    return wording_from(own | given | {"ui": ui}, where=str(path))


def wording_from(record: Mapping[str, Any], *, where: str) -> Wording:
    """Return the wording that a JSON object holds.

    Args:
        record: all keys of ``eval/human/wording/en.json``.
        where: for messages.

    Raises:
        InputError: a key is missing, or its value is not what it must be.
    """
    try:
        wording = Wording(
            **{key: _text(record[key], key) for key in ("lang", "title", "consent", "check", "comment", "withdraw")},
            hand_in=_text(record["return"], "return"),
            introduction=_texts(record["introduction"], "introduction"),
            scale=_texts(record["scale"], "scale"),
            statements=_named(record["statements"], "statements"),
            preference_introduction=_text(record["preference"]["introduction"], "preference.introduction"),
            preference=_text(record["preference"]["question"], "preference.question"),
            preference_scale=_texts(record["preference"]["scale"], "preference.scale"),
            before=_questions(record["before"], "before"),
            after=_questions(record["after"], "after"),
            ui={key: _text(value, f"ui.{key}") for key, value in record["ui"].items()},
        )
        _check(wording)
    except KeyError as error:
        raise InputError(f"{where}: the key {error} is missing") from None
    except (ValueError, TypeError, AttributeError) as error:
        raise InputError(f"{where}: {error}") from None
    return wording


def _check(wording: Wording) -> None:
    if len(wording.scale) < 2:
        raise ValueError("scale: a scale has two labels at least")
    if len(wording.preference_scale) % 2 == 0 or len(wording.preference_scale) < 3:
        raise ValueError(
            "preference.scale: an odd number of labels, three at least, so that the middle prefers neither"
        )
    if not wording.statements:
        raise ValueError("statements: one at least")
    if "{choice}" not in wording.check:
        raise ValueError("check: must hold {choice}, the label to choose")


def _refuse_unknown(given: Mapping[str, Any], known: Mapping[str, Any], where: str) -> None:
    for key in given:
        if key not in known:
            raise InputError(f"{where}: unknown key '{key}'{did_you_mean(key, list(known))}; known: {', '.join(known)}")


def _text(value: Any, key: str) -> str:
    if not isinstance(value, str) or not value.strip():
        raise ValueError(f"{key}: expected text, not {value!r}")
    return value


def _texts(value: Any, key: str) -> tuple[str, ...]:
    if not isinstance(value, list | tuple) or not value:
        raise ValueError(f"{key}: expected a list of texts")
    return tuple(_text(entry, f"{key}[{place}]") for place, entry in enumerate(value))


def _named(value: Any, key: str) -> dict[str, str]:
    if not isinstance(value, dict):
        raise ValueError(f"{key}: expected an object of names and texts")
    for name in value:
        if not _KEY.fullmatch(name):
            raise ValueError(f"{key}: '{name}' is no name; use small letters, digits, '-' and '_'")
    return {name: _text(entry, f"{key}.{name}") for name, entry in value.items()}


def _questions(value: Any, key: str) -> tuple[Question, ...]:
    if not isinstance(value, list | tuple):
        raise ValueError(f"{key}: expected a list of questions")
    found = []
    for place, entry in enumerate(value):
        name = next(iter(_named({entry["id"]: "-"}, f"{key}[{place}].id")))
        options = _named(entry.get("options") or {}, f"{key}[{place}].options")
        found.append(Question(name, _text(entry["text"], f"{key}[{place}].text"), options))
    if len({question.id for question in found}) < len(found):
        raise ValueError(f"{key}: two questions have the same id")
    return tuple(found)
