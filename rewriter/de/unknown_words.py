"""German words that no table knows and that may be persons all the same, by their form alone.

Only a network that reads can tell which of them are: *Crailsheimer* are people, a *Segelklassiker* is none.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator

from rewriter.de.inflection import Person

#: adjectives made of a person and what is said of it
_PERSONS_ADJECTIVE = re.compile(
    r"(?P<part>[a-zäöüß]{5,}?)(?P<rest>(?:freundlich|feindlich|nah|orientiert|zentriert|gerecht|spezifisch|bezogen"
    r"|gestützt|definiert|seitig|basiert|geführt|betrieben|finanziert|gesteuert|relevant|unabhängig|übergreifend"
    r"|generiert|eigen|bedingt|fern|rechtlich|tauglich|wissenschaftlich|ähnlich|lastig|bezüglich|politisch"
    r"|psychologisch|typisch|würdig)(?:er?|ere[nmrs]?|ste[nmrs]?|e[nms])?)"
)
#: endings of persons and their declension: *Alchimist, Emittent, Geograph, Konzepteur, Destinatär, Kaffetier*
_LEARNED = re.compile(
    r"(?P<stem>[a-zäöüß]{3,}?(?:(?P<weak>[ae]nt|ist|[rnlmk]at|n?aut|log(?=e)|gra(?:ph|f)|soph|sof|urg|arch|[eoaimlr]ast|[ai]nd|[aiou]path"
    r"|nom|it|krat|ot)|(?P<strong>[tsdl]or|eur|är|[dtlnr]ier|iker|ianer|aner|iner|änder|äer)))"
    r"(?P<ending>en?|s|n|inn?en|in|)"
)
#: words in these endings that are hardly ever persons
_NO_LEARNED = re.compile(
    r".*(?:heit|keit|ment|fant|zent|moment|talent|patent|resultat|[dfmt]at|format|monat|salat|apparat|automat|heirat|vorrat|hausrat"
    r"|kapital|kredit|profit|gewand|verband|stand|hand|land|sand|wind|kind|rind|verbot|angebot|gebot|brot|boot|lot|not"
    r"|motor|sektor|faktor|reaktor|vektor|monitor|katalysator|humor|tor|likör|papier|klavier|turnier|revier|quartier|tier"
    r"|bier|vier|banner|[ckp]ast|last|mast|palast|morast|satellit|granit|appetit|kontinent|prozent|akzent|dokument)"
    r"(?:e?s|en?|n)?"
)
#: a compound ends in a known noun of at least so many letters: *Rentenbezugs-zeiten*, *Hauptzoll-ämter*
_HEAD = 5
#: nouns that learned persons and inhabitants end in by chance: *Emitt-enten*, *Rosen-heimer*
_NO_HEADS = frozenset({"enten", "heimer", "zweiten"})
#: adjectives and participles that may stand as nouns for persons: *Privater, Frankophile, Verpflichteten, Gnädigste*
_NOMINALISED = re.compile(
    r"(?P<stem>(?:(?:[a-zäöüß]{2,})?(?:ge|be|ver|er|ent|zer)[a-zäöüß]{3,}(?:t|en|n)"
    r"|[a-zäöüß]{3,}(?:iert|end|ig|lich|isch|phil|phob|los|bar|haft|krank|ell|iv|är|fremd|reich|arm|eigen|iell)"
    r"|un[a-zäöüß]{4,}|[a-zäöüß]*(?:ält|jüng|best|groß|größ|klein|nächst|höchst|schön|lieb|gut|klug|tapfer|arm|reich|stark|erst"
    r"|schwach|schlau|fleißig|privat|blind|taub|stumm|lahm|tot|schuldig|verräter|ander|einzeln|dick|dünn|böse?|treu|edel|edl"
    r"|fein|frech|dumm|faul|frei|weis|weiß|schwarz|alt|jung|neu|ärmst|einzig|letzt|recht|falsch|link))(?:st|er)?)"
    r"(?P<ending>e[nmr]?)"
)
#: nouns in these endings that no adjective or participle is
_NO_NOMINALISED = re.compile(r".*(?:legende|spende|wende|[bl]lende|dividende|gegende|tugende|[jg]ugende|abende)n?")
#: what stands for a letter of today in old spellings, longest first
_SPELLINGS = (("th", "t"), ("ph", "f"), ("c", "k"), ("ß", "ss"), ("iren", "ieren"), ("y", "i"), ("air", "är"))
#: letters without umlauts, and Swiss ss: *Verkaeufer, Fussgänger*
_PLAIN = (("ae", "ä"), ("oe", "ö"), ("ue", "ü"), ("ss", "ß"))
#: what a word in -er looks like that may be a person: inhabitants, trades, makers
_AGENT = re.compile(r"(?P<stem>[a-zäöüß]{4,}[bcdfghjklmnpqrtvwxzß]er)(?:s|n|in|innen)?")
#: a word in -er that is an adjective or participle at the beginning of a sentence (*Jämmerlicher Kerl*)
_ADJECTIVES_FORM = re.compile(
    r".*(?:isch|lich|ig|bar|sam|los|haft|iert|end|ell|al|iv|är|ös|ant|ent|abel|ibel|ern|en|[aeo]rt)er"
    r"|(?:[a-zäöüß]{2,})?(?:ge|be|ver|er|ent|zer)[a-zäöüß]{2,}[^aäeiioöuü]ter"
    r"|(?:un)?(?:stolz|hart|schwach|stumm|krumm|schlank|krank|flink|plump|scharf|sanft|schlimm|streng|frisch|schlicht"
    r"|schlecht|ernst|barsch|falsch|keusch|hübsch|rasch|morsch|feucht|leicht|seicht|dicht|blond|fremd|gesund|wild|mild"
    r"|schwarz|knapp|straff|schlaff|schroff|stumpf|dumpf|schrill|grell|schnell|still|stramm|blank|schief|steif|recht"
    r"|echt|nackt|welk|schmuck)er"
)


def persons_adjective(lower: str) -> tuple[str, str] | None:
    """Return what may be a person at the beginning of an adjective, and the rest: *nutzer|freundliche*.

    Args:
        lower: a word in lower case.
    """
    match = _PERSONS_ADJECTIVE.fullmatch(lower)
    return (match["part"], match["rest"]) if match is not None else None


def unknown_agent(lower: str, nouns: Container[str]) -> Person | None:
    """Return what an unknown word would be as a person in *-er*: *Crailsheimern*, *Taglöhnerin*.

    Args:
        lower: a word in lower case.
        nouns: known nouns in lower case, which are what their tables say.
    """
    match = _AGENT.fullmatch(lower)
    if match is None or lower in nouns or match["stem"] in nouns or _ADJECTIVES_FORM.fullmatch(lower):
        return None
    if _is_compound(lower, nouns):
        return None
    stem = match["stem"]
    feminine = stem.removesuffix("er") if stem.endswith("erer") else stem  # Zulieferer, Zulieferin
    return Person(stem, feminine + "in", "strong", stem)


def learned_person(lower: str, nouns: Container[str]) -> Person | None:
    """Return what an unknown word would be as a person in a learned ending: *Emittenten*, *Geograph*, *Konzepteurin*.

    Args:
        lower: a word in lower case.
        nouns: known nouns in lower case, which are what their tables say.
    """
    match = _LEARNED.fullmatch(lower) if lower not in nouns else None
    if match is None or match["stem"] in nouns or _NO_LEARNED.fullmatch(lower) or _is_compound(lower, nouns):
        return None
    if any(modern in nouns for modern in modern_spellings(lower)):
        return None  # Contrast
    stem = match["stem"]
    if stem + "e" in nouns and not stem.endswith("log"):
        return None  # Renditen
    masculine = stem + "e" if stem.endswith("log") else stem
    if match["weak"]:
        return Person(masculine, stem + "in", "weak", stem + "en")
    return Person(masculine, stem + "in", "strong", _learned_plural(stem))


def _learned_plural(stem: str) -> str:
    """Return *Hoteliers, Lektoren, Gründer, Ingenieure* of what is not weak."""
    endings = (("ier", "s"), ("or", "en"), ("er", ""))
    return stem + next((ending for end, ending in endings if stem.endswith(end)), "e")


def _is_compound(lower: str, nouns: Container[str]) -> bool:
    """Return True if a word ends in a noun that the tables know, so that it means what that noun means.

    A feminine is a person whatever it ends in: *Sülzbacherinnen*.
    """
    if lower.endswith(("in", "innen")):
        return False
    heads = (lower[cut:] for cut in range(3, len(lower) - _HEAD + 1))
    return any(head in nouns and head not in _NO_HEADS for head in heads)


def nominalised_form(lower: str, nouns: Container[str]) -> tuple[str, str] | None:
    """Return stem and ending of a word that looks like an adjective or participle, None for a known noun.

    Args:
        lower: a capitalised word in lower case.
        nouns: known nouns in lower case.
    """
    if not lower.endswith(("e", "en", "em", "er")):
        return None
    match = _NOMINALISED.fullmatch(lower) if lower not in nouns or lower.startswith("privat") else None
    if (
        match is None
        or _NO_NOMINALISED.fullmatch(lower)
        or any(match["stem"][cut:] in nouns for cut in range(3, len(match["stem"]) - _HEAD))
    ):
        return None  # Lieferanschriften
    return match["stem"], match["ending"]


def modern_spellings(lower: str) -> Iterator[str]:
    """Yield how a word in another spelling may be written: *Landwirths*, *Director*, *Filosofen*, *Baecker*.

    Args:
        lower: a word in lower case.
    """
    found = lower
    for old, new in _SPELLINGS:
        if old in found:
            found = found.replace(old, new)
            yield found
    found = lower
    for plain, letter in _PLAIN:
        if plain in found:
            found = found.replace(plain, letter)
            yield found
