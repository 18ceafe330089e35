"""How a text is read back as a choice among candidates."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rewriter.en.language import make
from rewriter.model.alignment import match_outcomes

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


words = st.lists(
    st.sampled_from("he She his her knows is left they them 's , . actress he or she".split(" ")), max_size=10
)


def written(source: str, candidates, options: list[int]) -> str:  # type: ignore[no-untyped-def]
    text, position = "", 0
    for candidate, option in zip(candidates, options, strict=True):
        text += source[position : candidate.start] + candidate.options[option][1]
        position = candidate.end
    return text + source[position:]


@given(source=words.map(" ".join), choice=st.randoms())
def test_a_choice_is_found_again(source: str, choice) -> None:  # type: ignore[no-untyped-def]
    found = candidates(source)
    target = written(source, found, [choice.randrange(len(candidate.options)) for candidate in found])
    chosen = match_outcomes(source, target, found)
    assert chosen is not None and written(source, found, chosen) == target
