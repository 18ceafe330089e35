"""What the forward rules share: candidates in context, what rules say, and how they are registered.

A rule is a small function with a name (:mod:`rewriter.language.rules`): it sees one candidate and answers with an
outcome, or with None where it has nothing to say; the first answer counts. The name of the rule stands in the edit.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from augment.dependency import Parse, Relation, Token
from augment.en.agreement import Agreement, find_agreements, is_adverb, left_of
from rewriter.en.candidates import KEEP
from rewriter.en.inflection import to_plural
from rewriter.language import rules
from rewriter.language.candidates import Analysis, Candidate

_PLURAL_TAGS = ("NNS", "NNPS")
_NOT_THIRD_SINGULAR = frozenset(["i", "you", "we", "they", "these", "those"])


@dataclass(frozen=True, slots=True)
class Decision:
    """What a rule says about a candidate: the outcome, and whether the evidence is weak."""

    outcome: int
    doubtful: bool = False


@dataclass(frozen=True)
class Context:
    """One sentence as the rules see it.

    Attributes:
        parse: parse of the whole text.
        analysis: candidates of the sentence.
        begin: offset of the sentence in the text.
        text: the sentence.
        rules: that are asked.
    """

    parse: Parse
    analysis: Analysis
    begin: int
    text: str
    rules: rules.Rules

    def word(self, candidate: Candidate) -> int:
        """Return the index in the parse of the first word of ``candidate`` (-1 where tokens do not fit)."""
        index = self.parse.at(self.begin + candidate.start)
        return -1 if index is None else index

    @cached_property
    def pronouns(self) -> dict[int, bool]:
        """Indices in the parse of the pronouns that will change, and whether they are subject forms."""
        found: dict[int, bool] = {}
        for i, decision in self.pronoun_decisions.items():
            candidate = self.analysis.candidates[i]
            if decision is None or decision[1].outcome != KEEP:
                is_subject = candidate.options[1][1].lower() == "they"
                # of a double form both words may be the subject of a parse
                for offset in (candidate.start, candidate.end - 1):
                    index = self.parse.at(self.begin + offset)
                    if index is not None:
                        found[index] = is_subject
        return found

    @cached_property
    def pronoun_decisions(self) -> dict[int, tuple[str, Decision] | None]:
        """The decision per pronoun candidate (its index in the analysis)."""
        kinds = ("pronoun",)
        return {i: decide(self, c) for i, c in enumerate(self.analysis.candidates) if c.kind in kinds}

    @cached_property
    def agreements(self) -> dict[int, Agreement]:
        """The verb forms that agree with a changed pronoun, by index in the parse."""
        verbs = {self.word(c) for c in self.analysis.candidates if c.kind == "verb"}
        verbs = {v for v in verbs if v >= 0 and not is_noun_form(self.parse, v)}
        return find_agreements(self.parse, self.pronouns, verbs, excludes_third_singular)

    @cached_property
    def is_shouting(self) -> bool:
        """Return True if the sentence is in capitals as a whole."""
        letters = [c for c in self.text if c.isalpha()]
        return bool(letters) and sum(c.isupper() for c in letters) > 0.7 * len(letters)

    @cached_property
    def is_title(self) -> bool:
        """Return True if the sentence is in title case, so that a capital means nothing."""
        words = [w for w in re.findall(r"[A-Za-z]+", self.text) if len(w) > 2]
        return len(words) > 2 and sum(w[0].isupper() for w in words) >= 0.8 * len(words)


Rule = Callable[[Context, Candidate], "Decision | None"]
#: kind of candidate -> what its rules decide
KINDS = {
    kind: rules.Decision("en", "settles", asked="labelling") for kind in ("pronoun", "contraction", "verb", "noun")
}


def rule(kind: str, name: str, *, example: str, counter: str) -> Callable[[Rule], Rule]:
    """Register a rule, to be asked after those already there for a kind of candidate.

    Args:
        kind: of the candidates.
        name: in the edits and statistics.
        example: an annotated sentence about which it speaks.
        counter: one about which it is silent.
    """
    return KINDS[kind].rule(name, example=example, counter=counter)


def decide(context: Context, candidate: Candidate) -> tuple[str, Decision] | None:
    """Return the first answer of the rules of the candidate's kind with the rule's name, or None."""
    found = context.rules.answer(KINDS[candidate.kind], context, candidate)
    return None if found is None else (found[0].name, found[1])


def excludes_third_singular(token: Token) -> bool:
    """Return True if a subject cannot govern a verb in -s."""
    return token.tag in _PLURAL_TAGS or token.text.lower() in _NOT_THIRD_SINGULAR


_VERBAL_ROLES = (Relation.RELATIVE_CLAUSE, Relation.COMPLEMENT, Relation.AUXILIARY, Relation.COPULA)


def is_noun_form(parse: Parse, index: int) -> bool:
    """Return True if what looks like a verb form is a noun or adverb here (*his works*, *ferry times*, *always*).

    Taggers of small treebanks take unknown verbs for plural nouns, while the parser still gives them a verb's place.
    """
    token = parse[index]
    if token.tag.startswith(("VB", "MD")) or token.pos in ("VERB", "AUX"):
        return False
    if token.tag in ("RB", "IN", "CC", "PRP$", "DT", "UH"):
        return True
    if parse.tag(index - 1) in ("DT", "PRP$", "POS", "JJ", "CD") and not is_adverb(parse, index - 1):
        return True
    left = left_of(parse, index)
    if parse.lower(left) in ("he", "she", "who") and parse.tag(left)[:2] in ("PR", "WP"):
        return False
    if any(s < index for s in parse.children(index, Relation.SUBJECT)) or token.relation in _VERBAL_ROLES:
        return False
    is_verbs_conjunct = token.relation is Relation.CONJUNCT and parse[token.head].tag.startswith("VB")
    return not is_verbs_conjunct and not _continues_list(parse, index)


def _continues_list(parse: Parse, index: int) -> bool:
    """Return True if a word stands in a list of verbs: *comes, sees, sighs* (right after a verb in -s and a comma)."""
    left = left_of(parse, index)
    if parse.lower(left) not in (",", "and", "but", "or", "nor"):
        return False
    before = left_of(parse, left)
    return parse.tag(before) == "VBZ" or (
        before >= 0
        and to_plural(parse[before].text) is not None
        and before == index - 2
        and not is_noun_form(parse, before)
    )
