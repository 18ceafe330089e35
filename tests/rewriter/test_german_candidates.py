"""German candidates: what may change and into what, what the grammar settles alone, and how choices are made to agree.

Every sentence is invented. ``open`` of the development set is the larger test of the same kind.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rewriter.de.language import German
from rewriter.language.interface import get_language
from rewriter.model.alignment import match_outcomes
from rewriter.policy.protect import protected_spans
from rewriter.records import apply_edits

DATA = Path(__file__).parents[1] / "data" / "de" / "open"


@pytest.fixture(scope="module")
def german() -> German:
    language = get_language("de")
    assert isinstance(language, German)
    return language


def forced(language: German, text: str) -> str:
    """Return the text with every outcome that the grammar settles."""
    analysis = language.analyze(text, protected_spans(text))
    options = [
        [outcome for outcome, _ in c.options].index(c.forced) if c.forced is not None else 0
        for c in analysis.candidates
    ]
    return apply_edits(text, language.settle(text, analysis, options, [1.0] * len(options)))


def options_of(language: German, text: str, word: str) -> list[str]:
    """Return what a word may become."""
    candidates = language.analyze(text, protected_spans(text)).candidates
    return [option for c in candidates if text[c.start : c.end] == word for _, option in c.options[1:]]


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("Wir sprachen mit dem Bäcker.", "Wir sprachen mit dem*der Bäcker*in."),
        ("Für die Bäckerin war das neu.", "Für den*die Bäcker*in war das neu."),
        ("Ein junger Tischler half.", "Ein*e junge*r Tischler*in half."),
        ("Den Rentnern fehlt Geld.", "Den Rentner*innen fehlt Geld."),
        ("Drei Studenten lachten.", "Drei Student*innen lachten."),
        ("Die Studentinnen lachten.", "Die Student*innen lachten."),
        ("Sie fuhr zum Arzt.", "Sie fuhr zum*zur Ärzt*in."),
        ("Das kam von der Köchin.", "Das kam vom*von der Köch*in."),
        ("Er half einem Angestellten.", "Er half einem*r Angestellten."),
        ("Man fragte einen Verwandten.", "Man fragte eine*n Verwandte*n."),
        ("Liebe Kolleginnen und Kollegen!", "Liebe Kolleg*innen!"),
        ("Die Lehrerin oder der Lehrer hilft.", "Der*die Lehrer*in hilft."),
        ("Er dankte der neuen Lehrerin bzw. dem neuen Lehrer.", "Er dankte dem*der neuen Lehrer*in."),
        (
            "Die Mieterin oder der Mieter, die oder der kündigt, zahlt.",
            "Der*die Mieter*in, der*die kündigt, zahlt.",
        ),
    ],
)
def test_what_the_grammar_settles(german: German, source: str, target: str) -> None:
    assert forced(german, source) == target


@pytest.mark.parametrize(
    ("text", "word", "options"),
    [
        ("Der Lehrer fehlt.", "Der", ["Der*die"]),
        ("Das Heft der Lehrer fehlt.", "Lehrer", ["Lehrer*in", "Lehrer*innen"]),
        ("Man gab das Heft der Lehrerin.", "der", ["dem*der", "des*der"]),
        ("Das Kind ruft die Angestellte.", "Angestellte", ["Angestellte*n"]),
        ("Der Arzt und seine Frau.", "seine", ["seine*ihre"]),
        ("Der Arzt traf seinen Lehrer.", "seinen", ["seine*n", "seine*ihre*n", "seinen*ihren"]),
        ("Frag deinen Lehrer, ob er kommt.", "er", ["er*sie"]),
        ("Ich kenne die Ärztin, weil sie hilft.", "sie", ["er*sie", "ihn*sie"]),
        ("Die Ärztin kam, und ich half ihr.", "ihr", ["ihm*ihr"]),
        ("Der Arzt, dessen Haus brennt.", "dessen", ["dessen*deren"]),
        ("Die Kandidatenliste ist lang.", "Kandidatenliste", ["Kandidat*innenliste"]),
        ("Einer der Zeugen sang.", "Einer", ["Eine*r"]),
        ("Der seit Mai im Amt befindliche Minister.", "Der", ["Der*die"]),
        ("Der Vorsitzende Richter schwieg.", "Der", ["Der*die"]),
    ],
)
def test_what_is_left_open(german: German, text: str, word: str, options: list[str]) -> None:
    assert options_of(german, text, word) == options


@pytest.mark.parametrize(
    "text",
    [
        "Die Lehrer*innen und Schüler:innen, ein/e Bäcker/in, die StudentInnen, Leser_innen und Hörer(innen).",
        "Der Klang des Lautsprechers stört im Lauf des Oktobers, und in den Ordnern fehlt etwas.",
        "Der Computer steht neben dem Drucker und dem Wecker.",
        "Siehe `Lehrer.find()` und https://example.org/Lehrer und @Lehrer.",
        "Der Mensch und das Mitglied, die Person und das Kind.",
        "Die Angestellten und die Abgeordneten.",
        "In der Berliner Straße am Frankfurter Tor.",
        "Der Tisch wackelt, weil er alt ist, und die Lampe brennt, seit sie hängt.",
    ],
)
def test_what_is_no_candidate(german: German, text: str) -> None:
    assert german.analyze(text, protected_spans(text)).candidates == []


@pytest.mark.parametrize("text", ["Haben Sie Ihren Arzt gefragt?", "Ich frage Sie, ob Sie der Arzt sind."])
def test_polite_address_is_no_pronoun_of_a_person(german: German, text: str) -> None:
    assert options_of(german, text, "Sie") == []


class TestAgreement:
    """A phrase changes as one, and pronouns only beside a starred person."""

    def choose(self, language: German, text: str, wanted: dict[str, str]) -> str:
        """Return the text after settling the options that ``wanted`` names by the word."""
        analysis = language.analyze(text, training=True)
        options = []
        for c in analysis.candidates:
            texts = [option for _, option in c.options]
            options.append(texts.index(wanted.get(text[c.start : c.end], texts[0])))
        return apply_edits(text, language.settle(text, analysis, options, [1.0] * len(options)))

    def test_article_needs_its_noun(self, german: German) -> None:
        assert self.choose(german, "Der Lehrer fehlt.", {"Der": "Der*die"}) == "Der Lehrer fehlt."

    def test_noun_takes_its_article_along(self, german: German) -> None:
        assert self.choose(german, "Der Lehrer fehlt.", {"Lehrer": "Lehrer*in"}) == "Der*die Lehrer*in fehlt."

    def test_plural_noun_leaves_its_article(self, german: German) -> None:
        wanted = {"der": "der*die", "Lehrer": "Lehrer*innen"}
        assert self.choose(german, "Das Zimmer der Lehrer.", wanted) == "Das Zimmer der Lehrer*innen."

    def test_one_case_for_a_phrase(self, german: German) -> None:
        wanted = {"die": "den*die", "neue": "neue", "Lehrerin": "Lehrer*in"}
        assert self.choose(german, "Ich sah die neue Lehrerin.", wanted) == "Ich sah den*die neue*n Lehrer*in."

    def test_pronoun_needs_a_starred_person(self, german: German) -> None:
        text = "Der Lehrer sagt, dass er kommt."
        assert self.choose(german, text, {"er": "er*sie"}) == text
        wanted = {"er": "er*sie", "Lehrer": "Lehrer*in"}
        assert self.choose(german, text, wanted) == "Der*die Lehrer*in sagt, dass er*sie kommt."

    def test_possessor_of_a_starred_person(self, german: German) -> None:
        text = "Anna kennt ihren Lehrer."
        wanted = {"ihren": "seine*ihre*n", "Lehrer": "Lehrer*in"}
        assert self.choose(german, text, wanted) == "Anna kennt ihre*n Lehrer*in."

    def test_nominalised_head_that_looks_the_same(self, german: German) -> None:
        wanted = {"Der": "Der*die"}
        assert self.choose(german, "Der Angeklagte schwieg.", wanted) == "Der*die Angeklagte schwieg."


def _rows(name: str) -> list[list[str]]:
    return [line.split("\t") for line in (DATA / name).read_text(encoding="utf-8").splitlines()[1:]]


def test_every_reference_of_the_open_half_can_be_reached(german: German) -> None:
    missing = []
    for identifier, _, source, target in [*_rows("gendered.tsv"), *_rows("nouns.tsv"), *_rows("pronouns.tsv")]:
        analysis = german.analyze(source, protected_spans(source), training=True)
        options = match_outcomes(source, target, analysis.candidates)
        settled = None
        if options is not None:
            settled = apply_edits(source, german.settle(source, analysis, options, [1.0] * len(options)))
        if settled != target:
            missing.append(identifier)
    assert missing == []


def test_grammar_agrees_with_the_open_half(german: German) -> None:
    wrong = []
    for identifier, _, source, target in [*_rows("gendered.tsv"), *_rows("nouns.tsv"), *_rows("pronouns.tsv")]:
        analysis = german.analyze(source, protected_spans(source))
        free = german.analyze(source, protected_spans(source), training=True)
        options = match_outcomes(source, target, free.candidates) or []
        for candidate, option in zip(analysis.candidates, options, strict=True):
            certain = dict(candidate.options).get(candidate.forced if candidate.forced is not None else -1)
            if certain not in (None, candidate.options[option][1]):
                wrong.append((identifier, source[candidate.start : candidate.end]))
    assert wrong == []


def test_grammar_alone_changes_nothing_that_must_stay(german: German) -> None:
    changed = [
        identifier
        for identifier, _, source in [*_rows("keep.tsv"), *_rows("nouns-keep.tsv"), *_rows("pronouns-keep.tsv")]
        if forced(german, source) != source
    ]
    assert changed == []


_WORDS = st.sampled_from(
    [
        *"Der die Lehrer Lehrerin und oder , . ein eine jeder Angestellte Studenten Ärztin er sie ihr ihre".split(),
        *"seinen neue zum von der Kollegen Kolleginnen bzw. * / : - „ “ ( ) § 3 das Kundendaten LEHRER x_y".split(),
        *"Berliner Straße bei dessen deren oder".split(),
        "die\n",
        "\n\n",
    ]
)


@settings(max_examples=150, deadline=None)
@given(words=st.lists(_WORDS, max_size=14), glue=st.sampled_from([" ", " ", "", "\n", "  "]))
def test_candidates_are_sound(german: German, words: list[str], glue: str) -> None:
    text = glue.join(words)
    for training in (False, True):
        analysis = german.analyze(text, protected_spans(text), training=training)
        end = 0
        for index, candidate in enumerate(analysis.candidates):
            assert end <= candidate.start < candidate.end <= len(text)
            end = candidate.end
            assert candidate.options[0] == (0, text[candidate.start : candidate.end])
            assert len({option for _, option in candidate.options}) == len(candidate.options)
            assert candidate.forced in (None, *(outcome for outcome, _ in candidate.options))
            assert candidate.governor != index
            assert all(
                option.count("\n") == text[candidate.start : candidate.end].count("\n")
                for _, option in candidate.options
            )
        if analysis.candidates:
            assert german.gate(text)
        for pick in (0, 1, 99):
            chosen = [min(pick, len(c.options) - 1) for c in analysis.candidates]
            apply_edits(text, german.settle(text, analysis, chosen, [1.0] * len(chosen)))


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("Meine Kollegen\nund Kolleginnen!", "Meine\nKolleg*innen!"),
        ("Kollegen\nund Kolleginnen kamen.", "Kolleg*innen\nkamen."),
        ("Das kam von\nder Köchin.", "Das kam vom*von\nder Köch*in."),
        ("Er oder\nsie, sagt der Lehrer\noder die Lehrerin, kommt.", "Er oder\nsie, sagt\nder*die Lehrer*in, kommt."),
    ],
)
def test_line_breaks_are_kept(german: German, source: str, target: str) -> None:
    assert forced(german, source) == target


def test_probabilities_settle_the_case_of_a_phrase(german: German) -> None:
    """Article and adjective disagree; together they are likelier accusative."""
    text = "Sie fragt die neue Lehrerin."
    analysis = german.analyze(text, training=True)
    rows: list[list[float]] = []
    for candidate in analysis.candidates:
        row = [0.0] * len(german.outcomes)
        likely = {"article": {3: 0.5, 4: 0.4}, "adjective": {0: 0.1, 4: 0.9}, "noun": {1: 0.9}}.get(
            candidate.kind, {0: 1.0}
        )
        for outcome, probability in likely.items():
            row[outcome] = probability
        rows.append(row)
    options = []
    for candidate, row in zip(analysis.candidates, rows, strict=True):
        allowed = [row[outcome] for outcome, _ in candidate.options]
        options.append(allowed.index(max(allowed)))
    edits = german.settle(text, analysis, options, [1.0] * len(options), rows)
    assert apply_edits(text, edits) == "Sie fragt den*die neue*n Lehrer*in."


@settings(max_examples=200, deadline=None)
@given(text=st.text(max_size=60))
def test_any_text_is_analysed(german: German, text: str) -> None:
    analysis = german.analyze(text, protected_spans(text))
    assert not analysis.candidates or german.gate(text)
