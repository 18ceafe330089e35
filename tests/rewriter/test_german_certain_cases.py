"""Cases that the clause settles without a model, and readings as things that its words rule in."""

import pytest

from rewriter.de.language import make

GERMAN = make()

#: text, an article in it, what it may become
CASES = [
    # no noun before it that a genitive may belong to
    ("Nach der Oper gratulierte man der Dirigentin.", "der", ["dem*der"]),
    ("Wir danken der Abgeordneten.", "der", ["dem*der"]),
    ("Heute lacht der Lehrer.", "der", ["der*die"]),
    # none that is given to somebody
    ("Es ist das Recht jeder Bürgerin.", "jeder", ["jedes*r"]),
    ("Wegen der Fahrerin kamen alle zu spät.", "der", ["des*der"]),
    ("Das Heft der Lehrerin fehlt.", "der", ["des*der"]),
    ("Man gab das Heft der Lehrerin.", "der", ["dem*der", "des*der"]),
    # one, where nothing takes a dative
    ("Die Polizei sucht den Zeugen.", "den", ["den*die"]),
    ("Heute winkte er den Zeugen zu.", "den", ["den*die"]),
    # subject or object
    ("Die Dichterin lächelte.", "Die", ["Der*die"]),
    ("Jede Jugendliche braucht Schlaf.", "Jede", ["Jede*r"]),
    ("Alle warten, weil die Ärztin fehlt.", "die", ["der*die"]),
    ("Dort suchte die Fahrerin ihren Ausweis.", "die", ["der*die"]),
    ("Welche Kandidatin habt ihr gewählt?", "Welche", ["Welche*n"]),
    ("Frag doch die Chefin!", "die", ["den*die"]),
    ("Die Chefin mag niemand.", "Die", ["Der*die", "Den*die"]),
    ("Das Kind ruft die Ärztin.", "die", ["der*die", "den*die"]),
    ("Kurs mit staatlich geprüfter Skilehrerin.", "geprüfter", ["geprüftem*r"]),
]


@pytest.mark.parametrize(("text", "word", "fair"), CASES)
def test_the_clause_settles_a_case(text, word, fair):
    found = [c for c in GERMAN.analyze(text).candidates if text[c.start : c.end] == word and c.kind != "relative"]
    assert [after for _, after in found[0].options[1:]] == fair


#: preterites before a person are no adjectives
PRETERITES = [
    "Gestern sagte Ministerin Kern nichts.",
    "Das forderte Ministerin Kern.",
    "Im Mai eröffnete Ministerin Kern das Bad.",
]


@pytest.mark.parametrize("text", PRETERITES)
def test_a_preterite_is_no_adjective(text):
    assert [text[c.start : c.end] for c in GERMAN.analyze(text).candidates] == ["Ministerin"]


#: words around, articles and places tell a thing
THINGS = [
    "Die Leiter an der Wand ist morsch.",
    "Er stieg auf die Leiter.",
    "Ein roter Läufer liegt im Flur.",
    "Der Springer schlägt den Turm.",
    "Der Träger der Brücke rostet.",
    "Davon erfuhr man durch alte Kunde.",
    "Koch bitte etwas.",
    "Der Stadtrat beschloss das gestern.",
    "Das Album des Films Der Pate war teuer.",
    "Otto Jäger schrieb viel.",
    "Jugendliche und Erwachsene tanzen.",
    "Reisende nach Ulm steigen um.",
    "Etwas Kleines fehlt im Großen.",
    "In der Gerberstraße brennt die Texterkennung.",
    "The manager of the project is a teacher.",
    "Einer der Tische wackelt, jede dieser Stufen auch.",
    "| keine | Tagesordnung |",
    "Jeder 3. Baum ist krank, zum einen.",
]


@pytest.mark.parametrize("text", THINGS)
def test_a_thing_stays(text):
    referring = ("er", "Er", "man")
    found = [text[c.start : c.end] for c in GERMAN.analyze(text).candidates]
    assert [word for word in found if word not in referring] == []


#: a person all the same
PERSONS = [
    ("Stadtrat Kern kam.", "Stadtrat"),
    ("Die Leiter der Gruppen kamen.", "Leiter"),
    ("Der Läufer siegte.", "Läufer"),
    ("Wir suchen: Koch (m/w/d).", "Koch"),
    ("Sie ist Angestellte.", "Angestellte"),
    ("Einer der Lehrer fehlt.", "Einer"),
    ("Zuschauerinnen wie Zuschauer jubelten.", "Zuschauerinnen wie Zuschauer"),
    ("Ina pflegt einen schwer Kranken.", "Kranken"),
]


@pytest.mark.parametrize(("text", "word"), PERSONS)
def test_a_person_is_found(text, word):
    assert word in [text[c.start : c.end] for c in GERMAN.analyze(text).candidates]
