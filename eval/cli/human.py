"""``gender-fair eval human``: questionnaires for people, their answers, the report."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from eval.bootstrap import Resampling
from eval.human.agreement import METRICS
from eval.human.answers import Answers, answers_from, collect
from eval.human.design import ORDERS
from eval.human.make import PAGES, StudyOptions, make
from eval.human.ratings import long_table
from eval.human.report import markdown_report, report_dict, text_report, write_page, write_plot
from eval.human.results import ReportOptions, human_report
from eval.human.statistics import OVER
from eval.human.study import KEY_FILE, Study, load_study
from eval.human.texts import TextSource
from eval.human.wording import wording_languages
from eval.plots import plot_format
from rewriter.cli.messages import say
from rewriter.cli.parsers import add_command, seed, whole_number
from rewriter.errors import InputError, UsageError
from rewriter.io.columns import write_columns
from rewriter.io.files import read_lines, write_json_lines
from rewriter.pipeline import Rewriter

DESCRIPTION = """\
Let people judge (after Amrhein et al. 2023, section 4.4): `make` draws texts and writes a questionnaire a participant,
`collect` reads the answers back, `report` says what they mean.
"""

MAKE = """\
Draw texts evenly over genres, make their versions, and write one questionnaire a participant: a single HTML file that
works offline. The folder's study.json is the key; participants must not see it. Hand the pages out in their order.

Versions: the original, then --model, --answers and --column in the order given, then --reference. The number of texts
is a multiple of the versions: 6 texts in 3 versions is the design of the paper.

examples:
  gender-fair eval human make texts.jsonl -o study --lang de --model rewriter=de --reference gold --participants 60
  gender-fair eval human make texts.csv -o study --answers mine=mine.txt --answers theirs=theirs.txt --number 9
"""

COLLECT = """\
Read the files that participants saved, check them, and write those that are right as JSON lines. Files that are not are
named with the reason, and the exit code is 3.

examples:
  gender-fair eval human collect study answers -o answers.jsonl
  gender-fair eval human collect study answers -o answers.jsonl --table ratings.csv
"""

REPORT = """\
Report answers: means with bootstrap intervals, by text and genre; permutation tests and a mixed-effects model of the
versions; preferences; Krippendorff's alpha; opinions. Participants who failed an attention check or took their answers
back are counted and left out.

examples:
  gender-fair eval human report study answers.jsonl
  gender-fair eval human report study answers.jsonl --html report.html --plot report.png --over both
