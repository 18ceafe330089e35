"""What is looked at again when the model has decided: that a verb has the changed pronoun as its subject, that a
case fits the word behind it.

Each check takes something back that cannot be English whatever the sentence means; none makes an edit of its own.
"""

from __future__ import annotations

from collections.abc import Sequence

from rewriter.en.back_words import BETWEEN
from rewriter.en.clause_words import (
    CLITICS,
    OPENERS,
    PAUSES,
    THIRD_AUXILIARIES,
    is_finite,
    is_third,
    verb_forms,
)
from rewriter.en.clauses import Clauses
from rewriter.en.closed_words import CLOSING_QUOTES, GENDERED_PRONOUNS, JOINS, SUBJECT_PRONOUNS
from rewriter.en.lexicon import traps
from rewriter.en.outcomes import OBJECT, POSSESSIVE, STANDALONE
from rewriter.language.candidates import Analysis
from rewriter.language.rules import Decision, Rules
from rewriter.language.tokens import Token

#: right behind these a form in -s is a noun
_DETERMINERS = frozenset("the a an my our your his their its these those no any some many several few".split())
#: behind them stands a noun phrase or an object, never a clause
_PREPOSITIONS = frozenset("of in on at from by into onto upon under over between among toward towards".split())
_MODALS = frozenset("could would shall should must did are were".split())
#: behind *his* without a noun they say how far or when
_ALONE = frozenset("alone better one".split()) | BETWEEN
#: before a pause they say how much, before another word they begin a phrase: his more recent work
_DEGREES = frozenset("more less much".split())
#: behind a noun in a list
_ITEM_ENDS = PAUSES | JOINS | {"", "of", "from", "for", "in", "with", "that", "which", "who"}


#: what takes a verb back, and what makes another case of that of *her* or *his*
VERB = Decision("en", "corrects")
CASE = Decision("en", "corrects")


def checked_verbs(analysis: Analysis, options: list[int], subjects: set[int], rules: Rules) -> None:
    """Take back verbs that do not follow a changed pronoun: nouns of a list, verbs behind a subject of their own.

    Args:
        analysis: of the sentence.
        options: the chosen option of each candidate; changed in place.
        subjects: places of the pronouns that change and can have verbs.
        rules: that are asked.
    """
    verbs = {c.token: i for i, c in enumerate(analysis.candidates) if c.kind == "verb"}
    doubtful = [t for t, i in verbs.items() if options[i] and analysis.candidates[i].forced is None]
    if not doubtful:
        return
    clauses = Clauses(analysis.tokens, subjects, rules)
    kept = {token for token, i in verbs.items() if not options[i]}
    for verb in sorted(doubtful):
        if rules.first(VERB, clauses, verb, kept) is not None:
            options[verbs[verb]] = 0
            kept.add(verb)


@VERB.rule(
    "taken back: behind a determiner", example="He sells the [rings] daily.", counter="He [sells] the hat daily."
)
def _is_determined(clauses: Clauses, verb: int, kept: set[int]) -> bool:
    return clauses.norm(verb) not in THIRD_AUXILIARIES and clauses.norm(verb - 1) in _DETERMINERS


@VERB.rule(
    "taken back: noun of a list",
    example="He took walks, [talks] and rides.",
    counter="He sings, [coins] and drums.",
)
def _is_listed(clauses: Clauses, verb: int, kept: set[int]) -> bool:
    """A form is joined to one that is a noun: *sells rings and coins*."""
    if clauses.norm(verb) in THIRD_AUXILIARIES:
        return False
    first = clauses.chain_begin(verb)
    if first == verb or clauses.is_adverb(verb - 1) or not _ends_list(clauses, verb):
        return False
    before = clauses.norm(first - 1)
    is_object = is_third(before) or before in _DETERMINERS or before in _PREPOSITIONS
    return is_object or (first in kept and before not in JOINS)


def _ends_list(clauses: Clauses, verb: int) -> bool:
    """Return True if nothing that only verbs have follows a form or those that are listed behind it."""
    while clauses.norm(verb) not in verb_forms("verb"):
        place = verb + 1
        if clauses.norm(place) not in _ITEM_ENDS:
            return False
        place += clauses.norm(place) == ","
        place += clauses.norm(place) in JOINS
        if place == verb + 1 or not is_third(clauses.norm(place)):
            return True
        verb = place
    return False


@VERB.rule(
    "taken back: other subject",
    example="Whenever He and the cook [sings], she leaves.",
    counter="Whenever he [sings], she leaves.",
)
def _has_other_subject(clauses: Clauses, verb: int, kept: set[int]) -> bool:
    """With the pronouns that did change; *The boss knows that He is ill* where He is a name."""
    return clauses.own_subject(verb) is not None or clauses.other_subject(verb) is not None


