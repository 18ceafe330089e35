"""``gender-fair eval fairness`` and ``gender-fair eval templates``."""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from eval.bootstrap import Interval, Resampling
from eval.fairness.measure import Difference, FairnessResult, compare_fairness, measure
from eval.fairness.predictions import ColumnNames, Predictions, by_group, by_pair, by_pair_column
from eval.fairness.templates import TemplateOptions, make_templates, read_templates, template_columns
from eval.tables import Table
from rewriter.cli.parsers import add_command, seed
from rewriter.errors import UsageError
from rewriter.io.columns import Columns, read_columns, write_columns

#: columns for what a model answers
_ANSWER, _SCORE = "answer of the model", "score of the model"

DESCRIPTION = """\
Fairness of a classifier from its predictions (CSV, TSV, JSON lines or Parquet): demographic parity (DP), equality of
opportunity (EqOpp0, EqOpp1) and odds (EqOdd), 1 is fair; equality differences (FPED, FNED, TPED, TNED), 0 is fair;
AUC and accuracy; with bootstrap intervals.

--group names a column: figures on groups. --flipped names a second table (row by row) or, with --flipped-prediction
and --flipped-score, columns of the same one: figures on pairs, with the share of texts whose prediction flips. Where
both versions of a text are rows of one table (as eval templates writes them), --group and --pair name the columns.

examples:
  gender-fair eval fairness answers.csv --label Class --score toxic --group gender
  gender-fair eval fairness answers.csv --label Class --positive sexism --prediction answer --group gender --group age
  gender-fair eval fairness template-answers.csv --score p --group group --pair pair
  gender-fair eval fairness kept.parquet --score p --flipped flipped.parquet
  gender-fair eval fairness templates.csv --model runs/clf/seed-1/model --group group --pair pair
  gender-fair eval fairness kept.csv --score p --flipped-score p_flipped --against other.csv --json
"""

TEMPLATES = """\
Make a template set (IPTTS style): sentences about men and the same about women, whose label does not depend on that.
With --published, read a published set instead and write it with the same columns (text, group, label).

examples:
  gender-fair eval templates -o templates.csv --pairs 2000
  gender-fair eval templates -o madlib.csv --published madlib.csv.zst
  gender-fair eval templates -o madlibs.csv --published bias_madlibs_77k.csv --identities "gay,straight,old,young"
"""


def register_fairness(commands: Any) -> None:
    """Add ``eval fairness``."""
    parser = add_command(commands, "fairness", "fairness of a classifier: parity, odds, flip rate, AUC", DESCRIPTION)
    parser.add_argument("predictions", type=Path, metavar="TABLE", help="predictions: .csv, .tsv, .jsonl, .parquet")
    _add_column_options(parser)
    parser.add_argument("--group", action="append", default=[], metavar="COL", help="groups; repeatable; a+b crosses")
    parser.add_argument("--groups", default="", metavar="A,B", help="compare these groups only (default: all)")
    parser.add_argument(
        "--pair", metavar="COL", help="rows with the same value are one text about either of two groups: pairs"
    )
    parser.add_argument("--flipped", type=Path, metavar="TABLE", help="predictions on the flipped texts, row by row")
    parser.add_argument("--flipped-prediction", metavar="COL", help="their column of classes")
    parser.add_argument("--flipped-score", metavar="COL", help="their column of scores")
    parser.add_argument("--model", type=Path, metavar="DIR", help="let this classifier answer the texts of TABLE")
    parser.add_argument("--text", default="text", metavar="COL", help="column of texts (with --model)")
    parser.add_argument("--flipped-text", metavar="COL", help="column of the flipped texts (with --model)")
    parser.add_argument("--against-model", type=Path, metavar="DIR", help="a second classifier (with --model)")
    parser.add_argument("--device", default="cpu", help="of the model (default: %(default)s)")
    parser.add_argument("--against", type=Path, metavar="TABLE", help="a second classifier on the same examples")
    parser.add_argument(
        "--against-flipped", type=Path, metavar="TABLE", help="its predictions on the flipped texts (with --flipped)"
    )
    parser.add_argument("--bootstrap", type=int, default=1000, metavar="N", help="samples (default: %(default)s)")
    parser.add_argument("--seed", type=seed, default=12345, help="seed of the resampling (default: %(default)s)")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)


