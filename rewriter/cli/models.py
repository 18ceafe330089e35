"""``gender-fair models``: the bundled models and what they reach."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from rewriter.cli.parsers import add_command
from rewriter.installation.doctor import megabytes
from rewriter.model.directory import bundled, load_info

DESCRIPTION = """\
List the models that came with this installation, with the scores that were measured when each was made.

examples:
  gender-fair models
  gender-fair models --json
"""


def register(subparsers: Any) -> None:
    """Add the command ``models``."""
    parser = add_command(subparsers, "models", "list the bundled models", DESCRIPTION)
    parser.add_argument("--json", action="store_true", help="print JSON for machines")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the bundled models."""
    models = [describe(folder) for folder in bundled()]
    if args.json:
        print(json.dumps(models, ensure_ascii=False, indent=2))
    else:
        print("\n\n".join(map(render, models)) or "No bundled model in this installation; pass a model directory.")
    return 0


def describe(folder: Path) -> dict[str, Any]:
    """Return what is to be known about the model in ``folder``.

    Raises:
        ModelError: the directory is incomplete or damaged.
    """
    info = load_info(folder)
    return {
        "name": info.name,
        "lang": info.lang,
        "target": info.target,
        "convention": info.convention,
        "convention_version": info.convention_version,
        "megabytes": megabytes(folder),
        "identity": info.identity,
        "scores": info.scores,
        "path": str(folder),
    }


def render(model: dict[str, Any]) -> str:
    """Return one model as text for people."""
    head = (
        f"{model['name']}: language {model['lang']}, target {model['target']}, convention {model['convention']} "
        f"version {model['convention_version']}, {model['megabytes']} MB"
    )
    scores = [f"  {s.get('set')}: {s.get('score')}  {s.get('signature', '')}".rstrip() for s in model["scores"]]
    return "\n".join([head, f"  {model['path']}", *scores])
