"""Which verb forms agree with a pronoun: shared by the forward and the backward rules.

Two witnesses are heard for every finite verb form, the parse and the surface. Right beside its pronoun a verb is its
own whatever the parse says; further away the parse decides, unless number excludes its answer (a plural noun governs
no *knows*, a singular one no *know*). What rests on one witness only is marked doubtful.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass

from augment.dependency import Parse, Relation, Token

#: forms of be, have and do that stand before their subject in questions and after "nor"
INVERTING = frozenset(
    ["is", "was", "has", "does", "are", "were", "have", "do", "isn't", "wasn't", "hasn't", "doesn't", "aren't", "weren't", "haven't", "don't", "isnt", "wasnt", "hasnt", "doesnt"]
)
NEGATIONS = frozenset({"not", "n't", "nt", "n’t"})
RELATIVES = frozenset({"who", "that", "which"})
#: adverbs that may stand between a subject and its verb although taggers give them other tags
BETWEEN = frozenset(
    ["not", "n't", "never", "always", "often", "also", "still", "just", "only", "even", "now", "then", "already", "almost", "really", "usually", "sometimes", "once", "soon", "simply", "clearly", "merely", "hardly", "ever", "rarely", "seldom", "neither", "both", "either", "all", "each", "too", "so", "thus", "therefore", "however", "instead", "later", "first", "finally", "kinda", "sorta", "definately", "actually", "literally", "basically", "probably", "apparently", "again", "nearly", "certainly", "quite", "rather", "sure", "obviously"]
)
_NOMINAL = ("NN", "PRP", "CD", "WP")
_BREAKS = frozenset({".", "!", "?", ";"})
#: a coordinated verb further from its pronoun than this many words is called doubtful
FAR = 25


@dataclass(frozen=True, slots=True)
class Agreement:
    """One verb form that agrees with a pronoun.

    Attributes:
        verb: index of the verb form.
        subject: index of the pronoun.
        rule: name of the evidence: ``adjacent``, ``inverted``, ``relative``, ``parse``, ``coordinated``.
        doubtful: only one of parse and surface speaks for it, or they contradict each other.
    """

    verb: int
    subject: int
    rule: str
    doubtful: bool = False


def find_agreements(
    parse: Parse,
    pronouns: Collection[int],
    verbs: Collection[int],
    clashes: Callable[[Token], bool],
) -> dict[int, Agreement]:
    """Return, by verb index, which of ``verbs`` agree with one of ``pronouns``.

    Args:
        parse: the parsed text.
        pronouns: indices of the pronouns in question, subjects or not.
        verbs: indices of finite forms of the number in question (*knows* or *know*).
        clashes: tells whether a word as subject is excluded by its number.
    """
    found: dict[int, Agreement] = {}
    for verb in sorted(verbs):
        agreement = (
            _adjacent(parse, verb, pronouns)
            or _inverted(parse, verb, pronouns)
            or _relative(parse, verb, pronouns)
            or _parsed(parse, verb, pronouns)
            or _coordinated(parse, verb, found, clashes)
        )
        if agreement:
            found[verb] = agreement
    return found


def _is_adverb(parse: Parse, index: int) -> bool:
    word = parse.lower(index)
    return word in BETWEEN or parse.tag(index) in ("RB", "RBR") or (word.endswith("ly") and word not in ("fly", "rely"))


def left_of(parse: Parse, index: int) -> int:
    """Return the nearest word before ``index`` that is no adverb or negation; -1 at the beginning."""
    index -= 1
    while index >= 0 and _is_adverb(parse, index):
        index -= 1
    return index


def right_of(parse: Parse, index: int) -> int:
    """Return the nearest word after ``index`` that is no adverb or negation."""
    index += 1
    while index < len(parse) and _is_adverb(parse, index):
        index += 1
    return index


def is_subject_form(parse: Parse, index: int) -> bool:
    """Tell whether the pronoun at ``index`` has a form that can be a subject."""
    return parse.lower(index) in ("he", "she", "they")


def is_coordinated(parse: Parse, pronoun: int) -> bool:
    """Tell whether *and* joins the pronoun with another noun phrase, so that the verb is plural with either number."""
    token = parse[pronoun]
    if token.relation is Relation.CONJUNCT and parse[token.head].pos in ("NOUN", "PROPN", "PRON"):
        return _joined_by_and(parse, token.head, pronoun)
    for other in parse.conjuncts(pronoun):
        if parse[other].pos in ("NOUN", "PROPN", "PRON") and _joined_by_and(parse, pronoun, other):
            return True
    return False


def _joined_by_and(parse: Parse, first: int, last: int) -> bool:
    return any(parse.lower(i) in ("and", "&") for i in range(first + 1, last))


def _adjacent(parse: Parse, verb: int, pronouns: Collection[int]) -> Agreement | None:
    left = left_of(parse, verb)
    if left not in pronouns or not is_subject_form(parse, left) or is_coordinated(parse, left):
        return None
    return Agreement(verb, left, "adjacent")


def _inverted(parse: Parse, verb: int, pronouns: Collection[int]) -> Agreement | None:
    right = right_of(parse, verb)
    if right not in pronouns or not is_subject_form(parse, right) or is_coordinated(parse, right):
        return None
    if parse.lower(verb) in INVERTING or parse.lower(verb + 1) in NEGATIONS:
        by_parse = parse.subject_of(verb)
        if by_parse == right:
            return Agreement(verb, right, "inverted")
        if by_parse is not None or _has_own_verb(parse, right):
            return None
        return Agreement(verb, right, "inverted", doubtful=True)
    return _inverted_statement(parse, verb, right)


def _inverted_statement(parse: Parse, verb: int, pronoun: int) -> Agreement | None:
    """``"...", says he``: after a quotation or comma, with no verb of the pronoun's own behind it."""
    before = parse.lower(verb - 1)
    if _has_own_verb(parse, pronoun) or parse[pronoun].relation is not Relation.SUBJECT:
        return None
    if parse.subject_of(verb) == pronoun:
        return Agreement(verb, pronoun, "inverted", doubtful=before not in _QUOTES)
    return None


