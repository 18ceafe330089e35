"""``gender-fair eval example-scores``."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from rewriter.cli.parsers import add_command

DESCRIPTION = """\
Score training examples with checkpoints of a classifier that was trained on them: GE (how far the answer moves when
the gendered words are flipped), EL2N and GraNd (error and gradient), forget (right, then wrong), stereotype (-1: the
error is smaller on the text as it is). Scores are averaged over the runs, which are seeds. Writes the table with the
scores; an interrupted run goes on where it was.

examples:
  gender-fair eval example-scores train.parquet --run runs/clf/seed-1 --run runs/clf/seed-2 -o scores.parquet
  gender-fair eval example-scores train.csv --run my-checkpoint --scores GE,EL2N -o scores.csv
"""


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
