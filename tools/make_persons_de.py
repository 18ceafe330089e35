"""Make ``lexicons/de/persons.tsv``: German person nouns with feminine, declension and plural.

Run by hand: ``python -m tools.make_persons_de DIR``, where DIR holds ``masc_fem_pairs.tsv``,
``pairs_attested_in_corpora.tsv`` and the ``dereko_forms_*.csv`` lists (``.zst`` files unpacked). What the sources say
(a masculine and its feminine, a stem that stands before *Innen*) are facts; declension and plural follow from the
ending by the rules below, whose exceptions stand in this file.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Container, Iterator
from pathlib import Path

from tools import LEXICONS

HEADER = """\
# German person nouns: masculine, feminine, declension of the masculine, nominative plural.
# strong: -s or -es in the genitive; weak: -n or -en in all cases but the nominative; mixed: either;
# adjectival: Beamter. source: pairs (lists of pairs), forms (stem attested before -Innen, *innen ...), own
# (persons_own.tsv).
# Source: word lists of diversifix (github.com/diversifix/diversifix, forms attested in DeReKo), Gendering-Wortkatalog
# of the city of Vienna as in github.com/AndreasGocht/GenderListe, pairs counted in public laws and protocols; rules
# and additions of the maintainers. Made by tools/make_persons_de.py.
# Licence: MIT (diversifix), CC BY 4.0 (Stadt Wien); facts.
masculine\tfeminine\tdeclension\tplural\tsource
"""

#: entries of the sources that are slips, animals, or stay unchanged by convention
WRONG = frozenset(
    """
    Abend Abiturien Adler Akionär Allesfresser Alter Altersgenossd Alterskollegd Amtshauswart Anbiet Andauer
    Arbeiternehmer Bauchredn Beamte Bruder Bär Büger Computer Dame Damen Deck Demontrant Dies Drucker Durcheinander
    Ehemann Ehrenämter Ein Einzelne Eisbär Entwicklungspsycholog Ersatzkandidaten Exper Expert Experten Facaarzt Fan
    Finn Flüchtling Fotografen Freie Fremd Gast Gefährt Geger Geschlechter Gott Grün Hakenkreuzler Hammer Herr
    Hirsch Hochschullehr Hofmischer Hund Igler Innen Inner Jed Jober Joner Kader Kater Kein Kener Kind Kinder Kinn
    Krankenschwester Kriegsdienstverweiger Kronprinz Kunstkenn Kurd Lager Leher Lerser Leut Löwe Manger Mann Manner
    Mauer Mensch Menschen Meter Miter Mitglied Mitglieder Männer Nachbarn Neger Nuter Nürnberg Ober Onkel Opfer
    Paper Patent Person Prinz Rat Rechner Rinn Roboter Rott Rumer Rundfunkrät Sach Schriftseller Schulweg Schwester
    Sender Server Sohlengänger Sohn Speakern Spinn Tatort Tazianer Tehchniker Teilneher Tiber Tier Vater
    Vollstreckungsbeamt Vorstand Wart Weinkönig Welthandelskorrespondenten Wolf Yorker Zimmer Zinn Zwangsrammler
    Österrer Gründungsmitglieder Ratsmitglieder Lautsprecher Löscher Mäher
    """.split()
)

_WEAK = re.compile(
    r"(?:ist|ent|(?<!leutn)ant|(?<!r)at|krat|it|ot|et|et|[kr]ad|[mrkdsb]and|(?:gr|t)aph|[gt]raf|graf|osoph|nom|olog|ekt|urg"
    r"|arch|naut|eut|ast|lyst|held|fürst|rebell|narr|zar|veteran|path|didakt|vagabund|metz|exot|christ|hirt|katholik"
    r"|untertan|rekrut|tyrann|barbar|tatar|herr|nachfahr|vorfahr|dilettant|asket|prinz|pirat|literat|stipendiat|demokrat)$"
)
_OFFICER = re.compile(
    r"(?:offizier|kavalier|passagier|pionier|juwelier|portier|brigadier|musketier|grenadier|polier|kanonier|kürassier"
    r"|füsilier|barbier|halunk)$"
)
_S_PLURAL = re.compile(
    r"(?:bankier|hotelier|routinier|premier|croupier|chansonnier|couturier|chef|clown|star|coach|boy|guide|teenie|freak|nerd"
    r"|punk|cowboy|sheriff|scout|steward)$"
)


def declension(masculine: str, feminine: str) -> tuple[str, str]:
    """Return declension and nominative plural by the ending."""
    lower, stem = masculine.lower(), feminine[:-2]
    if lower.endswith("beamter"):
        return "adjectival", masculine[:-1]
    if lower.endswith("bauer") and stem.lower().endswith("bäuer"):
        return "mixed", masculine + "n"
    if lower.endswith("nachbar"):
        return "mixed", masculine + "n"
    if lower.endswith("e"):
        return "weak", masculine + "n"
    if lower.endswith("herr"):
        return "weak", masculine + "en"
    if _OFFICER.search(lower):
        return "strong", masculine + "e"
    if lower.endswith(("er", "el", "en")) and not _S_PLURAL.search(lower):
        return "strong", masculine
    if lower.endswith("or"):
        return "strong", masculine + "en"
    if _S_PLURAL.search(lower):
        return "strong", masculine + "s"
    if _WEAK.search(lower) and not stem.endswith("rät"):
        return "weak", masculine + "en"
    return "strong", stem + "e"


def own() -> Iterator[tuple[str, str, str, str]]:
    """Yield the entries of ``persons_own.tsv``."""
    lines = (LEXICONS / "de" / "persons_own.tsv").read_text(encoding="utf-8").splitlines()
    for line in [line for line in lines if not line.startswith("#")][1:]:
        masculine, feminine, kind, plural = line.split("\t")
        yield masculine, feminine, kind, plural


def is_pair(masculine: str, feminine: str) -> bool:
    """Return True if two words are a person noun and its feminine in -in."""
    plain = str.maketrans("äöüÄÖÜ", "aouAOU")
    start = min(3, len(masculine) - 1)
    alike = masculine[:start].translate(plain).lower() == feminine[:start].translate(plain).lower()
    return bool(
        masculine not in WRONG
        and feminine.endswith("in")
        and alike
        and re.fullmatch(r"[A-ZÄÖÜ][\wäöüß-]+[a-zäöüß]", masculine)
        and "_" not in masculine
        and re.fullmatch(r"[\wäöüß-]+", feminine)
        and len(feminine) > 4
    )


def read_pairs(folder: Path) -> dict[str, str]:
    """Return masculine -> feminine of the merged pair list."""
    pairs = {}
    for line in (folder / "masc_fem_pairs.tsv").read_text(encoding="utf-8").splitlines()[1:]:
        masculine, feminine, _ = line.split("\t")
        if is_pair(masculine, feminine):
            pairs[masculine] = feminine
    return pairs


def read_stems(folder: Path) -> Counter[str]:
    """Return how many of the lists attest each stem before -innen."""
    seen: Counter[str] = Counter()
    for path in sorted(folder.glob("dereko_forms_*.csv")):
        words = path.read_text(encoding="utf-8").split()
        stems = {
            m[1] for word in words if (m := re.fullmatch(r"([A-ZÄÖÜ][a-zäöüß]{3,})(?:[*:_·/]-?i|I)n(?:nen)?", word))
        }
        seen.update(stems)
    return seen


def masculine_of(stem: str) -> str | None:
    """Return the masculine that a stem before -in belongs to, where its ending leaves no doubt."""
    if stem.endswith("bäuer"):
        return stem[:-5] + "bauer"
    if stem.endswith(("ererer", "igerer", "derer")) or stem.lower().endswith("beamt"):
        return None
    if stem.endswith(("er", "ist", "ent", "ant", "eur", "or", "är")):
        return stem
    return stem + "e" if stem.endswith(("olog", "pädagog")) else None


def read_attested(folder: Path) -> Iterator[str]:
    """Yield the stems of feminines that stood beside their masculine in pair forms."""
    for line in (folder / "pairs_attested_in_corpora.tsv").read_text(encoding="utf-8").splitlines()[1:]:
        _, feminine, count = line.split("\t")
        if feminine.endswith(("innen", "erin")) and int(count) >= 2:
            yield feminine.removesuffix("nen")[:-2]


def is_compound(masculine: str, heads: Container[str]) -> bool:
    """Return True if a noun is a compound of another one, which the look-up cuts by itself."""
    return any(masculine[i:].capitalize() in heads for i in range(3, len(masculine) - 4))


def collect(folder: Path) -> dict[str, tuple[str, str, str, str]]:
    """Return masculine -> (feminine, declension, plural, source)."""
    table = {m: (f, *declension(m, f), "pairs") for m, f in read_pairs(folder).items()}
    table.update({m: (f, d, p, "own") for m, f, d, p in own()})
    attested = set(read_attested(folder))
    stems = read_stems(folder)
    stems.update(dict.fromkeys(attested, 2))
    known = {feminine for feminine, *_ in table.values()}
    found = {}
    for stem, lists in sorted(stems.items()):
        masculine = masculine_of(stem)
        if masculine is None or masculine in table or stem + "in" in known or not is_pair(masculine, stem + "in"):
            continue
        if lists > 1:
            found[masculine] = (stem + "in", *declension(masculine, stem + "in"), "forms")
    heads = {*table, *found}
    table.update({m: row for m, row in found.items() if row[0][:-2] in attested or not is_compound(m, heads)})
    return table


def main() -> None:
    """Write the table."""
    table = collect(Path(sys.argv[1]))
    rows = "".join("\t".join((masculine, *row)) + "\n" for masculine, row in sorted(table.items()))
    (LEXICONS / "de" / "persons.tsv").write_text(HEADER + rows, encoding="utf-8")


if __name__ == "__main__":
    main()
