"""``gender-fair augment swap-cases``."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from rewriter.cli.parsers import add_command

DESCRIPTION = """\
Score the swapper on tables of cases (TSV: id, construction, source, target, maybe direction): share of exact answers by
construction with 95 % intervals (Wilson score; for the whole table targets and constructions drawn anew). Of a table in
a folder named "sealed" figures only are shown, never a sentence.

examples:
  gender-fair augment swap-cases mine.tsv --failures
  gender-fair augment swap-cases mine.tsv --lang de --json
"""


def register_swap_cases(commands: Any) -> None:
    """Add ``augment swap-cases``."""
    parser = add_command(commands, "swap-cases", "score the swapper on tables of cases, by construction", DESCRIPTION)
    parser.add_argument("tables", nargs="+", type=Path, metavar="TSV", help="tables of cases")
    parser.add_argument("--lang", help="language (default: the folder behind 'data' in the table's path)")
    parser.add_argument("--failures", action="store_true", help="show the cases that failed (never of a sealed table)")
    parser.add_argument("--log", type=Path, metavar="FILE", help="append a line per table to the log of measurements")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Score, log, print; return 0."""
    from augment.swap.cases import languages_of, read_swap_cases, score_swap_cases
    from augment.swap.strategies import STAGE_VERSION
    from eval.cases import is_sealed, total_of
    from eval.cli.cases import case_lines, case_record
    from eval.suite_report import append_rows

    record, rows = {}, []
    for path, lang in zip(args.tables, languages_of(args.tables, args.lang), strict=True):
        sealed = is_sealed(path)
        scores = score_swap_cases(read_swap_cases(path), lang)
        total = total_of(scores, lang=lang)
        name = "/".join(path.resolve().with_suffix("").parts[-4:])
        rows.append((f"swap-rules-{STAGE_VERSION}", name, f"swap-{lang}", f"{total.share:.4f}", total.signature))
        record[str(path)] = case_record(total, scores, sealed)
        if not args.json:
            print("\n".join(case_lines(path, total, scores, failures=args.failures and not sealed)), file=sys.stdout)
    if args.log is not None:
        append_rows(args.log, rows)
    if args.json:
        print(json.dumps(record, ensure_ascii=False, indent=2))
    return 0
