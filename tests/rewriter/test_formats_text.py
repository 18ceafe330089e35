"""Plain text: records are the file again, texts come without line ends, and only texts change."""

from __future__ import annotations

import gzip
from itertools import count
from pathlib import Path

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from rewriter.errors import InputError, UsageError
from rewriter.formats import detect, open_format, unit_of
from rewriter.formats.base import FormatOptions, RawLine, RawRecord, RecordError, RecordFormat
from rewriter.formats.text import TextLines, TextUnits, cut_lines
from rewriter.io.files import read_raw_lines

BOM = b"\xef\xbb\xbf"
#: bytes that lines, paragraphs and encodings are made of
AWKWARD = st.lists(st.sampled_from([b"a", b" ", b"\n", b"\r\n", b"\r", b"\0", b"\xff", "é".encode(), BOM])).map(
    b"".join
)
UNITS: list[RecordFormat] = [
    TextLines(),
    TextUnits("paragraph"),
    TextUnits("document"),
    TextUnits("paragraph", limit=7),
]


def split(data: bytes) -> list[RawLine]:
    return [RawLine(n, line + b"\n") for n, line in enumerate(data.split(b"\n")[:-1], 1)] + (
        [RawLine(data.count(b"\n") + 1, data.rsplit(b"\n", 1)[-1])] if not data.endswith(b"\n") and data else []
    )


def texts(fmt: RecordFormat, data: bytes) -> list[list[str]]:
    return [[content.text for content in fmt.contents(record)] for record in fmt.records(split(data))]


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", []),
        (b"She left.", [["She left."]]),
        (b"She left.\n", [["She left."]]),
        (b"a\r\n\r\nb\n", [["a"], [], ["b"]]),
        (BOM + b"a\n" + BOM + b"b\n", [["a"], ["\ufeffb"]]),
        (BOM, [[]]),
        (b"a\rb\0c\r\r\n", [["a\rb\0c\r"]]),
        (b" \t\n", [[" \t"]]),
        ("a\u2028b\x0cc\x85d\n".encode(), [["a\u2028b\x0cc\x85d"]]),
    ],
)
def test_a_line_is_a_text_without_its_end_and_without_byte_order_mark(data: bytes, expected: list[list[str]]) -> None:
    assert texts(TextLines(), data) == expected


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"a\nb\n\n\nc\n", [(b"a\nb\n\n\n", ["a\nb"]), (b"c\n", ["c"])]),
        (b"\n \na\r\n\r\nb", [(b"\n \n", []), (b"a\r\n\r\n", ["a"]), (b"b", ["b"])]),
        (b"a  \n\t\n", [(b"a  \n\t\n", ["a  "])]),
        (BOM + b"a\n\nb\n", [(BOM + b"a\n\n", ["a"]), (b"b\n", ["b"])]),
        (b"a\r\r\n\r\n", [(b"a\r\r\n\r\n", ["a\r"])]),
    ],
)
def test_a_paragraph_ends_behind_its_blank_lines(data: bytes, expected: list[tuple[bytes, list[str]]]) -> None:
    fmt = TextUnits("paragraph")
    records = list(fmt.records(split(data)))
    assert [record.data for record in records] == [raw for raw, _ in expected]
    assert texts(fmt, data) == [found for _, found in expected]


def test_a_paragraph_without_end_is_cut_behind_a_line() -> None:
    fmt = TextUnits("paragraph", limit=4)
    assert [record.data for record in fmt.records(split(b"aa\nbb\ncc\n"))] == [b"aa\nbb\n", b"cc\n"]


def test_a_document_is_one_record_and_has_a_greatest_size() -> None:
    fmt = TextUnits("document", "notes.md", limit=10)
    assert texts(fmt, b"a\n\nb\n") == [["a\n\nb"]]
    with pytest.raises(InputError, match=r"notes\.md: larger than .* pass --unit line"):
        list(fmt.records(split(b"aaaaa\nbbbbb\n")))


def test_lines_that_are_not_utf8_are_named_by_byte() -> None:
    with pytest.raises(RecordError, match=r"not UTF-8 \(invalid start byte at byte 5\)"):
        TextLines().contents(RawRecord(1, BOM + b"ab\xff\n"))


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b""])
def test_lines_that_are_not_utf8_stay_in_a_rewritten_document(end: bytes) -> None:
    record = RawRecord(5, b"She left.\nHe\xff\nHe won." + end)
    fmt = TextUnits("paragraph")
    with pytest.raises(RecordError) as caught:
        fmt.contents(record)
    assert caught.value.problems == ((6, "not UTF-8 (invalid start byte at byte 2)"),)
    [content] = caught.value.contents
    assert content.text == "She left.\nHe\ufffd\nHe won."
    new = fmt.replace(record, [(content, "They left.\nThey\ufffd\nThey won.")])
    assert new == b"They left.\nHe\xff\nThey won." + end
    with pytest.raises(RecordError, match="a line less"):
        fmt.replace(record, [(content, "They left.")])


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b""])
@pytest.mark.parametrize("head", [BOM, b""])
@pytest.mark.parametrize("fmt", UNITS[:3], ids=["line", "paragraph", "document"])
def test_byte_order_mark_and_line_end_stay_in_a_changed_record(fmt: RecordFormat, head: bytes, end: bytes) -> None:
    record = RawRecord(1, head + b"She left." + end)
    [content] = fmt.contents(record)
    assert fmt.replace(record, [(content, "They left – é.")]) == head + "They left – é.".encode() + end


