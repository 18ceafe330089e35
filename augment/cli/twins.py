"""``gender-fair augment twins`` and ``gender-fair augment involution``."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rewriter.cli.messages import say
from rewriter.cli.parsers import add_command, seed

TWINS = """\
Make twins for measuring models: pairs of sentences that differ in the gender of their persons and in nothing else.
Without INPUT, of balanced templates (every frame with every person); with INPUT, of real sentences, a line each, as
many turned from feminine to masculine as the other way. Every pair is checked by both directions: swapping each text
gives the other byte for byte. What makes no twin is counted with its reason on standard error.

examples:
  gender-fair augment twins -o twins.jsonl
  gender-fair augment twins --lang de -o zwillinge.jsonl --rows
  gender-fair augment twins sentences.txt -o twins.jsonl --most-changes 3
"""
INVOLUTION = """\
Swap texts twice, a line each, and report how many change, and how many of these come back byte for byte, with 95 %
intervals (Wilson score) and the words that do not come back.

examples:
  gender-fair augment involution sentences.txt
  gender-fair augment involution sentences.txt --lang de --names keep --json
"""


def register_twins(commands: Any) -> None:
    """Add ``augment twins`` and ``augment involution``."""
    twins = add_command(commands, "twins", "pairs of minimal difference, for measuring models", TWINS)
    twins.add_argument("inputs", nargs="*", type=Path, metavar="INPUT", help="sentences, a line each (.gz, .zst)")
    twins.add_argument("-o", "--output", required=True, type=Path, metavar="OUT", help="JSON lines")
    twins.add_argument("--rows", action="store_true", help="a record for each text (pair, group, text), not each pair")
    twins.add_argument("--unbalanced", action="store_true", help="keep all pairs, whichever way they are turned")
    twins.add_argument("--most-changes", type=int, metavar="N", help="leave out sentences with more changed words")
    twins.add_argument("--seed", type=seed, default=1, help="of the choice that balances (default: 1)")
    _add_swapping(twins)
    twins.set_defaults(run=run_twins)
    report = add_command(commands, "involution", "swap twice: the share of texts that come back", INVOLUTION)
    report.add_argument("inputs", nargs="+", type=Path, metavar="INPUT", help="texts, a line each (.gz, .zst)")
    report.add_argument("--words", type=int, default=10, metavar="N", help="show N words that do not come back")
    report.add_argument("--json", action="store_true", help="print JSON")
    _add_swapping(report)
    report.set_defaults(run=run_involution)


def _add_swapping(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--lang", default="en", help="language (default: %(default)s)")
    parser.add_argument("--names", choices=("swap", "keep"), default="keep", help="given names (default: keep)")
    parser.add_argument("--titles", choices=("swap", "keep"), default="swap", help="Mr, Mrs ... (default: swap)")
    parser.add_argument("--model", metavar="NAME_OR_DIR", help="edit model that reads (default: bundled)")


def _swapper(args: argparse.Namespace, direction: str = "both") -> Any:
    from augment.swap.core import Swapper

    titles = args.titles == "swap"
    return Swapper(args.lang, direction=direction, names=args.names, titles=titles, model=args.model)


def _lines(paths: list[Path]) -> Iterator[tuple[str, str]]:
    from rewriter.io.files import read_lines

    for path in paths:
        for number, line in enumerate(read_lines(path), 1):
            yield f"{path.name}:{number}", line.rstrip("\r\n")


def run_twins(args: argparse.Namespace) -> int:
    """Make twins; return 0."""
    from augment.twins import real_twins, template_twins, twin_rows
    from rewriter.io.files import write_json_lines

    swapper, left = _swapper(args), {}
    if args.inputs:
        one_way = (_swapper(args, "to-masculine"), _swapper(args, "to-feminine"))
        made = real_twins(
            _lines(args.inputs),
            args.lang,
            swapper,
            one_way=one_way,
            balance=not args.unbalanced,
            most_changes=args.most_changes,
            seed=args.seed,
        )
        twins, left = made.twins, dict(made.left.most_common())
    else:
        twins = list(template_twins(args.lang, swapper))
    write_json_lines(args.output, (row for twin in twins for row in (twin_rows(twin) if args.rows else [twin.to_dict()])))
    say(f"{args.output}: {len(twins):,} pairs")
    for reason, count in left.items():
        say(f"left out: {count:,} {reason}")
    return 0


def run_involution(args: argparse.Namespace) -> int:
    """Report; return 0."""
    from augment.swap.involution import involution

    found = involution((text for _, text in _lines(args.inputs)), _swapper(args), args.lang)
    if args.json:
        print(json.dumps(found.to_dict(), ensure_ascii=False))
        return 0
    changed, back = found.intervals()
    lines = [
        f"{found.texts:,} texts, {found.changed:,} changed = {_share(found.share_changed, changed)}",
        f"{found.back:,} of them come back byte for byte = {_share(found.share_back, back)}",
    ]
    lines += [f"{n:>6}  {a} -> {b} -> {c}" for (a, b, c), n in found.words.most_common(args.words)]
    print("\n".join([*lines, found.signature]), file=sys.stdout)
    return 0


def _share(share: float, interval: Any) -> str:
    return f"{100 * share:.2f} % ({100 * interval.low:.2f} to {100 * interval.high:.2f})"
