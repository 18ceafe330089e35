"""The commands ``gender-fair augment``, ``filter`` and ``mix``."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from augment.cli.diet import register_diet
from augment.cli.mitigate import register_mitigate
from augment.cli.options import add_common, build_config, parse_settings, processes
from augment.cli.reading import register_reading
from augment.cli.round_trip import register_round_trip
from augment.cli.swap import register_swap
from augment.cli.swap_cases import register_swap_cases
from augment.cli.twins import register_twins
from rewriter.cli.parsers import add_command
from rewriter.cli.rejects import tell_rejects
from rewriter.errors import UsageError
from rewriter.records import Reject
from rewriter.runs.manifest import Manifest

#: exit code: finished, but some records were left out
REJECTS = 3

AUGMENT = """\
Make parallel pairs (gendered source, gender-fair target) from plain text.

examples:
  gender-fair augment backward corpus/*.txt.zst -o pairs --parser runs/parser --processes 2
  gender-fair augment forward corpus/ -o pairs --parser en_core_web_sm --sentences 100000
  gender-fair augment neutral corpus/ -o plain --sentences 50000
  gender-fair augment look-alike corpus/ -o traps --sentences 20000
  gender-fair augment teacher corpus/ --lang de --model runs/de-large/export/model -o taught --processes 2
  gender-fair augment distilled corpus/ --model en -o distilled --processes 2
  gender-fair augment copying corpus/ -o copied --sentences 50000
  gender-fair augment stand-in corpus/ -o certain
  gender-fair augment pairs corpus/ -o pairs --lang de --strategy pair-form
  gender-fair augment pair-form laws.txt -o pairs
  gender-fair augment pair-form --explain "Die Ärztin oder der Arzt hilft."
  gender-fair augment backward corpus/ --parser runs/parser --sample 300 --page sample.html
  gender-fair augment forward --parser runs/parser --explain "She knows her stuff."
  gender-fair augment apply article.txt -o fair.txt --parser runs/parser
  gender-fair augment mitigate corpus.txt -o balanced --merge spread
  gender-fair augment swap corpus.txt -o doubled.txt --strategy cda
  gender-fair augment twins sentences.txt -o twins.jsonl
  gender-fair augment involution sentences.txt
  gender-fair augment find-fair corpus/ -o fair
  gender-fair augment normalise article.txt -o star.txt
  gender-fair augment round-trip fair -o trips --there DE-EN --back EN-DE
  gender-fair augment merge trips -o merged
  gender-fair augment prompt my-model/ -o prompted
  gender-fair augment choose corpora/de --data corpora --model de --by uncertainty -o sheet.html
  gender-fair augment import-targets sheet.jsonl --data corpora --lang de --reader anna -o gold.jsonl
  gender-fair augment gold gold.jsonl --data corpora --lang de -o pairs/gold
"""

STRATEGY_HELP = {
    "backward": "fair text (they ...) is the target; gendered sources are made from it (Amrhein et al. 2023)",
    "forward": "gendered text (he, she ...) is the source; its fair target is made by rules (Sun et al. 2021)",
    "neutral": "sentences without anything to rewrite, as pairs of a text and itself",
    "look-alike": "such sentences with a word put in that looks gendered and must stay",
    "teacher": "what a larger edit model makes of text, for a smaller one to learn from (Kim & Rush 2016)",
    "distilled": "whole sentences of an edit model, for a sequence-to-sequence model to learn from (Kim & Rush 2016)",
    "copying": "sentences to be copied, with names, numbers, addresses and signs put in",
    "stand-in": "English: ambiguous words (her, she's) in places where another (him, I'm) tells what they are",
    "pair-form": "German: each half of a pair form (die Ärztin oder der Arzt) is a source, the star form the target",
}
#: strategies of one language
_LANGUAGES = {"stand-in": "en", "pair-form": "de"}
_PARSED = ("forward", "backward", "pairs")
_TAUGHT = ("teacher", "distilled")

FILTER = """\
Take noisy and repeated pairs out with OpusFilter; what was dropped is kept with its reason in rejected.jsonl.zst, the
OpusFilter configuration in opusfilter.yaml.

examples:
  gender-fair filter pairs/backward pairs/forward -o filtered --processes 2
  gender-fair filter pairs.jsonl -o filtered --set max_words=80 --set duplicates=letters
  gender-fair filter pairs.jsonl -o filtered --set 'extra=[{TerminalPunctuationFilter: {threshold: -2}}]'
"""

MIX = """\
Mix pairs into train.jsonl.zst and dev.jsonl.zst: gendered pairs, fair targets as copies of themselves, sentences with
nothing to rewrite (form "neutral" in the input) up to a share of the whole. No document, and nothing that resembles
one of its sentences, is on both sides.

examples:
  gender-fair mix filtered -o mixed
  gender-fair mix filtered -o mixed --set neutral_share=0.2 --set limits.forward=50000 --set drop_doubtful=true
"""


# ---------------------------------------------------------------- augment


def register_augment(subparsers: Any) -> None:
    """Add the command ``augment`` with one command per strategy."""
    parser = add_command(subparsers, "augment", "make parallel pairs from plain text", AUGMENT)
    commands = parser.add_subparsers(title="strategies", metavar="STRATEGY", required=True)
    for name, summary in STRATEGY_HELP.items():
        strategy = add_command(commands, name, summary, f"{summary[0].upper()}{summary[1:]}.\n\n{_examples(name)}")
        _add_augment_options(strategy, name)
        strategy.set_defaults(run=run_augment, strategy=name)
    _add_own(commands)
    _add_apply(commands)
    register_mitigate(commands)
    register_diet(commands)
    register_swap(commands)
    register_swap_cases(commands)
    register_twins(commands)
    register_round_trip(commands)
    register_reading(commands)


def _add_own(commands: Any) -> None:
    summary = "pairs by any strategy of a language, also one of a language of your own, which has no command here"
    parser = add_command(commands, "pairs", summary, f"{summary[0].upper()}{summary[1:]}.\n\n{_examples('pairs')}")
    parser.add_argument("--strategy", required=True, metavar="NAME", help="name of the strategy")
    _add_augment_options(parser, "pairs")
    parser.set_defaults(run=run_augment)


def _add_apply(commands: Any) -> None:
    summary = "rewrite a text by the forward rules alone, without a model (a baseline)"
    parser = add_command(commands, "apply", summary, f"{summary[0].upper()}{summary[1:]}.\n\n{_examples('apply')}")
    parser.add_argument("input", type=Path, help="text file (.txt, .gz, .zst), rewritten line by line")
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="FILE", help="result")
    parser.add_argument("--parser", required=True, metavar="NAME", help="spaCy pipeline: installed name or folder")
    parser.add_argument("--lang", default="en", help="language (default en)")
    parser.set_defaults(run=run_apply)


def run_apply(args: argparse.Namespace) -> int:
    """Rewrite a file by rules."""
    from augment.apply import apply_rules_to_file
    from augment.dependency import load_parser

    rejects: list[Reject] = []
    lines = apply_rules_to_file(args.input, args.output, load_parser(args.parser), lang=args.lang, rejects=rejects)
    print(f"{args.output}: {lines} lines", file=sys.stderr)
    tell_rejects(rejects, "written unchanged")
    return REJECTS if rejects else 0


def _examples(strategy: str) -> str:
    return "examples:\n" + "\n".join(line for line in AUGMENT.splitlines() if f" {strategy} " in line)


def _add_augment_options(parser: argparse.ArgumentParser, strategy: str) -> None:
    lang = _LANGUAGES.get(strategy, "en")
    parser.add_argument("inputs", nargs="*", metavar="INPUT", help="text files (.txt, .gz, .zst), folders or globs")
    parser.add_argument("--lang", default=lang, help=f"language (default {lang})")
    parser.add_argument("--exclude", action="append", default=[], metavar="GLOB", help="file names, or licence:GLOB")
    parser.add_argument("--sentences", type=int, metavar="N", help="take about N sentences (default: all)")
    parser.add_argument("--processes", type=processes, default=1, metavar="N", help="worker processes (default 1)")
    parser.add_argument("--sample", type=int, metavar="N", help="print N pairs for reading; without -o nothing is kept")
    parser.add_argument("--page", type=Path, metavar="FILE", help="write the sample to FILE (.html or text)")
    parser.set_defaults(parser=None, explain=None, model="")
    if strategy in _TAUGHT:
        parser.add_argument("--model", required=True, help="edit model that teaches: bundled name or directory")
    if strategy in _PARSED:
        parser.add_argument("--parser", metavar="NAME", help="spaCy pipeline: installed name or folder")
    if strategy in (*_PARSED, *_LANGUAGES):
        parser.add_argument("--explain", metavar="TEXT", help="rewrite one text and print the edits with their rules")
    add_common(parser, output_required=False)


def run_augment(args: argparse.Namespace) -> int:
    """Make pairs, print a sample, or explain one text."""
    from augment.generate import GenerateConfig

    values = {
        "strategy": args.strategy,
        "inputs": args.inputs,
        "lang": args.lang,
        "exclude": args.exclude,
        "parser": args.parser or "",
        "sentences": args.sentences,
        "processes": args.processes,
        "seed": args.seed,
    }
    settings = parse_settings(args.set)
    if args.model:
        values["options"] = settings.pop("options", {}) | {"model": args.model}
    config = build_config(GenerateConfig, values | settings, where="augment")
    if args.explain is not None:
        return _explain(args.explain, config, as_json=args.json)
    if not config.inputs:
        raise UsageError("augment: give text files, folders or globs (or --explain TEXT)")
    if args.output:
        return _generate(args, config, Path(args.output))
    if not args.sample:
        raise UsageError("augment: give an output folder with -o, or --sample N to read some pairs")
    return _sample_only(args, config)


def _generate(args: argparse.Namespace, config: Any, output: Path) -> int:
    from augment.generate import describe, generate

    manifest = generate(config, output=output, fresh=args.fresh)
    if args.sample:
        _print_sample(args, output)
    if args.json:
        print(json.dumps(manifest.counts))
    else:
        print(describe(manifest, output), file=sys.stderr if args.sample and not args.page else sys.stdout)
    return REJECTS if manifest.counts.get("rejected") else 0


def _sample_only(args: argparse.Namespace, config: Any) -> int:
    """Make just enough pairs in a temporary folder."""
    from augment.generate import generate

    with tempfile.TemporaryDirectory(prefix="gender-fair-sample-") as folder:
        # A sentence may give several pairs or none.
        generate(replace(config, sentences=config.sentences or 2 * args.sample), output=Path(folder))
        _print_sample(args, Path(folder))
    return 0


def _print_sample(args: argparse.Namespace, output: Path) -> None:
    from augment.filtering import iterate
    from augment.page import page_lines, sample_pairs, write_page
    from rewriter.report.display import use_color

    pairs = sample_pairs(iterate([output]), args.sample, seed=args.seed)
    if args.page:
        write_page(args.page, pairs, title=f"{len(pairs)} pairs: {args.strategy}")
    else:
        print("\n".join(page_lines(pairs, color=use_color(sys.stdout))))


def _explain(text: str, config: Any, *, as_json: bool) -> int:
    from augment.generate import explain

    for result in explain(text, config):
        edits = [
            {"start": e.start, "end": e.end, "before": e.before, "after": e.after, "kind": e.kind, "rule": e.reason}
            for e in result.edits
        ]
        record = {"source": result.source, "target": result.target, "form": result.form, "edits": edits}
        if as_json:
            print(json.dumps(record | {"doubtful": result.doubtful, "dropped": result.dropped}, ensure_ascii=False))
            continue
        print(f"{result.form}: {result.source}\n    -> {result.target}")
        if result.dropped:
            print(f"    dropped: {result.dropped}")
        doubtful = {tuple(span) for span in result.doubtful}
        for edit in edits:
            doubt = " (doubtful)" if (edit["start"], edit["end"]) in doubtful else ""
            print(f"    {edit['before']} -> {edit['after']}: {edit['kind']}, rule '{edit['rule']}'{doubt}")
    return 0


# ---------------------------------------------------------------- filter, mix


def register_filter(subparsers: Any) -> None:
    """Add the command ``filter``."""
    parser = add_command(subparsers, "filter", "take noisy and repeated pairs out (OpusFilter)", FILTER)
    parser.add_argument("inputs", nargs="+", metavar="INPUT", help="files of pairs (.jsonl, .parquet) or their folders")
    parser.add_argument("--processes", type=processes, default=1, metavar="N", help="worker processes (default 1)")
    add_common(parser)
    parser.set_defaults(run=run_filter)


def run_filter(args: argparse.Namespace) -> int:
    """Filter pairs."""
    from augment.filtering import FilterConfig, filter_pairs

    values: Mapping[str, Any] = {"processes": args.processes} | parse_settings(args.set)
    config = build_config(FilterConfig, values, where="filter")
    manifest = filter_pairs(config, inputs=args.inputs, output=args.output, fresh=args.fresh)
    return _report(args, manifest, ("pairs", "kept", "reasons"))


def register_mix(subparsers: Any) -> None:
    """Add the command ``mix``."""
    parser = add_command(subparsers, "mix", "mix pairs into a training and a development set", MIX)
    parser.add_argument("inputs", nargs="+", metavar="INPUT", help="files of pairs (.jsonl, .parquet) or their folders")
    add_common(parser)
    parser.set_defaults(run=run_mix)


def run_mix(args: argparse.Namespace) -> int:
    """Mix pairs."""
    from augment.mixing import MixConfig, mix

    config = build_config(MixConfig, {"seed": args.seed} | parse_settings(args.set), where="mix")
    manifest = mix(config, inputs=args.inputs, output=args.output, fresh=args.fresh)
    return _report(args, manifest, ("train", "dev", "train kinds", "dev kinds", "left out"))


def _report(args: argparse.Namespace, manifest: Manifest, keys: Sequence[str]) -> int:
    if args.json:
        print(json.dumps(manifest.counts))
        return REJECTS if manifest.counts.get("rejected") else 0
    for key in keys:
        value = manifest.counts.get(key, 0)
        if isinstance(value, Mapping):
            value = ", ".join(f"{name} {count:,}" for name, count in sorted(value.items(), key=lambda kv: -kv[1]))
            print(f"{key}: {value}")
        else:
            print(f"{key}: {value:,}")
    return REJECTS if manifest.counts.get("rejected") else 0
