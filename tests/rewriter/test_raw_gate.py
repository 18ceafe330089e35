"""The gate over bytes lets through what the language's gate lets through, and says in which line it stands."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rewriter.language.interface import get_language
from rewriter.language.raw_gate import RawGate, raw_gate

ENGLISH = get_language("en", extra_nouns=({"gendered": "fiancé", "fair": "partner"},))
GATE = raw_gate(ENGLISH)
assert GATE is not None
PIECES = st.one_of(
    st.text(max_size=6),
    st.sampled_from(["he", "She", "HER", "hers", "the", "ski", "waitress", "WAITRESS", "cleaning  man"]),
    st.sampled_from([" ", "\n", "\r\n", "'s", "(s)he", "_", "\u212a", "\u0130", "\u00a0", "fiancé", "FIANCÉ", "9"]),
)


def found(gate: RawGate, text: str) -> list[str]:
    data = text.encode("utf-8", "replace")
    return [data[start:end].decode() for start, end in gate.lines(data)]


@given(st.lists(PIECES, max_size=12).map("".join))
def test_nothing_that_the_language_lets_through_is_missed(text: str) -> None:
    text = text.encode("utf-8", "replace").decode()
    lines = text.splitlines(keepends=True) if "\r" not in text else [line + "\n" for line in text.split("\n")]
    shown = found(GATE, "".join(lines))
    for line in lines:
        for part in line.split("\n"):
            if ENGLISH.gate(part):
                assert any(part in other for other in shown)


@given(st.lists(PIECES, max_size=12).map("".join))
def test_what_is_found_are_whole_lines_in_order(text: str) -> None:
    data = text.encode("utf-8", "replace")
    position = 0
    for start, end in GATE.lines(data):
        assert position <= start < end <= len(data)
        assert start == 0 or data[start - 1 : start] == b"\n"
        assert end == len(data) or data[end - 1 : end] == b"\n"
        assert b"\n" not in data[start : end - 1]
        position = end
    assert bool(position) <= GATE.search(data)


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("one\nhe two\nthree\nshe\n", ["he two\n", "she\n"]),
        ("the other\nHe", ["He"]),
        ("a\nx_her_y\nheat", ["x_her_y\n"]),
        ("", []),
        ("\n\n", []),
        ("the \u212aing\nno\n", ["the \u212aing\n"]),
    ],
    ids=["two lines", "the end", "borders", "empty", "blank lines", "a letter whose lower case is ASCII"],
)
def test_lines_of_words(text: str, lines: list[str]) -> None:
    assert found(GATE, text) == lines


def test_a_word_that_begins_outside_ascii_is_looked_for_everywhere() -> None:
    assert found(RawGate(["ärztin"]), "a\nÄrztin\n") == ["a\n", "Ärztin\n"]


def test_no_words_no_lines() -> None:
    assert found(RawGate([]), "he\nshe\n") == []


def test_a_language_that_names_no_words_has_no_such_gate() -> None:
    class Other:
        gate_words = None

    assert raw_gate(Other()) is None
