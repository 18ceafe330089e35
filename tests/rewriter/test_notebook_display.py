"""Rewrites show themselves in notebooks, with their edits marked and everything of the text escaped."""

from __future__ import annotations

import re
from html import unescape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rewriter.records import Edit, Rewrite, apply_edits


@st.composite
def rewrites(draw: st.DrawFn) -> tuple[str, Rewrite]:
    pieces = draw(st.lists(st.tuples(st.text(max_size=4), st.text(max_size=3), st.text(max_size=3)), max_size=5))
    source, edits = "", []
    for kept, before, after in pieces:
        source += kept
        edits.append(Edit(len(source), len(source) + len(before), before, after, "noun", f"{before} -> {after}"))
        source += before
    return source, Rewrite(apply_edits(source, edits), tuple(edits))


@given(rewrites())
def test_source_and_result_can_be_read_from_what_is_shown(case: tuple[str, Rewrite]) -> None:
    source, rewrite = case
    shown = rewrite._repr_html_()
    old = re.sub(r"<ins [^>]*>.*?</ins>", "", shown, flags=re.DOTALL)
    new = re.sub(r"<del [^>]*>.*?</del>", "", shown, flags=re.DOTALL)
    assert unescape(re.sub(r"<[^>]*>", "", old)) == source
    assert unescape(re.sub(r"<[^>]*>", "", new)) == rewrite.text


@pytest.mark.parametrize("text", ["<script>alert(1)</script>", "a & b", '"quoted"'])
def test_text_is_shown_as_text(text: str) -> None:
    shown = Rewrite(f"{text} x", (Edit(len(text) + 1, len(text) + 2, "y", "x", "noun", text),))._repr_html_()
    assert "<script>" not in shown
    assert unescape(re.sub(r"<[^>]*>", "", re.sub(r"<del .*?</del>", "", shown))) == f"{text} x"
