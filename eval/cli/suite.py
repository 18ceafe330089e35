"""``gender-fair eval suite``."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from eval.cli.ablation_options import ablation_of, add_ablation_options
from eval.cli.options import add_score_options, add_text_options, resampling_of
from eval.plots import plot_format
from eval.suite import (
    Entry,
    SuiteOptions,
    SuiteResult,
    find_sets,
    guarded_entries,
    hypothesis_entries,
    model_entries,
    score_entries,
)
from eval.suite_plot import write_plot
from eval.suite_report import append_measurements, text, to_dict, toolkit_commit
from eval.texts import is_published
from rewriter.cli.messages import say
from rewriter.cli.parsers import add_command
from rewriter.errors import UsageError

DESCRIPTION = """\
Score models on every set of a folder, beside doing nothing and published outputs, and print the table: systems down,
sets across; scores and counts by kind, no sentences. The folder holds NAME.src, NAME.ref and published/NAME.SYSTEM.

With --ablate stand beside each model the same with constant answers in its network's place, the grammar alone, and the
published outputs behind our guard; what the network is worth is its share of the errors removed.

examples:
  gender-fair eval suite en --sets testsets/en --log measurements.tsv
  gender-fair eval suite en --sets testsets/en --ablate
  gender-fair eval suite de --sets testsets/de --ablate --labels runs/de-edits/mix/train.jsonl.zst
  gender-fair eval suite en --sets testsets/en --guard off
  gender-fair eval suite ours=runs/small/export other=runs/big/export --sets testsets/en --markdown
  gender-fair eval suite --hypotheses answers --lang en --sets testsets/en --json
"""


def register_suite(commands: Any) -> None:
    """Add ``eval suite``."""
    parser = add_command(commands, "suite", "score models on a folder of sets", DESCRIPTION)
    parser.add_argument("models", nargs="*", metavar="[NAME=]MODEL", help="model directories or bundled names")
    parser.add_argument("--sets", type=Path, required=True, metavar="DIR", help="folder of sets")
    parser.add_argument(
        "--only", action="append", default=[], metavar="SET", help="only this set (repeatable, in order)"
    )
    parser.add_argument("--hypotheses", type=Path, metavar="DIR", help="answers that are there already, NAME.SYSTEM")
    parser.add_argument("--save", type=Path, metavar="DIR", help="keep the models' answers as NAME.SYSTEM")
    parser.add_argument("--log", type=Path, metavar="FILE", help="append a line per set and system of ours")
    parser.add_argument("--markdown", action="store_true", help="print Markdown")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="draw scores with intervals (.png, .svg, .pdf)")
    add_text_options(parser, lang=None)
    add_score_options(parser)
    add_ablation_options(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Score, log, print."""
    if args.json and args.markdown:
        raise UsageError("--json and --markdown exclude each other")
    if args.plot is not None:
        plot_format(args.plot)  # before hours of work
    sets = find_sets(args.sets, args.only)
    named = [_named(word) for word in args.models]
    ablation = ablation_of(args, [model for _, model in named])
    entries = [entry for name, model in named for entry in model_entries(model, name, ablation=ablation)]
    lang = _language(args.lang, entries)
    if args.ablate:
        entries += guarded_entries(sets, lang)
    if args.hypotheses is not None:
        entries += hypothesis_entries(args.hypotheses, sets)
    result = score_entries(entries, sets, _options(args, lang))
    _log(args, result)
    if args.plot is not None:
        write_plot(args.plot, result)
    print(json.dumps(to_dict(result), ensure_ascii=False) if args.json else text(result, markdown=args.markdown))
    return 0


def _named(word: str) -> tuple[str | None, str]:
    name, equals, model = word.rpartition("=")
    if equals and not name:
        raise UsageError(f"'{word}': the name before '=' is missing")
    return name or None, model


def _language(asked: str | None, entries: Sequence[Entry]) -> str:
    """Return the language of the models, which need not be asked for."""
    found = {entry.lang: entry.name for entry in entries if entry.lang}
    if asked is not None and found and asked not in found:
        own, name = next(iter(found.items()))
        raise UsageError(f"the model '{name}' is for '{own}', not for --lang {asked}")
    if len(found) > 1:
        told = ", ".join(f"'{name}' is for '{code}'" for code, name in found.items())
        raise UsageError(f"the models are for different languages: {told}; score them one after the other")
    lang = asked or next(iter(found), None)
    if lang is None:
        raise UsageError("answers without a model: name their language with --lang")
    return lang


def _options(args: argparse.Namespace, lang: str) -> SuiteOptions:
    return SuiteOptions(
        lang=lang,
        tokenizer=args.tokenizer,
        case=args.case,
        resampling=resampling_of(args),
        save=args.save,
    )


def _log(args: argparse.Namespace, result: SuiteResult) -> None:
    if args.log is not None:
        append_measurements(args.log, result)
    elif result.ours and is_published(args.sets) and toolkit_commit() != "-":
        say("measured on published sets without --log; such runs belong in the log")
