"""German read by a network: what may be a person is open, and the words of a phrase are decoded together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rewriter.de.decoding import decode
from rewriter.de.drafts import OUTCOMES
from rewriter.de.language import German
from rewriter.errors import ModelError, UsageError
from rewriter.language.candidates import Analysis, Candidate
from rewriter.language.interface import get_language
from rewriter.model.alignment import match_outcomes
from rewriter.model.directory import ModelInfo, load_info, seal
from rewriter.records import apply_edits


@pytest.fixture(scope="module")
def german() -> German:
    language = get_language("de", reader="model")
    assert isinstance(language, German)
    return language


def rewritten(german: German, text: str, scores: Mapping[str, Mapping[str, float]]) -> str:
    """The sentence as it comes out where a network gave these scores to these words; every other word stays."""
    analysis = german.analyze(text)
    rows = [_row(scores.get(text[c.start : c.end], {"keep": 1.0})) for c in analysis.candidates]
    options = [_likeliest(c, row) for c, row in zip(analysis.candidates, rows, strict=True)]
    return apply_edits(text, german.settle(text, analysis, options, [1.0] * len(rows), rows))


def _likeliest(candidate: Candidate, row: Sequence[float]) -> int:
    return max(range(len(candidate.options)), key=lambda option: row[candidate.options[option][0]])


def _row(scores: Mapping[str, float]) -> list[float]:
    return [scores.get(outcome, 0.0) for outcome in OUTCOMES]


#: source, scores of the network, result
PHRASES = [
    pytest.param(
        "Das Angebot der Anbieter wuchs.",
        {"Anbieter": {"plural": 0.6, "singular": 0.4}, "der": {"keep": 0.9, "nominative": 0.1}},
        "Das Angebot der Anbieter*innen wuchs.",
        id="the article's score counts for the number of its noun",
    ),
    pytest.param(
        "Das Angebot der Anbieter wuchs.",
        {"Anbieter": {"plural": 0.6, "singular": 0.4}, "der": {"keep": 0.1, "nominative": 0.9}},
        "Das Angebot der*die Anbieter*in wuchs.",
        id="and against it",
    ),
    pytest.param(
        "Die neue Richterin fragt.",
        {
            "Richterin": {"singular": 1.0},
            "Die": {"nominative": 0.45, "accusative": 0.55},
            "neue": {"keep": 0.9, "accusative": 0.1},
        },
        "Der*die neue Richter*in fragt.",
        id="article and adjective agree in the case that suits both",
    ),
    pytest.param(
        "Sie suchen den Ordner.",
        {"den": {"accusative": 0.8, "keep": 0.2}},
        "Sie suchen den Ordner.",
        id="nothing agrees with a word that is no candidate",
    ),
    pytest.param(
        "Der Kläger kam.",
        {"Kläger": {"keep": 0.9, "singular": 0.1}, "Der": {"nominative": 0.6, "keep": 0.4}},
        "Der Kläger kam.",
        id="an article stays with its noun",
    ),
    pytest.param(
        "Dem Kranken half es.",
        {"Dem": {"dative": 0.9, "keep": 0.1}, "Kranken": {"keep": 0.99, "accusative": 0.01}},
        "Dem*der Kranken half es.",
        id="a nominalised adjective may show its reading by the article alone",
    ),
    pytest.param("Er wackelt.", {"Er": {"keep": 0.7, "nominative": 0.3}}, "Er wackelt.", id="a pronoun by itself"),
    pytest.param("Er kam.", {"Er": {"keep": 0.2, "nominative": 0.8}}, "Er*sie kam.", id="whom nobody named"),
]


@pytest.mark.parametrize(("source", "scores", "target"), PHRASES)
def test_phrases_take_the_likeliest_reading_as_a_whole(
    german: German, source: str, scores: Mapping[str, Mapping[str, float]], target: str
) -> None:
    assert rewritten(german, source, scores) == target


#: what the network is asked about
OPEN = [
    ("Frau Müller traf den Schneider.", "Schneider"),
    ("Er wackelt.", "Er"),
    ("Hol die Leiter!", "Leiter"),
    ("Die Crailsheimerinnen gewannen.", "Crailsheimerinnen"),
    ("Sie spielten gegen die Sülzbacher.", "Sülzbacher"),
]


@pytest.mark.parametrize(("text", "word"), OPEN)
def test_what_may_be_a_person_is_open(german: German, text: str, word: str) -> None:
    analysis = german.analyze(text)
    found = [c for c in analysis.candidates if text[c.start : c.end] == word]
    assert [c.forced for c in found] == [None]


#: what stays, whoever reads: closed classes, things of the tables, what is gender-fair already
CLOSED = [
    "Der Computer steht im Zimmer.",
    "Die Lehrer*innen singen.",
    "Berliner Straße 5",
    "Das Wasser ist warm.",
    "Folgenden Freitag regnet es.",
    "Eine Leiter lehnt an der Wand.",
    "Alle Migrant-innen zahlen.",
    "Folgende Daten fehlen.",
    "Besonders schnell stieg die Aufmerksamkeit.",
    "Malte lacht, und jemand ruft.",
    "Jemanden wie Malte braucht es.",
    "Die Renditen fallen.",
]


@pytest.mark.parametrize("text", CLOSED)
def test_closed_classes_are_no_candidates(german: German, text: str) -> None:
    assert german.analyze(text).candidates == []


#: source and target of which every word can be told by an outcome, and comes back through decoding
EXPLAINED = [
    ("Der Lehrer gab dem Kunden seine Rechnung.", "Der*die Lehrer*in gab dem*der Kund*in seine*ihre Rechnung."),
    ("Die Besucherforschung fragt Besucher.", "Die Besucher*innenforschung fragt Besucher*innen."),
    ("Ein früherer Chef, der lacht.", "Ein*e frühere*r Chef*in, der*die lacht."),
    ("Mein Freund sah die Ärztin.", "Mein*e Freund*in sah den*die Ärzt*in."),
    ("Die Abgeordnete sprach mit einem Angestellten.", "Der*die Abgeordnete sprach mit einem*r Angestellten."),
    ("Jeder, der kommt, bekommt seinen Teil.", "Jede*r, der*die kommt, bekommt seinen*ihren Teil."),
    ("Wir suchen jemanden, der oder die singt.", "Wir suchen jemanden, der*die singt."),
    ("Wir danken den Arbeiterinnen und Arbeiter.", "Wir danken den Arbeiter*innen."),
    ("Das ist ein nutzerfreundliches Angebot.", "Das ist ein nutzer*innenfreundliches Angebot."),
    ("Der Autoteilzulieferer kam.", "Der*die Autoteilzuliefer*in kam."),
    ("Er wurde Vorsitzender.", "Er*sie wurde Vorsitzende*r."),
    ("Ein Beauftragter kam.", "Ein*e Beauftragte*r kam."),
    ("Jämmerlicher Lehrer!", "Jämmerliche*r Lehrer*in!"),
]


@pytest.mark.parametrize(("source", "target"), EXPLAINED)
def test_decoding_returns_what_was_labelled(german: German, source: str, target: str) -> None:
    analysis = german.analyze(source)
    options = match_outcomes(source, target, analysis.candidates)
    assert options is not None
    rows = [_row({OUTCOMES[c.options[option][0]]: 1.0}) for c, option in zip(analysis.candidates, options, strict=True)]
    edits = german.settle(source, analysis, options, [1.0] * len(options), rows)
    assert apply_edits(source, edits) == target


@given(st.data())
def test_any_scores_give_allowed_outcomes(data: st.DataObject) -> None:
    analysis: Analysis = get_language("de", reader="model").analyze(
        "Der neue Lehrer, den die Schüler mögen, gab seiner Kollegin einen Ordner, als er ging."
    )
    score = st.floats(0, 1, allow_nan=False)
    rows = [
        [data.draw(score) if any(o == known for known, _ in c.options) else 0.0 for o in range(len(OUTCOMES))]
        for c in analysis.candidates
    ]
    outcomes = decode(analysis, [0] * len(rows), rows)
    for candidate, outcome in zip(analysis.candidates, outcomes, strict=True):
        assert outcome in dict(candidate.options)


@pytest.mark.parametrize("reader", ["nobody", "rules"])
def test_an_unknown_reader_is_refused(reader: str) -> None:
    with pytest.raises(UsageError, match="reader must be"):
        get_language("de", reader=reader)


@pytest.mark.parametrize("said", [{}, {"language": {}}, {"language": {"reader": "rules"}}])
def test_a_model_of_the_rules_reader_is_refused_in_one_sentence(said: dict[str, Any], tmp_path: Path) -> None:
    (tmp_path / "model.bin").write_bytes(b"weights")
    seal(tmp_path, ModelInfo("old", "de", "edits", settings=said))
    with pytest.raises(ModelError, match=r"made by an older version of this toolkit .*reader: model"):
        load_info(tmp_path)


def test_a_model_that_says_its_reader_is_taken(tmp_path: Path) -> None:
    seal(tmp_path, ModelInfo("new", "de", "edits", settings={"language": {"reader": "model"}}))
    assert load_info(tmp_path).name == "new"