def register_templates(commands: Any) -> None:
    """Add ``eval templates``."""
    parser = add_command(commands, "templates", "make or read template sets for eval fairness", TEMPLATES)
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="FILE", help=".csv, .jsonl or .parquet")
    parser.add_argument("--lang", default="en", help="language of the tables (default: %(default)s)")
    parser.add_argument("--pairs", type=int, default=5000, help="number of pairs; 0 takes all (default: %(default)s)")
    parser.add_argument("--names", type=int, default=30, help="given names of each gender (default: %(default)s)")
    parser.add_argument("--seed", type=seed, default=1, help="seed of the choice (default: %(default)s)")
    parser.add_argument("--published", type=Path, metavar="TABLE", help="read this published set instead")
    parser.add_argument("--identities", default="", metavar="A,B", help="terms that name its groups, without a column")
    parser.set_defaults(run=run_templates)


def _add_column_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--label", default="label", metavar="COL", help="the truth (default: %(default)s)")
    parser.add_argument("--no-label", action="store_true", help="the truth is not known: DP and flip rate only")
    parser.add_argument("--prediction", metavar="COL", help="predicted class")
    parser.add_argument("--score", metavar="COL", help="score of the positive class, for AUC; decides by --threshold")
    parser.add_argument("--threshold", type=float, default=0.5, help="least score of a positive (default: %(default)s)")
    parser.add_argument("--positive", metavar="CLASS", help="class that counts as positive, where it is not 1")


def run(args: argparse.Namespace) -> int:
    """Measure, compare, print."""
    if (args.against_model or args.flipped_text) and not args.model:
        raise UsageError("--against-model and --flipped-text go with --model")
    if args.model and (args.prediction or args.score or args.flipped or args.against):
        raise UsageError("--model answers by itself: leave out --prediction, --score, --flipped and --against")
    resampling = Resampling(samples=args.bootstrap, seed=args.seed)
    sets = _sets(args, args.predictions, args.flipped, args.model)
    others = {}
    if args.against_model:
        others = _sets(args, args.predictions, args.flipped, args.against_model)
    elif args.against:
        others = _sets(args, args.against, args.against_flipped, args.model)
    records = []
    for name, predictions in sets.items():
        fields = _fields(args, name)
        result = measure(predictions, resampling=resampling, fields=fields)
        other = measure(others[name], resampling=resampling, fields=fields) if others else None
        compared = compare_fairness(result, other, resampling=resampling) if other else {}
        records.append((name, result, other, compared))
    if args.json:
        print(json.dumps([_json(*record) for record in records], ensure_ascii=False))
    else:
        print("\n\n".join(_text(*record) for record in records))
    return 0


def _fields(args: argparse.Namespace, name: str) -> dict[str, object]:
    fields: dict[str, object] = {"column": name} if name else {}
    if args.prediction is None and not args.model:
        fields["threshold"] = args.threshold
    return fields | ({"positive": args.positive} if args.positive is not None else {})


def _answered(args: argparse.Namespace, table: Columns, model: Path) -> Columns:
    """Return the table with what a model answers, in columns of the names that the options expect."""
    from eval.classifier import TextClassifier

    classifier = TextClassifier.load(model, device=args.device)
    columns = dict(table.columns)
    for text, prefix in ((args.text, ""), (args.flipped_text, "flipped ")):
        if text:
            answers, scores = classifier.answer(table.texts(text), positive=args.positive)
            columns[f"{prefix}{_ANSWER}"] = answers
            if scores is not None:
                columns[f"{prefix}{_SCORE}"] = scores
    return Columns(table.source, columns)


