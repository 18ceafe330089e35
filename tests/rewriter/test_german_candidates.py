"""German candidates: what may change and into what, and how what was chosen is written.

Every sentence is invented. ``open`` of the development set is the larger test of the same kind.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rewriter.de.candidates import analyze
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


def written(language: German, source: str, target: str) -> str | None:
    """Return what the outcomes write that give a target, None where none do."""
    analysis = language.analyze(source, protected_spans(source))
    options = match_outcomes(source, target, analysis.candidates)
    if options is None:
        return None
    return apply_edits(source, language.settle(source, analysis, options, [1.0] * len(options)))


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
def test_a_phrase_is_written_as_one(german: German, source: str, target: str) -> None:
    assert written(german, source, target) == target


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
        "Der Computer steht neben dem Wecker.",
        "Siehe `Lehrer.find()` und https://example.org/Lehrer und @Lehrer.",
        "Der Mensch und das Mitglied, die Person und das Kind.",
        "Die Angestellten und die Abgeordneten.",
        "In der Berliner Straße am Frankfurter Tor.",
    ],
)
def test_what_is_no_candidate(german: German, text: str) -> None:
    assert german.analyze(text, protected_spans(text)).candidates == []


@pytest.mark.parametrize("text", ["Haben Sie Ihren Arzt gefragt?", "Ich frage Sie, ob Sie der Arzt sind."])
def test_polite_address_is_no_pronoun_of_a_person(german: German, text: str) -> None:
    assert options_of(german, text, "Sie") == []


class TestAgreement:
    """A phrase changes as one; a pronoun stands by itself."""

    def choose(self, language: German, text: str, wanted: dict[str, str]) -> str:
        """Return the text after settling the options that ``wanted`` names by the word."""
        analysis = language.analyze(text)
        options = []
        for c in analysis.candidates:
            texts = [option for _, option in c.options]
            options.append(texts.index(wanted.get(text[c.start : c.end], texts[0])))
        return apply_edits(text, language.settle(text, analysis, options, [1.0] * len(options)))

    def test_plural_noun_leaves_its_article(self, german: German) -> None:
        text = "Das Zimmer der Lehrer."
        assert self.choose(german, text, {"Lehrer": "Lehrer*innen"}) == "Das Zimmer der Lehrer*innen."

    def test_one_case_for_a_phrase(self, german: German) -> None:
        wanted = {"die": "den*die", "neue": "neue*n", "Lehrerin": "Lehrer*in"}
        assert self.choose(german, "Ich sah die neue Lehrerin.", wanted) == "Ich sah den*die neue*n Lehrer*in."

    def test_a_pronoun_follows_what_the_network_says_of_it(self, german: German) -> None:
        text = "Der Lehrer sagt, dass er kommt."
        assert self.choose(german, text, {"er": "er*sie"}) == "Der Lehrer sagt, dass er*sie kommt."

    def test_possessor_of_a_person_who_stays(self, german: German) -> None:
        text = "Anna kennt ihren Lehrer."
        wanted = {"ihren": "seinen*ihren"}
        assert self.choose(german, text, wanted) == "Anna kennt seinen*ihren Lehrer."

    def test_nominalised_head_that_looks_the_same(self, german: German) -> None:
        wanted = {"Der": "Der*die"}
        assert self.choose(german, "Der Angeklagte schwieg.", wanted) == "Der*die Angeklagte schwieg."


def _rows(name: str) -> list[list[str]]:
    return [line.split("\t") for line in (DATA / name).read_text(encoding="utf-8").splitlines()[1:]]


#: holes: *Derjenige, Diejenige, Derjenigen* at the beginning of a sentence is taken for a nominalised adjective, and
#: *während* before *der Künstler* for a preposition
UNREACHED = {"pronoun-possessive-person-23"}


def test_every_other_reference_of_the_open_half_can_be_reached(german: German) -> None:
    rows = [*_rows("gendered.tsv"), *_rows("nouns.tsv"), *_rows("pronouns.tsv")]
    assert {row[0] for row in rows if written(german, row[2], row[3]) != row[3]} == UNREACHED


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
    analysis = analyze(text, german.lexicon, german.style, protected=protected_spans(text))
    end = 0
    for index, candidate in enumerate(analysis.candidates):
        assert end <= candidate.start < candidate.end <= len(text)
        end = candidate.end
        assert candidate.options[0] == (0, text[candidate.start : candidate.end])
        assert len({option for _, option in candidate.options}) == len(candidate.options)
        assert candidate.forced in (None, *(outcome for outcome, _ in candidate.options))
        assert candidate.governor != index
        assert all(
            option.count("\n") == text[candidate.start : candidate.end].count("\n") for _, option in candidate.options
        )
    # *der* alone, which may point at somebody, opens no gate: nearly every sentence has one
    if any(c.kind != "relative" for c in analysis.candidates):
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
    assert written(german, source, target) == target


def test_probabilities_settle_the_case_of_a_phrase(german: German) -> None:
    """Article and adjective disagree; together they are likelier accusative."""
    text = "Sie fragt die neue Lehrerin."
    analysis = german.analyze(text)
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
    assert all(c.kind == "relative" for c in analysis.candidates) or german.gate(text)


#: what no test noticed when errors were planted: text, what is asked about, what it may become
PLANTED = [
    pytest.param("Die Blubberiers tagen.", "Blubberiers", ["Blubberier*innen"], id="unknown persons in -ier"),
    pytest.param("WIR SEHEN IHR HAUS.", "IHR", ["IHM*IHR", "SEIN*IHR"], id="capitals are not polite"),
    pytest.param("Er trägt seinen oder ihren Hut.", "seinen oder ihren", ["seinen*ihren"], id="ending of a pair"),
    pytest.param("Ein jeder weiß das.", "jeder", ["jede*r"], id="ein jeder"),
    pytest.param("Ruhe! sagte der.", "der", [], id="last word"),
    pytest.param("Wer ist der, der lacht?", "der", ["der*die", "dem*der"] * 2, id="der before its relative clause"),
    pytest.param(
        "Die Pflasterlehrerkonferenz tagt.",
        "Pflasterlehrerkonferenz",
        ["Pflasterlehrer*innenkonferenz"],
        id="unknown word before a person, inside",
    ),
]


@pytest.mark.parametrize(("text", "word", "options"), PLANTED)
def test_what_planted_errors_showed(german: German, text: str, word: str, options: list[str]) -> None:
    assert options_of(german, text, word) == options
