"""CSV and TSV: only the fields that change are written anew, quoted where they were or must be."""

from __future__ import annotations

import csv
import io
import pickle
from itertools import count
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rewriter.errors import UsageError
from rewriter.formats import delimited, open_format
from rewriter.formats.base import Content, FormatOptions, RawLine, RawRecord, RecordError, cut_records
from rewriter.formats.delimited import Delimited
from rewriter.io.files import read_raw_lines

BOM = b"\xef\xbb\xbf"
#: column, delimiter and so on as a dictionary of FormatOptions
Options = dict[str, object]


def read(data: bytes, name: str = "csv", limit: int = 1 << 20, **options: object) -> tuple[Delimited, list[RawRecord]]:
    table = Delimited(name, "table", FormatOptions(**options), limit=limit)  # type: ignore[arg-type]
    return table, list(table.records(map(RawLine, count(1), io.BytesIO(data))))


def outcomes(data: bytes, name: str = "csv", **options: object) -> list[list[str] | str]:
    """Return the texts of every record, or why there are none."""
    table, records = read(data, name, **options)
    found: list[list[str] | str] = []
    for record in records:
        try:
            found.append([content.text for content in table.contents(record)])
        except RecordError as error:
            found.append(error.reason)
    return found


def swap(data: bytes, text: str, name: str = "csv", **options: object) -> bytes:
    """Put ``text`` in the place of all texts."""
    table, records = read(data, name, **options)
    return b"".join(table.replace(r, [(content, text) for content in table.contents(r)]) for r in records)


@pytest.mark.parametrize(
    ("data", "options", "expected"),
    [
        (b"", {}, []),
        (b"id,text\n1,She left.\n", {}, [[], ["She left."]]),
        (b"id,text\r\n1,She left.\r\n", {}, [[], ["She left."]]),
        (b"id,text\n1,a", {}, [[], ["a"]]),
        (BOM + b"text,id\na,1\n", {}, [[], ["a"]]),
        (BOM + b'"text","id"\na,1\n', {}, [[], ["a"]]),
        (b'id,text\n1,"a ""b"",\r\nc"\n2,d\n', {}, [[], ['a "b",\r\nc'], ["d"]]),
        (b"id,text\n1,it's 5\" long\n2,a\n", {}, [[], ["it's 5\" long"], ["a"]]),
        (b'id,text\n1,a "b" c\n', {}, [[], ['a "b" c']]),
        (b'id,text\n1, "a"\n', {}, [[], [' "a"']]),
        (b'"my\nid",text\n1,a\n', {}, [[], ["a"]]),
        (b"id;text\n1;a,b\n", {}, [[], ["a,b"]]),
        (b"id|text\n1|a\n", {}, [[], ["a"]]),
        (b"text\na,b\n", {}, [[], "2 fields where the header has 1"]),
        (b'id\xc2\xa6text\n1\xc2\xa6a\n2\xc2\xa6"b\xc2\xa6\nc"\n', {"delimiter": "\xa6"}, [[], ["a"], ["b\xa6\nc"]]),
        (b"id,text\n\n1,a\n", {}, [[], [], ["a"]]),
        (b'id,text\n1,\n2,""\n', {}, [[], [""], [""]]),
        (b"id,text\n1,a\rb\0\n", {}, [[], ["a\rb\0"]]),
        (b"id,text\n1,a\n", {"columns": ("2",)}, [[], ["a"]]),
        (b"1,a\n2,b\n", {"columns": ("2",), "header": False}, [["a"], ["b"]]),
        (b"2,1\na,b\n", {"columns": ("1",)}, [[], ["b"]]),
        (b"q,a\nx,y\n", {"columns": ("a", "q")}, [[], ["y", "x"]]),
        # rows that do not fit
        (b"id,text\n1\n2,a\n", {}, [[], "1 fields, too few for column 2", ["a"]]),
        (b"id,text,n\n1,a\n", {}, [[], ["a"]]),
        (b"id,text\n1,a,b\n", {}, [[], "3 fields where the header has 2"]),
        (b'id,text\n1,"a"b\n', {}, [[], "text behind a closing quote (field 2)"]),
        (b'id,text\n1,"a \\"b\\""\n', {}, [[], "text behind a closing quote (field 2)"]),
        (b"id,text\n1,\xff\n", {}, [[], "not UTF-8 (invalid start byte at byte 0)"]),
        (b"id,text\n\xff,a\n", {}, [[], ["a"]]),
    ],
)
def test_texts_of_csv(data: bytes, options: Options, expected: list[list[str] | str]) -> None:
    assert outcomes(data, **options) == expected


