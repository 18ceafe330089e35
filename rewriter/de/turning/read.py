"""A German sentence read by rules: what its pronouns mean, and gender and case of its persons."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cache

from lexicons.loader import read_table
from rewriter.de.given_names import given_names
from rewriter.de.inflection import ACCUSATIVE, FEMININE, MASCULINE, NOMINATIVE, PLURAL
from rewriter.de.lexicon import genders
from rewriter.de.tokens import Token
from rewriter.de.turning.cases import is_often_plural
from rewriter.de.turning.clause_finder import stop_words
from rewriter.de.turning.clauses import INSTITUTIONS, Clause, ClauseSentence, Nominal
from rewriter.de.turning.grammar import NEUTER, Pair, TurningLexicon, words
from rewriter.de.turning.names import NameFinder
from rewriter.de.turning.pronouns import Link
from rewriter.de.turning.reference import Entity
from rewriter.de.turning.turn import SentenceTurner, Turning

_POLITE = re.compile(r"(?<=[^\W\d_])[,;]? (?:Sie|Ihnen|Ihr(?:e[nmrs]?)?)(?!\w)")


@dataclass(frozen=True)
class Reading:
    """What rules say about a sentence; tokens are those of :class:`rewriter.de.sentence.Sentence`.

    Attributes:
        links: per token of a pronoun that means a person what it means.
        heads: per token of a person's noun gender (or plural) and case as they are read.
        objects: tokens of persons that are objects since another person is the subject of their clause.
        polite: somebody is addressed with *Sie*.
        pointed: per token of *dieser, diesen, diesem* alone the person before it, -1 where a thing stands nearer.
        several: tokens of nominalised participles that are read as plurals (*die Zahl der Teilnehmenden*).
    """

    links: dict[int, Link] = field(default_factory=dict)
    heads: dict[int, tuple[int, int]] = field(default_factory=dict)
    objects: frozenset[int] = frozenset()
    several: frozenset[int] = frozenset()
    pointed: dict[int, int] = field(default_factory=dict)
    polite: bool = False


def read_sentence(
    text: str,
    protected: Sequence[tuple[int, int]] = (),
    before: Sequence[str] = (),
    tokens: list[Token] | None = None,
) -> Reading:
    """Read a sentence.

    Args:
        text: one sentence.
        protected: spans of it that are no running text, in order.
        before: the sentences before it, which may hold what its pronouns mean.
        tokens: of the sentence where they are known.
    """
    turner = _turner(text, protected, [], tokens)
    turner.read()
    if before and any(link.root == at for at, link in turner.links.items()):
        turner.read(_entities(before))
    people = [n for n in turner.sentence.nominals if n.kind == "person" and n.swaps]
    heads = {n.head: (n.gender, n.case) for n in people}
    objects = frozenset(n.head for n in people if n.case == ACCUSATIVE and _is_beside_subject(turner.sentence, n))
    several = frozenset(n.head for n in turner.sentence.nominals if n.gender == PLURAL and is_often_plural(n))
    return Reading(_with_doubts(turner), heads, objects, several, _pointed(turner.sentence), is_polite(text))


def _pointed(sentence: ClauseSentence) -> dict[int, int]:
    """Return what *dieser, diesen, diesem* mean: the nearest masculine before them."""
    pointed = {}
    for at, norm in enumerate(sentence.norms):
        if norm not in ("dieser", "diesen", "diesem") or sentence.nominal_at(at) is not None:
            continue
        if norm == "dieser" and sentence.norm(at - 1) in sentence.closed.prepositions:
            continue  # mit dieser
        near = [n for n in sentence.nominals if n.head < at and n.gender in (MASCULINE, -1)]
        if near:
            last = max(near, key=lambda n: n.head)
            pointed[at] = last.head if last.kind == "person" and last.swaps else -1
    return pointed


def _is_beside_subject(sentence: ClauseSentence, nominal: Nominal) -> bool:
    """Tell whether another person before a phrase is the subject of its clause (*Die Ärztin fragt die Patientin*)."""
    clause = sentence.clause(nominal.head)
    if clause.copula or sentence.is_governed(nominal):
        return False
    if sentence.subject_pronouns(clause) or _is_polite_subject(sentence, clause):
        return True
    return any(
        other.case == NOMINATIVE
        and other.head < nominal.start
        and (other.human or other.kind != "thing" or sentence.norms[other.head].endswith(INSTITUTIONS))
        and not sentence.is_governed(other)
        for other in clause.nominals
    )


def _is_polite_subject(sentence: ClauseSentence, clause: Clause) -> bool:
    """Tell whether *Sie* stands right behind the verb of a clause, or behind its first word (*Fragen Sie ...*)."""
    return any(
        sentence.norm(at) == "sie" and at > 0 and sentence.tokens[at].shape > 0
        for at in (clause.verb + 1, clause.tokens[0] + 1)
    )


def _entities(before: Sequence[str]) -> list[Entity]:
    """Return what the sentences before one name; whom no star is for (names, titles, *Mann*) is told as staying."""
    known: list[Entity] = []
    for text in before:
        turner = _turner(text, (), known)
        turner.read()
        staying = {n.head for n in turner.sentence.nominals if _stays(n)}
        known = [replace(e, swaps=False, target=-1) if e.root in staying else e for e in turner.entities()]
    return known


def _stays(nominal: Nominal) -> bool:
    noun = nominal.phrase.word.noun
    return nominal.kind in ("name", "title") or (noun is not None and isinstance(noun.person, Pair))


def _with_doubts(turner: SentenceTurner) -> dict[int, Link]:
    """Return the links; of those that nothing explains some are doubtful.

    So is what stands behind a given name (*Noor mag ihre Ruhe*), a possessive behind a thing that may be its possessor
    (*Das Poster hängt und zeigt seinen Nutzen*), and *Ihr* that opens a sentence and may be polite (*Ihr Kind ...*).
    """
    sentence, links = turner.sentence, turner.links
    if all(link.root != at for at, link in links.items()):
        return links
    name = next((at for at in range(len(sentence.tokens)) if _is_given_name(sentence, at)), len(sentence.tokens))
    return {
        at: replace(link, doubtful=True)
        if link.root == at and (at > name or (link.case < 0 and _may_be_a_things(sentence, at)))
        else link
        for at, link in links.items()
    }


def _may_be_a_things(sentence: ClauseSentence, at: int) -> bool:
    """Tell whether a possessive that nothing explains may be polite or a thing's."""
    is_hers = sentence.norms[at].startswith("ihr")
    if is_hers and sentence.tokens[at].shape:
        return True
    if any(n.swaps and n.gender == (FEMININE if is_hers else MASCULINE) for n in sentence.nominals):
        return False  # der Wert seiner Sammlung war dem Besitzer bewusst
    owners = (FEMININE, PLURAL, -1) if is_hers else (MASCULINE, NEUTER, -1)
    return any(n.head < at and not n.human and n.gender in owners for n in sentence.nominals)