def _sets(args: argparse.Namespace, path: Path, flipped: Path | None, model: Path) -> dict[str, Predictions]:
    """Return what to measure: by column of groups, pairs under the empty name."""
    table, prediction, score = read_columns(path), args.prediction, args.score
    if args.model:
        table = _answered(args, table, model)
        prediction, score = _ANSWER, _SCORE if _SCORE in table else None
    names = ColumnNames(None if args.no_label else args.label, prediction, score, args.threshold, args.positive)
    found = {}
    wanted = tuple(name for name in args.groups.split(",") if name)
    for group in args.group:
        if args.pair:
            found[group] = by_pair_column(table, names, group, args.pair)
        else:
            found[group] = by_group(table, names, group, groups=wanted)
    in_table = args.flipped_prediction or args.flipped_score or (args.model and args.flipped_text)
    if args.flipped and args.against and not (args.against_flipped or in_table):
        raise UsageError(
            "--against with --flipped needs the second classifier's flipped predictions: --against-flipped"
        )
    if flipped or in_table:
        other = read_columns(flipped) if flipped else table
        found[""] = by_pair(table, other, names, _flipped_names(args, names, other.columns))
    if not found:
        raise UsageError("eval fairness: name a column of groups (--group) or the flipped predictions (--flipped ...)")
    return found


def _flipped_names(args: argparse.Namespace, names: ColumnNames, columns: Mapping[str, Any]) -> ColumnNames:
    label = names.label if names.label in columns and not names.positive else None
    if args.model and args.flipped_text:
        score = None if names.score is None else f"flipped {_SCORE}"
        return ColumnNames(label, f"flipped {_ANSWER}", score, names.threshold, names.positive)
    if not (args.flipped_prediction or args.flipped_score):
        return ColumnNames(label, names.prediction, names.score, names.threshold, names.positive)
    return ColumnNames(label, args.flipped_prediction, args.flipped_score, names.threshold, names.positive)


def _json(
    name: str, result: FairnessResult, other: FairnessResult | None, compared: Mapping[str, Difference]
) -> dict[str, Any]:
    record = {"on": "pairs" if result.predictions.paired else "groups", "column": name or None, **result.to_dict()}
    if other:
        record["against"] = other.to_dict() | {"differences": {key: d.to_dict() for key, d in compared.items()}}
    return record


def _text(name: str, result: FairnessResult, other: FairnessResult | None, compared: Mapping[str, Difference]) -> str:
    kind = "pairs" if result.predictions.paired else "groups"
    head = f"{kind} of '{name}'" if name else f"{kind} (kept and flipped)"
    parts = [head, _figure_table(result).plain(), _group_table(result).plain()]
    reasons = {f"{key}: {figure.undefined}" for key, figure in result.figures.items() if figure.undefined}
    if reasons:
        parts.append("undefined\n" + "\n".join(f"  {reason}" for reason in sorted(reasons)))
    parts.append(result.signature)
    if other:
        parts += [f"against\n{_difference_table(other, compared).plain()}", other.signature]
    return "\n\n".join(parts)


def _figure_table(result: FairnessResult) -> Table:
    rows = [[key, _number(figure.value), _interval(figure.interval)] for key, figure in result.figures.items()]
    return Table(["figure", "value", "95 % interval"], rows)


def _group_table(result: FairnessResult) -> Table:
    rates = [key for key in next(iter(result.groups.values())) if key != "n"]
    rows = [[group, f"{row['n']:.0f}", *(_number(row[key]) for key in rates)] for group, row in result.groups.items()]
    return Table(["group", "n", *(key.replace("_", " ") for key in rates)], rows)


def _difference_table(other: FairnessResult, compared: Mapping[str, Difference]) -> Table:
    rows = [
        [
            key,
            _number(other.figures[key].value),
            _number(d.difference, "+.4f"),
            _interval(d.interval),
            _number(d.p_value),
        ]
        for key, d in compared.items()
    ]
    return Table(["figure", "other's value", "difference", "95 % interval", "p"], rows)


def _number(value: float, form: str = ".4f") -> str:
    return "-" if math.isnan(value) else format(value, form)


def _interval(interval: Interval | None) -> str:
    return "-" if interval is None else f"{interval.low:.4f} to {interval.high:.4f}"


def run_templates(args: argparse.Namespace) -> int:
    """Make or read a template set and write it."""
    identities = [term.strip() for term in args.identities.split(",") if term.strip()]
    if args.published:
        columns = template_columns(read_templates(args.published, identities=identities))
        columns = {name: columns[name] for name in ("text", "group", "label")}
    else:
        options = TemplateOptions(lang=args.lang, pairs=args.pairs or None, names=args.names, seed=args.seed)
        columns = template_columns(make_templates(options))
    print(f"{args.output}: {write_columns(args.output, columns)} sentences")
    return 0
