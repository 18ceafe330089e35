"""Parsers of commands, all made alike."""

from __future__ import annotations

import argparse
from typing import Any


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
