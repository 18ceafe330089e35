"""Fair nouns of the table in a text, and the gendered nouns that they may be turned back into."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache

from augment.dependency import Parse, Relation
from rewriter.en.back_words import reversed_nouns


@dataclass(frozen=True, slots=True)
class FairNoun:
    """A noun of the table in a text.

    Attributes:
        start: offset of its first character.
        end: offset behind its last one (a genitive apostrophe included).
        fair: fair form as the table has it.
        genitive: what stands behind the noun within the span.
        options: gendered form by gender.
    """

    start: int
    end: int
    fair: str
    genitive: str
    options: dict[str, tuple[str, ...]] = field(compare=False)


@cache
def _noun_pattern() -> re.Pattern[str]:
    nouns = sorted({key.partition("|")[0] for key in reversed_nouns()}, key=lambda w: (-len(w), w))
    body = "|".join(re.escape(noun).replace(r"\ ", r"\s+") for noun in nouns)
    return re.compile(rf"(?<![\w@#/-])(?P<noun>{body})(?P<genitive>['’](?!\w))?(?![\w]|-\w|/\w)", re.IGNORECASE)


def find_nouns(parse: Parse) -> list[FairNoun]:
    """Return the fair nouns of the table that are used as nouns."""
    found = []
    for match in _noun_pattern().finditer(parse.text):
        fair = re.sub(r"\s+", " ", match["noun"].lower())
        plural = _is_plural(parse, match, fair)
        options = reversed_nouns().get(f"{fair}|{'plural' if plural else 'singular'}")
        if options and _is_noun_use(parse, match, fair):
            genitive = match["genitive"] if plural and match["genitive"] else ""
            end = match.end() if genitive else match.end("noun")
            found.append(FairNoun(match.start("noun"), end, fair, genitive, options))
    return found


def _is_plural(parse: Parse, match: re.Match[str], fair: str) -> bool:
    has_both = all(f"{fair}|{number}" in reversed_nouns() for number in ("singular", "plural"))
    index = parse.at(match.start("noun"))
    if has_both and index is not None:
        return parse.tag(index) in ("NNS", "NNPS")
    return f"{fair}|plural" in reversed_nouns()


def _is_noun_use(parse: Parse, match: re.Match[str], fair: str) -> bool:
    """Return True if the word is the noun of the table here, not a verb, an adjective or part of a name."""
    index = parse.at(match.end("noun") - 1)
    if index is None or parse[index].end != match.end("noun"):
        return False
    if " " in fair or "-" in fair or fair == "skillful":
        return True
    if parse.tag(index) not in ("NN", "NNS"):
        return False
    following = parse.tag(index + 1)
    if following in ("NN", "NNS", "NNP"):
        # boss fight, anchor text; "actor Jane Smith" is a title and stays good
        return following == "NNP" and fair not in ("anchor", "principal")
    if fair in ("principal", "anchor", "cleaner", "host", "usher"):
        return _is_person(parse, index)
    return True


#: verbs and prepositions that make an ambiguous noun a person
_PERSON_VERBS = frozenset(
    """say tell ask know think call speak explain announce report talk believe want ask meet see hire work""".split()
)


def _is_person(parse: Parse, index: int) -> bool:
    """Return True if an ambiguous noun (principal, anchor) is surely a person, as the subject of *say* is."""
    token = parse[index]
    head = parse[token.head]
    if any(parse[p].text.lower() in ("their", "my", "our", "your") for p in parse.possessives(index)):
        return True
    return token.relation in (Relation.SUBJECT, Relation.OBJECT) and head.lemma.lower() in _PERSON_VERBS
