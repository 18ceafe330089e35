"""German words that no table knows and that may be persons all the same, by their form alone.

Only a network that reads can tell which of them are: *Crailsheimer* are people, a *Segelklassiker* is none.
"""

from __future__ import annotations

import re
from collections.abc import Container

from rewriter.de.inflection import Person

#: adjectives made of a person and what is said of it
_PERSONS_ADJECTIVE = re.compile(
    r"(?P<part>[a-zäöüß]{5,}?)(?P<rest>(?:freundlich|feindlich|nah|orientiert|zentriert|gerecht|spezifisch|bezogen"
    r"|gestützt|definiert|seitig|basiert|geführt|betrieben|finanziert|gesteuert|relevant|unabhängig|übergreifend"
    r"|generiert|eigen|bedingt|fern)(?:er?|ere[nmrs]?|ste[nmrs]?|e[nms])?)"
)
#: what a word in -er looks like that may be a person: inhabitants, trades, makers
_AGENT = re.compile(r"(?P<stem>[a-zäöüß]{4,}[bcdfghjklmnpqrtvwxzß]er)(?:s|n|in|innen)?")
#: a word in -er that is an adjective or participle at the beginning of a sentence (*Jämmerlicher Kerl*)
_ADJECTIVES_FORM = re.compile(
    r".*(?:isch|lich|ig|bar|sam|los|haft|iert|end|t|ell|al|iv|är|ös|ant|ent|abel|ibel|ern|en)er"
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
    stem = match["stem"]
    feminine = stem.removesuffix("er") if stem.endswith("erer") else stem  # Zulieferer, Zulieferin
    return Person(stem, feminine + "in", "strong", stem)
