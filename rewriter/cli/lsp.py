"""``gender-fair lsp``: a language server for editors."""

from __future__ import annotations

import argparse
from typing import Any

from rewriter.cli.language_settings import add_setting_options, setting_options
from rewriter.cli.parsers import add_command
from rewriter.installation.extras import require
from rewriter.policy import SCOPES, Policy

DESCRIPTION = """\
Speak the language server protocol over standard input and output: what would change is underlined in plain text,
Markdown, HTML, TeX and reST, with a quick fix for each change (words that need each other change together) and one for
all. An editor starts this command; docs/use/editors.md says how.

examples:
  gender-fair lsp
  gender-fair lsp --lang de --form colon
"""


def register(subparsers: Any) -> None:
    """Add the command ``lsp``."""
    parser = add_command(subparsers, "lsp", "a language server for editors", DESCRIPTION)
    parser.add_argument("--model", metavar="NAME_OR_DIR", help="bundled name or model directory (default: all bundled)")
    parser.add_argument("--lang", help="language of all texts (default: found for each text)")
    parser.add_argument("--scope", choices=SCOPES, help="generic: leave sentences that name a person alone")
    add_setting_options(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Serve until the editor ends."""
    for module in ("pygls", "lsprotocol"):
        require(module, extra="lsp")
    from rewriter.lsp.findings import finder
    from rewriter.lsp.server import make_server

    policy = Policy(marks=True) if args.scope is None else Policy(marks=True, scope=args.scope)
    make_server(finder(args.model, args.lang, policy=policy, **setting_options(args))).start_io()
    return 0
