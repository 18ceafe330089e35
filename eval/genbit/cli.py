"""``gender-fair eval genbit``."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from eval.bootstrap import Resampling
from eval.genbit.compare import UNITS, Comparison, compare
from eval.genbit.completeness import find_gaps, kin_pairs, mended
from eval.genbit.corpus import ENGINES, Counted, CountingOptions, count_files
from eval.genbit.counts import Counts, merge
from eval.genbit.inflation import inflation_table
from eval.genbit.lemmas import lemmas_from
from eval.genbit.lexicon import Lexicon
from eval.genbit.metrics import COMPAT, GenBitResult, Settings, evaluate
from eval.genbit.ranges import range_lines
from eval.genbit.report import (
    comparison_lines,
    comparison_table,
    text_report,
    write_page,
    write_plot,
    write_words,
)
from eval.genbit.results import metrics_dict
from eval.plots import plot_format
from eval.tables import Table
from rewriter.cli.parsers import add_command, processes, seed
from rewriter.cli.rejects import tell_rejects
from rewriter.errors import UsageError
from rewriter.faults import debug_file
from rewriter.formats import FormatOptions
from rewriter.formats.inputs import find
from rewriter.installation.extras import require

#: tokens to each side, as the original has it
WINDOW = 30

DESCRIPTION = """\
How strongly the words of a corpus lean to a gender (GenBiT; Sengupta et al. 2022). Every line (or record, see
--format) is a document. With --against, two corpora are compared, with a bootstrap interval over documents; a FILE
ending in .npz holds counts that --save wrote.

examples:
  gender-fair eval genbit news.txt.gz
  gender-fair eval genbit part*.jsonl --column body --processes 8 --work counting --save monday.npz
  gender-fair eval genbit tuesday.txt --add monday.npz --save both.npz --html report.html
  gender-fair eval genbit before.txt --against after.txt --plot leaning.png
  gender-fair eval genbit nachrichten.txt --lang de --lemmas lemmas-de.tsv
  gender-fair eval genbit --lang fr --check-lists
