"""Telling English texts from others: ``--lang auto`` and ``--lang-column``."""

from __future__ import annotations

import json
import pickle
from pathlib import Path

import pytest

from rewriter.cli.main import main
from rewriter.errors import UsageError
from rewriter.formats.base import Content
from rewriter.language.detect import LanguageSelector, is_language, likeliest_language, names_language

ENGLISH = """\
She left.
He likes high stakes.
Her name is Zoë.
his hat
SHE KNOWS IT.
The chairman said that he would be late for the meeting.
A doctor in Frankfurt am Main washes her hands before she sees the next patient.
"Guten Tag", she said when she came in, and we all laughed.
"""
OTHERS = """\
Han er her nu, og hun vet det.
Her er han.
Komm her!
Er kommt von der Arbeit her und hat seinen Hut vergessen.
Her şey çok güzel.
Her gün yeni bir şey öğreniyor ve bunu herkese anlatıyor.
Hij heeft haar boek en he is een drukker.
Elle est venue hier avec son frère, he.
El chairman de la empresa no está aquí hoy.
Hún er her.
他说 he 走了。
1234 / 5678
"""
GERMAN = """\
Ein Kunde kam.
Der Lehrer kennt seine Schüler.
Die Ärztin sagte, dass sie morgen kommt.
In Berlin war er Student, also ein armer Mann.
Er las gestern den alten Roman "Gone with the Wind" und fand ihn zu lang.
Sie ist hier.
"""


@pytest.mark.parametrize("text", ENGLISH.splitlines())
def test_english(text: str) -> None:
    assert is_language(text, "en")


@pytest.mark.parametrize("text", [*OTHERS.splitlines(), ""])
def test_not_english(text: str) -> None:
    assert not is_language(text, "en")


@pytest.mark.parametrize("text", GERMAN.splitlines())
def test_german(text: str) -> None:
    assert is_language(text, "de")
    assert not is_language(text, "en")


NEITHER = "Han er her nu, og hun vet det.\nHij heeft haar boek.\nEl chairman no está aquí hoy.\n1234\nMüller GmbH"


def test_the_likeliest_of_several_languages() -> None:
    assert {likeliest_language(text, ["en", "de"]) for text in ENGLISH.splitlines()} == {"en"}
    assert {likeliest_language(text, ["en", "de"]) for text in GERMAN.splitlines()} == {"de"}
    assert {likeliest_language(text, ["en", "de"]) for text in NEITHER.splitlines()} == {None}
    assert likeliest_language("Ein Kunde kam.", ["en"]) is None
    assert likeliest_language("Ein Kunde kam.", []) is None


@pytest.mark.parametrize(
    ("value", "answer"),
    [("en", True), ("EN_us", True), ("en-GB", True), ("eng", True), (" English ", True), ("de", False), ("enm", False),
     ("german", False)],
)  # fmt: skip
def test_values_of_a_language_column(value: str, answer: bool) -> None:
    assert names_language(value, "en") is answer


def test_a_column_wins_over_looking_and_what_it_leaves_open_is_looked_at() -> None:
    contents = [
        Content("She left.", "da"),
        Content("Han er her.", "en"),
        Content("She left."),
        Content("Komm her!", " "),
    ]
    assert LanguageSelector("en")(contents) == [False, True, False, False]
    selector = LanguageSelector("en", detect=True)
    assert selector(contents) == [False, True, True, False]
    assert pickle.loads(pickle.dumps(selector)) == selector
    assert selector.identity() == {"language": "en", "detect": True}


def test_a_language_without_a_table_is_told() -> None:
    with pytest.raises(UsageError, match="texts in 'xx' cannot be told from others"):
        LanguageSelector("xx", detect=True)


RECORDS = [
    {"text": "She left her bag here.", "lang": "en"},
    {"text": "Han er her nu, og hun vet det.", "lang": "da"},
    {"text": "He is late.", "lang": None},
]


@pytest.mark.parametrize(
    ("options", "changed"),
    [
        (["--lang", "auto"], [0, 2]),
        (["--lang-column", "lang"], [0]),
        (["--lang", "auto", "--lang-column", "lang"], [0, 2]),
    ],
)
def test_the_command_leaves_other_languages_alone(options: list[str], changed: list[int], tmp_path: Path) -> None:
    lines = [json.dumps(record) + "\n" for record in RECORDS]
    (tmp_path / "in.jsonl").write_text("".join(lines), encoding="utf-8")
    assert (
        main(["rewrite", str(tmp_path / "in.jsonl"), "-o", str(tmp_path / "out.jsonl"), "--threads", "1", *options])
        == 0
    )
    result = (tmp_path / "out.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    assert [i for i, (old, new) in enumerate(zip(lines, result, strict=True)) if old != new] == changed
