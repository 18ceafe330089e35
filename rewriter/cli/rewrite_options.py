"""Options of ``gender-fair rewrite`` about input, output, large inputs and the model."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rewriter.cli.language_settings import setting_options
from rewriter.cli.parsers import processes, threads
from rewriter.corpus.job import RewriterSpec
from rewriter.formats import FormatOptions
from rewriter.model.direction import DIRECTIONS, THEY
from rewriter.model.guard import MODES
from rewriter.policy import Policy


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that :func:`formats_from`, :func:`spec_from` and the command read."""
    _add_input_options(parser)
    _add_output_options(parser)
    _add_corpus_options(parser)
    _add_model_options(parser.add_argument_group("model"))


def _add_input_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("input")
    group.add_argument(
        "--format",
        choices=("auto", "txt", "jsonl", "csv", "tsv", "parquet"),
        default="auto",
        help="(default: auto, by the name)",
    )
    group.add_argument(
        "--column",
        action="append",
        metavar="NAME",
        help="text column of JSONL, CSV, TSV, Parquet; nested keys as meta.body, elements of a list as turns.*.text; "
        "may be given several times (default: text)",
    )
    group.add_argument("--delimiter", help="of CSV (default: found in the first line)")
    group.add_argument("--no-header", action="store_true", help="CSV and TSV without header; columns are numbers")
    group.add_argument(
        "--unit",
        choices=("auto", "line", "paragraph", "document"),
        default="auto",
        help="rewrite plain text line by line, by paragraphs, or a file as one text, so that code blocks and markup "
        "over several lines are seen; auto decides by the file's name, and reads hard-wrapped text by paragraphs "
        "(default)",
    )
    group.add_argument(
        "--code-comments",
        action="store_true",
        help="rewrite comments and docstrings of source code (.py, .js, .c ...), which is left alone otherwise",
    )


def _add_output_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("output")
    group.add_argument("-o", "--output", metavar="OUT", help="file, or folder for several (default: standard output)")
    group.add_argument("--in-place", action="store_true", help="replace the input files")
    what = group.add_mutually_exclusive_group()
    what.add_argument("--json", action="store_true", help="one JSON object per text: file, line, text, edits")
    what.add_argument("--diff", action="store_true", help="print the lines that change, with the differences marked")
    what.add_argument("--dry-run", action="store_true", help="count only; no text is written")
    group.add_argument(
        "--explain",
        action="store_true",
        help="IN are texts, not files: print for every candidate word its outcomes, what the network said, who "
        "decided, and what came out; --json prints one object per text",
    )
    group.add_argument("--html", type=Path, metavar="PAGE", help="write a page with the differences and counts")
    group.add_argument("--rejects", type=Path, metavar="FILE", help="list what was written unchanged (JSON lines)")
    group.add_argument(
        "--rejected-edits", type=Path, metavar="FILE", help="list the proposals that the guard refused (JSON lines)"
    )
    group.add_argument("--summary", type=Path, metavar="FILE", help="write the counts as JSON (-: to standard output)")


def _add_corpus_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("large inputs")
    group.add_argument(
        "--processes", type=processes, default=0, metavar="N", help="worker processes (default: all cores)"
    )
    group.add_argument(
        "--engine",
        choices=("local", "ray"),
        default="local",
        help="processes of this machine, or actors of a Ray cluster whose machines share the file system (default: "
        "local)",
    )
    group.add_argument(
        "--ray-address", metavar="ADDRESS", help="of the cluster: auto, HOST:6379 (default: find one or start one)"
    )
    group.add_argument(
        "--shard-lines", type=int, metavar="N", help="lines of a shard at most (default: by size, 8 MB); forces shards"
    )
    group.add_argument("--fresh", action="store_true", help="forget what an earlier run did under the same output")


