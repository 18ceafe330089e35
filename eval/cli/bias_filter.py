"""``gender-fair eval bias-filter``."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tqdm import tqdm

from eval.bias_filter.core import make_matcher
from eval.bias_filter.corpus import CorpusOptions, check_not_empty, count_file, keep_records
from eval.bias_filter.counts import Assessment, GroupCounts, Share, Standard, assess
from eval.bias_filter.lexicon import Groups, choose, read_group_file, read_groups
from eval.bias_filter.matcher import Matcher
from eval.tables import Table
from rewriter.cli.parsers import add_command
from rewriter.cli.rejects import tell_rejects
from rewriter.errors import UsageError
from rewriter.formats import FormatOptions
from rewriter.formats.inputs import find
from rewriter.io.files import read_json, write_json
from rewriter.records import Reject

DESCRIPTION = """\
Universal bias filter: is a group under-represented? Counts the sentences that speak of each group, by word lists, and
compares the minority with the majority by the sentences that speak of one of them alone. Each line is a sentence
unless --segment cuts the lines. Files of any size are read once, some lines at a time.

examples:
  gender-fair eval bias-filter corpus.txt.zst
  gender-fair eval bias-filter korpus/*.txt --lang de --by-file
  gender-fair eval bias-filter news.jsonl --column body --segment en --json
  gender-fair eval bias-filter corpus.txt --group minority=she,her,hers --group majority=he,him,his
  gender-fair eval bias-filter corpus.txt --lexicon faiths.tsv --majority christian --threshold 20
  gender-fair eval bias-filter corpus.txt --check --certain         exit code 1 if under-represented beyond chance
  gender-fair eval bias-filter corpus.txt --keep female --keep neutral -o part.txt
  gender-fair eval bias-filter today.txt --add yesterday.json --save all.json
"""


def register_bias_filter(commands: Any) -> None:
    """Add ``eval bias-filter``."""
    parser = add_command(
        commands, "bias-filter", "is a group under-represented? sentences per group, with intervals", DESCRIPTION
    )
    parser.add_argument("files", nargs="+", metavar="FILE", help="text, JSON lines, CSV, TSV, Parquet; folder, pattern")
    _add_groups(parser)
    _add_standard(parser)
    _add_reading(parser)
    out = parser.add_argument_group("output")
    out.add_argument("--json", action="store_true", help="print JSON")
    out.add_argument("--by-file", action="store_true", help="a line for each file as well")
    out.add_argument("--keep", action="append", metavar="CLASS", help="write the records of this class (repeatable)")
    out.add_argument("-o", "--output", metavar="FILE", help="where --keep writes to (.gz, .zst by name)")
    out.add_argument("--save", metavar="FILE", help="write the counts as JSON")
    out.add_argument("--add", action="append", default=[], metavar="FILE", help="add counts saved before (repeatable)")
    parser.set_defaults(run=run)


def _add_groups(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("groups")
    group.add_argument("--lang", default="en", help="language of the shipped word list (default: %(default)s)")
    group.add_argument(
        "--category", default="gender", help="shipped word list: gender, or genbit for GenBiT's (default: %(default)s)"
    )
    group.add_argument("--lexicon", metavar="TSV", help="your own word list: a table with the columns word and group")
    group.add_argument(
        "--group", action="append", metavar="NAME=WORD,...", help="your own group on the command line (repeatable)"
    )
    group.add_argument("--minority", action="append", metavar="NAME", help="group to judge (repeatable; default: all)")
    group.add_argument("--majority", metavar="NAME", help="group to compare with (default: male, or the largest)")
    group.add_argument("--compat", action="store_true", help="find words as the original does: cut at white space")


def _add_standard(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("verdict")
    group.add_argument(
        "--threshold", type=float, default=50.0, metavar="PERCENT", help="under-represented below (default: 50)"
    )
    group.add_argument("--certain", action="store_true", help="only if the whole interval lies below the threshold")
    group.add_argument("--level", type=float, default=95.0, metavar="PERCENT", help="of the intervals (default: 95)")
    group.add_argument("--check", action="store_true", help="exit code 1 if a group is under-represented")


def _add_reading(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("reading")
    group.add_argument("--column", action="append", metavar="NAME", help="column with the text (default: text)")
    group.add_argument("--format", choices=("auto", "txt", "jsonl", "csv", "tsv", "parquet"), default="auto")
    group.add_argument("--segment", metavar="LANG", help="cut texts into sentences by the rules of this language")


def run(args: argparse.Namespace) -> int:
    """Count, print, keep; return 1 if ``--check`` found an under-represented group, 3 if a text was left out."""
    if bool(args.keep) != bool(args.output):
        raise UsageError("--keep CLASS and -o FILE go together: which records are kept, and where they are written")
    groups = _groups(args)
    matcher = make_matcher(groups, compat=args.compat)
    options = CorpusOptions(FormatOptions(args.format, columns=tuple(args.column or ["text"])), args.segment)
    paths = [source.path for source in find(args.files)]
    rejects: list[Reject] = []
    counts = _count(matcher, paths, options, rejects)
    total = GroupCounts(matcher.groups)
    for part in counts.values():
        total.merge(part)
    for path in args.add:
        total.merge(GroupCounts.from_dict(read_json(path)))
    check_not_empty(total, ", ".join(args.files))
    result = _assess(total, args)
    if args.save:
        write_json(args.save, total.to_dict())
    if args.keep:
        # what fails here failed when it was counted, too
        _keep(args, matcher, paths, options)
    parts = {name: _assess(part, args) for name, part in counts.items() if part.sentences}
    print(_json(result, parts) if args.json else _text(result, parts if args.by_file else {}))
    tell_rejects(rejects, "left out")
    if args.check and any(verdict.underrepresented for verdict in result.verdicts):
        return 1
    return 3 if rejects else 0


def _groups(args: argparse.Namespace) -> Groups:
    """Return the word lists that the options ask for, in a fixed order."""
    if args.group and args.lexicon:
        raise UsageError("--group and --lexicon exclude each other: put all groups into the table")
    names = [*(args.minority or []), *([args.majority] if args.majority else [])]
    if args.group:
        groups = _parse_groups(args.group)
        return choose(groups, names, "--group") if args.minority and args.majority else groups
    if args.lexicon:
        return read_group_file(args.lexicon, names=names if args.minority and args.majority else None)
    args.majority = args.majority or "male"
    args.minority = args.minority or ["female"]
    return read_groups(args.lang, args.category, names=[*args.minority, args.majority])


def _parse_groups(settings: Sequence[str]) -> Groups:
    groups: Groups = {}
    for setting in settings:
        name, equals, words = setting.partition("=")
        if not name.strip() or not equals:
            raise UsageError(f"--group {setting}: write it as NAME=WORD,WORD")
        if name.strip() in groups:
            raise UsageError(f"--group {name.strip()} is given twice; put all its words into one")
        groups[name.strip()] = [word.strip() for word in words.split(",") if word.strip()]
    return groups


def _count(
    matcher: Matcher, paths: Sequence[Path], options: CorpusOptions, rejects: list[Reject]
) -> dict[str, GroupCounts]:
    with tqdm(unit=" texts", unit_scale=True, desc="bias-filter", disable=None) as progress:
        return {
            str(path): count_file(matcher, path, options, progress=progress.update, rejects=rejects) for path in paths
        }


def _assess(counts: GroupCounts, args: argparse.Namespace) -> Assessment:
    return assess(
        counts,
        majority=args.majority,
        minorities=args.minority or (),
        standard=Standard(args.threshold, args.certain, args.level),
        tokens="original" if args.compat else "words",
    )


def _keep(args: argparse.Namespace, matcher: Matcher, paths: Sequence[Path], options: CorpusOptions) -> None:
    if len(paths) > 1:
        raise UsageError(f"--keep writes one file from one file; {len(paths)} are given")
    kept, total = keep_records(matcher, paths[0], args.output, args.keep, options, rejects=[])
    print(f"{args.output}: {kept:,} of {total:,} records", file=sys.stderr)


def _json(result: Assessment, parts: dict[str, Assessment]) -> str:
    return json.dumps(result.to_dict() | {"files": {n: p.to_dict() for n, p in parts.items()}}, ensure_ascii=False)


def _text(result: Assessment, parts: dict[str, Assessment]) -> str:
    counts = result.counts
    rows = [
        [name, f"{share.count:,}", *_percent(share), f"{counts.tokens[name]:,}" if name in counts.groups else ""]
        for name, share in result.shares.items()
    ]
    rows.append(["all", f"{counts.sentences:,}", "", "", f"{sum(counts.tokens.values()):,}"])
    blocks = [Table(["class", "sentences", "%", "interval", "words"], rows).plain()]
    if parts:
        files = [[name, *map(_short, part.verdicts)] for name, part in parts.items()]
        blocks.append(Table(["file", *(verdict.minority for verdict in result.verdicts)], files).plain())
    blocks.append("\n".join(map(str, result.verdicts)))
    return "\n\n".join([*blocks, result.signature])


def _percent(share: Share) -> tuple[str, str]:
    return f"{share.percent or 0:.2f}", f"{share.interval.low:.2f} to {share.interval.high:.2f}"


def _short(verdict: Any) -> str:
    if verdict.share.percent is None:
        return "none"
    return f"{verdict.share.percent:.1f} %" + (" <" if verdict.underrepresented else "")
