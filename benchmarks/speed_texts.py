"""Texts for measuring speed: sentences of plain text, one a line, of which a given share holds candidates."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from rewriter.errors import InputError
from rewriter.io.files import open_bytes
from rewriter.language.interface import Language, get_language

SEED = 20
#: sentences taken from one place of a file before the next place is tried
RUN = 200


def default_folder(lang: str = "en") -> Path:
    """Return ``<lang>/train`` of the folder that the environment names.

    Raises:
        InputError: it names none.
    """
    root = os.environ.get("GENDER_FAIR_DATA")
    if not root:
        raise InputError("pass --text DIR (a folder of .txt, .gz or .zst files) or set GENDER_FAIR_DATA")
    return Path(root) / lang / "train"


@dataclass
class Sentences:
    """Sentences that the gate lets through, and others, in random order."""

    gated: list[str]
    free: list[str]

    def lines(self, count: int, share: float, *, numbered: bool = False) -> list[str]:
        """Return ``count`` lines of which ``share`` are gated, in random order; used again when there are too few.

        Args:
            count: number of lines.
            share: share of gated lines, 0 to 1.
            numbered: put the line's number into every gated sentence, so that none comes twice.
        """
        rng = random.Random(SEED)
        wanted = round(count * share)
        picks = [(True, i) for i in range(wanted)] + [(False, i) for i in range(count - wanted)]
        rng.shuffle(picks)
        return [self._line(is_gated, i, numbered) for is_gated, i in picks]

    def _line(self, is_gated: bool, number: int, numbered: bool) -> str:
        pool = self.gated if is_gated else self.free
        line = pool[number % len(pool)]
        return f"{line[:-1]} {number}{line[-1]}" if numbered and is_gated else line


def read_sentences(folder: Path, language: Language | None = None, *, most: int = 1_000_000) -> Sentences:
    """Read up to ``most`` sentences, from all files of a folder alike.

    Raises:
        InputError: the folder holds no text.
    """
    language = language or get_language("en")
    readers = [_sentences(path, language) for path in sorted(folder.iterdir()) if path.is_file()]
    found = Sentences([], [])
    count = 0
    while readers and count < most:
        for reader in list(readers):
            taken = 0
            for sentence in reader:
                (found.gated if language.gate(sentence) else found.free).append(sentence)
                taken += 1
                if taken == RUN:
                    break
            count += taken
            if taken < RUN:
                readers.remove(reader)
    if not found.gated or not found.free:
        raise InputError(f"{folder}: holds too little text")
    rng = random.Random(SEED)
    rng.shuffle(found.gated)
    rng.shuffle(found.free)
    return found


def _sentences(path: Path, language: Language) -> Iterator[str]:
    with open_bytes(path) as stream:
        for raw in stream:
            line = raw.decode("utf-8", "replace")
            for start, end in language.segment(line):
                yield " ".join(line[start:end].split())


def words_of(lines: list[str]) -> int:
    """Return the number of words (between white space)."""
    return sum(len(line.split()) for line in lines)
