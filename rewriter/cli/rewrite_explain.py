"""``gender-fair rewrite --explain TEXT``: who decided each candidate word, and how."""

from __future__ import annotations

import argparse
import sys

from rewriter.corpus.job import RewriterSpec
from rewriter.errors import UsageError
from rewriter.io.files import json_line
from rewriter.report.explain import render

#: options that read or write files, or check them
_ABOUT_FILES = (
    "check",
    "output",
    "in_place",
    "diff",
    "dry_run",
    "html",
    "summary",
    "rejects",
    "rejected_edits",
    "lang_column",
)


def run_explain(args: argparse.Namespace, spec: RewriterSpec) -> int:
    """Print the explanations of the texts that the arguments hold; return 0.

    Args:
        args: of ``gender-fair rewrite``.
        spec: the model, with the policy of the arguments.

    Raises:
        UsageError: an option goes with files only.
        ModelError: there is no such model, or it is damaged.
    """
    for name in _ABOUT_FILES:
        if getattr(args, name):
            raise UsageError(f"--explain takes texts, not files; it does not go with --{name.replace('_', '-')}")
    if args.lang == "auto":
        raise UsageError("--explain takes texts of one language; name it instead of --lang auto")
    rewriter = spec.load()
    sys.stdout.flush()
    for number, text in enumerate(args.files):
        explanation = rewriter.explain(text)
        if args.json:
            shown = json_line(explanation.to_dict())
        else:
            # a word of the command line that is not UTF-8 holds surrogates
            shown = ("\n" * bool(number) + render(explanation)).encode("utf-8", "backslashreplace")
        sys.stdout.buffer.write(shown)
        sys.stdout.buffer.flush()
    return 0
