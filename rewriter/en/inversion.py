"""Subjects behind their auxiliary: *Is she here?*, *How old is he?*, *Nor does she.*"""

from __future__ import annotations

from collections.abc import Sequence

from rewriter.en.clause_words import THIRD_AUXILIARIES
from rewriter.language.tokens import Token

_PRONOUNS = frozenset(("he", "she", "s/he"))
_ASKING = frozenset("what where when why how who whom whose which whatever".split())
#: before a negated auxiliary they are its subject: it isn't he who pays
_SUBJECTS = frozenset("it that this which who what there i".split())
#: begin a clause whose subject stands behind the auxiliary, wherever they stand
_FRONTED = frozenset("nor neither than".split())
_JOINING = frozenset("and but or so then yes no well".split())


def asked_subject(tokens: Sequence[Token], verb: int) -> bool:
    """Return True if the *he* or *she* right behind an auxiliary is its subject for certain.

    That is so where the clause begins with the auxiliary (a question), with a question word, alone or *how* with one
    word, or with *nor*, *neither*, *so*, *than*. Elsewhere a clause without *that* may begin (*What I fear is she is*).
    """
    if tokens[verb].norm not in THIRD_AUXILIARIES or verb + 1 >= len(tokens) or tokens[verb + 1].norm not in _PRONOUNS:
        return False
    before = tokens[verb - 1].norm if verb else ""
    if tokens[verb].norm.endswith("n't") and before not in _SUBJECTS:
        return True  # late again, isn't he; elsewhere "he is not" would stand there
    if before in _FRONTED or _begins(tokens, verb):
        return True
    if before in _ASKING or before == "so":
        return _begins(tokens, verb - 1)
    return verb > 1 and before.isalpha() and tokens[verb - 2].norm in ("how", "so") and _begins(tokens, verb - 2)


def _begins(tokens: Sequence[Token], place: int) -> bool:
    """Return True if a clause begins at a place: the sentence, or what follows a mark, or a mark and a coordinator."""
    if place == 0:
        return True
    before = tokens[place - 1]
    if before.norm in _JOINING:
        return place == 1 or not tokens[place - 2].norm.isalpha()
    if before.norm.isalnum():
        return False
    # an apostrophe or hyphen behind a word belongs to it (the boys' is he), else it is a quotation mark or a dash
    is_attached = place > 1 and tokens[place - 2].end == before.start and tokens[place - 2].norm.isalnum()
    return before.norm not in ("'", "-") or not is_attached
