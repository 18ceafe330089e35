"""Make ``lexicons/en/her_words.tsv``: words before which *her* has one reading, whatever goes before.

*her* is spelt alike as an object and as a possessive, but *me, us, him, them* are objects and *my, our, your, his,
their* are possessives for certain. So ordinary text tells before which words hardly ever the one or the other stands:
*phone*, *sister*, *allies* follow possessives, *any*, *because*, *goodbye* follow objects.

Run by hand: ``python lexicons/make_her_words.py FOLDER`` (text files, plain or .zst).
"""

from __future__ import annotations

import io
import re
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import zstandard

HEADER = """\
# Words before which "her" has one reading: a possessive (possessive) or an object (object), whatever goes before.
# Source: counted by lexicons/make_her_words.py over the open English texts that the bundled model is trained on:
# my, our, your, his and their stood before the one kind, me, us, him and them before the other. Licence: facts.
word	reading
"""
WINDOW = 2**27
#: how often a reading was seen at least
LEAST = 30
#: of the other reading for each of these at most
MOST = 0.005
OBJECTS = frozenset("me us him them".split())
_PATTERN = re.compile(r"(?<![\w'’-])(me|us|him|them|my|our|your|his|their) ([a-z]+)(?![\w’/-]|'\w)")


def count(paths: Iterable[Path]) -> tuple[Counter[str], Counter[str]]:
    """Return how often each word stood behind an object, and how often behind a possessive.

    Args:
        paths: text files.
    """
    objects: Counter[str] = Counter()
    owners: Counter[str] = Counter()
    for path in paths:
        for line in _lines(path):
            for pronoun, word in _PATTERN.findall(line):
                (objects if pronoun in OBJECTS else owners)[word] += 1
    return objects, owners


def _lines(path: Path) -> Iterable[str]:
    with path.open("rb") as raw:
        packed = path.suffix == ".zst"
        stream = zstandard.ZstdDecompressor(max_window_size=WINDOW).stream_reader(raw) if packed else raw
        yield from io.TextIOWrapper(stream, encoding="utf-8", errors="replace")


def her_words(objects: Counter[str], owners: Counter[str]) -> dict[str, str]:
    """Return the reading of every word that has one."""
    found = {w: "object" for w, n in objects.items() if n >= LEAST and owners[w] <= MOST * n}
    return found | {w: "possessive" for w, n in owners.items() if n >= LEAST and objects[w] <= MOST * n}


def main() -> None:
    """Write the table."""
    table = sorted(her_words(*count(sorted(Path(sys.argv[1]).iterdir()))).items())
    rows = "".join(f"{word}\t{reading}\n" for word, reading in table)
    (Path(__file__).parent / "en" / "her_words.tsv").write_text(HEADER + rows, encoding="utf-8")


if __name__ == "__main__":
    main()
