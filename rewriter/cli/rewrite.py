"""``gender-fair rewrite``: text files and pipes in, gender-fair text, JSON or differences out."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tqdm import tqdm

from rewriter.display import difference, html_page, use_color
from rewriter.errors import UsageError
from rewriter.files import atomic_write, write_json
from rewriter.textfile import (
    STANDARD,
    Observer,
    Summary,
    TextFileOptions,
    TextResult,
    cut_lines,
    rewrite_file,
)

if TYPE_CHECKING:
    from rewriter.pipeline import Rewriter

DESCRIPTION = """\
Rewrite text files gender-fairly. What is not gendered comes out byte for byte as it was; output files appear when they
are complete. Plain text is rewritten line by line; Markdown, HTML, reST and TeX as whole documents (see --unit).

examples:
  gender-fair rewrite article.txt                     print the rewritten text
  gender-fair rewrite article.txt -o fair.txt         write it to a file (.gz and .zst by name)
  gender-fair rewrite *.txt -o fair/                  several files into a folder
  gender-fair rewrite --in-place notes.md             replace the file
  echo "She knows her stuff." | gender-fair rewrite -
  gender-fair rewrite article.txt --diff              show what would change
  gender-fair rewrite article.txt --html page.html -o fair.txt
  gender-fair rewrite article.txt --json | jq .edits
