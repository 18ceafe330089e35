"""The command ``gender-fair train cased-encoder``."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from rewriter.cli.parsers import add_command, seed

CASED_DESCRIPTION = """\
Make a pretrained encoder out of an edit model, for sequence-to-sequence training to begin from (train.start): its
layers as they are, its pieces as they are written in TEXT. Put it below the folder that GENDER_FAIR_ENCODERS names.

examples:
  gender-fair train cased-encoder en --text corpora/en -o encoders/en-cased
  gender-fair train cased-encoder my-edits --text corpora/de -o encoders/de-cased
"""


def register_cased(parts: Any) -> None:
    """Add ``train cased-encoder``."""
    part = add_command(parts, "cased-encoder", "an encoder to begin from, out of an edit model", CASED_DESCRIPTION)
    part.add_argument("model", metavar="NAME_OR_DIR", help="edit model: a bundled name, or a folder")
    part.add_argument("--text", nargs="+", required=True, metavar="FILE", help="text files, folders or globs")
    part.add_argument("--exclude", nargs="*", default=[], metavar="GLOB", help="texts to leave out, by name")
    part.add_argument("--lang", metavar="CODE", help="language of the text (default: that of the model)")
    part.add_argument("--seed", type=seed, default=1, metavar="N", help="of the lines that are read (default: 1)")
    part.add_argument("-o", "--output", type=Path, required=True, metavar="DIR", help="the folder to make")
    part.set_defaults(run=run_cased)


def run_cased(args: argparse.Namespace) -> int:
    """Make the folder; print how many pieces it has."""
    from augment.sources import find_inputs
    from rewriter.model.directory import load_info, resolve
    from train.encoder.cased import write_cased_encoder

    files = find_inputs(args.text, args.exclude)
    lang = args.lang or load_info(resolve(args.model)).lang
    pieces = write_cased_encoder(args.model, files, args.output, lang=lang, seed=args.seed)
    print(f"{args.output}: {pieces:,} pieces")
    return 0
