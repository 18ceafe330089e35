"""Pronouns that run on into their verb, what the words beside *her* say of it, and *his* alone."""

from __future__ import annotations

import pytest

from rewriter.en.candidates import OBJECT, POSSESSIVE, STANDALONE, analyze
from rewriter.en.her_odds import her_odds
from rewriter.en.lexicon import EnglishLexicon
from rewriter.pipeline import Rewriter

LEXICON = EnglishLexicon.load()


@pytest.fixture(scope="module")
def rewriter() -> Rewriter:
    return Rewriter.from_pretrained("en")


@pytest.mark.parametrize(
    ("text", "fair"),
    [
        ("shes been late all week", "theyve been late all week"),
        ("i heard hes in the band", "i heard theyre in the band"),
        ("SHES IN THE GARDEN", "THEYRE IN THE GARDEN"),
        ("Hes got the keys.", "Theyve got the keys."),
        ("she´s been late", "they´ve been late"),
        ("she`s in the car", "they`re in the car"),
        ("he' s got the keys", "they' ve got the keys"),
        ("she‘s been late", "they‘ve been late"),
        ("she said shed call", "they said theyd call"),
        ("hed never seen it", "theyd never seen it"),
        ("nobody knew hed visit us", "nobody knew theyd visit us"),
    ],
)
def test_a_pronoun_that_runs_on_into_its_verb_keeps_its_shape(rewriter: Rewriter, text: str, fair: str) -> None:
    assert rewriter.rewrite(text) == fair


@pytest.mark.parametrize(
    "text",
    [
        "the hes and shes of grammar",
        "the HES file lists every visit",
        "The shed leaks, and so does the shell of the boat.",
        "they shed tears and skin",
        "What the hell is that?",
        "write to shes@example.net",
        "@shes_late posted it",
        "run `shes` and `hes` first",
    ],
)
def test_words_that_only_look_so_stay(rewriter: Rewriter, text: str) -> None:
    assert rewriter.rewrite(text) == text


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        # a number, a compound, an adverb with what it belongs to
        ("I met her two brothers in town", POSSESSIVE),
        ("I met her two days later", None),
        ("They fined her 500 dollars for it", OBJECT),
        ("I admire her so-called art", POSSESSIVE),
        ("They praised her well-kept garden", POSSESSIVE),
        ("They like her slowly growing garden", POSSESSIVE),
        ("I heard her slowly climbing the stairs", OBJECT),
        # times, and what somebody does
        ("It was in her last year at school", POSSESSIVE),
        ("I saw her last year", OBJECT),
        ("It is worth her while", POSSESSIVE),
        ("I know her laugh well", POSSESSIVE),
        # his alone
        ("It will all be his one day", STANDALONE),
        ("Our tent leaked while his stayed dry", STANDALONE),
        ("Your team played well, but his played better.", STANDALONE),
        ("A cousin of his works at the zoo", STANDALONE),
        ("I liked his played tapes", None),
    ],
)
def test_phrases_that_settle_a_reading(text: str, outcome: int | None) -> None:
    (pronoun,) = [c for c in analyze(text, LEXICON).candidates if c.kind == "pronoun"]
    assert pronoun.forced == outcome


@pytest.mark.parametrize(
    ("before", "word", "second", "owns"),
    [
        ("of", "older", "paintings", True),
        ("with", "friendly", "smile", True),
        ("told", "everything", "", False),
        ("let", "sleep", "until", False),
        ("make", "happy", ".", False),
    ],
)
def test_odds_of_the_words_beside_her(before: str, word: str, second: str, owns: bool) -> None:
    assert (her_odds(before, word, second) > 0) == owns


def test_odds_lean_where_they_do_not_settle() -> None:
    text = "They thanked her patient uncle"
    (pronoun,) = [c for c in analyze(text, LEXICON).candidates if c.kind == "pronoun"]
    assert pronoun.forced is not None or pronoun.lean != 0