"""
EPILOG = """\
exit codes: 0 done, 2 wrong usage, 3 done, but some lines could not be read as UTF-8 and were written unchanged,
4 failed, 130 interrupted.
"""
#: rejects that are told on standard error; --rejects has all
TOLD_REJECTS = 10


def register(subparsers: Any) -> None:
    """Add the command ``rewrite``."""
    parser = subparsers.add_parser(
        "rewrite",
        help="rewrite text files gender-fairly",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="text file (.gz, .zst), or - for a pipe")
    _add_output_options(parser)
    _add_model_options(parser)
    parser.set_defaults(run=run)


def _add_output_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("output")
    group.add_argument("-o", "--output", metavar="OUT", help="file, or folder for several (default: standard output)")
    group.add_argument("--in-place", action="store_true", help="replace the input files")
    group.add_argument(
        "--unit",
        choices=("auto", "line", "document"),
        default="auto",
        help="rewrite line by line, or a file as one text, so that code blocks and markup over several lines are "
        "seen; auto decides by the file's name (default)",
    )
    what = group.add_mutually_exclusive_group()
    what.add_argument("--json", action="store_true", help="one JSON object per line: file, line, text, edits")
    what.add_argument("--diff", action="store_true", help="print the lines that change, with the differences marked")
    group.add_argument("--html", type=Path, metavar="PAGE", help="write a page with the differences")
    group.add_argument("--rejects", type=Path, metavar="FILE", help="list what was written unchanged (JSON lines)")
    group.add_argument("--summary", type=Path, metavar="FILE", help="write the counts as JSON")


def _add_model_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("model")
    group.add_argument("--lang", help="language; takes the bundled model of that name (default: en)")
    group.add_argument("--model", metavar="NAME_OR_DIR", help="bundled name or model directory")
    group.add_argument("--convention", metavar="NAME[@V]", help="refuse a model that follows another convention")
    group.add_argument(
        "--reflexive", choices=("themself", "themselves"), default="themself", help="(default: themself)"
    )
    group.add_argument("--lexicon", metavar="TSV", help="your own nouns: a table with the columns gendered and fair")
    group.add_argument("--device", choices=("cpu", "cuda", "auto"), default="cpu", help="(default: cpu)")
    group.add_argument("--threads", type=int, default=0, metavar="N", help="batches at a time (default: one per core)")


def run(args: argparse.Namespace) -> int:
    """Rewrite the files; return 0, or 3 if something was written through unread."""
    jobs = plan(args.files, args.output, in_place=args.in_place, text=not args.diff)
    rewriter = load(args)
    summary = Summary()
    with ExitStack() as stack:
        observers = [stack.enter_context(observer) for observer in _observers(args, jobs)]
        options = TextFileOptions(
            unit=args.unit,
            in_place=args.in_place,
            render=render_json if args.json else None,
            observe=lambda results: _call_all(observers, results),
        )
        for source, target in jobs:
            summary.merge(rewrite_file(source, target, rewriter=rewriter, options=options))
    _tell(summary, args, rewriter)
    return 3 if summary.rejected else 0


def plan(
    sources: Sequence[Path], output: str | None, *, in_place: bool = False, text: bool = True
) -> list[tuple[Path, Path | None]]:
    """Return (source, target) of every file.

    Args:
        sources: input files, ``-`` for standard input.
        output: what ``-o`` says: a file, a folder (exists, or ends with a slash), ``-``, or None.
        in_place: the targets are the sources.
        text: without ``-o`` the text goes to standard output; otherwise it is not written.

    Raises:
        UsageError: options exclude each other, or two files would have one target.
    """
    if in_place:
        if output is not None or STANDARD in sources:
            raise UsageError("--in-place replaces the input files; it goes neither with -o nor with a pipe")
        return [(source, source) for source in sources]
    if output is None:
        return [(source, STANDARD if text else None) for source in sources]
    if output == "-":
        return [(source, STANDARD) for source in sources]
    folder = Path(output)
    if not (folder.is_dir() or output.endswith(("/", "\\"))):
        if len(sources) > 1:
            raise UsageError(f"several files need a folder: -o {output}/")
        return [(sources[0], folder)]
    return _into_folder(sources, folder)


def _into_folder(sources: Sequence[Path], folder: Path) -> list[tuple[Path, Path | None]]:
    targets: dict[Path, Path] = {}
    for source in sources:
        if source == STANDARD:
            raise UsageError("standard input has no name in a folder; pass a file name to -o")
        target = folder / source.name
        if target in targets:
            raise UsageError(f"{targets[target]} and {source} would both become {target}")
        if any(other.exists() and target.exists() and other.samefile(target) for other in sources):
            raise UsageError(f"{target}: would overwrite an input; pass --in-place if that is meant")
        targets[target] = source
    return [(source, target) for target, source in targets.items()]


def load(args: argparse.Namespace) -> Rewriter:
    """Load the model that the options name.

    Raises:
        ModelError: there is no such model, or it is damaged.
        UsageError: the model is for another language or convention.
    """
    from rewriter.pipeline import Rewriter

    rewriter = Rewriter.from_pretrained(
        args.model or args.lang or "en",
        device=args.device,
        threads=args.threads,
        convention=args.convention,
        reflexive=args.reflexive,
        lexicon=args.lexicon,
    )
    if args.lang and rewriter.info.lang != args.lang:
        raise UsageError(f"the model '{rewriter.info.name}' is for '{rewriter.info.lang}', not for --lang {args.lang}")
    return rewriter


def render_json(result: TextResult, raw: bytes) -> bytes:
    """Return one line of JSON; the text of what is not UTF-8 is null, with the reasons beside it."""
    record: dict[str, Any] = {
        "file": result.file,
        "line": result.line,
        "text": None if result.source is None else result.rewrite.text,
        "edits": [asdict(edit) for edit in result.rewrite.edits],
    }
    if result.rejects:
        record["rejects"] = [reject._asdict() for reject in result.rejects]
    return json.dumps(record, ensure_ascii=False).encode("utf-8", "backslashreplace") + b"\n"


def _call_all(observers: Iterable[Observer], results: Sequence[TextResult]) -> None:
    for observer in observers:
        observer(results)


def _observers(args: argparse.Namespace, jobs: Sequence[tuple[Path, Path | None]]) -> Iterator[Any]:
    """Yield the context managers of what watches the results: differences, page, rejects, progress."""
    if args.diff:
        yield _differences(named=len(jobs) > 1)
    if args.html:
        yield _page(args.html)
    if args.rejects:
        yield _rejects_file(args.rejects)
    prints = args.diff or any(target == STANDARD for _, target in jobs)
    if sys.stderr.isatty() and not (prints and sys.stdout.isatty()):
        yield _progress()


@contextmanager
def _differences(*, named: bool) -> Iterator[Observer]:
    color = use_color(sys.stdout)
    open_pipe = True

    def show(results: Sequence[TextResult]) -> None:
        nonlocal open_pipe
        lines = [
            f"{result.file + ':' if named else ''}{number}: {difference(source, rewrite, color=color)}\n"
            for result in results
            if result.rewrite.edits
            for number, source, rewrite in cut_lines(result)
        ]
        if lines and open_pipe:
            try:
                sys.stdout.buffer.write("".join(lines).encode("utf-8", "surrogateescape"))
                sys.stdout.buffer.flush()
            except BrokenPipeError:  # nobody reads on (| head); a file given by -o is still to be finished
                open_pipe = False

    sys.stdout.flush()
    yield show


@contextmanager
def _page(path: Path) -> Iterator[Observer]:
    with html_page(path) as page:

        def add(results: Sequence[TextResult]) -> None:
            for result in results:
                if result.rewrite.edits:
                    for _, source, rewrite in cut_lines(result):
                        page.add(source, rewrite)

        yield add


@contextmanager
def _rejects_file(path: Path) -> Iterator[Observer]:
    with atomic_write(path) as stream:

        def add(results: Sequence[TextResult]) -> None:
            for result in results:
                for reject in result.rejects:
                    stream.write(json.dumps(reject._asdict(), ensure_ascii=False).encode("utf-8", "replace") + b"\n")

        yield add


@contextmanager
def _progress() -> Iterator[Observer]:
    with tqdm(unit=" lines", unit_scale=True, file=sys.stderr) as bar:

        def advance(results: Sequence[TextResult]) -> None:
            bar.update(len(results))

        yield advance


def _tell(summary: Summary, args: argparse.Namespace, rewriter: Rewriter) -> None:
    """Report the rejects, and at a terminal the counts, on standard error; write the summary file."""
    for reject in summary.rejects[:TOLD_REJECTS]:
        print(f"gender-fair: {reject.file}:{reject.line}: {reject.reason}; written unchanged", file=sys.stderr)
    if summary.rejected > TOLD_REJECTS:
        print(f"gender-fair: {summary.rejected - TOLD_REJECTS} more lines written unchanged", file=sys.stderr)
    if sys.stderr.isatty():
        kinds = ", ".join(f"{kind} {count}" for kind, count in summary.edits.most_common())
        print(
            f"{summary.files} files, {summary.units} texts, {summary.changed} changed, "
            f"{summary.edits.total()} edits{f' ({kinds})' if kinds else ''}, {summary.rejected} rejects",
            file=sys.stderr,
        )
    if args.summary:
        info = rewriter.info
        model = {
            "name": info.name,
            "identity": info.identity,
            "convention": f"{info.convention}@{info.convention_version}",
        }
        write_json(args.summary, {**summary.to_dict(), "model": model})
