"""Where English text is cut into sentences, as cases: ``|`` marks the cuts."""

from __future__ import annotations

import pytest

from rewriter.en.segmenter import segment

CASES = {
    "plain": "She left.| He stayed!| Did they talk?| Nobody knows.",
    "no end": "A heading without a full stop",
    "abbreviation of a title": "Dr. Okoro met Prof. Lind.| They talked.",
    "abbreviations that never end a sentence": "Fruit, e.g. Apples, i.e. what grows, cf. Chapter 2.",
    "abbreviation that may end a sentence": "They work for Acme Inc. She likes it.",
    "abbreviation before a name": "The U.S. Senate met.",
    "initials": "J. K. Osei wrote it.| I read it.",
    "number": "See no. 5 and vol. 3.| It costs 3.50 in all.",
    "month": "On Jan. 5 he left.",
    "lower case follows": "He bought ... nothing.| Then etc. and so on.",
    "quotes": "“Stop!”| She turned.| 'Why?'| He laughed.",
    "brackets": "(It rained.)| They stayed in.",
    "several marks": "What?!| No...| Never!!",
    "ellipsis character": "Well…| She left.",
    "decimal and version": "Version 2.0.1 is out.| Try it.",
    "address": "Visit example.org/a.b.| Then write.",
    "line break is no cut": "The line goes on\nhere.| And\r\nhere.",
    "empty line is a cut": "A heading\n|\nShe left\r\n|\r\nHe stayed",
    "letter as a word": "They took vitamin C.| Then I left.| So did I.| She stayed.",
    "emphasis": "It is *hers.*| It is _his._| Yes.",
}


@pytest.mark.parametrize("marked", CASES.values(), ids=CASES.keys())
def test_cuts(marked: str) -> None:
    text = marked.replace("|", "")
    expected = [part.strip() for part in marked.split("|")]
    if marked == CASES["abbreviation that may end a sentence"]:
        # before a word that begins sentences, the abbreviation ends one
        expected = ["They work for Acme Inc.", "She likes it."]
    assert [text[start:end] for start, end in segment(text)] == expected


@pytest.mark.parametrize("text", ["", " ", "\n", "\n\n \t\n"])
def test_white_space_holds_no_sentence(text: str) -> None:
    assert segment(text) == []


def test_spans_leave_out_the_white_space_around() -> None:
    assert segment("  She left. \n\n He stayed.\n") == [(2, 11), (15, 25)]
