"""Persons in running text: compounds, phrases with marks, what may change and what is left to the network."""

from __future__ import annotations

import pytest

from rewriter.de.language import German, make
from rewriter.de.lexicon import GermanLexicon
from rewriter.de.phrases import find_phrase
from rewriter.de.sentence import Sentence
from rewriter.policy.protect import protected_spans


@pytest.fixture(scope="module")
def lexicon() -> GermanLexicon:
    return GermanLexicon()


@pytest.fixture(scope="module")
def german() -> German:
    return make()


class TestCompoundsWithAPersonFirst:
    @pytest.mark.parametrize(
        ("word", "stem", "rest"),
        [
            ("Verbraucherzentrale", "Verbraucher", "zentrale"),
            ("Verbraucherschutzes", "Verbraucher", "schutzes"),
            ("Managergehältern", "Manager", "gehältern"),
            ("Studentenproteste", "Student", "proteste"),
            ("Ausländerfeindlichkeit", "Ausländer", "feindlichkeit"),
            ("Meisterprüfungsausschuss", "Meister", "prüfungsausschuss"),
        ],
    )
    def test_a_noun_follows_in_any_case(self, lexicon: GermanLexicon, word: str, stem: str, rest: str) -> None:
        found = lexicon.word(word)
        assert found is not None and found.first is not None
        assert (found.first.stem, found.first.rest) == (stem, rest)

    @pytest.mark.parametrize(
        "word", ["Pflegereform", "Feindseligkeit", "Konsultationsverfahren", "Mieterhöhungsbegehren"]
    )
    def test_no_person_is_cut_out_of_another_word(self, lexicon: GermanLexicon, word: str) -> None:
        found = lexicon.word(word)
        assert found is None or found.first is None


@pytest.mark.parametrize(
    ("text", "head", "determiner"),
    [
        ("Der <b>Kunde</b> zahlt.", "Kunde", "Der"),
        ("Fragen Sie Ihren *Arzt* danach.", "Arzt", "Ihren"),
        ("Man nannte ihn einen „Verräter“.", "Verräter", "einen"),
        ("Unsere **neue** Beraterin hilft.", "Beraterin", "Unsere"),
        ("Die [Autorin](https://example.org) kam.", "Autorin", "Die"),
        ("Mit der jungen, aus Kiel stammenden Forscherin sprach er.", "Forscherin", "der"),
    ],
)
def test_determiner_of_a_phrase(lexicon: GermanLexicon, text: str, head: str, determiner: str) -> None:
    sentence = Sentence(text, lexicon, protected_spans(text))
    index = next(i for i in range(len(sentence.tokens)) if sentence.surface(i) == head)
    word = sentence.words[index]
    assert word is not None
    assert sentence.surface(find_phrase(sentence, index, word).determiner) == determiner


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Gestern sagte Ministerin Kern nichts.", ["Ministerin"]),  # a preterite is no adjective
        ("Das forderte Ministerin Kern.", ["Ministerin"]),
        ("Im Mai eröffnete Ministerin Kern das Bad.", ["Ministerin"]),
        ("Fischerdörfer gibt es hier", ["Fischerdörfer"]),
        ("Zuschauerinnen wie Zuschauer jubelten.", ["Zuschauerinnen wie Zuschauer"]),
        ("Ina pflegt einen schwer Kranken.", ["einen", "Kranken"]),
        ("Der Bericht der Vorsitzenden liegt vor.", ["der"]),
        ("Keiner, der das sah, blieb.", ["Keiner", "der"]),
        ("Ich kenne niemanden, der so früh aufsteht.", ["der"]),
        ("Jede private oder öffentliche Fläche zählt.", []),  # a noun follows
        ("Es gibt keine „humanitären“ Einsätze.", []),
        ("Nach…jeder…Frage kommt eine Antwort.", []),
        ("| keine | Tagesordnung |", []),
        ("Das sagt ein*e Botschafter*in/Moderator*in.", []),  # fair already
        ("Jede*r dritte Studierende ist arm.", []),
        ("The manager of the project is a teacher.", []),
    ],
)
def test_what_may_change(german: German, text: str, words: list[str]) -> None:
    found = german.analyze(text, protected_spans(text)).candidates
    assert [text[c.start : c.end] for c in found if len(c.options) > 1] == words


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("Frau Enkelmann kam.", "Enkelmann"),
        ("Der Thüringerwald liegt im Nebel.", "Thüringerwald"),
        ("Er stieg auf die Leiter.", "Leiter"),
        ("Ein roter Läufer liegt im Flur.", "Läufer"),
        ("Im Theater läuft »Die Physiker«.", "Physiker"),
        ("Jugendliche und Erwachsene tanzen.", "Jugendliche"),
    ],
)
def test_names_things_and_works_are_left_to_the_network(german: German, text: str, word: str) -> None:
    (candidate,) = [c for c in german.analyze(text).candidates if text[c.start : c.end] == word]
    assert candidate.forced is None
    assert len(candidate.options) > 1
