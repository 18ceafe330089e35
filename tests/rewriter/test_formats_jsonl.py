r"""JSON lines: only the literals of the texts are written anew, in the style that they had."""

from __future__ import annotations

import json
import pickle
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rewriter.errors import UsageError
from rewriter.formats import open_format
from rewriter.formats.base import FormatOptions, RawLine, RawRecord, RecordError
from rewriter.formats.jsonl import JsonLines, parse_path, show_path, writes_ascii
from rewriter.io.files import read_raw_lines

BOM = b"\xef\xbb\xbf"


def lines_of(*columns: str, lang_column: str | None = None, ascii: bool = False) -> JsonLines:
    language = parse_path(lang_column) if lang_column else None
    return JsonLines(tuple(map(parse_path, columns)), language, ascii=ascii)


def texts(record: bytes, *columns: str, number: int = 2) -> list[str]:
    return [content.text for content in lines_of(*(columns or ("text",))).contents(RawRecord(number, record))]


def reason(record: bytes, *columns: str) -> str:
    with pytest.raises(RecordError) as caught:
        texts(record, *columns)
    return caught.value.reason


def swap(record: bytes, text: str, *columns: str, number: int = 2, ascii: bool = False) -> bytes:
    """Put ``text`` in the place of all texts."""
    fmt = lines_of(*(columns or ("text",)), ascii=ascii)
    raw = RawRecord(number, record)
    return fmt.replace(raw, [(content, text) for content in fmt.contents(raw)])


@pytest.mark.parametrize(
    ("record", "columns", "expected"),
    [
        (b'{"text": "She left."}', ["text"], ["She left."]),
        (b'{"text": ""}', ["text"], [""]),
        (b'{"text": null, "b": 1}\n', ["text"], []),
        (b'{"text": "old", "text": "new"}', ["text"], ["new"]),
        (b'{"te\\u0078t": "x"}', ["text"], ["x"]),
        (b'{"meta": {"body": "x"}, "body": "y"}', ["meta.body"], ["x"]),
        (b'{"meta.body": "x", "meta": {"body": "y"}}', ["meta\\.body"], ["x"]),
        (b'{"meta": null}', ["meta.body"], []),
        (b'{"a": ["x", null, "y"]}', ["a"], ["x", "y"]),
        (b'{"a": [["x"], []]}', ["a.*"], ["x"]),
        (b'{"a": ["x", "y"]}', ["a.1"], ["y"]),
        (b'{"*": "x"}', ["\\*"], ["x"]),
        (
            b'{"m": [{"content": "x"}, {"tool": 1}, {"content": null}, 5, {"content": "y"}]}',
            ["m.*.content"],
            ["x", "y"],
        ),
        (
            b'{"m": [{"content": [{"type": "text", "text": "x"}, {"type": "image"}]}, {"content": "y"}]}',
            ["m.*.content", "m.*.content.*.text"],
            ["y", "x"],
        ),
        (b'{"prompt": "x", "answer": "y"}', ["answer", "prompt"], ["y", "x"]),
        (b"\r\n", ["text"], []),
        (b" \t", ["text"], []),
        (b' {"text": NaN, "text": "x", "n": 1e999, "i": ' + b"9" * 5000 + b"} \r\n", ["text"], ["x"]),
        (b'{"text": "\\ud800 \\ud83d\\ude00 \\u0000 \\/"}', ["text"], ["\ud800 😀 \0 /"]),
    ],
)
def test_texts_are_found_by_their_path(record: bytes, columns: list[str], expected: list[str]) -> None:
    assert texts(record, *columns) == expected


def test_a_byte_order_mark_is_passed_over_in_line_one_only() -> None:
    record = BOM + b'{"text": "x"}\n'
    assert texts(record, number=1) == ["x"]
    assert swap(record, "y", number=1) == BOM + b'{"text": "y"}\n'
    with pytest.raises(RecordError, match="not JSON"):
        texts(record, number=2)


