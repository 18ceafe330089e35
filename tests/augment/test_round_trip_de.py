"""German forms for round trips: what is found, how it is normalised, what is left and why."""

from __future__ import annotations

import pytest

from augment.de.round_trip import UNKNOWN, UNSURE, GermanRoundTrip, make
from rewriter.errors import UsageError


@pytest.fixture(scope="module")
def rules() -> GermanRoundTrip:
    return make()


@pytest.mark.parametrize(
    ("text", "fair", "forms"),
    [
        ("Die Lehrer*innen singen.", "Die Lehrer*innen singen.", ["star"]),
        ("Die Lehrer:innen singen.", "Die Lehrer*innen singen.", ["colon"]),
        ("Die Lehrer_innen singen.", "Die Lehrer*innen singen.", ["gap"]),
        ("Die Lehrer/innen singen.", "Die Lehrer*innen singen.", ["slash"]),
        ("Die Lehrer/-innen singen.", "Die Lehrer*innen singen.", ["slash"]),
        ("Die LehrerInnen singen.", "Die Lehrer*innen singen.", ["binnen-i"]),
        ("Die Lehrer(innen) singen.", "Die Lehrer*innen singen.", ["brackets"]),
        ("Die Lehrerinnen und Lehrer singen.", "Die Lehrer*innen singen.", ["pair"]),
        ("Alle Köche und Köchinnen singen.", "Alle Köch*innen singen.", ["pair"]),
        ("Eine Pilotin oder ein Pilot winkt.", "Ein*e Pilot*in winkt.", ["pair"]),
        ("Der Pilot bzw. die Pilotin winkt.", "Der*die Pilot*in winkt.", ["pair"]),
        ("Jede:r Pilot:in hat sein:ihr Ziel.", "Jede*r Pilot*in hat sein*ihr Ziel.", ["colon"] * 3),
        ("Der/die Vorsitzende winkt.", "Der*die Vorsitzende winkt.", ["slash"]),
        ("Bürger/Bürgerinnen winken.", "Bürger*innen winken.", ["pair"]),
    ],
)
def test_forms_are_found_and_written_with_a_star(rules, text, fair, forms) -> None:
    reading = rules.read(text, "star")
    assert reading.text == fair
    assert [one.form for one in reading.found] == forms
    assert not reading.unread
    assert rules.maybe_fair(text)


def test_offsets_are_those_of_the_given_text_behind_the_first_sentence_too(rules) -> None:
    text = "Es regnet.  Die Bäcker:innen backen. Die Köchinnen und Köche kochen."
    found = [text[one.start : one.end] for one in rules.read(text, "star").found]
    assert found == ["Bäcker:innen", "Köchinnen und Köche"]


@pytest.mark.parametrize("form", ["colon", "gap", "slash", "binnen-i"])
def test_every_form_of_words_can_be_the_target(rules, form) -> None:
    there = rules.read("Die Köchinnen und Köche kochen.", form).text
    assert there != "Die Köch*innen kochen."
    assert rules.read(there, "star").text == "Die Köch*innen kochen."


def test_the_pair_form_is_none_of_words(rules) -> None:
    with pytest.raises(UsageError, match="form must be one of star"):
        rules.read("Die Lehrer:innen.", "pair")


@pytest.mark.parametrize(
    "text",
    [
        "Um 12:30 steht es 3:1.",
        "Die SuS lesen.",
        "Siehe https://beispiel.example/lehrer_innen und `user:in`.",
        "Das Wort*hier hat eine Fußnote.",
        "Berlin und Wien sind Städte.",
        "Ein Tisch oder ein Stuhl fehlt.",
    ],
)
def test_what_only_looks_like_a_form_is_none(rules, text) -> None:
    assert rules.read(text, "star").found == ()
    assert rules.read(text, "star").text == text


@pytest.mark.parametrize(
    ("text", "span", "reason"),
    [
        ("Die MusikIn spielt.", "MusikIn", UNKNOWN),
        ("Alle Quarkwumpf*innen kommen.", "Quarkwumpf*innen", UNKNOWN),
        ("Der Graf und die Gräfin tanzen.", "Der Graf und die Gräfin", UNSURE),
        ("Es entstand der/die Krümelsee.", "der/die", UNSURE),
    ],
)
def test_what_could_not_be_read_is_reported(rules, text, span, reason) -> None:
    reading = rules.read(text, "star")
    assert reading.text == text
    assert [(text[one.start : one.end], one.reason) for one in reading.unread] == [(span, reason)]


@pytest.mark.parametrize(
    ("word", "some"),
    [
        ("Student*innen", {"Studenten", "Studentinnen"}),
        ("Ärzt*in", {"Arzt", "Ärztin"}),
        ("einem*r", {"einem", "einer"}),
        ("der*die", {"der", "die"}),
        ("Grundschullehrer*innen", {"Grundschullehrer", "Grundschullehrerinnen"}),
    ],
)
def test_halves_are_the_gendered_forms(rules, word, some) -> None:
    assert some <= set(rules.halves(word))


@pytest.mark.parametrize(
    ("text", "gender"),
    [
        ("Die Lehrerin lobt ihre Schülerinnen.", "feminine"),
        ("Der Lehrer lobt die Schüler.", "masculine"),
        ("Der Lehrer lobt die Schülerinnen.", ""),
        ("Die Lehrer*innen singen.", ""),
        ("Der Regen fällt.", ""),
    ],
)
def test_gender_of_a_sentence(rules, text, gender) -> None:
    assert rules.gender(text) == gender


def test_prompts_are_gender_fair_singulars(rules) -> None:
    prompts = rules.prompts()
    assert "Ein*e Lehrer*in" in prompts
    assert all(rules.read(prompt, "star").found for prompt in prompts[:50])
