"""``gender-fair eval errors``."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from eval.ablation import SUFFIXES
from eval.cli.ablation_options import ablation_of, add_ablation_options
from eval.cli.options import add_text_options, count_table, damage_line, hide_sentences
from eval.edits import EditReport, Outcome, count_edits
from eval.html import write_errors
from eval.texts import read_sentences, refuse_swapped
from rewriter.cli.parsers import add_command
from rewriter.errors import UsageError
from rewriter.model.deciders import NETWORK

DESCRIPTION = """\
What went wrong, by kind of edit: of the edits that the reference makes, how many HYP has done, missed (the source
stands) or got wrong (something else stands there), and what it changed beyond them.

With --model the rewriter itself is asked, and HYP is left out.

examples:
  gender-fair eval errors system.txt reference.txt source.txt
  gender-fair eval errors system.txt reference.txt source.txt --html errors.html
  gender-fair eval errors system.txt reference.txt source.txt --counts-only --json
  gender-fair eval errors --model en reference.txt source.txt --ablate
"""


def register_errors(commands: Any) -> None:
    """Add ``eval errors``."""
    parser = add_command(commands, "errors", "errors by kind of edit, with examples", DESCRIPTION)
    parser.add_argument(
        "files",
        nargs="+",
        type=Path,
        metavar="FILE",
        help="HYP (what a system answered, a sentence per line; not with --model), REF (what it should have answered), "
        "SRC (what was rewritten)",
    )
    parser.add_argument("--model", metavar="MODEL", help="bundled name or model directory that answers")
    parser.add_argument("--examples", type=int, default=5, metavar="N", help="examples per kind (default: %(default)s)")
    parser.add_argument("--counts-only", action="store_true", help="no sentences, also not in the page")
    parser.add_argument("--html", type=Path, metavar="FILE", help="write a page with every error")
    parser.add_argument("--trust-order", action="store_true", help="do not check file names for swapped arguments")
    add_text_options(parser, lang=None)
    add_ablation_options(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Count, print, write the page."""
    *hypothesis, reference, source = _files(args)
    if not args.trust_order:
        where = " (--trust-order if that is meant)"
        refuse_swapped(hypothesis=hypothesis[0] if hypothesis else "", reference=reference, source=source, where=where)
    texts = {"source": read_sentences(source), "reference": read_sentences(reference)}
    if args.model is None:
        lang, answers = args.lang or "en", {NETWORK: read_sentences(hypothesis[0])}
    else:
        lang, answers = _ask(args, texts["source"])
    reports = {
        part: count_edits(**texts, hypothesis=answer, lang=lang, tokenizer=args.tokenizer)
        for part, answer in answers.items()
    }
    hidden = args.counts_only or hide_sentences((source, reference, *hypothesis))
    shown = None if hidden else (texts["source"], texts["reference"], answers[NETWORK])
    report = reports[NETWORK]
    if args.html:
        write_errors(args.html, report, counts=count_table(report), texts=shown)
    parts = {part: found for part, found in reports.items() if part != NETWORK}
    if args.json:
        print(_json(report, shown, parts))
        return 0
    print("\n\n".join([_text(report, shown, args.examples), *_parts(parts)]))
    return 0


def _files(args: argparse.Namespace) -> list[Path]:
    """Return the files in their order: hypothesis (without a model), reference, source."""
    wanted = ["REF", "SRC"] if args.model is not None else ["HYP", "REF", "SRC"]
    if len(args.files) != len(wanted):
        raise UsageError(f"{len(args.files)} files where {' '.join(wanted)} are needed")
    if args.model is None and (args.ablate or args.guard != "strict"):
        raise UsageError("--guard and --ablate are about a model; name it with --model and leave HYP out")
    return list(args.files)


def _ask(args: argparse.Namespace, source: list[str]) -> tuple[str, dict[str, list[str]]]:
    """Return the language of the model, and the answers by what decides."""
    found = ablation_of(args, [args.model]).load(args.model)
    lang = found[NETWORK].info.lang
    if args.lang not in (None, lang):
        raise UsageError(f"the model '{args.model}' is for '{lang}', not for --lang {args.lang}")
    return lang, {part: rewriter.rewrite(source) for part, rewriter in found.items()}


def _parts(parts: Mapping[str, EditReport]) -> Iterator[str]:
    for part, report in parts.items():
        yield f"{SUFFIXES[part]}\n{count_table(report).plain()}\n{damage_line(report)}"


def _json(report: EditReport, texts: Sequence[Sequence[str]] | None, parts: Mapping[str, EditReport]) -> str:
    record = report.to_dict()
    if parts:
        record["parts"] = {part: found.to_dict() for part, found in parts.items()}
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
