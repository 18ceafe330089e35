"""``gender-fair convert``: the gender-fair words of files in another form."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rewriter.convert import get_converter
from rewriter.convert.converter import Converter
from rewriter.convert.files import ConvertedFile, convert_bytes, convert_file, files_below, kind_of
from rewriter.errors import UsageError
from rewriter.io.files import atomic_write
from rewriter.io.limits import whole

DESCRIPTION = """\
Write the gender-fair words that a text holds already in another form: star, colon, gap, slash, binnen-i, pair, or one
gender (masculine, feminine). Nothing is read and no model is needed; words that are not gender-fair stay. Text,
Markdown, HTML, PO, XLIFF, JSON and YAML; keys, placeholders, tags and comments stay byte for byte.

examples:
  gender-fair convert --to-form colon messages.po --in-place
  gender-fair convert --to-form star locale/ --dry-run
  gender-fair convert --to-form pair brief.md -o brief-pair.md
  echo "Die Student(inn)en" | gender-fair convert --to-form star - --format text
"""


def register(subparsers: Any) -> None:
    """Add the command ``convert``."""
    parser = subparsers.add_parser(
        "convert",
        help="write gender-fair words in another form (locale files too)",
        description=DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("files", nargs="+", metavar="FILE", help="file, folder, or - for a pipe (text)")
    parser.add_argument("--to-form", required=True, metavar="FORM", help="star, colon, gap, slash, binnen-i, pair ...")
    parser.add_argument("--lang", default="de", help="language of the text (default: de)")
    parser.add_argument("--format", default="auto", help="text, html, po, xliff, json, yaml (default: by the name)")
    where = parser.add_mutually_exclusive_group()
    where.add_argument("-o", "--output", type=Path, metavar="OUT", help="write one file here")
    where.add_argument("--in-place", action="store_true", help="replace the files")
    where.add_argument("--dry-run", action="store_true", help="print file, line, before and after; write nothing")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Convert the files; return 0."""
    converter = get_converter(args.to_form, lang=args.lang)
    if args.files == ["-"]:
        _pipe(args, converter)
        return 0
    paths = list(files_below(args.files))
    if len(paths) != 1 and not (args.in_place or args.dry_run):
        raise UsageError(f"{len(paths)} files: pass --in-place or --dry-run; -o and the screen take one")
    results = [(path, convert_file(path, converter, kind=kind_of(path, args.format))) for path in paths]
    for path, result in results:
        _write(args, path, result)
    _tell(results)
    return 0


def _pipe(args: argparse.Namespace, converter: Converter) -> None:
    if args.in_place:
        raise UsageError("a pipe cannot be replaced; leave --in-place out")
    kind = "text" if args.format == "auto" else kind_of("-", args.format)
    source = "standard input"
    data = whole(iter(lambda: sys.stdin.buffer.read(1 << 20), b""), source)
    _write(args, Path("-"), convert_bytes(data, converter, kind=kind, source=source))


def _write(args: argparse.Namespace, path: Path, result: ConvertedFile) -> None:
    if args.dry_run:
        for change in result.changes:
            print(f"{path}:{change.line}: {change.before} -> {change.after}")
        return
    if args.in_place and not result.changes:
        return
    target = path if args.in_place else args.output
    if target is None:
        sys.stdout.buffer.write(result.data)
        sys.stdout.flush()
        return
    with atomic_write(target) as stream:
        stream.write(result.data)


def _tell(results: Sequence[tuple[Path, ConvertedFile]]) -> None:
    """Report what stays and the counts on standard error."""
    for path, result in results:
        for change in result.left:
            print(f"gender-fair: {path}:{change.line}: {change.before} stays: it has no such form", file=sys.stderr)
    changed = sum(bool(result.changes) for _, result in results)
    words = sum(len(result.changes) for _, result in results)
    left = sum(len(result.left) for _, result in results)
    print(f"{len(results)} files, {changed} changed, {words} words converted, {left} stay", file=sys.stderr)