_QUOTES = frozenset(
    {'"', "'", "''", "”", "’", "»", ",", "!", "?", "-", "--", "—", "then", "here", "there", "so", "thus"}
)


def _has_own_verb(parse: Parse, pronoun: int) -> bool:
    following = right_of(parse, pronoun)
    if parse.lower(following) in ("'s", "'re", "'ve", "'d", "'ll"):
        return True
    return parse.tag(following) in ("VBZ", "VBP", "MD", "VBD")


def _relative(parse: Parse, verb: int, pronouns: Collection[int]) -> Agreement | None:
    left = left_of(parse, verb)
    if parse.lower(left) not in RELATIVES:
        return None
    before = left - 1
    if parse.lower(before) == ",":
        before -= 1
    if before not in pronouns or parse.lower(before) in ("his", "their", "hers", "theirs"):
        return None
    if parse.lower(left) != "who" and parse.subject_of(verb) != before:
        # "she said to him that smoking kills": a conjunction unless the parse makes it a relative clause
        return None
    # "I asked him who knows": a question about somebody else, where the clause is the verb's complement
    clause = parse[parse.predicate(verb)]
    is_complement = clause.relation is Relation.COMPLEMENT and not is_subject_form(parse, before)
    return None if is_complement else Agreement(verb, before, "relative", doubtful=parse.subject_of(verb) != before)


def _parsed(parse: Parse, verb: int, pronouns: Collection[int]) -> Agreement | None:
    subject = parse.subject_of(verb)
    if subject is None or subject not in pronouns or is_coordinated(parse, subject):
        return None
    if not is_subject_form(parse, subject) and not parse.relative_clauses(subject):
        return None
    left = left_of(parse, verb)
    rule = "coordinated" if parse[parse.predicate(verb)].relation is Relation.CONJUNCT else "parse"
    nominal_beside = parse.tag(left).startswith(_NOMINAL) and left != subject and rule == "parse"
    other_clause = any(parse.lower(i) in _BREAKS for i in range(min(subject, verb), max(subject, verb)))
    return Agreement(verb, subject, rule, doubtful=nominal_beside or other_clause or abs(verb - subject) > FAR)


def _coordinated(
    parse: Parse, verb: int, found: dict[int, Agreement], clashes: Callable[[Token], bool]
) -> Agreement | None:
    """Coordination seen on the surface, where the parse names no subject or one that number excludes."""
    by_parse = parse.subject_of(verb)
    if by_parse is not None and not clashes(parse[by_parse]):
        return None
    left = left_of(parse, verb)
    if parse.lower(left) not in ("and", "but", "or", "nor", ",", "then", "&"):
        return None
    earlier = [a for a in found.values() if a.verb < verb]
    if not earlier or any(parse.lower(i) in _BREAKS for i in range(earlier[-1].verb, verb)):
        return None
    return Agreement(verb, earlier[-1].subject, "coordinated", doubtful=True)
