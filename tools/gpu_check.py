"""What a GPU has to show before a long training is given to it: the tests of its paths, and a timed part of a recipe.

    python -m tools.gpu_check                       # with pairs made up here
    python -m tools.gpu_check --pairs runs/en-backward/mix --updates 300

The recipe's own training section (``en-backward``: 6 + 6 layers, width 512, batches of 16,384 tokens) runs for some
updates in every precision that the machine has; tokens a second and the largest memory are printed, and how long the
recipe's updates would take. Where torch sees no GPU, the tests skip and nothing is timed, unless ``--cpu`` says to.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from augment.copying import made_up_word
from rewriter.installation.extras import require
from rewriter.io.files import read_json, write_pairs
from rewriter.records import Pair
from train.recipe.schema import RewriterRecipe
from train.seq2seq import train_seq2seq
from train.seq2seq.config import Seq2SeqConfig
from train.seq2seq.tokenizer import TokenizerConfig, train_tokenizer

TESTS = ("tests/train/test_gpu_paths.py", "tests/train/test_torchrun.py", "tests/train/test_edits_torchrun.py")
#: words of a made-up sentence: about the 25 pieces that sentences of text have
_WORDS = (4, 14)


def made_up_pairs(count: int, seed: int) -> Iterator[Pair]:
    """Yield sentences of words that nobody wrote, as pairs of a text and itself."""
    rng = np.random.default_rng(seed)
    words = [made_up_word(rng) for _ in range(4000)]
    for number in range(count):
        text = " ".join(words[int(n)] for n in rng.integers(len(words), size=int(rng.integers(*_WORDS))))
        yield Pair(text, text, "en", "copy", "neutral", f"made up:{number}")


def timed(config: Seq2SeqConfig, *, data: Path, pieces: Path, output: Path) -> dict[str, Any]:
    """Train for the updates of ``config``; return seconds, tokens a second and the largest memory of a GPU in GB."""
    torch = require("torch", extra="train")
    has_gpu = torch.cuda.is_available() and config.device != "cpu"
    if has_gpu:
        torch.cuda.reset_peak_memory_stats()
    train_seq2seq(config, data=data, tokenizer=pieces, output=output)
    manifest = read_json(output / "manifest.json")
    seconds, tokens = float(manifest["seconds"]), int(manifest["counts"]["tokens"])
    memory = torch.cuda.max_memory_allocated() / 1e9 if has_gpu else 0.0
    return {"seconds": seconds, "tokens": tokens, "tokens a second": tokens / seconds, "GB": memory}


def part_of(name: str, *, updates: int, cpu: bool) -> tuple[Seq2SeqConfig, int]:
    """Return the training of a shipped recipe cut to some updates, and how many it has."""
    from train.recipe.kinds import load_any_recipe

    recipe = load_any_recipe(name, overrides=["data.root=."])
    assert isinstance(recipe, RewriterRecipe) and recipe.train is not None
    short = replace(recipe.train, steps=updates, eval_every=updates, averaging=1, dev_sentences=16, log_every=updates)
    return replace(short, device="cpu" if cpu else "cuda"), recipe.train.steps


def precisions(*, cpu: bool) -> list[str]:
    """Return the precisions to time."""
    return ["bf16", "fp32"] if cpu else ["bf16", "fp16", "fp32"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the tests and the timing; return 0 where the tests passed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--recipe", default="en-backward", help="whose training is timed (default: %(default)s)")
    parser.add_argument("--pairs", type=Path, help="folder with train and dev pairs (default: made up)")
    parser.add_argument("--updates", type=int, default=100, help="of each precision (default: %(default)s)")
    parser.add_argument("--tokens", type=int, help="padded tokens of a batch in place of the recipe's")
    parser.add_argument("--cpu", action="store_true", help="time on the processor")
    parser.add_argument("--no-tests", action="store_true", help="time only")
    args = parser.parse_args(arguments)
    status = 0
    if not args.no_tests:
        status = subprocess.run([sys.executable, "-m", "pytest", "-q", "-rs", *TESTS], check=False).returncode
    if not args.cpu and not require("torch", extra="train").cuda.is_available():
        print("not timed: torch sees no GPU here (--cpu times the processor)")
        return status
    with tempfile.TemporaryDirectory(prefix="gender-fair-gpu-") as name:
        _time_all(args, Path(name))
    return status


def _time_all(args: argparse.Namespace, folder: Path) -> None:
    data = args.pairs or folder / "pairs"
    if args.pairs is None:
        write_pairs(data / "train.jsonl.zst", made_up_pairs(40_000, 1))
        write_pairs(data / "dev.jsonl.zst", made_up_pairs(200, 2))
    pieces = train_tokenizer(TokenizerConfig(sample=20_000, kind="bpe"), pairs=data, output=folder / "tokenizer")
    for precision in precisions(cpu=args.cpu):
        config, steps = part_of(args.recipe, updates=args.updates, cpu=args.cpu)
        config = replace(config, precision=precision, tokens_per_batch=args.tokens or config.tokens_per_batch)
        found = timed(config, data=data, pieces=pieces, output=folder / precision)
        hours = found["seconds"] / args.updates * steps / 3600
        print(
            f"{args.recipe}\t{precision}\t{args.updates} updates in {found['seconds']:.1f} s\t"
            f"{found['tokens a second']:,.0f} target tokens a second\t{found['GB']:.1f} GB\t"
            f"{steps:,} updates: about {hours:,.1f} h"
        )


if __name__ == "__main__":
    raise SystemExit(main())
