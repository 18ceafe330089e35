"""The lines of a data folder by language, or a sample of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

from rewriter.errors import InputError
from rewriter.io.files import read_raw_lines

#: folder of sentence pairs, and in which column of its tables a language stands
PAIRS, COLUMNS = "de-en", {"de": 0, "en": 1}


class Line(NamedTuple):
    """A line of a file, with its line end: name of the file in the data folder, number from 1, bytes."""

    file: str
    number: int
    data: bytes


@dataclass(frozen=True)
class Sample:
    """Which lines of a data folder are looked at.

    Attributes:
        folder: of the data; ``en``, ``de`` and ``de-en`` in it are read.
        lines: about how many of each language; None takes all.
        seed: of the choice, which depends on line, number and seed alone.
    """

    folder: Path
    lines: int | None
    seed: int = 1

    def files(self, lang: str) -> list[Path]:
        """Return the files with text of a language.

        Raises:
            InputError: there is none.
        """
        found = sorted(self.folder.glob(f"{lang}/**/*.txt*")) + sorted(self.folder.glob(f"{PAIRS}/**/*.tsv.*"))
        if not found:
            raise InputError(f"{self.folder}: holds no text in {lang}/ or {PAIRS}/; set GENDER_FAIR_DATA")
        return found

    def chosen(self, lang: str) -> Iterable[Line]:
        """Return the chosen lines of a language; a sample is held in memory, all lines are read anew every time."""
        return self._all(lang) if self.lines is None else _drawn(self, lang)

    def count(self, lang: str) -> int:
        """Return how many lines of a language are chosen."""
        return _count_lines(self, lang) if self.lines is None else len(_drawn(self, lang))

    def _all(self, lang: str) -> Iterator[Line]:
        return (line for path in self.files(lang) for line in self._lines(path, lang))

    def draw(self, lang: str) -> list[Line]:
        """Return the lines of the sample."""
        rate = (self.lines or 0) / max(1, _count_lines(self, lang))
        return [line for line in self._all(lang) if self._fraction(line) < rate]

    def _lines(self, path: Path, lang: str) -> Iterator[Line]:
        name = path.relative_to(self.folder).as_posix()
        is_table = name.startswith(f"{PAIRS}/")
        for number, data in enumerate(read_raw_lines(path), 1):
            if is_table:
                cells = data.rstrip(b"\r\n").split(b"\t")
                data = cells[COLUMNS[lang]] if len(cells) > COLUMNS[lang] else b""
            yield Line(name, number, data if data.endswith(b"\n") else data + b"\n")

    def _fraction(self, line: Line) -> float:
        key = line.number.to_bytes(8, "little") + self.seed.to_bytes(8, "little", signed=True)
        return int.from_bytes(blake2b(line.data, digest_size=8, key=key).digest(), "little") / 2**64


@cache
def _drawn(sample: Sample, lang: str) -> list[Line]:
    return sample.draw(lang)


@cache
def _count_lines(sample: Sample, lang: str) -> int:
    return sum(1 for path in sample.files(lang) for _ in read_raw_lines(path))
