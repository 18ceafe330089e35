"""The commands ``gender-fair run``, ``gender-fair train ...`` and ``gender-fair export``."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rewriter.cli.parsers import add_command, add_download_option
from rewriter.errors import UsageError
from train.bert.cli import register_bert, register_cds
from train.de.cli import register_swap_head
from train.encoder.cli import register_cased
from train.loop.processes import rank
from train.stages import Choice, Step, plan_table
from train.translator.cli import register_translator

RUN_DESCRIPTION = """\
Run a recipe from raw text to a scored model. Each stage is skipped when its output stands; after an interruption the
same command goes on. A stage whose options or inputs have changed is refused with what differs, until --redo STAGE
(this stage, and later ones where what they read changes) or --fresh (all stages) says to begin anew.

RECIPE is a YAML file or the name of a shipped recipe.

examples:
  gender-fair run en-small
  gender-fair run en-small --set data.root=/data --until mix
  gender-fair run en-small --dry-run
  gender-fair run en-small --set train.learning_rate=3e-4 --redo train
  gender-fair run debias-bert --set size=tiny --set 'cells=[untouched, rewritten]'
"""

TRAIN_DESCRIPTION = """\
Train one part of a recipe, with what it needs: 'rewriter' runs the whole recipe, the others end at their stage.

examples:
  gender-fair train rewriter en-small --output runs/en-small
  gender-fair train rewriter my-pairs.yaml --init runs/en-small/train
  gender-fair train parser parser-en --set data.root=/data
  gender-fair train bert my-bert.yaml --seeds 1 2
"""

CLASSIFIER_DESCRIPTION = """\
Train a sequence classifier for each seed: any model of transformers by name or folder, or random weights by a
configuration. Keeps a checkpoint of each epoch (for eval example-scores), the best one as 'model', and writes
predictions (for eval fairness). After an interruption the same command goes on.

examples:
  gender-fair train classifier classifier.yaml -o runs/vanilla
  gender-fair train classifier classifier.yaml --set train=runs/healthy/train.jsonl.zst --set 'seeds=[1, 2, 3]'
"""

EXPORT_DESCRIPTION = """\
Convert a trained sequence-to-sequence checkpoint into a model directory that `gender-fair rewrite --model` loads.
A recipe with an 'export' section does this by itself and describes the model more fully. A folder of the Hugging Face
library (Marian, T5, BART ...; a causal language model with a prompt) keeps its files; its weights lie in CTranslate2's
form beside them.

examples:
  gender-fair export runs/en-small/train -o my-model --name my-model --pairs runs/en-small/mix
  gender-fair export my-t5 -o my-model --lang en
  gender-fair export my-gpt2 -o my-model --lang en --prompt prompt.txt
