"""Persons in running text: compounds, phrases with marks, labels, objects beside a subject, *niemand, der*."""

from __future__ import annotations

import pytest

from rewriter.de.language import German, make
from rewriter.de.lexicon import GermanLexicon
from rewriter.de.phrases import find_phrase
from rewriter.de.sentence import Sentence
from rewriter.de.turning.read import read_sentence
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


def _choices(german: German, text: str) -> dict[str, list[str]]:
    analysis = german.analyze(text, protected_spans(text))
    return {text[c.start : c.end]: [after for _, after in c.options[1:]] for c in analysis.candidates}


@pytest.mark.parametrize(
    ("text", "word", "options"),
    [
        ("Neue Besucherin anlegen", "Neue", ["Neue*n"]),
        ("Neuen Administrator einladen", "Neuen", ["Neue*n"]),
        ("Polizei nimmt mutmaßlichen Betrüger fest", "Betrüger", ["Betrüger*in"]),
        ("Unbekannter überfällt Taxifahrer", "Unbekannter", ["Unbekannte*r"]),
        ("Lehrer, Schüler und Eltern stritten.", "Schüler", ["Schüler*innen"]),
        ("Um eine Erzieherin zu werden, lernt man viel.", "eine", ["ein*e"]),
        ("Hilf der Köchin!", "der", ["dem*der"]),
        ("Das Gericht sprach den Angeklagten frei.", "den", ["den*die"]),
        ("Keiner, der das sah, blieb.", "der", ["der*die"]),
        ("Ich kenne niemanden, der so früh aufsteht.", "der", ["der*die"]),
    ],
)
def test_what_the_place_of_a_word_leaves(german: German, text: str, word: str, options: list[str]) -> None:
    assert _choices(german, text)[word] == options


@pytest.mark.parametrize(
    ("text", "objects"),
    [
        ("Die Hausärztin überwies die Patientin.", {"Patientin"}),
        ("Das Gericht verurteilte die Angeklagte.", {"Angeklagte"}),
        ("Gestern rief er die Kollegin an.", {"Kollegin"}),
        ("Das Wort hat die Kollegin.", set()),
        ("Sie ist die neue Chefin.", set()),
    ],
)
def test_objects_beside_their_subject(text: str, objects: set[str]) -> None:
    words = Sentence(text, GermanLexicon(), ())
    assert {words.surface(at) for at in read_sentence(text).objects} == objects


@pytest.mark.parametrize(
    ("text", "means"),
    [
        ("Wenn ein Gast den Kellner ruft, muss dieser kommen.", "Kellner"),
        ("Der Halter eines Hundes hat diesen zu führen.", ""),
    ],
)
def test_what_dieser_points_at(text: str, means: str) -> None:
    words = Sentence(text, GermanLexicon(), ())
    (found,) = read_sentence(text).pointed.values()
    assert (words.surface(found) if found >= 0 else "") == means
