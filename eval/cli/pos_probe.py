"""``gender-fair eval pos-probe``."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from eval.bootstrap import Resampling
from eval.tables import Table
from rewriter.cli.parsers import add_command, add_download_option

DESCRIPTION = """\
How well parts of speech can be read off a model by a linear classifier over its frozen states: a figure that has
nothing to do with gender, to see what a change of the corpus costs. Beside it the most frequent tag of each word.

examples:
  gender-fair eval pos-probe runs/bert/seed-1/model --train en_ewt-ud-train.conllu --test en_ewt-ud-dev.conllu
  gender-fair eval pos-probe first second --train train.conllu.zst --test dev.conllu.zst --sentences 3000 --json
"""


def register_pos_probe(commands: Any) -> None:
    """Add ``eval pos-probe``."""
    parser = add_command(commands, "pos-probe", "parts of speech, read off a model by a linear classifier", DESCRIPTION)
    parser.add_argument("models", nargs="+", metavar="MODEL", help="folder or name")
    add_download_option(parser)
    parser.add_argument("--train", type=Path, required=True, metavar="FILE", help="CoNLL-U that is learnt from")
    parser.add_argument("--test", type=Path, required=True, metavar="FILE", help="CoNLL-U that is measured on")
    parser.add_argument("--sentences", type=int, default=3000, metavar="N", help="of --train; 0 for all (%(default)s)")
    parser.add_argument("--device", default="cpu", help="cpu (default), cuda ...")
    parser.add_argument("--bootstrap", type=int, default=1000, metavar="N", help="samples (default: %(default)s)")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Measure each model and print what was found."""
    from eval.pos_probe import pos_probe, read_tagged

    train, test = read_tagged(args.train, args.sentences), read_tagged(args.test)
    resampling = Resampling(samples=args.bootstrap)
    results = [pos_probe(model, train, test, device=args.device, resampling=resampling) for model in args.models]
    if args.json:
        print(json.dumps([{"model": m, **r.to_dict()} for m, r in zip(args.models, results, strict=True)]))
        return 0
    rows = [
        [model, f"{r.accuracy:.2f} %", f"{r.interval.low:.2f} to {r.interval.high:.2f}", f"{r.by_word:.2f} %"]
        for model, r in zip(args.models, results, strict=True)
    ]
    print(Table(["model", "accuracy", "interval", "by word alone"], rows).plain())
    print(results[0].signature)
    return 0
