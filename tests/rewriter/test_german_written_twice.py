"""German phrases that stand in both genders word for word become one with the star, and what is none stays."""

from __future__ import annotations

from functools import cache

import pytest

from rewriter import Rewriter
from rewriter.convert import convert_text

ONE = """\
die vom Amt gehörte Zeugin oder der vom Amt gehörte Zeuge -> der*die vom Amt gehörte Zeug*in
einer Bremer Malerin oder eines Bremer Malers -> eines*r Bremer Maler*in
eine fest Angestellte oder einen fest Angestellten -> eine*n fest Angestellte*n
die Wirthin oder der Wirth -> der*die Wirth*in
als Zuliefererin oder Verkäufer -> als Zuliefererin oder Verkäufer
Co-Trainerinnen und Co-Trainer -> Co-Trainer*innen
keine oder keiner der Söhne -> keine*r der Söhne
einer anderen oder eines anderen -> eines*r anderen
eine alte Köchin oder ein neuer Koch -> eine alte Köchin oder ein neuer Koch
die Gräfin oder der Koch -> die Gräfin oder der Koch
den einen oder den anderen -> den einen oder den anderen
"""
#: compounds of two persons hold two signs
TWO_PERSONS = """\
star: Schüler*innenberater*innen
colon: Schüler:innenberater:innen
slash: Schüler/innenberater/innen
gap: Schüler_innenberater_innen
binnen-i: SchülerInnenberaterInnen
"""
AGAIN = """\
Der Arzt fragt, ob seine Kollegin kommt, weil sie krank war.
Jede Bewerberin, die ihren Lebenslauf schickt, hört von der Leiterin.
Ein Co-Trainer sprach mit den Spielern, bevor er ging.
DER LEHRER HILFT DEN SCHÜLERN.
Die Kundendaten des Nutzers bleiben geheim.
"""


@pytest.mark.parametrize("line", ONE.splitlines())
def test_a_phrase_in_both_genders_becomes_one(line: str) -> None:
    source, target = line.split(" -> ")
    assert convert_text(source, "star").text == target


@pytest.mark.parametrize("source", [line for line in TWO_PERSONS.splitlines() if not line.startswith("gap")])
@pytest.mark.parametrize("target", TWO_PERSONS.splitlines())
def test_compounds_of_two_persons(source: str, target: str) -> None:
    form, word = target.split(": ")
    assert convert_text(source.split(": ")[1], form).text == word


@cache
def _german(form: str) -> Rewriter:
    return Rewriter.from_pretrained("de", threads=1, form=form)


@pytest.mark.parametrize("text", AGAIN.splitlines())
@pytest.mark.parametrize("form", ["star", "pair"])
def test_a_second_pass_finds_nothing(form: str, text: str) -> None:
    once = _german(form).rewrite(text)
    assert _german(form).rewrite(once) == once


@pytest.mark.parametrize("text", ["Der Xybür-\ngermeis spricht.", "Die Lehrer-\nschaft tagt.", "der Bürger-"])
def test_parts_of_a_word_that_a_line_ends_in_stay(text: str) -> None:
    assert _german("star").rewrite(text) == text


def test_pair_forms_repeat_first_parts_and_capitals() -> None:
    pair = _german("pair")
    assert pair.rewrite("Die Co-Trainer kamen gestern.") == "Die Co-Trainerinnen und Co-Trainer kamen gestern."
    assert pair.rewrite("DER LEHRER HILFT.") == "DIE LEHRERIN ODER DER LEHRER HILFT."


def test_compounds_are_cut_where_both_parts_are_words() -> None:
    text = _german("star").rewrite("Der Schüler ging über den Bürgersteig.")
    assert "innenteig" not in text


def test_what_is_gender_fair_already_keeps_its_pronouns() -> None:
    text = "Die Lehrer*innen kennen Mia, die ihren Hund liebt; sie lacht."
    assert _german("star").rewrite(text) == text
