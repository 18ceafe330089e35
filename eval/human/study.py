"""A study: its texts, its questionnaires, and the key that says which version stood where."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from eval.human.design import Design, Sheet, assign, check_places
from eval.human.texts import StudyText
from eval.human.wording import Wording, wording_from
from eval.signature import signature
from rewriter.errors import InputError, OutputError
from rewriter.io.files import read_json, write_json

#: of the file that holds the key
FORMAT = "gender-fair-human-study/1"
KEY_FILE = "study.json"
#: kinds of items
RATING, CHECK, PREFERENCE = "rating", "check", "preference"


@dataclass(frozen=True, slots=True)
class Item:
    """A page of a questionnaire that is answered.

    Attributes:
        id: what the page calls it, which says nothing about its version.
        kind: ``rating``, ``check`` or ``preference``.
        text: number of the text; -1 for a check.
        version: number of the version that is rated, or that stands on the left side.
        other: number of the version on the right side; -1 where there is none.
        expected: value of the scale that a check asks for; 0 elsewhere.
    """

    id: str
    kind: str
    text: int = -1
    version: int = -1
    other: int = -1
    expected: int = 0


@dataclass(frozen=True, slots=True)
class Questionnaire:
    """What a participant is given.

    Attributes:
        participant: their name in the study, such as p001.
        form: which texts have which version.
        items: the pages that are answered, in order.
    """

    participant: str
    form: int
    items: tuple[Item, ...]


@dataclass(frozen=True)
class Study:
    """A study.

    Attributes:
        id: a digest of everything that participants see.
        lang: language of the texts.
        versions: names of the versions, the original first.
        texts: the drawn texts in the order of the questionnaire.
        design: its shape.
        wording: its words.
        questionnaires: one for every participant, in the order in which they are handed out.
        signature: what it was made with.
    """

    id: str
    lang: str
    versions: tuple[str, ...]
    texts: tuple[StudyText, ...]
    design: Design
    wording: Wording
    questionnaires: tuple[Questionnaire, ...]
    signature: str

    def shown(self, text: int, version: int) -> str:
        """Return a text in a version."""
        return self.texts[text].versions[self.versions[version]]

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {"format": FORMAT, "warning": "This is the key: participants must not see it.", **asdict(self)} | {
            "wording": self.wording.to_dict()
        }


def make_study(
    texts: Sequence[StudyText],
    *,
    participants: int,
    design: Design,
    wording: Wording,
    lang: str,
    seed: int,
) -> Study:
    """Return a study of drawn texts; the same arguments give the same study.

    Args:
        texts: ``design.texts`` of them, each in the same ``design.versions`` versions.
        participants: how many questionnaires; a multiple of the versions keeps the forms equally often.
        design: the shape.
        wording: the words of the page.
        lang: language of the texts.
        seed: of the assignment and of what checks ask for.
    """
    generator = np.random.default_rng([seed, 1])
    sheets = assign(design, participants, generator)
    versions = tuple(texts[0].versions)
    seen: dict[str, Any] = {
        "texts": [asdict(text) for text in texts],
        "wording": wording.to_dict(),
        "design": asdict(design),
    }
    seen |= {"participants": participants, "seed": seed, "lang": lang}
    identity = hashlib.sha256(json.dumps(seen, sort_keys=True).encode()).hexdigest()[:12]
    made = [
        Questionnaire(name, sheet.form, tuple(_items(sheet, design, wording, f"{identity}/{name}", generator)))
        for name, sheet in zip(_names(participants), sheets, strict=True)
    ]
    return Study(
        identity,
        lang,
        versions,
        tuple(texts),
        design,
        wording,
        tuple(made),
        signature(
            "human-study",
            design=f"{design.texts}x{design.versions}",
            order=design.order,
            comparisons=design.preferences,
            checks=design.checks,
            participants=participants,
            seed=seed,
        ),
    )


def save_key(study: Study, folder: Path) -> None:
    """Write the key of a study.

    Raises:
        OutputError: the folder holds a study already, whose answers would lose their key.
    """
    path = folder / KEY_FILE
    if path.exists():
        raise OutputError(f"{path} is the key of another study, whose answers need it; choose another folder with -o")
    write_json(path, study.to_dict())


def load_study(folder: Path) -> Study:
    """Read a study that :func:`save_key` wrote.

    Args:
        folder: of the study, or its file.

    Raises:
        InputError: there is none, or the file was changed so that it is none any more.
    """
    path = folder / KEY_FILE if folder.is_dir() else folder
    record = read_json(path)
    if not isinstance(record, dict) or record.get("format") != FORMAT:
        raise InputError(f"{path}: not the key of a study ({FORMAT}); name the folder that `eval human make` wrote")
    try:
        return _study_from(record, str(path))
    except (KeyError, TypeError) as error:
        raise InputError(f"{path}: not a complete key ({type(error).__name__}: {error}); was it edited?") from None


def _study_from(record: Mapping[str, Any], where: str) -> Study:
    return Study(
        record["id"],
        record["lang"],
        tuple(record["versions"]),
        tuple(StudyText(**text) for text in record["texts"]),
        Design(**record["design"]),
        wording_from(record["wording"], where=where),
        tuple(
            Questionnaire(entry["participant"], entry["form"], tuple(Item(**item) for item in entry["items"]))
            for entry in record["questionnaires"]
        ),
        record["signature"],
    )


def _names(participants: int) -> list[str]:
    digits = max(3, len(str(participants)))
    return [f"p{number:0{digits}}" for number in range(1, participants + 1)]


def _items(sheet: Sheet, design: Design, wording: Wording, name: str, generator: np.random.Generator) -> list[Item]:
    """Return the items of a sheet in order, checks between the texts."""
    checks = check_places(design)
    values = [value for value in range(1, len(wording.scale) + 1) if 2 * value != len(wording.scale) + 1]
    found: list[Item] = []
    for place, (text, version) in enumerate(zip(sheet.texts, sheet.versions, strict=True)):
        for _ in range(checks.count(place)):
            found.append(Item(_opaque(name, len(found)), CHECK, expected=int(generator.choice(values))))
        found.append(Item(_opaque(name, len(found)), RATING, text, version))
    for shown in sheet.comparisons:
        found.append(Item(_opaque(name, len(found)), PREFERENCE, shown.text, shown.left, shown.right))
    return found


def _opaque(name: str, place: int) -> str:
    return "i" + hashlib.sha256(f"{name}/{place}".encode()).hexdigest()[:8]