@pytest.mark.parametrize(
    ("record", "columns", "expected"),
    [
        (b"She left.", ["text"], "not JSON (no value at column 1)"),
        (b'{"text": "x"', ["text"], "not JSON (Expecting ',' delimiter at column 13)"),
        (b'{"text": "x"} {}', ["text"], "not JSON (Extra data at column 15)"),
        (b'{"text": "a\tb"}', ["text"], "not JSON (Invalid control character at at column 12)"),
        (b'{"text": "\xff"}', ["text"], "not UTF-8 (invalid start byte at byte 10)"),
        (b'"text"', ["text"], "a string where a JSON object is expected"),
        (b"[1]", ["text"], "a list where a JSON object is expected"),
        (b'{"Text": "x"}', ["text"], "no 'text'"),
        (b'{"meta": {}}', ["meta.body"], "no 'meta.body'"),
        (b'{"meta": "x"}', ["meta.body"], "no 'meta.body'"),
        (b'{"text": 5}', ["text"], "'text' is a number, not a text"),
        (b'{"text": true}', ["text"], "'text' is true or false, not a text"),
        (b'{"text": {"a": 1}}', ["text"], "'text' is an object, not a text"),
        (b'{"text": ["a", 1]}', ["text"], "'text' is a list, not a text"),
        (b'{"a.b": {"*": 1}}', ["a\\.b.\\*"], "'a\\.b.\\*' is a number, not a text"),
        (b'{"text": ' + b"[" * 200_000 + b"]" * 200_000 + b"}", ["text"], "JSON that is nested too deeply"),
    ],
)
def test_what_cannot_be_read_is_told(record: bytes, columns: list[str], expected: str) -> None:
    assert reason(record, *columns) == expected


@pytest.mark.parametrize(
    ("record", "text", "expected"),
    [
        # order of keys, white space, numbers, duplicate keys
        (b'{ "z" : 1.0e05,"text":"a" ,"b":[ ] }\r\n', "b", b'{ "z" : 1.0e05,"text":"b" ,"b":[ ] }\r\n'),
        (b'{"text": "a", "text": "a"}', "b", b'{"text": "a", "text": "b"}'),
        (b'{"x": {"text": "a"}, "text": "a"}', "b", b'{"x": {"text": "a"}, "text": "b"}'),
        (b'{"q": "}\\"]{", "text": "a"}', "b", b'{"q": "}\\"]{", "text": "b"}'),
        # escapes as they were
        (b'{"text": "a\\/b"}', "c/d/", b'{"text": "c\\/d\\/"}'),
        (b'{"text": "a/b"}', "c/d", b'{"text": "c/d"}'),
        (b'{"text": "it\\u2019s \\u00E9"}', "they\u2019re \xe9\xe8", b'{"text": "they\\u2019re \\u00E9\\u00E8"}'),
        (b'{"text": "it\\u2019s"}', "\u2019\xe9", b'{"text": "\\u2019\\u00e9"}'),
        (b'{"text": "\\ud83d\\ude00 a"}', "\U0001f600\U0001f601", b'{"text": "\\ud83d\\ude00\\ud83d\\ude01"}'),
        (b'{"text": "\\u0022\\n\\t\\u000a\\u000a"}', '"\n\t', b'{"text": "\\u0022\\u000a\\t"}'),
        (b'{"text": "a"}', '"\\\n\x01\x7f', b'{"text": "\\"\\\\\\n\\u0001\x7f"}'),
        (b'{"text": "\\ud800"}', "\ud800b", b'{"text": "\\ud800b"}'),
        # other characters than ASCII: as the literal, else as the record, else as the file has them
        ('{"text": "é"}'.encode(), "è", '{"text": "è"}'.encode()),
        ('{"text": "a", "b": "é"}'.encode(), "è", '{"text": "è", "b": "é"}'.encode()),
        (b'{"text": "a", "b": "\\u00e9"}', "\xe8", b'{"text": "\\u00e8", "b": "\\u00e9"}'),
        (b'{"text": "a", "b": "\\\\u00e9"}', "\xe8", '{"text": "è", "b": "\\\\u00e9"}'.encode()),
        (b'{"text": "a\\n"}', "\xe8", '{"text": "è"}'.encode()),
    ],
)
def test_only_the_literal_changes_and_keeps_its_style(record: bytes, text: str, expected: bytes) -> None:
    assert swap(record, text) == expected


