"""Records in, records out: the fast way past lines without gendered words gives what looking at every line gives."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rewriter.corpus.engine import Block, RecordRewriter
from rewriter.corpus.results import Summary, count_lines, count_words
from rewriter.formats.jsonl import JsonLines
from rewriter.formats.text import TextLines, TextUnits
from rewriter.language.interface import get_language
from rewriter.records import Edit, Rejection, Rewrite, apply_edits

_WORD = re.compile(r"\b(?:he|she)\b")


class Simple:
    """Rewrites *he* and *she*, and is refused *her*; counts what it was asked about."""

    def __init__(self) -> None:
        self.language = get_language("en")
        self.seen: list[str] = []

    def rewrite(self, texts: list[str], **_: Any) -> list[Rewrite]:
        self.seen += texts
        return [self._one(text) for text in texts]

    def _one(self, text: str) -> Rewrite:
        edits = tuple(Edit(m.start(), m.end(), m[0], "they", "pronoun", "") for m in _WORD.finditer(text))
        rejected = (Rejection("her -> x", "not an edit of the grammar", text),) if "her" in text.split() else ()
        return Rewrite(apply_edits(text, edits), edits, rejected, sentences=1, gated=1)


def run(data: bytes, fmt: Any = None, **options: Any) -> tuple[bytes, list[Any], Summary, Simple]:
    rewriter = Simple()
    blocks: list[Block] = list(RecordRewriter(rewriter, fmt or TextLines(), "f", **options).rewrite(data, 1))
    summary = Summary()
    for block in blocks:
        summary.merge(block.summary)
    output = b"".join(piece for block in blocks for piece in block.output)
    return output, [result for block in blocks for result in block.results], summary, rewriter


LINES = st.lists(
    st.one_of(
        st.sampled_from([b"he said", b"nothing", b"", b"her \xff", b"caf\xe9", b"her own", "é she".encode(), b"\r"]),
        st.binary(max_size=8),
    ),
    max_size=30,
).map(b"\n".join)


@given(LINES, st.integers(1, 7))
def test_the_fast_way_gives_what_looking_at_every_line_gives(data: bytes, batch: int) -> None:
    fast, results, counts, _ = run(data, batch=batch)
    slow, every, expected, _ = run(data, batch=3, every=True)
    assert fast == slow
    assert results == [r for r in every if r.rewrite.edits or r.rejects or r.rewrite.rejected]
    assert (counts.units, counts.changed, counts.edits, counts.rejected, counts.guard_rejections) == (
        expected.units, expected.changed, expected.edits, expected.rejected, expected.guard_rejections
    )  # fmt: skip


def test_only_lines_with_gendered_words_are_seen() -> None:
    output, results, summary, rewriter = run(b"one\ntwo he\nthree\nfour her\nfive")
    assert output == b"one\ntwo they\nthree\nfour her\nfive"
    assert rewriter.seen == ["two he", "four her"]
    assert [(r.line, r.rewrite.text) for r in results] == [(2, "two they"), (4, "four her")]
    assert (summary.units, summary.words, summary.sentences, summary.changed) == (5, 7, 2, 1)
    assert summary.guard_rejections == {"not an edit of the grammar": 1}


def test_a_line_that_is_not_utf8_is_reported_without_a_gendered_word() -> None:
    output, results, summary, _ = run(b"one\ncaf\xe9\nhe\n")
    assert output == b"one\ncaf\xe9\nthey\n"
    assert [(r.line, r.source, len(r.rejects)) for r in results] == [(2, None, 1), (3, "he", 0)]
    assert (summary.rejected, summary.changed) == (1, 1)


def test_very_many_lines_that_are_not_utf8() -> None:
    data = b"caf\xe9\n" * 20_000
    output, results, _, _ = run(data)
    assert output == data and [r.line for r in results] == list(range(1, 20_001))


JSON = JsonLines((("text",),), None, ascii=True)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (r'{"text": "a\nhe"}', r'{"text": "a\nthey"}'),
        (r'{"text": "\u0068e"}', r'{"text": "they"}'),
        (r'{"he": "she", "text": "no"}', r'{"he": "she", "text": "no"}'),
    ],
    ids=["a letter of an escape in front", "escaped", "another key"],
)
def test_the_gate_of_json_looks_behind_escapes(line: str, expected: str) -> None:
    assert json.loads(run(f"{line}\n".encode(), JSON)[0]) == json.loads(expected)


def test_records_without_gendered_words_are_checked_all_the_same() -> None:
    data = json.dumps({"text": "no"}).encode() + b"\nno json\n" + json.dumps({"other": 1}).encode() + b"\n"
    output, results, summary, rewriter = run(data, JSON)
    assert output == data and rewriter.seen == []
    assert [r.line for r in results] == [2, 3]
    assert summary.rejected == 2


def test_paragraphs_with_gendered_words_are_seen_whole() -> None:
    data = b"one\ntwo\n\nthree\nhe\n\nfour\n"
    output, _, summary, rewriter = run(data, TextUnits("paragraph"))
    assert output == data.replace(b"he\n", b"they\n").replace(b"tthey", b"the")
    assert rewriter.seen == ["three\nhe"] and summary.units == 3


def test_a_selector_leaves_texts_out() -> None:
    def select(contents: Any) -> list[bool]:
        return [content.language == "en" for content in contents]

    fmt = JsonLines((("text",),), ("lang",), ascii=True)
    data = b'{"text": "he", "lang": "en"}\n{"text": "he", "lang": "de"}\n{"text": "he"}\n'
    output, _, summary, rewriter = run(data, fmt, select=select)
    assert output == data.replace(b'"he", "lang": "en"', b'"they", "lang": "en"')
    assert rewriter.seen == ["he"] and summary.changed == 1


@given(st.binary(max_size=60), st.integers(1, 20))
def test_words_and_lines_are_counted_as_wc_does(data: bytes, step: int) -> None:
    ascii_only = bytes(code & 127 for code in data)
    spaces = bytes(32 if code <= 32 else code for code in ascii_only)
    assert count_words(ascii_only, step=step) == len(spaces.split())
    assert count_lines(data) == len(data.split(b"\n")) - (not data or data.endswith(b"\n"))
