"""Pronouns that are spoken about: *the pronoun he*, *use they instead of he*, *| he | she | it |*."""

from __future__ import annotations

import re

from rewriter.en.clause_words import CLITICS, THIRD_AUXILIARIES, is_finite
from rewriter.en.closed_words import SUBJECT_PRONOUNS
from rewriter.en.lexicon import traps
from rewriter.en.pronoun_rows import PRONOUN
from rewriter.en.sentence import Sentence
from rewriter.language.rules import Decision

_NAMED = frozenset("pronoun pronouns".split())
#: words that name a word, unless a clause follows
_WORDS = frozenset("word form variable parameter".split())
_DETERMINERS = frozenset(("", *"a an the this that our your their no any of".split()))
_ASKING = frozenset("what which whatever whichever whose".split())
_USING = frozenset("use uses using write type typed".split())
_INSTEAD = frozenset([("instead", "of"), ("rather", "than"), ("they", "over")])
_JOINING = frozenset("and or , / &".split())
_ANY = re.compile(PRONOUN)


#: what makes that a form is only spoken about
MENTION = Decision("en", "blocks")


@MENTION.rule("row of pronouns", example="Learn I, you, [he], she, it.", counter="I like you, and [he] knows it.")
def _is_in_row(sentence: Sentence, index: int) -> bool:
    start = sentence.tokens[index].start
    return _may_be_in_row(sentence, index) and any(a <= start < b for a, b in sentence.rows)


@MENTION.rule("pronoun of a kind", example="The generic [he] is old.", counter="The generic drug [he] took is old.")
def _is_of_a_kind(sentence: Sentence, index: int) -> bool:
    place = end = _before_list(sentence, index)
    while sentence.norm(place) in traps("kind of pronoun"):
        place -= 1
    return place < end and sentence.norm(place) in _DETERMINERS


@MENTION.rule("pronoun that is called one", example="[He] is a pronoun.", counter="[He] is a printer.")
def _is_called_pronoun(sentence: Sentence, index: int) -> bool:
    place = index + 1
    while sentence.norm(place) in _JOINING and _ANY.fullmatch(sentence.norm(place + 1)):
        place += 2
    if sentence.norm(place) not in ("is", "are"):
        return False
    named = next((i for i in range(place + 1, place + 4) if sentence.norm(i) in _NAMED), -1)
    if named < 0 or sentence.norm(named - 1) == "of":
        return False
    return not sentence.norm(named + 1).isalpha() or sentence.norm(named + 1) in _BEHIND | {"of", "that", "which"}


@MENTION.rule(
    "replaced by singular they", example="Singular they replaces [he].", counter="They replaced what [he] had."
)
def _is_replaced(sentence: Sentence, index: int) -> bool:
    return _is_verb_of(sentence, index, traps("replacing")) and _is_bare_subject(sentence, index)


@MENTION.rule("pronoun that is called x", example="Let [he] be a number.", counter="Let him in, or [he] cries.")
def _is_variable(sentence: Sentence, index: int) -> bool:
    is_let = sentence.norm(index - 1) == "let" and sentence.norm(index) in SUBJECT_PRONOUNS
    return is_let and sentence.norm(index + 1) in ("be", "denote", "=")


@MENTION.rule("pronoun that is named", example="Write the pronoun [he] here.", counter="Write the letter [he] sent.")
def _is_named(sentence: Sentence, index: int) -> bool:
    place = _before_list(sentence, index)
    if sentence.norm(place) == ":":
        place -= 1
    if sentence.norm(place) not in _NAMED or sentence.norm(place - 1) in _ASKING:
        return False
    return sentence.norm(index) not in SUBJECT_PRONOUNS or sentence.norm(index + 1) not in traps("choosing")


@MENTION.rule("word that is named", example="The word [her] means two things.", counter="The word [he] used is old.")
def _is_named_word(sentence: Sentence, index: int) -> bool:
    """Behind *word* a clause may follow (*the word she used*), so what stands behind the form tells."""
    place = _before_list(sentence, index)
    if sentence.norm(place) not in _WORDS or sentence.tokens[place].shape:
        return False
    if sentence.norm(place) == "form" and sentence.norm(place - 1) not in _DETERMINERS:
        return False
    following = sentence.norm(index + 1)
    if (not following.isalpha() and following not in CLITICS) or following in _BEHIND:
        return True
    is_subject = sentence.norm(index) in SUBJECT_PRONOUNS
    return not is_subject and (following in THIRD_AUXILIARIES or following in _MEANING)


@MENTION.rule("pronoun that is used", example="They use [she] for ships.", counter="They use what [she] made.")
def _is_used(sentence: Sentence, index: int) -> bool:
    return _is_verb_of(sentence, index, _USING) and _is_bare_subject(sentence, index)


@MENTION.rule(
    "pronoun instead of another", example="Write they instead of [he].", counter="Instead of rain [he] got snow."
)
def _is_instead(sentence: Sentence, index: int) -> bool:
    place = _before_list(sentence, index)
    is_instead = (sentence.norm(place - 1), sentence.norm(place)) in _INSTEAD
    return is_instead and _is_bare_subject(sentence, index)


def _is_verb_of(sentence: Sentence, index: int, verbs: frozenset[str]) -> bool:
    """Return True if a verb stands before a form and the pronouns listed before it."""
    return sentence.norm(_before_list(sentence, index)) in verbs


def _before_list(sentence: Sentence, index: int) -> int:
    """Return the place before a form and the pronouns that are listed before it."""
    place = index - 1
    while sentence.norm(place) in _JOINING and _ANY.fullmatch(sentence.norm(place - 1)):
        place -= 2
    return place


def _is_bare_subject(sentence: Sentence, index: int) -> bool:
    """Return True if no verb stands behind *he* or *she*."""
    following = sentence.norm(index + 1)
    if sentence.norm(index) not in SUBJECT_PRONOUNS or is_finite(following):
        return False
    return not following.isalpha() or following in _BEHIND


_MEANING = frozenset("means meant comes refers stands".split())
_BEHIND = frozenset("and or instead rather for when if as in to but not with by over".split())


def _may_be_in_row(sentence: Sentence, index: int) -> bool:
    """Return True if another pronoun stands behind or before the mark beside a form."""
    token = sentence.tokens[index]
    beside = sentence.text[max(0, token.start - 2) : token.start] + sentence.text[token.end : token.end + 2]
    if not _BORDERS.isdisjoint(beside):
        return True
    return any(
        sentence.norm(index + step) in _SEPARATORS and _ANY.fullmatch(sentence.norm(index + 2 * step)) is not None
        for step in (1, -1)
    )


_SEPARATORS = frozenset(",;/|")
#: beside the cell of a table
_BORDERS = frozenset("\t|<>&\\")
