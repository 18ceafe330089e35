"""``gender-fair augment choose``, ``import-targets`` and ``gold``: sentences to read, their answers, pairs of them."""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path
from typing import Any

from rewriter.cli.parsers import add_command, seed
from rewriter.errors import UsageError

CHOOSE = """\
Choose sentences of corpora for somebody to read, equally many of each file as far as there are: where the network and
the rules disagree, where the network is unsure, sentences with words of some kind, or any. A part is drawn at random.
Lines of --hold-out are never chosen. The sheet (.jsonl, .tsv, or .html to be read in a browser) shows each sentence
between what stands around it, with the model's answer to be corrected (--blind: none). It holds text of the corpora.

examples:
  gender-fair augment choose corpora/de --data corpora --model de --by uncertainty --size 200 -o sheet.html
  gender-fair augment choose corpora/de --data corpora --model de --hold-out open.jsonl sealed.jsonl -o sheet.tsv
  gender-fair augment choose corpora/de --data corpora --model de --by kind --kinds relative -o sheet.jsonl
  gender-fair augment choose corpora/de --data corpora --lang de --by kind --words 'jede[rn]' --blind -o sheet.jsonl
  gender-fair augment choose --records open.jsonl --data corpora --blind -o second.tsv
"""

IMPORT = """\
Read the targets of sheets back that 'augment choose' wrote and somebody corrected. A target is the text that the
sentence should be, '=' where it stays, '?' where nobody can tell (left out), empty where it was not read. Each is
checked against the language's candidates and their outcomes; an answer outside them is listed with its reason and
stored with a mark. What is stored names file, line and digest, never the text.

examples:
  gender-fair augment import-targets sheet.jsonl --data corpora --lang de --reader anna --output gold.jsonl
  gender-fair augment import-targets answers.tsv --records open.jsonl --data corpora --lang de --output gold.jsonl
"""


GOLD = """\
Make pairs of read sentences, for training: the text comes from the data folder, with what stands before it. Sentences
whose target no candidates give are left out and counted, and so are lines that are measured on (--hold-out). In a
recipe the section 'gold' does the same.

examples:
  gender-fair augment gold gold.jsonl --data corpora --lang de -o pairs/gold --hold-out open.jsonl sealed.jsonl
  gender-fair mix pairs/plain pairs/gold -o mixed --set weights.gold=8
"""


def add_data(parser: argparse.ArgumentParser) -> None:
    """Add ``--data``."""
    parser.add_argument("--data", type=Path, metavar="DIR", help="folder of the texts (default: GENDER_FAIR_DATA)")


def data_folder(args: argparse.Namespace) -> Path:
    """Return the folder of the texts.

    Raises:
        UsageError: none is named.
    """
    folder = args.data or os.environ.get("GENDER_FAIR_DATA")
    if not folder:
        raise UsageError("name the folder that the texts lie in with --data, or set GENDER_FAIR_DATA")
    return Path(folder)


def register_reading(commands: Any) -> None:
    """Add the commands."""
    _add_choose(commands)
    parser = add_command(commands, "import-targets", "read corrected targets of sheets back, stand-off", IMPORT)
    parser.add_argument("sheets", nargs="+", type=Path, metavar="SHEET", help="corrected sheets (.jsonl, .tsv)")
    parser.add_argument(
        "-o", "--output", type=Path, required=True, metavar="FILE", help="records; added to what is there"
    )
    parser.add_argument("--lang", default="de", help="language (default: %(default)s)")
    parser.add_argument("--reader", default="", metavar="NAME", help="who read them")
    parser.add_argument(
        "--records", nargs="+", type=Path, default=[], metavar="FILE", help="where the sentences of bare ids stand"
    )
    add_data(parser)
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run_import)
    _add_gold(commands)


def _add_choose(commands: Any) -> None:
    parser = add_command(commands, "choose", "choose sentences for reading, on a sheet", CHOOSE)
    parser.add_argument("inputs", nargs="*", metavar="INPUT", help="text files (.txt, .gz, .zst), folders or globs")
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="SHEET", help=".jsonl, .tsv or .html")
    parser.add_argument("--model", metavar="MODEL", help="edit model: bundled name or directory")
    parser.add_argument("--lang", help="language, where there is no model")
    parser.add_argument("--by", default="disagreement", metavar="WAY", help="disagreement, uncertainty, kind or random")
    parser.add_argument("--size", type=int, default=200, metavar="N", help="sentences (default: %(default)s)")
    parser.add_argument("--kinds", default="", metavar="KIND,...", help="only candidates of these kinds count")
    parser.add_argument("--words", default="", metavar="REGEX", help="only words that match count")
    parser.add_argument("--random-share", type=float, default=0.2, metavar="SHARE", help="(default: %(default)s)")
    parser.add_argument("--pool", type=int, metavar="N", help="sentences that are scored (default: ten for each)")
    parser.add_argument("--seed", type=seed, default=1, help="random seed (default: %(default)s)")
    parser.add_argument("--exclude", action="append", default=[], metavar="GLOB", help="file names, or licence:GLOB")
    add_hold_out(parser)
    parser.add_argument("--blind", action="store_true", help="propose no targets")
    parser.add_argument(
        "--records", nargs="+", type=Path, default=[], metavar="FILE", help="lay these sentences out; choose none"
    )
    add_data(parser)
    parser.set_defaults(run=run_choose)


