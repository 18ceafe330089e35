"""Training the edit model: labels, Hugging Face Trainer, batches by number of tokens, exact resume."""

from __future__ import annotations

import json
import logging
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from rewriter.errors import InputError
from rewriter.extras import require
from rewriter.files import atomic_write, file_digest, read_json, write_json
from rewriter.languages import get_language
from rewriter.piece_table import PieceTable
from rewriter.runs import Manifest, check_same, lock, stopwatch
from train.edits.config import EditsConfig
from train.edits.labels import LabelledSet, LabelOptions, label_file

log = logging.getLogger(__name__)

STAGE_VERSION = 3


def train_edits(config: EditsConfig, *, data: Path, output: Path, encoder: Path) -> None:
    """Train an edit model on pairs.

    Args:
        config: options.
        data: folder with ``train.jsonl.zst`` and ``dev.jsonl.zst``.
        output: gets ``labels-*.npz``, ``checkpoints/``, ``metrics.jsonl``, ``encoder/``, ``head.json``.
        encoder: a finished encoder folder (:mod:`train.encoder`), with ``pieces.model`` and ``encoder/``; a
            ``head.json`` in it is where the head starts (fine-tuning, :mod:`train.edits.start`).

    Raises:
        ResumeError: ``output`` holds another run.
        InputError: the pairs hold no labels.
    """
    require("torch", extra="train")
    require("transformers", extra="train")
    with lock(output):
        identity = _identity(config, data, encoder)
        manifest = Manifest.load(output) or Manifest("edits", identity)
        check_same(manifest.identity, identity, where=output)
        if manifest.complete:
            return
        manifest.save(output)
        with stopwatch(manifest):
            sets = _labels(config, data, output, encoder / "pieces.model")
            manifest.counts = _train(config, sets, output, encoder)
        manifest.complete = True
        manifest.save(output)


def _identity(config: EditsConfig, data: Path, encoder: Path) -> dict[str, Any]:
    options = {k: v for k, v in asdict(config).items() if k not in ("threads", "processes", "max_minutes")}
    return {
        "stage": STAGE_VERSION,
        "config": options,
        "train": file_digest(data / "train.jsonl.zst"),
        "dev": file_digest(data / "dev.jsonl.zst"),
        "pieces": file_digest(encoder / "pieces.model"),
        "encoder": file_digest(encoder / "encoder" / "model.safetensors"),
    }


def _labels(config: EditsConfig, data: Path, output: Path, pieces: Path) -> dict[str, LabelledSet]:
    options = LabelOptions(config.lang, str(pieces), config.dense_steps == 0, config.variations, config.seed)
    sets = {}
    for name in ("train", "dev"):
        path = output / f"labels-{name}.npz"
        if not path.exists():
            made = label_file(data / f"{name}.jsonl.zst", options, processes=config.processes)
            if not len(made):
                raise InputError(f"{data / name}.jsonl.zst: no pair gave a label; counts: {dict(made.counts)}")
            write_json(output / f"labels-{name}.json", dict(sorted(made.counts.items())))
            made.save(path)
        sets[name] = LabelledSet.load(path)
        if config.dense_steps < config.steps and not len(sets[name].only_open().labelled_rows):
            raise InputError(
                f"{data / name}.jsonl.zst: the grammar settles every candidate alone, so there is nothing for the "
                "model to decide; add other pairs, or learn from every candidate (edits.open_only=false)"
            )
    return sets


def _train(config: EditsConfig, sets: dict[str, LabelledSet], output: Path, encoder: Path) -> dict[str, Any]:
    import torch
    import transformers

    from train.edits.calibrate import refit_bias
    from train.edits.model import EditTagger
    from train.edits.trainer import make_trainer

    if config.threads:
        torch.set_num_threads(config.threads)
    transformers.set_seed(config.seed)
    language = get_language(config.lang)
    bert = transformers.BertModel.from_pretrained(encoder / "encoder", add_pooling_layer=True, dtype=torch.float32)
    model = EditTagger(bert, len(language.outcomes))
    if (encoder / "head.json").is_file():
        model.load_head(read_json(encoder / "head.json"))
    # what the model will decide is what counts in the end
    decided = {name: part.only_open() if config.dense_steps < config.steps else part for name, part in sets.items()}
    trainer = make_trainer(config, model, sets | {"dev": decided["dev"]}, output, _table(encoder))
    checkpoint = transformers.trainer_utils.get_last_checkpoint(str(output / "checkpoints"))
    trainer.train(resume_from_checkpoint=checkpoint)
    if config.calibrate:
        added = refit_bias(
            model, decided["train"], sentences=config.calibrate, rng=np.random.default_rng([config.seed, 13])
        )
        log.info("bias of the head refitted by %s", added)
    scores = trainer.evaluate()
    _save(model, list(language.outcomes), output)
    return {"steps": trainer.state.global_step, "sentences": len(sets["train"]), **scores}


def _table(encoder: Path) -> PieceTable:
    return PieceTable.load(encoder / "pieces.model")


def _save(model: Any, outcomes: list[str], output: Path) -> None:
    model.encoder.save_pretrained(output / "encoder")
    head = {
        "outcomes": outcomes,
        "weight": [[round(x, 6) for x in row] for row in model.head.weight.detach().float().tolist()],
        "bias": [round(x, 6) for x in model.head.bias.detach().float().tolist()],
    }
    with atomic_write(output / "head.json") as stream:
        stream.write(json.dumps(head).encode("utf-8"))
