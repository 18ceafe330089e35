"""Parsers of commands, all made alike."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

from rewriter.options import MOST_PROCESSES, MOST_SEED, MOST_THREADS

__all__ = ["add_command"]


def add_command(commands: Any, name: str, summary: str, description: str) -> argparse.ArgumentParser:
    """Add a command and return its parser.

    Args:
        commands: what ``add_subparsers`` returned.
        name: of the command.
        summary: its line in the list of commands.
        description: what it does, with examples; shown as it is written.
    """
    parser: argparse.ArgumentParser = commands.add_parser(
        name, help=summary, description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    return parser


def add_download_option(parser: Any) -> None:
    """Add the option without which nothing is fetched from the network."""
    parser.add_argument(
        "--allow-download",
        action="store_true",
        help="let names of the Hugging Face hub be fetched (default: stay offline)",
    )


def whole_number(least: int, most: int) -> Callable[[str], int]:
    """Return an argparse type for whole numbers within bounds."""

    def read(text: str) -> int:
        try:
            number = int(text)
        except ValueError:
            raise argparse.ArgumentTypeError(f"'{text[:40]}' is no whole number") from None
        if not least <= number <= most:
            raise argparse.ArgumentTypeError(f"must be from {least} to {most}, not {text[:40]}")
        return number

    return read


seed = whole_number(0, MOST_SEED)
threads = whole_number(0, MOST_THREADS)
processes = whole_number(0, MOST_PROCESSES)