@pytest.mark.parametrize(
    ("data", "options", "expected"),
    [
        (b"id\ttext\n1\ta, b\n", {}, [[], ["a, b"]]),
        (b'id\ttext\n1\t"Oh," she said.\n', {}, [[], ['"Oh," she said.']]),
        (b'id\ttext\n1\t"a\n2\tb"\n', {}, [[], ['"a'], ['b"']]),
        (b'id\ttext\n1\t"a ""b"""\n', {}, [[], ['a "b"']]),
        (b'id\ttext\n1\t"a" or "b"\n', {}, [[], ['"a" or "b"']]),
        (b'id\ttext\n1\t"a\tb"\n', {}, [[], ["a\tb"]]),
        (b'"id"\t"text"\n1\ta\n', {}, [[], ["a"]]),
        (b"id\ttext\n1\ta\\tb\\n\n", {}, [[], ["a\\tb\\n"]]),
        (b"id\ttext\n1\n2\ta\tb\n", {}, [[], "1 fields where the header has 2", "3 fields where the header has 2"]),
        (b"1\ta\n", {"header": False, "columns": ("2",)}, [["a"]]),
    ],
)
def test_texts_of_tsv(data: bytes, options: Options, expected: list[list[str] | str]) -> None:
    assert outcomes(data, "tsv", **options) == expected


@pytest.mark.parametrize(
    ("data", "text", "expected"),
    [
        (b"id,text\r\n 1 ,a\r\n", "b", b"id,text\r\n 1 ,b\r\n"),
        (b'id,text,z\n"1",a, "c"\n', "b", b'id,text,z\n"1",b, "c"\n'),
        (b'id,text\n1,"a"', "b", b'id,text\n1,"b"'),
        (b"id,text\n1,a\n", "b,c", b'id,text\n1,"b,c"\n'),
        (b"id,text\n1,a\n", 'b "c"', b'id,text\n1,"b ""c"""\n'),
        (b"id,text\n1,a\n", "b\nc", b'id,text\n1,"b\nc"\n'),
        (b'id,text\n1,a "b"\n', 'c "d"', b'id,text\n1,c "d"\n'),
        (b'id,text\n1,a "b"\n', '"c" d', b'id,text\n1,"""c"" d"\n'),
        (b"text\na\n", "", b'text\n""\n'),
        (BOM + b"text\na\n", "b", BOM + b"text\nb\n"),
    ],
)
def test_only_the_field_changes_and_keeps_its_quotes(data: bytes, text: str, expected: bytes) -> None:
    assert swap(data, text, columns=("text",)) == expected


@pytest.mark.parametrize(
    ("data", "text", "expected"),
    [
        (b'id\ttext\n1\t"a"\n', 'b "c"', b'id\ttext\n1\t"b ""c"""\n'),
        (b"id\ttext\n1\ta\n", 'b "c"', b'id\ttext\n1\tb "c"\n'),
        (b"id\ttext\n1\ta\n", '"b"', b'id\ttext\n1\t"""b"""\n'),
        (b'id\ttext\n1\t"a\tb"\r\n', "c\td", b'id\ttext\n1\t"c\td"\r\n'),
    ],
)
def test_a_tsv_field_is_quoted_only_if_it_was_or_would_seem_so(data: bytes, text: str, expected: bytes) -> None:
    assert swap(data, text, "tsv") == expected


@pytest.mark.parametrize("text", ["a\tb", "a\nb"])
def test_a_tsv_field_cannot_hold_tabs_and_line_ends(text: str) -> None:
    with pytest.raises(RecordError, match="no way to write"):
        swap(b"text\na\n", text, "tsv")


