"""Where German text is cut into sentences, as cases: ``|`` marks the cuts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rewriter.de.segmenter import segment

CASES = {
    "plain": "Sie ging.| Er blieb!| Kam jemand?| Niemand weiß es.",
    "no end": "Eine Überschrift ohne Punkt",
    "title": "Dr. Akgün traf Prof. Lind.| Sie sprachen.",
    "abbreviations": "Obst, z. B. Äpfel, d. h. was wächst, vgl. Kapitel 2.",
    "abbreviations without spaces": "Obst, z.B. Äpfel, u.a. Birnen.| Gut.",
    "law": "Nach § 4 Abs. 2 Nr. 3 BGB gilt das.| Danach nicht.",
    "ordinal and date": "Am 3. Mai kam der 2. Vorsitzende.| Dann ging er.",
    "year": "Das war 1999.| Danach kam nichts.",
    "number before a sentence": "Sie zählte bis 10. Dann ging sie.",
    "lower case follows": "Er kaufte ... nichts.| Usw. und so fort.",
    "German quotes": "„Halt!“| Sie drehte sich um.| »Warum?«| Er lachte.",
    "initials": "J. K. Osei schrieb es.| Ich las es.",
    "several marks": "Was?!| Nein...| Nie!!",
    "address": "Siehe beispiel.org/seite.| Dann schreib.",
    "line break is no cut": "Die Zeile geht\nhier weiter.| Und\r\nhier.",
    "empty line is a cut": "Eine Überschrift\n|\nSie ging\r\n|\r\nEr blieb",
    "lower-case gender sign": "Jede*r kam.| Alle*n half man.",
}


@pytest.mark.parametrize("marked", CASES.values(), ids=CASES.keys())
def test_cuts(marked: str) -> None:
    text = marked.replace("|", "")
    expected = [part.strip() for part in marked.split("|")]
    if marked == CASES["number before a sentence"]:
        # a short number before a word that begins sentences ends one
        expected = ["Sie zählte bis 10.", "Dann ging sie."]
    assert [text[start:end] for start, end in segment(text)] == expected


@given(st.text(alphabet="aB .!?\n\r„“»«*123z", max_size=80))
def test_only_white_space_is_left_out(text: str) -> None:
    at = 0
    for start, end in segment(text):
        assert not text[at:start].strip()
        assert text[start:end] == text[start:end].strip() != ""
        at = end
    assert not text[at:].strip()
