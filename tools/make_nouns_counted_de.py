"""Make lexicons/de/nouns_counted.tsv: words with a capital that stand like nouns in open German text, not like names.

    python tools/make_nouns_counted_de.py > lexicons/de/nouns_counted.tsv

Needs GENDER_FAIR_DATA. Counted are words that no other table of nouns knows and that no list of names holds: how often
one stands inside a line at all, and how often behind a determiner, a preposition that holds an article, or a word with
the ending of an adjective. Lines that a reading set, gold or the decisions about names hold are left out.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from itertools import pairwise
from pathlib import Path

from lexicons.loader import read_table
from rewriter.de.names import may_be_surname
from rewriter.de.phrase_words import SAYING
from tools.make_names_counted_de import texts

_TOKEN = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*\.?|[^\w\s]")
_NOUN = re.compile(r"[A-ZÄÖÜ][a-zäöüß]{3,}")
_DETERMINERS = frozenset(
    "der die das den dem des ein eine einen einem einer eines im am zum zur beim vom ins ans kein keine keinen".split()
)
_ADJECTIVE = re.compile(r"[a-zäöüß]{3,}(?:e|en|em|er|es)")
#: words with such an ending that are none
_OTHERS = SAYING | frozenset(
    """
    oder aber über unter wieder immer hinter neben zwischen gegen wegen wurde wurden werden wäre waren wären haben hatte
    hatten hätte sagte sagten meinte fragte rief heute gestern ohne habe könne konnte könnten sollte sollten müsse
    musste wollte wollten durfte antwortete erklärte machte kommen sehen gehen geben nachdem indem außerdem
    """.split()
)
#: times that a word was seen at least, and the smallest share of its places
_SEEN, _SHARE = 8, 0.3

HEADER = """\
# Words with a capital that stand like nouns in open German text and that no other table knows: plurals, genitives, rare
# nouns. Hints by which a named person is told from a noun.
# Source: counted by the maintainers in open German text by tools/make_nouns_counted_de.py; facts.
# Licence: Apache-2.0, as this toolkit."""


class Counts:
    """Counts where words with a capital stand."""

    def __init__(self) -> None:
        self.seen: Counter[str] = Counter()
        self.like_nouns: Counter[str] = Counter()

    def add(self, line: str) -> None:
        """Count the words of a line, but for its first."""
        for before, word in pairwise(_TOKEN.findall(line)):
            if _NOUN.fullmatch(word):
                self.seen[word] += 1
                self.like_nouns[word] += self._stands_like_noun(before)

    @staticmethod
    def _stands_like_noun(before: str) -> bool:
        return before in _DETERMINERS or (_ADJECTIVE.fullmatch(before) is not None and before not in _OTHERS)

    def nouns(self) -> list[str]:
        """Return the nouns that no other table knows."""
        names = {row["name"] for table in ("person_names", "names_counted") for row in read_table("de", table)}
        found = (word for word, count in self.seen.items() if count >= _SEEN and word not in names)
        return sorted(w for w in found if self.like_nouns[w] >= _SHARE * self.seen[w] and may_be_surname(w))


def main() -> None:
    """Print the table."""
    counts = Counts()
    for _, line in texts(Path(os.environ["GENDER_FAIR_DATA"])):
        counts.add(line)
    print(HEADER)
    print("noun")
    print(*counts.nouns(), sep="\n")


if __name__ == "__main__":
    main()
