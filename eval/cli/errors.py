"""``gender-fair eval errors``."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from eval.cli.options import add_text_options, count_table, damage_line, hide_sentences
from eval.edits import EditReport, Outcome, count_edits
from eval.html import write_errors
from eval.texts import read_sentences, refuse_swapped
from rewriter.cli.parsers import add_command

DESCRIPTION = """\
What went wrong, by kind of edit: of the edits that the reference makes, how many HYP has done, missed (the source
stands) or got wrong (something else stands there), and what it changed beyond them.

examples:
  gender-fair eval errors system.txt reference.txt source.txt
  gender-fair eval errors system.txt reference.txt source.txt --html errors.html
  gender-fair eval errors system.txt reference.txt source.txt --counts-only --json
"""


def register_errors(commands: Any) -> None:
    """Add ``eval errors``."""
    parser = add_command(commands, "errors", "errors by kind of edit, with examples", DESCRIPTION)
    parser.add_argument("hypothesis", type=Path, metavar="HYP", help="what a system answered, a sentence per line")
    parser.add_argument("reference", type=Path, metavar="REF", help="what it should have answered")
    parser.add_argument("source", type=Path, metavar="SRC", help="what was rewritten")
    parser.add_argument("--examples", type=int, default=5, metavar="N", help="examples per kind (default: %(default)s)")
    parser.add_argument("--counts-only", action="store_true", help="no sentences, also not in the page")
    parser.add_argument("--html", type=Path, metavar="FILE", help="write a page with every error")
    parser.add_argument("--trust-order", action="store_true", help="do not check file names for swapped arguments")
    add_text_options(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Count, print, write the page."""
    paths = (args.source, args.reference, args.hypothesis)
    if not args.trust_order:
        where = " (--trust-order if that is meant)"
        refuse_swapped(hypothesis=args.hypothesis, reference=args.reference, source=args.source, where=where)
    source, reference, hypothesis = map(read_sentences, paths)
    report = count_edits(
        source=source, hypothesis=hypothesis, reference=reference, lang=args.lang, tokenizer=args.tokenizer
    )
    texts = None if args.counts_only or hide_sentences(paths) else (source, reference, hypothesis)
    if args.html:
        write_errors(args.html, report, counts=count_table(report), texts=texts)
    print(_json(report, texts) if args.json else _text(report, texts, args.examples))
    return 0


def _json(report: EditReport, texts: Sequence[Sequence[str]] | None) -> str:
    record = report.to_dict()
    if texts is not None:
        record["failures"] = [_failure(outcome) for outcome in report.failures()]
    return json.dumps(record, ensure_ascii=False)


def _failure(outcome: Outcome) -> dict[str, Any]:
    words = {"before": outcome.before, "expected": outcome.expected, "got": outcome.got}
    place = {"line": outcome.sentence + 1, "kind": outcome.kind, "status": outcome.status}
    return place | {name: " ".join(tokens) for name, tokens in words.items()}


def _text(report: EditReport, texts: Sequence[Sequence[str]] | None, examples: int) -> str:
    parts = [f"{count_table(report).plain()}\n{damage_line(report)}"]
    for kind in report.kinds if texts is not None else ():
        failures = [outcome for outcome in report.failures() if outcome.kind == kind][:examples]
        if failures:
            parts.append("\n".join([f"{kind}:", *(_example(outcome, texts or ()) for outcome in failures)]))
    return "\n\n".join(parts)


def _example(outcome: Outcome, texts: Sequence[Sequence[str]]) -> str:
    before, expected, got = (" ".join(t) or "(nothing)" for t in (outcome.before, outcome.expected, outcome.got))
    head = f"  line {outcome.sentence + 1}, {outcome.status}: {before} → {expected}, got {got}"
    return "\n".join([head, *(f"    {text[outcome.sentence]}" for text in texts)])
