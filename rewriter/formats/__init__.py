"""File formats of corpora: plain text, JSON lines, CSV and TSV, Parquet; see :mod:`rewriter.formats.base`."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count
from pathlib import Path
from typing import Literal

from rewriter.errors import InputError, UsageError
from rewriter.formats.base import FormatName, FormatOptions, RawLine, RecordFormat
from rewriter.formats.text import DOCUMENT_SUFFIXES
from rewriter.formats.wrapped import is_hard_wrapped
from rewriter.io.files import read_blocks, read_raw_lines

__all__ = ["PACKED", "SUFFIXES", "FormatOptions", "RecordFormat", "detect", "open_format", "suffix_of", "unit_of"]

#: suffix (beneath .gz and .zst) -> format
SUFFIXES: dict[str, FormatName] = {
    ".txt": "txt",
    **dict.fromkeys(sorted(DOCUMENT_SUFFIXES), "txt"),
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".csv": "csv",
    ".tsv": "tsv",
    ".tab": "tsv",
    ".parquet": "parquet",
    ".pq": "parquet",
}
#: compression that is read and written transparently
PACKED = (".gz", ".zst")
_SAMPLE_BYTES = 1 << 18


def suffix_of(path: str | Path) -> str:
    """Return the suffix that tells the format, in lower case: beneath ``.gz`` and ``.zst``."""
    name = Path(path)
    if name.suffix.lower() in PACKED:
        name = name.with_suffix("")
    return name.suffix.lower()


def detect(path: str | Path, options: FormatOptions | None = None) -> FormatName:
    """Return the format of a file by option or name; ``txt`` where neither says.

    Raises:
        UsageError: the name leaves open what it is (``.json``), or a Parquet file is packed.
    """
    asked = options.format if options is not None else "auto"
    suffix = suffix_of(path)
    name = asked if asked != "auto" else SUFFIXES.get(suffix, "txt")
    if asked == "auto" and suffix == ".json":
        raise UsageError(
            f"{path}: pass --format jsonl if every line is a JSON object, --format txt if it is plain text"
        )
    if name == "parquet" and Path(path).suffix.lower() in PACKED:
        raise UsageError(f"{path}: unpack it first; Parquet files are compressed inside")
    return name


def unit_of(path: str | Path, options: FormatOptions | None = None) -> Literal["line", "paragraph", "document"]:
    """Return the unit of plain text by option, name or look.

    Markdown, HTML, reST and TeX are documents; a file whose lines are cut in mid-sentence is read by ``paragraph``
    (:mod:`rewriter.formats.wrapped`), any other by ``line``. A pipe is not looked at.
    """
    asked = options.unit if options is not None else "auto"
    if asked != "auto":
        return asked
    if suffix_of(path) in DOCUMENT_SUFFIXES:
        return "document"
    return "paragraph" if Path(path).is_file() and is_hard_wrapped(_beginning(path)) else "line"


def _beginning(path: str | Path) -> str:
    """Return whole lines from the beginning of a file, as far as they are text."""
    try:
        data = _sample(path)
    except InputError:
        return ""  # whoever reads the file tells what is wrong with it
    return data[: data.rfind(b"\n") + 1 or len(data)].decode("utf-8", "replace")


def code_syntax(path: str | Path, options: FormatOptions | None = None) -> str | None:
    """Return the comment syntax of a file of source code, by its name; None of other files, and where options say so.

    ``--format`` and ``--unit`` make any file plain text.
    """
    from rewriter.formats.code import CODE_SUFFIXES

    if options is not None and (options.format != "auto" or options.unit != "auto"):
        return None
    return CODE_SUFFIXES.get(suffix_of(path))


def reading_notes(paths: Iterable[str | Path], options: FormatOptions | None = None) -> list[str]:
    """Return what to tell about files that are read otherwise than line by line by their look, or not at all."""
    options = options or FormatOptions()
    notes = []
    for path in paths:
        syntax = code_syntax(path, options)
        if syntax == "none":
            notes.append(f"{path}: source code or data, left alone; --unit document reads it as text")
        elif syntax is not None:
            if not options.code_comments:
                notes.append(f"{path}: source code, left alone; --code-comments rewrites its comments and docstrings")
        elif _is_found_wrapped(path, options):
            notes.append(f"{path}: hard-wrapped, read by paragraph; --unit line reads it line by line")
    return notes


def _is_found_wrapped(path: str | Path, options: FormatOptions) -> bool:
    """Return True if a file is plain text that is read by paragraph without an option that says so."""
    is_text = SUFFIXES.get(suffix_of(path), "txt") == "txt" and options.format in ("auto", "txt")
    return is_text and options.unit == "auto" and unit_of(path, options) == "paragraph"


def open_format(path: str | Path, options: FormatOptions | None = None) -> RecordFormat:
    """Return what reads and writes the records of a file; looks at its beginning where that says how.

    Args:
        path: a plain, .gz or .zst file, or ``-`` for a pipe, whose beginning is looked at when it is read.
        options: format, columns and so on.

    Raises:
        UsageError: there is no such column (the message lists those that are there), or it is a Parquet file, which is
            no run of records (:mod:`rewriter.formats.parquet`).
        InputError: the file cannot be read.
    """
    from rewriter.formats.code import CodeFile
    from rewriter.formats.delimited import Delimited
    from rewriter.formats.jsonl import JsonLines, parse_path, writes_ascii
    from rewriter.formats.text import TextLines, TextUnits

    options = options or FormatOptions()
    name = detect(path, options)
    pipe = str(path) == "-"
    if name == "parquet":
        raise UsageError(f"{path}: a Parquet file has no lines; it is read by row groups")
    syntax = code_syntax(path, options)
    if syntax is not None:
        return CodeFile(syntax, options.code_comments, str(path))
    if name == "txt":
        unit = unit_of(path, options)
        return TextLines() if unit == "line" else TextUnits(unit, str(path))
    if name == "jsonl":
        columns = tuple(dict.fromkeys(map(parse_path, options.columns)))
        language = parse_path(options.lang_column) if options.lang_column else None
        return JsonLines(columns, language, ascii=not pipe and writes_ascii(_sample(path)))
    table = Delimited(name, str(path), options)
    if not pipe:
        next(table.records(map(RawLine, count(1), read_raw_lines(path))), None)
    return table


def _sample(path: str | Path) -> bytes:
    return next(read_blocks(path, size=_SAMPLE_BYTES), b"")
