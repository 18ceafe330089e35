"""``gender-fair eval reading``."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from eval.ablation import part_name
from eval.cli.ablation_options import ablation_of, add_ablation_options
from eval.conditions import conditions_of
from eval.reading.agreement import Agreement, agreement
from eval.reading.direction import by_direction, compare_by_direction
from eval.reading.edits import whole_words
from eval.reading.gold import load_gold
from eval.reading.score import (
    EXACT,
    Rate,
    ReadingScore,
    ReadingSet,
    ScoredSentence,
    given_edits,
    is_sealed,
    load_set,
    pair_up,
    rewriter_edits,
    score_reading,
)
from eval.reading.worth import Worth, worth_table, worths
from eval.signature import parse_signature
from eval.significance import McNemar
from eval.suite_report import append_rows
from eval.tables import Table
from rewriter.cli.language_settings import add_setting_options, setting_options
from rewriter.cli.parsers import add_command
from rewriter.errors import MetricError, UsageError
from rewriter.io.files import read_lines, write_lines
from rewriter.model.deciders import NETWORK
from rewriter.records import Edit, Rewrite
from rewriter.report.display import difference, use_color

#: heading of the table that --ablate adds
WORTH = (
    "What the network is worth: of the sentences wrong without it, the share that it mends, less those that it breaks"
)

DESCRIPTION = """\
Measure a rewriter on read sentences of corpora (stand-off records, docs/train/gold.md): sentences to change that come
out exactly right, sentences that must stay and do, wrong and missed edits, by genre and draw; every figure is k of n
with its 95 % interval. The whole line of a sentence is rewritten. Further models are tested against the first (McNemar,
exact). With --agreement, two readings of the same sentences are compared. Of a file or folder whose name begins with
"sealed" only figures are shown.

examples:
  gender-fair eval reading open.jsonl --data corpora --model de
  gender-fair eval reading open.jsonl --data corpora --model runs/new/export/model --model de --show 20
  gender-fair eval reading sealed.jsonl --data corpora --model de --apart handbook,tweets --json
  gender-fair eval reading open.jsonl --data corpora --lines lines.txt
  gender-fair eval reading open.jsonl --data corpora --model de --lines lines.txt --answers other=answers.txt
  gender-fair eval reading open.jsonl --data corpora --model de --ablate
  gender-fair eval reading twins.jsonl --data corpora --lang en --directions --lines lines.txt --answers swapper=s.txt
  gender-fair eval reading --agreement anna.jsonl ben.jsonl
"""


def register_reading(commands: Any) -> None:
    """Add ``eval reading``."""
    parser = add_command(commands, "reading", "read sentences: exact answers, wrong edits; agreement", DESCRIPTION)
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE", help="stand-off records (JSONL)")
    parser.add_argument("--data", type=Path, metavar="DIR", help="folder of their texts (default: GENDER_FAIR_DATA)")
    parser.add_argument(
        "--model", action="append", default=[], metavar="[NAME=]MODEL", help="bundled name or directory (repeatable)"
    )
    parser.add_argument("--lang", help="language of answers without a model (default: that of the first model)")
    parser.add_argument("--apart", metavar="GENRE,...", help="genres with rows of their own, beside all others")
    parser.add_argument(
        "--directions", action="store_true", help="figures and tests by direction, for sets of counterfactual twins"
    )
    parser.add_argument("--show", type=int, default=0, metavar="N", help="show N wrong sentences (never sealed ones)")
    parser.add_argument("--lines", type=Path, metavar="FILE", help="the lines to rewrite; alone: write them there")
    parser.add_argument(
        "--answers", action="append", default=[], metavar="NAME=FILE", help="another system's --lines, rewritten"
    )
    parser.add_argument("--agreement", nargs=2, type=Path, metavar="FILE", help="compare two readings")
    parser.add_argument("--log", type=Path, metavar="FILE", help="append a line per system to the log of measurements")
    parser.add_argument("--json", action="store_true", help="print JSON")
    add_setting_options(parser)
    add_ablation_options(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Score, compare, print."""
    if args.agreement:
        found = agreement(*(load_gold(path) for path in args.agreement))
        print(json.dumps(found.to_dict()) if args.json else _agreement_text(found))
        return 0
    sealed = next((path for path in args.files if is_sealed(path)), None)
    if sealed is not None and args.show:
        raise UsageError(f"{sealed} is sealed: figures only; --show is not for it")
    reading = load_set(args.files, _data_folder(args))
    if args.lines and not args.model and not args.answers:
        lines = dict.fromkeys(reading.lines)
        write_lines(args.lines, lines)
        print(f"{args.lines}: {len(lines)} lines", file=sys.stderr)
        return 0
    scores, beside = _scores(args, reading)
    neural = {score.system: worths(score, parts) for score, parts in beside if len(parts) > 0}
    _print(args, reading, scores, neural)
    return 0


