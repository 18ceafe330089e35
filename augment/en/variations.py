"""Variations of pairs: rare constructions made from common ones, with certain labels and without a parse.

*me* tells for certain that a pronoun is an object, *my* that it is a possessive, *mine* that it stands alone; so
ordinary sentences with them become sentences with *her* and *his* whose reading is known. In the same way *him* and
*his* tell the reading of *her*, and *hers* that of *his*: gendered sentences are turned to the other gender. And a pair
with one *they* beside its verb becomes one with an adverb or a parenthesis in between, or with a tag question behind;
two or three short ones become one sentence, whose last verb stands far from its subject. Articles tell an object too:
*gave him the keys* becomes *gave her keys*; and *He runs the ferry* gives *A cousin of his runs the ferry*.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from augment.en.rare_frames import distant_frame, helped, of_his, two_objects, without_article
from rewriter.en.candidates import CHANGE, KEEP, OBJECT, POSSESSIVE, STANDALONE, analyze
from rewriter.en.inflection import match_case, to_singular
from rewriter.en.lexicon import EnglishLexicon
from rewriter.model.alignment import match_outcomes
from rewriter.policy.protect import protected_spans
from rewriter.records import Pair

_FIRST_PERSON = re.compile(r"(?<![\w'’-])(?:me|my|mine|us|our|ours|yours)(?![\w'’-])", re.IGNORECASE)
_CASES = {
    "me": "object",
    "us": "object",
    "my": "possessive",
    "our": "possessive",
    "mine": "alone",
    "ours": "alone",
    "yours": "alone",
}
_GENDERED = {
    "feminine": {"object": "her", "possessive": "her", "alone": "hers"},
    "masculine": {"object": "him", "possessive": "his", "alone": "his"},
}
_FAIR = {"object": "them", "possessive": "their", "alone": "theirs"}
#: "the US", "oh my", "me and ..." as a subject are no pronouns in the cases above
_NOT_PERSON = re.compile(
    r"\bUS\b|\b(?:oh|dear) my\b|^me and\b|\byours (?:truly|sincerely|faithfully)\b"
    r"|\b(?:an?|the|this|that|each|gold|coal|land|salt) mine\b|\bmine (?:shaft|field|worker)",
    re.IGNORECASE,
)

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
        pair: a backward, forward or neutral pair.
        rng: chooses the gender, the words and the kind.
    """
    bare = _bare_object(pair)
    if pair.strategy == "copy" and pair.form == "neutral":
        return _third_person(bare or pair, rng) or _two_objects(pair, rng)
    if bare is not None:
        return bare
    if pair.strategy == "backward" and not pair.doubtful:
        return _with_another_subject(pair, rng) or _insertion(pair, rng)
    if pair.strategy == "forward":
        return _other_gender(pair)
    return None


def _bare_object(pair: Pair) -> Pair | None:
    """Take the article behind a pronoun away that is the first of two objects: *gave him the keys*, *gave her keys*."""
    if pair.doubtful:
        return None
    source, target = without_article(pair.source, feminine=True), without_article(pair.target)
    if source is None or target is None:
        return None
    return replace(pair, source=source, target=target, strategy="copy" if pair.strategy == "copy" else "variation")


def _with_another_subject(pair: Pair, rng: np.random.Generator) -> Pair | None:
    """Give a short sentence another subject, by which *his* stands alone, or *her* an infinitive behind it."""
    lot = rng.random()
    simple = _simple(pair) if lot < _OF_HIS + _HELPED else None
    if simple is None or not simple.shows_number or simple.verb in ("is", "was", "has"):
        return None
    form = "feminine"
    if lot < _OF_HIS:
        source, target, form = of_his((simple.verb, simple.fair_verb), simple.rest, rng)
    else:
        source, target = helped(simple.fair_verb, simple.rest, rng)
    return replace(pair, source=source, target=target, strategy="variation", form=form)


def _two_objects(pair: Pair, rng: np.random.Generator) -> Pair | None:
    made = two_objects(pair.source, rng) if rng.random() < _TWO_OBJECTS else None
    return replace(pair, source=made[0], target=made[1], strategy="variation", form="feminine") if made else None


#: share of short sentences that become one with "of his", and with "helped her"
_OF_HIS, _HELPED = 0.35, 0.3
#: share of sentences without first person whose last phrase gets a verb with two objects before it
_TWO_OBJECTS = 0.25

#: pronoun and what its fair form tells -> the pronoun of the other gender
_OTHER = {
    ("he", CHANGE): "she",
    ("him", CHANGE): "her",
    ("himself", CHANGE): "herself",
    ("his", POSSESSIVE): "her",
    ("his", STANDALONE): "hers",
    ("she", CHANGE): "he",
    ("herself", CHANGE): "himself",
    ("hers", CHANGE): "his",
    ("her", OBJECT): "him",
    ("her", POSSESSIVE): "his",
}


@cache
def _lexicon() -> EnglishLexicon:
    return EnglishLexicon.load()


def _other_gender(pair: Pair) -> Pair | None:
    """Turn a masculine sentence with *him* or *his* to *her*, a feminine one with *hers* to *his*; the target stays."""
    words = set(re.findall(r"[a-z]+", pair.source.lower()))
    if pair.form == "masculine":
        gives_label = bool(words & {"him", "his"})
    else:
        gives_label = pair.form == "feminine" and "hers" in words
    swaps = _swaps(pair) if gives_label else None
    if not swaps:
        return None
    source, doubtful = pair.source, list(pair.doubtful)
    for start, end, word in reversed(swaps):
        source = source[:start] + word + source[end:]
        shift = len(word) - (end - start)
        doubtful = [(a + shift, b + shift) if a >= end else (a, b) for a, b in doubtful]
    form = "feminine" if pair.form == "masculine" else "masculine"
    return replace(pair, source=source, strategy="variation", form=form, doubtful=tuple(doubtful))


