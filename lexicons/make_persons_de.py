"""Make ``lexicons/de/persons.tsv``: German person nouns with feminine, declension and plural.

Run by hand: ``python lexicons/make_persons_de.py DIR``, where DIR holds ``masc_fem_pairs.tsv``,
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

HEADER = """\
# German person nouns: masculine, feminine, declension of the masculine, nominative plural.
# strong: -s or -es in the genitive; weak: -n or -en in all cases but the nominative; mixed: either; adjectival: Beamter.
# source: pairs (lists of pairs), forms (stem attested before -Innen, *innen, ...), own (added by the maintainers).
# Source: word lists of diversifix (github.com/diversifix/diversifix, forms attested in DeReKo), Gendering-Wortkatalog of
# the city of Vienna as in github.com/AndreasGocht/GenderListe, pairs counted in public laws and protocols; rules and
# additions of the maintainers. Made by lexicons/make_persons_de.py.
# Licence: MIT (diversifix), CC BY 4.0 (Stadt Wien); facts.
masculine\tfeminine\tdeclension\tplural\tsource
"""

#: entries of the sources that are slips, animals, or stay unchanged by convention
WRONG = frozenset(
    """
    Abiturien Akionär Altersgenossd Alterskollegd Entwicklungspsycholog Ersatzkandidaten Experten Facaarzt Fotografen
    Gefährt Hochschullehr Nachbarn Nürnberg Rundfunkrät Speakern Vollstreckungsbeamt Welthandelskorrespondenten Eisbär
    Hund Wolf Gast Fan Gott Herr Mensch Vorstand Flüchtling Deck Ober Prinz Kronprinz Rat Kater Löwe Bär Hirsch Freie
    Einzelne Grün Weinkönig Sach Vater Bruder Sohn Onkel Mann Bauchredn Ehemann Fremd Rott Abend Jed Dies Kein Ein Wart
    Amtshauswart Person Mitglied Kind Leut Kurd Innen Rinn Zinn Tatort Anbiet Damen Dame Kunstkenn Neger Allesfresser Sohlengänger Beamte Hakenkreuzler Rechner Drucker Computer Roboter Server Männer Manner Mitglieder Krankenschwester Geschlechter Schwester Andauer Menschen Hammer Kinder Tiber Mauer Meter
    Paper Lager Alter Tier Opfer Exper Geger Adler Expert Inner Jober Zwangsrammler Arbeiternehmer Schriftseller Teilneher Patent Sender Durcheinander Ehrenämter Kader Büger Yorker Manger Lerser
    Tehchniker Österrer Demontrant Schulweg Tazianer Igler Kener Leher Nuter Rumer Miter Joner Spinn Finn Kinn
    """.split()
)
#: (masculine, feminine, declension, plural) that the rules or the sources do not give
OWN = """
Bauer Bäuerin mixed Bauern; Nachbar Nachbarin mixed Nachbarn; Ungar Ungarin weak Ungarn; Bayer Bayerin mixed Bayern;
Beamter Beamtin adjectival Beamte; Herzog Herzogin strong Herzöge; Schwager Schwägerin strong Schwäger;
Leutnant Leutnantin strong Leutnants; Major Majorin strong Majore; General Generalin strong Generäle;
Boss Bossin strong Bosse; Bischof Bischöfin strong Bischöfe; Papst Päpstin strong Päpste; Abt Äbtissin strong Äbte;
Magier Magierin strong Magier; Imker Imkerin strong Imker; Winzer Winzerin strong Winzer; Erbe Erbin weak Erben;
Bote Botin weak Boten; Zeuge Zeugin weak Zeugen; Kunde Kundin weak Kunden; Pate Patin weak Paten;
Gatte Gattin weak Gatten; Ehegatte Ehegattin weak Ehegatten; Riese Riesin weak Riesen; Sklave Sklavin weak Sklaven;
Jude Jüdin weak Juden; Franzose Französin weak Franzosen; Türke Türkin weak Türken; Grieche Griechin weak Griechen;
Russe Russin weak Russen; Pole Polin weak Polen; Däne Dänin weak Dänen; Schwede Schwedin weak Schweden;
Finne Finnin weak Finnen; Brite Britin weak Briten; Schotte Schottin weak Schotten; Ire Irin weak Iren;
Tscheche Tschechin weak Tschechen; Serbe Serbin weak Serben; Kroate Kroatin weak Kroaten; Chinese Chinesin weak Chinesen;
Slowake Slowakin weak Slowaken; Slowene Slowenin weak Slowenen; Bulgare Bulgarin weak Bulgaren; Rumäne Rumänin weak Rumänen;
Portugiese Portugiesin weak Portugiesen; Afghane Afghanin weak Afghanen; Kurde Kurdin weak Kurden; Syrer Syrerin strong Syrer;
Vietnamese Vietnamesin weak Vietnamesen; Ukrainer Ukrainerin strong Ukrainer; Italiener Italienerin strong Italiener;
Spanier Spanierin strong Spanier; Schweizer Schweizerin strong Schweizer; Japaner Japanerin strong Japaner;
Inder Inderin strong Inder; Iraner Iranerin strong Iraner; Iraker Irakerin strong Iraker; Araber Araberin strong Araber;
Perser Perserin strong Perser; Norweger Norwegerin strong Norweger; Belgier Belgierin strong Belgier;
Engländer Engländerin strong Engländer; Niederländer Niederländerin strong Niederländer; Holländer Holländerin strong Holländer;
Sachse Sächsin weak Sachsen; Schwabe Schwäbin weak Schwaben; Hesse Hessin weak Hessen; Genosse Genossin weak Genossen;
Kaiser Kaiserin strong Kaiser; König Königin strong Könige; Graf Gräfin weak Grafen; Fürst Fürstin weak Fürsten;
Baron Baronin strong Barone; Zar Zarin weak Zaren; Prophet Prophetin weak Propheten; Held Heldin weak Helden;
Christ Christin weak Christen; Muslim Muslimin strong Muslime; Buddhist Buddhistin weak Buddhisten; Hindu Hinduin strong Hindus;
Dieb Diebin strong Diebe; Feind Feindin strong Feinde; Freund Freundin strong Freunde; Wirt Wirtin strong Wirte;
Arzt Ärztin strong Ärzte; Koch Köchin strong Köche; Anwalt Anwältin strong Anwälte; Chef Chefin strong Chefs;
Clown Clownin strong Clowns; Coach Coachin strong Coaches; Stadtrat Stadträtin strong Stadträte;
Gemeinderat Gemeinderätin strong Gemeinderäte; Betriebsrat Betriebsrätin strong Betriebsräte; Landrat Landrätin strong Landräte;
Nationalrat Nationalrätin strong Nationalräte; Studienrat Studienrätin strong Studienräte; Hofrat Hofrätin strong Hofräte;
Pilot Pilotin weak Piloten; Idiot Idiotin weak Idioten; Narr Närrin weak Narren; Depp Deppin weak Deppen;
Enkel Enkelin strong Enkel; Zwilling Zwillingin strong Zwillinge; Gefährte Gefährtin weak Gefährten;
Bösewicht Bösewichtin strong Bösewichte; Torwart Torwartin strong Torwarte; Hauswart Hauswartin strong Hauswarte;
Vormund Vormundin strong Vormunde; Kustos Kustodin strong Kustoden; Steinmetz Steinmetzin weak Steinmetze;
Doktor Doktorin strong Doktoren; Dozent Dozentin weak Dozenten; Bube Bubin weak Buben; Nachfahre Nachfahrin weak Nachfahren;
Vorfahre Vorfahrin weak Vorfahren; Psychologe Psychologin weak Psychologen; Hirte Hirtin weak Hirten;
Sänger Sängerin strong Sänger; Tänzer Tänzerin strong Tänzer; Zauberer Zauberin strong Zauberer;
Wanderer Wanderin strong Wanderer; Ruderer Ruderin strong Ruderer; Förderer Förderin strong Förderer;
Bewunderer Bewunderin strong Bewunderer; Eroberer Eroberin strong Eroberer; Kletterer Kletterin strong Kletterer;
Herausforderer Herausforderin strong Herausforderer; Versicherer Versicherin strong Versicherer;
Plauderer Plauderin strong Plauderer; Förster Försterin strong Förster; Küster Küsterin strong Küster;
Priester Priesterin strong Priester; Meister Meisterin strong Meister; Minister Ministerin strong Minister;
Gangster Gangsterin strong Gangster; Blogger Bloggerin strong Blogger; YouTuber YouTuberin strong YouTuber;
Experte Expertin weak Experten; Cellist Cellistin weak Cellisten; Streamer Streamerin strong Streamer; Influencer Influencerin strong Influencer; Podcaster Podcasterin strong Podcaster;
User Userin strong User; Gamer Gamerin strong Gamer; Follower Followerin strong Follower; Rapper Rapperin strong Rapper;
Hacker Hackerin strong Hacker; Trainer Trainerin strong Trainer; Manager Managerin strong Manager; Reporter Reporterin strong Reporter;
Jockey Jockeyin strong Jockeys; Profi Profin strong Profis
"""
#: unlike what the rules give
DROP_OWN = frozenset({"Zwilling", "Profi", "Bösewicht", "Bube", "Abt", "Jockey"})

_WEAK = re.compile(
    r"(?:ist|ent|(?<!leutn)ant|(?<!r)at|krat|it|ot|et|et|[kr]ad|[mrkdsb]and|(?:gr|t)aph|[gt]raf|graf|osoph|nom|olog|ekt|urg"
    r"|arch|naut|eut|ast|lyst|held|fürst|rebell|narr|zar|veteran|path|didakt|vagabund|metz|exot|christ|hirt|katholik"
    r"|untertan|rekrut|tyrann|barbar|tatar|herr|nachfahr|vorfahr|dilettant|asket|prinz|pirat|literat|stipendiat|demokrat)$"
)
_S_PLURAL = re.compile(r"(?:chef|clown|star|coach|boy|guide|teenie|freak|nerd|punk|cowboy)$")


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
    if lower.endswith(("er", "el", "en")):
        return "strong", masculine
    if lower.endswith("or"):
        return "strong", masculine + "en"
    if _S_PLURAL.search(lower):
        return "strong", masculine + "s"
    if _WEAK.search(lower) and not stem.endswith("rät"):
        return "weak", masculine + "en"
    return "strong", stem + "e"


def own() -> Iterator[tuple[str, str, str, str]]:
    """Yield the entries of :data:`OWN`."""
    for entry in OWN.split(";"):
        cells = entry.split()
        if cells and cells[0] not in DROP_OWN:
            yield cells[0], cells[1], cells[2], cells[3]


def is_pair(masculine: str, feminine: str) -> bool:
    """Tell whether two words are a person noun and its feminine in -in."""
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
        stems = {m[1] for word in words if (m := re.fullmatch(r"([A-ZÄÖÜ][a-zäöüß]{3,})(?:[*:_·/]-?i|I)n(?:nen)?", word))}
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
    """Yield feminine plurals that stood beside their masculine in pair forms, as stems."""
    for line in (folder / "pairs_attested_in_corpora.tsv").read_text(encoding="utf-8").splitlines()[1:]:
        _, feminine, count = line.split("\t")
        if feminine.endswith("innen") and int(count) >= 2:
            yield feminine[:-5]


def is_compound(masculine: str, heads: Container[str]) -> bool:
    """Tell whether a noun is a compound of another one, which the look-up cuts by itself."""
    return any(masculine[i:].capitalize() in heads for i in range(3, len(masculine) - 4))


def collect(folder: Path) -> dict[str, tuple[str, str, str, str]]:
    """Return masculine -> (feminine, declension, plural, source)."""
    table = {m: (f, *declension(m, f), "pairs") for m, f in read_pairs(folder).items()}
    table.update({m: (f, d, p, "own") for m, f, d, p in own()})
    stems = read_stems(folder)
    stems.update({stem: 2 for stem in read_attested(folder)})
    known = {feminine for feminine, *_ in table.values()}
    found = {}
    for stem, lists in sorted(stems.items()):
        masculine = masculine_of(stem)
        if masculine is None or masculine in table or stem + "in" in known or not is_pair(masculine, stem + "in"):
            continue
        if lists > 1:
            found[masculine] = (stem + "in", *declension(masculine, stem + "in"), "forms")
    heads = {*table, *found}
    table.update({m: row for m, row in found.items() if not is_compound(m, heads)})
    return table


def main() -> None:
    """Write the table."""
    table = collect(Path(sys.argv[1]))
    rows = "".join("\t".join((masculine, *row)) + "\n" for masculine, row in sorted(table.items()))
    (Path(__file__).parent / "de" / "persons.tsv").write_text(HEADER + rows, encoding="utf-8")


if __name__ == "__main__":
    main()