def test_the_file_tells_the_style_where_a_record_does_not(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'{"text": "a"}\n{"text": "\\u00e9"}\n')
    fmt = open_format(path)
    record = RawRecord(1, b'{"text": "a"}\n')
    assert fmt.replace(record, [(fmt.contents(record)[0], "é")]) == b'{"text": "\\u00e9"}\n'
    assert pickle.loads(pickle.dumps(fmt)) == fmt
    assert not writes_ascii(BOM + b'{"text": "a\\n\\u0041"}')


def test_several_texts_change_at_once_or_some_of_them() -> None:
    record = RawRecord(1, b'{"m": [{"c": "a", "r": 1}, {"c": "b"}], "t": "c"}')
    fmt = lines_of("t", "m.*.c")
    first, second, third = fmt.contents(record)
    assert [content.text for content in (first, second, third)] == ["c", "a", "b"]
    new = fmt.replace(record, [(third, "B!"), (first, "C!"), (second, "a")])
    assert new == b'{"m": [{"c": "a", "r": 1}, {"c": "B!"}], "t": "C!"}'
    assert fmt.replace(record, []) == record.data


def test_two_columns_that_name_one_text_are_refused_when_it_changes() -> None:
    with pytest.raises(RecordError, match="two columns"):
        swap(b'{"a": ["x"]}', "y", "a", "a.*")


@pytest.mark.parametrize(
    ("record", "language"),
    [(b'{"text": "x", "meta": {"lang": "en"}}', "en"), (b'{"text": "x"}', None), (b'{"text": "x", "meta": 1}', None)],
)
def test_the_language_stands_beside_the_text(record: bytes, language: str | None) -> None:
    [content] = lines_of("text", lang_column="meta.lang").contents(RawRecord(1, record))
    assert content.language == language


@pytest.mark.parametrize(
    ("column", "path"),
    [
        ("text", ("text",)),
        ("a.b", ("a", "b")),
        ("a\\.b", ("a.b",)),
        ("m.*.c", ("m", None, "c")),
        ("\\*", ("*",)),
        ("a*.b", ("a*", "b")),
        ("a\\\\.b", ("a\\", "b")),
        ("ä ö", ("ä ö",)),
    ],
)
def test_paths_are_read_and_shown(column: str, path: tuple[str | None, ...]) -> None:
    assert parse_path(column) == path
    assert parse_path(show_path(path)) == path


@pytest.mark.parametrize("column", [".", "a.", ".a", "a..b"])
def test_empty_keys_are_refused(column: str) -> None:
    with pytest.raises(UsageError, match="empty key"):
        parse_path(column)


def test_a_record_of_10_mb_is_a_record_like_others() -> None:
    text = ("She said what there was to say. " * 8 + 'And "no" \\\n') * 40_000
    record = json.dumps({"a": [text[:100]] * 1000, "text": text}).encode()
    assert texts(record) == [text]
    assert json.loads(swap(record, text + "!"))["text"] == text + "!"


KEYS = st.sampled_from(["text", "a", "m", 'q"\\', "é"])
TEXT = st.text(st.one_of(st.sampled_from('"\\/\n\t é\u2019😀\ud800ab{}[],:'), st.characters()), max_size=8)
VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), TEXT),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(KEYS, inner, max_size=3)),
    max_leaves=12,
)
RECORDS = st.dictionaries(KEYS, VALUES, max_size=4)
COLUMNS = st.lists(
    st.sampled_from(["text", "a", "m.text", "m.*.text", "a.*", "m.*.*", "m.0", "é.a"]), min_size=1, max_size=1
)
SPACES = st.sampled_from(["", " ", "\t ", "\r"])


