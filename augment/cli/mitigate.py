"""``gender-fair augment mitigate``."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from augment.cli.options import add_common, build_config, parse_settings
from rewriter.cli.parsers import add_command, add_download_option

DESCRIPTION = """\
Close the gap between the texts of two genders by made texts of the rarer one (GenBiT, Sengupta et al. 2022, section 3):
random over-sampling, shuffling of sub-sentences, and words replaced by a masked language model, round by round until
both genders are as frequent. A text is a line. What was made, with the origin of each text, goes to added.jsonl.zst;
--merge writes the corpus with it.

examples:
  gender-fair augment mitigate corpus.txt.zst -o balanced --merge spread
  gender-fair augment mitigate corpus/ -o balanced --model bert-base-multilingual-cased
  gender-fair augment mitigate korpus.txt -o balanced --lang de --model runs/bert --close 0.9
  gender-fair augment mitigate corpus.txt -o balanced --set oversample='[0.1, 0.2]' --set distinct=true
"""


def register_mitigate(commands: Any) -> None:
    """Add ``augment mitigate``."""
    parser = add_command(
        commands, "mitigate", "made texts of the rarer gender until both are as frequent (GenBiT)", DESCRIPTION
    )
    parser.add_argument("inputs", nargs="+", metavar="INPUT", help="text files (.txt, .gz, .zst), folders or globs")
    parser.add_argument("--lang", default="en", help="language (default: %(default)s)")
    parser.add_argument("--category", default="genbit", help="shipped word list: genbit or gender (default: genbit)")
    parser.add_argument(
        "--lexicon", default="", metavar="TSV", help="your own: a table with the columns word and group"
    )
    parser.add_argument(
        "--minority", default="", metavar="GROUP", help="group to make texts of (default: the rarer one)"
    )
    parser.add_argument("--close", type=float, default=1.0, metavar="SHARE", help="of the gap (default: 1)")
    parser.add_argument(
        "--model", default="", metavar="NAME", help="masked language model: folder or Hugging Face name"
    )
    parser.add_argument("--device", default="cpu", help="of the model (default: %(default)s)")
    add_download_option(parser)
    parser.add_argument("--no-shuffle", action="store_true", help="leave sub-sentences in their order")
    parser.add_argument("--merge", choices=("none", "end", "spread"), default="none", help="write the corpus with them")
    add_common(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Make texts and tell what was made."""
    from augment.mitigate.files import MitigateConfig, describe, mitigate_files

    names = ("inputs", "lang", "category", "lexicon", "minority", "close", "model", "device", "merge", "seed")
    values = {name: getattr(args, name) for name in names} | {"shuffle": not args.no_shuffle}
    config = build_config(MitigateConfig, values | parse_settings(args.set), where="mitigate")
    manifest = mitigate_files(config, output=args.output, fresh=args.fresh)
    print(json.dumps(manifest.counts) if args.json else describe(manifest, Path(args.output)))
    return 0
