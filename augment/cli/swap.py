"""``gender-fair augment swap``."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from rewriter.cli.messages import say
from rewriter.cli.parsers import add_command, processes, seed

#: exit code: finished, but some records were written through unread
REJECTS = 3

DESCRIPTION = """\
Swap the genders of persons: pronouns with their case, nouns, titles, given names. Text (a line is a document unless
--unit says otherwise), JSON lines, CSV, TSV and Parquet, each text one also .gz and .zst; everything but the swapped
words stays byte for byte. A killed run goes on when the same command is given again.

strategies:
  swap  every record is replaced by its counterfactual; line by line beside the input
  cda   counterfactual data augmentation: a record that changes is followed by its counterfactual
  cds   counterfactual data substitution: each document is swapped or not by a seeded coin

examples:
  gender-fair augment swap corpus.txt -o doubled.txt --strategy cda
  gender-fair augment swap train.csv -o train.cds.csv --strategy cds --seed 7 --column comment
  gender-fair augment swap reviews.jsonl -o reviews.cds.jsonl --strategy cds --group-by author
  gender-fair augment swap corpus/ -o swapped/ --strategy swap --processes 2
  gender-fair augment swap train.jsonl -o feminine.jsonl --strategy swap --direction to-feminine --no-names
  gender-fair augment swap --text "He called his mother."
