"""One decision for each person: mentions that belong together are weighed together, then written."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache

from augment.de.swapping.mention import CELLS, POSSESSIVE, Mention, Reading, Written
from augment.de.swapping.reader import Part
from augment.swap.settings import SwapSettings
from lexicons.loader import read_table
from rewriter.de.inflection import FEMININE, GENITIVE, NOMINATIVE, match_case
from rewriter.records import Edit

#: kinds of mentions that may be subjects
_SUBJECTS = frozenset({"noun", "kin", "nominalised", "personal", "alone"})
#: log-odds of what no network has to read: a given name that is swapped
_CERTAIN = 20.0
#: log-odds that a person must have, six to four: in doubt the text stays
LEAST = 0.405


@dataclass(frozen=True, slots=True)
class Decision:
    """What becomes of a mention.

    Attributes:
        mention: the mention.
        reading: that is written.
        odds: log-odds that it turns, as the mentions of its person say together.
    """

    mention: Mention
    reading: Reading
    odds: float


def chains(parts: Sequence[Part]) -> Iterator[list[Mention]]:
    """Yield the mentions of a document that belong together by their form, a list for each person.

    A title belongs to the person behind it, a relative pronoun to the person right before its comma.
    """
    for part in parts:
        known: dict[int, list[Mention]] = {}
        for mention in part.mentions:
            head = mention.head if mention.kind == "relative" else _title_before(part, mention)
            chain = known.get(id(head)) if head is not None else None
            if chain is None:
                chain = []
            chain.append(mention)
            known[id(mention)] = chain
        seen: set[int] = set()
        for chain in known.values():
            if id(chain) not in seen:
                seen.add(id(chain))
                yield chain


def _title_before(part: Part, mention: Mention) -> Mention | None:
    if mention.kind not in ("noun", "nominalised", "name"):
        return None
    return next((m for m in part.mentions if m.kind == "title" and m.token == mention.start - 1), None)


def decide(parts: Sequence[Part], settings: SwapSettings) -> list[list[Decision]]:
    """Return what turns in each sentence of a document."""
    weighed: dict[int, float] = {}
    for chain in chains(parts):
        odds = sum(_odds(mention) for mention in chain) / len(chain)
        weighed |= {id(mention): odds for mention in chain}
    found = []
    for part in parts:
        turning = [m for m in part.mentions if weighed[id(m)] > LEAST]
        decisions = [Decision(m, reading, weighed[id(m)]) for m in turning if (reading := best_reading(m)) is not None]
        decisions = one_subject(part, decisions)
        found.append([d for d in decisions if _target(d.reading) in settings.targets])
    return found


def _target(reading: Reading) -> str:
    return "masculine" if reading.gender == FEMININE else "feminine"


def _odds(mention: Mention) -> float:
    return _CERTAIN if mention.kind == "name" else mention.turn


def best_reading(mention: Mention) -> Reading | None:
    """Return the likeliest reading: readings that are written alike count together."""
    return _best(mention, mention.readings)


def _best(mention: Mention, readings: Sequence[Reading]) -> Reading | None:
    totals: dict[tuple[Written, ...], float] = {}
    for reading in readings:
        totals[reading.words] = totals.get(reading.words, 0.0) + math.exp(_score(mention, reading))
    if not totals:
        return None
    words = max(totals, key=lambda known: totals[known])
    return next(reading for reading in readings if reading.words == words)


def one_subject(part: Part, decisions: Sequence[Decision]) -> list[Decision]:
    """Return the decisions with one subject in each piece of a clause: of several the surest stays one.

    Each mention is read by itself, and a feminine shows no case: *Sie kennt die Ärztin* would be *Er kennt der Arzt*.
    Pieces end at marks and conjunctions; one with a verb that takes a predicate, or *als*, may have two nominatives.
    """
    pieces = _pieces(part)
    chosen = list(decisions)
    subjects: dict[int, list[int]] = {}
    for number, decision in enumerate(chosen):
        piece = pieces[decision.mention.token]
        if piece >= 0 and decision.reading.cell == NOMINATIVE and decision.mention.kind in _SUBJECTS:
            subjects.setdefault(piece, []).append(number)
    for numbers in subjects.values():
        surest = max(numbers, key=lambda number: _margin(chosen[number].mention))
        for number in numbers:
            if number != surest and (other := _as_object(chosen[number].mention)) is not None:
                chosen[number] = replace(chosen[number], reading=other)
    return chosen


@cache
def _clause_words() -> tuple[frozenset[str], frozenset[str]]:
    """Return the words that begin a piece of a clause, and those beside which two nominatives stand."""
    rows = read_table("de", "clause_words")
    copulas = {row["form"] for row in read_table("de", "verb_forms") if row["kind"] == "copula"}
    kinds = {kind: {row["word"] for row in rows if row["kind"] == kind} for kind in ("conjunction", "predicative")}
    return frozenset(kinds["conjunction"]), frozenset(kinds["predicative"] | copulas)


def _pieces(part: Part) -> list[int]:
    """Return of each token the number of its piece, -1 for all of a piece that may have several nominatives."""
    conjunctions, predicative = _clause_words()
    numbers, several, piece = [], set(), 0
    for norm in part.sentence.norms:
        if not norm[:1].isalpha() or norm in conjunctions:
            piece += 1
        if norm in predicative:
            several.add(piece)
        numbers.append(piece)
    return [-1 if number in several else number for number in numbers]


def _as_object(mention: Mention) -> Reading | None:
    return _best(mention, [reading for reading in mention.readings if reading.cell not in (NOMINATIVE, GENITIVE)])


def _margin(mention: Mention) -> float:
    """Return how much surer a mention is the subject than an object."""
    other = _as_object(mention)
    subject = _best(mention, [reading for reading in mention.readings if reading.cell == NOMINATIVE])
    return math.inf if other is None or subject is None else _score(mention, subject) - _score(mention, other)


def _score(mention: Mention, reading: Reading) -> float:
    if not mention.cells:
        return 0.0
    score = mention.cells[reading.cell] if reading.cell >= 0 else 0.0
    return score + mention.cells[len(CELLS) + reading.plural] if mention.phrase is not None else score


def written(part: Part, decisions: Sequence[Decision]) -> list[Edit]:
    """Return the edits of a sentence, with offsets in its text."""
    stems = {d.mention.token: d for d in decisions if d.reading.cell == POSSESSIVE}
    edits: list[Edit] = []
    taken: set[int] = set()
    for decision in sorted(decisions, key=lambda d: d.reading.cell == POSSESSIVE):
        for word in decision.reading.words:
            tokens = set(range(word.first, word.last + 1))
            if tokens & taken:
                continue
            taken |= tokens
            edits.append(_edit(part, decision, _with_possessor(part, word, stems)))
    return sorted((e for e in edits if e.before != e.after), key=lambda e: e.start)


def _with_possessor(part: Part, word: Written, stems: dict[int, Decision]) -> Written:
    """Return a possessive that agrees with what it stands before, of the possessor that was decided."""
    possessor = stems.get(word.last)
    if possessor is None or word.kind != "possessive" or word in possessor.reading.words:
        return word
    own, other = ("ihr", "sein") if possessor.mention.gender == FEMININE else ("sein", "ihr")
    ending = word.text.lower().removeprefix(own)
    return Written(word.first, word.last, match_case(part.sentence.surface(word.first), other + ending), word.kind)


def _edit(part: Part, decision: Decision, word: Written) -> Edit:
    tokens = part.sentence.tokens
    start, end = tokens[word.first].start, tokens[word.last].end
    before = part.sentence.text[start:end]
    share = 1 / (1 + math.exp(-decision.odds))
    who = "table" if decision.mention.kind == "name" else f"network {share:.2f}"
    reason = f"{before} -> {word.text}: {decision.mention.kind}, {who}"
    return Edit(start, end, before, word.text, word.kind, reason, round(share, 4))
