"""``--nouns wide``: the second noun table; the first stays as it is without it."""

from __future__ import annotations

from functools import cache

import pytest

from rewriter.errors import UsageError
from rewriter.language.interface import get_language
from rewriter.pipeline import Rewriter

CASES = [
    ("The stewardess greeted us.", "The flight attendant greeted us."),
    ("The steward of the estate came.", "The steward of the estate came."),
    ("The steward on our flight smiled.", "The flight attendant on our flight smiled."),
    ("The mailman and a cameraman left.", "The mail carrier and a camera operator left."),
    ("A hostess met the landlady.", "A host met the landlord."),
    ("The landlord met a housewife.", "The landlord met a homemaker."),
    ("It took 40 man-hours of a repairman.", "It took 40 person-hours of a repairer."),
    ("The post was manned by two.", "The post was staffed by two."),
    ("A manned mission left.", "A crewed mission left."),
    ("Who is to man the phones?", "Who is to staff the phones?"),
    ("It is known to man and beast.", "It is known to man and beast."),
    ("Manning the ranger met us.", "Manning the ranger met us."),
    ("A manmade lake lay there.", "A human-made lake lay there."),
    ("The co-chairman met the ex-policeman.", "The co-chairperson met the ex-police officer."),
    ("It was my freshman year.", "It was my first year."),
    ("Two businessmen spoke.", "Two business people spoke."),
    ("We met Congressman Lee.", "We met Member of Congress Lee."),
    ("Actors and actresses came.", "Actors came."),
    ("Ask a waiter or a waitress.", "Ask a waiter."),
    ("Policemen and policewomen helped.", "Police officers helped."),
    ("Actors and waitresses came.", "Actors and waiters came."),
    ("The actress' role was small.", "The actor's role was small."),
    ("The waitresses' tips were small.", "The waiters' tips were small."),
    ("We saw Death of a Salesman.", "We saw Death of a Salesman."),
    ("The prize for Best Actress was given.", "The prize for Best Actress was given."),
]


@cache
def rewriter(nouns: str) -> Rewriter:
    return Rewriter.from_pretrained("en", threads=1, settings={"nouns": nouns})


@pytest.mark.parametrize(("source", "target"), CASES)
def test_wide(source: str, target: str) -> None:
    assert rewriter("wide").rewrite(source) == target


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("The mailman came.", "The mailman came."),
        ("Actors and actresses came.", "Actors and actors came."),
        ("The steward of the estate came.", "The flight attendant of the estate came."),
        ("Two businessmen spoke.", "Two business persons spoke."),
        ("The co-chairman spoke.", "The co-chairman spoke."),
    ],
)
def test_the_table_of_the_literature_is_as_it_was(source: str, target: str) -> None:
    assert rewriter("literature").rewrite(source) == target


def test_an_unknown_table_is_named() -> None:
    with pytest.raises(UsageError, match="nouns must be one of literature, wide, not 'wider'"):
        get_language("en", nouns="wider")
