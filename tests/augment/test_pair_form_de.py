# ruff: noqa: E501 (a case is a line)
"""German pairs from pair forms and from forms with a sign: sources in each gender, the star as target."""

from __future__ import annotations

import pytest

from augment.de.pair_form import german, pair_form
from rewriter.model.alignment import match_outcomes
from rewriter.policy.protect import protected_spans

# text | masculine source | feminine source | target of the masculine (of the feminine, where it differs)
CASES = """\
Die Gärtnerin oder der Gärtner gießt. | Der Gärtner gießt. | Die Gärtnerin gießt. | Der*die Gärtner*in gießt.
Die Beete der Gärtnerinnen und Gärtner blühen. | Die Beete der Gärtner blühen. | Die Beete der Gärtnerinnen blühen. | Die Beete der Gärtner*innen blühen.
Wir danken den Bäuerinnen und Bauern. | Wir danken den Bauern. | Wir danken den Bäuerinnen. | Wir danken den Bäuer*innen.
Jede Malerin und jeder Maler hilft einer Ärztin oder einem Arzt. | Jeder Maler hilft einem Arzt. | Jede Malerin hilft einer Ärztin. | Jede*r Maler*in hilft einem*r Ärzt*in.
Die oder der Vorsitzende winkt. | Der Vorsitzende winkt. | Die Vorsitzende winkt. | Der*die Vorsitzende winkt.
Wir suchen eine neue Köchin oder einen neuen Koch. | Wir suchen einen neuen Koch. | Wir suchen eine neue Köchin. | Wir suchen eine*n neue*n Köch*in.
Die Malerin oder der Maler, die oder der ihr oder sein Bild verkauft, lacht. | Der Maler, der sein Bild verkauft, lacht. | Die Malerin, die ihr Bild verkauft, lacht. | Der*die Maler*in, der*die sein*ihr Bild verkauft, lacht.
Das sagt sie von der Ärztin oder vom Arzt. | Das sagt sie vom Arzt. | Das sagt sie von der Ärztin. | Das sagt sie vom*von der Ärzt*in.
Wir fragen bei der Ärztin oder beim Arzt. | Wir fragen beim Arzt. | Wir fragen bei der Ärztin. | Wir fragen beim*bei der Ärzt*in. | Wir fragen bei dem*der Ärzt*in.
Netznutzerinnen und -nutzer zahlen. | Netznutzer zahlen. | Netznutzerinnen zahlen. | Netznutzer*innen zahlen.
Ein*e Nutzer*in dankt den Student*innen. | Ein Nutzer dankt den Studenten. | Eine Nutzerin dankt den Studentinnen. | Ein*e Nutzer*in dankt den Student*innen.
Mit eifrigen Kund:innen reden wir über Kund:innendaten. | Mit eifrigen Kunden reden wir über Kundendaten. | Mit eifrigen Kundinnen reden wir über Kundinnendaten. | Mit eifrigen Kund*innen reden wir über Kund*innendaten.
Die/der Angestellte hilft jedem/r Schüler/in. | Der Angestellte hilft jedem Schüler. | Die Angestellte hilft jeder Schülerin. | Der*die Angestellte hilft jedem*r Schüler*in.
Die LehrerInnen feiern. | Die Lehrer feiern. | Die Lehrerinnen feiern. | Die Lehrer*innen feiern.
""".strip().splitlines()


@pytest.mark.parametrize("case", CASES)
def test_each_half_gives_a_source(case: str) -> None:
    text, masculine, feminine, target, *other = (part.strip() for part in case.split("|"))
    found = {r.form: (r.source, r.target) for r in pair_form(text) if not r.dropped}
    assert found["masculine"] == (masculine, target)
    assert found["feminine"] == (feminine, other[0] if other else target)


def test_the_pair_form_is_a_source_too() -> None:
    (paired,) = [r for r in pair_form("Die Gärtnerin oder der Gärtner hilft Schüler:innen.") if r.form == "mixed"]
    assert paired.source == "Die Gärtnerin oder der Gärtner hilft Schüler*innen."
    assert paired.target == "Der*die Gärtner*in hilft Schüler*innen."


@pytest.mark.parametrize(
    ("text", "doubtful"),
    [
        # another person, a pronoun that may mean anybody: no label
        ("Die Malerin oder der Maler ruft Müller, und er kommt.", {"Müller", "er"}),
        # two halves that are no pair form
        ("Lehrerinnen, alle Lehrer und Schülerinnen und Schüler singen.", {"Lehrerinnen", "Lehrer"}),
        # whose sister?
        ("Die Malerin oder der Maler kennt ihre Schwester.", {"ihre"}),
    ],
)
def test_what_the_forms_do_not_say_gets_no_label(text: str, doubtful: set[str]) -> None:
    for result in pair_form(text):
        assert not result.dropped
        assert doubtful <= {result.source[start:end] for start, end in result.doubtful}


def test_what_does_not_agree_is_dropped() -> None:
    results = pair_form("Wir laden eine*n neuen Lehrer*in ein.")
    assert results
    assert all(result.dropped for result in results)


def test_an_article_that_is_not_fair_is_dropped() -> None:
    # its case is for a network to read
    assert all(result.dropped for result in pair_form("Die Nutzer*in hilft."))


def test_an_open_case_gives_no_masculine() -> None:
    # Studenten or Student? a bare singular shows its case in the masculine only
    forms = {r.form for r in pair_form("Das bietet Ärzt*innen Schutz.") if not r.dropped}
    assert forms == {"feminine"}


@pytest.mark.parametrize(
    "text", ["Der Gärtner gießt.", "Um 10:30 Uhr kommt der Zug.", "Siehe https://example.org/a*b."]
)
def test_other_texts_give_nothing(text: str) -> None:
    assert pair_form(text) == []


def test_every_pair_is_explained_by_its_candidates() -> None:
    for case in CASES:
        for result in pair_form(case.split("|")[0].strip()):
            if not result.dropped:
                analysis = german().analyze(result.source, protected_spans(result.source))
                assert match_outcomes(result.source, result.target, analysis.candidates) is not None
