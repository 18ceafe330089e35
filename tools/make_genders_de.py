"""Make ``lexicons/de/genders.tsv``: the gender of German nouns, counted in text.

Run by hand: ``python -m tools.make_genders_de FILE...`` with German text (plain or ``.zst``). Some determiners tell
a noun's gender (*einen* masculine, *eine, zur* feminine, *das* neuter, *viele* plural); the nouns that they settle show
how often each gender has each determiner, and with these shares all nouns are judged (naive Bayes). Kept are forms
whose gender is ten thousand times as likely as any other. Only counts are taken from the text.
"""

from __future__ import annotations

import io
import math
import re
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

from tools import LEXICONS

HEADER = """\
# Gender of German nouns by form: m, f, n, or p (a plural form). count: determiners seen before it.
# Source: counted by the maintainers in open German text (encyclopedia, protocols, laws, novels, programmes) by
# tools/make_genders_de.py; facts. Licence: Apache-2.0, as this toolkit.
noun\tgender\tcount
"""
_EVIDENCE = {
    "m": "einen keinen jeden",
    "f": "eine einer zur jede",
    "n": "das jedes ins",
    "p": "viele alle einige beide zwei drei mehrere allen vielen wenige",
}
_GENDER = {word: gender for gender, words in _EVIDENCE.items() for word in words.split()}
_OTHERS = (
    "der die den dem des ein einem eines im vom zum am beim dieser diese dieses diesen diesem kein keine seine seinen "
    "ihre ihren seiner ihrer sein ihr aller vieler jeder"
)
_FOUND = re.compile(
    rf"(?<![^\W_])({'|'.join([*_GENDER, *_OTHERS.split()])}) ([A-ZÄÖÜ][a-zäöüß]+(?:-[A-ZÄÖÜ][a-zäöüß]+)?)(?![^\W_])"
)
#: determiners of a noun, determiners of a seed that tell its gender, share of these for one gender
LEAST, LEAST_OF_SEED, SHARE_OF_SEED = 6, 10, 0.95
#: natural logarithm of how much likelier the gender must be
MARGIN = 9.2
MOST = 25_000


def lines(path: Path) -> Iterator[str]:
    """Yield the lines of a text file."""
    if path.suffix != ".zst":
        yield from path.open(encoding="utf-8")
        return
    with subprocess.Popen(["zstd", "-dc", "--long=27", str(path)], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        yield from io.TextIOWrapper(process.stdout, encoding="utf-8")


def count(paths: list[Path]) -> dict[str, Counter[str]]:
    """Return noun -> how often each word that tells its gender stood before it."""
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for path in paths:
        for line in lines(path):
            for word, noun in _FOUND.findall(line):
                found[noun][word] += 1
    return found


def seed_of(words: Counter[str]) -> str | None:
    """Return the gender that the telling determiners of a noun agree on."""
    votes: Counter[str] = Counter()
    for word, number in words.items():
        if word in _GENDER:
            votes[_GENDER[word]] += number
    if votes.total() < LEAST_OF_SEED:
        return None
    gender, number = votes.most_common(1)[0]
    return gender if number >= SHARE_OF_SEED * votes.total() else None


def shares(nouns: dict[str, Counter[str]]) -> dict[str, dict[str, float]]:
    """Return gender -> determiner -> logarithm of its share, from the nouns whose gender is told."""
    totals: dict[str, Counter[str]] = {gender: Counter() for gender in _EVIDENCE}
    for words in nouns.values():
        gender = seed_of(words)
        if gender is not None:
            size = words.total()  # every noun counts alike
            totals[gender].update({word: number / size for word, number in words.items()})
    vocabulary = [*_GENDER, *_OTHERS.split()]
    return {
        gender: {word: math.log((words[word] + 0.01) / (words.total() + 0.01 * len(vocabulary))) for word in vocabulary}
        for gender, words in totals.items()
    }


def gender_of(words: Counter[str], likely: dict[str, dict[str, float]]) -> str | None:
    """Return the likeliest gender of a noun, None where another is nearly as likely."""
    genitive = words["des"] + words["eines"] + words["dieses"]
    if words.total() < LEAST or genitive > 0.7 * words.total():  # des Fluges: masculine or neuter
        return None
    # a word that is counted often says no more than its shares
    weight = min(1.0, 40 / words.total())
    scores = {g: weight * sum(n * row[word] for word, n in words.items()) for g, row in likely.items()}
    best, second = sorted(scores.values(), reverse=True)[:2]
    return max(scores, key=lambda gender: scores[gender]) if best - second >= MARGIN else None


def main() -> None:
    """Write the table."""
    nouns = count([Path(name) for name in sys.argv[1:]])
    likely = shares(nouns)
    table = {noun: gender for noun, words in nouns.items() if (gender := gender_of(words, likely)) is not None}
    common = sorted(table, key=lambda noun: (-nouns[noun].total(), noun))[:MOST]
    rows = "".join(f"{noun}\t{table[noun]}\t{nouns[noun].total()}\n" for noun in sorted(common))
    (LEXICONS / "de" / "genders.tsv").write_text(HEADER + rows, encoding="utf-8")


if __name__ == "__main__":
    main()
