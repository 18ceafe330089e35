"""``gender-fair new-language``: the first files of a language, as a package of its own that works."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from rewriter.cli.parsers import add_command
from rewriter.installation.scaffold import write_language

DESCRIPTION = """\
Write the first files of a language: a package with a table of words, the language that reads it, kinds of edits for
measuring, and cases. It works as it is (with two invented words), so that it can be changed step by step;
docs/extend/add-a-language.md says how.

examples:
  gender-fair new-language nl
  gender-fair new-language nl --to languages/dutch
"""


def register(subparsers: Any) -> None:
    """Add the command ``new-language``."""
    parser = add_command(subparsers, "new-language", "write the first files of a language", DESCRIPTION)
    parser.add_argument("code", help="of the language: two to eight small letters")
    parser.add_argument("--to", metavar="DIR", type=Path, help="new folder (default: gender-fair-CODE)")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Write the files and say what comes next."""
    folder = args.to or Path(f"gender-fair-{args.code}")
    for path in write_language(args.code, folder):
        print(path)
    print(f"next: pip install -e {folder}; then {folder}/README.md")
    return 0
