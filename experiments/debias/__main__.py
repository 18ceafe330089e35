"""Run a recipe of the experiment by several commands at once: ``python -m experiments.debias RECIPE --commands 2``.

Each command is ``gender-fair run RECIPE`` with one thread; they share the run's folder, and each takes the cells that
no other has in hand. What is shared by all cells (texts, the stem) is made first, by one command with all the threads.
Given again after a kill, it goes on.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from experiments.debias.config import STEM, DebiasRecipe, load_debias_recipe
from experiments.debias.run import debias_stages
from rewriter.errors import GenderFairError


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the recipe; return 0 where all commands ended well."""
    args = _parser().parse_args(arguments)
    try:
        return run_together(args)
    except GenderFairError as error:
        print(f"error: {error}", file=sys.stderr)
        return error.exit_code


def run_together(args: argparse.Namespace) -> int:
    """Make what all cells share, then run the commands; return 0 where all of them ended well."""
    recipe = load_debias_recipe(args.recipe, overrides=args.set)
    output = args.output or Path("runs") / recipe.name
    command = [sys.executable, "-m", "rewriter", "run", str(args.recipe), "-o", str(output)]
    command += [part for setting in args.set for part in ("--set", setting)]
    for stage in shared_stages(recipe):
        threads = _threads(recipe, args.commands * args.threads)
        code = subprocess.run([*command, *threads, "--until", stage]).returncode
        if code:
            return code
    running = [subprocess.Popen([*command, *_threads(recipe, args.threads)]) for _ in range(args.commands)]
    return max(process.wait() for process in running)


def shared_stages(recipe: DebiasRecipe) -> list[str]:
    """Return the last stages of what all cells need, to be made before they are shared out."""
    names = [stage.name for stage in debias_stages(recipe)]
    return [name for name in ("data/held-out", f"{STEM}/bert", "diet/scores") if name in names]


def _threads(recipe: DebiasRecipe, number: int) -> list[str]:
    """Return the options that give a command so many threads, the training of its stem, too."""
    keys = ["train", *(["stem.train"] if recipe.stem is not None and recipe.stem.train is not None else [])]
    return [part for key in keys for part in ("--set", f"{key}.threads={number}")]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m experiments.debias", description=__doc__)
    parser.add_argument("recipe", type=Path, metavar="RECIPE", help="YAML file")
    parser.add_argument("-o", "--output", type=Path, metavar="DIR", help="folder of the run (default: runs/NAME)")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="override a key")
    parser.add_argument("--commands", type=int, default=2, metavar="N", help="at once (default: %(default)s)")
    parser.add_argument("--threads", type=int, default=1, metavar="N", help="of each (default: %(default)s)")
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