def _swaps(pair: Pair) -> list[tuple[int, int, str]] | None:
    """Return (start, end, word of the other gender) for every pronoun; None where one of them is not certain."""
    candidates = analyze(pair.source, _lexicon(), protected=protected_spans(pair.source), training=True).candidates
    options = match_outcomes(pair.source, pair.target, candidates)
    if options is None:
        return None
    swaps = []
    for candidate, option in zip(candidates, options, strict=True):
        outcome = candidate.options[option][0]
        if candidate.kind != "pronoun" or outcome == KEEP:
            continue
        surface = pair.source[candidate.start : candidate.end]
        word = _OTHER.get((surface.lower(), outcome))
        if word is None or any(a < candidate.end and candidate.start < b for a, b in pair.doubtful):
            return None
        swaps.append((candidate.start, candidate.end, match_case(surface, word)))
    return swaps


_SIMPLE = re.compile(r"(?P<pronoun>He|She) (?P<verb>[a-z]+)(?P<rest> [^.!?;:\"“”()]*)\.")
_SIMPLE_FAIR = re.compile(r"They (?P<verb>[a-z]+)(?P<rest> [^.!?;:\"“”()]*)\.")
#: what joins two clauses with one subject: before the second verb, behind the first clause
_JOINS = (" and ", ", and ", ", but ", " or ", " and then ", ", then ", " but also ", " and, as always, ")
_JOINED_LENGTH = 110
#: share of joined sentences that are made of three
_THREE = 0.2


def join(pairs: Iterable[Pair], rng: np.random.Generator) -> Iterator[Pair]:
    """Make one sentence of two or three short ones with the same pronoun: *He works and sings*, *He who sings works*.

    Args:
        pairs: of which the backward ones that are one short sentence and begin with their only pronoun are joined,
            each with the one or two before it.
        rng: chooses how.
    """
    earlier: dict[str, list[_Simple]] = {}
    for pair in pairs:
        simple = _simple(pair)
        if simple is None:
            continue
        before = earlier.setdefault(simple.pronoun, [])
        if len(before) > 1 and simple.shows_number and rng.random() < _THREE:
            yield _join_three(before[0], before[1], simple)
        elif before and simple.shows_number:
            yield _join(before[-1], simple, rng)
        earlier[simple.pronoun] = [*before[-1:], simple]


@dataclass(frozen=True, slots=True)
class _Simple:
    """A short sentence: its pronoun, its verb in source and target, and the rest, which is the same in both."""

    pair: Pair
    pronoun: str
    verb: str
    fair_verb: str
    rest: str

    @property
    def shows_number(self) -> bool:
        return self.verb != self.fair_verb and to_singular(self.fair_verb) == self.verb


def _join(first: _Simple, second: _Simple, rng: np.random.Generator) -> Pair:
    lot = rng.random()
    if lot < 0.25:
        frame = distant_frame(rng)
    elif lot < 0.6:
        frame = "{subject} {verb}{rest}" + _JOINS[int(rng.integers(len(_JOINS)))] + "{other}{tail}."
    elif lot < 0.8:
        frame = "{subject} who {verb}{rest} {other}{tail}."
    else:
        frame = "{subject}, who {verb}{rest}, {other}{tail}."
    same = {"rest": first.rest, "tail": second.rest}
    source = frame.format(subject=first.pronoun, verb=first.verb, other=second.verb, **same)
    target = frame.format(subject="They", verb=first.fair_verb, other=second.fair_verb, **same)
    return replace(first.pair, source=source, target=target, strategy="variation")


def _join_three(first: _Simple, second: _Simple, third: _Simple) -> Pair:
    def sentence(subject: str, verbs: tuple[str, str, str]) -> str:
        return f"{subject} {verbs[0]}{first.rest}, {verbs[1]}{second.rest}, and {verbs[2]}{third.rest}."

    source = sentence(first.pronoun, (first.verb, second.verb, third.verb))
    target = sentence("They", (first.fair_verb, second.fair_verb, third.fair_verb))
    return replace(first.pair, source=source, target=target, strategy="variation")


def _simple(pair: Pair) -> _Simple | None:
    if pair.strategy != "backward" or pair.doubtful or len(pair.source) > _JOINED_LENGTH:
        return None
    source, target = _SIMPLE.fullmatch(pair.source), _SIMPLE_FAIR.fullmatch(pair.target)
    if source is None or target is None or source["rest"] != target["rest"]:
        return None
    return _Simple(pair, source["pronoun"], source["verb"], target["verb"], source["rest"])


def _third_person(pair: Pair, rng: np.random.Generator) -> Pair | None:
    if _NOT_PERSON.search(pair.source) or not _FIRST_PERSON.search(pair.source):
        return None
    # "her" has two readings in every other sentence; "his" has its second one hardly ever, and only mine tells it
    alone = any(_CASES[word.lower()] == "alone" for word in _FIRST_PERSON.findall(pair.source))
    form = "masculine" if rng.random() < (0.8 if alone else 0.15) else "feminine"

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
