"""``gender-fair augment diet`` and ``gender-fair augment diet-choose``."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from augment.cli.options import add_common, build_config, parse_settings
from rewriter.cli.parsers import add_command

DESCRIPTION = """\
Choose what a classifier is trained on: a percent of the examples and b percent of their counterfactuals, ranked by a
score (Zayed et al. 2023, "Deep Learning on a Healthy Data Diet", Table 3). TABLE holds texts, labels and scores; the
counterfactuals stand in a column, in a second table (--flipped), or are made (--swap). Writes train.jsonl.zst.

diets: vanilla, cda, cds, blindness (no shares); random, healthy-random, unhealthy-random, vanilla-ge (with shares)

examples:
  gender-fair augment diet scores.parquet --diet healthy-random --factual 40 --counterfactual 40 -o runs/healthy
  gender-fair augment diet train.csv --flipped train_flipped.csv --diet cda -o runs/cda
  gender-fair augment diet Twitter_train_original_gender.csv.zst --flipped Twitter_train_gender_swap.csv.zst \\
      --score "bert-base-cased GE" -o runs/healthy
"""

CHOOSE = """\
Choose the best diet from a table of outcomes: columns diet, factual and counterfactual (percent), and figures such as
DP and AUC; rows with other seeds are averaged. The rule of the paper: the highest DP with at most 3 % less AUC than
vanilla.

examples:
  gender-fair augment diet-choose outcomes.csv
  gender-fair augment diet-choose outcomes.csv --objective EqOdd --loss 1 --plot pareto.png
  gender-fair augment diet-choose after-one-seed.csv --survivors --tolerance 0.02
"""


def register_diet(commands: Any) -> None:
    """Add ``augment diet`` and ``augment diet-choose``."""
    parser = add_command(commands, "diet", "choose examples and counterfactuals to train on", DESCRIPTION)
    parser.add_argument("table", metavar="TABLE", help="texts, labels, scores: .csv, .tsv, .jsonl, .parquet")
    parser.add_argument("--flipped", default="", metavar="TABLE", help="the flipped texts, row by row")
    parser.add_argument("--swap", default="", metavar="LANG", help="make the flipped texts with the swapper of LANG")
    parser.add_argument("--diet", default="healthy-random", metavar="NAME", help="default: %(default)s")
    parser.add_argument("--factual", type=float, default=40.0, metavar="PERCENT", help="a (default: 40)")
    parser.add_argument("--counterfactual", type=float, default=40.0, metavar="PERCENT", help="b (default: 40)")
    parser.add_argument("--score", default="GE", metavar="NAME", help="what ranks (default: %(default)s)")
    parser.add_argument("--changed-only", action="store_true", help="no counterfactual that is the same as its text")
    parser.add_argument("--text", default="text", metavar="COL", help="column of texts (default: %(default)s)")
    parser.add_argument("--label", default="label", metavar="COL", help="column of classes (default: %(default)s)")
    parser.add_argument("--column", default="counterfactual", metavar="COL", help="column of flipped texts")
    add_common(parser)
    parser.set_defaults(run=run)
    _register_choose(commands)


def _register_choose(commands: Any) -> None:
    parser = add_command(commands, "diet-choose", "the best diet from a table of outcomes; Pareto plot", CHOOSE)
    parser.add_argument("outcomes", type=Path, metavar="TABLE", help="one row for each trained classifier")
    parser.add_argument("--objective", default="DP", metavar="FIGURE", help="to make large (default: %(default)s)")
    parser.add_argument("--limit", default="AUC", metavar="FIGURE", help="that must not suffer (default: %(default)s)")
    parser.add_argument("--loss", type=float, default=3.0, metavar="PERCENT", help="of it at most (default: 3)")
    parser.add_argument("--points", action="store_true", help="the loss is in points of the figure, not a share of it")
    parser.add_argument("--survivors", action="store_true", help="list what is worth more seeds instead")
    parser.add_argument("--tolerance", type=float, default=0.02, help="of --survivors (default: %(default)s)")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="draw fairness against performance")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run_choose)


def run(args: argparse.Namespace) -> int:
    """Make a training set and tell what is in it."""
    from augment.diet.files import DietConfig, diet_files

    names = ("table", "flipped", "swap", "diet", "factual", "counterfactual", "score", "changed_only", "text", "label")
    values = {name: getattr(args, name) for name in (*names, "seed")} | {"counterfactual_column": args.column}
    config = build_config(DietConfig, values | parse_settings(args.set), where="diet")
    manifest = diet_files(config, output=args.output, fresh=args.fresh)
    if args.json:
        print(json.dumps(manifest.counts, ensure_ascii=False))
        return 0
    counts = manifest.counts
    parts = ", ".join(f"{count:,} {version}" for version, count in counts["versions"].items())
    labels = ", ".join(f"{label}: {count:,}" for label, count in sorted(counts["labels"].items()))
    print(f"{args.output}: {counts['examples']:,} examples of {counts['input']:,} ({parts}); classes {labels}")
    return 0


def run_choose(args: argparse.Namespace) -> int:
    """Choose, print, draw."""
    from augment.diet.rule import Outcome, Rule, best, read_outcomes, survivors
    from rewriter.io.columns import read_columns

    rule = Rule(args.objective, args.limit, args.loss / 100, relative=not args.points)
    outcomes = read_outcomes(read_columns(args.outcomes))
    found: list[Outcome] = (
        survivors(outcomes, rule, tolerance=args.tolerance) if args.survivors else [best(outcomes, rule)]
    )
    if args.plot:
        from augment.diet.plot import plot_pareto

        plot_pareto(args.plot, outcomes, rule)
    if args.json:
        print(json.dumps([_record(outcome) for outcome in found], ensure_ascii=False))
    else:
        print("\n".join(_line(outcome) for outcome in found))
    return 0


def _record(outcome: Any) -> dict[str, Any]:
    shares = {"factual": 100 * outcome.factual, "counterfactual": 100 * outcome.counterfactual}
    return {"diet": outcome.diet, **shares, "seeds": outcome.seeds, "figures": dict(outcome.figures)}


def _line(outcome: Any) -> str:
    figures = ", ".join(f"{name} {value:.4f}" for name, value in outcome.figures.items())
    shares = f"{100 * outcome.factual:g} % factual, {100 * outcome.counterfactual:g} % counterfactual"
    return f"{outcome.diet} ({shares}; seeds: {outcome.seeds}): {figures}"
