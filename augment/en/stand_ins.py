"""Certain labels for ambiguous words: they stand in for words that stand in the same places and say what they are.

*her* is *them* or *their*, *his* is *their* or *theirs*, *she's* is *they're* or *they've*; what stands around them
rarely says which without doubt. But *him* and *his* say what *her* would be in their place, *yours* and *ours* what
*his* would be, *I'm* and *you've* what *she's* would be. So these words of a real sentence are written as the ambiguous
ones; only they get a label, all else of the sentence is left without one. A sentence is taken where the grammar leaves
one of them open (*left her exhausted*, *It was his and mine*, *he's finished*), which is where a model has to judge.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from augment.languages import RuleResult
from rewriter.language.interface import Language

#: how often *she's* is written *shes*, as in chats
_WITHOUT_APOSTROPHE = 0.15


@dataclass(frozen=True, slots=True)
class Place:
    """One word that is written anew.

    Attributes:
        start: where it begins in the text.
        end: where it ends.
        source: the ambiguous word.
        target: what it becomes.
        label_from: where, in ``source``, the part begins that gets the label.
    """

    start: int
    end: int
    source: str
    target: str
    label_from: int = 0


_OBJECT = re.compile(r"\b(?:(?P<object>him)|(?P<possessive>his))\b", re.IGNORECASE)
#: *his* that stands alone would be *hers*: before a mark, or before a word that cannot follow a determiner
_ALONE = re.compile(
    r"(?:[^\w\s\"'“‘(*_]|$|\s+(?:is|was|are|were|has|had|and|or|but|nor|than|to|in|on|at|as|by|for|from|with|when|if"
    r"|will|would|could|should|can|may|might|must|did|does|do|alone|too|because|while|before|after|that|who|which)\b)"
)
#: *mine* is a noun, too, so it must follow a word after which it hardly is one; a letter ends with *Yours*
_STANDALONE = re.compile(
    r"(?<!^)\b(?:(?<=of )mine|(?<=is )mine|(?<=was )mine|(?<=are )mine|(?<=and )mine|(?<=than )mine|(?<=like )mine"
    r"|yours|ours|theirs|hers)\b"
)
_CONTRACTION = re.compile(r"\b(?P<pronoun>I|you|we|they)(?P<mark>['’])(?P<verb>m|re|ve)\b", re.IGNORECASE)
_BEGINS = re.compile(r"(?:^|[.!?:]|--|—)[\s\"'“‘(]*$")


def stand_ins(text: str, language: Language, rng: np.random.Generator) -> Sequence[RuleResult]:
    """Return the sentence with ambiguous words for unambiguous ones, and what they become.

    Args:
        text: a sentence.
        language: English.
        rng: chooses between *he's* and *she's*, with and without apostrophe.

    Returns:
        A result for each of *her*, *his* and *'s* that the grammar leaves open somewhere; its doubtful spans cover
        everything but these words.
    """
    found = ((rule, list(places(text, rng))) for rule, places in _RULES)
    results = (_result(text, rule, places, language) for rule, places in found if places)
    return [result for result in results if result is not None]


def has_stand_ins(text: str) -> bool:
    """Return True, at little cost, if a text holds a word in whose place an ambiguous one can stand."""
    return any(pattern.search(text) for pattern in (_OBJECT, _STANDALONE, _CONTRACTION))


def _her(text: str, rng: np.random.Generator) -> Iterator[Place]:
    """Yield *her* for *him* and *his*, in sentences with *him*: those with *his* alone are common already."""
    found = list(_OBJECT.finditer(text))
    if not any(match["object"] for match in found) or re.search(r"\bhers?\b", text, re.IGNORECASE):
        return
    if any(match["possessive"] and _ALONE.match(text, match.end()) for match in found):
        return
    for match in found:
        target = "them" if match["object"] else "their"
        yield Place(match.start(), match.end(), _cased(match[0], "her"), _cased(match[0], target))


def _his(text: str, rng: np.random.Generator) -> Iterator[Place]:
    for match in _STANDALONE.finditer(text):
        yield Place(match.start(), match.end(), "his", "theirs")


def _contractions(text: str, rng: np.random.Generator) -> Iterator[Place]:
    pronoun = "he" if rng.random() < 0.5 else "she"
    without = rng.random() < _WITHOUT_APOSTROPHE
    for match in _CONTRACTION.finditer(text):
        begins = match["pronoun"][0].isupper() and (match["pronoun"] != "I" or _BEGINS.search(text[: match.start()]))
        mark = "" if without else match["mark"]
        source, target = f"{pronoun}{mark}s", f"they{mark}{'ve' if match['verb'].lower() == 've' else 're'}"
        if begins:
            source, target = source.capitalize(), target.capitalize()
        yield Place(match.start(), match.end(), source, target, len(pronoun))


_RULES: tuple[tuple[str, Callable[[str, np.random.Generator], Iterator[Place]]], ...] = (
    ("her for him and his", _her),
    ("his for yours and ours", _his),
    ("he's and she's for I'm and you've", _contractions),
)


def _cased(like: str, word: str) -> str:
    return word.upper() if like.isupper() else word.capitalize() if like[0].isupper() else word


def _result(text: str, rule: str, places: Sequence[Place], language: Language) -> RuleResult | None:
    source, labelled = _written(text, places)
    target, _ = _written(text, [Place(p.start, p.end, p.target, p.target) for p in places])
    starts = {start for start, _ in labelled}
    if not any(c.start in starts and c.forced is None for c in language.analyze(source, []).candidates):
        return None
    doubtful = tuple(_between(labelled, len(source)))
    form = "feminine" if places[0].source.lower().startswith(("she", "her")) else "masculine"
    return RuleResult(source, target, form, doubtful=doubtful, statistics=Counter({rule: len(places)}))


def _written(text: str, places: Sequence[Place]) -> tuple[str, list[tuple[int, int]]]:
    """Return the text with the places written anew, and the spans in it that get labels."""
    parts: list[str] = []
    spans, at, length = [], 0, 0
    for place in places:
        parts += [text[at : place.start], place.source]
        length += place.start - at + len(place.source)
        spans.append((length - len(place.source) + place.label_from, length))
        at = place.end
    return "".join([*parts, text[at:]]), spans


def _between(spans: Sequence[tuple[int, int]], length: int) -> Iterator[tuple[int, int]]:
    """Yield what lies outside the spans."""
    at = 0
    for start, end in [*spans, (length, length)]:
        if start > at:
            yield at, start
        at = end
