"""Sheets written and read back; answers checked against the candidates and stored without the text."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from augment.reading.page import page
from augment.reading.sheet import Row, read_sheet, write_sheet
from augment.reading.targets import answer_of, import_targets, store
from eval.reading.gold import FoundSentence, GoldSentence, digest, find_sentences, load_gold
from rewriter.cli.main import main
from rewriter.errors import InputError, UsageError
from rewriter.language.interface import get_language

LINES = [
    'Guten Tag. Der Lehrer sagt "ja".\tEr lacht.',
    "Die Xylophonfrau wohnt hier.",
    "Die Kollegen kommen.",
    "Siehe `der Lehrer` im Code.",
]


def gold(number: int, sentence: str, line: int) -> GoldSentence:
    start = LINES[line - 1].index(sentence)
    return GoldSentence(
        f"s{number}", "de/text.txt", line, start, start + len(sentence), digest(sentence), genre="school"
    )


RECORDS = [
    gold(0, 'Der Lehrer sagt "ja".', 1),
    gold(1, "Er lacht.", 1),
    gold(2, LINES[1], 2),
    gold(3, LINES[2], 3),
    gold(4, LINES[3], 4),
]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    (tmp_path / "de").mkdir()
    (tmp_path / "de" / "text.txt").write_text("".join(f"{line}\n" for line in LINES), encoding="utf-8")
    return tmp_path


def rows(data: Path, *targets: str) -> list[Row]:
    found = find_sentences(RECORDS[: len(targets)], data)
    return [Row.of(sentence, target=target) for sentence, target in zip(found, targets, strict=True)]


@pytest.mark.parametrize("suffix", ["jsonl", "tsv"])
def test_what_is_written_is_read_back(data: Path, suffix: str) -> None:
    written = rows(data, 'Der*die Lehrer*in sagt "ja".', "?", "=", "", "x\ty")
    write_sheet(data / f"sheet.{suffix}", written)
    assert read_sheet(data / f"sheet.{suffix}") == written


def test_bare_ids_are_looked_up_in_records(data: Path) -> None:
    path = data / "sheet.jsonl"
    path.write_text('{"id": "s1", "target": "Er*sie lacht."}\n', encoding="utf-8")
    (row,) = read_sheet(path, {record.id: record for record in RECORDS})
    assert row.gold == RECORDS[1]
    with pytest.raises(InputError, match=r"sheet.jsonl:1: .* no record has the id 's1'"):
        read_sheet(path)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.jsonl", "", "a.jsonl: the sheet is empty"),
        ("a.jsonl", "x\n", "a.jsonl:1: not JSON"),
        ("a.jsonl", '{"id": "s1"}\n', "a.jsonl:1: the column 'target' is missing"),
        ("a.tsv", "id\ttarget\ns1\n", "a.tsv:2: another number of cells"),
        ("a.tsv", "id\ttarget\tfile\tline\tstart\tend\tdigest\ns1\tx\tf\tone\t0\t1\td\n", "a.tsv:2: invalid literal"),
    ],
)
def test_malformed_sheets_are_named(tmp_path: Path, name: str, text: str, message: str) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        read_sheet(tmp_path / name)


def test_a_sheet_has_a_known_format(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"ends with .jsonl, .tsv, .html"):
        write_sheet(tmp_path / "sheet.xls", [])


def test_the_page_holds_the_rows_and_no_text_can_end_its_script() -> None:
    html = page([{"id": "1", "text": "</script><b>"}], title="a & b")
    held = html.split('id="rows">')[1].split("</script>")[0]
    assert json.loads(held) == [{"id": "1", "text": "</script><b>"}]
    assert "<title>a &amp; b</title>" in html
    assert "http" not in html.split("<script>")[1]


# ---------------------------------------------------------------- checks


@pytest.mark.parametrize(
    ("number", "target", "findings"),
    [
        (0, 'Der*die Lehrer*in sagt "ja".', []),
        (0, 'Der*die Lehrerin sagt "ja".', ["no such outcome"]),
        (0, 'Der*die Lehrer*in sprach "ja".', ["no candidate"]),
        (0, "=", []),
        (1, "Er*sie lacht.", []),
        (1, "=", []),
        (1, "Er lacht  .", ["white space"]),
        (2, "Die*der Xylophonfrau*mann wohnt hier.", ["no candidate", "no candidate"]),
        (3, "Die Kolleg*innen kommen.", []),
        (4, "Siehe `der*die Lehrer*in` im Code.", ["protected"]),
        (1, "?", ["undecidable"]),
        (1, "", []),
    ],
)
def test_answers_are_checked(data: Path, number: int, target: str, findings: list[str]) -> None:
    (row,) = [replace(row, target=target) for row in rows(data, *[""] * 5) if row.gold.id == f"s{number}"]
    found = import_targets([row], data=data, language=get_language("de"), reader="anna")
    assert [finding.kind for finding in found.findings] == findings
    outside = {"no candidate", "no such outcome", "white space"} & set(findings)
    if target in ("", "?"):
        assert found.records == []
    else:
        (record,) = found.records
        assert (record.outside, record.reader) == (bool(outside), "anna")
        assert find_sentences([record], data)[0].target == (row.text if target == "=" else target)


def test_a_finding_names_the_word_and_what_was_allowed(data: Path) -> None:
    (row,) = rows(data, 'Der*die Lehrerin sagt "ja".')
    (finding,) = import_targets([row], data=data, language=get_language("de"), reader="").findings
    assert finding.detail == "Lehrer -> Lehrerin; allowed: Lehrer, Lehrer*in, Lehrer*innen"


def test_what_the_grammar_settles_otherwise_is_told(tmp_path: Path) -> None:
    (tmp_path / "text.txt").write_text("She naps.\n", encoding="utf-8")
    record = GoldSentence("en-0", "text.txt", 1, 0, 9, digest("She naps."), genre="school")
    (row,) = [Row.of(sentence, target="=") for sentence in find_sentences([record], tmp_path)]
    found = import_targets([row], data=tmp_path, language=get_language("en"), reader="anna")
    assert {finding.kind for finding in found.findings} == {"settled otherwise"}


def test_a_changed_sentence_is_left_out(data: Path) -> None:
    (row,) = rows(data, "=")
    found = import_targets([replace(row, text="Eine andere.")], data=data, language=get_language("de"), reader="")
    assert (found.records, found.counts["another sentence"]) == ([], 1)


@given(st.text(" a", max_size=3), st.text("ab=", min_size=1, max_size=4), st.text(" \n", max_size=3))
def test_an_answer_keeps_the_white_space_of_its_sentence(start: str, target: str, end: str) -> None:
    gold = GoldSentence("x", "f", 1, 0, 5, "")
    answer = answer_of(Row.of(FoundSentence(gold, "", "\u00a0ein ", ""), target=f"{start}{target}{end}"), "\u00a0ein ")
    assert answer[0] == "\u00a0"
    assert answer[-1] == " "


# ---------------------------------------------------------------- storing


def test_storing_adds_and_replaces_nothing_of_others(tmp_path: Path) -> None:
    path, first = tmp_path / "gold.jsonl", [replace(record, edits=(), reader="anna") for record in RECORDS[:2]]
    assert store(path, first) == (2, 0)
    again = [replace(RECORDS[1], edits=((0, 2, "x"),), reader="anna"), replace(RECORDS[1], edits=(), reader="ben")]
    assert store(path, again) == (1, 1)
    assert load_gold(path) == [first[0], *again]


def test_the_command_stores_no_text(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sheet, output = data / "sheet.tsv", data / "gold.jsonl"
    write_sheet(sheet, rows(data, 'Der*die Lehrer*in sagt "ja".', "?", "Die Xylophonperson wohnt hier."))
    words = ["augment", "import-targets", str(sheet), "--data", str(data), "--reader", "anna", "-o", str(output)]
    assert main(words) == 0
    shown = capsys.readouterr()
    assert "s1: undecidable" in shown.out
    assert "s2: no candidate: Xylophonfrau -> Xylophonperson" in shown.out
    assert "2 new, 0 read again; read 2, stay 0, outside 1, not read 0" in shown.err
    stored = output.read_text(encoding="utf-8")
    assert "sagt" not in stored
    assert [json.loads(line).get("outside", False) for line in stored.splitlines()] == [False, True]