def _is_given_name(sentence: ClauseSentence, at: int) -> bool:
    """Tell whether a token is a given name, of those too that the table of pairs lacks, and no other word."""
    norm, surface = sentence.norms[at], sentence.surface(at)
    if sentence.tokens[at].shape != 1 or norm in stop_words() or sentence.words[at] is not None:
        return False
    if norm in words("time") or sentence.norm(at - 1) in ("im", "am", "vom", "zum", "zur", "das", "ein", "eine"):
        return False
    return norm in words("given name") or (surface in given_names() and surface not in genders())


def _turner(
    text: str, protected: Sequence[tuple[int, int]], before: list[Entity], tokens: list[Token] | None = None
) -> SentenceTurner:
    sentence, finder = ClauseSentence(text, _lexicon(), protected, tokens), _finder()
    names = finder.find(sentence)[0]
    turning = Turning((MASCULINE, FEMININE), str, is_polite(text), before)
    return SentenceTurner(sentence, names, finder.known, turning)


def is_polite(text: str) -> bool:
    """Tell whether somebody is addressed with *Sie* in a text."""
    return ("Sie" in text or "Ihr" in text or "Ihnen" in text) and _POLITE.search(text) is not None


@cache
def _lexicon() -> TurningLexicon:
    return TurningLexicon()


@cache
def _finder() -> NameFinder:
    known = {**dict.fromkeys(words("god"), "masculine"), **dict.fromkeys(words("goddess"), "feminine")}
    for row in read_table("de", "name_pairs"):
        known.setdefault(row["feminine"].lower(), "feminine")
        known.setdefault(row["masculine"].lower(), "masculine")
    return NameFinder(known)