@pytest.mark.parametrize(
    ("data", "options", "message"),
    [
        (b"id,Text\n", {}, r"table: no column 'text' \(did you mean 'Text'\?\); the header has 'id', 'Text'"),
        (b"id,text\n", {"columns": ("3",)}, "no column '3'"),
        (b"text,text\n", {}, "2 times; pass its number"),
        (b"1,a\n", {"header": False}, "without a header a column is a number from 1 to 2"),
        (b'"text,id\n1,2\n', {}, "the first row cannot be read: a quote is not closed"),
        (b"id,text\n", {"lang_column": "lang"}, "no column 'lang'"),
        (b"\n", {}, "no column 'text'"),
        (b"text,\xff\n", {}, "the header is not UTF-8"),
    ],
)
def test_a_header_without_the_column_is_told(data: bytes, options: Options, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        read(data, **options)


@pytest.mark.parametrize("delimiter", ["", ",,", '"', "\n"])
def test_impossible_delimiters_are_refused(delimiter: str) -> None:
    with pytest.raises(UsageError, match="delimiter must be one character"):
        FormatOptions(delimiter=delimiter)


def test_the_language_stands_beside_the_text() -> None:
    table, records = read(b'text,l\na,en\nb,"de"\nc\n', lang_column="l")
    assert table.contents(records[1]) == [Content("a", "en")]
    assert table.contents(records[2]) == [Content("b", "de")]
    with pytest.raises(RecordError, match="too few for column 2"):
        table.contents(records[3])


OPEN = b'id,text\n1,a\n2,"b\n3,c\n\n4,\xff\n5,d\r\n6,e,f\n7,""\n'


def test_lines_behind_a_quote_that_is_not_closed_are_rows() -> None:
    table, records = read(OPEN)
    assert b"".join(record.data for record in records) == OPEN
    result, problems = [], []
    for record in records:
        try:
            contents = table.contents(record)
        except RecordError as error:
            contents = list(error.contents)
            problems += error.problems or [(record.number, error.reason)]
        result.append(table.replace(record, [(content, content.text * 2) for content in contents]))
    assert b"".join(result) == b'id,text\n1,aa\n2,"b\n3,cc\n\n4,\xff\n5,dd\r\n6,e,f\n7,""\n'
    assert problems == [
        (3, "a quote that begins here is not closed"),
        (6, "not UTF-8 (invalid start byte at byte 0)"),
        (8, "3 fields where the header has 2"),
        (9, "a quote behind that of line 3, which is not closed"),
    ]


def test_a_quote_that_is_not_closed_ends_at_the_limit() -> None:
    table, records = read(OPEN, limit=12)
    assert [record.data for record in records[2:]] == [b'2,"b\n3,c\n\n4,\xff\n', b"5,d\r\n", b"6,e,f\n", b'7,""\n']
    assert table.contents(records[3]) == [Content("d")]


def test_what_was_learnt_from_the_header_goes_to_other_processes(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(b"id;text\n1;a\n")
    table = pickle.loads(pickle.dumps(open_format(path)))
    [record] = table.records([RawLine(2, b"1;a\n")])
    assert table.contents(record) == [Content("a")]


def test_a_field_of_10_mb_is_a_field_like_others() -> None:
    text = 'She said, "no"\nand left. ' * 400_000
    data = b'text,id\n"' + text.replace('"', '""').encode() + b'",1\n'
    table, records = read(data, limit=16 << 20)
    assert len(records) == 2
    assert table.contents(records[1]) == [Content(text)]
    assert table.replace(records[1], [(Content(text), text + '"')]) == data[8:-4] + b'""",1\n'


CELL = st.text(st.one_of(st.sampled_from('",;\t\n\r \'a"'), st.characters(codec="utf-8")), max_size=6)


@st.composite
def tables(draw: st.DrawFn) -> tuple[bytes, str, list[list[str]]]:
    """Give CSV as the csv module writes it, the delimiter, and the rows."""
    width = draw(st.integers(1, 4))
    rows = draw(st.lists(st.lists(CELL, min_size=width, max_size=width), max_size=5))
    delimiter = draw(st.sampled_from([",", ";", "\t"]))
    end = draw(st.sampled_from(["\n", "\r\n"]))
    if end == "\n":  # then the csv module may write a lone \r without quotes, which it cannot read
        rows = [[cell.replace("\r", "x") for cell in row] for row in rows]
    stream = io.StringIO(newline="")
    quoting = draw(st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL, csv.QUOTE_NONNUMERIC]))
    writer = csv.writer(stream, delimiter=delimiter, quoting=quoting, lineterminator=end)
    writer.writerows([[f"c{n}" for n in range(width)], *rows])
    return stream.getvalue().encode(), delimiter, rows


