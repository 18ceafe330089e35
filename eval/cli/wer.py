"""``gender-fair eval wer``."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from eval.cli.options import (
    add_score_options,
    add_text_options,
    count_table,
    damage_line,
    hide_sentences,
    resampling_of,
)
from eval.edits import EditReport, count_edits
from eval.significance import Comparison, compare
from eval.texts import read_sentences, refuse_swapped
from eval.wer import WerResult, wer
from rewriter.cli.parsers import add_command
from rewriter.errors import MetricError

#: file of another system's answers -> its score, and the comparison with it
Against = dict[Path, tuple[WerResult, Comparison]]

DESCRIPTION = """\
Word error rate of HYP against REF on tokens, in percent, with its signature. Line N of one file belongs to line N of
the other. With --against, a paired bootstrap test between two systems; with --src, errors by kind of edit.

examples:
  gender-fair eval wer system.txt reference.txt
  gender-fair eval wer system.txt reference.txt --against baseline.txt --against other.txt
  gender-fair eval wer system.txt reference.txt --src source.txt --worst 10
"""


def register_wer(commands: Any) -> None:
    """Add ``eval wer``."""
    parser = add_command(commands, "wer", "word error rate with interval, test and signature", DESCRIPTION)
    parser.add_argument("hypothesis", type=Path, metavar="HYP", help="what a system answered, a sentence per line")
    parser.add_argument("reference", type=Path, metavar="REF", help="what it should have answered")
    parser.add_argument("--src", type=Path, help="what was rewritten; adds counts by kind of edit")
    parser.add_argument(
        "--against",
        type=Path,
        action="append",
        default=[],
        metavar="HYP2",
        help="another system's answers, to compare with (repeatable)",
    )
    parser.add_argument("--worst", type=int, default=0, metavar="N", help="show the N sentences with most errors")
    parser.add_argument("--trust-order", action="store_true", help="do not check file names for swapped arguments")
    add_text_options(parser)
    add_score_options(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Score, compare, print."""
    if not args.trust_order:
        where = " (--trust-order if that is meant)"
        refuse_swapped(hypothesis=args.hypothesis, reference=args.reference, source=args.src, where=where)
    texts = {"reference": read_sentences(args.reference), "hypothesis": read_sentences(args.hypothesis)}
    result = _score(args, args.hypothesis, texts["hypothesis"], texts["reference"])
    edits = None
    against: Against = {}
    for path in args.against:
        other = _score(args, path, read_sentences(path), texts["reference"])
        against[path] = other, compare(system=result, baseline=other, resampling=resampling_of(args))
    if args.src:
        texts = {"source": read_sentences(args.src), **texts}
        edits = count_edits(**texts, lang=args.lang, tokenizer=args.tokenizer)
    show = args.worst > 0 and not hide_sentences(p for p in (args.hypothesis, args.reference, args.src) if p)
    worst = [_sentence(i, result, texts) for i in result.worst(args.worst)] if show else []
    print(_json(result, against, edits, worst) if args.json else _text(result, against, edits, worst))
    return 0


def _score(args: argparse.Namespace, path: Path, hypothesis: list[str], reference: list[str]) -> WerResult:
    """Score one system; an error names its file, for there may be two."""
    try:
        return wer(
            hypothesis=hypothesis,
            reference=reference,
            lang=args.lang,
            tokenizer=args.tokenizer,
            case=args.case,
            resampling=resampling_of(args),
        )
    except MetricError as error:
        raise MetricError(f"{path} against {args.reference}: {error}") from None


def _sentence(index: int, result: WerResult, texts: dict[str, list[str]]) -> dict[str, Any]:
    counts = {"line": index + 1, "errors": int(result.errors[index]), "tokens": int(result.lengths[index])}
    return counts | {name: text[index] for name, text in texts.items()}


def _json(
    result: WerResult,
    against: Against,
    edits: EditReport | None,
    worst: list[dict[str, Any]],
) -> str:
    record: dict[str, Any] = {"wer": result.to_dict()}
    if against:
        record["against"] = [
            {"file": str(path), "wer": other.to_dict(), **comparison.to_dict()}
            for path, (other, comparison) in against.items()
        ]
    if edits:
        record["edits"] = edits.to_dict()
    if worst:
        record["worst"] = worst
    return json.dumps(record, ensure_ascii=False)


def _text(
    result: WerResult,
    against: Against,
    edits: EditReport | None,
    worst: list[dict[str, Any]],
) -> str:
    parts = [_score_text(result)]
    parts += [_comparison_text(path, *found) for path, found in against.items()]
    if edits:
        parts.append(f"{count_table(edits).plain()}\n{damage_line(edits)}")
    parts += ["\n".join(f"{name:<10}  {value}" for name, value in sentence.items()) for sentence in worst]
    return "\n\n".join(parts)


def _score_text(result: WerResult) -> str:
    errors = f"{result.substitutions} substitutions, {result.deletions} deletions, {result.insertions} insertions"
    return (
        f"WER {result.score:.2f}  (95 % interval {result.interval.low:.2f} to {result.interval.high:.2f})\n"
        f"{errors}; {result.hits} of {int(result.lengths.sum())} tokens right\n"
        f"{result.exact:.1f} % of {len(result.errors)} sentences without an error\n"
        f"{result.signature}"
    )


def _comparison_text(path: Path, other: WerResult, comparison: Comparison) -> str:
    low, high = comparison.interval.low, comparison.interval.high
    return (
        f"against {path}, {other.score:.2f}: difference {comparison.difference:+.2f} "
        f"(95 % interval {low:+.2f} to {high:+.2f}), p = {comparison.p_value:.3f}\n"
        f"ahead in {comparison.better:.1f} % of the samples, equal in {comparison.equal:.1f} %\n"
        f"{comparison.signature}"
    )
