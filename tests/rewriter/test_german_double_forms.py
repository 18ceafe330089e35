"""German double forms become one, and gender-fair words become double forms: what the grammar alone does."""

from __future__ import annotations

import pytest

from rewriter.convert import convert_text
from rewriter.de.inflection import FORMS

#: double forms, and the one form that they become
DOUBLE = [
    ("Studentinnen bzw. Studenten lesen.", "Student*innen lesen."),
    ("Schülerinnen und/oder Schüler lesen.", "Schüler*innen lesen."),
    ("Die Schülerin und/oder der Schüler liest.", "Der*die Schüler*in liest."),
    ("Lieber Leser, liebe Leserin,", "Liebe*r Leser*in,"),
    ("Sehr geehrte Kundin, sehr geehrter Kunde!", "Sehr geehrte*r Kund*in!"),
    ("Liebe Kolleginnen, liebe Kollegen!", "Liebe Kolleg*innen!"),
    ("Das kommt vom Lehrer bzw. von der Lehrerin.", "Das kommt vom*von der Lehrer*in."),
    ("Das kommt von der Lehrerin oder vom Lehrer.", "Das kommt vom*von der Lehrer*in."),
    ("Sie war beim Arzt oder bei der Ärztin.", "Sie war beim*bei der Ärzt*in."),
    ("Man fragt, ob er oder sie kommt.", "Man fragt, ob er*sie kommt."),
    ("Man hilft ihm bzw. ihr.", "Man hilft ihm*ihr."),
    ("Das Kind nimmt seine oder ihre Tasche.", "Das Kind nimmt seine*ihre Tasche."),
    ("Jeder bzw. jede zahlt.", "Jede*r zahlt."),
    ("Eine oder einer muss gehen.", "Eine*r muss gehen."),
    ("Derjenige oder diejenige zahlt.", "Der*diejenige zahlt."),
    ("Die oder der Vorsitzende liest.", "Der*die Vorsitzende liest."),
    ("Pro Mandantin oder Mandant reicht das.", "Pro Mandant*in reicht das."),
    ("Die Schülerinnen, Schüler und Eltern singen.", "Die Schüler*innen und Eltern singen."),
    ("Das sagt die Berliner Ärztin oder der Berliner Arzt.", "Das sagt der*die Berliner Ärzt*in."),
    ("Die kluge, aber faule Köchin oder der kluge, aber faule Koch.", "Der*die kluge, aber faule Köch*in."),
]
#: two people, or none
STAYING = [
    "Der Graf und die Gräfin lachen.",
    "Der Lehrer, die Schülerin und der Hund laufen.",
    "Man sagt dies oder das.",
    "Rote oder blaue Hefte liegen da.",
    "Die Lehrerin oder der alte Lehrer liest.",
]
#: star, and what stands there in the pair form
PAIRS = [
    ("Der*die neue Lehrer*in liest.", "Die neue Lehrerin oder der neue Lehrer liest."),
    ("Wir suchen eine*n nette*n Ärzt*in.", "Wir suchen eine nette Ärztin oder einen netten Arzt."),
    ("Wir helfen den Nutzer*innen.", "Wir helfen den Nutzerinnen und Nutzern."),
    ("Ein*e Angestellte*r liest.", "Eine Angestellte oder ein Angestellter liest."),
    ("Der*die Vorsitzende liest.", "Die oder der Vorsitzende liest."),
    ("Das gilt, wenn er*sie seine*ihre Tasche nimmt.", "Das gilt, wenn sie oder er ihre oder seine Tasche nimmt."),
    ("Die Co-Trainer*innen lesen.", "Die Co-Trainerinnen und Co-Trainer lesen."),
    ("Das kommt vom*von der Ärzt*in.", "Das kommt von der Ärztin oder vom Arzt."),
    ("Liebe*r Leser*in!", "Liebe Leserin oder lieber Leser!"),
    ("DER*DIE CHEF*IN", "DIE CHEFIN ODER DER CHEF"),
]
#: what has no pair form
UNPAIRED = ["Das Kund*innenkonto", "Sein*ihr*e Chef*in liest.", "Man gibt der Lehrer*in Zeit."]


@pytest.mark.parametrize(("double", "star"), DOUBLE)
def test_double_forms_become_one(double: str, star: str) -> None:
    assert convert_text(double, "star").text == star


@pytest.mark.parametrize("text", STAYING)
def test_what_is_no_double_form_stays(text: str) -> None:
    assert convert_text(text, "star").text == text


@pytest.mark.parametrize(("star", "pair"), PAIRS)
def test_pair_forms_and_back(star: str, pair: str) -> None:
    assert convert_text(star, "pair").text == pair
    assert convert_text(pair, "pair").text == pair
    assert convert_text(pair, "star").text == star


@pytest.mark.parametrize("text", UNPAIRED)
def test_what_cannot_be_paired_stays_and_is_named(text: str) -> None:
    result = convert_text(text, "pair")
    assert (result.text, bool(result.left)) == (text, True)


@pytest.mark.parametrize("form", [form for form in FORMS if form != "pair"])
@pytest.mark.parametrize("star", [star for star, _ in PAIRS] + UNPAIRED)
def test_forms_with_a_sign_come_back(star: str, form: str) -> None:
    there = convert_text(star, form).text
    assert convert_text(there, form).text == there
    assert convert_text(there, "star").text == star


@pytest.mark.parametrize(
    ("found", "star"),
    [
        ("Student(inn)en und Kolleg/inn/en", "Student*innen und Kolleg*innen"),
        ("Lehrer/-innen, Nutzer:in, der:die", "Lehrer*innen, Nutzer*in, der*die"),
        ("BENUTZER:INNEN, LEHRER(INNEN)", "BENUTZER*INNEN, LEHRER*INNEN"),
        ("vom:von der Ärzt:in, bei der/beim", "vom*von der Ärzt*in, beim*bei der"),
        ("einer/m Schüler/in, Euer:e Chef:in", "einem*r Schüler*in, Eure*r Chef*in"),
        ("am_an der Lead-Sänger_in", "am*an der Lead-Sänger*in"),
        ("der:diejenige mit seinem:r Hut", "der*diejenige mit seinem*r Hut"),
    ],
)
def test_forms_that_are_found(found: str, star: str) -> None:
    assert convert_text(found, "star").text == star


def test_code_and_addresses_stay() -> None:
    text = "`Nutzer:in` auf https://example.org/Nutzer:innen und {Nutzer:in}"
    assert convert_text(text, "star").text == text


@pytest.mark.parametrize(
    ("double", "star"),
    [
        ("Das galt, bis die frühere Sängerin oder der frühere Sänger kam.", "bis der*die frühere Sänger*in kam."),
        ("Man wählte unter vier Künstlerinnen und Künstlern.", "unter vier Künstler*innen."),
        ("der Staatsministerin oder des Staatsministers Dr. Weber", "des*der Staatsminister*in Dr. Weber"),
    ],
)
def test_halves_whose_place_shows_no_case(double: str, star: str) -> None:
    assert convert_text(double, "star").text.endswith(star)
