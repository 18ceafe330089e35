"""German rules of control: edits that belong together, and sentences that name a person."""

from __future__ import annotations

import pytest

from rewriter.de.control import governors, names_person, refers_back
from rewriter.language.interface import get_language
from rewriter.policy import Policy
from rewriter.records import apply_edits

NAMED = """\
Herr Ilic verkauft sein Auto.
Frau Dr. Okoro operiert heute.
Die Regisseurin Kim Sander dreht wieder.
Gestern traf Ingo Ilic den Bürgermeister.
J. K. Osei las aus seinem Buch.
Der Trainer lobte Anna nach dem Spiel.
Herr Bäcker kommt später.
Außenminister Ilic reiste ab.
Der CDU-Abgeordnete Ayşe Yılmaz sprach zuerst.
Kollegin Roth, das geht nicht.
Agnieszka kannte den Arzt.
Nach seiner Rede ging Volkmar nach Hause.
Annas Lehrer half ihr.
Karl XII. floh.
Minister de Vries hat es gesagt.
Das entschied die Richterin am Landgericht Ilic-Osei.
Johannes kam spät.
Wegen Karl-Heinz blieb die Ärztin.
Graf Zeppelin flog über den See.
"""
GENERIC = """\
Der Lehrer lobt seine Klasse.
Die Ärztin und der Apotheker sprachen lange.
Frau Ministerin, ich frage Sie.
Am Frankfurter Flughafen fielen Flüge aus.
Jeder Mieter zahlt seine Miete.
Der Vorsitzende Richter schloss die Sitzung.
Der Zug aus Florida hält in Jena.
Fünf Mark zahlt der Server.
Das Hotel Anna sucht einen Koch.
Die Schweizer Behörde fragt den Mieter.
Wegen der Alzheimer-Krankheit kam ein Arzt.
Im Sommer und Winter kommt der Gärtner.
Das Karl-Marx-Haus sucht einen Hausmeister.
Zuschläge wie Kies (z. B. Kalk) bestellt der Bauer.
Der Bericht der E. GmbH nennt den Prüfer.
Das ist der Stand der Forschung (vgl. Ilic und Osei 2019, S. 12).
Die Vorsitzende Richterin am Landgericht lehnte ab.
Alle Anwesenden Komplimente zu machen gelang dem Gast nicht.
Die Deutsche Umwelthilfe klagt gegen den Betreiber.
Die Einwohner Havannas grüßen den Präsidenten.
Der Herr Sanitätsrat hilft dem Patienten.
Die Familie der Finken kennt der Förster.
Auf La Palma wohnt ein Fischer.
Die Stanford University sucht Forscher.
Der Anwalt fährt keinen Porsche Cayenne.
"""


@pytest.mark.parametrize("sentence", NAMED.splitlines())
def test_names_a_person(sentence: str) -> None:
    assert names_person(sentence)


@pytest.mark.parametrize("sentence", GENERIC.splitlines())
def test_names_nobody(sentence: str) -> None:
    assert not names_person(sentence)


def test_indefinite_persons_keep_their_pronouns() -> None:
    assert not refers_back("Jede Ärztin kennt ihre Grenzen.", 19)
    assert refers_back("Dann kam sie.", 9)


def test_what_follows_what() -> None:
    text = "Der neue Lehrer lobt den Arzt, weil er hilft."
    language = get_language("de")
    analysis = language.analyze(text, training=True)
    options = [min(1, len(candidate.options) - 1) for candidate in analysis.candidates]
    edits = language.settle(text, analysis, options, [1.0] * len(options))
    assert apply_edits(text, edits) == "Der*die neue Lehrer*in lobt den*die Ärzt*in, weil er*sie hilft."
    names = [edit.before for edit in edits]
    followed = [names[i] if i >= 0 else "" for i in governors(text, edits)]
    assert dict(zip(names, followed, strict=True)) == {
        "Der": "Lehrer", "Lehrer": "", "den": "Arzt", "Arzt": "", "er": "Arzt"
    }  # fmt: skip


def test_a_denied_noun_takes_its_article_along() -> None:
    text = "Der Arzt lobt den Lehrer."
    language = get_language("de")
    analysis = language.analyze(text, training=True)
    options = [min(1, len(candidate.options) - 1) for candidate in analysis.candidates]
    edits = language.settle(text, analysis, options, [1.0] * len(options))
    kept, _ = Policy(deny=("Arzt",)).filter(text, edits, language)
    assert apply_edits(text, kept) == "Der Arzt lobt den*die Lehrer*in."
