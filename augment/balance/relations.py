"""How often is a person really meant? Methods of counting against labels by hand (Becker 2022, 4.2.1 and table 7).

A relation is an identifier (*she*) and a neutral word (*nurse*) in one sentence. :func:`draw_relations` draws some of
each term and category for labelling: ``y`` (the identifier speaks of who has the profession), ``n`` (of someone
else), ``-`` (either will do: left out). :func:`judge_relations` asks each method; :class:`Confusion` has its figures.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from augment.balance.forms import Forms
from augment.balance.judge import BySimilarity, PathFinder
from augment.balance.metadata import Metadata
from eval.tables import Table
from rewriter.errors import InputError, UsageError
from rewriter.io.files import atomic_write, read_lines

COLUMNS = ("term", "category", "start", "end", "neutral_start", "neutral_end", "label", "sentence")
LABELS = ("", "y", "n", "-")
WORD_EXISTING, DEPENDENCY = "word-existing", "dependency"


@dataclass(frozen=True, slots=True)
class Relation:
    """An identifier and a neutral word of a sentence.

    Attributes:
        sentence: the text.
        term: name of the term.
        category: name of the category.
        identifier: where it stands.
        neutral: where the neutral word stands.
        label: ``y``, ``n``, ``-``, or empty: not looked at.
    """

    sentence: str
    term: str
    category: str
    identifier: tuple[int, int]
    neutral: tuple[int, int]
    label: str = ""


@dataclass(frozen=True, slots=True)
class Confusion:
    """What a method says against the labels.

    Attributes:
        hits: related, and counted.
        false_alarms: not related, and counted.
        misses: related, and not counted.
        rejections: not related, and not counted.
    """

    hits: int = 0
    false_alarms: int = 0
    misses: int = 0
    rejections: int = 0

    @property
    def precision(self) -> float:
        """Share of what is counted that is related; nan where nothing is counted."""
        return _share(self.hits, self.hits + self.false_alarms)

    @property
    def recall(self) -> float:
        """Share of what is related that is counted."""
        return _share(self.hits, self.hits + self.misses)

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall."""
        return _share(2 * self.hits, 2 * self.hits + self.false_alarms + self.misses)

    @property
    def accuracy(self) -> float:
        """Share of the relations that are told right."""
        right = self.hits + self.rejections
        return _share(right, right + self.false_alarms + self.misses)

    @classmethod
    def of(cls, labels: Sequence[str], counted: Sequence[bool]) -> Confusion:
        """Compare labels with what a method counts; those that are neither ``y`` nor ``n`` are left out."""
        pairs = [(label == "y", said) for label, said in zip(labels, counted, strict=True) if label in ("y", "n")]
        return cls(
            pairs.count((True, True)),
            pairs.count((False, True)),
            pairs.count((True, False)),
            pairs.count((False, False)),
        )


def _share(part: int, whole: int) -> float:
    return part / whole if whole else float("nan")


def find_relations(sentences: Iterable[str], forms: Forms, metadata: Metadata) -> Iterator[Relation]:
    """Yield every identifier with every neutral word of its sentence."""
    for sentence in sentences:
        found = forms.find(sentence)
        neutral = [(one, slot.term) for one in found for slot in one.slots if slot.term >= 0 and slot.category < 0]
        for one in found:
            for slot in one.slots:
                if slot.term >= 0:
                    continue
                for place, term in neutral:
                    names = metadata.terms[term].name, metadata.categories[slot.category]
                    yield Relation(sentence, *names, (one.start, one.end), (place.start, place.end))


def draw_relations(relations: Iterable[Relation], each: int, seed: int) -> list[Relation]:
    """Return so many relations of each term and category, drawn by lot; all of those of which there are no more."""
    groups: dict[tuple[str, str], list[Relation]] = {}
    for relation in relations:
        groups.setdefault((relation.term, relation.category), []).append(relation)
    drawn = []
    for number, key in enumerate(sorted(groups)):
        order = np.random.default_rng([seed, number]).permutation(len(groups[key]))[:each]
        drawn += [groups[key][n] for n in sorted(order.tolist())]
    return drawn


