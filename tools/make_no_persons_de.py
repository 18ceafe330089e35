"""Make ``lexicons/de/no_persons.tsv``: words that look like persons, and that a network never took for one.

Run by hand: ``python -m tools.make_no_persons_de MODEL FOLDER`` (an edit model for German with ``reader: model``; text
files, plain or .zst). Nothing but their form makes these words candidates (*Aufmerksamkeit, Besonders, Inhalte*); the
table saves the time of analysing and reading them again.
"""

from __future__ import annotations

import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Set
from itertools import islice
from pathlib import Path

from lexicons.loader import read_table
from rewriter.de.lexicon import GermanLexicon
from rewriter.de.unknown_words import nominalised_form
from rewriter.model.edit_model import EditModel, Reading, load_edit_model
from rewriter.model.proposer import single_sentence
from tools import LEXICONS
from tools.plain_lines import lines_of

HEADER = """\
# German words (lower case) that look like persons by their form alone and are none: a network that reads saw each of
# them at least {least} times and never took it for a person with a probability above {most}.
# Source: tools/make_no_persons_de.py over the German training texts. Licence: facts.
word
"""
#: a word that was seen less often may still be a person elsewhere
LEAST = 4
#: highest probability of a person in any of the places
MOST = 0.1
#: share of the places in which a word is written small, above which it is an adjective that may stand for a person
SMALL = 0.1
#: lines taken from each file, and sentences read at a time
LINES, PART = 12_000, 2_000
#: genres that are only measured on
MEASURED = re.compile(r"handbook|tweets")
_WORD = re.compile(r"[^\W\d_]+")
_CAPITALISED = re.compile(r"(?<![\w-])[A-ZÄÖÜ][a-zäöüß]{2,}(?![\w-])")


def sentences(paths: Iterable[Path], model: EditModel, lexicon: GermanLexicon) -> Iterator[str]:
    """Yield the sentences that hold a word whose form alone makes it a candidate."""
    for path in paths:
        for line in islice(lines_of(path), LINES):
            for start, end in model.language.segment(line):
                sentence = line[start:end]
                if any(lexicon.knows_by_form_alone(word) for word in set(_CAPITALISED.findall(sentence))):
                    yield sentence


def persons_share(text: str, reading: Reading) -> Iterator[tuple[str, float]]:
    """Yield each candidate that the network decided, and its probability of changing."""
    for index, shares in reading.shares.items():
        candidate = reading.analysis.candidates[index]
        word = text[candidate.start : candidate.end]
        stays = sum(part for part, (_, after) in zip(shares, candidate.options, strict=True) if after == word)
        yield word, 1 - stays


def small_shares(paths: Iterable[Path], words: Set[str]) -> dict[str, float]:
    """Return of each word that occurs the share of its places in which it is written small."""
    small, places = Counter[str](), Counter[str]()
    for path in paths:
        for line in islice(lines_of(path), LINES):
            for word in _WORD.findall(line):
                lower = word.lower()
                if lower in words:
                    places[lower] += 1
                    small[lower] += word == lower
    return {word: small[word] / places[word] for word in places}


def main() -> None:
    """Write the table."""
    model, lexicon = load_edit_model(sys.argv[1]), GermanLexicon(open_ended=True)
    paths = [path for path in sorted(Path(sys.argv[2]).glob("general-*")) if not MEASURED.search(path.name)]
    found, seen = sentences(paths, model, lexicon), defaultdict[str, list[float]](list)
    while part := list(islice(found, PART)):
        readings = model.read([single_sentence(text, "", model.language) for text in part])
        for text, reading in zip(part, readings, strict=True):
            for word, share in persons_share(text, reading):
                if lexicon.knows_by_form_alone(word):
                    seen[word.lower()].append(share)
        print(f"{sum(map(len, seen.values()))} places of {len(seen)} words", file=sys.stderr)
    before = {row["word"] for row in read_table("de", "no_persons")}
    never = before | {word for word, shares in seen.items() if len(shares) >= LEAST and max(shares) <= MOST}
    small = small_shares(paths, never)
    words = sorted(word for word in never if small[word] <= SMALL or nominalised_form(word, ()) is None)
    header = HEADER.format(least=LEAST, most=MOST)
    (LEXICONS / "de" / "no_persons.tsv").write_text(header + "\n".join(words) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