def _data_folder(args: argparse.Namespace) -> Path:
    if not args.files:
        raise UsageError("name the files of records, or two readings with --agreement")
    folder = args.data or os.environ.get("GENDER_FAIR_DATA")
    if not folder:
        raise UsageError("name the folder that the texts lie in with --data, or set GENDER_FAIR_DATA")
    return Path(folder)


#: the score of a model, and those of the rows beside it by what decided
_Beside = tuple[ReadingScore, dict[str, ReadingScore]]


def _scores(args: argparse.Namespace, reading: ReadingSet) -> tuple[list[ReadingScore], list[_Beside]]:
    scores, rows, lang = [], [], args.lang
    beside: list[_Beside] = []
    ablation = ablation_of(args, [word.rpartition("=")[2] for word in args.model])
    for word in args.model:
        name, _, model = word.rpartition("=")
        parts: dict[str, ReadingScore] = {}
        for part, rewriter in ablation.load(model, **setting_options(args)).items():
            lang = lang or rewriter.info.lang
            system, conditions = part_name(name or model, part), conditions_of(rewriter)
            scores.append(score_reading(reading, system, rewriter_edits(rewriter), lang=lang, conditions=conditions))
            parts[part] = scores[-1]
            rows.append((rewriter.info.identity, part_name(rewriter.info.name, part), scores[-1]))
        beside.append((parts.pop(NETWORK), parts))
    for word in args.answers:
        name, equals, path = word.partition("=")
        if not equals or not args.lines:
            raise UsageError(f"--answers {word}: write it as NAME=FILE, and give the lines answered with --lines FILE")
        answers = _answers(args.lines, Path(path))
        if not lang:
            raise UsageError("name the language of the answers with --lang")
        scores.append(score_reading(reading, name, given_edits(answers), lang=lang))
        rows.append(("answers", name, scores[-1]))
    if not scores:
        raise UsageError("name a model to measure with --model (a bundled name or a model directory)")
    if args.log:
        where = "+".join(path.stem for path in args.files)
        append_rows(args.log, ((i, f"reading/{where}", n, f"{_exact(s):.4f}", s.signature) for i, n, s in rows))
    return scores, beside


def _answers(lines: Path, answers: Path) -> dict[str, str]:
    sources, texts = list(read_lines(lines)), list(read_lines(answers))
    if len(sources) != len(texts):
        raise MetricError(f"{answers}: {len(texts)} answers to the {len(sources)} lines of {lines}")
    return dict(zip(sources, texts, strict=True))


def _exact(score: ReadingScore) -> float:
    return score.figures()[EXACT].percent or 0.0


def _print(
    args: argparse.Namespace,
    reading: ReadingSet,
    scores: Sequence[ReadingScore],
    neural: Mapping[str, Mapping[str, Mapping[str, Worth]]],
) -> None:
    apart = [name.strip() for name in (args.apart or "").split(",") if name.strip()]
    lang = parse_signature(scores[0].signature)["lang"] if args.directions else ""
    tests = {score.system: pair_up(scores[0], score) for score in scores[1:]}
    if args.directions:
        for score in scores[1:]:
            tests[score.system] |= compare_by_direction(scores[0], score, lang)
    if args.json:
        systems = [s.to_dict() | _apart_record(s, apart) | _direction_record(s, lang) for s in scores]
        compared = {name: {part: t.to_dict() for part, t in found.items()} for name, found in tests.items()}
        left_out = {"unread": reading.unread, "repeated": reading.repeated}
        record = {"systems": systems, "first_against": compared, "left_out": left_out}
        print(json.dumps(record | _worth_record(neural), ensure_ascii=False))
        return
    for score in scores:
        print("\n\n".join(_score_text(score, apart)), end="\n\n")
        if args.directions:
            print(_part_table("direction", by_direction(score, lang)).plain(), end="\n\n")
    for name, found in tests.items():
        print(_test_text(scores[0].system, name, found), end="\n\n")
    if neural:
        print(f"{WORTH}\n\n{worth_table(neural).plain()}", end="\n\n")
    if reading.unread or reading.repeated:
        print(f"left out: {reading.unread} not read, {reading.repeated} read again", end="\n\n")
    if args.show:
        print("\n".join(line for score in scores for line in _shown(score, args.show)))


