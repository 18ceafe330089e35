"""The command ``gender-fair train swap-head``."""

from __future__ import annotations

import argparse
import json
import os
from pathlib import Path
from typing import Any

from rewriter.cli.parsers import add_command
from rewriter.errors import UsageError

SWAP_HEAD_DESCRIPTION = """\
Train the head that says for swapping which German words mean a person whose gender turns, and in which case they
stand, on the frozen encoder of an edit model. Labels are stand-off records, their texts lie in the data folder. What
the encoder reads is kept in the output folder, so that the same command goes on where it was interrupted.

examples:
  gender-fair train swap-head read.jsonl --stars rewritten.jsonl -o runs/swap-head
  gender-fair train swap-head read.jsonl -o runs/swap-head --held-back 0
"""


def register_swap_head(parts: Any) -> None:
    """Add ``train swap-head``."""
    part = add_command(parts, "swap-head", "the head that reads German mentions for swapping", SWAP_HEAD_DESCRIPTION)
    part.add_argument("gold", nargs="+", metavar="GOLD", help="records of sentences read for swapping (JSONL)")
    part.add_argument("--stars", nargs="*", default=[], metavar="FILE", help="records of sentences read for rewriting")
    part.add_argument("--hold-out", nargs="*", default=[], metavar="FILE", help="records that are measured on")
    part.add_argument("--data", type=Path, metavar="DIR", help="folder of their texts (default: GENDER_FAIR_DATA)")
    part.add_argument("-o", "--output", type=Path, required=True, metavar="DIR", help="folder of the head")
    part.add_argument(
        "--model", default="de", metavar="NAME_OR_DIR", help="edit model whose encoder reads (default: de)"
    )
    part.add_argument("--stars-at-most", type=int, default=10_000, metavar="N", help="(default: 10000)")
    part.add_argument("--seed", type=int, default=1, metavar="N", help="(default: 1)")
    part.add_argument("--held-back", type=int, default=-1, metavar="SIXTH", help="0 to 5: measure on this sixth")
    part.set_defaults(run=run_swap_head)


def run_swap_head(args: argparse.Namespace) -> int:
    """Train the head that reads mentions for swapping; print what was measured on the sentences held back."""
    from train.de.swap_head import HeadConfig, make_head

    data = args.data or os.environ.get("GENDER_FAIR_DATA")
    if not data:
        raise UsageError("name the folder that the texts lie in with --data, or set GENDER_FAIR_DATA")

    config = HeadConfig(
        args.gold,
        args.stars,
        args.hold_out,
        args.stars_at_most,
        model=args.model,
        seed=args.seed,
        held_back=args.held_back,
    )
    figures = make_head(config, data=Path(data), output=args.output)
    print(json.dumps(figures))
    return 0
