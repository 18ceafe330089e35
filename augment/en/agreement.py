"""Which verb forms agree with a pronoun: shared by the forward and the backward rules.

Two witnesses are heard for every finite verb form, the parse and the surface. Right beside its pronoun a verb is its
own whatever the parse says; further away the parse decides, unless number excludes its answer (a plural noun governs
no *knows*, a singular one no *know*). What rests on one witness only is marked doubtful.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

from augment.dependency import Parse, Relation, Token
from rewriter.en.back_words import ADVERB_PHRASES, BETWEEN, COORDINATORS, INVERTING, NOT_ADVERBS

NEGATIONS = frozenset({"not", "n't", "nt"})
RELATIVES = frozenset({"who", "that", "which"})
_NOMINAL = ("NN", "PRP", "CD", "WP")
_BREAKS = frozenset({".", "!", "?", ";", ":"})
_OPENING = {",": ",", "(": ")", "—": "—", "–": "–", "-": "-", "--": "--", "[": "]"}
#: a verb further from its pronoun than this many words is called doubtful
FAR = 25
#: longest parenthesis between a pronoun and its verb, in words
LONGEST_PARENTHESIS = 25


@dataclass(frozen=True, slots=True)
class Agreement:
    """One verb form that agrees with a pronoun.

    Attributes:
        verb: index of the verb form.
        subject: index of the pronoun.
        rule: name of the evidence: ``adjacent``, ``inverted``, ``relative``, ``parenthesis``, ``parse``,
            ``coordinated``.
        doubtful: only one of parse and surface speaks for it, or they contradict each other.
    """

    verb: int
    subject: int
    rule: str
    doubtful: bool = False


def find_agreements(
    parse: Parse,
    pronouns: Mapping[int, bool],
    verbs: Collection[int],
    clashes: Callable[[Token], bool],
) -> dict[int, Agreement]:
    """Return, by verb index, which of ``verbs`` agree with one of ``pronouns``.

    Args:
        parse: the parsed text.
        pronouns: index of every pronoun in question, and whether its form is that of a subject.
        verbs: indices of finite forms of the number in question (*knows* or *know*).
        clashes: returns True if a word as subject is excluded by its number.
    """
    search = _Search(parse, pronouns, clashes)
    for verb in sorted(verbs):
        agreement = search.find(verb)
        if agreement:
            search.found[verb] = agreement
    return search.found


def is_adverb(parse: Parse, index: int) -> bool:
    """Return True if the word at ``index`` may stand between a subject and its verb."""
    word = parse.lower(index)
    return word in BETWEEN or parse.tag(index) in ("RB", "RBR") or (word.endswith("ly") and word not in NOT_ADVERBS)


def left_of(parse: Parse, index: int) -> int:
    """Return the nearest word before ``index`` that is no adverb or negation; -1 at the beginning."""
    index -= 1
    while index >= 0 and (is_adverb(parse, index) or _ends_phrase(parse, index)):
        index -= 2 if _ends_phrase(parse, index) else 1
    return index


def _ends_phrase(parse: Parse, index: int) -> bool:
    return (parse.lower(index - 1), parse.lower(index)) in ADVERB_PHRASES


def right_of(parse: Parse, index: int) -> int:
    """Return the nearest word after ``index`` that is no adverb or negation."""
    index += 1
    while index < len(parse) and (is_adverb(parse, index) or _ends_phrase(parse, index + 1)):
        index += 2 if _ends_phrase(parse, index + 1) else 1
    return index


def is_coordinated(parse: Parse, pronoun: int) -> bool:
    """Return True if *and* joins the pronoun with another noun phrase, so that the verb is plural anyway."""
    token = parse[pronoun]
    if token.relation is Relation.CONJUNCT and parse[token.head].pos in ("NOUN", "PROPN", "PRON"):
        return _joined_by_and(parse, token.head, pronoun)
    return any(
        parse[other].pos in ("NOUN", "PROPN", "PRON")
        and other - pronoun <= 6
        and _joined_by_and(parse, pronoun, other)
        and not parse.children(other, Relation.SUBJECT)
        for other in parse.conjuncts(pronoun)
    )


def _joined_by_and(parse: Parse, first: int, last: int) -> bool:
    return any(parse.lower(i) in ("and", "&") for i in range(first + 1, last))


class _Search:
    """The evidence for one verb after the other, left to right."""

    def __init__(self, parse: Parse, pronouns: Mapping[int, bool], clashes: Callable[[Token], bool]) -> None:
        self.parse, self.pronouns, self.clashes = parse, pronouns, clashes
        self.found: dict[int, Agreement] = {}

    def find(self, verb: int) -> Agreement | None:
        """Ask the witnesses in the order of their weight."""
        return (
            self._adjacent(verb)
            or self._inverted(verb)
            or self._relative(verb)
            or self._after_parenthesis(verb)
            or self._parsed(verb)
            or self._after_relative(verb)
            or self._coordinated(verb)
        )

    def _is_subject(self, index: int) -> bool:
        return self.pronouns.get(index, False) and not is_coordinated(self.parse, index)

    def _adjacent(self, verb: int) -> Agreement | None:
        left = left_of(self.parse, verb)
        return Agreement(verb, left, "adjacent") if self._is_subject(left) else None

    def _inverted(self, verb: int) -> Agreement | None:
        """*Is she*, *nor does he*, *doesn't she*; and ``"...", says he``."""
        parse, right = self.parse, right_of(self.parse, verb)
        if not self._is_subject(right):
            return None
        if parse.lower(verb) in INVERTING or parse.lower(verb + 1) in NEGATIONS:
            # a base form after "do they" carries no inflection, whatever its tag
            if right in parse.subjects(verb) or parse.lower(verb) in ("do", "does", "don't", "doesn't"):
                is_sure = right in parse.subjects(verb) or parse.tag(right_of(parse, right)) in ("VB", "VBP")
                return Agreement(verb, right, "inverted", doubtful=not is_sure)
            if self._has_own_verb(right):
                return None
            by_parse = parse.subject_of(verb)
            return Agreement(verb, right, "inverted", doubtful=True) if by_parse is None or by_parse > verb else None
        before = parse.lower(verb - 1)
        if self._has_own_verb(right) or right not in parse.subjects(verb):
            return None
        is_usual = before in _BEFORE_INVERSION
        return Agreement(verb, right, "inverted", not is_usual) if is_usual or parse.subject_of(verb) == right else None

    def _has_own_verb(self, pronoun: int) -> bool:
        following = right_of(self.parse, pronoun)
        if self.parse.lower(following) in ("'s", "'re", "'ve", "'d", "'ll"):
            return True
        return self.parse.tag(following) in ("VBZ", "VBP", "MD", "VBD")

    def _relative(self, verb: int) -> Agreement | None:
        """*He who gathers*; *woe to him who lies*."""
        parse, left = self.parse, left_of(self.parse, verb)
        if parse.lower(left) not in RELATIVES:
            return None
        before = left - 1 - (parse.lower(left - 1) == ",")
        if before not in self.pronouns or parse.lower(before) in ("his", "their", "hers", "theirs"):
            return None
        by_parse = parse.subject_of(verb)
        if self.pronouns[before]:
            sure = by_parse == before or parse.lower(left) == "who"
            return Agreement(verb, before, "relative", doubtful=not sure)
        if parse.lower(left) == "who" and parse[parse.predicate(verb)].relation is not Relation.COMPLEMENT:
            # "I asked him who knows" is a question about somebody else
            return Agreement(verb, before, "relative", doubtful=by_parse != before)
        return None

    def _after_parenthesis(self, verb: int) -> Agreement | None:
        """*She, however, remembers*; *he (see page 12) was*: the pronoun right before the opening mark."""
        parse = self.parse
        close = left_of(parse, verb)
        for mark, closing in _OPENING.items():
            if parse.lower(close) != closing:
                continue
            for opening in range(close - 1, max(-1, close - LONGEST_PARENTHESIS), -1):
                if parse.lower(opening) == mark and opening > 0:
                    is_own = self._is_subject(opening - 1) and not self._is_list(opening)
                    return Agreement(verb, opening - 1, "parenthesis") if is_own else None
        return None

    def _is_list(self, opening: int) -> bool:
        return self.parse.lower(opening) == "," and self.parse.lower(opening + 1) in ("and", "or")

    def _parsed(self, verb: int) -> Agreement | None:
        parse = self.parse
        subject = parse.subject_of(verb)
        if subject is None or subject not in self.pronouns or is_coordinated(parse, subject):
            return None
        if not self.pronouns[subject] and not parse.relative_clauses(subject):
            return None
        rule = "coordinated" if parse[parse.predicate(verb)].relation is Relation.CONJUNCT else "parse"
        if rule == "coordinated" and (self._has_noun_beside(verb, subject) or self._closes_inserted_clause(verb)):
            return None
        return Agreement(verb, subject, rule, doubtful=self._is_doubtful(verb, subject, rule))

    def _has_noun_beside(self, verb: int, subject: int) -> bool:
        """Return True if a noun of fitting number stands right before a coordinated verb: its own subject after all."""
        beside = left_of(self.parse, verb)
        token = self.parse[beside]
        is_noun = token.tag.startswith(("NN", "PRP", "DT", "EX")) and beside > subject
        return is_noun and not self.clashes(token) and token.relation is not Relation.OBLIQUE

    def _closes_inserted_clause(self, verb: int) -> bool:
        """*The tool, he says, offers*: the pronoun's clause is the parenthesis, the verb behind it is another's."""
        parse, comma = self.parse, verb - 1
        inserted = self.found.get(comma - 1)
        return parse.lower(comma) == "," and inserted is not None and parse.lower(inserted.subject - 1) == ","

    def _is_doubtful(self, verb: int, subject: int, rule: str) -> bool:
        parse, left = self.parse, left_of(self.parse, verb)
        first, last = min(subject, verb), max(subject, verb)
        if rule == "parse" and parse.tag(left).startswith(_NOMINAL) and left != subject:
            return True
        if last - first > FAR or any(parse.lower(i) in _BREAKS for i in range(first, last)):
            return True
        # another subject in between could be the verb's own, unless its number excludes that
        others = (t for t in parse.tokens[first + 1 : last] if t.relation is Relation.SUBJECT)
        return any(
            not self.clashes(t) and t.index not in self.pronouns for t in others if t.pos != "PRON" or t.tag == "PRP"
        )

    def _after_relative(self, verb: int) -> Agreement | None:
        """The main verb after *he who ...*, which parsers of small treebanks give to the clause or to its object."""
        parse = self.parse
        relatives = [a for a in self.found.values() if a.rule == "relative" and self.pronouns[a.subject]]
        if not relatives or parse.tag(verb) not in ("VBZ", "VBP"):
            return None
        last = relatives[-1]
        before = parse.lower(last.subject - 1)
        by_parse = parse.subject_of(verb)
        is_main = before not in ("is", "was", "'s", "be") and not any(
            a.subject == last.subject and a.rule != "relative" for a in self.found.values()
        )
        within = any(parse.lower(i) in _BREAKS for i in range(last.verb, verb))
        if (
            not is_main
            or within
            or (by_parse is not None and by_parse > last.verb and parse.lower(last.subject + 1) == "who")
        ):
            return None if by_parse != last.verb else Agreement(verb, last.subject, "relative", doubtful=True)
        return Agreement(verb, last.subject, "relative", doubtful=by_parse != last.subject)

    def _coordinated(self, verb: int) -> Agreement | None:
        """Coordination seen on the surface, where the parse names no subject or one that number excludes."""
        parse = self.parse
        by_parse = parse.subject_of(verb)
        if by_parse is not None and not self.clashes(parse[by_parse]):
            return None
        left = left_of(parse, verb)
        earlier = [a for a in self.found.values() if a.verb < verb]
        if not earlier or parse.lower(left) not in (*COORDINATORS, ","):
            return None
        last = earlier[-1]
        if self._closes_inserted_clause(verb):
            return None
        between = range(last.verb + 1, left)
        others = any(parse[i].relation is Relation.SUBJECT for i in between)
        if any(parse.lower(i) in _BREAKS for i in between) or (others and parse.lower(left) == ","):
            return None
        is_near = left - last.verb <= 3 and parse.lower(left) in COORDINATORS and not others
        return Agreement(verb, last.subject, "coordinated", doubtful=not is_near)


_BEFORE_INVERSION = frozenset(
    {'"', "'", "''", "”", "’", "»", ",", "!", "?", "-", "--", "—", "then", "here", "there", "so", "thus"}
)
