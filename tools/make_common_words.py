"""Make ``lexicons/en/common_words.tsv``: English words by how often they stand in a folder of English text.

Run by hand: ``python -m tools.make_common_words FOLDER`` (text files, plain or .zst). What is counted are words that
begin in lower case, so names stay out; words of other languages that quotations bring in fall below the threshold.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from pathlib import Path

from tools import LEXICONS
from tools.plain_lines import lines_of

HEADER = """\
# The most frequent English words, lower case, most frequent first, without pronoun forms that are to be judged.
# Source: counted by tools/make_common_words.py over the open English texts that the bundled model is trained on
# (Wikipedia, Project Gutenberg, official works, transcripts). Licence: facts.
word
"""
SIZE = 12_000
PRONOUNS = frozenset("he she him her his hers himself herself".split())
_WORD = re.compile(r"(?<![\w'’@#/.-])[a-z]{1,24}(?![\w@/-]|['’.]\w)")


def count(paths: list[Path]) -> Counter[str]:
    """Return how many lines hold each word, in files of one paragraph per line."""
    counts: Counter[str] = Counter()
    for path in paths:
        for line in lines_of(path):
            counts.update(set(_WORD.findall(line)))
    return counts


def common_words(counts: Counter[str], foreign: frozenset[str]) -> list[str]:
    """Return the most frequent words that are neither to be judged nor of another language."""
    ordered = sorted(counts, key=lambda word: (-counts[word], word))
    return [word for word in ordered if word not in PRONOUNS | foreign and (len(word) > 1 or word in "ai")][:SIZE]


def main() -> None:
    """Write the table."""
    folder = LEXICONS / "en"
    rows = (line.split("\t") for line in (folder / "traps.tsv").read_text(encoding="utf-8").splitlines())
    foreign = frozenset(row[0] for row in rows if row[-1] == "foreign")
    words = common_words(count(sorted(Path(sys.argv[1]).iterdir())), foreign)
    (folder / "common_words.tsv").write_text(HEADER + "\n".join(words) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
