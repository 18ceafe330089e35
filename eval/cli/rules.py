"""``gender-fair eval rules``."""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from eval.cases import is_sealed, read_cases, read_cases_back
from eval.reading.score import is_sealed as is_sealed_reading
from eval.reading.score import load_set
from eval.rules import Change, RuleMeasure, RuleWorth, idle
from eval.tables import Table
from rewriter.cli.language_settings import add_setting_options, setting_options
from rewriter.cli.messages import say
from rewriter.cli.parsers import add_command
from rewriter.errors import UsageError
from rewriter.io.files import read_lines
from rewriter.language.interface import get_language
from rewriter.language.rules import known_rules
from rewriter.model.direction import DIRECTIONS, FAIR, THEY
from rewriter.pipeline import Rewriter

DESCRIPTION = """\
What each rule of a grammar is worth: how often it decides in texts (a line each), how many outputs are others without
it, and how many sentences with known targets are right only without it (gained) or only with it (lost). Sets with
targets are tables of cases (eval cases) and read sentences (eval reading); sealed ones are refused. With --list, the
rules of a language with what they do, an example and a counter-example; the word that is decided stands in brackets.
With --to, the rules of the way back are measured, on texts and on tables with the columns fair and --to's.

examples:
  gender-fair eval rules --list --lang en
  gender-fair eval rules en corpus.txt --cases mine.tsv
  gender-fair eval rules en corpus.txt --show 3
  gender-fair eval rules en corpus.txt --to masculine
  gender-fair eval rules de corpus.txt --reading open.jsonl --data corpora --lines 200000 --json
"""


def register_rules(commands: Any) -> None:
    """Add ``eval rules``."""
    parser = add_command(commands, "rules", "what each rule of the grammar is worth", DESCRIPTION)
    parser.add_argument("model", nargs="?", help="bundled name or model directory of an edit model")
    parser.add_argument("texts", nargs="*", type=Path, metavar="TEXT", help="text files, a text per line")
    parser.add_argument("--lines", type=int, metavar="N", help="look at the first N lines of each file only")
    parser.add_argument("--cases", action="append", default=[], type=Path, metavar="TSV", help="cases (repeatable)")
    parser.add_argument(
        "--reading", action="append", default=[], type=Path, metavar="JSONL", help="read sentences (repeatable)"
    )
    parser.add_argument("--data", type=Path, metavar="DIR", help="folder of their texts (default: GENDER_FAIR_DATA)")
    parser.add_argument(
        "--enough", type=int, metavar="N", help="try a rule in no further texts once it changed N outputs"
    )
    parser.add_argument(
        "--rule", action="append", default=[], metavar="NAME", help="measure this rule only (repeatable; faster)"
    )
    parser.add_argument("--show", type=int, default=0, metavar="N", help="show N changed texts of each rule")
    parser.add_argument(
        "--to", choices=DIRECTIONS, default=FAIR, help="measure the rules of the way back to this (default: fair)"
    )
    parser.add_argument("--they", choices=THEY, default=THEY[0], help="with --to: which they (default: singular)")
    parser.add_argument("--list", action="store_true", help="list the rules of --lang and measure nothing")
    parser.add_argument("--lang", default="en", help="language of --list (default: %(default)s)")
    parser.add_argument("--json", action="store_true", help="print JSON")
    add_setting_options(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """List or measure, print."""
    if args.list:
        print("\n".join(_listed(args.lang, as_json=args.json)))
        return 0
    if args.model is None:
        raise UsageError("name a model, or list the rules of a language with --list --lang CODE")
    for path in (*args.cases, *args.reading):
        if is_sealed(path) or is_sealed_reading(path):
            raise UsageError(f"{path} is sealed: no rule is judged by it")
    if args.to != FAIR and args.reading:
        raise UsageError("--reading holds sentences read on the way to fair text; with --to give --cases")
    rewriter = Rewriter.from_pretrained(args.model, **setting_options(args), to=args.to, they=args.they, threads=1)
    measure = RuleMeasure(rewriter, examples=args.show, enough=args.enough, only=args.rule)
    lines = 0
    for path in args.texts:
        texts = list(islice(read_lines(path), args.lines))
        lines += len(texts)
        measure.add_texts(texts)
        say(f"{path}: {len(texts)} lines")
    for path in args.cases:
        measure.add_cases(path.stem, read_cases(path) if args.to == FAIR else read_cases_back(path, args.to))
    for path in args.reading:
        measure.add_reading(path.stem, load_set([path], _data_folder(args)))
    print("\n".join(_json(measure, lines) if args.json else _table(measure, lines)))
    return 0


def _data_folder(args: argparse.Namespace) -> Path:
    folder = args.data or os.environ.get("GENDER_FAIR_DATA")
    if not folder:
        raise UsageError("name the folder that the texts lie in with --data, or set GENDER_FAIR_DATA")
    return Path(folder)


def _listed(lang: str, *, as_json: bool) -> Iterator[str]:
    get_language(lang)  # imports the modules that have rules
    for rule in known_rules(lang).values():
        effect = rule.decision.effect
        if as_json:
            record = {"name": rule.name, "effect": effect, "example": rule.example, "counter": rule.counter}
            yield json.dumps(record, ensure_ascii=False)
        else:
            yield f"{rule.name} ({effect})\n    {rule.example}\n    not: {rule.counter}"


def _json(measure: RuleMeasure, lines: int) -> Iterator[str]:
    record = {
        "lines": lines,
        "rules": {name: _record(worth) for name, worth in measure.worths.items()},
        "idle": list(idle(measure.worths)),
    }
    yield json.dumps(record, ensure_ascii=False)


def _record(worth: RuleWorth) -> dict[str, Any]:
    sets = {n: {"gained": c.gained, "lost": c.lost, "other": c.other} for n, c in worth.sets.items()}
    counts = {"effect": worth.rule.decision.effect, "spoken": worth.spoken, "texts": worth.texts}
    return counts | {"tried": worth.tried, "changed": worth.changed, "sets": sets, "examples": worth.examples}


def _table(measure: RuleMeasure, lines: int) -> Iterator[str]:
    sets = list(next(iter(measure.worths.values())).sets) if measure.worths else []
    head = [
        "rule",
        "effect",
        "speaks",
        "in texts",
        "tried",
        "changed",
        *(f"{name}: gained/lost/other" for name in sets),
    ]
    ordered = sorted(measure.worths.items(), key=lambda item: (-item[1].changed, -item[1].spoken))
    rows = [[name, *_cells(worth)] for name, worth in ordered]
    yield Table(head, rows).plain()
    yield f"\n{lines} lines; {sum(1 for _ in idle(measure.worths))} of {len(ordered)} rules change nothing"
    for name, worth in ordered:
        for text, given, other in worth.examples:
            yield f"\n{name}\n  source   {text}\n  with     {given}\n  without  {other}"


def _cells(worth: RuleWorth) -> list[str]:
    counts = (worth.spoken, worth.texts, worth.tried, worth.changed)
    return [worth.rule.decision.effect, *map(str, counts), *map(_cell, worth.sets.values())]


def _cell(change: Change) -> str:
    return f"{change.gained}/{change.lost}/{change.other}"
