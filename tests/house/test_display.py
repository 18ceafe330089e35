"""Differences for people: terminal and HTML."""

from __future__ import annotations

import io
import re
from html import unescape
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rewriter.records import Edit, Rewrite, apply_edits
from rewriter.report.display import count_kinds, difference, use_color, write_html

SOURCE = "She knows <b>her</b> & mine."
EDITS = (
    Edit(0, 3, "She", "They", "pronoun", "she -> they"),
    Edit(4, 9, "knows", "know", "verb", "subject 'She' became 'They'"),
    Edit(13, 16, "her", "their", "pronoun", 'her -> "their" <possessive>'),
)
REWRITE = Rewrite(apply_edits(SOURCE, EDITS), EDITS)


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_without_colour_as_wdiff_writes_it() -> None:
    assert difference(SOURCE, REWRITE) == "[-She-]{+They+} [-knows-]{+know+} <b>[-her-]{+their+}</b> & mine."


def test_an_insertion_has_no_empty_deletion() -> None:
    assert difference("ab", Rewrite("axb", (Edit(1, 1, "", "x", "noun", "r"),))) == "a{+x+}b"


def test_with_colour_nothing_is_lost() -> None:
    shown = difference(SOURCE, REWRITE, color=True)
    assert "\x1b[31;9mShe\x1b[0m\x1b[32mThey\x1b[0m" in shown
    assert re.sub("\x1b\\[31;9m.*?\x1b\\[0m|\x1b\\[32m|\x1b\\[0m", "", shown) == REWRITE.text


@pytest.mark.parametrize(
    ("environment", "stream", "expected"),
    [
        ({}, Terminal(), True),
        ({}, io.StringIO(), False),
        ({"NO_COLOR": "1"}, Terminal(), False),
        ({"NO_COLOR": ""}, Terminal(), True),
        ({"FORCE_COLOR": "1"}, io.StringIO(), True),
        ({"NO_COLOR": "1", "FORCE_COLOR": "1"}, Terminal(), False),
        ({"TERM": "dumb"}, Terminal(), False),
    ],
)
def test_when_there_is_colour(
    monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], stream: io.StringIO, expected: bool
) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert use_color(stream) is expected


def test_kinds_are_counted() -> None:
    assert count_kinds([REWRITE, REWRITE]) == {"pronoun": 4, "verb": 2}


def columns(page: str) -> list[tuple[str, str]]:
    """Return the text of both columns of every row, as a browser would show it."""
    rows = re.findall(r"<tr><td>(.*?)</td><td>(.*?)</td></tr>", page, flags=re.DOTALL)
    return [(strip(left), strip(right)) for left, right in rows]


def strip(cell: str) -> str:
    return unescape(re.sub(r"</?(?:ins|del)\b[^>]*>", "", cell))


def test_the_page_shows_both_texts_and_escapes_them(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    assert write_html(page, [(SOURCE, REWRITE), ("Same.", Rewrite("Same."))], title="A < B") == 2
    text = page.read_text(encoding="utf-8")
    assert columns(text) == [(SOURCE, REWRITE.text), ("Same.", "Same.")]
    assert "<title>A &lt; B</title>" in text
    assert "<b>" not in text
    assert 'title="pronoun: her -&gt; &quot;their&quot; &lt;possessive&gt;"' in text
    assert "3 edits in 1 of 2 texts" in text
    assert "<li>pronoun: 2</li><li>verb: 1</li>" in text
    assert "<script" not in text


@settings(max_examples=40)
@given(st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=60), st.data())
def test_any_text_survives_the_page(tmp_path_factory: pytest.TempPathFactory, source: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(source)))
    end = data.draw(st.integers(start, len(source)))
    after = data.draw(st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=9))
    edits = (Edit(start, end, source[start:end], after, "noun", "test"),)
    rewrite = Rewrite(apply_edits(source, edits), edits)
    page = tmp_path_factory.mktemp("page") / "page.html"
    write_html(page, [(source, rewrite)])
    assert columns(page.read_text(encoding="utf-8")) == [(source, rewrite.text)]
