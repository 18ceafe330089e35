"""``gender-fair rewrite``: files, folders, corpora and pipes in, gender-fair text, JSON or differences out."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

from rewriter.cli import rewrite_output as out
from rewriter.cli.language_settings import add_setting_options
from rewriter.cli.rewrite_control import add_control_options, policy_from, selector_from
from rewriter.cli.rewrite_options import add_options, formats_from, spec_from
from rewriter.cli.rewrite_proposals import check_proposals, given_rewrites
from rewriter.corpus.engine import RewritesTexts
from rewriter.corpus.job import RewriterSpec
from rewriter.corpus.plan import check_readable
from rewriter.corpus.ray_engine import check_engine
from rewriter.corpus.reports import CorpusReports
from rewriter.corpus.results import Observer, Summary
from rewriter.corpus.run import SHARD_SIZE, CorpusOptions, raise_failures, rewrite_files, state_folder
from rewriter.corpus.targets import STANDARD, find_sources, into_folder, is_folder
from rewriter.errors import InputError, UsageError
from rewriter.faults import debug_file, write_traces
from rewriter.formats import PACKED, FormatOptions
from rewriter.io.files import write_json
from rewriter.io.textfile import TextFileOptions, rewrite_file
from rewriter.language.interface import Language, get_language
from rewriter.language.settings import Preset, preset

DESCRIPTION = """\
Rewrite text gender-fairly. What is not gendered comes out byte for byte as it was; output files appear when they are
complete. Plain text is rewritten line by line; Markdown, HTML, reST and TeX as whole documents (see --unit); of JSONL,
CSV, TSV and Parquet only the text column changes.

examples:
  gender-fair rewrite article.txt                     print the rewritten text
  gender-fair rewrite article.txt -o fair.txt         write it to a file (.gz and .zst by name)
  gender-fair rewrite corpus/ -o fair/                all files of a folder, on all cores; the same command again
                                                      continues a run that was killed
  gender-fair rewrite 'data/*.jsonl.zst' --column meta.body -o fair/
  gender-fair rewrite --in-place notes.md             replace the file
  echo "She knows her stuff." | gender-fair rewrite -
  gender-fair rewrite article.txt --diff              show what would change
  gender-fair rewrite article.txt --html page.html -o fair.txt
  gender-fair rewrite article.txt --json | jq .edits
  gender-fair rewrite --explain "She knows her stuff."
                                                      tell of every candidate word who decided, and how
  gender-fair rewrite article.txt --proposals answers.txt -o fair.txt
                                                      what the grammar allows of another rewriter's answers
  gender-fair rewrite article.txt --to feminine       the way back: they to she where one person is meant
  gender-fair rewrite corpus/ -o fair/ --dry-run --summary counts.json
  gender-fair rewrite corpus/ -o fair/ --engine ray --ray-address auto
                                                      on the machines of a Ray cluster
"""
EPILOG = """\
Large inputs (above 8 MB in all) are cut into shards, whose state lies beside the output, in OUT/.gender-fair or
.NAME.gender-fair: the same command continues what was interrupted. Pipes, --in-place, --diff and --json cannot be
continued.

