"""Make ``lexicons/en/states.tsv``: words behind *'s* that tell *is* from *has* where no object follows.

*She's impressed, she's stuck* (is), *she's arrived, she's waited for an hour* (has): *'s* is spelt alike, but *is, are,
am, 'm, 're* and *has, have, 've* are not. So ordinary text tells which of them a word has before a pause or a
preposition. Kept are words that have one of them nearly always.

Run by hand: ``python -m tools.make_states FOLDER`` (text files, plain or .zst).
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
# Words behind 's that leave one reading before a pause, a preposition or a conjunction: is (she's impressed.) or
# has (she's arrived.).
# Source: counted by tools/make_states.py over the open English texts that the bundled model is trained on.
# Licence: facts.
word	reading
"""
#: how often a word was seen at least, adjectives more often, and its share of one reading
LEAST, LEAST_ADJECTIVE, SHARE = 12, 20, 0.975
LEAST_HAS, SHARE_HAS = 8, 0.95
#: words that no object begins with; rewriter/en/clitics.py has them, too
BEHIND = (
    "in at on by with for from to about of as than because when and but or if while after before since until over "
    "under into onto through again now today yet already here there too so out up down off away back together well"
)
#: participles that do not end in -ed; other words behind "has" are nouns
IRREGULAR = frozenset(
    """arisen begun burst crept dreamt lain shone slept sprung stood striven trod undergone wept quit sat come gone
    spoken slid""".split()
)
_NO_STATE = frozenset("because where whether why yes not been".split())
_PATTERN = re.compile(
    r"(?:\b(?:[Ii]s|[Aa]re|am|has|have|isn['’]t|aren['’]t|hasn['’]t|haven['’]t)|['’](?:m|re|ve))"
    r"(?: (?:not|never|always|also|just|only|ever|still|so|very|already|now|too|quite|really))? ([a-z]+)\b"
    rf"(?=[.,;:!?)”\"]| (?:{BEHIND.replace(' ', '|')})\b|$)"
)


def count(lines: Iterable[str]) -> tuple[Counter[str], Counter[str]]:
    """Return how often each word stood behind forms of *be*, and how often behind those of *have*.

    Args:
        lines: text.
    """
    be: Counter[str] = Counter()
    have: Counter[str] = Counter()
    for line in lines:
        for match in _PATTERN.finditer(line):
            verb = match.group().split(" ", 1)[0]
            (have if verb.startswith("ha") or verb.endswith("ve") else be)[match[1]] += 1
    return be, have


def reading_of(word: str, be: int, have: int) -> str | None:
    """Return ``is``, ``has`` or None for a word by how often it was seen behind *be* and *have*."""
    total = be + have
    is_participle = word.endswith("ed")
    if word in _NO_STATE or len(word) < 3 or (word.endswith("ly") and len(word) > 5):
        return None
    if be >= SHARE * total and total >= (LEAST if is_participle else LEAST_ADJECTIVE):
        return "is"
    is_perfect = have >= SHARE_HAS * total and total >= LEAST_HAS
    return "has" if is_perfect and (is_participle or word in IRREGULAR) else None


def main() -> None:
    """Write the table."""
    be, have = count(line for path in sorted(Path(sys.argv[1]).iterdir()) for line in lines_of(path))
    readings = ((word, reading_of(word, be[word], have[word])) for word in sorted(be.keys() | have.keys()))
    text = "".join(f"{word}\t{reading}\n" for word, reading in readings if reading)
    (LEXICONS / "en" / "states.tsv").write_text(HEADER + text, encoding="utf-8")


if __name__ == "__main__":
    main()
