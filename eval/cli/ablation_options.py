"""The options of ``eval`` commands that say what decides: ``--guard``, ``--ablate``, ``--labels``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from eval.ablation import GUARDS, Ablation
from eval.constants import fit_constants
from rewriter.errors import UsageError
from rewriter.io.files import read_pairs
from rewriter.language.interface import get_language
from rewriter.model.directory import load_info, resolve


def add_ablation_options(parser: argparse.ArgumentParser) -> None:
    """Add ``--guard``, ``--ablate`` and ``--labels``."""
    group = parser.add_argument_group("what decides")
    group.add_argument(
        "--guard",
        choices=GUARDS,
        default=GUARDS[0],
        help="off: every answer as the model gave it, the gate off too; learned: what of it its training pairs "
        "change; covered: all of it, unless words were lost (default: %(default)s)",
    )
    group.add_argument(
        "--ablate",
        action="store_true",
        help="beside each model the same with constant answers and the grammar alone, and what its network is worth",
    )
    group.add_argument(
        "--labels",
        type=Path,
        metavar="PAIRS",
        help="training pairs that the constant answers of an edit model are fitted on (default: the network's bias)",
    )


def ablation_of(args: argparse.Namespace, models: Sequence[str]) -> Ablation:
    """Return how the models are measured.

    Args:
        args: with the options of :func:`add_ablation_options`.
        models: bundled names or directories; the labels are read as the first of them reads.

    Raises:
        UsageError: labels without ``--ablate``, or without a model.
        InputError: the labels cannot be read, or are none.
    """
    if args.labels is None:
        return Ablation(guard=args.guard, parts=args.ablate)
    if not args.ablate or not models:
        raise UsageError("--labels says what the constant answers of --ablate are fitted on; it needs that and a model")
    info = load_info(resolve(models[0]))
    language = get_language(info.lang, **info.settings.get("language", {}))
    fitted = fit_constants(read_pairs(args.labels), language)
    left = f", {fitted.unexplained:,} pairs not explained" if fitted.unexplained else ""
    print(
        f"gender-fair: constants fitted on {fitted.candidates:,} labels of {fitted.pairs:,} pairs{left}",
        file=sys.stderr,
    )
    return Ablation(guard=args.guard, parts=True, constants=fitted.log_odds)
