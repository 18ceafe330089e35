"""Sentences that name a term and speak of a gender."""

from __future__ import annotations

import pytest

from augment.about import AboutGate
from augment.balance.metadata import load_metadata

GATE = AboutGate("en", [load_metadata("professions_other", lang="en"), load_metadata("professions", lang="en")])


@pytest.mark.parametrize(
    "text",
    [
        "The nurse forgot her keys.",
        "HE IS A PLUMBER",
        "Two electricians and a woman waited.",
        "My aunt trained as a kindergarten-teacher.",
    ],
)
def test_a_term_beside_a_gender(text: str) -> None:
    assert GATE(text)


@pytest.mark.parametrize(
    "text",
    [
        "The nurse forgot their keys.",
        "She forgot her keys.",
        "The plumbing is new, and he likes it.",
        "They are electricians.",
        "",
    ],
)
def test_one_without_the_other(text: str) -> None:
    assert not GATE(text)


def test_german_terms() -> None:
    gate = AboutGate("de", [load_metadata("professions", lang="de")], gendered=True)
    assert gate("Der Friseur schläft.")
    assert gate("Die Friseurin, deren Haus brennt, schläft.")
    assert not gate("Der Tisch ist neu.")
