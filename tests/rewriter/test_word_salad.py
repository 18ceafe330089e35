"""No text stops a rewriter, whatever its words and whatever a model says, in any form and direction."""

from __future__ import annotations

import pytest
from word_salad import Whim, check_in_order, whimsical, word_salad

from rewriter.de.inflection import FORMS
from rewriter.language.interface import get_language
from rewriter.model.proposer import Sentence, analyze
from rewriter.records import apply_edits

GERMAN: list[dict[str, object]] = [
    {"to": to, "form": form, "normalise": normalise}
    for to in ("fair", "masculine", "feminine")
    for form in FORMS
    for normalise in (False, True)
    if to == "fair" or form != "pair"  # the way back names no pairs
]
SETTINGS = [
    *(pytest.param("de", chosen, id=f"de {' '.join(map(str, chosen.values()))}") for chosen in GERMAN),
    *(pytest.param("en", {"to": to}, id=f"en {to}") for to in ("fair", "masculine", "feminine")),
]


def rewrite_salad(lang: str, settings: dict[str, object], seeds: range) -> None:
    rewriter = whimsical(lang, **settings)
    for seed in seeds:
        text = word_salad(lang, seed)
        result = rewriter.rewrite(text, return_edits=True)
        check_in_order(text, result.edits)
        assert apply_edits(text, result.edits) == result.text
        assert result.text.count("\n") == text.count("\n"), text


@pytest.mark.parametrize(("lang", "settings"), SETTINGS)
def test_no_text_stops_a_rewriter(lang: str, settings: dict[str, object]) -> None:
    rewrite_salad(lang, settings, range(15))


@pytest.mark.slow
@pytest.mark.parametrize(("lang", "settings"), SETTINGS)
def test_no_text_of_many_stops_a_rewriter(lang: str, settings: dict[str, object]) -> None:
    rewrite_salad(lang, settings, range(1000, 3000))


# fragments that stopped a corpus, and their relatives: a relative pronoun in a case that its preposition rules out
@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("Generalbundesanwalts, nach der", "Generalbundesanwält*in, nach der"),
        ("Lehrers, von der", "Lehrer*in, von der"),
        ("Kunde, mit welcher", "Kund*in, mit welcher"),
        ("Mein Arzt, seit der", "Mein*e Ärzt*in, seit der"),
    ],
)
def test_a_relative_pronoun_that_agrees_in_no_case_follows_nobody(source: str, target: str) -> None:
    language = get_language("de")
    analysis = analyze(language, Sentence(source))
    for candidate in analysis.candidates:
        assert candidate.kind != "relative" or len(candidate.options) > 1
    options = [min(1, len(candidate.options) - 1) for candidate in analysis.candidates]
    edits = language.settle(source, analysis, options, [1.0] * len(options))
    assert apply_edits(source, edits) == target


def paired(source: str) -> str:
    """Return the pair form of a sentence in which every candidate changes as its first option says."""
    language = get_language("de", form="pair")
    analysis = analyze(language, Sentence(source))
    options = [min(1, len(candidate.options) - 1) for candidate in analysis.candidates]
    edits = language.settle(source, analysis, options, [1.0] * len(options))
    check_in_order(source, edits)
    return apply_edits(source, edits)


# words that change by themselves within a phrase that would be repeated: the sentence stays
@pytest.mark.parametrize(
    "source",
    [
        "n Lt ihr er rder Lehrer",
        "Ein ihn liebender Lehrer singt.",
        "Der von ihm ernannte Minister lacht.",
        "diejenige 3. Minister Jugendliche",
    ],
)
def test_a_phrase_that_holds_another_change_is_not_repeated(source: str) -> None:
    assert paired(source) == source


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("Ein Lehrer, der singt, lacht.", "Eine Lehrerin oder ein Lehrer, die oder der singt, lacht."),
        ("Mein Student, dem ich traue, kam.", "Meine Studentin oder mein Student, der oder dem ich traue, kam."),
        ("Student, dem ich traue, kam.", "Studentin oder Student, der oder dem ich traue, kam."),
    ],
)
def test_a_relative_pronoun_is_no_part_of_the_phrase_that_is_repeated(source: str, target: str) -> None:
    assert paired(source) == target


def test_a_whim_is_the_same_for_the_same_sentence() -> None:
    language = get_language("de")
    sentence = Sentence("Ein Lehrer sah seine Schülerin, die ihm half.")
    assert Whim(language, 3).propose([sentence]) == Whim(language, 3).propose([sentence])
