"""``gender-fair train bert`` and ``gender-fair train cds-finetune``."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rewriter.cli.parsers import add_command, add_download_option, seed
from train.loop.processes import rank
from train.stages import Choice, plan_table

BERT_DESCRIPTION = """\
Train BERT from the beginning: a WordPiece vocabulary, the corpus packed as the recipe says, and a masked language model
for each seed. With --start training goes on from a BERT or an encoder that is there, with its vocabulary; an encoder
without a masked language model gets one, whose output is tied to its embeddings. A killed run goes on exactly where its
last checkpoint stands when the same command is given again.
Under torchrun several processes share each batch.

examples:
  gender-fair train bert my-bert.yaml
  gender-fair train bert my-bert.yaml -o runs/bert --seeds 1 2 3 --set model.size=small
  gender-fair train bert my-bert.yaml --start minilm-en --set train.epochs=3
  torchrun --nproc-per-node 4 -m rewriter train bert my-bert.yaml
"""

CDS_DESCRIPTION = """\
Fine-tune a BERT on gender-swapped texts (GAP-CDS; Bartl et al. 2020). MODEL is a folder or a name; TEXTS a TSV with a
column of texts (gap_flipped.tsv), or a text file. The result lies in OUTPUT/model.

examples:
  gender-fair train cds-finetune runs/bert/seed-1/model gap_flipped.tsv -o runs/bert/seed-1-cds
  gender-fair train cds-finetune bert-base-uncased gap_flipped.tsv -o tuned --batch-size 1
"""


def register_bert(parts: Any) -> None:
    """Add ``train bert``."""
    parser = add_command(
        parts, "bert", "a BERT from the beginning, with held-out perplexity, for several seeds", BERT_DESCRIPTION
    )
    parser.add_argument("recipe", type=Path, metavar="RECIPE", help="YAML file")
    parser.add_argument("-o", "--output", type=Path, metavar="DIR", help="folder of the run (default: runs/NAME)")
    parser.add_argument(
        "--start",
        metavar="FOLDER",
        help="a BERT or encoder to begin from (model.start)",
    )
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="override a key")
    parser.add_argument("--seeds", type=seed, nargs="+", metavar="N", help="one model for each (overrides the recipe)")
    parser.add_argument("--until", metavar="STAGE", help="this stage and what it needs: tokenizer, data, seed-N")
    parser.add_argument("--dry-run", action="store_true", help="print what would be done and why")
    parser.add_argument("--fresh", action="store_true", help="begin anew with every stage")
    parser.add_argument("--redo", action="append", default=[], metavar="STAGE", help="begin anew with this stage")
    parser.add_argument("--json", action="store_true", help="print what was done as JSON")
    parser.set_defaults(run=run_bert_command)


def register_cds(parts: Any) -> None:
    """Add ``train cds-finetune``."""
    parser = add_command(parts, "cds-finetune", "a BERT on gender-swapped texts (GAP-CDS)", CDS_DESCRIPTION)
    parser.add_argument("model", metavar="MODEL", help="folder or name of a BERT")
    add_download_option(parser)
    parser.add_argument("texts", type=Path, metavar="TEXTS", help="TSV with a column of texts, or a text file")
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="DIR", help="folder of the result")
    parser.add_argument("--column", default="Text", help="column with the texts (default: %(default)s)")
    parser.add_argument("--epochs", type=int, default=3, help="(default: %(default)s)")
    parser.add_argument("--batch-size", type=int, default=16, metavar="N", help="sentences (default: %(default)s)")
    parser.add_argument("--learning-rate", type=float, default=2e-5, metavar="X", help="(default: %(default)s)")
    parser.add_argument("--precision", choices=("bf16", "fp32"), default="fp32", help="(default: %(default)s)")
    parser.add_argument("--device", choices=("auto", "cpu", "cuda"), default="auto", help="(default: %(default)s)")
    parser.add_argument("--seed", type=seed, default=42, help="of order and masks (default: %(default)s)")
    parser.add_argument("--json", action="store_true", help="print counts as JSON")
    parser.set_defaults(run=run_cds_command)


def run_bert_command(args: argparse.Namespace) -> int:
    """Train the models of a recipe."""
    from train.bert.config import load_bert_recipe
    from train.bert.run import run_bert

    seeds = [f"seeds={json.dumps(args.seeds)}"] if args.seeds else []
    start = [f"model.start={json.dumps(args.start)}"] if args.start else []
    recipe = load_bert_recipe(args.recipe, overrides=[*args.set, *seeds, *start])
    choice = Choice(until=args.until, fresh=args.fresh, redo=tuple(args.redo), dry_run=args.dry_run)
    output = args.output or Path("runs") / recipe.name
    steps = run_bert(recipe, output=output, choice=choice)
    if rank() > 0:
        return 0
    if args.json:
        print(json.dumps({"output": str(output), "stages": [asdict(step) for step in steps]}, ensure_ascii=False))
    else:
        print(plan_table(steps) if args.dry_run else output)
    return 0


def run_cds_command(args: argparse.Namespace) -> int:
    """Fine-tune on swapped texts."""
    from train.bert.cds import CdsConfig, finetune_cds

    config = CdsConfig(
        epochs=args.epochs,
        batch_size=args.batch_size,
        learning_rate=args.learning_rate,
        seed=args.seed,
        column=args.column,
        precision=args.precision,
        device=args.device,
    )
    counts = finetune_cds(args.model, args.texts, config, output=args.output)
    if rank() == 0:
        print(json.dumps(counts) if args.json else args.output / "model")
    return 0
