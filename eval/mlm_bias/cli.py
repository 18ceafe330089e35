"""``gender-fair eval mlm-bias``."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from rewriter.cli.parsers import add_command, add_download_option, seed
from rewriter.errors import UsageError
from rewriter.io.files import write_json

DESCRIPTION = """\
Bias of language models by several tests, in one table: BEC-Pro, fill-ins of our own templates (disco), CrowS-Pairs,
SEAT, StereoSet, WinoBias for masked models, GG-BBQ for causal ones; and of use: with --gap whom a pronoun means, with
--text pseudo-perplexity per word.
Beside every test stands what its authors, or those who examined it, say about reading it. The items of CrowS-Pairs,
SEAT, StereoSet, WinoBias, GAP and GG-BBQ are not part of this toolkit: pass --crows-pairs FILE and so on, or set
GENDER_FAIR_TESTSETS to a folder that holds bias/en-crows-pairs, bias/en-seat, bias/de-gg-bbq.

examples:
  gender-fair eval mlm-bias runs/bert/seed-1/model
  gender-fair eval mlm-bias before after --tests bec-pro disco --text held-out.txt -o bias.json
  gender-fair eval mlm-bias bert-base-uncased --tests stereoset winobias --stereoset dev.json --winobias wino
  gender-fair eval mlm-bias my-german-gpt --lang de --gg-bbq bbq_de_amb_test.jsonl
"""
#: tests whose items are passed by path
_PATHS = ("crows-pairs", "seat", "stereoset", "winobias", "gap", "gg-bbq")


def register_mlm_bias(commands: Any) -> None:
    """Add ``eval mlm-bias``."""
    parser = add_command(commands, "mlm-bias", "bias of language models by several tests, in one table", DESCRIPTION)
    parser.add_argument("models", nargs="+", metavar="MODEL", help="folder or name of a masked or causal model")
    add_download_option(parser)
    parser.add_argument("--lang", default="en", choices=("en", "de"), help="language (default: %(default)s)")
    parser.add_argument(
        "--tests", nargs="+", default=[], metavar="TEST", help="bec-pro disco ... (default: all whose items are there)"
    )
    items = parser.add_argument_group("items")
    for name in _PATHS:
        items.add_argument(f"--{name}", type=Path, metavar="PATH", help=f"file or folder of {name}")
    items.add_argument(
        "--text", nargs="+", type=Path, default=[], metavar="FILE", help="texts for pseudo-perplexity per word"
    )
    items.add_argument("--words", type=int, default=2000, metavar="N", help="words of a text (default: %(default)s)")
    _add_asking(parser)
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="write the figures as JSON")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)


def _add_asking(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("asking the model")
    group.add_argument("--pooling", default="cls", choices=("cls", "mean"), help="of SEAT (default: %(default)s)")
    group.add_argument("--permutations", type=int, default=100_000, metavar="N", help="of SEAT (default: %(default)s)")
    group.add_argument("--device", default="cpu", help="cpu (default), cuda ...")
    group.add_argument("--batch-size", type=int, default=64, metavar="N", help="sequences (default: %(default)s)")
    group.add_argument("--bootstrap", type=int, default=1000, metavar="N", help="samples (default: %(default)s)")
    group.add_argument("--seed", type=seed, default=12345, help="seed of the resampling (default: %(default)s)")


def run(args: argparse.Namespace) -> int:
    """Measure, print, write."""
    from eval.mlm_bias.measure import measure_bias
    from eval.mlm_bias.report import text_report

    if len(set(args.models)) < len(args.models):
        raise UsageError("a model is named twice; name each of them once")
    found = measure_bias(args.models, _options(args))
    value = [measured.to_dict() for measured in found]
    if args.output:
        write_json(args.output, value)
    print(json.dumps(value, ensure_ascii=False) if args.json else text_report(found))
    return 0


def _options(args: argparse.Namespace) -> Any:
    from eval.bootstrap import Resampling
    from eval.mlm_bias.measure import BiasOptions

    paths = {name: getattr(args, name.replace("-", "_")) for name in _PATHS}
    return BiasOptions(
        lang=args.lang,
        measures=tuple(args.tests),
        paths={name: path for name, path in paths.items() if path is not None},
        texts=tuple(args.text),
        words=args.words,
        pooling=args.pooling,
        permutations=args.permutations,
        device=args.device,
        batch_size=args.batch_size,
        resampling=Resampling(samples=args.bootstrap, seed=args.seed),
    )
