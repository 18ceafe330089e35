"""What ``gender-fair rewrite`` shows and writes beside the text: differences, JSON, a page, rejects, counts."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

from tqdm import tqdm

from rewriter.cli.messages import say
from rewriter.corpus.results import Observer, Summary, TextResult, cut_lines, rejection_records
from rewriter.formats import FormatOptions, reading_notes
from rewriter.io.files import atomic_write, json_line
from rewriter.language.interface import Language
from rewriter.policy import flag_ambiguous
from rewriter.records import apply_edits
from rewriter.report.display import difference, html_page, use_color
from rewriter.text.offsets import moved
from rewriter.text.printable import shown_name

#: rejects that are told on standard error; --rejects has all
TOLD_REJECTS = 10


def render_json(result: TextResult) -> bytes:
    """Return one line of JSON; the text of what cannot be read is null, with the reasons beside it."""
    record: dict[str, Any] = {
        "file": result.file,
        "line": result.line,
        "text": None if result.source is None else result.rewrite.text,
        "edits": [asdict(edit) for edit in result.rewrite.edits],
    }
    if result.rejects:
        record["rejects"] = [reject.listed() for reject in result.rejects]
    return json_line(record)


def observe_all(contexts: Sequence[AbstractContextManager[Observer]], stack: ExitStack) -> Observer:
    """Enter some observers and return one that calls all."""
    observers = [stack.enter_context(context) for context in contexts]

    def observe(results: Sequence[TextResult]) -> None:
        for observer in observers:
            observer(results)

    return observe


@contextmanager
def ambiguous_sentences(path: Path, language: Language) -> Iterator[Observer]:
    """Write the rewritten sentences that could be read in two ways: file, line, source, text, reason."""
    with ExitStack() as stack:
        stream = sys.stderr.buffer if str(path) == "-" else stack.enter_context(atomic_write(path))

        def write(results: Sequence[TextResult]) -> None:
            for result in results:
                source, edits = result.source or "", result.rewrite.edits
                for flag in flag_ambiguous(source, edits, language):
                    inside = [moved(edit, -flag.start) for edit in edits if flag.start <= edit.start < flag.end]
                    sentence = source[flag.start : flag.end]
                    record = {
                        "file": result.file,
                        "line": result.line + source.count("\n", 0, flag.start),
                        "source": sentence,
                        "text": apply_edits(sentence, inside),
                        "reason": flag.reason,
                    }
                    stream.write(json_line(record))

        yield write


@contextmanager
def differences(*, named: bool) -> Iterator[Observer]:
    """Print the lines that change; ``named``: with the file's name."""
    color = use_color(sys.stdout)
    open_pipe = True

    def show(results: Sequence[TextResult]) -> None:
        nonlocal open_pipe
        lines = [
            f"{shown_name(result.file) + ':' if named else ''}{number}: {difference(source, rewrite, color=color)}\n"
            for result in results
            if result.rewrite.edits
            for number, source, rewrite in cut_lines(result)
        ]
        if lines and open_pipe:
            try:
                sys.stdout.buffer.write("".join(lines).encode("utf-8", "backslashreplace"))
                sys.stdout.buffer.flush()
            except BrokenPipeError:  # nobody reads on (| head); a file given by -o is still to be finished
                open_pipe = False

    sys.stdout.flush()
    yield show


@contextmanager
def page(path: Path) -> Iterator[Observer]:
    """Write a page with the changed lines, before and after."""
    with html_page(path) as html:

        def add(results: Sequence[TextResult]) -> None:
            for result in results:
                if result.rewrite.edits:
                    for number, source, rewrite in cut_lines(result):
                        html.add(source, rewrite, where=f"{result.file}:{number}")

        yield add


@contextmanager
def records_file(path: Path, records: Callable[[Sequence[TextResult]], list[dict[str, Any]]]) -> Iterator[Observer]:
    """Write what ``records`` makes of results as JSON lines."""
    with atomic_write(path) as stream:

        def add(results: Sequence[TextResult]) -> None:
            for record in records(results):
                stream.write(json_line(record))

        yield add


def rejects_file(path: Path) -> AbstractContextManager[Observer]:
    """List what was written through unchanged."""
    return records_file(path, lambda results: [r.listed() for result in results for r in result.rejects])


def rejected_edits_file(path: Path) -> AbstractContextManager[Observer]:
    """List what the guard refused."""
    return records_file(path, rejection_records)


@contextmanager
def progress() -> Iterator[Callable[[int], object]]:
    """Show a bar that counts units."""
    with tqdm(unit=" lines", unit_scale=True, file=sys.stderr) as bar:
        yield bar.update


def tell_reading(sources: Iterable[Path], formats: FormatOptions) -> None:
    """Tell on standard error which files are not read line by line, or left alone, and which option helps."""
    notes = reading_notes(sources, formats)
    for note in notes[:TOLD_REJECTS]:
        say(f"{note}")
    if len(notes) > TOLD_REJECTS:
        say(f"{len(notes) - TOLD_REJECTS} more files of these kinds")


def tell(summary: Summary, *, rejects: str | Path | None = None, closing: bool = True) -> None:
    """Report the rejects and the counts on standard error.

    Args:
        summary: of what was done.
        rejects: where all rejects are listed.
        closing: end with the line of the counts.
    """
    for reject in summary.rejects[:TOLD_REJECTS]:
        say(f"{shown_name(reject.file)}:{reject.line}: {reject.reason}; written unchanged")
    if summary.rejected > TOLD_REJECTS:
        where = f"; all are in {rejects}" if rejects else "; --rejects FILE lists them"
        say(f"{summary.rejected - TOLD_REJECTS} more lines written unchanged{where}")
    if summary.debug:
        say(f"the traces of these errors are in {summary.debug}; please report them")
    if closing:
        kinds = ", ".join(f"{kind} {count}" for kind, count in summary.edits.most_common())
        print(
            f"{summary.files} files, {summary.units} texts, {summary.changed} changed, "
            f"{summary.edits.total()} edits{f' ({kinds})' if kinds else ''}, {summary.rejected} rejects, "
            f"{summary.words_per_second:,.0f} words/s",
            file=sys.stderr,
        )