@st.composite
def dumped(draw: st.DrawFn) -> bytes:
    """Give a record with white space, escapes and numbers as different writers have them."""
    value = draw(RECORDS)
    comma, colon = draw(SPACES), draw(SPACES)
    text = json.dumps(value, ensure_ascii=draw(st.booleans()), separators=(f"{comma},{comma}", f"{colon}:{colon}"))
    if draw(st.booleans()):
        text = text.replace("/", "\\/")
    if draw(st.booleans()):  # an older member of the same name
        text = '{"text":"older",' + text[1:] if value else text
    data = text.encode("utf-8", "surrogatepass")
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        data = json.dumps(value).encode()
    return draw(SPACES).encode() + data + draw(st.sampled_from([b"", b"\n", b"\r\n"]))


def put(value: Any, path: tuple[str | None, ...], new: str, loose: bool = False) -> Any:
    """Return ``value`` with the texts at ``path`` replaced, by the plain way: parsed, changed."""
    if not path:
        items = value if isinstance(value, list) else [value]
        if all(item is None or isinstance(item, str) for item in items):
            changed = [new if isinstance(item, str) else item for item in items]
            return changed if isinstance(value, list) else changed[0]
        return value
    part, rest = path[0], path[1:]
    if isinstance(value, list):
        chosen = [part is None or (part.isdecimal() and int(part) == n) for n in range(len(value))]
        return [put(item, rest, new) if take else item for item, take in zip(value, chosen, strict=True)]
    if isinstance(value, dict) and part is not None and part in value:
        return {**value, part: put(value[part], rest, new)}
    return value


@given(dumped(), COLUMNS, TEXT)
def test_a_changed_record_parses_to_the_old_one_with_only_the_texts_changed(
    data: bytes, columns: list[str], new: str
) -> None:
    fmt = lines_of(*columns)
    record = RawRecord(2, data)
    try:
        contents = fmt.contents(record)
    except RecordError as error:
        assert error.reason.startswith(("no '", "'"))
        return
    assert fmt.replace(record, [(content, content.text) for content in contents]) == data
    changed = fmt.replace(record, [(content, new) for content in contents])
    assert json.loads(changed) == put(json.loads(data), parse_path(columns[0]), new)
    assert changed.count(b"\n") == data.count(b"\n")
    assert bool(contents) or changed == data


@given(dumped(), TEXT)
def test_a_text_that_comes_back_leaves_the_bytes_as_they_were(data: bytes, new: str) -> None:
    record = RawRecord(2, data)
    fmt = lines_of("text")
    try:
        contents = fmt.contents(record)
    except RecordError:
        return
    for content in contents:
        changed = RawRecord(2, fmt.replace(record, [(content, content.text + "x")]))
        [again] = [c for c in fmt.contents(changed) if c.place == content.place]
        assert fmt.replace(changed, [(again, content.text)]) == data


@given(st.lists(dumped(), max_size=5), st.integers(1, 3))
def test_pieces_hold_the_records_of_the_whole(
    tmp_path_factory: pytest.TempPathFactory, records: list[bytes], lines: int
) -> None:
    path = tmp_path_factory.mktemp("cut") / "a.jsonl"
    path.write_bytes(b"".join(records))
    fmt = open_format(path, FormatOptions())
    whole = list(fmt.records(map(RawLine, count(1), path.open("rb"))))
    assert b"".join(record.data for record in whole) == path.read_bytes()
    pieces = [
        list(read_raw_lines(path, offset=offset))[:number] for _, number, offset in fmt.cut(path, lines=lines, size=50)
    ]
    assert [line for piece in pieces for line in piece] == [record.data for record in whole]