"""


def register_human(commands: Any) -> None:
    """Add ``eval human`` with its commands."""
    parser = add_command(commands, "human", "people judge: questionnaires, answers, report", DESCRIPTION)
    actions = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    _register_make(actions)
    _register_collect(actions)
    _register_report(actions)


def _register_make(actions: Any) -> None:
    parser = add_command(actions, "make", "draw texts, write questionnaires", MAKE)
    parser.add_argument("texts", type=Path, metavar="TABLE", help="texts: .csv, .tsv, .jsonl, .parquet")
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="DIR", help="folder of the study")
    parser.add_argument("--text", default="text", metavar="COL", help="column of the originals (default: %(default)s)")
    parser.add_argument("--id", default="id", metavar="COL", help="column of names, if there is one (default: id)")
    parser.add_argument("--genre", default="genre", metavar="COL", help="column of genres, if there is one")
    parser.add_argument(
        "--model", action="append", default=[], metavar="NAME=MODEL", help="a version that a model writes (repeatable)"
    )
    parser.add_argument(
        "--answers",
        action="append",
        default=[],
        metavar="NAME=FILE",
        help="a version: a text file, a line for each row",
    )
    parser.add_argument(
        "--column",
        action="append",
        default=[],
        metavar="NAME=COL",
        help="a version: a column of the table (repeatable)",
    )
    parser.add_argument("--reference", metavar="COL", help="column of the versions that people wrote")
    parser.add_argument("--unchanged-too", action="store_true", help="draw texts that the reference leaves as they are")
    _add_shape(parser)
    parser.set_defaults(run=run_make)


def _add_shape(parser: argparse.ArgumentParser) -> None:
    some = whole_number(0, 10_000)
    parser.add_argument("--participants", type=some, default=30, metavar="N", help="questionnaires (default: 30)")
    parser.add_argument("--number", type=some, default=6, metavar="N", help="texts that each rates (default: 6)")
    parser.add_argument(
        "--preferences", type=some, default=3, metavar="N", help="of them side by side in two versions (default: 3)"
    )
    parser.add_argument("--checks", type=some, default=2, metavar="N", help="attention checks (default: 2)")
    parser.add_argument("--order", choices=ORDERS, default=ORDERS[0], help="of the texts (default: %(default)s)")
    parser.add_argument("--lang", choices=wording_languages(), default="en", help="language of texts and page")
    parser.add_argument("--wording", type=Path, metavar="FILE", help="statements and words of your own (JSON)")
    parser.add_argument("--seed", type=seed, default=1, help="of draw and assignment (default: %(default)s)")


def _register_collect(actions: Any) -> None:
    parser = add_command(actions, "collect", "read the answers back", COLLECT)
    _add_study(parser)
    parser.add_argument("answers", nargs="+", type=Path, metavar="ANSWERS", help="saved files, or folders of them")
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="FILE", help="JSON lines")
    parser.add_argument(
        "--table", type=Path, metavar="FILE", help="an answer a row, with versions (.csv, .parquet ...)"
    )
    parser.set_defaults(run=run_collect)


def _register_report(actions: Any) -> None:
    parser = add_command(actions, "report", "say what the answers mean", REPORT)
    _add_study(parser)
    parser.add_argument("answers", type=Path, metavar="FILE", help="what `collect` wrote")
    parser.add_argument("--failed-checks", type=whole_number(0, 100), default=0, metavar="N", help="failures allowed")
    parser.add_argument("--over", choices=OVER, default=OVER[0], help="what intervals draw (default: %(default)s)")
    parser.add_argument("--metric", choices=METRICS, default="ordinal", help="of Krippendorff's alpha")
    parser.add_argument("--bootstrap", type=int, default=10_000, metavar="N", help="samples (default: %(default)s)")
    parser.add_argument("--seed", type=seed, default=12345, help="seed of the resampling (default: %(default)s)")
    parser.add_argument("--simulated", action="store_true", help="report answers of a script, marked as such")
    parser.add_argument("--html", type=Path, metavar="FILE", help="write a page")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="draw the answers (.png, .svg, .pdf)")
    parser.add_argument("--markdown", action="store_true", help="print Markdown")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run_report)


def _add_study(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("study", type=Path, metavar="STUDY", help="folder that `make` wrote")


def run_make(args: argparse.Namespace) -> int:
    """Make a study, say what was made."""
    source = TextSource(
        args.texts,
        text=args.text,
        id=args.id,
        genre=args.genre,
        columns=_named(args.column, "--column"),
        answers={name: Path(path) for name, path in _named(args.answers, "--answers").items()},
        reference=args.reference,
    )
    options = StudyOptions(
        source,
        writers={name: partial(_rewrite, model, args.lang) for name, model in _named(args.model, "--model").items()},
        participants=args.participants,
        texts=args.number,
        preferences=args.preferences,
        checks=args.checks,
        order=args.order,
        lang=args.lang,
        wording=args.wording,
        unchanged_too=args.unchanged_too,
        seed=args.seed,
    )
    made = make(options, args.output)
    for note in made.notes:
        say(note)
    if made.drawn_from.incomplete or made.drawn_from.unchanged:
        say(
            f"not drawn from: {made.drawn_from.incomplete} rows with an empty version, "
            f"{made.drawn_from.unchanged} in which the reference changes nothing"
        )
    print(_made_text(made.study, args.output))
    return 0


def run_collect(args: argparse.Namespace) -> int:
    """Collect answers; 3 where a file could not be taken."""
    study = load_study(args.study)
    found = collect(study, args.answers)
    for line in (*found.notes, *(_problem(problem.source, problem.reason) for problem in found.problems)):
        say(line)
    if args.table:
        write_columns(args.table, long_table(study, found.answers))
    write_json_lines(args.output, (answers.to_dict(study) for answers in found.answers))
    left_out = f", {len(found.problems)} not taken" if found.problems else ""
    print(f"{len(found.answers)} of {len(study.questionnaires)} questionnaires answered{left_out}: {args.output}")
    return 3 if found.problems else 0


def run_report(args: argparse.Namespace) -> int:
    """Report the answers of a study."""
    if args.plot:
        plot_format(args.plot)
    study = load_study(args.study)
    options = ReportOptions(
        failed_checks=args.failed_checks,
        simulated=args.simulated,
        over=args.over,
        metric=args.metric,
        resampling=Resampling(samples=args.bootstrap, seed=args.seed),
    )
    report = human_report(study, _collected(study, args.answers), options)
    if args.html:
        write_page(args.html, report)
    if args.plot:
        write_plot(args.plot, report)
    if args.json:
        print(json.dumps(report_dict(report), ensure_ascii=False, indent=2))
    else:
        print(markdown_report(report) if args.markdown else text_report(report))
    return 0


def _named(words: Sequence[str], option: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals or not name or not value:
            raise UsageError(f"{option} {word}: write it as NAME=...; the name stands in tables, never on the pages")
        if name in found:
            raise UsageError(f"{option}: two versions are called '{name}'")
        found[name] = value
    return found


def _rewrite(model: str, lang: str, texts: list[str]) -> list[str]:
    rewriter = Rewriter.from_pretrained(model)
    if rewriter.info.lang != lang:
        raise UsageError(f"the model {model} rewrites {rewriter.info.lang}, the texts are {lang} (--lang)")
    return [str(text) for text in rewriter.rewrite(texts)]


def _collected(study: Study, path: Path) -> list[Answers]:
    found = []
    for number, line in enumerate(read_lines(path), 1):
        try:
            record = json.loads(line)
        except ValueError as error:
            raise InputError(f"{path}:{number}: not JSON ({error}); pass the file that `collect` wrote") from None
        found.append(answers_from(study, record, where=f"{path}:{number}"))
    return found


def _made_text(study: Study, folder: Path) -> str:
    genres = ", ".join(dict.fromkeys(text.genre for text in study.texts if text.genre))
    return "\n".join(
        [
            f"{len(study.questionnaires)} questionnaires: {folder / PAGES}",
            f"{len(study.texts)} texts{f' ({genres})' if genres else ''} in {len(study.versions)} versions: "
            + ", ".join(study.versions),
            f"key, not for participants: {folder / KEY_FILE}",
            study.signature,
        ]
    )


def _problem(source: str, reason: str) -> str:
    return reason if source in reason else f"{source}: {reason}"
