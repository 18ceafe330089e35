"""Make lexicons/de/names_counted.tsv: words that stand like names of persons in open German text.

    python tools/make_names_counted_de.py > lexicons/de/names_counted.tsv

Needs GENDER_FAIR_DATA. Counted are words with a capital that no table knows: how often one stands behind a title or a
given name or beside a verb of saying, how often behind a determiner or where a place stands. Lines that a reading set,
gold or the decisions about names hold are left out.
"""

from __future__ import annotations

import json
import os
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from lexicons.loader import read_table
from rewriter.de.given_names import first_names
from rewriter.de.phrase_words import SAYING
from rewriter.io.files import read_lines

ROOT = Path(__file__).parents[1]
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*\.?|[^\w\s]")
_NAME = re.compile(r"[A-ZÀ-ÖØ-ÞĀ-Ž][a-zß-öø-ÿā-ž]{2,}")
_TITLES = frozenset(
    """
    Herr Herrn Frau Fräulein Dr. Prof. Kollege Kollegen Kollegin Sir Lady Lord Graf Grafen Gräfin Baron Baronin
    Professor Kaiser König Königin Papst Bischof Präsident Minister Onkel Tante Vetter Pater Schwester Bruder Vater
    Mutter Meister Mr. Mrs. Abgeordneten
    """.split()
)
_TALKING = SAYING | frozenset(
    "sagt sprach rief flüsterte schrie dachte meint fragt versetzte entgegnete lachte nickte".split()
)
_DETERMINERS = frozenset("der die das den dem des ein eine einen einem einer eines im am zum zur beim vom ins".split())
_PLACES = frozenset("in aus".split())
#: times that a word stood like a name at least, and shares of its places
_SURE, _SHARE, _MOST_BEHIND, _MOST_PLACE = 2, 0.15, 0.2, 0.1

HEADER = """\
# Words that stand like names of persons in open German text: behind titles and given names, beside verbs of saying.
# count: how often, evidence: how often like that. Hints by which a named person is told from a noun.
# Source: counted by the maintainers in open German text by tools/make_names_counted_de.py; facts.
# Licence: Apache-2.0, as this toolkit."""


def held_lines() -> dict[str, set[int]]:
    """Return file -> numbers of lines that some record of decisions names."""
    found: dict[str, set[int]] = defaultdict(set)
    for path in sorted((ROOT / "recipes").rglob("*.jsonl")):
        for row in map(json.loads, path.read_text(encoding="utf-8").splitlines()):
            if "file" in row and "line" in row:
                found[row["file"]].add(row["line"])
    return found


def texts(data: Path) -> Iterator[tuple[str, str]]:
    """Yield (file, line) of the training texts."""
    held = held_lines()
    for path in sorted((data / "de" / "train").glob("general-*.txt.zst")):
        name = path.relative_to(data).as_posix()
        yield from ((name, line) for number, line in enumerate(read_lines(path), 1) if number not in held[name])


class Counts:
    """Counts where words with a capital stand."""

    def __init__(self) -> None:
        nouns = {row["noun"] for row in read_table("de", "genders")}
        small = {row["word"].lower() for name in ("stop_words", "function_words") for row in read_table("de", name)}
        self.english = {row["word"] for row in read_table("en", "common_words")}
        self.known, self.small, self.given = nouns, small, first_names()
        self.all: Counter[str] = Counter()
        self.like_names: Counter[str] = Counter()
        self.determined: Counter[str] = Counter()
        self.places: Counter[str] = Counter()

    def add(self, line: str) -> None:
        """Count the words of a line."""
        tokens = _WORD.findall(line)
        for index, (before, word) in enumerate(pairwise(["", *tokens])):
            if not _NAME.fullmatch(word) or word in self.known:
                continue
            after = tokens[index + 1] if index + 1 < len(tokens) else ""
            self.all[word] += 1
            is_named = before in _TITLES or before in self.given or before in _TALKING or after in _TALKING
            self.like_names[word] += is_named
            self.determined[word] += before.lower() in _DETERMINERS
            self.places[word] += before in _PLACES

    def names(self) -> Iterator[tuple[str, int, int]]:
        """Yield (name, count, evidence)."""
        for word, evidence in sorted(self.like_names.items()):
            count = self.all[word]
            if evidence < _SURE or evidence < _SHARE * count or word.lower() in self.small | self.english:
                continue
            if self.determined[word] <= _MOST_BEHIND * count and self.places[word] <= _MOST_PLACE * count:
                yield word, count, evidence


def main() -> None:
    """Print the table."""
    counts = Counts()
    for _, line in texts(Path(os.environ["GENDER_FAIR_DATA"])):
        counts.add(line)
    print(HEADER)
    print("name\tcount\tevidence")
    for name, count, evidence in counts.names():
        print(f"{name}\t{count}\t{evidence}")


if __name__ == "__main__":
    main()