exit codes: 0 done, 1 --check found something, 2 wrong usage, 3 done, but some records could not be read or worked on
and were written unchanged, 4 failed, 130 interrupted.
"""


def register(subparsers: Any) -> None:
    """Add the command ``rewrite``."""
    parser = subparsers.add_parser(
        "rewrite",
        help="rewrite text files and corpora gender-fairly",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    # strings: as a path a text would lose its double slashes; run() makes paths of the names of files
    parser.add_argument(
        "files",
        nargs="+",
        metavar="IN",
        help="file (.gz, .zst), folder, pattern, - for a pipe; with --explain a text",
    )
    add_options(parser)
    add_control_options(parser)
    add_setting_options(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Rewrite the files; return 0, or 3 if something was written through unread."""
    formats = formats_from(args)
    base = _preset(args)
    spec = spec_from(args, policy_from(args, base.policy), base.settings)
    if args.explain:
        from rewriter.cli.rewrite_explain import run_explain

        _check_language(args, spec)
        return run_explain(args, spec)
    args.files = [Path(name) for name in args.files]
    check_engine(args.engine, args.ray_address)
    if args.check:
        from rewriter.cli.rewrite_check import run_check

        return run_check(args, spec.load(), formats)
    if args.summary == STANDARD and not (args.output or args.in_place or args.dry_run):
        raise UsageError("--summary - and the text would both go to standard output; pass -o OUT or --dry-run")
    jobs = plan(args.files, args.output, in_place=args.in_place, text=not (args.diff or args.dry_run))
    check_readable(source for source, _ in jobs if source != STANDARD)
    out.tell_reading((source for source, _ in jobs if source != STANDARD), formats)
    summary = _rewritten(args, jobs, spec, formats)
    # what goes through a pipe stays quiet; files are worth a line, in a log too
    prints = args.diff or any(target == STANDARD for _, target in jobs)
    out.tell(summary, rejects=args.rejects, closing=sys.stderr.isatty() or not prints)
    if args.summary:
        who = {"proposals": str(args.proposals)} if args.proposals else {"model": _model(spec)}
        _write_summary(args.summary, {**summary.to_dict(), **who})
    return 3 if summary.rejected else 0


def _rewritten(
    args: argparse.Namespace, jobs: Sequence[tuple[Path, Path | None]], spec: RewriterSpec, formats: FormatOptions
) -> Summary:
    """Rewrite the files by proposals, by shards, or one after the other."""
    lang = _check_language(args, spec)
    select = selector_from(args, lang)
    if args.proposals is not None:
        check_proposals(args, [source for source, _ in jobs])
        given = given_rewrites(jobs[0][0], args.proposals, spec, formats=formats, guard=args.guard)
        return _stream(args, jobs, given, get_language(lang), TextFileOptions(formats, in_place=args.in_place))
    if _by_shards(args, jobs):
        corpus = CorpusOptions(
            format=formats,
            processes=args.processes,
            shard_lines=args.shard_lines,
            fresh=args.fresh,
            dry_run=args.dry_run,
            select=select,
            reports=CorpusReports(args.rejects, args.rejected_edits, args.html),
            engine=args.engine,
            ray_address=args.ray_address,
        )
        targets = [(source, target or source) for source, target in jobs]
        return rewrite_files(targets, _state(args, jobs), rewriter=spec, options=corpus)
    rewriter = spec.load()
    options = TextFileOptions(formats, in_place=args.in_place, select=select)
    return _stream(args, jobs, rewriter, rewriter.language, options)


def _preset(args: argparse.Namespace) -> Preset:
    """Return what ``--preset`` says for the language of the model."""
    if args.preset is None:
        return Preset()
    return preset(spec_from(args, policy_from(args)).info().lang, args.preset)


def plan(
    sources: Sequence[Path], output: str | None, *, in_place: bool = False, text: bool = True
) -> list[tuple[Path, Path | None]]:
    """Return (source, target) of every file.

    Args:
        sources: input files, folders, patterns; ``-`` for standard input.
        output: what ``-o`` says: a file, a folder (exists, or ends with a slash), ``-``, or None.
        in_place: the targets are the sources.
        text: without ``-o`` the text goes to standard output; otherwise it is not written.

    Raises:
        UsageError: options exclude each other, or two files would have one target.
        InputError: a folder or pattern holds no file that can be rewritten.
    """
    folder = None if output is None or output == "-" else Path(output)
    found = find_sources(sources, output=folder)
    names = [source for source, _ in found]
    if in_place:
        if output is not None or STANDARD in names:
            raise UsageError("--in-place replaces the input files; it goes neither with -o nor with a pipe")
        return [(source, source) for source in names]
    if folder is None:
        return [(source, STANDARD if text or output == "-" else None) for source in names]
    if is_folder(str(output)):
        return [*into_folder(found, folder)]
    if len(found) > 1:
        raise UsageError(f"several files need a folder: -o {output}/")
    return [(names[0], folder)]


