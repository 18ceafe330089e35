"""German words that look like persons and stay, and what explains a pronoun so that it stays."""

from __future__ import annotations

import pytest

from rewriter.de.language import make
from rewriter.de.turning.read import read_sentence

GERMAN = make()


def words(text: str) -> list[str]:
    """Return the words of a sentence that may change."""
    return [text[c.start : c.end] for c in GERMAN.analyze(text).candidates if len(c.options) > 1]


@pytest.mark.parametrize(
    "text",
    [
        "Frau Enkelmann kam, Familie Bauermann nicht.",  # surnames that begin with a person
        "Auch Herr Tauber ging.",
        "Die Fischers feiern, bei Müllers brennt Licht.",
        "Der Thüringerwald liegt im Nebel.",  # places
        "Auf der Fischerinsel und in Müllerdorf regnet es.",
        "Der Hafen von Punta del Este ist klein.",
        "Seit der Gründung der Länder Nordrhein-Westfalen und Hannover",
        "Die Wiener Philharmoniker spielten.",
        "Die Kugelschreiberminen sind leer.",  # things
        "Stählerne Träger halten das Dach.",
        "Beim Näherkommen war die Texterkennung langsam.",
        "Das Nachbarhaus steht leer.",
        "Reis mit veganer und vegetarischer Wurst",  # adjectives
        'Das Wort "hamburger" ist englisch.',
        "Jede private oder öffentliche Fläche zählt.",
        "Es gibt keine „humanitären“ Einsätze.",
        "Nach…jeder…Frage kommt eine Antwort.",
        "Das sagt ein*e Botschafter*in/Moderator*in.",  # fair already
        "Jede*r dritte Studierende ist arm.",
        "70 Prozent derjenigen, die davon leben müssen, sparen.",  # several
        "Die Anzahl der Teilnehmenden ist begrenzt.",
        "Viele der Studierenden wohnen hier.",
    ],
)
def test_nothing_may_change(text: str):
    assert words(text) == []


@pytest.mark.parametrize(
    ("text", "changing"),
    [
        ("Fischerdörfer gibt es hier", ["Fischerdörfer"]),
        ("Ein Fischerdorf", ["Fischerdorf"]),
        ("Der Bäcker Weber kam.", ["Der", "Bäcker"]),  # the second one is the surname
        ("Fußgängerzonen", ["Fußgängerzonen"]),
        ("Der Bericht der Vorsitzenden liegt vor.", ["der"]),
    ],
)
def test_persons_beside_them_may_change(text: str, changing: list[str]):
    assert words(text) == changing


@pytest.mark.parametrize(
    ("before", "text"),
    [
        ("", "Der Hund vergrub den Knochen, dann schlief er ein."),
        ("Der Hund lief weg.", "Er schlief im Wald."),
        ("Der Winter kam früh.", "Er brachte viel Schnee."),
        ("", "Zeus zürnte, und seine Blitze trafen das Land."),
        ("", "Alles hat seine Zeit."),
        ("", "Das hat seinen Preis."),
        ("", "Dem Stecker fehlt etwas, man sieht es ihm an."),
        ("", "Dem Baum fielen seine Blätter ab."),
        ("", "Die Fischers haben ihr Haus verkauft."),
        ("", "Bäuer*innen müssen von ihrer Arbeit leben."),
        ("", "Akteur:innen aus dem Norden haben ihre Erfahrungen gesammelt."),
        ("", "Sie sind frei für alle zugänglich."),
    ],
)
def test_pronouns_that_something_else_explains(before: str, text: str):
    links = read_sentence(text, (), [before] if before else []).links
    assert [at for at, link in links.items() if link.root == at] == []


@pytest.mark.parametrize(
    ("text", "pronoun"),
    [
        ("Gott sei Dank, er kommt noch.", "er"),
        ("Das hat seine Laufbahn beendet.", "seine"),
        ("Im Winter fuhr er nach Davos.", "er"),
    ],
)
def test_pronouns_that_nothing_explains_mean_somebody(text: str, pronoun: str):
    tokens = GERMAN.analyze(text).tokens
    assert [tokens[at].norm for at in read_sentence(text).links] == [pronoun]
