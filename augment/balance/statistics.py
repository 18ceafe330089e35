"""What was counted: for each paragraph that speaks of a term, the counts of the categories; sparse, in arrays."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from rewriter.errors import InputError

Ints = npt.NDArray[np.int64]


class Paragraph(NamedTuple):
    """A paragraph in which something was counted.

    Attributes:
        file: number of its file, from 0.
        record: number of its record there, from 1 (first line; row in Parquet).
        counts: term's number -> count of each category.
    """

    file: int
    record: int
    counts: Mapping[int, Sequence[int]]

    def to_line(self, terms: Sequence[str]) -> str:
        """Return the JSON line that :meth:`Statistics.from_lines` reads."""
        named = {terms[term]: list(counts) for term, counts in sorted(self.counts.items())}
        line = json.dumps({"file": self.file, "record": self.record, "counts": named}, ensure_ascii=False)
        return line.encode("utf-8", "backslashreplace").decode("utf-8")  # names of files that are not UTF-8


@dataclass(frozen=True)
class Statistics:
    """The counts of a corpus.

    Attributes:
        categories: their names.
        terms: their names.
        places: for each paragraph that holds a count, its file and record.
        starts: where the rows of a paragraph begin; one more than there are paragraphs.
        term: for each row the term's number.
        counts: for each row the counts of the categories.
    """

    categories: tuple[str, ...]
    terms: tuple[str, ...]
    places: Ints
    starts: Ints
    term: Ints
    counts: Ints

    def __len__(self) -> int:
        """Return how many paragraphs hold a count."""
        return len(self.places)

    @classmethod
    def of(cls, categories: Sequence[str], terms: Sequence[str], paragraphs: Iterable[Paragraph]) -> Statistics:
        """Gather paragraphs; those without any count are left out."""
        places: list[tuple[int, int]] = []
        starts, term, counts = [0], [], []
        for paragraph in paragraphs:
            rows = [(number, row) for number, row in sorted(paragraph.counts.items()) if any(row)]
            if rows:
                places.append((paragraph.file, paragraph.record))
                term += [number for number, _ in rows]
                counts += [list(row) for _, row in rows]
                starts.append(len(term))
        width = len(categories)
        return cls(
            tuple(categories),
            tuple(terms),
            np.array(places, np.int64).reshape(-1, 2),
            np.array(starts, np.int64),
            np.array(term, np.int64),
            np.array(counts, np.int64).reshape(-1, width),
        )

    @classmethod
    def from_lines(
        cls, categories: Sequence[str], terms: Sequence[str], lines: Iterable[str], where: str
    ) -> Statistics:
        """Read what :meth:`Paragraph.to_line` wrote.

        Raises:
            InputError: a line is no such record; ``where`` and its number are named.
        """
        numbers = {name: number for number, name in enumerate(terms)}

        def read() -> Iterable[Paragraph]:
            for at, line in enumerate(lines, 1):
                try:
                    record = json.loads(line)
                    named = {numbers[name]: row for name, row in record["counts"].items()}
                    wrong = any(len(row) != len(categories) for row in named.values())
                    paragraph = Paragraph(int(record["file"]), int(record["record"]), named)
                except (ValueError, KeyError, TypeError, AttributeError):
                    wrong = True
                if wrong:
                    raise InputError(f"{where}:{at}: no line of counts; run 'gender-fair balance count' again")
                yield paragraph

        return cls.of(categories, terms, read())

    def rows(self, paragraph: int) -> list[tuple[int, list[int]]]:
        """Return (term, counts) of a paragraph by its place in :attr:`places`."""
        span = slice(int(self.starts[paragraph]), int(self.starts[paragraph + 1]))
        return list(zip(self.term[span].tolist(), self.counts[span].tolist(), strict=True))

    def totals(self, times: Ints | None = None) -> Ints:
        """Return the counts of every term over all paragraphs.

        Args:
            times: how often each paragraph stands in the corpus (default: once).
        """
        totals = np.zeros((len(self.terms), len(self.categories)), np.int64)
        weights = 1 if times is None else np.repeat(times, np.diff(self.starts))[:, None]
        np.add.at(totals, self.term, self.counts * weights)
        return totals
