"""Make ``lexicons/de/persons_more.tsv``: German persons of the Wiktionary that the other tables do not give.

Run by hand: ``python -m tools.make_persons_wiktionary_de nouns.csv``, with the file of the Python package
``german-nouns``. A person is a masculine noun beside which the Wiktionary has a feminine in *-in* of the same stem
(*Tribun, Tribunin*; *Propst, Pröpstin*); declension and plural are those of its entry.
"""

from __future__ import annotations

import csv
import re
import sys
from collections.abc import Container, Iterator, Mapping
from pathlib import Path

from lexicons.loader import read_table
from rewriter.de.inflection import Person
from rewriter.de.lexicon import GermanLexicon
from tools import LEXICONS

HEADER = """\
# German person nouns of the Wiktionary that persons.tsv and the rules for compounds do not give; columns as there.
# Read only where a network tells which words mean persons: many are rare, and some mean animals or things as well.
# Source: facts (masculine, feminine, plural, genitive) from the German Wiktionary as in the Python package german-nouns
# 1.2.5 (github.com/gambolputty/german-nouns), CC BY-SA 4.0; pairs found by tools/make_persons_wiktionary_de.py.
# Licence: facts; the entries they were taken from: CC BY-SA 4.0, the authors of the Wiktionary.
masculine\tfeminine\tdeclension\tplural
"""
#: stay unchanged by the convention, are animals, or no pair at all
STAYS = frozenset(
    """
    Gott Wolf Löwe Hund Bär Affe Esel Hase Hirsch Fuchs Elefant Tiger Panther Gorilla Elch Luchs Puma Leopard Rabe
    Storch
    Wart Hahn Kater Hengst Eber Stier Spatz Star Greif Drache Rochen Marder Hamster Maulwurf Bock Welpe Schwan
    Cousin Enkel Onkel Schwager Gast Mensch Herr Mann Bub Kind Abgott Alphabet Bohrer Angsthase Zwilling Cola
    Kuh Ball Rhein
    Kiste Roman Eifer Köcher Schäferhund Seehund Polizeihund Schimpanse Zwergschimpanse Mähre Manse Zelter Keiler Wucher
    Schmöker
    Kalb Vogel Wurm Fisch Schmetterling Pfau Katz Mandarin Kam Term Gel Tur Trab Rub Ros Ru Led Med Mar Nar Sal Ber
    """.split()
)
_WORD = re.compile(r"[A-ZÄÖÜ][a-zäöüß]{2,}")
_BACK = str.maketrans("äöüÄÖÜ", "aouAOU")


def masculines(feminine: str) -> Iterator[str]:
    """Yield what the masculine of a feminine in *-in* may be."""
    stem = feminine[:-2]
    yield from (stem, stem + "e", stem + "er")
    for plain in {_without_umlaut(stem)} - {stem}:
        yield from (plain, plain + "e")


def _without_umlaut(stem: str) -> str:
    at = max((stem.rfind(vowel) for vowel in "äöüÄÖÜ"), default=-1)
    return stem if at < 0 else stem[:at] + stem[at].translate(_BACK) + stem[at + 1 :]


def person(row: Mapping[str, str], feminine: str) -> Person:
    """Return the person of an entry."""
    lemma = row["lemma"]
    genitive = row["genitiv singular"] or row["genitiv singular 1"] or row["genitiv singular*"]
    plural = row["nominativ plural"] or row["nominativ plural 1"] or row["nominativ plural*"]
    weak = genitive.endswith("n") and not lemma.endswith("n")
    if not plural:
        plural = lemma + ("n" if lemma.endswith("e") else "" if lemma.endswith(("er", "el")) else "en" if weak else "e")
    return Person(lemma, feminine, "weak" if weak else "strong", plural)


def persons(path: Path) -> list[Person]:
    """Return the persons of the file, in order."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if _WORD.fullmatch(row["lemma"]) and "Substantiv" in row["pos"]]
    male: dict[str, dict[str, str]] = {}
    for row in rows:
        if "m" in (row["genus"], row["genus 1"], row["genus 2"]):
            male.setdefault(row["lemma"], row)
    found: dict[str, Person] = {}
    for row in rows:
        feminine = row["lemma"]
        if row["genus"] != "f" or not feminine.endswith("in") or len(feminine) < 6:
            continue
        masculine = next((form for form in masculines(feminine) if form in male), None)
        if masculine is not None and masculine not in STAYS:
            found.setdefault(masculine, person(male[masculine], feminine))
    return [found[key] for key in sorted(found)]


def is_new(person: Person, lexicon: GermanLexicon, known: Container[str]) -> bool:
    """Return True if the tables do not give some form of a person its stem."""
    if person.masculine in known or person.masculine.endswith("beamter"):
        return False
    forms = (person.masculine, person.plural, person.masculine_form(3, plural=False), person.feminine)
    read = lexicon.word(person.masculine)
    if read is not None and read.nominalised is not None:
        return False  # Gelehrter
    words = [lexicon.word(form) for form in forms]
    return any(word is None or word.noun is None or word.noun.stem.lower() != person.stem.lower() for word in words)


def main() -> None:
    """Write the table."""
    lexicon, known = GermanLexicon(), {row["masculine"] for row in read_table("de", "persons")}
    rows = [one for one in persons(Path(sys.argv[1])) if is_new(one, lexicon, known)]
    lines = [f"{one.masculine}\t{one.feminine}\t{one.declension}\t{one.plural}\n" for one in rows]
    (LEXICONS / "de" / "persons_more.tsv").write_text(HEADER + "".join(lines), encoding="utf-8")
    print(len(lines), "persons")


if __name__ == "__main__":
    main()