@pytest.mark.parametrize("text", ["a\nb", "half a pair \ud800"])
def test_a_text_that_a_line_cannot_hold_is_refused(text: str) -> None:
    record = RawRecord(1, b"a\n")
    [content] = TextLines().contents(record)
    with pytest.raises(RecordError, match="new text holds"):
        TextLines().replace(record, [(content, text)])


@given(AWKWARD, st.sampled_from(UNITS))
def test_records_are_the_file_again_and_equal_texts_change_nothing(data: bytes, fmt: RecordFormat) -> None:
    records = list(fmt.records(split(data)))
    assert b"".join(record.data for record in records) == data
    done = 0
    for record in records:
        assert record.number == 1 + data[:done].count(b"\n")
        done += len(record.data)
        try:
            contents = fmt.contents(record)
        except RecordError as error:
            contents = list(error.contents)
        assert fmt.replace(record, [(content, content.text) for content in contents]) == record.data


@given(AWKWARD, st.sampled_from(UNITS))
def test_another_text_stands_where_the_text_stood(data: bytes, fmt: RecordFormat) -> None:
    for record in fmt.records(split(data.replace(b"\xff", b""))):
        for content in fmt.contents(record):
            old = content.text.encode()
            changed = fmt.replace(record, [(content, "new")])
            assert [c.text for c in fmt.contents(RawRecord(record.number, changed))] == ["new"]
            places = [n for n in range(len(record.data)) if record.data.startswith(old, n)]
            assert changed in [record.data[:n] + b"new" + record.data[n + len(old) :] for n in places]


@given(AWKWARD, st.integers(1, 4), st.integers(1, 9), st.integers(1, 5))
def test_lines_are_cut_as_one_would_by_hand_however_the_blocks_fall(
    data: bytes, lines: int, size: int, block: int
) -> None:
    expected, first, taken, offset = [], 1, b"", 0
    for _, line in split(data):
        taken += line
        number = len(split(taken))
        if number == lines or len(taken) >= size:
            expected.append((first, number, offset))
            first, offset, taken = first + number, offset + len(taken), b""
    if taken:
        expected.append((first, len(split(taken)), offset))
    blocks = [data[i : i + block] for i in range(0, len(data), block)]
    assert list(cut_lines(blocks, lines=lines, size=size)) == expected


@given(
    data=AWKWARD, fmt=st.sampled_from([UNITS[0], UNITS[1], UNITS[3]]), lines=st.integers(1, 3), size=st.integers(1, 9)
)
def test_pieces_hold_the_records_of_the_whole(
    tmp_path_factory: pytest.TempPathFactory, data: bytes, fmt: RecordFormat, lines: int, size: int
) -> None:
    path = tmp_path_factory.mktemp("cut") / "a.txt"
    path.write_bytes(data)
    whole = list(fmt.records(split(data)))
    pieces = []
    for first, number, offset in fmt.cut(path, lines=lines, size=size):
        below = list(read_raw_lines(path, offset=offset))[:number]
        pieces += list(fmt.records(map(RawLine, count(first), below)))
    assert pieces == whole


@pytest.mark.parametrize(
    ("name", "format_", "unit"),
    [
        ("a.txt", "txt", "line"),
        ("a", "txt", "line"),
        ("a.log.gz", "txt", "line"),
        ("a.md", "txt", "document"),
        ("a.HTML.zst", "txt", "document"),
        ("a.jsonl.gz", "jsonl", "line"),
        ("a.ndjson", "jsonl", "line"),
        ("a.csv.zst", "csv", "line"),
        ("a.b.TSV", "tsv", "line"),
        ("a.parquet", "parquet", "line"),
        ("-", "txt", "line"),
    ],
)
def test_the_name_tells_the_format_beneath_the_packing(name: str, format_: str, unit: str) -> None:
    assert detect(name) == format_
    assert unit_of(name) == unit
    assert detect(name, FormatOptions(format="jsonl")) == "jsonl"
    assert unit_of(name, FormatOptions(unit="paragraph")) == "paragraph"


@pytest.mark.parametrize(("name", "message"), [("a.json", "--format jsonl"), ("a.parquet.gz", "unpack it first")])
def test_names_that_leave_it_open_are_refused_with_what_to_do(name: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        detect(name)


@pytest.mark.parametrize("suffix", ["", ".gz", ".zst"])
def test_packed_files_are_cut_and_read_by_offsets_of_what_they_hold(tmp_path: Path, suffix: str) -> None:
    data = b"".join(b"line %d\r\n" % n for n in range(1000))
    pack = {"": bytes, ".gz": gzip.compress, ".zst": zstandard.ZstdCompressor().compress}[suffix]
    path = tmp_path / f"a.txt{suffix}"
    path.write_bytes(pack(data))
    fmt = open_format(path)
    pieces = list(fmt.cut(path, lines=300, size=1 << 20))
    assert [(first, lines) for first, lines, _ in pieces] == [(1, 300), (301, 300), (601, 300), (901, 100)]
    assert next(read_raw_lines(path, offset=pieces[2][2])) == b"line 600\r\n"


def test_a_damaged_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "a.txt.gz"
    path.write_bytes(gzip.compress(bytes(range(256)) * 1000)[:-20])
    with pytest.raises(InputError, match="damaged or truncated"):
        list(open_format(path).cut(path, lines=10, size=1 << 20))
