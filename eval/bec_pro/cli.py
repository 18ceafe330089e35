"""``gender-fair eval bec-pro``."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from eval.bec_pro.items import REPAIRS, TEMPLATE_SETS
from eval.bec_pro.measure import MeasureOptions, find_published, measure
from eval.bec_pro.report import text_report, write_page, write_plot
from eval.bec_pro.scorer import MASKS, ScorerOptions
from eval.bootstrap import Resampling
from eval.plots import plot_format
from rewriter.cli.parsers import add_command, add_download_option, seed
from rewriter.errors import UsageError
from rewriter.io.files import write_json

DESCRIPTION = """\
How strongly a masked language model ties person words to professions (BEC-Pro; Bartl, Nissim & Gatt 2020):
ln p(person word | profession present) - ln p(person word | profession masked), in six groups, with intervals over
templates (and over models, where several are given: seeds of one training).

The sentences are made from tables and equal the published ones with their slips mended (--slips lists them).

examples:
  gender-fair eval bec-pro bert-base-uncased
  gender-fair eval bec-pro runs/bert/seed-1/model runs/bert/seed-2/model --html bias.html --plot bias.png
  gender-fair eval bec-pro bert-base-german-cased --lang de --templates all --professions
  gender-fair eval bec-pro bert-base-uncased --as-published --data published
"""


def register_bec_pro(commands: Any) -> None:
    """Add ``eval bec-pro``."""
    parser = add_command(
        commands, "bec-pro", "how strongly a masked language model ties person words to professions", DESCRIPTION
    )
    parser.add_argument("models", nargs="+", metavar="MODEL", help="folder or name; several: seeds of one training")
    add_download_option(parser)
    _add_sentences(parser)
    _add_asking(parser)
    _add_output(parser)
    parser.set_defaults(run=run)


def _add_sentences(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("sentences")
    group.add_argument("--lang", default="en", choices=("en", "de"), help="language (default: %(default)s)")
    group.add_argument("--data", metavar="FILE", help="published TSV, or 'published': that below GENDER_FAIR_DATA")
    group.add_argument("--templates", default="bec-pro", choices=TEMPLATE_SETS, help="(default: %(default)s)")
    group.add_argument("--nurse", action="store_true", help="with nurse beside registered nurse (English)")
    group.add_argument("--repair", nargs="*", default=None, choices=REPAIRS, metavar="KIND", help=_repair_help())


def _repair_help() -> str:
    return f"mend only these slips, of {', '.join(REPAIRS)}; with nothing after it, none (default: all)"


def _add_asking(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("asking the model")
    group.add_argument("--as-published", action="store_true", help="imitate the released code, slips included")
    group.add_argument("--masks", default="word", choices=MASKS, help="a mask for each word or piece of a profession")
    group.add_argument("--device", default="cpu", help="cpu (default), cuda ...")
    group.add_argument("--batch-size", type=int, default=64, metavar="N", help="sequences (default: %(default)s)")
    group.add_argument("--bootstrap", type=int, default=1000, metavar="N", help="samples (default: %(default)s)")
    group.add_argument("--seed", type=seed, default=12345, help="seed of the resampling (default: %(default)s)")


def _add_output(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("output")
    group.add_argument("--professions", action="store_true", help="show every profession")
    group.add_argument("--slips", action="store_true", help="list the slips of the published corpus")
    group.add_argument("--html", type=Path, metavar="FILE", help="write a page with everything")
    group.add_argument("--plot", type=Path, metavar="FILE", help="write a plot (.png, .svg, .pdf)")
    group.add_argument("-o", "--output", type=Path, metavar="FILE", help="write the figures as JSON")
    group.add_argument("--json", action="store_true", help="print JSON")


def run(args: argparse.Namespace) -> int:
    """Measure, print, write."""
    options = _options(args)
    if args.plot:
        plot_format(args.plot)
    result = measure(args.models, options)
    if args.output:
        write_json(args.output, result.to_dict())
    if args.html:
        write_page(args.html, result)
    if args.plot:
        write_plot(args.plot, result)
    if args.json:
        print(json.dumps(result.to_dict(), ensure_ascii=False))
    else:
        print(text_report(result, professions=args.professions, slips=args.slips))
    return 0


def _options(args: argparse.Namespace) -> MeasureOptions:
    if args.as_published and (args.repair or args.masks != "word"):
        raise UsageError("--as-published imitates the released code: it excludes --repair and --masks piece")
    if args.data and args.templates != "bec-pro":
        raise UsageError("--templates is for sentences made from tables; leave --data out")
    if args.data and args.nurse:
        raise UsageError("--nurse is for sentences made from tables; leave --data out")
    data = find_published(args.lang) if args.data == "published" else Path(args.data) if args.data else None
    scorer = ScorerOptions(args.device, args.batch_size, args.masks, args.as_published)
    repairs = REPAIRS if args.repair is None else tuple(args.repair)
    resampling = Resampling(samples=args.bootstrap, seed=args.seed)
    return MeasureOptions(args.lang, data, args.templates, repairs, scorer, resampling, args.nurse)