"""


def register_swap(commands: Any) -> None:
    """Add ``augment swap``."""
    parser = add_command(
        commands, "swap", "swap genders: counterfactual data augmentation (CDA) and substitution (CDS)", DESCRIPTION
    )
    parser.add_argument("inputs", nargs="*", metavar="INPUT", help="files (.gz, .zst), folders or patterns")
    parser.add_argument("-o", "--output", metavar="OUT", help="file, or folder for several inputs")
    parser.add_argument("--text", metavar="TEXT", help="swap this text and print it, with --json its edits too")
    _add_what(parser.add_argument_group("what is swapped"))
    _add_files(parser.add_argument_group("files"))
    parser.add_argument("--json", action="store_true", help="print the counts as JSON")
    parser.set_defaults(run=run)


def _add_what(group: Any) -> None:
    group.add_argument("--strategy", choices=("swap", "cda", "cds"), default="cda", help="(default: cda)")
    group.add_argument(
        "--direction", choices=("both", "to-masculine", "to-feminine"), default="both", help="(default: both)"
    )
    group.add_argument("--lang", default="en", help="language (default: %(default)s)")
    group.add_argument(
        "--names",
        metavar="swap|keep|TSV",
        help="given names: swap them by the shipped pairs (default), keep them, or pairs of your own before the "
        "shipped ones (columns feminine and masculine)",
    )
    group.add_argument("--no-names", action="store_true", help="the same as --names keep")
    group.add_argument(
        "--persons",
        choices=("all", "named", "generic"),
        default="all",
        help="who is swapped: everybody (default), persons that the text names, or all others",
    )
    group.add_argument(
        "--facts",
        choices=("leave", "turn"),
        default="leave",
        help="sentences with a fact of biology (pregnant, beard): leave them as they are (default), or turn them",
    )
    group.add_argument("--titles", choices=("swap", "keep"), default="swap", help="titles: Mr, Mrs ... (default: swap)")
    group.add_argument(
        "--without-rule", action="append", default=[], metavar="NAME", help="leave a rule out (repeatable)"
    )
    group.add_argument("--words", metavar="TSV", help="your own pairs of nouns: columns feminine and masculine")
    group.add_argument("--allow", action="append", default=[], metavar="WORD", help="only these words may change")
    group.add_argument("--deny", action="append", default=[], metavar="WORD", help="these words stay (repeatable)")
    group.add_argument("--allow-kind", action="append", default=[], metavar="KIND", help="pronoun, noun, title, name")
    group.add_argument("--deny-kind", action="append", default=[], metavar="KIND", help="kinds that stay (repeatable)")
    group.add_argument("--protect", action="append", default=[], metavar="REGEX", help="what it matches stays")
    group.add_argument("--seed", type=seed, default=1, help="of the coin of cds (default: 1)")
    group.add_argument(
        "--group-by", metavar="COLUMN", help="cds: documents with the same value there have one coin (linked documents)"
    )
    group.add_argument(
        "--model", metavar="NAME_OR_DIR", help="edit model that reads: her and his, German persons (default: bundled)"
    )


def _add_files(group: Any) -> None:
    formats = ("auto", "txt", "jsonl", "csv", "tsv", "parquet")
    group.add_argument("--format", choices=formats, default="auto", help="(default: auto, by the name)")
    group.add_argument("--column", action="append", metavar="NAME", help="text column (default: text; repeatable)")
    group.add_argument("--delimiter", help="of CSV (default: found in the first line)")
    group.add_argument("--no-header", action="store_true", help="CSV and TSV without header; columns are numbers")
    group.add_argument(
        "--unit", choices=("auto", "line", "paragraph", "document"), default="auto", help="of plain text"
    )
    group.add_argument(
        "--processes", type=processes, default=0, metavar="N", help="worker processes (default: all cores)"
    )
    group.add_argument("--engine", choices=("local", "ray"), default="local", help="(default: local)")
    group.add_argument("--ray-address", metavar="ADDRESS", help="of a Ray cluster")
    group.add_argument("--shard-lines", type=int, metavar="N", help="lines of a shard at most")
    group.add_argument("--rejects", type=Path, metavar="FILE", help="list what was written through (JSON lines)")
    group.add_argument("--html", type=Path, metavar="PAGE", help="write a page with the differences")
    group.add_argument("--dry-run", action="store_true", help="count only; no text is written")
    group.add_argument("--fresh", action="store_true", help="forget what an earlier run did under the same output")


def run(args: argparse.Namespace) -> int:
    """Swap a text or files; return 0, or 3 if something was written through unread."""
    from augment.swap.settings import SwapSettings, as_pairs, names_of
    from augment.swap.strategies import SwapperSpec
    from rewriter.errors import UsageError
    from rewriter.policy import Policy

    if (args.text is None) == (not args.inputs):
        raise UsageError("give files and -o OUT, or --text TEXT")
    if args.names and args.no_names:
        raise UsageError("--names and --no-names exclude each other; give one of them")
    policy = Policy(
        allow=tuple(args.allow),
        deny=tuple(args.deny),
        allow_kinds=tuple(args.allow_kind),
        deny_kinds=tuple(args.deny_kind),
        protect=tuple(args.protect),
    )
    swapped, own_names = names_of("keep" if args.no_names else args.names or "swap")
    settings = SwapSettings(
        args.direction,
        swapped,
        own_names,
        as_pairs(args.words),
        args.persons,
        args.facts,
        args.titles == "swap",
        tuple(args.without_rule),
    )
    model = args.model or args.lang
    spec = SwapperSpec(model, (), args.lang, settings, args.strategy, args.seed, policy, args.group_by)
    return _one_text(args, spec) if args.text is not None else _files(args, spec)


def _one_text(args: argparse.Namespace, spec: Any) -> int:
    from dataclasses import asdict

    result = spec.load().swapper.swap(args.text, return_edits=True, errors="keep")
    if args.json:
        edits = [asdict(edit) for edit in result.edits]
        left = [{**asdict(edit), "left": why} for edit, why in result.left]
        print(json.dumps({"text": result.text, "edits": edits, "left": left}, ensure_ascii=False))
    else:
        print(result.text)
    if result.error is not None:
        say(f"{result.error.reason}; the text stays as it is")
    return 0 if result.error is None else REJECTS


def _files(args: argparse.Namespace, spec: Any) -> int:
    from augment.swap.strategies import swap_corpus
    from rewriter.corpus.reports import CorpusReports
    from rewriter.corpus.run import CorpusOptions
    from rewriter.errors import UsageError
    from rewriter.formats import FormatOptions

    if not args.output:
        raise UsageError("give -o OUT, a file for one input or a folder for several")
    formats = FormatOptions(
        format=args.format,
        unit=args.unit,
        columns=tuple(args.column or ("text",)),
        delimiter=args.delimiter,
        header=not args.no_header,
    )
    options = CorpusOptions(
        format=formats,
        processes=args.processes,
        shard_lines=args.shard_lines,
        fresh=args.fresh,
        dry_run=args.dry_run,
        reports=CorpusReports(rejects=args.rejects, html=args.html),
        engine=args.engine,
        ray_address=args.ray_address,
    )
    summary = swap_corpus(args.inputs, args.output, spec=spec, options=options)
    counts = {
        "strategy": args.strategy,
        "records": summary.units,
        "added" if args.strategy == "cda" else "swapped": summary.changed,
        "edits": dict(sorted(summary.edits.items())),
        "rejected": summary.rejected,
    }
    print(json.dumps(counts) if args.json else _described(counts), file=sys.stdout)
    if summary.debug:
        say(f"the traces of errors are in {summary.debug}; please report them")
    return REJECTS if summary.rejected else 0


def _described(counts: dict[str, Any]) -> str:
    what = "added" if "added" in counts else "swapped"
    edits = ", ".join(f"{number:,} {kind}" for kind, number in counts["edits"].items()) or "none"
    rejected = f"; {counts['rejected']:,} written through unread" if counts["rejected"] else ""
    return f"{counts['records']:,} records, {counts[what]:,} {what}; edits: {edits}{rejected}"
