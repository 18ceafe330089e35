"""``gender-fair bench``: how fast this machine rewrites."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rewriter.cli.demo import samples
from rewriter.cli.parsers import add_command
from rewriter.options import positive
from rewriter.report.speed import Speed, measure

DESCRIPTION = """\
Measure how many words a second this machine rewrites from Python, on the packaged samples or a text of your own, beside
what was published for two cores of a server (on other text, so the ratio is a rough one). Remembered sentences do not
count. general: a tenth of the sentences holds a gendered word; gated: all do.

examples:
  gender-fair bench
  gender-fair bench my.txt --model de --seconds 10 --json
"""


def register(subparsers: Any) -> None:
    """Add the command ``bench``."""
    parser = add_command(subparsers, "bench", "measure the speed of this machine", DESCRIPTION)
    parser.add_argument("file", nargs="?", type=Path, help="text file (default: the packaged samples)")
    parser.add_argument("--model", help="bundled name or model directory (default: all bundled; for a file: en)")
    parser.add_argument("--threads", type=int, default=0, metavar="N", help="batches at a time (default: one per core)")
    parser.add_argument("--seconds", type=float, default=3.0, metavar="N", help="for each text (default: %(default)s)")
    parser.add_argument("--json", action="store_true", help="print JSON for machines")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Measure and print."""
    from rewriter.pipeline import Rewriter

    positive(seconds=args.seconds)
    speeds: list[Speed] = []
    for model, paragraphs in samples(args.file, model=args.model):
        rewriter = Rewriter.from_pretrained(model, cache=0, threads=args.threads)
        speeds += measure(rewriter, paragraphs, seconds=args.seconds)
    print(json.dumps([asdict(speed) for speed in speeds], indent=2) if args.json else render(speeds))
    return 0


def render(speeds: Sequence[Speed]) -> str:
    """Return the speeds as a table for people."""
    lines = [f"{'language':<10}{'text':<10}{'words a second':>16}{'published':>12}{'ratio':>8}"]
    for speed in speeds:
        own = f"{speed.lang:<10}{speed.text:<10}{speed.words_per_second:>16,.0f}"
        if speed.published is None:
            lines.append(f"{own}{'-':>12}")
        else:
            lines.append(f"{own}{speed.published:>12,}{speed.words_per_second / speed.published:>8.2f}")
    return "\n".join(lines)