def _worth_record(found: Mapping[str, Mapping[str, Mapping[str, Worth]]]) -> dict[str, Any]:
    if not found:
        return {}
    return {
        "neural": {s: {p: {n: w.to_dict() for n, w in one.items()} for p, one in v.items()} for s, v in found.items()}
    }


def _direction_record(score: ReadingScore, lang: str) -> dict[str, Any]:
    found = by_direction(score, lang) if lang else {}
    return {"directions": {name: {k: v.to_dict() for k, v in part.items()} for name, part in found.items()}} if lang else {}


def _apart_record(score: ReadingScore, apart: Sequence[str]) -> dict[str, Any]:
    found = score.apart(apart) if apart else {}
    return {"apart": {name: {k: v.to_dict() for k, v in part.items()} for name, part in found.items()}}


def _score_text(score: ReadingScore, apart: Sequence[str]) -> Iterator[str]:
    """Yield blocks of text: the figures, then tables of their parts."""
    rows = [[name, *_cells(rate)] for name, rate in score.figures().items()]
    table = Table([score.system, "k", "n", "%", "95 % interval"], rows)
    yield f"{table.plain()}\n{score.signature}"
    yield _part_table("genre", score.by_genre()).plain()
    if len(score.by_draw()) > 1:
        yield _part_table("draw", score.by_draw()).plain()
    if apart:
        yield _part_table("source", score.apart(apart)).plain()


def _cells(rate: Rate) -> list[str]:
    low, high = rate.interval.low, rate.interval.high
    share = "" if rate.percent is None else f"{rate.percent:.1f}"
    return [str(rate.count), str(rate.total), share, f"{low:.1f} to {high:.1f}" if rate.total else ""]


def _part_table(head: str, parts: Mapping[str, Mapping[str, Rate]]) -> Table:
    """Return a table with a row for each part; a cell is k/n, its share in percent, and the interval."""
    names = list(next(iter(parts.values())))
    return Table([head, *names], [[name, *(_cell(part[n]) for n in names)] for name, part in parts.items()])


def _cell(rate: Rate) -> str:
    if rate.percent is None:
        return "0/0"
    return f"{rate.count}/{rate.total} {rate.percent:.1f} [{rate.interval.low:.0f}, {rate.interval.high:.0f}]"


def _test_text(system: str, other: str, found: Mapping[str, McNemar]) -> str:
    rows = [[name, str(t.better), str(t.worse), str(t.total), f"{t.p_value:.2g}"] for name, t in found.items()]
    return Table([f"{system} against {other}", "better", "worse", "sentences", "p (McNemar)"], rows).plain()


def _shown(score: ReadingScore, limit: int) -> Iterator[str]:
    wrong = [sentence for sentence in score.sentences if not sentence.right]
    yield f"{score.system}: {min(limit, len(wrong))} of {len(wrong)} wrong sentences"
    for sentence in wrong[:limit]:
        gold = sentence.found.gold
        yield f"{gold.id}  {gold.file}:{gold.line}"
        yield f"  wanted  {_marked(sentence.found.text, sentence.found.target)}"
        yield f"  answer  {_marked(sentence.found.text, sentence.answer)}"
        yield f"  {_faults(sentence)}"


def _faults(sentence: ScoredSentence) -> str:
    text = sentence.found.text
    wrong = [f"{text[e.start : e.end]} -> {e.after} ({e.kind})" for e in sentence.wrong]
    missed = [f"{text[e.start : e.end]} -> {e.after} ({e.kind})" for e in sentence.missed]
    parts = (f"{name}: {', '.join(found)}" for name, found in (("wrong", wrong), ("missed", missed)) if found)
    return "; ".join(parts)


def _marked(source: str, target: str) -> str:
    edits = tuple(Edit(s, e, source[s:e], after, "", "") for s, e, after in whole_words(source, target))
    return difference(source, Rewrite(target, edits), color=use_color(sys.stdout))


def _agreement_text(found: Agreement) -> str:
    rows = [["the same target", *_cells(found.exact)], ["of those that one changes", *_cells(found.exact_changed)]]
    kappa = "not defined: all sentences in one class" if found.kappa is None else f"{found.kappa:.3f}"
    lines = [Table(["agreement", "k", "n", "%", "95 % interval"], rows).plain()]
    lines.append(f"Cohen's kappa (changed or stays): {kappa}")
    lines += [f"{kind}: {count}" for kind, count in found.kinds.most_common()]
    if found.alone:
        lines.append(f"read by one only: {found.alone}")
    return "\n".join([*lines, found.signature])
