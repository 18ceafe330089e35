"""Tokenizers by name, and the settings behind the literature's figures."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.signature import parse_signature, signature
from eval.tokenize import get_tokenizer, tokenizer_name
from rewriter.errors import UsageError

CUT = [
    ("moses-en", "She's sure he isn't here.", ["She", "'s", "sure", "he", "isn", "'t", "here", "."]),
    ("moses-en", "Mr. Smith asked his/her son.", ["Mr.", "Smith", "asked", "his", "/", "her", "son", "."]),
    ("moses-en", "a well-known <b>author</b>", ["a", "well-known", "<", "b", ">", "author", "<", "/", "b", ">"]),
    ("moses-de", "Die Lehrer*in geht.", ["Die", "Lehrer", "*", "in", "geht", "."]),
    ("none", " They're  here. ", ["They're", "here."]),
    ("none", "", []),
]


@pytest.mark.parametrize(("name", "sentence", "tokens"), CUT)
def test_tokens(name, sentence, tokens):
    assert list(get_tokenizer(name)(sentence)) == tokens


def test_languages_have_their_own_abbreviations():
    sentence = "Das ist ca. 3 Jahre her."
    assert get_tokenizer("moses-de")(sentence) != get_tokenizer("moses-en")(sentence)


def test_the_default_follows_the_language():
    assert tokenizer_name("de") == "moses-de"
    assert tokenizer_name("de", "moses-en") == "moses-en"


@pytest.mark.parametrize("name", ["", "moses", "moses-", "moses-xx", "spacy-en", "none-en"])
def test_unknown_names_are_refused(name):
    with pytest.raises(UsageError):
        get_tokenizer(name)


@given(st.text(max_size=60), st.text(max_size=60))
def test_escaping_renames_tokens_but_never_changes_which_are_equal(one, other):
    """Why our tokens may stay unescaped although sacremoses escapes by default."""
    sacremoses = pytest.importorskip("sacremoses")
    escaped = sacremoses.MosesTokenizer("en").tokenize
    ours = get_tokenizer("moses-en")
    pairs = [(a, b) for text in (one, other) for a, b in zip(ours(text), escaped(text), strict=True)]
    assert len({a for a, _ in pairs}) == len({b for _, b in pairs}) == len(set(pairs))


@given(st.text(max_size=60))
def test_tokens_hold_no_white_space(text):
    for name in ("moses-en", "none"):
        assert all(token and len(token.split()) == 1 for token in get_tokenizer(name)(text))


def test_signatures_are_read_back():
    signed = signature("wer", lang="en", n=3)
    fields = parse_signature(signed)
    assert fields.pop("version")
    assert fields == {"metric": "wer", "lang": "en", "n": "3"}


@pytest.mark.parametrize("text", ["", "wer|lang", "|lang:en"])
def test_what_is_no_signature_is_refused(text):
    with pytest.raises(UsageError):
        parse_signature(text)


def test_a_value_cannot_break_a_signature():
    with pytest.raises(UsageError):
        signature("wer", tok="a|b")