"""


def register_genbit(commands: Any) -> None:
    """Add ``eval genbit``."""
    parser = add_command(
        commands, "genbit", "how strongly words lean to a gender; comparison of two corpora", DESCRIPTION
    )
    parser.add_argument("files", nargs="*", metavar="FILE", help="text, JSON lines, CSV, Parquet; folder, pattern, -")
    parser.add_argument("--against", nargs="+", metavar="FILE", help="a second corpus: the first, changed")
    _add_counting(parser)
    _add_scoring(parser)
    _add_output(parser)
    parser.set_defaults(run=run)


def _add_counting(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("counting")
    group.add_argument("--lang", default="en", help="language of the text (default: %(default)s)")
    group.add_argument("--window", type=int, metavar="N", help="tokens to each side (default: 30, or as added)")
    group.add_argument("--lexicon", type=Path, metavar="PATH", help="gendered words of your own: table or folder")
    group.add_argument("--stop-words", type=Path, metavar="FILE", help="stop words of your own lexicon, one a line")
    group.add_argument("--mended", action="store_true", help="add kin words that the lists lack for one gender or both")
    group.add_argument("--check-lists", action="store_true", help="name those words (exit code 1), count nothing")
    group.add_argument("--no-non-binary", action="store_true", help="leave the shipped non-binary list out")
    group.add_argument("--no-trans-cis", action="store_true", help="leave the shipped trans and cis lists out")
    group.add_argument("--format", default="auto", choices=("auto", "txt", "jsonl", "csv", "tsv", "parquet"))
    group.add_argument("--column", action="append", metavar="NAME", help="key or column with text (default: text)")
    group.add_argument("--unit", default="auto", choices=("auto", "line", "paragraph", "document"), help="of text")
    group.add_argument(
        "--processes", type=processes, default=1, metavar="N", help="worker processes (default: %(default)s)"
    )
    group.add_argument("--engine", default="local", choices=sorted(ENGINES), help="this machine, or a Ray cluster")
    group.add_argument("--work", type=Path, metavar="DIR", help="keep parts here, to go on after an interruption")
    group.add_argument("--fresh", action="store_true", help="throw away what an earlier call left in --work")
    group.add_argument("--units", type=int, metavar="N", help=f"units of the bootstrap (with --against: {UNITS})")


def _add_scoring(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("scoring")
    group.add_argument("--weight", type=float, default=0.95, metavar="W", help="per token of distance (default: 0.95)")
    group.add_argument("--percentile", type=float, default=80, metavar="P", help="cut-off (default: %(default)s)")
    group.add_argument("--compat", default="code", choices=COMPAT, help="formulas of the original's code or its paper")
    group.add_argument(
        "--lemmas",
        metavar="SOURCE",
        help="merge forms of a word: a table (form TAB lemma, or JSON), 'lookups', or 'spacy:PIPELINE'",
    )
    group.add_argument("--ranges", action="store_true", help="set the score beside the published range of its language")
    group.add_argument(
        "--inflate", type=float, nargs="+", default=[], metavar="PERCENT", help="scores with copies of documents by lot"
    )
    group.add_argument("--bootstrap", type=int, default=1000, metavar="N", help="samples (default: %(default)s)")
    group.add_argument("--seed", type=seed, default=12345, help="seed of the resampling (default: %(default)s)")


def _add_output(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("output")
    group.add_argument("--save", type=Path, metavar="FILE", help="write the counts (.npz), to add to later")
    group.add_argument("--add", action="append", default=[], metavar="FILE", help="add saved counts (repeatable)")
    group.add_argument("--top", type=int, default=20, metavar="N", help="words in each table (default: %(default)s)")
    group.add_argument("--words", type=Path, metavar="FILE", help="write all scored words as a table (TSV)")
    group.add_argument("--html", type=Path, metavar="FILE", help="write a page")
    group.add_argument("--plot", type=Path, metavar="FILE", help="draw the words (.png, .svg, .pdf; extra 'plot')")
    group.add_argument("--json", action="store_true", help="print JSON with the original's keys")


def run(args: argparse.Namespace) -> int:
    """Count, score, compare, print."""
    options = _counting_options(args)
    if args.check_lists:
        return _check_lists(options.lexicon)
    settings = Settings(args.weight, args.percentile, args.compat, lemmas_from(_lemma_source(args.lemmas), args.lang))
    if not args.files and not args.add:
        raise UsageError("name the files to count, or counts to add (--add)")
    if args.plot:
        plot_format(args.plot)
    counted = [_counted(args, [*args.add, *args.files], options, "before" if args.against else "")]
    if args.against:
        counted.append(_counted(args, args.against, options, "after"))
    if args.save:
        counted[0].counts.save(args.save)
    comparison = None
    if args.against:
        resampling = Resampling(samples=args.bootstrap, seed=args.seed)
        before, after = (part.counts for part in counted)
        comparison = compare(before, after, options.lexicon, settings, resampling=resampling)
        results = [comparison.before, comparison.after]
    else:
        results = [evaluate(counted[0].counts, options.lexicon, settings)]
    _write(args, results, comparison)
    print(_json(results, comparison, counted) if args.json else _text(args, results, comparison))
    rejects = [reject for part in counted for reject in part.rejects]
    tell_rejects(rejects, "left out", debug_file(None, args.work), more=" (--json lists them)")
    return 3 if rejects else 0


def _check_lists(lexicon: Lexicon) -> int:
    gaps = find_gaps(lexicon)
    rows = [[gap.feminine, gap.masculine, ", ".join(gap.missing)] for gap in gaps]
    print(Table(["feminine", "masculine", "not in the lists"], rows, text_columns=3).plain())
    pairs = len(kin_pairs(lexicon.lang))
    print(f"\n{len(gaps)} of {pairs} pairs are not whole in {lexicon.name}@{lexicon.digest}")
    return 1 if gaps else 0


def _counting_options(args: argparse.Namespace) -> CountingOptions:
    if args.lexicon:
        lexicon = Lexicon.from_file(args.lexicon, args.lang, stop_words=args.stop_words)
    elif args.stop_words:
        raise UsageError("--stop-words goes with --lexicon; the shipped lists have their own stop words")
    else:
        lexicon = Lexicon.shipped(args.lang, non_binary=not args.no_non_binary, trans_cis=not args.no_trans_cis)
    if args.mended:
        lexicon = mended(lexicon)
    formats = FormatOptions(format=args.format, unit=args.unit, columns=tuple(args.column or ("text",)))
    return CountingOptions(
        lexicon,
        WINDOW if args.window is None else args.window,
        units=args.units or (UNITS if args.against or args.inflate else 1),
        formats=formats,
        processes=args.processes,
        engine=args.engine,
    )


def _lemma_source(value: str | None) -> Any:
    if value is None or not value.startswith("spacy:"):
        return value
    name = value.removeprefix("spacy:")
    try:
        return require("spacy", extra="spacy").load(name)
    except OSError:
        raise UsageError(f"there is no spaCy pipeline '{name}'; pass the name or folder of an installed one") from None


def _counted(args: argparse.Namespace, files: Sequence[str], options: CountingOptions, name: str) -> Counted:
    """Count the text files of one corpus and add saved counts."""
    saved = [Counts.load(path) for path in files if _is_saved(path)]
    texts = [source.path for source in find([path for path in files if not _is_saved(path)])]
    if saved:
        made = saved[0].identity
        window = made.window if args.window is None else args.window
        options = replace(options, window=window, units=args.units or made.units)
    counted = Counted(options.counter().counts())
    if texts:
        work = args.work / name if args.work else None
        counted = count_files(texts, options, output=work, fresh=args.fresh)
    return replace(counted, counts=merge([*saved, counted.counts]))


def _is_saved(path: str) -> bool:
    return path.endswith(".npz")


def _write(args: argparse.Namespace, results: Sequence[GenBitResult], comparison: Comparison | None) -> None:
    if args.words:
        write_words(args.words, results[-1])
    if args.html:
        write_page(args.html, results, comparison, args.top)
    if args.plot:
        write_plot(args.plot, results)


def _json(results: Sequence[GenBitResult], comparison: Comparison | None, counted: Sequence[Counted]) -> str:
    record: dict[str, Any] = metrics_dict(results[0]) | {"signature": results[0].signature}
    if comparison is not None:
        names = ("before", "after")
        record = {n: metrics_dict(r) | {"signature": r.signature} for n, r in zip(names, results, strict=True)}
        record["comparison"] = comparison.to_dict()
    rejects = [reject.listed() for part in counted for reject in part.rejects]
    return json.dumps(record | ({"rejects": rejects} if rejects else {}), ensure_ascii=False, allow_nan=False)


def _more(args: argparse.Namespace, result: GenBitResult) -> list[str]:
    """Return what was asked for about the size of a score."""
    parts = ["\n".join(range_lines(result))] if args.ranges else []
    if args.inflate:
        table = inflation_table(result.counts, result.lexicon, result.settings, args.inflate, seed=args.seed)
        parts.append(f"inflated by copies of documents\n{table.plain()}")
    return parts


def _text(args: argparse.Namespace, results: Sequence[GenBitResult], comparison: Comparison | None) -> str:
    if comparison is None:
        return "\n\n".join([text_report(results[0], args.top), *_more(args, results[0])])
    head = comparison_table(comparison).plain() + "\n\n" + "\n".join(comparison_lines(comparison))
    reports = [f"{name}\n{text_report(r, args.top)}" for name, r in zip(("before", "after"), results, strict=True)]
    return "\n\n\n".join([head, *reports])
