"""The commands ``gender-fair augment find-fair``, ``normalise``, ``round-trip``, ``merge`` and ``prompt``."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from augment.cli.options import add_common, build_config, parse_settings, processes
from rewriter.cli.parsers import add_command, add_download_option
from rewriter.runs.manifest import Manifest

#: exit code: finished, but some records were left out
REJECTS = 3

FIND = """\
Find sentences with gender-fair forms (star, colon, gap, slash, Binnen-I, brackets, pair forms) and write them as pairs:
the sentence as it was written, and in one form.

examples:
  gender-fair augment find-fair corpus/ -o fair --processes 2
  gender-fair augment find-fair corpus/ -o singular --set only_singular=true --set form=colon
  gender-fair augment find-fair "corpus/*.txt.zst" -o fair --sentences 50000 --exclude "licence:*NC*"
"""

NORMALISE = """\
Write all gender-fair forms of a text in one form, line by line; everything else is copied byte for byte. What looks
like a form and could not be read is counted, and listed in the file of --report.

examples:
  gender-fair augment normalise article.txt -o star.txt
  gender-fair augment normalise corpus.txt.zst -o colon.txt.zst --form colon --report unread.jsonl
"""

ROUND_TRIP = """\
Translate sentences that find-fair (or prompt) wrote into a language that does not mark gender, and back. The way back
is the source, the original the target (Amrhein et al. 2023, section 4). THERE and BACK are folders that
`gender-fair train translator` made, or models for transformers by folder or name.

examples:
  gender-fair augment round-trip fair -o trips --there runs/de-en/export/model --back runs/en-de/export/model
  gender-fair augment round-trip fair -o trips --there facebook/wmt19-de-en --back facebook/wmt19-en-de
  gender-fair augment round-trip fair -o trips --there DE-EN --back EN-DE --gender none --gender feminine
"""

MERGE = """\
Put the biased words of round trips into the original sentences (Amrhein et al. 2023, appendix C).

examples:
  gender-fair augment merge trips -o merged
  gender-fair augment merge trips -o merged --set verbatim_first=true --set unmatched=drop
"""

PROMPT = """\
Let a causal language model go on from "Ein*e Lehrer*in" and keep its sentences with gender-fair singulars
(Amrhein et al. 2023, appendix D). MODEL is a folder or a name for transformers.

examples:
  gender-fair augment prompt benjamin/gerpt2-large -o prompted --set texts=20
  gender-fair augment prompt my-model/ -o prompted --prompts beginnings.txt --set device=cuda
