"""Count the read German sentences of each kind that is hard to read.

    python -m tools.count_gold_kinds            # table in Markdown; needs GENDER_FAIR_DATA

A kind is a pattern over the text; where the reading itself tells the kind apart, the pattern has to lie over words that
stayed, or over words that changed. Patterns see the surface only: a count is of sentences of the shape, among them some
that only look like the kind.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from eval.reading.gold import FoundSentence, find_sentences, load_gold

GOLD = Path(__file__).resolve().parents[1] / "recipes" / "gold"
#: below this a kind is said to be short of sentences
WANTED = 150

_NOUN = r"[A-ZÄÖÜ][\wäöüß]+"


@dataclass(frozen=True)
class Kind:
    """One kind of reading.

    Attributes:
        name: what is hard.
        pattern: finds it.
        read: which of the matches count by what the reader did to them.
    """

    name: str
    pattern: re.Pattern[str]
    read: Literal["any", "stays", "changes"] = "any"

    def is_in(self, found: FoundSentence) -> bool:
        """Return True if a match in the sentence was read in the way that the kind asks for."""
        edits = found.gold.edits or ()
        for match in self.pattern.finditer(found.text):
            changed = any(start < match.end() and match.start() < end for start, end, _ in edits)
            if self.read == "any" or changed == (self.read == "changes"):
                return True
        return False


def _kind(name: str, pattern: str, read: Literal["any", "stays", "changes"] = "any") -> Kind:
    return Kind(name, re.compile(pattern), read)


KINDS = (
    _kind(
        "dative and genitive plurals",
        rf"\b(?:den|der|aller|vieler|mehrerer|von|mit|bei|unter) (?:[a-zäöüß]+e[nr] )?{_NOUN}(?:ern|nen|en|er)\b",
        "changes",
    ),
    _kind("*als* and a weak noun", r"\b[Aa]ls (?:[a-zäöüß]+e[rn]? )?[A-ZÄÖÜ]\w+(?:e|en|ist|ent|ant)\b"),
    _kind(
        "bare plurals", rf"(?:^|[,;:] |\b(?:und|oder|sowie|für|durch|von|mit|ohne) ){_NOUN}(?:er|en|ern)\b", "changes"
    ),
    _kind("pronouns of things, neuters, places, names", r"\b(?:[Ee]r|[Ii]hn|[Ii]hm|[Ss]eine?[nmrs]?)\b", "stays"),
    _kind("*sie* of several", r"\bsie\b", "stays"),
    _kind("polite *Sie*", r"(?<=[a-zäöüß,] )(?:Sie|Ihnen|Ihre?[nmrs]?)\b", "stays"),
    _kind(
        "*einer, jeder, derjenige*",
        r"\b(?:[Ee]iner|[Jj]ede[rnm]|[Kk]eine[rnm]|[Dd]e[rnm]jenigen?|[Mm]ancher|[Jj]emand|[Nn]iemand)\b",
    ),
    _kind("*Ihr* at the beginning", r"^Ihre?[nmrs]?\b"),
    _kind(
        "names of families, firms, clubs, streets",
        r"\b(?:Herrn?|Frau|Dr\.|Prof\.|Familie|Firma|FC|TSV|GmbH|AG|[Ss]traße|\w+straße|[Pp]latz|\w+platz|Verein)\b",
    ),
    _kind(
        "adjectives in names",
        r"\b(?:Deutsche[rn]?|[A-ZÄÖÜ][a-zäöüß]+er|Freie[nr]?|Vereinigte\w?|Linke[nr]?|Grünen?) [A-ZÄÖÜ]\w+",
        "stays",
    ),
    _kind(
        "things in *-er, -or, -ordner, -halter, -träger*",
        r"\b[A-ZÄÖÜ]\w*(?:ordner|halter|träger|schalter|rechner|server|speicher|finder|filter|zeiger|melder|stecker|leiter"
        r"|messer|geber|nehmer|wandler|sender|empfänger|motor|sensor|faktor|monitor|drucker|fehler|computer)(?:n|s|en)?\b",
        "stays",
    ),
    _kind(
        "software and products",
        r"\b(?:Manager|Browser|Explorer|Editor|Viewer|Player|Reader|Assistent|Agent|Client|User|Administrator|Benutzer"
        r"|Nutzer|Server|Windows|Linux|Google|Apple|Microsoft)\w*",
    ),
    _kind(
        "adjectives and parts of the body that look like persons",
        rf"\b(?:[dD]e[rnm]|[eE]ine?[nmr]?|[iI]m|[aA]m) {_NOUN}(?:te|ten|ter|ende|enden|ige|igen)\b",
        "stays",
    ),
    _kind(
        "verbs at the beginning", r"^[A-ZÄÖÜ][a-zäöü]+(?:e|en|t|er) (?:Sie|ich|du|er|wir|die|der|das|den|sich|nicht)\b"
    ),
    _kind(
        "subjects behind their verb",
        rf"\b[a-zäöüß]+(?:t|te|en|ten) (?:der|die|ein|eine|jeder) {_NOUN}(?:er|in|te|ist|or|ent)\b",
    ),
    _kind(
        "second relatives",
        r", (?:der|die|dem|den|dessen|deren)\b.*(?:und|,) (?:der|die|dem|den|dessen|deren)\b",
    ),
    _kind(
        "agreement over a participle clause",
        r"\b(?:[Dd]e[rnm]|[Dd]ie|[Ee]ine?[nmr]?) (?:\w+ ){1,4}[a-zäöüß]+(?:ten?|ter|enden?|ender|enen?|ener)"
        r" [A-ZÄÖÜ]\w+",
        "changes",
    ),
    _kind(
        "bare *ehemaliger Vermieter*",
        r"(?<!\b[Dd]er )(?<!\b[Ee]in )\b(?:[Ee]hemalige|[Ff]rühere|[Nn]eue|[Aa]lte|[Jj]unge|[Gg]ute|[Ee]rste"
        r"|[Dd]eutsche|[Bb]ekannte|[Gg]roße|[a-zäöü]+liche|[a-zäöü]+ige|[a-zäöü]+ische)[rn]"
        rf" {_NOUN}(?:er|ist|ent|or|ant|e)\b",
        "changes",
    ),
    _kind(
        "nominalised participles",
        r"\b[A-ZÄÖÜ][a-zäöüß]+(?:igt|iert|end|en|ell|tellt|ührt|ickt)(?:e|en|er|em)\b",
        "changes",
    ),
)


def read_sentences(data: Path) -> Iterator[FoundSentence]:
    """Yield the read German sentences with their texts.

    Args:
        data: folder of the corpora.
    """
    for path in sorted(GOLD.glob("de-*.jsonl")):
        yield from find_sentences(load_gold(path), data)


def count(data: Path) -> dict[str, tuple[int, int]]:
    """Return for each kind the number of sentences and of those among them that change.

    Args:
        data: folder of the corpora.
    """
    counted = {kind.name: [0, 0] for kind in KINDS}
    for found in read_sentences(data):
        for kind in KINDS:
            if kind.is_in(found):
                counted[kind.name][0] += 1
                counted[kind.name][1] += not found.gold.stays
    return {name: (all_, changed) for name, (all_, changed) in counted.items()}


def main() -> None:
    """Print the table."""
    data = os.environ.get("GENDER_FAIR_DATA")
    if not data:
        raise SystemExit("GENDER_FAIR_DATA names no folder of corpora")
    print("| kind | sentences | to change |\n|---|---:|---:|")
    for name, (all_, changed) in count(Path(data)).items():
        print(f"| {name} | {all_:,}{'' if all_ >= WANTED else ' (short)'} | {changed:,} |")


if __name__ == "__main__":
    main()
