"""Look-alikes: real sentences in which a word that must stay looks like one that changes.

Abbreviations (HE, HIS, SHE), symbols (He), surnames (Foreman, Steward, He) and *to steward* are rare in any corpus, so
a model never sees why capitals matter. Here they take the place of other abbreviations, symbols, surnames and verbs in
ordinary sentences without gendered words; source and target are the same.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np

from augment.languages import RuleResult
from rewriter.en.inflection import match_case

_ABBREVIATION = re.compile(
    r"(?<![\w&./-])(?!(?:I|A|OK|TV|AM|PM|AD|BC|II|III|IV|VI|VII|MR|MRS|DR|US)\b)[A-Z]{2,4}(?![\w&/.-])"
)
_SYMBOL = re.compile(
    r"(?<![\w-])(?:H2|O2|N2|CO2|CO|Ne|Ar|Li|Na|Fe|Cu|Zn|Pb|oxygen|nitrogen|hydrogen|argon|helium|methane|neon)(?![\w-])"
)
_TITLED = re.compile(
    r"\b(?:Mr|Mrs|Ms|Dr|Prof|Professor|President|Judge|Captain|General|Colonel|Senator|Sir|Lord|Miss|Major|Governor|Mayor)"
    r"\.? (?P<name>[A-Z][a-z]{2,})(?![\w-])"
)
_FULL_NAME = re.compile(
    r"\b(?:John|James|George|William|Robert|David|Thomas|Charles|Michael|Mary|Paul|Peter|Richard|Henry|Edward|Joseph|Frank"
    r"|Jack|Martin|Daniel|Anna|Susan|Alice|Emma|Jane|Kate|Sarah|Elizabeth|Margaret|Tom|Mark|Steve|Kevin|Brian|Chris|Scott"
    r"|Walter|Albert|Arthur|Ben|Sam|Samuel|Philip|Andrew|Simon|Laura|Lisa|Maria|Martha|Julia|Helen|Ruth|Amy|Karl|Max)"
    r" (?P<name>[A-Z][a-z]{3,})(?![\w-])"
)
_CHINESE = re.compile(
    r"\b(?P<name>Li|Wang|Zhang|Liu|Chen|Yang|Zhao|Wu|Zhou|Xu|Zhu|Lin|Gao|Deng|Hu|Lee|Kim|Park)(?= [A-Z][a-z]+)"
)
_TENDING = re.compile(
    r"\b(?:to|must|will|can|should|who|they|we|and) "
    r"(?P<name>manage|protect|oversee|maintain|conserve|preserve|guard|administer)\b"
)
_SURNAMES = (
    "Foreman",
    "Freshman",
    "Steward",
    "Barman",
    "Postman",
    "Layman",
    "Foreman",
    "Steward",
    "Fireman",
    "Heroine",
)
_ABBREVIATIONS = ("HE", "HIS", "SHE", "HER", "HE", "HIS", "HERS", "HIM")

Maker = Callable[[re.Match[str], np.random.Generator], str]


def _pick(words: tuple[str, ...]) -> Maker:
    return lambda match, rng: str(words[int(rng.integers(len(words)))])


#: name of the rule, where it fits, what stands there instead
_MAKERS: tuple[tuple[str, re.Pattern[str], Maker], ...] = (
    ("abbreviation", _ABBREVIATION, _pick(_ABBREVIATIONS)),
    ("symbol", _SYMBOL, _pick(("He",))),
    ("surname after a title", _TITLED, _pick((*_SURNAMES, "He", "Her", "His"))),
    ("surname after a first name", _FULL_NAME, _pick((*_SURNAMES, "Her", "His", "He"))),
    ("surname before a given name", _CHINESE, _pick(("He",))),
    ("to steward", _TENDING, _pick(("steward",))),
)


def is_candidate(text: str) -> bool:
    """Return True if some look-alike fits into ``text``."""
    return any(pattern.search(text) for _, pattern, _ in _MAKERS) and not text.isupper()


def look_alike(text: str, rng: np.random.Generator) -> RuleResult:
    """Return ``text`` with look-alikes as source and target; ``dropped`` says why there is none.

    Args:
        text: a sentence without gendered words.
        rng: chooses the kind and the words.
    """
    fitting = [(name, pattern, make) for name, pattern, make in _MAKERS if pattern.search(text)]
    if not fitting:
        return RuleResult(text, text, "neutral", dropped="no place for a look-alike")
    name, pattern, make = fitting[int(rng.integers(len(fitting)))]
    group = "name" if "name" in pattern.groupindex else 0

    def replaced(match: re.Match[str]) -> str:
        word = match_case(match[group] if match[group].islower() else "x", make(match, rng))
        start, end = match.start(group) - match.start(), match.end(group) - match.start()
        return match.group()[:start] + word + match.group()[end:]

    changed = pattern.sub(replaced, text)
    result = RuleResult(changed, changed, "neutral")
    result.statistics[f"look-alike: {name}"] += 1
    return result
