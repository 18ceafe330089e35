"""Pronouns that are spoken about: *the pronoun he*, *use they instead of he*, *| he | she | it |*."""

from __future__ import annotations

import re

from rewriter.en.clause_words import CLITICS, THIRD_AUXILIARIES, is_finite
from rewriter.en.pronoun_rows import PRONOUN
from rewriter.en.sentence import Sentence

_NAMED = frozenset("pronoun pronouns".split())
_USING = frozenset("use uses using write type typed".split())
_INSTEAD = frozenset([("instead", "of"), ("rather", "than")])
_JOINING = frozenset("and or , / &".split())
_SUBJECTS = frozenset(("he", "she"))
_ANY = re.compile(PRONOUN)


def is_mentioned(sentence: Sentence, index: int) -> bool:
    """Tell whether a pronoun form is only spoken about.

    Behind *word* a clause may follow (*the word she used*, *the word his aunt said*), so what stands behind it tells.
    """
    token = sentence.tokens[index]
    if _may_be_in_row(sentence, index) and any(start <= token.start < end for start, end in sentence.rows):
        return True
    place = index - 1
    while sentence.norm(place) in _JOINING and _ANY.fullmatch(sentence.norm(place - 1)):
        place -= 2
    before = sentence.norm(place)
    if before in _NAMED:
        return True
    is_subject = token.norm in _SUBJECTS
    following = sentence.norm(index + 1)
    has_verb = is_finite(following)
    if before == "word" and sentence.tokens[place].shape == 0:
        is_over = (not following.isalpha() and following not in CLITICS) or following in _BEHIND
        return is_over or (not is_subject and (following in THIRD_AUXILIARIES or following in _MEANING))
    if not is_subject or has_verb or (following.isalpha() and following not in _BEHIND):
        return False
    return before in _USING or (sentence.norm(place - 1), before) in _INSTEAD


_MEANING = frozenset("means meant comes refers stands".split())
_BEHIND = frozenset("and or instead rather for when if as in to but not".split())


def _may_be_in_row(sentence: Sentence, index: int) -> bool:
    """Tell whether another pronoun stands behind or before the mark beside a form."""
    token = sentence.tokens[index]
    if "\t" in sentence.text[max(0, token.start - 1) : token.end + 1]:
        return True
    return any(
        sentence.norm(index + step) in _SEPARATORS and _ANY.fullmatch(sentence.norm(index + 2 * step)) is not None
        for step in (1, -1)
    )


_SEPARATORS = frozenset(",;|")
