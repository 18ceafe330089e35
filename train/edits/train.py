"""Training the edit model: labels, Hugging Face Trainer, batches by number of tokens, exact resume."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from rewriter.errors import InputError
from rewriter.installation.extras import require
from rewriter.io.files import atomic_write, file_digest, read_json, write_json
from rewriter.language.interface import get_language
from rewriter.model.piece_table import PieceTable
from rewriter.runs.resume import run_in
from train.edits.config import EditsConfig
from train.edits.labels import LabelledSet, LabelOptions, label_file, variations_version
from train.loop import processes
from train.loop.checkpoints import last_checkpoint
from train.loop.quiet import quiet_libraries

if TYPE_CHECKING:
    from train.edits.model import EditTagger

__all__ = ["train_edits"]

log = logging.getLogger(__name__)

STAGE_VERSION = 5
PARTS = ("train", "dev")


def train_edits(config: EditsConfig, *, data: Path, output: Path, encoder: Path) -> None:
    """Train an edit model on pairs.

    Args:
        config: options.
        data: folder with ``train.jsonl.zst`` and ``dev.jsonl.zst``.
        output: gets ``labels-*.npz``, ``checkpoints/``, ``metrics.jsonl``, ``encoder/``, ``head.json``.
        encoder: a finished encoder folder (:mod:`train.encoder.pretraining`), with ``pieces.model`` and ``encoder/``; a
            ``head.json`` in it is where the head starts (fine-tuning, :mod:`train.edits.start`).

    Raises:
        ResumeError: ``output`` holds another run.
        InputError: the pairs hold no labels.
    """
    torch = require("torch", extra="train")
    require("transformers", extra="train")
    from train.edits.trainer import training_arguments

    is_main = processes.rank() == 0
    if config.threads:
        torch.set_num_threads(config.threads)
    arguments = training_arguments(config, output)
    with ExitStack() as stack:
        # the other processes find the run begun and the labels made
        with arguments.main_process_first(local=False):
            run = stack.enter_context(run_in(output, "edits", _identity(config, data, encoder), is_main=is_main))
            if not run.is_done and is_main:
                _make_labels(config, data, output, encoder / "pieces.model")
        if run.is_done:
            return
        sets = {name: LabelledSet.load(_labels_file(output, name)) for name in PARTS}
        with quiet_libraries():
            run.manifest.counts = _train(config, sets, arguments, encoder)


def _identity(config: EditsConfig, data: Path, encoder: Path) -> dict[str, Any]:
    options = {k: v for k, v in asdict(config).items() if k not in ("threads", "processes", "max_minutes")}
    if config.layer_decay == 1:
        del options["layer_decay"]
    if not config.language:
        del options["language"]
    if not config.finish_steps:
        del options["finish_steps"], options["finish_rate"]
    return {
        "stage": STAGE_VERSION,
        "config": options,
        "train": file_digest(data / "train.jsonl.zst"),
        "dev": file_digest(data / "dev.jsonl.zst"),
        "pieces": file_digest(encoder / "pieces.model"),
        "encoder": file_digest(encoder / "encoder" / "model.safetensors"),
        **variations_version(config),
    }


def _make_labels(config: EditsConfig, data: Path, output: Path, pieces: Path) -> None:
    settings = tuple(sorted(config.language.items()))
    options = LabelOptions(config.lang, str(pieces), config.dense_steps == 0, config.variations, config.seed, settings)
    for name in PARTS:
        path = _labels_file(output, name)
        if path.exists():
            continue
        made = label_file(data / f"{name}.jsonl.zst", options, processes=config.processes)
        if not len(made):
            raise InputError(f"{data / name}.jsonl.zst: no pair gave a label; {_told(made.counts)}")
        if config.dense_steps < config.steps and not len(made.only_open().labelled_rows):
            raise InputError(
                f"{data / name}.jsonl.zst: the grammar settles every candidate alone, so there is nothing for the "
                "model to decide; add other pairs, or learn from every candidate (edits.open_only=false)"
            )
        if name == "train" and config.finish_steps and made.gold is None:
            raise InputError(
                f"{data / name}.jsonl.zst: finish_steps asks for read sentences, and there is no pair of the strategy "
                "'gold'; name them in the recipe's section 'gold'"
            )
        write_json(path.with_suffix(".json"), dict(sorted(made.counts.items())))
        made.save(path)


def _told(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {count:,}" for name, count in sorted(counts.items())) or "it holds no pairs"


def _labels_file(output: Path, part: str) -> Path:
    return output / f"labels-{part}.npz"


def _train(config: EditsConfig, sets: dict[str, LabelledSet], arguments: Any, encoder: Path) -> dict[str, Any]:
    import transformers

    from train.edits.calibrate import refit_bias
    from train.edits.trainer import make_trainer

    transformers.set_seed(config.seed)
    model = load_start(config, encoder)
    # what the model will decide is what counts in the end
    decided = {name: part.only_open() if config.dense_steps < config.steps else part for name, part in sets.items()}
    trainer = make_trainer(config, model, sets | {"dev": decided["dev"]}, arguments, _table(encoder))
    checkpoint = last_checkpoint(Path(arguments.output_dir))
    trainer.train(resume_from_checkpoint=str(checkpoint) if checkpoint else None)
    if config.keep_start:
        mix_weights(model, load_start(config, encoder), config.keep_start)
    if config.calibrate:
        added = refit_bias(
            model, decided["train"], sentences=config.calibrate, rng=np.random.default_rng([config.seed, 13])
        )
        log.info("bias of the head refitted by %s", added)
    scores = trainer.evaluate()
    if processes.rank() == 0:
        _save(model, list(get_language(config.lang).outcomes), Path(arguments.output_dir).parent)
    trainer.accelerator.wait_for_everyone()
    return {"steps": trainer.state.global_step, "sentences": len(sets["train"]), **scores}


def load_start(config: EditsConfig, encoder: Path) -> EditTagger:
    """Return the network with the weights of the encoder, and of a head where one lies beside it."""
    import torch
    import transformers

    from train.edits.model import EditTagger

    bert = transformers.BertModel.from_pretrained(encoder / "encoder", add_pooling_layer=False, dtype=torch.float32)
    model = EditTagger(bert, len(get_language(config.lang).outcomes))
    if (encoder / "head.json").is_file():
        model.load_head(read_json(encoder / "head.json"))
    return model


def mix_weights(model: EditTagger, start: EditTagger, share: float) -> None:
    """Put a share of the weights of ``start`` into ``model``, in place (Wortsman et al. 2022, section 3).

    Between a model and what fine-tuning made of it lie models that keep most of the one and have most of the other.
    """
    import torch

    begun = dict(start.named_parameters())
    with torch.no_grad():
        for name, weights in model.named_parameters():
            weights.lerp_(begun[name].to(weights), share)


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
