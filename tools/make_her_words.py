"""Make ``lexicons/en/her_words.tsv``: words before which *her* has one reading, whatever goes before.

*her* is spelt alike as an object and as a possessive, but *me, us, him, them* are objects and *my, our, your, his,
their* are possessives for certain. So ordinary text tells before which words hardly ever the one or the other stands:
*phone*, *sister*, *allies* follow possessives, *any*, *because*, *goodbye* follow objects.

Run by hand: ``python -m tools.make_her_words FOLDER`` (text files, plain or .zst).
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from tools import LEXICONS
from tools.plain_lines import lines_of

HEADER = """\
# Words before which "her" has one reading: a possessive (possessive) or an object (object), whatever goes before.
# adjective: hardly ever the end of a phrase of its own, so that her is an object where none goes on: made her famous.
# Source: counted by tools/make_her_words.py over the open English texts that the bundled model is trained on:
# my, our, your, his and their stood before the one kind, me, us, him and them before the other. Licence: facts.
word	reading
"""
#: how often a reading was seen at least
LEAST = 30
#: of the other reading for each of these at most; compounds (her down time) make possessives of words behind objects
MOST = 0.005
MOST_POSSESSIVE = 0.0015
#: counted as adjectives, but a noun may be left out behind them
NO_ADJECTIVES = frozenset("access and first next human later more most failed running was public separate".split())
OBJECTS = frozenset("me us him them".split())
#: how often an adjective stood behind a possessive at least, and how often behind an object that ends there
LEAST_ADJECTIVE, LEAST_END = 60, 3
#: of the places behind a possessive, those where no noun follows at most
MOST_ALONE = 0.01
_PATTERN = re.compile(r"(?<![\w'’-])(me|us|him|them|my|our|your|his|their) ([a-z]+)(?![\w’/-]|'\w)( ?[.!?;:])?")


def count(paths: Iterable[Path]) -> tuple[Counter[str], Counter[str], Counter[str], Counter[str]]:
    """Return how often each word stood behind an object, and behind a possessive, and of both those that end there.

    Args:
        paths: text files.
    """
    objects: Counter[str] = Counter()
    owners: Counter[str] = Counter()
    ends: tuple[Counter[str], Counter[str]] = Counter(), Counter()
    for path in paths:
        for line in lines_of(path):
            for pronoun, word, end in _PATTERN.findall(line):
                (objects if pronoun in OBJECTS else owners)[word] += 1
                ends[pronoun not in OBJECTS][word] += bool(end)
    return objects, owners, *ends


def her_words(
    objects: Counter[str], owners: Counter[str], object_ends: Counter[str], owner_ends: Counter[str]
) -> dict[str, str]:
    """Return the reading of every word that has one."""
    alone = {w for w, n in owners.items() if n >= LEAST_ADJECTIVE and owner_ends[w] <= MOST_ALONE * n}
    found = {w: "adjective" for w in alone - NO_ADJECTIVES if object_ends[w] >= LEAST_END}
    found |= {w: "object" for w, n in objects.items() if n >= LEAST and owners[w] <= MOST_POSSESSIVE * n}
    return found | {w: "possessive" for w, n in owners.items() if n >= LEAST and objects[w] <= MOST * n}


def main() -> None:
    """Write the table."""
    table = sorted(her_words(*count(sorted(Path(sys.argv[1]).iterdir()))).items())
    rows = "".join(f"{word}\t{reading}\n" for word, reading in table)
    (LEXICONS / "en" / "her_words.tsv").write_text(HEADER + rows, encoding="utf-8")


if __name__ == "__main__":
    main()