@VERB.rule(
    "taken back: joined to one that stays",
    example="He left but Tom stays and [waits].",
    counter="He stays and [waits].",
)
def _follows_kept(clauses: Clauses, verb: int, kept: set[int]) -> bool:
    """Return True if a verb is joined to one that has a name as its subject: *he left but Tom stays and waits*."""
    joint = clauses.skip_adverbs_back(verb - 1)
    if clauses.norm(joint) not in JOINS:
        return False
    for place in range(joint - 1, 0, -1):
        norm = clauses.norm(place)
        if norm in SUBJECT_PRONOUNS or norm in PAUSES or norm in OPENERS:
            return False
        if place in kept and is_third(norm):
            subject = clauses.skip_adverbs_back(place - 1)
            opening = clauses.norm(subject - 1)
            return clauses.tokens[subject].shape > 0 and (opening in OPENERS or opening in JOINS or opening in PAUSES)
        if is_finite(norm):
            return False
    return False


@VERB.rule(
    "taken back: noun joined before it",
    example="He sings, but She sleeps and the cook [knows] it.",
    counter="He who feeds the dog and the cat [knows] it.",
)
def _follows_joined_noun(clauses: Clauses, verb: int, kept: set[int]) -> bool:
    """Return True if *and* and a noun or name stand before a verb, and the pronoun has its verb before them.

    Not *and no longer knows*.
    """
    noun = clauses.norm(verb - 1)
    begin = verb - 2 if clauses.norm(verb - 2) in _DETERMINERS else verb - 1
    if begin == verb - 1 and (clauses.tokens[begin].shape != 1 or noun in GENDERED_PRONOUNS):
        return False
    if noun == "longer" or not noun.isalpha() or clauses.norm(begin - 1) not in JOINS or clauses.is_adverb(verb - 1):
        return False
    subject = clauses.subject_before(verb)
    is_head = clauses.norm(subject + 1) in ("who", "that")
    return subject >= 0 and not is_head and 0 <= clauses.finite_behind(subject) < begin - 1


def checked_case(tokens: Sequence[Token], index: int, outcome: int, rules: Rules) -> int:
    """Return the outcome of *her* or *his* that the word behind it allows.

    *theirs* never stands right before its noun, *their* never before an auxiliary or at the end; *them* before a noun
    is left to the model (*gave them food*).

    Args:
        tokens: of the sentence.
        index: of the pronoun.
        outcome: what the model chose.
        rules: that are asked.
    """
    found = rules.answer(CASE, tokens, index, outcome)
    return outcome if found is None else found[1]


def _alone(tokens: Sequence[Token], index: int) -> int:
    return STANDALONE if tokens[index].norm == "his" else OBJECT


@CASE.rule("case before a closing quotation mark", example='He said "like [Her]" again.', counter="We like [Her] hat.")
def _case_before_quote(tokens: Sequence[Token], index: int, outcome: int) -> int | None:
    following = tokens[index + 1] if index + 1 < len(tokens) else None
    if outcome != POSSESSIVE or following is None:
        return None
    is_end = following.norm in CLOSING_QUOTES and following.start == tokens[index].end
    return _alone(tokens, index) if is_end and not _is_hyphened(tokens, index) else None


@CASE.rule("case before an auxiliary", example="I think [her] hasnt it.", counter="I think [her] would-be boss left.")
def _case_before_auxiliary(tokens: Sequence[Token], index: int, outcome: int) -> int | None:
    if outcome != POSSESSIVE or index + 1 >= len(tokens) or _is_hyphened(tokens, index):
        return None  # his would-be successor
    norm = tokens[index + 1].norm
    return _alone(tokens, index) if norm in THIRD_AUXILIARIES or norm in _MODALS else None


@CASE.rule("case before a noun", example="We saw [his] zeugma.", counter="We saw [his] again.")
def _case_before_noun(tokens: Sequence[Token], index: int, outcome: int) -> int | None:
    if outcome != STANDALONE or index + 1 >= len(tokens):
        return None
    return POSSESSIVE if _is_noun_like(tokens, index + 1) else None


def _is_hyphened(tokens: Sequence[Token], index: int) -> bool:
    return index + 2 < len(tokens) and tokens[index + 2].norm == "-"


def _is_noun_like(tokens: Sequence[Token], index: int) -> bool:
    """Return True if a word can only go on with a noun phrase: no verb, no adverb, no word that parts phrases."""
    token = tokens[index]
    norm = token.norm
    if token.shape or not norm.isalpha() or norm in CLITICS or norm in _ALONE or norm.endswith("ly"):
        return False
    place = index + (norm == "very")  # we like his very much
    if tokens[place : place + 1] and tokens[place].norm in _DEGREES:
        return place + 1 < len(tokens) and tokens[place + 1].norm not in PAUSES | {"than"}
    return not (is_finite(norm) or norm in traps("after object") or norm in traps("phrase end") or norm in JOINS)
