"""Which auxiliaries have the pronoun right behind them as their subject for certain."""

from __future__ import annotations

import pytest

from rewriter.en.inversion import asked_subject
from rewriter.en.tokens import tokenize

ASKED = [
    ("Is she here?", "is"),
    ("Has he left?", "has"),
    ("hasnt she got work", "hasnt"),
    ("Where does he live?", "does"),
    ("How old is she?", "is"),
    ("So tired was she that she slept.", "was"),
    ("Nor does he know.", "does"),
    ("I stay, and so does she.", "does"),
    ("Older than is she", "is"),
    ("“Why is he here?” I asked.", "is"),
    ("Come in, and what is she doing?", "is"),
]
OPEN = [
    ("What he fears is she leaves.", "is"),
    ("I know what is he.", "is"),
    ("All she has is he and his dog.", "is"),
    ("The thing is she left.", "is"),
    ("Is the dog she has here?", "is"),
    ("Who knows she is here?", "knows"),
    ("Where is", "is"),
]


def read(sentence: str, verb: str) -> bool:
    tokens = tokenize(sentence)
    return asked_subject(tokens, next(n for n, token in enumerate(tokens) if token.norm == verb))


@pytest.mark.parametrize(("sentence", "verb"), ASKED)
def test_the_pronoun_behind_is_the_subject(sentence: str, verb: str) -> None:
    assert read(sentence, verb)


@pytest.mark.parametrize(("sentence", "verb"), OPEN)
def test_elsewhere_it_may_begin_a_clause(sentence: str, verb: str) -> None:
    assert not read(sentence, verb)
