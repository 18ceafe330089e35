"""``gender-fair eval cases``: exact answers by construction."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from eval.ablation import SUFFIXES, part_name
from eval.bootstrap import Interval, Resampling
from eval.cases import ConstructionScore, Total, compare_cases, is_sealed, read_cases, score_cases, total_of
from eval.cli.ablation_options import ablation_of, add_ablation_options
from eval.cli.options import resampling_of
from eval.conditions import conditions_of
from eval.significance import McNemar
from eval.suite_report import append_rows
from rewriter.cli.language_settings import add_setting_options, setting_options
from rewriter.cli.messages import say
from rewriter.cli.parsers import add_command, seed
from rewriter.model.deciders import NETWORK
from rewriter.pipeline import Rewriter

DESCRIPTION = """\
Score a rewriter on tables of language cases (TSV: id, construction, source, target; without target nothing may
change): share of exact answers by construction with 95 % intervals. Cases that share a target are not independent:
behind the total stand two intervals, one that draws targets and one that draws constructions; a construction's interval
counts each of its targets once. Of a table in a folder named "sealed" only figures are shown, never a case.

examples:
  gender-fair eval cases en gendered.tsv keep.tsv
  gender-fair eval cases de mine.tsv --failures
  gender-fair eval cases de mine.tsv --ablate
  gender-fair eval cases path/to/model mine.tsv --log measurements.tsv
"""


def register_cases(commands: Any) -> None:
    """Add the command ``cases``."""
    parser = add_command(commands, "cases", "exact answers by construction", DESCRIPTION)
    parser.add_argument("model", help="bundled name or model directory")
    parser.add_argument("tables", nargs="+", type=Path, metavar="TSV", help="tables of cases")
    parser.add_argument("--failures", action="store_true", help="show the cases that failed (never of a sealed table)")
    parser.add_argument("--log", type=Path, metavar="FILE", help="append a line per table to the log of measurements")
    parser.add_argument("--bootstrap", type=int, default=1000, metavar="N", help="samples (default: %(default)s)")
    parser.add_argument("--seed", type=seed, default=12345, help="seed of the resampling (default: %(default)s)")
    parser.add_argument("--json", action="store_true", help="print JSON")
    add_setting_options(parser)
    add_ablation_options(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Score, log, print."""
    found = ablation_of(args, [args.model]).load(args.model, **setting_options(args))
    tables = {path: _score(path, found, resampling_of(args)) for path in args.tables}
    if args.log is not None:
        append_rows(args.log, (row for path, table in tables.items() for row in _rows(found, path, table)))
    sealed = [path for path in args.tables if is_sealed(path)]
    if sealed:
        note = "; --failures is not for it" if args.failures else ""
        say(f"{sealed[0]} is sealed: figures only, no cases{note}")
    if args.json:
        print(json.dumps({str(p): _record(t, p in sealed) for p, t in tables.items()}, ensure_ascii=False, indent=2))
        return 0
    for path, table in tables.items():
        failures = args.failures and path not in sealed
        print("\n".join(case_lines(path, table.totals[NETWORK], table.scores[NETWORK], failures=failures)))
        for part in table.tests:
            print("\n".join(_part_lines(table, part)))
    return 0


@dataclass(frozen=True)
class _Table:
    """The scores of a table by what decided, and the model against each of what stood in its network's place."""

    scores: Mapping[str, Mapping[str, ConstructionScore]]
    totals: Mapping[str, Total]
    tests: Mapping[str, McNemar]


def _score(path: Path, found: Mapping[str, Rewriter], resampling: Resampling) -> _Table:
    cases = read_cases(path)
    scores = {part: score_cases(cases, rewriter.rewrite) for part, rewriter in found.items()}
    totals = {
        part: total_of(scores[part], lang=rewriter.info.lang, resampling=resampling, conditions=conditions_of(rewriter))
        for part, rewriter in found.items()
    }
    tests = {part: compare_cases(cases, scores[NETWORK], scores[part]) for part in found if part != NETWORK}
    return _Table(scores, totals, tests)


def _rows(found: Mapping[str, Rewriter], path: Path, table: _Table) -> Iterator[tuple[str, ...]]:
    name = "/".join(path.resolve().with_suffix("").parts[-3:])
    for part, rewriter in found.items():
        total, system = table.totals[part], part_name(rewriter.info.name, part)
        yield rewriter.info.identity, name, system, f"{total.share:.4f}", total.signature


def _record(table: _Table, sealed: bool) -> dict[str, Any]:
    record = case_record(table.totals[NETWORK], table.scores[NETWORK], sealed)
    parts = {
        part: case_record(table.totals[part], table.scores[part], sealed) | {"test": test.to_dict()}
        for part, test in table.tests.items()
    }
    return record | ({"parts": parts} if parts else {})


def _part_lines(table: _Table, part: str) -> Iterator[str]:
    total, test = table.totals[part], table.tests[part]
    yield f"  {SUFFIXES[part]}: {total.right}/{total.total} exact  {total.share:5.1f} %  {_shown(total.over_targets)}"
    yield (
        f"    the model alone has {test.better} right, it alone {test.worse}; p = {test.p_value:.2g} (McNemar, exact)"
    )
    yield f"    {total.signature}"


def case_lines(path: Path, total: Total, scores: Mapping[str, ConstructionScore], *, failures: bool) -> Iterator[str]:
    """Yield the lines that show the score of a table.

    Args:
        path: the table.
        total: over all constructions.
        scores: by construction.
        failures: show the cases that failed.
    """
    yield f"{path}: {total.right}/{total.total} exact  {total.share:5.1f} %"
    yield f"  95 % interval {_shown(total.over_targets)} over {total.targets} targets"
    yield f"  95 % interval {_shown(total.over_constructions)} over {len(scores)} constructions"
    yield f"  {total.signature}"
    width = max((len(name) for name in scores), default=0)
    for name, score in scores.items():
        low, high = score.interval
        interval = _shown(Interval(100 * low, 100 * high))
        yield f"  {name:{width}}  {score.right:3}/{score.total:<3}  {100 * score.share:5.1f} %  {interval}"
        if failures:
            yield from _failures(score)


def _failures(score: ConstructionScore) -> Iterable[str]:
    for case, answer in score.failures:
        yield from (f"    {case.id}", f"      source {case.source}", f"      wanted {case.target}")
        yield f"      answer {answer}"


def _shown(interval: Interval) -> str:
    return f"[{interval.low:.1f}, {interval.high:.1f}]"


def case_record(total: Total, scores: Mapping[str, ConstructionScore], sealed: bool) -> dict[str, Any]:
    """Return the figures as JSON values; the ids of failed cases, too, unless the table is sealed.

    Args:
        total: over all constructions.
        scores: by construction.
        sealed: the cases are shown to nobody.
    """
    constructions: dict[str, dict[str, Any]] = {
        name: {"right": s.right, "total": s.total, "targets": len(s.targets), "interval": s.interval}
        for name, s in scores.items()
    }
    for name, score in scores.items() if not sealed else ():
        constructions[name]["failed"] = [case.id for case, _ in score.failures]
    return {
        "right": total.right,
        "total": total.total,
        "targets": total.targets,
        "interval_over_targets": [total.over_targets.low, total.over_targets.high],
        "interval_over_constructions": [total.over_constructions.low, total.over_constructions.high],
        "signature": total.signature,
        "constructions": constructions,
    }
