"""Make ``lexicons/en/object_words.tsv``: words before which *her* is an object when a certain verb goes before.

*called her names*, *wished her luck*, *helped her move*: *her* is spelt alike in both readings, but *me, us, him, them*
are objects and *my, our, his, their* are possessives for certain. So ordinary text tells how often each verb and word
have an object between them and how often a possessive. Kept are pairs of them that have hardly ever a possessive.

Run by hand: ``python -m tools.make_object_words FOLDER`` (text files, plain or .zst).
"""

from __future__ import annotations

import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from tools import LEXICONS
from tools.plain_lines import lines_of

HEADER = """\
# Words before which "her" is an object, not a possessive, if one of the verb forms goes before and no noun behind it.
# Source: counted by tools/make_object_words.py over the open English texts that the bundled model is trained on:
# me, us, him and them stood between the two, and hardly ever my, our, his or their; a few words are our own.
# Licence: facts.
word	verbs
"""
#: how often an object was seen at least
LEAST = 3
#: possessives for each object at most
MOST = 0.02
OBJECTS = frozenset("me us him them".split())
#: base form and the others that no rule gives
IRREGULAR = """
be is are am was were been being|bear bore borne born|bid bade bidden|bring brought|build built|buy bought|catch caught
choose chose chosen|cost|deal dealt|do does did done doing|draw drew drawn|drive drove driven|eat ate eaten|feed fed
feel felt|fight fought|find found|fling flung|forgive forgave forgiven|get got gotten getting|give gave given
go went gone|hear heard|hit hitting|hold held|keep kept|know knew known|lay laid|lead led|leave left|lend lent
let letting|lose lost|make made|mean meant|meet met|owe|pay paid|put putting|read|ride rode ridden|ring rang rung
run ran running|say said|see saw seen|sell sold|send sent|set setting|shoot shot|show shown|sing sang sung
speak spoke spoken|spend spent|stand stood|steal stole stolen|strike struck|swear swore sworn|take took taken
teach taught|tell told|think thought|throw threw thrown|wear wore worn|win won winning|write wrote written|beat beaten
break broke broken|cut cutting|hang hung|hide hid hidden|hurt|shut shutting|spare|sweep swept|tear tore torn
wake woke woken|bind bound|lie lay lain|seek sought|sit sat sitting
"""
#: too rare to be counted, and clear
OWN = {
    "award": "damages compensation custody costs",
    "bore": "stiff silly",
    "scare": "stiff silly",
    "pay": "compensation damages thousands millions hundreds",
    "appoint": "captain treasurer president chancellor queen ambassador dean bishop governor speaker chair chairperson",
    "crown": "queen empress champion",
    "elect": "captain treasurer president chancellor queen dean bishop governor speaker mayor chair chairperson",
    "make": "leave redundant captain treasurer chancellor queen chair chairperson mayor dean",
    "buy": "flowers roses chocolates",
    "cost": "time money millions thousands",
    "do": "justice harm good",
    "give": "hope goosebumps mine",
    "lend": "mine",
    "leave": "speechless penniless relieved exhausted stranded unharmed",
    "keep": "company",
    "offer": "tea coffee wine cake biscuits sweets",
    "owe": "money rent thanks thousands millions hundreds",
    "send": "flowers roses chocolates",
    "deny": "access admission asylum bail credit custody entry parole permission citizenship treatment",
    "grant": "access admission asylum bail credit custody entry parole permission citizenship immunity",
    "refuse": "access admission asylum bail credit custody entry parole permission citizenship treatment",
    "show": "mercy mine kindness respect",
    "hand": "flowers roses leaflets",
    "teach": "chess maths geometry algebra French German Spanish Latin Greek Italian English Chinese Japanese Russian "
    "Arabic Hebrew Portuguese Dutch Polish Turkish manners needlework sewing knitting carpentry",
    "tell": "lies fibs",
    "wish": "luck joy happiness success health",
}