def _add_model_options(group: argparse._ArgumentGroup) -> None:
    _add_language_options(group)
    _add_direction_options(group)
    group.add_argument("--lexicon", metavar="TSV", help="your own nouns: a table with the columns gendered and fair")
    group.add_argument(
        "--guard",
        choices=MODES,
        default="strict",
        help="strict: only edits that the grammar allows; report: all, and list what strict would refuse; off: "
        "all; covered: all, but of a sentence that lost or repeats words none; learned: what the pairs of a "
        "sequence-to-sequence model taught it (default: strict)",
    )
    group.add_argument("--device", choices=("cpu", "cuda", "auto"), default="cpu", help="(default: cpu)")
    group.add_argument(
        "--threads", type=threads, default=0, metavar="N", help="batches at a time (default: one per core)"
    )

    group.add_argument(
        "--proposals",
        type=Path,
        metavar="FILE",
        help="the answers of any other rewriter to IN, record by record in the same format: only what the grammar "
        "allows of them is made; no model is asked",
    )


def _add_language_options(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--lang", help="language; takes the bundled model of that name (default: en); auto leaves other languages alone"
    )
    group.add_argument("--lang-column", metavar="NAME", help="column with the language; other languages are left alone")
    group.add_argument(
        "--model", metavar="NAME_OR_DIR", help="bundled name, model directory, Hugging Face folder (with --lang)"
    )
    group.add_argument("--revision", metavar="COMMIT", help="download --model from the hub, in this revision")
    group.add_argument(
        "--prompt", type=Path, metavar="FILE", help="prompt of a causal language model, {text} for the sentence"
    )
    group.add_argument("--convention", metavar="NAME[@V]", help="refuse a model that follows another convention")


def _add_direction_options(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--to",
        choices=DIRECTIONS,
        default=DIRECTIONS[0],
        help="masculine, feminine: the way back, they to he or she and he to she, Lehrer*in to Lehrer (default: fair)",
    )
    group.add_argument(
        "--they",
        choices=THEY,
        default=THEY[0],
        help="on the way back: singular where rules recognise one person; all: every they that may be one (default: "
        "singular)",
    )


def formats_from(args: argparse.Namespace) -> FormatOptions:
    """Return how files are read.

    Raises:
        UsageError: options that make no sense.
    """
    return FormatOptions(
        format=args.format,
        unit=args.unit,
        columns=tuple(args.column or ("text",)),
        delimiter=args.delimiter,
        header=not args.no_header,
        lang_column=args.lang_column,
        code_comments=args.code_comments,
    )


def _of_strangers(args: argparse.Namespace) -> dict[str, str]:
    """Return the options of models from elsewhere that were given."""
    lang = None if args.model is None or args.lang == "auto" else args.lang
    given = {"lang": lang, "prompt": args.prompt and str(args.prompt), "revision": args.revision}
    return {name: value for name, value in given.items() if value is not None}


def model_name(args: argparse.Namespace) -> str:
    """Return the bundled name or directory of the model that the options ask for."""
    name: str = args.model or (args.lang if args.lang not in (None, "auto") else "en")
    return name


def spec_from(args: argparse.Namespace, policy: Policy, preset: Mapping[str, Any] | None = None) -> RewriterSpec:
    """Return which model is loaded, and how.

    Args:
        args: of the command.
        policy: what may change.
        preset: settings that hold where the options do not name them.
    """
    from rewriter.pipeline import Options

    given = setting_options(args)
    for name, value in (preset or {}).items():
        if name in Options.__dataclass_fields__:
            given.setdefault(name, value)
        elif name not in dict(given["settings"]):
            given["settings"] = tuple(sorted((*given["settings"], (name, value))))
    return RewriterSpec.of(
        model_name(args),
        device=args.device,
        threads=args.threads,
        convention=args.convention,
        lexicon=args.lexicon,
        to=args.to,
        they=args.they,
        guard=args.guard,
        **_of_strangers(args),
        policy=None if policy.idle else policy,
        **given,
    )
