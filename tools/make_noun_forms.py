"""Make ``lexicons/en/noun_forms.tsv``: forms in -s that are nouns nearly always, although a verb is spelt alike.

*friends*, *eyes*, *minutes* stand in the table of verbs, too (*she eyes the cake*). A form is kept when text has hardly
ever *he, she, it, who* or *which* right before it, for each time that it has the form at all.

Run by hand: ``python -m tools.make_noun_forms FOLDER`` (text files, plain or .zst).
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
# Forms in -s of the table of verbs that are plural nouns nearly always, if no subject goes right before.
# Source: counted by tools/make_noun_forms.py over the open English texts that the bundled model is trained on.
# Licence: facts.
word
"""
#: how often a form was seen at least
LEAST = 300
#: of these behind a subject at most
MOST = 0.0007
_PATTERN = re.compile(
    r"(?:\b(he|she|it|who|which) (?:(?:also|often|never|then|always|usually|now|still|just) )?)?\b([a-z]+s)\b"
)


def count(paths: Iterable[Path], forms: frozenset[str]) -> tuple[Counter[str], Counter[str]]:
    """Return how often each form stood anywhere, and how often right behind a subject.

    Args:
        paths: text files.
        forms: the forms that are counted.
    """
    seen: Counter[str] = Counter()
    verbs: Counter[str] = Counter()
    for path in paths:
        for line in lines_of(path):
            for subject, word in _PATTERN.findall(line):
                if word in forms:
                    seen[word] += 1
                    verbs[word] += bool(subject)
    return seen, verbs


def main() -> None:
    """Write the table."""
    folder = LEXICONS / "en"
    rows = (folder / "verbs.tsv").read_text(encoding="utf-8").splitlines()
    forms = frozenset(row.split("\t")[0] for row in rows if not row.startswith("#"))
    seen, verbs = count(sorted(Path(sys.argv[1]).iterdir()), forms)
    words = sorted(word for word, times in seen.items() if times >= LEAST and verbs[word] <= MOST * times)
    (folder / "noun_forms.tsv").write_text(HEADER + "".join(f"{word}\n" for word in words), encoding="utf-8")


if __name__ == "__main__":
    main()