def run_choose(args: argparse.Namespace) -> int:
    """Choose, write the sheet."""
    from augment.reading.choose import sheet_rows
    from augment.reading.sheet import check_name, write_sheet
    from rewriter.model.edit_model import load_edit_model

    check_name(args.output)
    if bool(args.inputs) == bool(args.records):
        raise UsageError("name the texts to choose from, or with --records the sentences to lay out")
    if not (args.model or args.lang):
        raise UsageError("name a model with --model; without one, the language with --lang")
    if not (args.model or args.blind):
        raise UsageError("targets are proposed by a model; name one with --model, or pass --blind")
    model = load_edit_model(args.model) if args.model else None
    lang = model.language.code if model is not None else args.lang
    chosen = _of_records(args) if args.records else _chosen(args, lang, model)
    rows = sheet_rows(chosen, model=None if args.blind else model)
    write_sheet(args.output, rows)
    short = "" if args.records or len(rows) >= args.size else f" of {args.size} wanted; a larger --pool may hold more"
    print(f"{args.output}: {len(rows)} sentences{short}", file=sys.stderr)
    return 0


def _chosen(args: argparse.Namespace, lang: str, model: Any) -> list[Any]:
    from augment.reading.choose import ChooseConfig, choose

    config = ChooseConfig(
        args.inputs,
        by=args.by,
        size=args.size,
        lang=lang,
        exclude=args.exclude,
        hold_out=args.hold_out,
        kinds=[kind.strip() for kind in args.kinds.split(",") if kind.strip()],
        words=args.words,
        random_share=args.random_share,
        pool=args.pool,
        seed=args.seed,
    )
    return choose(config, data=data_folder(args), model=model)


def _of_records(args: argparse.Namespace) -> list[Any]:
    from augment.reading.choose import Chosen
    from eval.reading.gold import find_sentences, load_gold
    from eval.reading.score import is_sealed

    sealed = next((path for path in args.records if is_sealed(path)), None)
    if sealed is not None and not args.blind:
        raise UsageError(f"{sealed} is sealed: its readers see no model's answers; pass --blind")
    records = [gold for path in args.records for gold in load_gold(path)]
    return [Chosen(found) for found in find_sentences(records, data_folder(args))]


def _add_gold(commands: Any) -> None:
    parser = add_command(commands, "gold", "pairs of read sentences (stand-off records)", GOLD)
    parser.add_argument("files", nargs="+", metavar="FILE", help="records, folders of them, or globs")
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="DIR", help="folder for the result")
    parser.add_argument("--lang", default="de", help="language (default: %(default)s)")
    parser.add_argument("--exclude", action="append", default=[], metavar="GLOB", help="texts by name, or licence:GLOB")
    add_hold_out(parser)
    parser.add_argument("--limit", type=int, metavar="N", help="so many sentences, the same first ones every time")
    add_data(parser)
    parser.add_argument("--fresh", action="store_true", help="begin anew where another run's result stands")
    parser.add_argument("--json", action="store_true", help="print the counts as JSON")
    parser.set_defaults(run=run_gold)


def add_hold_out(parser: argparse.ArgumentParser) -> None:
    """Add ``--hold-out``."""
    parser.add_argument(
        "--hold-out", nargs="+", default=[], metavar="FILE", help="records whose lines are measured on and not used"
    )


def run_gold(args: argparse.Namespace) -> int:
    """Make pairs, print the counts."""
    from augment.gold import GoldConfig, make_gold

    config = GoldConfig(args.files, args.lang, exclude=args.exclude, hold_out=args.hold_out, limit=args.limit)
    manifest = make_gold(config, data=data_folder(args), output=args.output, fresh=args.fresh)
    if args.json:
        print(json.dumps(manifest.counts))
    else:
        print("\n".join(f"{name}: {count:,}" for name, count in sorted(manifest.counts.items())))
    return 0


def run_import(args: argparse.Namespace) -> int:
    """Read back, store, list; return 3 where a row could not be used."""
    from augment.reading.sheet import read_sheet
    from augment.reading.targets import OTHER_TEXT, import_targets, store
    from eval.reading.gold import load_gold
    from rewriter.language.interface import get_language

    records = {gold.id: gold for path in args.records for gold in load_gold(path)}
    rows = [row for path in args.sheets for row in read_sheet(path, records)]
    found = import_targets(rows, data=data_folder(args), language=get_language(args.lang), reader=args.reader)
    new, replaced = store(args.output, found.records)
    if args.json:
        print(json.dumps(found.to_dict() | {"new": new, "replaced": replaced}, ensure_ascii=False))
    else:
        for finding in found.findings:
            print(f"{finding.id}: {finding.kind}: {finding.detail}".rstrip(": "))
        counts = ", ".join(f"{name} {count}" for name, count in found.counts.items())
        print(f"{args.output}: {new} new, {replaced} read again; {counts}", file=sys.stderr)
    return 3 if any(finding.kind == OTHER_TEXT for finding in found.findings) else 0