"""


def register_round_trip(commands: Any) -> None:
    """Add the commands to ``augment``."""
    find = add_command(commands, "find-fair", "find sentences with gender-fair forms", FIND)
    find.add_argument("inputs", nargs="+", metavar="INPUT", help="text files (.txt, .gz, .zst), folders or globs")
    find.add_argument("--exclude", action="append", default=[], metavar="GLOB", help="file names, or licence:GLOB")
    find.add_argument("--sentences", type=int, metavar="N", help="take about N sentences (default: all)")
    _add_shared(find, run_find)
    _register_normalise(commands)
    trip = add_command(commands, "round-trip", "translate gender-fair sentences there and back", ROUND_TRIP)
    trip.add_argument("inputs", nargs="+", metavar="INPUT", help="folders of find-fair or prompt, or files of pairs")
    trip.add_argument("--there", required=True, metavar="MODEL", help="translator into the pivot language")
    trip.add_argument("--back", required=True, metavar="MODEL", help="translator back")
    add_download_option(trip)
    trip.add_argument(
        "--gender",
        action="append",
        default=[],
        metavar="GENDER",
        help="none (default), feminine, masculine; repeatable",
    )
    _add_shared(trip, run_round_trip)
    merge = add_command(commands, "merge", "put the words of round trips into the originals", MERGE)
    merge.add_argument("inputs", nargs="+", metavar="INPUT", help="folders of round-trip, or files of pairs")
    _add_shared(merge, run_merge)
    prompt = add_command(commands, "prompt", "gender-fair singulars from a language model", PROMPT)
    prompt.add_argument("model", metavar="MODEL", help="causal language model by folder or name")
    add_download_option(prompt)
    prompt.add_argument("--prompts", default="", metavar="FILE", help="beginnings (default: all person nouns)")
    _add_shared(prompt, run_prompt, in_processes=False)


def _add_shared(parser: argparse.ArgumentParser, run: Any, *, in_processes: bool = True) -> None:
    parser.add_argument("--lang", default="de", help="language (default de)")
    if in_processes:
        parser.add_argument("--processes", type=processes, default=1, metavar="N", help="worker processes (default 1)")
    add_common(parser)
    parser.set_defaults(run=run)


def _register_normalise(commands: Any) -> None:
    parser = add_command(commands, "normalise", "write gender-fair forms in one form", NORMALISE)
    parser.add_argument("input", type=Path, metavar="INPUT", help="text file (.txt, .gz, .zst)")
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="FILE", help="result")
    parser.add_argument("--form", default="star", help="star (default), colon, gap, slash or binnen-i")
    parser.add_argument("--report", type=Path, metavar="FILE", help="list what could not be read, as JSON lines")
    parser.add_argument("--lang", default="de", help="language (default de)")
    parser.add_argument("--json", action="store_true", help="print the counts as JSON")
    parser.set_defaults(run=run_normalise)


def run_find(args: argparse.Namespace) -> int:
    """Find sentences."""
    from augment.round_trip.find import FindConfig, find_fair

    values = _values(args, "inputs", "exclude", "sentences", "processes", "seed")
    config = build_config(FindConfig, values, where="find-fair")
    return _report(args, find_fair(config, output=Path(args.output), fresh=args.fresh))


def run_normalise(args: argparse.Namespace) -> int:
    """Normalise a file."""
    from augment.round_trip.normalise import normalise_file
    from rewriter.cli.rejects import tell_rejects
    from rewriter.faults import debug_file

    report = normalise_file(args.input, args.output, lang=args.lang, form=args.form, report=args.report)
    tell_rejects(report.rejects, "written unchanged", debug_file(args.report))
    if args.json:
        print(json.dumps(report.to_dict(), ensure_ascii=False))
        return REJECTS if report.rejects else 0
    print(f"{args.output}: {report.changed:,} of {report.lines:,} lines changed", file=sys.stderr)
    for name, counts in (("read", report.forms), ("not read", report.unread)):
        for what, count in counts.most_common():
            print(f"{name}\t{what}\t{count}")
    return REJECTS if report.rejects else 0


def run_round_trip(args: argparse.Namespace) -> int:
    """Translate there and back."""
    from augment.round_trip.translate import RoundTripConfig, round_trip

    values = {**_values(args, "inputs", "there", "back", "processes", "seed"), "genders": args.gender or ["none"]}
    config = build_config(RoundTripConfig, values | parse_settings(args.set), where="round-trip")
    return _report(args, round_trip(config, output=Path(args.output), fresh=args.fresh))


def run_merge(args: argparse.Namespace) -> int:
    """Merge round trips."""
    from augment.round_trip.merge import MergeConfig, merge_round_trips

    config = build_config(MergeConfig, _values(args, "inputs", "processes"), where="merge")
    return _report(args, merge_round_trips(config, output=Path(args.output), fresh=args.fresh))


def run_prompt(args: argparse.Namespace) -> int:
    """Prompt a language model."""
    from augment.round_trip.prompting import PromptConfig, prompt

    config = build_config(PromptConfig, _values(args, "model", "prompts", "seed"), where="prompt")
    return _report(args, prompt(config, output=Path(args.output), fresh=args.fresh))


def _values(args: argparse.Namespace, *names: str) -> dict[str, Any]:
    return {**{name: getattr(args, name) for name in (*names, "lang")}, **parse_settings(args.set)}


def _report(args: argparse.Namespace, manifest: Manifest) -> int:
    """Print what was done; the counts of the run stand in ``stats.json``."""
    from rewriter.io.files import read_json
    from rewriter.runs.shards import STATS

    stats: Mapping[str, Any] = read_json(Path(args.output) / STATS)
    if args.json:
        print(json.dumps({**manifest.counts, "counts": stats["counts"]}, ensure_ascii=False))
    else:
        print(f"{stats['written']:,} pairs from {stats['lines']:,} lines; {manifest.seconds:.0f} s")
        for name, count in sorted(stats["counts"].items(), key=lambda item: (-item[1], item[0])):
            print(f"{name}\t{count:,}")
    return REJECTS if manifest.counts.get("rejected") else 0
