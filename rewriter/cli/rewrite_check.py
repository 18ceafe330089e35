"""``gender-fair rewrite --check``: a linter that reports what would change and writes nothing."""

from __future__ import annotations

import argparse
import codecs
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING

from rewriter.cli.messages import say
from rewriter.cli.rewrite_control import selector_from
from rewriter.cli.rewrite_output import tell_reading
from rewriter.corpus.targets import STANDARD
from rewriter.errors import UsageError
from rewriter.faults import write_traces
from rewriter.formats import FormatOptions
from rewriter.formats.inputs import find
from rewriter.io.files import atomic_write
from rewriter.report.check import CheckOptions, Report, check_files
from rewriter.text.printable import shown_name

if TYPE_CHECKING:
    from rewriter.pipeline import Rewriter


def run_check(args: argparse.Namespace, rewriter: Rewriter, formats: FormatOptions) -> int:
    """Report what would change in the files that the arguments name.

    Args:
        args: of ``gender-fair rewrite``.
        rewriter: with the policy of the arguments.
        formats: how the files are read.

    Returns:
        1 if something was found, else 3 if something could not be read, else 0.

    Raises:
        UsageError: an option goes with writing only.
        InputError: a file cannot be read.
    """
    for name in ("in_place", "diff", "dry_run", "html", "summary", "rejects", "rejected_edits"):
        if getattr(args, name):
            raise UsageError(f"--check only reports; it does not go with --{name.replace('_', '-')}")
    paths = [source.path for source in find(args.files)]
    tell_reading((path for path in paths if path != STANDARD), formats)
    options = CheckOptions(formats, selector_from(args, rewriter.language.code))
    with _stream(args.output) as stream, Report(stream, "json" if args.json else args.check_format) as report:
        check_files(paths, rewriter=rewriter, report=report, options=options)
    for reject in report.rejects:
        say(f"{shown_name(reject.file)}:{reject.line}: {reject.reason}")
    if debug := write_traces(report.rejects):
        say(f"the traces of these errors are in {debug}; please report them")
    if sys.stderr.isatty():
        print(f"{report.found} findings in {len(paths)} files, {report.rejected} rejects", file=sys.stderr)
    return 1 if report.found else 3 if report.rejected else 0


@contextmanager
def _stream(output: str | None) -> Iterator[IO[str]]:
    """Open where the report goes: a file that appears when it is complete, or standard output."""
    if output not in (None, "-"):
        with atomic_write(output) as raw, _text(raw) as stream:
            yield stream
        return
    sys.stdout.flush()
    with _text(sys.stdout.buffer) as stream:
        yield stream


@contextmanager
def _text(raw: IO[bytes]) -> Iterator[IO[str]]:
    """Write text to a stream of bytes, which stays open; what UTF-8 has no bytes for (lone surrogates) is escaped."""
    text = codecs.getwriter("utf-8")(raw, "backslashreplace")
    yield text  # type: ignore[misc]
    raw.flush()
