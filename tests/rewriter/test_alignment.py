"""How a text is read back as a choice among candidates."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rewriter.alignment import match_outcomes, read_proposal
from rewriter.en.language import make

ENGLISH = make()


def candidates(source: str):  # type: ignore[no-untyped-def]
    return ENGLISH.analyze(source, training=True).candidates


EXACT = [
    ("She knows her.", "They know them.", [1, 1, 1]),
    ("She knows her.", "They know their.", [1, 1, 2]),
    ("She knows her.", "She knows her.", [0, 0, 0]),
    ("He's here.", "They've here.", [1, 2]),
    ("an actress", "an actor", [1]),
    ("He or she is.", "They are.", [1, 1]),
    ("Nothing.", "Nothing.", []),
]


@pytest.mark.parametrize(("source", "target", "chosen"), EXACT)
def test_an_exact_match(source: str, target: str, chosen: list[int]) -> None:
    assert match_outcomes(source, target, candidates(source)) == chosen
    reading = read_proposal(source, target, candidates(source))
    assert (reading.options, reading.unexplained) == (chosen, 0)


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("She knows her.", "They know us."),
        ("She knows.", "They know!"),
        ("She  knows.", "They know."),
        ("Nothing.", ""),
    ],
)
def test_what_no_choice_gives_is_no_match(source: str, target: str) -> None:
    assert match_outcomes(source, target, candidates(source)) is None


READ = [
    # a typing mistake was mended, a word left out, one added: the source stands there, the pronouns still change
    ("She knwos he is here.", "They knows they are here.", [1, 0, 1, 1], 1),
    ("She said that he left early.", "They said they left early.", [1, 1], 1),
    ("She left.", "They left, sadly.", [1], 2),
    ("She  left .", "They left.", [1], 0),
    ("She left.", "", [0], 3),
    ("", "They left.", [], 3),
    ("She left.", "Completely different words here", [0], 4),
]


@pytest.mark.parametrize(("source", "proposal", "options", "unexplained"), READ)
def test_a_loose_reading(source: str, proposal: str, options: list[int], unexplained: int) -> None:
    reading = read_proposal(source, proposal, candidates(source))
    assert reading.options == options
    assert reading.unexplained == unexplained


words = st.lists(
    st.sampled_from("he She his her knows is left they them 's , . actress he or she".split(" ")), max_size=10
)


@given(source=words.map(" ".join), proposal=words.map(" ".join))
def test_any_answer_can_be_read(source: str, proposal: str) -> None:
    found = candidates(source)
    reading = read_proposal(source, proposal, found)
    assert len(reading.options) == len(found)
    assert all(0 <= option < len(c.options) for option, c in zip(reading.options, found, strict=True))
    assert reading.unexplained >= 0


@given(source=words.map(" ".join), choice=st.randoms())
def test_a_choice_is_found_again(source: str, choice) -> None:  # type: ignore[no-untyped-def]
    found = candidates(source)
    target, position = "", 0
    for candidate in found:
        target += source[position : candidate.start] + choice.choice(candidate.options)[1]
        position = candidate.end
    target += source[position:]
    chosen = match_outcomes(source, target, found)
    assert chosen is not None and read_proposal(source, target, found).unexplained == 0
