"""``gender-fair serve``: the rewriter over HTTP, and a page for people."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import Any

from rewriter.cli.parsers import add_command
from rewriter.installation.extras import require
from rewriter.serve.settings import TOKEN, Limits, ServeOptions, read_token

DESCRIPTION = f"""\
Serve the rewriter over HTTP, for programs (/rewrite, /rewrite/stream, /check, /models, /health, /metrics; described by
/openapi.json) and for people (a page at /). Only this machine reaches it unless --host says otherwise. Texts are
neither logged nor kept. SIGTERM and Ctrl-C let the requests that run come to their end.

examples:
  gender-fair serve
  gender-fair serve --port 9000 --model de
  {TOKEN}=... gender-fair serve --host 0.0.0.0
  curl -H 'Content-Type: application/json' -d '{{"text": "She knows her stuff."}}' http://127.0.0.1:8000/rewrite
"""


def register(subparsers: Any) -> None:
    """Add the command ``serve``."""
    parser = add_command(subparsers, "serve", "serve the rewriter over HTTP, with a page", DESCRIPTION)
    defaults, limits = ServeOptions(), Limits()
    parser.add_argument("--host", default=defaults.host, help="address to listen on (default: %(default)s)")
    parser.add_argument("--port", type=int, default=defaults.port, help="0: a free one (default: %(default)s)")
    parser.add_argument(
        "--model",
        action="append",
        default=[],
        metavar="NAME_OR_DIR",
        help="bundled name or model directory, repeatable; the first of a language is its default (default: all "
        "bundled ones)",
    )
    parser.add_argument(
        "--token-file",
        type=Path,
        metavar="FILE",
        help=f"clients must show the token in this file (default: that in {TOKEN}, if any)",
    )
    parser.add_argument(
        "--allow-origin",
        action="append",
        default=[],
        metavar="URL",
        help="let pages of this origin call the service, repeatable (default: none but its own page)",
    )
    group = parser.add_argument_group("limits")
    for name, kind, meaning in (
        ("bytes", int, "of a body, or of a line of a stream"),
        ("texts", int, "of one request"),
        ("seconds", float, "that a request may take"),
        ("workers", int, "requests worked on at the same time; 0: one per core"),
        ("waiting", int, "requests that may wait for a worker"),
        ("streams", int, "streams open at the same time"),
        ("sentences", int, "remembered for each model and its options, about 2 kB each; 0: none"),
    ):
        group.add_argument(
            f"--max-{name}",
            type=kind,
            default=getattr(limits, name),
            metavar="N",
            help=f"{meaning} (default: %(default)s)",
        )
    parser.add_argument("--quiet", action="store_true", help="log no requests, only warnings")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Serve until told to stop."""
    for module in ("fastapi", "uvicorn", "prometheus_client"):
        require(module, extra="serve")
    from rewriter.serve.run import serve

    names = Limits.__dataclass_fields__
    options = ServeOptions(
        host=args.host,
        port=args.port,
        models=tuple(args.model),
        token=read_token(args.token_file, os.environ),
        origins=tuple(args.allow_origin),
        limits=Limits(**{name: getattr(args, f"max_{name}") for name in names}),
    )
    return serve(options, quiet=args.quiet)
