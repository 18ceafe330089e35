"""``gender-fair demo``: rewrite sample paragraphs and show the differences."""

from __future__ import annotations

import argparse
import sys
from importlib.resources import files
from pathlib import Path
from typing import Any

from rewriter.cli.parsers import add_command
from rewriter.model.directory import bundled, load_info, resolve
from rewriter.records import Rewrite
from rewriter.report.display import count_kinds, difference, use_color, write_html

DESCRIPTION = """\
Rewrite the sample paragraphs of the installation, in every language with a bundled model, or a text file of your own
with one model; print the differences and, with --html, write a page that shows them side by side.

examples:
  gender-fair demo
  gender-fair demo --model de
  gender-fair demo --html demo.html
  gender-fair demo my.txt --model path/to/model
"""


def register(subparsers: Any) -> None:
    """Add the command ``demo``."""
    parser = add_command(subparsers, "demo", "rewrite sample paragraphs and show the differences", DESCRIPTION)
    parser.add_argument("file", nargs="?", type=Path, help="text file (default: the packaged sample)")
    parser.add_argument(
        "--model", help="bundled name or model directory (default: every bundled model; for a file of your own: en)"
    )
    parser.add_argument("--html", type=Path, metavar="FILE", help="write a page with the differences")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Rewrite, print the differences, write the page."""
    texts: list[str] = []
    rewrites: list[Rewrite] = []
    for model, sample in samples(args.file, model=args.model):
        texts += sample
        rewrites += rewrite_sample(sample, model=model)
    color = use_color(sys.stdout)
    for text, rewrite in zip(texts, rewrites, strict=True):
        print(difference(text, rewrite, color=color), end="\n\n")
    counts = ", ".join(f"{kind} {count}" for kind, count in count_kinds(rewrites).items())
    print(f"{sum(len(r.edits) for r in rewrites)} edits in {len(texts)} texts: {counts or 'none'}")
    if args.html:
        write_html(args.html, zip(texts, rewrites, strict=True), title="gender-fair demo")
        print(f"wrote {args.html}")
    return 0


def samples(path: Path | None = None, *, model: str | None = None) -> list[tuple[str, list[str]]]:
    """Return (model, paragraphs): of a file, or the packaged samples of the models' languages.

    Args:
        path: text file; its paragraphs go to ``model`` (default: ``en``).
        model: bundled name or model directory; None for every bundled model that has a sample.

    Raises:
        InputError: the file cannot be read or is not UTF-8.
        ModelError: there is no such model.
    """
    if path is not None:
        return [(model or "en", read_sample(path))]
    if model is not None:
        return [(model, read_sample(_packaged(load_info(resolve(model), verify=False).lang)))]
    named = [(folder.name, _packaged(load_info(folder, verify=False).lang)) for folder in bundled()]
    return [(name, read_sample(sample)) for name, sample in named if sample.is_file()]


def _packaged(lang: str) -> Path:
    return Path(str(files("rewriter"))) / "demo" / f"{lang}.txt"


def read_sample(path: Path) -> list[str]:
    """Return the paragraphs that are not empty of ``path``.

    Raises:
        InputError: the file cannot be read or is not UTF-8.
    """
    from rewriter.io.files import read_lines

    return [line for line in read_lines(path) if line.strip()]


def rewrite_sample(texts: list[str], *, model: str) -> list[Rewrite]:
    """Rewrite ``texts`` with a bundled model's name or a model directory.

    Raises:
        ModelError: there is no such model, or it does not load.
    """
    from rewriter.pipeline import Rewriter

    return list(Rewriter.from_pretrained(model).rewrite(texts, return_edits=True))
