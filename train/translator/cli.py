"""``gender-fair train translator``."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rewriter.cli.parsers import add_command
from rewriter.errors import UsageError
from rewriter.io.files import read_json
from train.loop.processes import rank
from train.stages import Choice, plan_table

DESCRIPTION = """\
Train a small translation model from sentence pairs (lines of two languages between tabs): parts without overlap,
vocabulary, training, a folder for `gender-fair augment round-trip`, and BLEU on the test part. RECIPE is of kind
translator, or of kind round-trip, whose translators are trained. After an interruption the same command goes on.

examples:
  gender-fair train translator de-en.yaml -o runs/de-en
  gender-fair train translator de-en.yaml -o runs/de-en --set train.max_minutes=60
  gender-fair train translator de-round-trip --set data.root=FOLDER
"""


def register_translator(parts: Any) -> None:
    """Add ``train translator``."""
    parser = add_command(parts, "translator", "translation models for round trips, with BLEU", DESCRIPTION)
    parser.add_argument("recipe", metavar="RECIPE", help="YAML file, or name of a shipped recipe")
    parser.add_argument("-o", "--output", type=Path, metavar="DIR", help="folder of the run (default: runs/NAME)")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="override a key")
    parser.add_argument("--dry-run", action="store_true", help="print what would be done and why")
    parser.add_argument("--fresh", action="store_true", help="begin anew with every stage")
    parser.add_argument("--redo", action="append", default=[], metavar="STAGE", help="begin anew with this stage")
    parser.add_argument("--json", action="store_true", help="print what was done as JSON")
    parser.set_defaults(run=run_translator)


def run_translator(args: argparse.Namespace) -> int:
    """Train the translators of a recipe."""
    from train.recipe.kinds import load_any_recipe
    from train.recipe.run import run_recipe
    from train.round_trip.recipe import RoundTripRecipe
    from train.translator.config import TranslatorConfig

    recipe = load_any_recipe(args.recipe, overrides=args.set)
    if isinstance(recipe, RoundTripRecipe):
        prefixes = [f"{name}/" for name in recipe.translators]
    elif isinstance(recipe, TranslatorConfig):
        prefixes = [""]
    else:
        raise UsageError(f"{args.recipe}: trains no translator; the recipe must be of kind translator or round-trip")
    output = args.output or Path("runs") / recipe.name
    for prefix in prefixes:
        redo = tuple(stage for stage in args.redo if stage.startswith(prefix))
        choice = Choice(until=f"{prefix}score", fresh=args.fresh, redo=redo, dry_run=args.dry_run)
        steps = run_recipe(recipe, output=output, choice=choice)
        if rank() > 0:
            continue
        if args.dry_run:
            print(plan_table(steps))
        elif args.json:
            print(json.dumps({"output": str(output), "stages": [asdict(step) for step in steps]}, ensure_ascii=False))
        else:
            for score in read_json(output / f"{prefix}score" / "scores.json")["scores"]:
                told = f"{score['set']}\t{score['metric']} {score['score']:.2f}\t{score['signature']}"
                print(f"{output / f'{prefix}export' / 'model'}\t{told}")
    return 0
