"""Train and measure many small models that differ in one thing, each with the same budget.

    python -m experiments.ablation runs/en-edits --minutes 10 -o runs/ablation-en
    python -m experiments.ablation runs/en-edits --updates 300 -o runs/ablation-en --cell forward --cell backward
    python -m experiments.ablation runs/en-edits --minutes 60 -o runs/final --sets testsets/en --log measured.tsv

RUN is the folder of a run with finished pairs (``mix``) and a vocabulary (``encoder/pieces.model``). The cells stand in
a plan (experiments/ablation/en.yaml). The same command goes on where it was killed, cell by cell; the report
(``report.md``, ``report.json``) is written anew after each. Published sets are for final figures only.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from eval.suite import find_sets
from experiments.ablation import AblationRun, Budget, load_plan, run_ablation
from rewriter.errors import GenderFairError


def arguments() -> argparse.Namespace:
    """Return the options of the command."""
    parser = argparse.ArgumentParser(
        prog="python -m experiments.ablation", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "run", type=Path, metavar="RUN", help="folder of a run that has 'mix' and 'encoder/pieces.model'"
    )
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="DIR", help="a folder per cell; the report")
    parser.add_argument("--plan", type=Path, default=Path(__file__).with_name("en.yaml"), metavar="FILE")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="change a key of the plan")
    parser.add_argument("--updates", type=int, default=0, help="budget of each cell in updates")
    parser.add_argument("--minutes", type=float, default=0.0, help="... or in minutes of training on this machine")
    parser.add_argument("--cell", action="append", default=[], metavar="NAME", help="only this cell (may be repeated)")
    parser.add_argument("--pieces", type=Path, metavar="FILE", help="vocabulary (default: RUN/encoder/pieces.model)")
    parser.add_argument(
        "--sets", type=Path, metavar="DIR", help="measure on the sets of this folder too: final figures"
    )
    parser.add_argument("--log", type=Path, metavar="FILE", help="append what was measured on these sets")
    return parser.parse_args()


def main() -> int:
    """Run the cells; return the exit code."""
    args = arguments()
    try:
        shop = AblationRun(
            plan=load_plan(args.plan, overrides=args.set),
            mix=args.run / "mix",
            pieces=args.pieces or args.run / "encoder" / "pieces.model",
            output=args.output,
            budget=Budget(args.updates, args.minutes),
            sets=tuple(find_sets(args.sets)) if args.sets else (),
            log=args.log,
        )
        print(run_ablation(shop, args.cell).read_text(encoding="utf-8"))
    except GenderFairError as error:
        print(error, file=sys.stderr)
        return error.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(main())
