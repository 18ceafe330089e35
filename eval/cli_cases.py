"""``gender-fair eval cases``: exact answers by construction."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from eval.cases import ConstructionScore, read_cases, score_cases, wilson
from rewriter.pipeline import Rewriter

DESCRIPTION = """\
Score a rewriter on tables of language cases (TSV: id, construction, source, target; without target nothing may
change): share of exact answers by construction with 95 % intervals.

examples:
  gender-fair eval cases en tests/data/en/open/gendered.tsv tests/data/en/open/keep.tsv
  gender-fair eval cases path/to/model mine.tsv --failures
"""


def register_cases(commands: Any) -> None:
    """Add the command ``cases``."""
    parser = commands.add_parser(
        "cases",
        help="exact answers by construction",
        description=DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("model", help="bundled name or model directory")
    parser.add_argument("tables", nargs="+", type=Path, metavar="TSV", help="tables of cases")
    parser.add_argument("--failures", action="store_true", help="show the cases that failed (never on a sealed set)")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Score and print."""
    rewriter = Rewriter.from_pretrained(args.model)
    report = {str(path): score_cases(read_cases(path), rewriter.rewrite) for path in args.tables}
    if args.json:
        print(json.dumps({path: _as_json(scores) for path, scores in report.items()}, ensure_ascii=False, indent=2))
        return 0
    for path, scores in report.items():
        print("\n".join(_lines(path, scores, failures=args.failures)))
    return 0


def totals(scores: dict[str, ConstructionScore]) -> tuple[int, int]:
    """Return exact answers and cases over all constructions."""
    return sum(s.right for s in scores.values()), sum(s.total for s in scores.values())


def _lines(path: str, scores: dict[str, ConstructionScore], *, failures: bool) -> Sequence[str]:
    right, total = totals(scores)
    lines = [f"{path}: {right}/{total} exact{_interval(right, total)}"]
    width = max((len(name) for name in scores), default=0)
    for name, score in scores.items():
        lines.append(f"  {name:{width}}  {score.right:3}/{score.total:<3}{_interval(score.right, score.total)}")
        if failures:
            for case, answer in score.failures:
                lines += [f"    {case.id}", f"      source {case.source}", f"      wanted {case.target}"]
                lines.append(f"      answer {answer}")
    return lines


def _interval(right: int, total: int) -> str:
    low, high = wilson(right, total)
    return f"  {100 * right / max(1, total):5.1f} %  [{100 * low:.1f}, {100 * high:.1f}]"


def _as_json(scores: dict[str, ConstructionScore]) -> dict[str, Any]:
    return {
        name: {"right": s.right, "total": s.total, "interval": s.interval, "failed": [c.id for c, _ in s.failures]}
        for name, s in scores.items()
    }