def _check_language(args: argparse.Namespace, spec: RewriterSpec) -> str:
    """Return the language of the model.

    Raises:
        ModelError: there is no such model, or it is damaged.
        UsageError: ``--lang`` names another language.
    """
    info = spec.info()
    if args.lang not in (None, "auto", info.lang):
        raise UsageError(f"the model '{info.name}' is for '{info.lang}', not for --lang {args.lang}")
    return info.lang


def _model(spec: RewriterSpec) -> dict[str, str]:
    info = spec.info()
    convention = f"{info.convention}@{info.convention_version}"
    return {"name": info.name, "identity": info.identity, "convention": convention}


def _write_summary(path: Path, counts: dict[str, Any]) -> None:
    if path == STANDARD:
        print(json.dumps(counts, ensure_ascii=False, indent=2))
    else:
        write_json(path, counts)


def _by_shards(args: argparse.Namespace, jobs: Sequence[tuple[Path, Path | None]]) -> bool:
    """Return whether the files are many or large enough for shards, state and processes.

    What is shown as it comes, pipes and devices are worked on in order, in this process.
    """
    shown = args.diff or args.json or args.flag_ambiguous
    in_order = args.in_place or shown or any(source == STANDARD for source, _ in jobs)
    if in_order or not (args.dry_run or all(_is_regular(target) for _, target in jobs)):
        if args.engine == "ray":
            raise UsageError("--engine ray needs files and -o OUT; it goes with no pipe, --in-place, --diff or --json")
        return False
    if args.shard_lines is not None or args.fresh or args.engine == "ray":
        return True
    if not args.dry_run and _state(args, jobs).exists():
        return True
    # text shrinks to about a quarter when it is compressed
    sizes = ((4 if s.suffix in PACKED else 1) * s.stat().st_size for s, _ in jobs if s.exists())
    return sum(sizes) > SHARD_SIZE


def _is_regular(target: Path | None) -> bool:
    return target is not None and target != STANDARD and (target.is_file() or not target.exists())


def _state(args: argparse.Namespace, jobs: Sequence[tuple[Path, Path | None]]) -> Path:
    return state_folder([(source, target or source) for source, target in jobs], args.output or "")


def _stream(
    args: argparse.Namespace,
    jobs: Sequence[tuple[Path, Path | None]],
    rewriter: RewritesTexts,
    language: Language,
    options: TextFileOptions,
) -> Summary:
    """Rewrite file after file in this process."""
    started = time.monotonic()
    summary = Summary()
    with ExitStack() as stack:
        observe = out.observe_all(_observers(args, jobs, language), stack)
        prints = args.diff or any(target == STANDARD for _, target in jobs)
        shows = sys.stderr.isatty() and not (prints and sys.stdout.isatty())
        options = replace(
            options,
            render=out.render_json if args.json else None,
            observe=observe,
            every=args.json,
            advance=stack.enter_context(out.progress()) if shows else None,
        )
        failures = []
        for source, target in jobs:
            try:
                summary.merge(rewrite_file(source, target, rewriter=rewriter, options=options))
            except InputError as error:
                failures.append(str(error))
        raise_failures(failures, len(jobs))
    summary.debug = write_traces(summary.rejects, debug_file(args.rejects))
    summary.seconds = time.monotonic() - started
    return summary


def _observers(
    args: argparse.Namespace, jobs: Sequence[tuple[Path, Path | None]], language: Language
) -> list[AbstractContextManager[Observer]]:
    """Return what watches the results: differences, page, rejects."""
    observers: list[AbstractContextManager[Observer]] = []
    if args.flag_ambiguous:
        observers.append(out.ambiguous_sentences(args.flag_ambiguous, language))
    if args.diff:
        observers.append(out.differences(named=len(jobs) > 1))
    if args.html:
        observers.append(out.page(args.html))
    if args.rejects:
        observers.append(out.rejects_file(args.rejects))
    if args.rejected_edits:
        observers.append(out.rejected_edits_file(args.rejected_edits))
    return observers
