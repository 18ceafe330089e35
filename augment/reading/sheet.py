"""Sheets: sentences laid out for a reader, and read back with the targets that the reader gave.

A sheet is JSON lines, a TSV for spreadsheets (quoted like theirs where a cell holds a tab or a quotation mark), or a
page that is read in a browser and saves JSON lines. It holds text of corpora, so it is nothing to be published.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from augment.reading.page import page
from eval.reading.gold import FoundSentence, GoldSentence
from rewriter.errors import InputError, UsageError
from rewriter.io.csv_rows import CsvRows
from rewriter.io.files import atomic_write, read_lines

#: answers with a meaning: nobody can tell, and the sentence stays as it is
UNDECIDABLE, UNCHANGED = "?", "="
#: columns in the order of a TSV: what a reader looks at, then what finds the sentence again
COLUMNS = ("id", "before", "text", "target", "after", "note", "file", "line", "start", "end", "digest", "draw", "genre")
_PLACE = ("file", "line", "start", "end", "digest")
_SAID = ("target", "text", "before", "after", "note")
SUFFIXES = (".jsonl", ".tsv", ".html")


@dataclass(frozen=True, slots=True)
class Row:
    """A sentence on a sheet.

    Attributes:
        gold: finds the sentence again; without edits.
        target: what the reader says it should be: text, :data:`UNCHANGED`, :data:`UNDECIDABLE`, or nothing where it was
            not read.
        text: the sentence; empty where the sheet does not hold it.
        before: what stands before it.
        after: what stands after it.
        note: why it was chosen, or what the reader remarks.
    """

    gold: GoldSentence
    target: str = ""
    text: str = ""
    before: str = ""
    after: str = ""
    note: str = ""

    @classmethod
    def of(cls, found: FoundSentence, *, target: str = "", note: str = "") -> Row:
        """Return the row of a sentence; its target is a proposal."""
        gold = replace(found.gold, edits=None, reader="", outside=False)
        return cls(gold, target, found.text, found.before, found.after, note)

    def to_dict(self) -> dict[str, Any]:
        """Return the row by columns."""
        values = asdict(self.gold) | {
            name: getattr(self, name) for name in ("target", "text", "before", "after", "note")
        }
        return {name: values[name] for name in COLUMNS}


def check_name(path: Path) -> None:
    """Refuse a name that says nothing about the format.

    Raises:
        UsageError: the name ends with none of :data:`SUFFIXES`.
    """
    if path.suffix not in SUFFIXES:
        raise UsageError(f"{path}: a sheet's name ends with {', '.join(SUFFIXES)}")


def write_sheet(path: Path, rows: Sequence[Row], *, title: str = "") -> None:
    """Write a sheet in the format that its name asks for.

    Raises:
        UsageError: the name ends with none of :data:`SUFFIXES`.
        OutputError: it cannot be written.
    """
    check_name(path)
    records = [row.to_dict() for row in rows]
    if path.suffix == ".html":
        text = page(records, title=title or path.stem)
    elif path.suffix == ".tsv":
        text = _table(records)
    else:
        text = "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)
    with atomic_write(path) as stream:
        stream.write(text.encode("utf-8", "surrogatepass"))


def _table(records: Iterable[Mapping[str, Any]]) -> str:
    stream = io.StringIO()
    writer = csv.DictWriter(stream, COLUMNS, dialect="excel-tab", lineterminator="\n")
    writer.writeheader()
    writer.writerows(records)
    return stream.getvalue()


def read_sheet(path: Path, records: Mapping[str, GoldSentence] | None = None) -> list[Row]:
    """Read a sheet that a reader gave back.

    Args:
        path: JSON lines or TSV, with the columns ``id`` and ``target`` at least.
        records: sentences by id; needed for rows that do not say where their sentence stands.

    Raises:
        InputError: a row is malformed, or nothing says where its sentence stands; names file and line.
    """
    found = [_row(record, f"{path}:{number}", records or {}) for number, record in _records(path)]
    if not found:
        raise InputError(f"{path}: the sheet is empty")
    return found


def _records(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    if path.suffix == ".tsv":
        yield from _table_records(path)
        return
    for number, line in enumerate(read_lines(path), 1):
        try:
            record = json.loads(line)
        except ValueError as error:
            raise InputError(f"{path}:{number}: not JSON ({error})") from None
        if not isinstance(record, dict):
            raise InputError(f"{path}:{number}: a row is an object with 'id' and 'target'")
        yield number, record


def _table_records(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    rows = CsvRows((f"{line}\n" for line in read_lines(path)), path, dialect="excel-tab")
    for record in rows:
        if None in record or None in record.values():
            raise InputError(f"{path}:{rows.line}: another number of cells than the header has")
        yield rows.line, record


def _row(record: Mapping[str, Any], where: str, records: Mapping[str, GoldSentence]) -> Row:
    for name in ("id", "target"):
        if not isinstance(record.get(name), str):
            raise InputError(f"{where}: the column '{name}' is missing or no text")
    gold = _gold(record, where, records)
    return Row(gold, **{name: str(record.get(name) or "") for name in _SAID})


def _gold(record: Mapping[str, Any], where: str, records: Mapping[str, GoldSentence]) -> GoldSentence:
    if not all(record.get(name) not in (None, "") for name in _PLACE):
        if record["id"] not in records:
            raise InputError(
                f"{where}: the row does not say where its sentence stands ({', '.join(_PLACE)}), and no record has the "
                f"id '{record['id']}'"
            )
        return replace(records[record["id"]], edits=None, reader="", outside=False)
    try:
        line, start, end = (int(record[name]) for name in ("line", "start", "end"))
    except ValueError as error:
        raise InputError(f"{where}: {error}") from None
    draw, genre = str(record.get("draw") or "random"), str(record.get("genre") or "")
    place = (str(record["file"]), line, start, end)
    return GoldSentence(record["id"], *place, str(record["digest"]), draw=draw, genre=genre)
