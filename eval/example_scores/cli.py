"""``gender-fair eval example-scores``."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from rewriter.cli.parsers import add_command
from rewriter.errors import UsageError

DESCRIPTION = """\
Score training examples with checkpoints of a classifier that was trained on them: GE (how far the answer moves when
the gendered words are flipped), EL2N and GraNd (error and gradient), forget (right, then wrong), stereotype (-1: the
error is smaller on the text as it is). Scores are averaged over the runs, which are seeds. Writes the table with the
scores; an interrupted run goes on where it was.

examples:
  gender-fair eval example-scores train.parquet --run runs/clf/seed-1 --run runs/clf/seed-2 -o scores.parquet
  gender-fair eval example-scores train.csv --run my-checkpoint --scores GE,EL2N -o scores.csv
"""


OVERLAP = """\
How many of the examples at the top of one score another score has there, too, for several shares of the examples (Zayed
et al. 2023, figures 5 to 8). Compares columns of a table, or the same column of other tables of the same rows.

examples:
  gender-fair eval score-overlap scores.parquet --against "GE 1" "GE 2" "GE 3"
  gender-fair eval score-overlap scores.parquet --against EL2N GraNd forget --shares 0.1 0.3 0.5
  gender-fair eval score-overlap after-1-epoch.parquet --table after-2.parquet after-3.parquet
"""


def register_score_overlap(commands: Any) -> None:
    """Add ``eval score-overlap``."""
    parser = add_command(commands, "score-overlap", "how many top examples two scores share", OVERLAP)
    parser.add_argument("table", type=Path, metavar="TABLE", help="scores of examples")
    parser.add_argument("--score", default="GE", metavar="COL", help="its column (default: %(default)s)")
    parser.add_argument("--against", nargs="+", default=[], metavar="COL", help="other columns of the table")
    parser.add_argument(
        "--table", dest="tables", type=Path, nargs="+", default=[], metavar="TABLE", help="other tables, same column"
    )
    parser.add_argument("--shares", type=float, nargs="+", metavar="S", help="of the examples (0.1 to 1)")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run_overlap)


def run_overlap(args: argparse.Namespace) -> int:
    """Compare scores by their top examples."""
    from eval.example_scores.overlap import SHARES, overlap_table
    from rewriter.io.columns import read_columns

    if not args.against and not args.tables:
        raise UsageError("name other columns (--against) or other tables (--table) to compare with")
    table = read_columns(args.table)
    others = {name: table.numbers(name) for name in args.against}
    others |= {path.stem: read_columns(path).numbers(args.score) for path in args.tables}
    found = overlap_table(args.score, table.numbers(args.score), others, args.shares or SHARES)
    rows = [dict(zip(found.columns, row, strict=True)) for row in found.rows]
    print(json.dumps(rows) if args.json else found.plain())
    return 0


def register_example_scores(commands: Any) -> None:
    """Add ``eval example-scores``."""
    parser = add_command(
        commands,
        "example-scores",
        "importance of examples: GE, EL2N, GraNd, forget score, stereotype sign",
        DESCRIPTION,
    )
    parser.add_argument("table", type=Path, metavar="TABLE", help="texts, labels, flipped texts")
    parser.add_argument(
        "--run", dest="runs", action="append", required=True, metavar="DIR", help="of a seed; repeatable"
    )
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="FILE", help=".parquet, .jsonl or .csv")
    parser.add_argument("--scores", default="", metavar="A,B", help="GE,EL2N,GraNd,forget,stereotype (default: all)")
    parser.add_argument("--early", type=int, default=1, metavar="N", help="checkpoint to score at (default: 1)")
    parser.add_argument("--text", default="text", metavar="COL", help="column of texts (default: %(default)s)")
    parser.add_argument("--label", default="label", metavar="COL", help="column of classes (default: %(default)s)")
    parser.add_argument("--column", default="counterfactual", metavar="COL", help="column of flipped texts")
    parser.add_argument("--batch", type=int, default=32, help="texts at a time (default: %(default)s)")
    parser.add_argument("--gradient-batch", type=int, default=8, help="for GraNd (default: %(default)s)")
    parser.add_argument("--max-length", type=int, metavar="N", help="tokens at most")
    parser.add_argument("--device", default="cpu", help="cpu (default), cuda ...")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Score and tell where."""
    from eval.example_scores.run import SCORES, ScoreOptions, score_file

    options = ScoreOptions(
        scores=tuple(name for name in args.scores.split(",") if name) or SCORES,
        text=args.text,
        label=args.label,
        counterfactual=args.column,
        early=args.early,
        batch=args.batch,
        gradient_batch=args.gradient_batch,
        max_length=args.max_length,
        device=args.device,
    )
    table = score_file(args.table, args.runs, args.output, options=options)
    print(f"{args.output}: {len(table):,} examples, {', '.join(options.scores)}")
    return 0
