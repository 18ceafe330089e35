"""Makes a study: reads and draws texts, has systems write their versions, writes a page for every participant."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from eval.human.design import Design
from eval.human.page import questionnaire_page
from eval.human.study import Study, make_study, save_key
from eval.human.texts import REFERENCE, DrawnFrom, StudyText, TextSource, draw_texts, read_texts
from eval.human.wording import load_wording
from rewriter.errors import UsageError
from rewriter.io.files import atomic_write

__all__ = ["StudyOptions", "make"]

#: what writes a version of texts
Writer = Callable[[list[str]], list[str]]
PAGES = "questionnaires"


@dataclass(frozen=True)
class StudyOptions:
    """How a study is made.

    Attributes:
        source: the texts and where their versions stand.
        writers: name of a version -> what writes it from the original.
        participants: how many questionnaires.
        texts: how many texts a participant rates.
        preferences: how many of them they see in two versions afterwards.
        checks: attention checks.
        order: of the texts, :data:`eval.human.design.ORDERS`.
        lang: language of the texts and of the page.
        wording: file with words of one's own, or None.
        unchanged_too: draw texts in which the reference changes nothing, too.
        seed: of the draw and the assignment.
    """

    source: TextSource
    writers: Mapping[str, Writer] = field(default_factory=dict)
    participants: int = 30
    texts: int = 6
    preferences: int = 3
    checks: int = 2
    order: str = "fixed"
    lang: str = "en"
    wording: Path | None = None
    unchanged_too: bool = False
    seed: int = 1


@dataclass(frozen=True)
class Made:
    """A study that was written, and what is to be known about it.

    Attributes:
        study: the study.
        drawn_from: what the table held.
        pages: the questionnaires.
        notes: what whoever runs the study should look at.
    """

    study: Study
    drawn_from: DrawnFrom
    pages: tuple[Path, ...]
    notes: tuple[str, ...]


def make(options: StudyOptions, folder: Path) -> Made:
    """Make a study and write its key and pages into a folder.

    Raises:
        UsageError: the options do not fit each other, or there are fewer texts than asked for.
        InputError: a file cannot be read.
        OutputError: the folder holds a study already, or cannot be written.
    """
    found = read_texts(options.source, unchanged_too=options.unchanged_too)
    wording = load_wording(options.lang, options.wording)
    design = _design(options, found)
    drawn = draw_texts(found.texts, options.texts, np.random.default_rng([options.seed, 0]))
    study = make_study(
        _written(drawn, options.writers),
        participants=options.participants,
        design=design,
        wording=wording,
        lang=options.lang,
        seed=options.seed,
    )
    save_key(study, folder)
    pages = tuple(folder / PAGES / f"questionnaire-{q.participant}.html" for q in study.questionnaires)
    for path, questionnaire in zip(pages, study.questionnaires, strict=True):
        with atomic_write(path, durable=False) as stream:
            stream.write(questionnaire_page(study, questionnaire).encode("utf-8"))
    return Made(study, found, pages, tuple(_notes(study)))


def _design(options: StudyOptions, found: DrawnFrom) -> Design:
    """Return the design, so that options which do not fit are refused before a model is asked."""
    if not found.texts:
        raise UsageError(
            f"{options.source.table}: no text can be drawn: {found.incomplete} rows with an empty version, "
            f"{found.unchanged} in which the reference changes nothing (--unchanged-too draws those)"
        )
    twice = [name for name in options.writers if name in found.texts[0].versions]
    if twice:
        raise UsageError(f"two versions are called '{twice[0]}'; give each a name of its own (NAME=...)")
    versions = len(found.texts[0].versions) + len(options.writers)
    if versions < 2:
        raise UsageError("give versions to compare with the original: --model, --answers, --column or --reference")
    return Design(
        texts=options.texts,
        versions=versions,
        preferences=options.preferences,
        checks=options.checks,
        order=options.order,
    )


def _written(texts: Sequence[StudyText], writers: Mapping[str, Writer]) -> list[StudyText]:
    """Return the texts with the versions that systems write; the reference stays the last one."""
    written = {name: write([next(iter(text.versions.values())) for text in texts]) for name, write in writers.items()}
    found = []
    for number, text in enumerate(texts):
        versions = {name: shown for name, shown in text.versions.items() if name != REFERENCE}
        versions |= {name: shown[number] for name, shown in written.items()}
        if REFERENCE in text.versions:
            versions[REFERENCE] = text.versions[REFERENCE]
        found.append(replace(text, versions=versions))
    return found


def _notes(study: Study) -> list[str]:
    notes = []
    rows = len(study.versions)
    if len(study.questionnaires) % rows:
        notes.append(
            f"{len(study.questionnaires)} participants and {rows} forms: forms are equally often only for a multiple "
            f"of {rows}"
        )
    for text in study.texts:
        by_words: dict[str, list[str]] = {}
        for name, words in text.versions.items():
            by_words.setdefault(words, []).append(name)
        notes += [
            f"text {text.id}: {' and '.join(names)} are the same" for names in by_words.values() if len(names) > 1
        ]
    return notes
