"""Choose the German texts of the must-stay measurement: those without gendered words, and traps.

What counts as gendered is told by ``tests/data/de/must-stay/gendered-words.tsv``, a list of its own: neither the gate
nor a word table of the toolkit takes part. Persons have no closed list in German, so every capitalised word that ends
like one counts (*-er, -in, -ist, -ende* ...) unless the list knows it as a thing; that leaves out much that would stay,
and nearly nothing that would change. Real text comes from ``GENDER_FAIR_DATA/de/train/general-*``. Equal seeds choose
equal texts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from pathlib import Path

import must_stay_texts as shared
from must_stay_texts import Chooser, Item

TABLES = Path(__file__).resolve().parents[1] / "tests" / "data" / "de" / "must-stay"
PERSONS = ("lehrer", "schülerin", "ärzte", "studenten", "kundin", "nutzer", "er", "sie", "ihr", "köchin", "bürger")
WORDS = "ventil tabelle index signal anker wolke papier orbit metall garten messer fenster motor karte".split()

#: files of English text that are read
ENGLISH = 5

_WORD = re.compile(r"[^\W\d_]+")
#: letters of a stem that counts wherever it stands in a word
_LONG = 6
_ENDING = r"(?:e|en|er|ern|ers|es|s|n|in|innen|em|r|m)?"
#: *jeder* and the like before a noun, with adjectives between
_ATTRIBUTIVE = re.compile(
    r"(?i:\b(?:irgend)?(?:eine|jede|keine|manche|diese|welche|jene|andere)[mnrs]?)"
    r"(?:\s+(?!(?:k?ein|mein|dein|sein|ihr|unser|der|die|das|dem|den|des)(?:e[mnrs]?)?\b)"
    r"(?:[a-zäöüß-]+e[mnrs]?|sehr|so|ganz))*\s+(?=[A-ZÄÖÜ0-9„\"])"
)
#: *der, der das sagt*, *der oder des*: persons that no noun names
_RELATED = re.compile(
    r"\b(?:der|die|den|dem),? (?:der|die|den|dem|dessen|deren)\b"
    r"|\b(?:der|die|den|dem|des|er|sie|ihm|ihr|ihn|seine?|ihre?) (?:oder|bzw\.?) "
    r"(?:der|die|den|dem|des|er|sie|ihm|ihr|ihn|seine?|ihre?)\b"
    r"|\b(?:jemand|niemand)(?:em|en)?, (?:\w+ )?(?:der|den|dem|dessen)\b",
    re.IGNORECASE,
)
_TITLED = re.compile(r"\b(?:Herrn?|Frau|Dr\.|Prof\.|Familie)(?: Dr\.)? (?P<name>[A-ZÄÖÜ][a-zäöüß]+)(?! [A-ZÄÖÜ])")
_TOWN = re.compile(r"\b(?P<town>[A-ZÄÖÜ][a-zäöüß]{2,}er) (?=[A-ZÄÖÜ][a-zäöüß]+)")
_TOWNS = frozenset(
    "Berliner Wiener Hamburger Frankfurter Kölner Leipziger Zürcher Dresdner Bremer Baseler Basler Münchner Stuttgarter"
    " Nürnberger Berner Genfer Londoner Pariser Mainzer Bonner Potsdamer Erfurter Kieler Lübecker Freiburger"
    " Heidelberger Bielefelder Mannheimer Wiesbadener Duisburger Essener Dortmunder Düsseldorfer Grazer Linzer".split()
)
#: surnames that are trades
SURNAMES = frozenset(
    "Müller Schneider Fischer Weber Becker Wagner Schäfer Koch Bauer Richter Schröder Zimmermann Krüger Köhler Maier"
    " Meyer Mayer Kaiser König Fuchs Jäger Schuster Schulze Schulz Schmidt Schmitt Förster Ziegler Metzger".split()
)
_POLITE = re.compile(r"(?<=[a-zäöüß,] )(?:Sie|Ihnen|Ihr|Ihre[nmrs]?)\b")
_FAIR = re.compile(
    r"\b[A-ZÄÖÜ][^\W\d_]+(?:[*:_]in(?:nen)?|Innen)[a-zäöüß]*\b|\b(?:der\*die|die\*der|den\*die|dem\*der|des\*der)\b"
    r"|\b[a-zäöüßA-ZÄÖÜ]\w*e[mn]?[*:][rn]\b|\ber\*sie\b"
)
_STAYS = re.compile(
    r"\b(?:Mensch|Person|Mitglied|Kind|Leute|Mann|Frau|Vater|Mutter|Bruder|Schwester|Sohn|Tochter|Eltern)"
)


class GermanWords:
    """The list of gendered words, asked as :class:`must_stay_texts.Gendered` is."""

    def __init__(self, path: Path = TABLES / "gendered-words.tsv") -> None:
        rows: dict[str, list[str]] = {}
        for line in path.read_text(encoding="utf-8").splitlines():
            kind, _, words = line.partition("\t")
            if words and not kind.startswith("#"):
                rows.setdefault(kind, []).extend(words.split())
        self.whole, self.alone = set(rows["whole"]), set(rows["alone"])
        self.pronouns, self.stays, self.things = set(rows["pronoun"]), set(rows["stays"]), set(rows["thing"])
        self.opening = set(rows["opening"])
        self._things = tuple(rows["last"])
        self._ending = re.compile(r"\w*(?:" + "|".join(rows["ending"]) + ")")
        long = [stem for stem in rows["person"] if len(stem) >= _LONG]
        short = [stem for stem in rows["person"] if len(stem) < _LONG]
        self._long = re.compile("|".join(long))
        self._short = re.compile(rf"(?:{'|'.join(short)})\w*|\w*(?:{'|'.join(short)}){_ENDING}")
        self._first = re.compile("|".join(stem for stem in short if len(stem) > 3))
        self._small = re.compile(rf"(?:{'|'.join(rows['person'])}){_ENDING}")
        self.is_person = lru_cache(maxsize=500_000)(self._is_person)

    def _is_person(self, word: str) -> bool:
        """Tell whether a word may name a person whose noun changes."""
        lower = word.lower()
        if word == lower:
            return self._small.fullmatch(lower) is not None
        if lower in self.stays or lower in self.pronouns or lower in self.alone:
            return False
        if lower in self.things or lower in self.opening:
            return False
        if lower.endswith(self._things) and not self._long.search(lower) and not self._first.match(lower):
            return False
        if lower in self.whole or self._long.search(lower) is not None:
            return True
        return bool(self._short.fullmatch(lower) or self._ending.fullmatch(lower))

    def is_office(self, word: str) -> bool:
        """Tell whether a word behind a title is no surname."""
        return word not in SURNAMES and self._long.search(word.lower()) is not None

    def in_text(self, text: str) -> tuple[bool, bool]:
        """Tell whether ``text`` holds a word that changes, and one that may be gendered and stays."""
        words = _WORD.findall(text)
        if any(map(self.is_person, words)) or _RELATED.search(text) or self._stands_alone(text):
            return True, False
        lower = {word.lower() for word in words}
        return False, bool(lower & self.pronouns or lower & self.stays)

    def free(self, text: str) -> bool:
        """Tell whether ``text`` holds no gendered word at all."""
        return self.in_text(text) == (False, False)

    def unchanged(self, text: str) -> bool:
        """Tell whether no word of ``text`` changes."""
        return not self.in_text(text)[0]

    def _stands_alone(self, text: str) -> bool:
        rest = _ATTRIBUTIVE.sub(" ", text)
        return any(word.lower() in self.alone for word in _WORD.findall(rest))


@cache
def gendered() -> GermanWords:
    """Return the list, read once."""
    return GermanWords()


def chooser(seed: int) -> Chooser:
    """Return what draws texts by the German list."""
    return Chooser(seed, gendered())  # type: ignore[arg-type]


# ---------------------------------------------------------------------------------------------------------------------
# no gendered words


def without_gendered_words(number: int, seed: int) -> list[Item]:
    """Return ``number`` texts without any gendered word: German, code, tables, markup, other scripts, English."""
    folder, choose = shared.data_folder(), chooser(seed)
    share = number // 100
    plain = choose.real(shared.german(folder), gendered().free)
    items = choose.take("code line", 8 * share, shared.code_lines(choose))
    items += choose.take("code block", 2 * share, shared.code_blocks(choose))
    items += choose.take("treebank row", 3 * share, _treebank_rows(choose, folder))
    items += choose.take("table", 5 * share, shared.tables(choose, plain))
    items += choose.take("markup", 8 * share, shared.markup(choose, plain))
    items += choose.take("other script", 5 * share, shared.other_scripts(choose))
    items += choose.take("odd spacing", 2 * share, shared.odd_spacing(choose, plain))
    items += choose.take("English", 8 * share, choose.real(shared.english(folder)[:ENGLISH], gendered().free))
    items += choose.take("German", number - len(items), plain)
    return [items[i] for i in choose.rng.permutation(len(items))]


def _treebank_rows(choose: Chooser, folder: Path) -> Iterator[str]:
    rows = [row for path in sorted((folder / "ud").glob("UD_German-*/*.conllu.zst")) for row in shared.read_lines(path)]
    return (row for row in choose.shuffled(rows) if row.count("\t") == 9 and gendered().free(row))


# ---------------------------------------------------------------------------------------------------------------------
# traps: words of the gate that must stay


def traps(number: int, seed: int) -> list[Item]:
    """Return ``number`` texts that hold pronouns, neutral nouns, things that look like persons, names, fair words.

    Real sentences without a word that changes, by the list; sentences in which the only such word is a surname behind
    a title, a town's adjective or gender-fair already; and templates. The last kind fills up what others lack.
    """
    folder, choose = shared.data_folder(), chooser(seed)
    files = shared.german(folder)
    fair = sorted((folder / "de" / "train").glob("genderfair-*.txt.zst"))
    stays = gendered().unchanged
    share = number / 20_000
    items: list[Item] = []
    for kind, wanted, texts in (
        ("real: thing in -er", 3000, choose.real(files, lambda s: _has_thing(s) and _names_nobody(s))),
        ("real: polite Sie", 1500, choose.real(files, lambda s: _addresses(s) and stays(s), _POLITE)),
        (
            "real: Mensch, Kind, Mann ...",
            3000,
            choose.real(files, lambda s: _STAYS.search(s) and stays(s) and _names_nobody(s), _STAYS),
        ),
        ("real: surname behind a title", 1000, choose.real(files, _but_surname, _TITLED)),
        ("real: town's adjective", 800, choose.real(files, _but_town, _TOWN)),
        ("real: fair already", 1000, choose.real(fair, _but_fair, _FAIR)),
    ):
        items += choose.take(kind, round(wanted * share), texts)
    plain = choose.real(files, gendered().free)
    for kind, wanted in TEMPLATES.items():
        items += choose.take(kind, round(wanted * share), filled(choose, kind, plain))
    rest = choose.real(files, lambda s: gendered().in_text(s) == (False, True) and _names_nobody(s))
    items += choose.take("real: pronoun of several or of a thing", number - len(items), rest)
    return [items[i] for i in choose.rng.permutation(len(items))]


#: how many of 20,000 per kind of template
TEMPLATES = {
    "leaner": 200, "er for things": 400, "sie for things": 400, "plural sie": 300, "polite": 300, "you": 150,
    "neutral noun": 300, "kin": 300, "name": 150, "name with title": 250, "town": 250, "title": 200,
    "fair already": 300, "insert url": 250, "insert e-mail": 200, "insert path": 250, "insert handle": 150,
    "insert hash tag": 150, "insert code span": 300, "insert identifier": 250, "insert formula": 150,
    "insert tag": 200, "insert placeholder": 150, "data": 200,
}  # fmt: skip


#: pronouns that may mean a person whom the sentence does not name: such sentences change by the convention
_OF_SOMEBODY = re.compile(
    r"\b(?:[Ee]r|[Ii]hn|[Ii]hm|sie|ihr(?:e[nmrs]?)?|[Ss]ein(?:e[nmrs]?)?)\b|^\W*(?:Sie|Ihr(?:e[nmrs]?)?)\b"
)
#: a pronoun at the beginning, which means somebody whom the sentence does not name
_OPENING = re.compile(r"\W*(?:Er|Sein(?:e[nmrs]?)?|Ihre?[nmrs]?|Sie(?! (?:sind|tun|[a-zäöüß]+e[lr]?n)\b))\b")
_MASCULINE = re.compile(r"\b(?:[Ee]r|[Ii]hn|[Ii]hm)\b")
#: *Sie* before a verb in the plural, which is polite or means several
_SEVERAL = re.compile(r"^\W*Sie (?=(?:sind|tun|[a-zäöüß]+e[lr]?n)\b)")


def _names_nobody(sentence: str) -> bool:
    return _OF_SOMEBODY.search(sentence) is None


def _addresses(sentence: str) -> bool:
    """Tell whether somebody is addressed with *Sie* and nobody else is meant by a pronoun."""
    return _POLITE.search(sentence) is not None and _names_nobody(_SEVERAL.sub("", sentence))


def _has_thing(sentence: str) -> bool:
    words = _WORD.findall(sentence)
    things = any(
        word.lower() in gendered().things and word.lower().endswith(("er", "ern", "or", "ent")) for word in words
    )
    return things and gendered().unchanged(sentence)


def _but(pattern: re.Pattern[str]) -> Callable[[str], bool]:
    """Return what tells whether nothing of a sentence changes except, maybe, what a pattern finds."""
    return lambda sentence: bool(pattern.search(sentence)) and gendered().unchanged(pattern.sub(" X ", sentence))


def _but_surname(sentence: str) -> bool:
    if any(gendered().is_office(match["name"]) for match in _TITLED.finditer(sentence)):
        return False  # Herr Direktor
    title = _TITLED.search(sentence)
    # a pronoun before it means somebody whom the sentence does not name (Damals lernte er Frau Kern kennen)
    if title is None or not _names_nobody(sentence[: title.start()]):
        return False
    is_woman = title.group().startswith(("Frau", "Familie")) and _MASCULINE.search(sentence) is not None
    return not is_woman and _but(_TITLED)(sentence)


def _but_fair(sentence: str) -> bool:
    return _OPENING.match(sentence) is None and _but(_FAIR)(sentence)


def _but_town(sentence: str) -> bool:
    towns = [match["town"] for match in _TOWN.finditer(sentence)]
    is_trap = any(town in _TOWNS for town in towns) and _names_nobody(sentence)
    return is_trap and gendered().unchanged(_without_towns(sentence))


def _without_towns(sentence: str) -> str:
    return _TOWN.sub(lambda match: "" if match["town"] in _TOWNS else match.group(), sentence)


def filled(choose: Chooser, kind: str, plain: Iterator[str]) -> Iterator[str]:
    """Yield texts of the templates of one kind; see :func:`must_stay_texts.filled`."""
    return shared.filled(
        choose, kind, plain, shared.Fillings(TABLES / "templates.tsv", PERSONS, PERSONS, WORDS, "siehe")
    )
