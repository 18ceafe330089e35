"""Train and measure rewriters that differ in the round trips they learn from.

    gender-fair run experiments/round_trip/pool.yaml -o runs/pool --set data.root=FOLDER
    python -m experiments.round_trip runs/pool -o runs/rows
    python -m experiments.round_trip runs/pool -o runs/rows --row copies --row '+ merged' --set 'seeds=[1, 2, 3]'
    python -m experiments.round_trip runs/pool -o runs/rows --sets testsets/de --log measured.tsv

POOL is the folder of a run of kind round-trip that is finished up to its stage filter, before which all pairs lie
(experiments/round_trip/pool.yaml); the rows stand in a plan (experiments/round_trip/de.yaml). The same command goes on
where it was killed. Published sets are for final figures.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from eval.suite import find_sets
from experiments.round_trip.plan import load_plan
from experiments.round_trip.run import measure_rows, run_rows
from rewriter.errors import GenderFairError


def arguments() -> argparse.Namespace:
    """Return the options of the command."""
    parser = argparse.ArgumentParser(
        prog="python -m experiments.round_trip",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("pool", type=Path, metavar="POOL", help="folder of the run that made the pairs")
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="DIR", help="a folder per row; the report")
    parser.add_argument("--plan", type=Path, default=Path(__file__).with_name("de.yaml"), metavar="FILE")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="change a key of the plan")
    parser.add_argument("--row", action="append", default=[], metavar="NAME", help="only this row (may be repeated)")
    parser.add_argument("--sets", type=Path, metavar="DIR", help="measure on the sets of this folder: final figures")
    parser.add_argument("--log", type=Path, metavar="FILE", help="append what was measured on these sets")
    return parser.parse_args()


def main() -> int:
    """Run the rows; return the exit code."""
    args = arguments()
    try:
        plan = load_plan(args.plan, overrides=tuple(args.set))
        run_rows(plan, args.pool, args.output, names=args.row)
        if args.sets is not None:
            print(measure_rows(plan, args.output, find_sets(args.sets), log=args.log))
    except GenderFairError as error:
        print(error, file=sys.stderr)
        return error.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(main())
