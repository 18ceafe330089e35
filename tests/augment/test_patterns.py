"""Round trips in a language without rules: what a list of patterns finds, writes and contrasts."""

from __future__ import annotations

from pathlib import Path

import pytest

from augment.round_trip.find import FindConfig, find_fair
from augment.round_trip.merge import merge
from augment.round_trip.patterns import PatternRules, load_patterns, rules_of
from augment.round_trip.rules import segmenter
from rewriter.errors import RecipeError, UsageError
from rewriter.io.files import read_pairs

PATTERNS = r"""
forms:
  - {pattern: '\b(\w+)x(n?)\b', name: x, feminine: '\1a\2', masculine: '\1o\2'}
  - {pattern: '\b(\w+)an ed \1on\b', name: pair, plural: true, fair: '\1xn', feminine: '\1an', masculine: '\1on'}
words: {feminine: ['\w+lan?'], masculine: ['\w+lon?']}
prompts: ["Un dolx"]
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A toy language: *dola* is a woman who works, *dolo* a man, *dolx* any person, -n makes a plural."""
    path = tmp_path / "patterns.yaml"
    path.write_text(PATTERNS, encoding="utf-8")
    return path


@pytest.fixture
def rules(file: Path) -> PatternRules:
    return load_patterns(file, "tq")


def test_forms_are_found_and_written_in_one_way(rules: PatternRules) -> None:
    reading = rules.read("Mi dolan ed dolon vet un melx.", "star")
    assert reading.text == "Mi dolxn vet un melx."
    assert [(one.form, one.kind, one.plural) for one in reading.found] == [("pair", "pair", True), ("x", "word", False)]
    assert not rules.maybe_fair("Mi dolan vet.") and rules.maybe_fair("Mi dolx vet.")


@pytest.mark.parametrize(
    ("text", "gender"),
    [
        ("Mi dola vet.", "feminine"),
        ("Mi dolo vet.", "masculine"),
        ("Dola vet dolo.", ""),
        ("Mi dolx.", ""),
        ("Ta.", ""),
    ],
)
def test_the_gender_of_a_sentence_is_told_by_its_words(rules: PatternRules, text: str, gender: str) -> None:
    assert rules.gender(text) == gender


def test_contrasting_targets_come_from_the_forms(rules: PatternRules) -> None:
    """Appendix G: pair forms give two targets."""
    assert rules.contrasts("Mi dolan ed dolon vet un melx.") == [
        ("feminine", "Mi dolan vet un mela."),
        ("masculine", "Mi dolon vet un melo."),
    ]
    assert rules.contrasts("Ta vet.") == []


def test_a_round_trip_is_merged(rules: PatternRules) -> None:
    assert merge("Mi dolx vet, tel un bun.", "Tel bun vet mi dolo.", rules) == "Mi dolo vet, tel un bun."
    assert rules.halves("dolxn") == ("dolon", "dolan")


def test_sentences_are_found_without_a_language_of_ours(file: Path, tmp_path: Path) -> None:
    (tmp_path / "text.txt").write_text("Ta vet un bun. Mi dolxn vet ta. Mi dolo vet un bun.\n", encoding="utf-8")
    shared = {"inputs": [str(tmp_path / "text.txt")], "lang": "tq", "patterns": str(file)}
    find_fair(FindConfig(**shared), output=tmp_path / "fair")
    find_fair(FindConfig(**shared, plain=True), output=tmp_path / "plain")

    def found(name: str) -> list[tuple[str, str, str]]:
        path = next((tmp_path / name).glob("pairs-*"))
        return [(pair.source, pair.target, pair.form) for pair in read_pairs(path)]

    assert found("fair") == [("Mi dolxn vet ta.",) * 2 + ("fair",)]
    assert found("plain") == [("Ta vet un bun.",) * 2 + ("neutral",)]


def test_without_patterns_a_language_is_unknown(file: Path) -> None:
    with pytest.raises(UsageError, match="'patterns'"):
        rules_of("tq")
    assert rules_of("tq", str(file)).prompts() == ["Un dolx"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("forms: []", "names no gender-fair form"),
        ("forms: [{pattern: '('}]", "is no pattern"),
        ("forms: [{pattern: 'x', fair: '\\2'}]", "does not fit"),
        ("forms: [{pattern: 'x*'}]", "matches where nothing stands"),
        ("forms: [{pattern: 'x', plurall: true}]", "did you mean 'plural'"),
        ("forms: [{pattern: 'x'}]\nwords: {neuter: []}", "words must be one of"),
    ],
)
def test_mistakes_are_named(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "p.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(RecipeError, match=message):
        load_patterns(path, "tq")


def test_published_forms_of_french_and_spanish_can_be_written_as_patterns(tmp_path: Path) -> None:
    """Appendix D: *il/elle*, *todxs*; and the median point."""
    path = tmp_path / "p.yaml"
    path.write_text(
        "forms:\n"
        "  - {pattern: '\\b(\\w+)[x@](s?)\\b', feminine: '\\1a\\2', masculine: '\\1o\\2'}\n"
        "  - {pattern: '\\b(\\w+)·(ne|e)·s\\b', plural: true, feminine: '\\1\\2s', masculine: '\\1s'}\n"
        "  - {pattern: '\\bil/elle\\b', fair: 'iel', feminine: 'elle', masculine: 'il'}\n"
    )
    rules = load_patterns(path, "fr")
    assert rules.contrasts("Todxs juntxs.") == [("feminine", "Todas juntas."), ("masculine", "Todos juntos.")]
    assert rules.contrasts("Les citoyen·ne·s savent.")[0] == ("feminine", "Les citoyennes savent.")
    assert rules.read("La ville où il/elle vit.", "star").text == "La ville où iel vit."


def test_sentences_of_such_a_language_end_before_capitals() -> None:
    text = "¿Qué? ¡No! Il dit «non.» Puis rien... sauf ça. 3 de más"
    assert [text[a:b] for a, b in segmenter("tq")(text)] == [
        "¿Qué?", "¡No!", "Il dit «non.»", "Puis rien... sauf ça.", "3 de más",
    ]  # fmt: skip