def count(
    paths: Iterable[Path], lemma: Mapping[str, str], closing: Iterable[str]
) -> tuple[dict[tuple[str, str], list[int]], dict[str, set[str]]]:
    """Return for each verb (base form) and word how many objects and how many possessives stood between them.

    And for each verb its forms that were seen.

    Args:
        paths: text files.
        lemma: base form by form of a verb.
        closing: words that may stand behind the word; no noun phrase goes on with them.
    """
    pattern = re.compile(
        r"\b([A-Za-z]+) (me|us|him|them|my|our|his|their) ([a-z]+)(?![\w'’/-])"
        rf"(?= (?:{'|'.join(sorted(closing))})\b|[^\w ]|$| [^A-Za-z ])"
    )
    counts: dict[tuple[str, str], list[int]] = defaultdict(lambda: [0, 0])
    seen: Counter[tuple[str, str]] = Counter()
    for path in paths:
        for line in lines_of(path):
            for verb, pronoun, word in pattern.findall(line):
                base = lemma.get(verb.lower())
                if base:
                    counts[base, word][pronoun not in OBJECTS] += 1
                    seen[base, verb.lower()] += 1
    forms: dict[str, set[str]] = defaultdict(set)
    for (base, form), times in seen.items():
        if times >= LEAST:
            forms[base].add(form)
    return counts, forms


def lemmas(third: Mapping[str, str]) -> dict[str, str]:
    """Return the base form of every form of the verbs: third person, past, participles.

    Args:
        third: base form by third-person form.
    """
    found: dict[str, str] = {}
    for form, base in third.items():
        for other in (form, base, *_regular(base)):
            found.setdefault(other, base)
    for line in re.split(r"[|\n]", IRREGULAR):
        base, *forms = line.split() or [""]
        for form in (*forms, base):
            found[form] = base
    return {form: base for form, base in found.items() if form}


@cache
def _regular(base: str) -> tuple[str, ...]:
    """Return past and present participle as a regular verb has them, with and without doubled consonant."""
    if base.endswith("e"):
        return f"{base}d", f"{base[:-1]}ing"
    if base.endswith("y") and base[-2:-1] not in "aeiou":
        return f"{base[:-1]}ied", f"{base}ing"
    doubled = base + base[-1]
    return f"{base}ed", f"{base}ing", f"{doubled}ed", f"{doubled}ing"


def object_words(counts: Mapping[tuple[str, str], list[int]], known: frozenset[str]) -> dict[str, set[str]]:
    """Return the verbs (base forms) of every word of the table.

    Left out are words that are settled without a verb (``known``) and those that no possessive ever precedes: before
    them *her* has one reading whatever goes before.
    """
    possessive: Counter[str] = Counter()
    for (_, word), (_, owners) in counts.items():
        possessive[word] += owners
    verbs: dict[str, set[str]] = defaultdict(set)
    for (base, word), (objects, owners) in counts.items():
        if objects >= LEAST and owners <= MOST * objects and word not in known and possessive[word]:
            verbs[word].add(base)
    for base, words in OWN.items():
        for word in words.split():
            verbs[word].add(base)
    return verbs


def main() -> None:
    """Write the table."""
    folder = LEXICONS / "en"
    third = dict(_rows(folder / "verbs.tsv"))
    traps = _rows(folder / "traps.tsv")
    known = frozenset(word for word, kind in traps if kind == "after object")
    closing = known | {word for word, kind in traps if kind == "phrase end"}
    counts, forms = count(sorted(Path(sys.argv[1]).iterdir()), lemmas(third), closing)
    table = sorted(object_words(counts, known).items())
    rows = [f"{word}\t{' '.join(sorted(form for verb in verbs for form in forms[verb]))}" for word, verbs in table]
    (folder / "object_words.tsv").write_text(HEADER + "\n".join(rows) + "\n", encoding="utf-8")


def _rows(path: Path) -> list[tuple[str, str]]:
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    return [(row[0], row[1]) for row in (line.split("\t") for line in lines[1:])]


if __name__ == "__main__":
    main()