def parse(data: bytes, delimiter: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(data.decode(), newline=""), delimiter=delimiter))


@given(tables(), st.data(), CELL)
def test_a_changed_table_parses_to_the_old_one_with_only_the_texts_changed(
    table: tuple[bytes, str, list[list[str]]], data: st.DataObject, new: str
) -> None:
    raw, delimiter, rows = table
    place = data.draw(st.integers(0, len(parse(raw, delimiter)[0]) - 1))
    fmt, records = read(raw, columns=(f"c{place}",), delimiter=delimiter)
    assert b"".join(record.data for record in records) == raw
    assert [fmt.contents(record) for record in records[1:]] == [[Content(row[place])] for row in rows]
    same = [fmt.replace(record, [(content, content.text) for content in fmt.contents(record)]) for record in records]
    assert b"".join(same) == raw
    changed = b"".join(fmt.replace(r, [(content, new) for content in fmt.contents(r)]) for r in records)
    expected = [[*row[:place], new, *row[place + 1 :]] for row in rows]
    assert parse(changed, delimiter)[1:] == expected


PIECES = st.lists(st.sampled_from(['"', '""', ",", "\n", "\r\n", "a", "b,", ',"', '",', '"\n']), max_size=30).map(
    "".join
)


@given(PIECES)
def test_rows_are_those_of_the_csv_module_where_quotes_stand_in_their_places(rest: str) -> None:
    data = ("x,y\n" + rest).encode()
    table, records = read(data, columns=("1",))
    assert b"".join(record.data for record in records) == data
    for record in records:
        try:
            table.contents(record)
        except RecordError as error:
            if "quote" in error.reason:
                return
    parsed = [row for row in parse(data, ",") if row]
    assert len([record for record in records if record.data.strip(b"\r\n")]) == len(parsed)


@given(rest=PIECES, lines=st.integers(1, 3), size=st.integers(1, 20), limit=st.sampled_from([5, 1 << 20]))
def test_pieces_hold_the_records_of_the_whole(
    tmp_path_factory: pytest.TempPathFactory, rest: str, lines: int, size: int, limit: int
) -> None:
    data = ("x,y\n" + rest).encode()
    path = tmp_path_factory.mktemp("cut") / "a.csv"
    path.write_bytes(data)
    table, whole = read(data, columns=("1",), limit=limit)
    pieces: list[RawRecord] = []
    for first, number, offset in table.cut(path, lines=lines, size=size):
        below = list(read_raw_lines(path, offset=offset))[:number]
        pieces += table.records(map(RawLine, count(first), below))
    assert pieces == whole


@given(rest=PIECES, lines=st.integers(1, 4), size=st.integers(1, 30), block=st.integers(1, 40))
def test_runs_of_regular_rows_are_cut_as_single_rows_are(
    tmp_path_factory: pytest.TempPathFactory, rest: str, lines: int, size: int, block: int
) -> None:
    path = tmp_path_factory.mktemp("cut") / "a.csv"
    path.write_bytes(BOM + f"x,y\n{rest}".encode())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(delimited, "_BLOCK_BYTES", block)
        table = Delimited("csv", "table", FormatOptions(columns=("1",)), limit=2 * block)
        next(table.records(map(RawLine, count(1), read_raw_lines(path))))
        assert list(table.cut(path, lines=lines, size=size)) == list(cut_records(table, path, lines=lines, size=size))


@given(PIECES, st.sampled_from(["csv", "tsv"]))
def test_texts_can_be_taken_out_and_put_back(rest: str, name: str) -> None:
    data = ("x,y\n" + rest).encode()
    table, records = read(data, name, columns=("1",), delimiter=",")
    for record in records:
        try:
            contents = table.contents(record)
        except RecordError as error:
            contents = list(error.contents)
        for content in contents:
            changed = RawRecord(record.number, table.replace(record, [(content, content.text + "x")]))
            try:
                again = table.contents(changed)
            except RecordError as error:
                again = list(error.contents)
            assert [c.text for c in again if c.place == content.place] == [content.text + "x"]