"""

#: train command -> (stage where it ends, what it makes)
_PARTS = {
    "rewriter": (None, "a rewriter: the whole recipe"),
    "parser": ("parser", "the spaCy pipeline that the augmentation rules read"),
    "tokenizer": ("tokenizer", "the joint vocabulary, after the pairs"),
    "encoder": ("encoder", "the encoder of an edit model, from raw text"),
}


def register_run(commands: Any) -> None:
    """Add ``run``."""
    parser = add_command(commands, "run", "run a recipe from raw text to a scored model", RUN_DESCRIPTION)
    _add_recipe_options(parser)
    _add_stage_options(parser)
    parser.set_defaults(run=run, goal=None)


def register_train(commands: Any) -> None:
    """Add ``train``."""
    parser = add_command(commands, "train", "train a rewriter, parser, vocabulary, encoder or BERT", TRAIN_DESCRIPTION)
    parts = parser.add_subparsers(title="what to train", metavar="PART", required=True)
    for name, (goal, what) in _PARTS.items():
        part = add_command(parts, name, what, TRAIN_DESCRIPTION)
        _add_recipe_options(part)
        if goal is None:
            _add_stage_options(part)
        part.set_defaults(run=run, goal=goal)
    register_bert(parts)
    register_cds(parts)
    register_translator(parts)
    _register_classifier(parts)
    register_swap_head(parts)
    register_cased(parts)


def _register_classifier(parts: Any) -> None:
    part = add_command(parts, "classifier", "a text classifier, over seeds, with predictions", CLASSIFIER_DESCRIPTION)
    part.add_argument("recipe", metavar="RECIPE", help="YAML file")
    add_download_option(part)
    part.add_argument("-o", "--output", type=Path, metavar="DIR", help="folder of the run (default: runs/NAME)")
    part.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="override a key, e.g. epochs=3")
    part.add_argument("--fresh", action="store_true", help="begin anew")
    part.add_argument("--json", action="store_true", help="print the metrics as JSON")
    part.set_defaults(run=run_classifier)


def run_classifier(args: argparse.Namespace) -> int:
    """Train a classifier for each seed of a recipe."""
    from train.classifier.run import load_classifier_recipe, train_classifier

    config = load_classifier_recipe(args.recipe, overrides=args.set)
    output = args.output or Path("runs") / config.name
    metrics = train_classifier(config, output=output, fresh=args.fresh)
    if args.json:
        print(json.dumps({"output": str(output), "seeds": metrics}, ensure_ascii=False))
        return 0
    for entry in metrics:
        figures = ", ".join(f"{name} {value:.4f}" for name, value in entry.items() if isinstance(value, float))
        print(f"{output}/seed-{entry['seed']}: {figures}")
    return 0


def register_export(commands: Any) -> None:
    """Add ``export``."""
    parser = add_command(commands, "export", "make a model directory of a checkpoint", EXPORT_DESCRIPTION)
    parser.add_argument(
        "checkpoint",
        type=Path,
        metavar="CHECKPOINT",
        help="train folder of a run, its checkpoint, or a Hugging Face folder",
    )
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="DIR", help="the model directory to make")
    parser.add_argument("--prompt", type=Path, metavar="FILE", help="of a causal language model, {text} in it")
    parser.add_argument(
        "--pairs", type=Path, metavar="PATH", help="of its training (file or folder): lists what they change"
    )
    parser.add_argument("--keep-checkpoint", action="store_true", help="put the float weights beside the model")
    parser.add_argument("--tokenizer", type=Path, metavar="FILE", help="vocabulary; by default that of the checkpoint")
    parser.add_argument("--name", help="name of the model; by default the directory's")
    parser.add_argument("--lang", help="language code (default: what the folder says; of a checkpoint of ours: en)")
    parser.add_argument("--quantization", default="int8", help="int8 (default), int16, float16, bfloat16, float32 ...")
    parser.set_defaults(run=export)


def _add_recipe_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("recipe", metavar="RECIPE", help="YAML file, or name of a shipped recipe")
    add_download_option(parser)
    parser.add_argument("-o", "--output", type=Path, metavar="DIR", help="folder of the run (default: runs/NAME)")
    parser.add_argument(
        "--set", action="append", default=[], metavar="KEY=VALUE", help="override a key, e.g. data.root=/data"
    )
    parser.add_argument("--init", metavar="NAME_OR_DIR", help="start from these weights: fine-tuning")
    parser.add_argument("--dry-run", action="store_true", help="print what would be done and why")
    parser.add_argument("--fresh", action="store_true", help="begin anew with every stage")
    parser.add_argument(
        "--redo", action="append", default=[], metavar="STAGE", help="begin anew with this stage (repeatable)"
    )
    parser.add_argument("--json", action="store_true", help="print what was done as JSON")


def _add_stage_options(parser: argparse.ArgumentParser) -> None:
    chosen = parser.add_mutually_exclusive_group()
    chosen.add_argument("--until", metavar="STAGE", help="this stage and what it needs")
    chosen.add_argument("--only", metavar="STAGE", help="this stage alone; what it needs must be finished")


def run(args: argparse.Namespace) -> int:
    """Run a recipe, or the part of it that the command names."""
    from train.recipe.kinds import load_any_recipe
    from train.recipe.run import run_recipe

    overrides = [*args.set, *([f"init={json.dumps(args.init)}"] if args.init else [])]
    recipe = load_any_recipe(args.recipe, overrides=overrides)
    choice = Choice(
        until=args.goal or getattr(args, "until", None),
        only=getattr(args, "only", None),
        fresh=args.fresh,
        redo=tuple(args.redo),
        dry_run=args.dry_run,
    )
    output = args.output or Path("runs") / recipe.name
    steps = run_recipe(recipe, output=output, choice=choice)
    _print(steps, output, as_json=args.json, dry=args.dry_run)
    return 0


def _print(steps: list[Step], output: Path, *, as_json: bool, dry: bool) -> None:
    if rank() > 0:
        return
    if as_json:
        print(json.dumps({"output": str(output), "stages": [asdict(step) for step in steps]}, ensure_ascii=False))
    elif dry:
        print(plan_table(steps))
    else:
        print(output)


def export(args: argparse.Namespace) -> int:
    """Make a model directory of a checkpoint."""
    from lexicons.loader import LEXICON_VERSION
    from rewriter.model.directory import SEQ2SEQ, ModelInfo
    from rewriter.model.huggingface import is_huggingface
    from rewriter.version import __version__
    from train.export.ctranslate import export_seq2seq
    from train.seq2seq.config import find_weights
    from train.seq2seq.tokenizer import MODEL_FILE

    if is_huggingface(args.checkpoint) and not (args.checkpoint / MODEL_FILE).is_file() and args.tokenizer is None:
        from train.export.huggingface import export_huggingface

        if args.pairs is not None:
            raise UsageError("--pairs lists what a model of this toolkit was taught; other folders have no such list")
        kept = {"lang": args.lang, "prompt": args.prompt, "quantization": args.quantization, "name": args.name}
        print(export_huggingface(args.checkpoint, output=args.output, **kept))
        return 0
    vocabulary = args.tokenizer or find_weights(args.checkpoint) / MODEL_FILE
    if not vocabulary.exists():
        raise UsageError(f"{vocabulary} does not exist; pass the vocabulary of the checkpoint with --tokenizer")
    info = ModelInfo(
        args.name or args.output.name,
        args.lang or "en",
        SEQ2SEQ,
        lexicon_version=LEXICON_VERSION,
        toolkit_version=__version__,
    )
    print(
        export_seq2seq(
            checkpoint=args.checkpoint,
            tokenizer=vocabulary,
            output=args.output,
            quantization=args.quantization,
            info=info,
            keep_checkpoint=args.keep_checkpoint,
            pairs=args.pairs,
        )
    )
    return 0
