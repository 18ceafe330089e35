"""``gender-fair completion``: scripts that complete commands and options in a shell."""

from __future__ import annotations

import argparse
from typing import Any

from rewriter.cli.parsers import add_command
from rewriter.installation.extras import require

SHELLS = ("bash", "zsh", "tcsh")
DESCRIPTION = """\
Print a script with which a shell completes the commands and their options. It is made from the parsers of the commands
that are installed, so make it anew after an update.

examples:
  gender-fair completion bash > ~/.local/share/bash-completion/completions/gender-fair
  gender-fair completion zsh > ~/.zfunc/_gender-fair
"""


def register(subparsers: Any) -> None:
    """Add the command ``completion``."""
    parser = add_command(subparsers, "completion", "print a completion script for a shell", DESCRIPTION)
    parser.add_argument("shell", choices=SHELLS)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the script."""
    shtab = require("shtab", extra="completion")
    from rewriter.cli.main import build_parser

    print(shtab.complete(build_parser([]), shell=args.shell))
    return 0
