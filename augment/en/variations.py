"""Variations of pairs: rare constructions made from common ones, with certain labels and without a parse.

*me* tells for certain that a pronoun is an object, *my* that it is a possessive, *mine* that it stands alone; so
ordinary sentences with them become sentences with *her* and *his* whose reading is known. And a pair with one *they*
beside its verb becomes one with an adverb or a parenthesis in between, or with a tag question behind.
"""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

from rewriter.en.inflection import match_case, to_singular
from rewriter.records import Pair

_FIRST_PERSON = re.compile(r"(?<![\w'’-])(?:me|my|mine|us|our|ours)(?![\w'’-])", re.IGNORECASE)
_CASES = {"me": "object", "us": "object", "my": "possessive", "our": "possessive", "mine": "alone", "ours": "alone"}
_GENDERED = {
    "feminine": {"object": "her", "possessive": "her", "alone": "hers"},
    "masculine": {"object": "him", "possessive": "his", "alone": "his"},
}
_FAIR = {"object": "them", "possessive": "their", "alone": "theirs"}
#: "the US", "oh my", "me and ..." as a subject are no pronouns in the cases above
_NOT_PERSON = re.compile(r"\bUS\b|\b(?:oh|dear) my\b|^me and\b", re.IGNORECASE)

_SUBJECT = re.compile(r"(?<![\w'’-])(?P<pronoun>he|she) (?P<verb>[a-z]+s|is|was|has)(?![\w'’-])", re.IGNORECASE)
_THEY = re.compile(r"(?<![\w'’-])they (?P<verb>[a-z]+)(?![\w'’-])", re.IGNORECASE)
_ADVERBS = (
    "always never often also still really usually sometimes rarely probably certainly only just then clearly "
    "apparently already now finally simply quietly seldom actually merely secretly gladly"
).split()
_ADVERB_PHRASES = tuple(
    "hardly ever|almost never|no longer|almost certainly|at times|all too often|of course".split("|")
)
_PARENTHESES = tuple(
    (
        ", however,|, of course,|, I think,|, by the way,|, as usual,|, according to the report,|, in fact,|, too,"
        "| (of all people)| (so the story goes)| - it seems -| — or so I hear —|, like many others,"
        "|, on the other hand,| (see below)|, as everybody knows,|, after years of work,|, at the age of thirty,"
    ).split("|")
)
_TAGS = {"is": "isn't", "was": "wasn't", "has": "hasn't", "are": "aren't", "were": "weren't", "have": "haven't"}


def vary(pair: Pair, rng: np.random.Generator) -> Pair | None:
    """Return a variation of a pair, or None where none fits.

    Args:
        pair: a backward or a neutral pair.
        rng: chooses the gender, the words and the kind.
    """
    if pair.strategy == "copy" and pair.form == "neutral":
        return _third_person(pair, rng)
    if pair.strategy == "backward" and not pair.doubtful:
        return _insertion(pair, rng)
    return None


def _third_person(pair: Pair, rng: np.random.Generator) -> Pair | None:
    if _NOT_PERSON.search(pair.source) or not _FIRST_PERSON.search(pair.source):
        return None
    form = "feminine" if rng.random() < 0.7 else "masculine"  # "her" has the two readings, so it is wanted more

    def write(words: dict[str, str]) -> str:
        return _FIRST_PERSON.sub(lambda m: match_case(m.group(), words[_CASES[m.group().lower()]]), pair.source)

    return replace(pair, source=write(_GENDERED[form]), target=write(_FAIR), strategy="variation", form=form)


def _insertion(pair: Pair, rng: np.random.Generator) -> Pair | None:
    sources, targets = list(_SUBJECT.finditer(pair.source)), list(_THEY.finditer(pair.target))
    if len(sources) != 1 or len(targets) != 1:
        return None
    source, target = sources[0], targets[0]
    singular = to_singular(target["verb"])
    if singular is None or singular.lower() != source["verb"].lower():
        return None
    if pair.source.isupper():
        return None
    tagged = _tag(pair, source, target) if rng.random() < 0.25 else None
    return tagged or _between(pair, source, target, rng)


def _between(pair: Pair, source: re.Match[str], target: re.Match[str], rng: np.random.Generator) -> Pair:
    """Put an adverb or a parenthesis between pronoun and verb."""
    lot = rng.random()
    if lot < 0.45:
        words = " " + _ADVERBS[int(rng.integers(len(_ADVERBS)))]
    elif lot < 0.6:
        words = " " + _ADVERB_PHRASES[int(rng.integers(len(_ADVERB_PHRASES)))]
    else:
        words = _PARENTHESES[int(rng.integers(len(_PARENTHESES)))]
    source_at, target_at = source.end("pronoun"), target.start("verb") - 1
    return replace(
        pair,
        source=pair.source[:source_at] + words + pair.source[source_at:],
        target=pair.target[:target_at] + words + pair.target[target_at:],
        strategy="variation",
    )


def _tag(pair: Pair, source: re.Match[str], target: re.Match[str]) -> Pair | None:
    """Put a tag question behind a short sentence that begins with the pronoun."""
    if source.start() or not pair.source.endswith(".") or len(pair.source) > 90 or not pair.target.endswith("."):
        return None
    auxiliary = _TAGS.get(source["verb"].lower(), "doesn't"), _TAGS.get(target["verb"].lower(), "don't")
    return replace(
        pair,
        source=f"{pair.source[:-1]}, {auxiliary[0]} {source['pronoun'].lower()}?",
        target=f"{pair.target[:-1]}, {auxiliary[1]} they?",
        strategy="variation",
    )
