"""What the ``eval`` commands share: options for scoring, the table of counts, notes."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from pathlib import Path

from eval.bootstrap import Resampling
from eval.edits import EditReport
from eval.tables import Table
from eval.texts import is_published
from eval.wer import CASES
from rewriter.cli.messages import say
from rewriter.cli.parsers import seed


def add_text_options(parser: argparse.ArgumentParser, *, lang: str | None = "en") -> None:
    """Add language, tokenizer and ``--json``.

    Args:
        parser: of the command.
        lang: the default language; None for that of the model.
    """
    default = "that of the model" if lang is None else lang
    parser.add_argument("--lang", default=lang, help=f"language of the text (default: {default})")
    parser.add_argument("--tokenizer", metavar="NAME", help="moses-LANG or none (default: moses- and the language)")
    parser.add_argument("--json", action="store_true", help="print JSON")


def add_score_options(parser: argparse.ArgumentParser) -> None:
    """Add case and the options of resampling."""
    parser.add_argument("--case", choices=CASES, default="mixed", help="compare as written or in lower case")
    parser.add_argument("--bootstrap", type=int, default=1000, metavar="N", help="samples (default: %(default)s)")
    parser.add_argument("--seed", type=seed, default=12345, help="seed of the resampling (default: %(default)s)")


def resampling_of(args: argparse.Namespace) -> Resampling:
    """Return the resampling that the options ask for."""
    return Resampling(samples=args.bootstrap, seed=args.seed)


def hide_sentences(paths: Iterable[Path]) -> bool:
    """Return whether one of the files is published and must not be shown; says so on standard error."""
    published = next((path for path in paths if is_published(path)), None)
    if published is None:
        return False
    say(f"{published} lies in GENDER_FAIR_TESTSETS: figures only, no sentences")
    return True


def count_table(report: EditReport) -> Table:
    """Return counts by kind of edit; kinds that do not occur are left out."""
    rows = [
        [kind, *map(str, (c.expected, c.done, c.missed, c.wrong, c.extra))]
        for kind, c in report.counts().items()
        if c.expected or c.extra
    ]
    return Table(["kind", "expected", "done", "missed", "wrong", "extra"], rows)


def damage_line(report: EditReport) -> str:
    """Return a line about what should have been copied."""
    extra = report.counts()["other"].extra
    return f"copy damage: {extra} changes of no known kind in {report.damaged_sentences()} sentences"
