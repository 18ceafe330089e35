"""German that is not in plain spelling: read as if it were, written as it stands."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rewriter import Rewriter
from rewriter.de.lexicon import GermanLexicon
from rewriter.de.spellings import respelt
from rewriter.language.respelt import Respelt
from rewriter.records import Edit, apply_edits

WRITTEN = {
    # HTML entities
    "Der Arzt hilft den Sch&uuml;lern.": "Der*die &Auml;rzt*in hilft den Sch&uuml;ler*innen.",
    "Wir gr&uuml;&szlig;en jeden Arzt.": "Wir gr&uuml;&szlig;en jede*n &Auml;rzt*in.",
    # ALL CAPITALS
    "DER LEHRER HILFT DER SCHÜLERIN.": "DER*DIE LEHRER*IN HILFT DEM*DER SCHÜLER*IN.",
    "BENUTZER*INNEN UND LEHRER LESEN.": "BENUTZER*INNEN UND LEHRER*INNEN LESEN.",
    "HERR MÜLLER FRAGT DEN ARZT.": "HERR MÜLLER FRAGT DEN*DIE ÄRZT*IN.",
    # umlauts in ASCII
    "Fuer die Aerzte gibt es neue Zuege.": "Fuer die Aerzt*innen gibt es neue Zuege.",
    # words cut at the end of a line, and by soft hyphens
    "Die Bür-\nger fragen den Rich-\nter.": "Die Bür-\nger*innen fragen den*die Rich-\nter*in.",
    "Wir lernen mit Mit\u00adarbeitern.": "Wir lernen mit Mit\u00adarbeiter*innen.",
    # Swiss and old spellings
    "Der Strassenbauer lacht.": "Der*die Strassenbauer*in lacht.",
    "Der Thürsteher lacht.": "Der*die Thürsteher*in lacht.",
    "Der Secretair schreibt.": "Der*die Secretair*in schreibt.",
    "Das half unserm Lehrer.": "Das half unserem*r Lehrer*in.",
}
STAYS = ["Der Aktuar kennt die neue Poesie.", "Die Fregatten liegen vor Anker.", "der Bürger-", "Der Kaufmann grüßt."]


@cache
def _german(form: str = "star") -> Rewriter:
    return Rewriter.from_pretrained("de", threads=1, form=form)


@pytest.mark.parametrize(("text", "wanted"), WRITTEN.items())
def test_words_are_written_as_the_text_spells(text: str, wanted: str) -> None:
    result = _german().rewrite(text, return_edits=True)
    assert result.text == wanted
    assert apply_edits(text, result.edits) == wanted
    assert _german().rewrite(wanted) == wanted


@pytest.mark.parametrize("text", STAYS)
def test_what_is_no_such_word_stays(text: str) -> None:
    assert _german().rewrite(text) == text


def test_capitals_take_a_slash_for_the_inner_i() -> None:
    text = _german("binnen-i").rewrite("DER LEHRER HILFT DER SCHÜLERIN.")
    assert text == "DER/DIE LEHRER/IN HILFT DEM/DER SCHÜLER/IN."
    assert _german("binnen-i").rewrite(text) == text


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("DIE LEHRER UND DER ARZT", "Die Lehrer und der Arzt"),
        ("Sch&ouml;ne Gr&uuml;&szlig;e", "Schöne Grüße"),
        ("Die Verkaeufer und Baeuerinnen", "Die Verkäufer und Bäuerinnen"),
        ("Die Mitar-\nbeiter", "Die Mitarbeiter"),
    ],
)
def test_plain_spelling(text: str, plain: str) -> None:
    other = respelt(text, GermanLexicon(open_ended=True))
    assert other is not None and other.text == plain


@pytest.mark.parametrize("text", ["Die Lehrer lernen.", "Neue Bauern", "Lehrer-\nund Rat", "USA", "a & b &amp; c"])
def test_plain_text_is_read_as_it_is(text: str) -> None:
    assert respelt(text, GermanLexicon(open_ended=True)) is None


def test_an_edit_that_ends_within_a_change_is_none() -> None:
    other = Respelt("ab&uuml;cd", ((2, 8, "üü"),), str)
    assert other.text == "abüücd"
    assert other.edits([Edit(0, 3, "abü", "x", "noun", "")]) == []
    assert [e.before for e in other.edits([Edit(0, 4, "abüü", "x", "noun", "")])] == ["ab&uuml;"]


@given(st.text(alphabet="abü-\n&; D", max_size=30), st.data())
def test_edits_keep_their_words(text: str, data: st.DataObject) -> None:
    """Whatever is spelt differently, an edit of plain words is one of the same words in the text."""
    changes = tuple((i, i + 1, "ae") for i, char in enumerate(text) if char == "ü")
    other = Respelt(text, changes, lambda words: words.replace("ae", "ü"))
    start = data.draw(st.integers(0, len(other.text)))
    end = data.draw(st.integers(start, len(other.text)))
    for edit in other.edits([Edit(start, end, other.text[start:end], "X", "noun", "")]):
        assert text[edit.start : edit.end] == edit.before
        assert edit.before.replace("ü", "ae") == other.text[start:end]
