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
    ("He mans the till and she mans her phone.", "They staff the till and they staff their phone."),
    ("She often mans the gate and shuts it.", "They often staff the gate and shut it."),
    ("Nobody mans the tower.", "Nobody staffs the tower."),
    ("Who will man the kitchen?", "Who will staff the kitchen?"),
    ("We man our stall daily.", "We staff our stall daily."),
    ("It was known to man the world over.", "It was known to man the world over."),
    ("I told that man the shop is shut.", "I told that man the shop is shut."),
    ("The counter is manned.", "The counter is staffed."),
    ("The probe can be manned or not.", "The probe can be manned or not."),
    ("An unmanned drone and an unmanned probe met.", "An uncrewed drone and an uncrewed probe met."),
    ("The checkpoint was unmanned.", "The checkpoint was unstaffed."),
    ("A freshman senator spoke.", "A first-term senator spoke."),
    ("She is a freshman-year pupil.", "They are a first-year pupil."),
    ("The shop steward missed the plane.", "The shop steward missed the plane."),
    ("Best Supporting Actress: Mia Holt", "Best Supporting Actress: Mia Holt"),
    ("The Bear for Best Actress", "The Bear for Best Actress"),
    ("Tonight they show “The Waitress” again.", "Tonight they show “The Waitress” again."),
    ("We liked the film Anchorman a lot.", "We liked the film Anchorman a lot."),
    ("We saw Holt's The Mailman last year.", "We saw Holt's The Mailman last year."),
    ("The children watch Fireman Sam at six.", "The children watch Fireman Sam at six."),
    ("The Chairman of our club slept.", "The Chairperson of our club slept."),
    ('He called her a "waitress" once.', 'They called them a "waiter" once.'),
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
        ("The actress' role was small.", "The actor's role was small."),
        ("The co-chairman spoke.", "The co-chairman spoke."),
    ],
)
def test_the_table_of_the_literature_is_as_it_was(source: str, target: str) -> None:
    assert rewriter("literature").rewrite(source) == target


def test_a_row_of_the_user_needs_no_field() -> None:
    own = {"nouns": "wide", "extra_nouns": [{"gendered": "steward", "fair": "cabin attendant"}]}
    assert (
        Rewriter.from_pretrained("en", threads=1, settings=own).rewrite("A steward left.") == "A cabin attendant left."
    )


def test_an_unknown_table_is_named() -> None:
    with pytest.raises(UsageError, match="nouns must be one of literature, wide, not 'wider'"):
        get_language("en", nouns="wider")
