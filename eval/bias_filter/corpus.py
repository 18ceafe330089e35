"""The bias filter over files: counts of a corpus of any size, and the records of some classes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count, islice
from pathlib import Path

from eval.bias_filter.core import CHUNK
from eval.bias_filter.counts import GroupCounts
from eval.bias_filter.matcher import Matcher, Scan, class_names
from eval.bias_filter.rows import check_classes
from rewriter.errors import Fault, InputError, MetricError, UsageError
from rewriter.faults import each, together
from rewriter.formats import FormatOptions, detect, open_format, unit_of
from rewriter.formats.base import RawLine, RawRecord, RecordError, RecordFormat
from rewriter.io.files import atomic_write, open_bytes, read_raw_lines
from rewriter.io.parquet import open_parquet
from rewriter.language.interface import get_language
from rewriter.records import Reject

__all__ = ["count_file"]

Progress = Callable[[int], object]


@dataclass(frozen=True, slots=True)
class CorpusOptions:
    """How files are read.

    Attributes:
        format: format, columns and so on.
        segment: language whose rules cut the texts into sentences; None takes each text (each line) as one.
    """

    format: FormatOptions = field(default_factory=FormatOptions)
    segment: str | None = None


def count_file(
    matcher: Matcher,
    path: str | Path,
    options: CorpusOptions | None = None,
    *,
    progress: Progress | None = None,
    rejects: list[Reject] | None = None,
) -> GroupCounts:
    """Count the sentences of a file, some at a time; blank lines are no sentences.

    Args:
        matcher: finds the groups.
        path: text, JSON lines, CSV, TSV (.gz and .zst too) or Parquet.
        options: how it is read.
        progress: called with the number of texts just read.
        rejects: gets the texts that cannot be counted, which are left out; None raises their errors.

    Raises:
        InputError: the file cannot be read, or a record is not what the format says (``FILE:LINE``).
        UsageError: there is no such column, or no rules for the language that sentences are cut by.
    """
    options = options or CorpusOptions()
    cut = get_language(options.segment).segment if options.segment else None
    counts = GroupCounts(matcher.groups)

    def scan(some: Sequence[str]) -> Scan:
        return matcher.scan(some if cut is None else [text[start:end] for text in some for start, end in cut(text)])

    for numbers, texts in _read(path, options.format):
        kept = [text for text in texts if text.strip()]
        counts.blank += len(texts) - len(kept)
        if rejects is None:
            counts.add(scan(kept))
        else:
            found, sound = together(scan, kept)
            counts.add(found)
            if sound.faults:
                lines = [number for number, text in zip(numbers, texts, strict=True) if text.strip()]
                rejects += (Reject(Path(path).name, lines[place], *fault) for place, fault in sound.faults.items())
        if progress is not None:
            progress(len(texts))
    return counts


def keep_records(
    matcher: Matcher,
    path: str | Path,
    output: str | Path,
    classes: Iterable[str],
    options: CorpusOptions | None = None,
    *,
    rejects: list[Reject] | None = None,
) -> tuple[int, int]:
    """Write the records whose text is of one of some classes, byte for byte; return how many, and of how many.

    What holds no text (blank lines, the header of a table) is written too and not counted.

    Args:
        matcher: finds the groups.
        path: text, JSON lines, CSV or TSV, also packed.
        output: file, packed by its name.
        classes: names of groups, ``mixed``, ``neutral``.
        options: how the file is read; a record is taken as a whole, never cut into sentences.
        rejects: gets the records whose class cannot be told, which are left out; None raises their errors.

    Raises:
        InputError: as :func:`count_file`.
        UsageError: there is no such class or column, or output and input are one file.
    """
    options = options or CorpusOptions()
    wanted = check_classes(matcher, classes)
    if Path(output).exists() and Path(path).exists() and Path(output).samefile(path):
        raise UsageError(f"{output} is the input itself; choose another output")
    records = _records(path, open_format(path, options.format))

    def class_of(texts: Sequence[str]) -> list[str]:
        return class_names(matcher.groups, matcher.scan(texts).masks)

    kept = total = 0
    with atomic_write(output) as stream:
        while chunk := list(islice(records, CHUNK)):
            texts = [text or "" for _, text in chunk]
            names = [*class_of(texts)] if rejects is None else each(class_of, texts)
            for (record, text), name in zip(chunk, names, strict=True):
                if isinstance(name, Fault):
                    assert rejects is not None
                    rejects.append(Reject(Path(path).name, record.number, *name))
                elif text is None or name in wanted:
                    stream.write(record.data)
                    kept += text is not None
                total += text is not None
    return kept, total


def check_not_empty(counts: GroupCounts, where: str) -> None:
    """Refuse a corpus without a sentence.

    Raises:
        MetricError: there is none; the message names the file.
    """
    if not counts.sentences:
        raise MetricError(f"{where}: no sentence to count; the corpus is empty")


def _records(path: str | Path, fmt: RecordFormat) -> Iterator[tuple[RawRecord, str | None]]:
    """Yield the records of a file with their text; None where there is none."""
    for record in fmt.records(map(RawLine, count(1), read_raw_lines(path))):
        try:
            texts = [content.text for content in fmt.contents(record)]
        except RecordError as error:
            raise InputError(f"{path}:{record.line}: {error.reason}") from None
        text = "\n".join(texts)
        yield record, text if text.strip() else None


def _read(path: str | Path, options: FormatOptions) -> Iterator[tuple[Sequence[int], list[str]]]:
    """Yield the texts of a file with their numbers (lines, or rows), some at a time."""
    name = detect(path, options)
    if name == "parquet":
        yield from _read_parquet(path, options)
    elif name == "txt" and unit_of(path, options) == "line":
        yield from _read_lines(path)
    else:
        fmt = open_format(path, options)
        records = _records(path, fmt)
        while chunk := list(islice(records, CHUNK)):
            yield [record.number for record, _ in chunk], [text or "" for _, text in chunk]


def _read_lines(path: str | Path) -> Iterator[tuple[Sequence[int], list[str]]]:
    lines = read_raw_lines(path)
    number = 0
    while chunk := list(islice(lines, CHUNK)):
        try:
            texts = b"".join(chunk).decode("utf-8").split("\n")
        except UnicodeDecodeError:
            raise _not_utf8(path, number, chunk) from None
        if not texts[-1]:
            texts.pop()
        yield range(number + 1, number + 1 + len(texts)), texts
        number += len(chunk)


def _not_utf8(path: str | Path, before: int, lines: list[bytes]) -> InputError:
    for number, line in enumerate(lines, before + 1):
        try:
            line.decode("utf-8")
        except UnicodeDecodeError as error:
            return InputError(f"{path}:{number}: not UTF-8 ({error.reason} at byte {error.start})")
    return InputError(f"{path}: not UTF-8")


def _read_parquet(path: str | Path, options: FormatOptions) -> Iterator[tuple[Sequence[int], list[str]]]:
    row = 1
    with open_bytes(path) as stream, open_parquet(path, stream) as file:
        for column in options.columns:
            if column not in file.schema_arrow.names:
                raise UsageError(
                    f"{path}: there is no column '{column}'; columns: {', '.join(file.schema_arrow.names)}"
                )
        for batch in file.iter_batches(batch_size=CHUNK, columns=list(options.columns)):
            columns = [values.to_pylist() for values in batch.columns]
            texts = ["\n".join(text for text in values if text) for values in zip(*columns, strict=True)]
            yield range(row, row + len(texts)), texts
            row += len(texts)