def write_relations(path: str | Path, relations: Iterable[Relation]) -> None:
    """Write relations as a table for labelling (column ``label``)."""
    rows = ["\t".join(COLUMNS)]
    for one in relations:
        spans = map(str, (*one.identifier, *one.neutral))
        rows.append("\t".join([one.term, one.category, *spans, one.label, one.sentence.replace("\t", " ")]))
    with atomic_write(Path(path)) as stream:
        stream.write(("\n".join(rows) + "\n").encode("utf-8"))


def read_relations(path: str | Path) -> list[Relation]:
    """Read what :func:`write_relations` wrote.

    Raises:
        InputError: a row is malformed; file and line are named.
    """
    lines = list(read_lines(path))
    if not lines or tuple(lines[0].split("\t")) != COLUMNS:
        raise InputError(f"{path}:1: the columns are {' '.join(COLUMNS)}; make the table with 'balance draw'")
    return [_row(path, number, line) for number, line in enumerate(lines[1:], 2)]


def _row(path: str | Path, number: int, line: str) -> Relation:
    cells = line.split("\t")
    numbers = cells[2:6]
    if len(cells) != len(COLUMNS) or not all(cell.isdigit() for cell in numbers):
        raise InputError(f"{path}:{number}: {len(COLUMNS)} cells expected, four of them numbers, not {len(cells)}")
    if cells[6] not in LABELS:
        raise InputError(f"{path}:{number}: the label is y, n, - or empty, not '{cells[6]}'")
    start, end, first, last = map(int, numbers)
    return Relation(cells[7], cells[0], cells[1], (start, end), (first, last), cells[6])


def judge_relations(
    relations: Sequence[Relation],
    metadata: Metadata,
    *,
    finder: PathFinder | None = None,
    similar: Mapping[float, BySimilarity] | None = None,
) -> dict[str, list[bool]]:
    """Return by method, for each relation, whether the method counts it.

    Args:
        relations: with or without labels.
        metadata: the allowed paths.
        finder: finds paths, for the method ``dependency``.
        similar: threshold to the method ``similarity``.
    """
    found = {WORD_EXISTING: [True] * len(relations)}
    for threshold, judge in (similar or {}).items():
        found[f"similarity {threshold:g}"] = [
            judge.related(one.sentence, one.identifier, one.neutral) for one in relations
        ]
    if finder is not None:
        paths = finder.find(one.sentence for one in relations)
        found[DEPENDENCY] = [
            any(p.path in metadata.allowed and (p.identifier, p.neutral) == (one.identifier, one.neutral) for p in some)
            for one, some in zip(relations, paths, strict=True)
        ]
    return found


def method_table(relations: Sequence[Relation], judged: Mapping[str, Sequence[bool]]) -> Table:
    """Return precision, recall, F1 and accuracy by method (table 7).

    Raises:
        UsageError: no relation is labelled.
    """
    labels = [one.label for one in relations]
    if not {"y", "n"} & set(labels):
        raise UsageError("no relation is labelled y or n; fill the column 'label'")
    rows = []
    for name, counted in judged.items():
        one = Confusion.of(labels, counted)
        figures = (one.precision, one.recall, one.f1, one.accuracy)
        rows.append([name, str(one.hits + one.false_alarms), *(f"{figure:.3f}" for figure in figures)])
    return Table(["method", "counted", "precision", "recall", "F1", "accuracy"], rows)


def term_table(relations: Sequence[Relation], counted: Sequence[bool]) -> Table:
    """Return for each term and category how much of what a method counts is meant."""
    groups: dict[tuple[str, str], list[int]] = {}
    for number, one in enumerate(relations):
        groups.setdefault((one.term, one.category), []).append(number)
    rows = []
    for (term, category), numbers in sorted(groups.items()):
        found = Confusion.of([relations[n].label for n in numbers], [counted[n] for n in numbers])
        known = found.hits + found.false_alarms
        rows.append([term, category, str(found.hits), str(known), f"{found.precision:.2f}" if known else "-"])
    return Table(["term", "category", "meant", "counted and labelled", "precision"], rows, text_columns=2)
