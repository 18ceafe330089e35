"""One cell of the experiment: a BERT trained on a corpus, fine-tuned on swapped texts, measured."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from eval.bec_pro import MeasureOptions
from eval.bec_pro.measure import read_corpus
from eval.bec_pro.scorer import ScorerOptions, Scores, TransformersScorer
from eval.bootstrap import Resampling
from eval.masked_lm import load_masked_lm
from eval.mlm_bias import MEASURES, measure_bias
from eval.mlm_bias import Measured as BiasMeasured
from eval.pos_probe import pos_probe, read_tagged
from eval.suite_report import append_rows
from experiments.debias.config import Cell, DebiasRecipe
from experiments.debias.corpora import HELD_OUT, HELD_OUT_PARTS, finished, neutral_gate
from experiments.debias.level import kept_out, level
from experiments.debias.sections import REWRITTEN, STEM
from rewriter.installation.extras import require
from rewriter.io.files import file_digest, read_json, write_json
from train.bert.cds import finetune_cds
from train.bert.config import MlmConfig
from train.bert.packing import Examples
from train.bert.run import load_tokenizer, new_bert
from train.bert.start import weight_files
from train.loop import processes

MEASURED = "measure.json"
SCORES = "scores.npz"
#: measurements on published sets, to be copied into docs/measurements.tsv
LOG = "measurements.tsv"


def train_cell(recipe: DebiasRecipe, cell: Cell, run: Path, output: Path) -> None:
    """Pretrain the model of a cell, from the stem where there is one, or go on where an interrupted call stood.

    Raises:
        ModelError: the last checkpoint is damaged, or the stem has another vocabulary than the packed corpus.
        OutputError: the disk is full.
    """
    from train.bert.trainer import Sets

    tokenizer = load_tokenizer(run / "tokenizer")
    train = Examples.load(run / f"data/{cell.corpus.name}", "train")
    sets = Sets(train, Examples.load(run / "data/held-out", HELD_OUT_PARTS[0]), tokenizer)
    require("transformers", extra="train").set_seed(cell.seed)
    start = recipe.stem_model(run)
    config = recipe.model if start is None else replace(recipe.model, start=start, vectors=False)
    model = new_bert(config, tokenizer, train, next_sentence=recipe.train.next_sentence)
    _pretrain(model, sets, recipe.train, cell.seed, output)


def train_stem(recipe: DebiasRecipe, run: Path, output: Path) -> None:
    """Train the model from which all cells begin, or go on where an interrupted call stood.

    Raises:
        ModelError: the last checkpoint is damaged.
        OutputError: the disk is full.
    """
    from train.bert.trainer import Sets

    assert recipe.stem is not None
    tokenizer = load_tokenizer(run / "tokenizer")
    train, held_out = (Examples.load(run / STEM / "data", part) for part in ("train", "held-out"))
    sets = Sets(train, held_out, tokenizer)
    require("transformers", extra="train").set_seed(recipe.stem.seed)
    options = recipe.stem.train or recipe.train
    model = new_bert(recipe.model, tokenizer, train, next_sentence=options.next_sentence)
    finish = None
    if recipe.model.start is None and recipe.stem.lines == "neutral":  # else it knows person words, or is to
        finish = partial(level, tokenizer=tokenizer, pieces=kept_out(tokenizer, neutral_gate(recipe)))
    _pretrain(model, sets, options, recipe.stem.seed, output, finish)


def _pretrain(
    model: Any, sets: Any, config: MlmConfig, seed: int, output: Path, finish: Callable[[Any], None] | None = None
) -> None:
    """Train a model, change it at the end where that is asked for, and leave what it took, without checkpoints."""
    from train.bert.trainer import save_plain, train_masked

    whole, began = not (output / "checkpoints").exists(), time.process_time()
    counts = train_masked(model, sets, config, seed=seed, output=output)
    if processes.rank() == 0:
        if finish is not None:
            finish(model)
            save_plain(model, sets.tokenizer, output / "model")
        shutil.rmtree(output / "checkpoints", ignore_errors=True)
        seen = config.steps * config.batch_size
        size: dict[str, Any] = {
            "parameters": sum(p.numel() for p in model.parameters()),
            "pieces": round(seen * len(sets.train.tokens) / len(sets.train)),
            "epochs": round(seen / len(sets.train), 2),
            "device": str(next(model.parameters()).device),
        }
        if whole:  # where other work shares the cores, wall-clock time says little
            size["processor_seconds"] = round(time.process_time() - began, 1)
        finished(output, "bert", **counts, **size)


def tune_cell(recipe: DebiasRecipe, model: Path, output: Path) -> None:
    """Fine-tune a pretrained model on swapped texts."""
    assert recipe.cds is not None
    finetune_cds(model, recipe.cds.texts, recipe.cds.options, output=output)
    if processes.rank() == 0:
        shutil.rmtree(output / "checkpoints", ignore_errors=True)


def untrained(recipe: DebiasRecipe, run: Path, output: Path) -> None:
    """Leave the network with random weights: what the figures are before anything is learnt."""
    from train.bert.trainer import build_bert, save_plain

    tokenizer = load_tokenizer(run / "tokenizer")
    require("transformers", extra="train").set_seed(1)
    save_plain(build_bert(recipe.model, len(tokenizer)), tokenizer, output / "model")
    finished(output, "untrained")


def measure_options(recipe: DebiasRecipe, device: str = "cpu") -> MeasureOptions:
    """Return how associations are measured."""
    scorer = ScorerOptions(device=device, batch_size=recipe.bec_pro.batch_size)
    resampling = Resampling(samples=recipe.bec_pro.bootstrap)
    return MeasureOptions(lang=recipe.lang, templates=recipe.bec_pro.templates, scorer=scorer, resampling=resampling)


def device_of(recipe: DebiasRecipe) -> str:
    """Return the device that ``train.device`` stands for."""
    if recipe.train.device != "auto":
        return recipe.train.device
    return "cuda" if require("torch", extra="train").cuda.is_available() else "cpu"


def measure_model(recipe: DebiasRecipe, model: Path, run: Path, output: Path) -> None:
    """Measure a model: what BEC-Pro's sentences were answered, perplexities, the probe.

    Raises:
        ModelError: the model cannot be loaded, or its vocabulary lacks a person word.
    """
    if recipe.train.threads:
        require("torch", extra="train").set_num_threads(recipe.train.threads)
    device = device_of(recipe)
    options = measure_options(recipe, device)
    scores = TransformersScorer(model, options.scorer).score(read_corpus(options).items)
    np.savez(output / SCORES, present=scores.present, masked=scores.masked)
    found: dict[str, Any] = {"perplexity": perplexities(recipe, model, run / "data/held-out", device)}
    if recipe.probe is not None:
        train = read_tagged(recipe.probe.treebank / recipe.probe.train, recipe.probe.sentences)
        test = read_tagged(recipe.probe.treebank / recipe.probe.test)
        found["probe"] = pos_probe(model, train, test, device=device, resampling=options.resampling).to_dict()
    if recipe.bias is not None:
        texts = [run / folder / HELD_OUT for folder in ("text", REWRITTEN)] if recipe.prepared is None else []
        asked = recipe.bias.options(texts, lang=recipe.lang, device=device)
        measured = measure_bias([model], asked)
        found["bias"] = [one.to_dict() for one in measured]
        append_rows(output / LOG, log_rows(measured, model, output.parent.relative_to(run)))
    write_json(output / MEASURED, found)
    finished(output, "measure")


def log_rows(measured: Sequence[BiasMeasured], model: Path, name: Path) -> Iterator[tuple[str, str, str, str, str]]:
    """Yield rows for the log of measurements: weights, set and figure, cell, value, signature; published sets only."""
    weights = [file_digest(path) for path in weight_files(model).values()]
    for one in measured:
        if one.measure in MEASURES and MEASURES[one.measure].needs_path:
            for score in one.scores:
                where = f"{one.measure}:{score.name}"
                yield weights[0][:16], where, str(name), f"{score.value:.4f}", one.signature


def perplexities(recipe: DebiasRecipe, model: Path, held_out: Path, device: str) -> dict[str, dict[str, float]]:
    """Return the perplexities of a model on each held-out part (:class:`train.bert.trainer.Perplexity`)."""
    from train.bert.trainer import MaskedBert, Masking, perplexity

    tokenizer, plain = load_masked_lm(model)
    masked = MaskedBert(plain.config)
    masked.load_state_dict(plain.state_dict())
    masked.to(device)
    masking = Masking(recipe.train.mask_share, recipe.train.whole_words, tokenizer.mask_token_id, len(tokenizer))
    return {name: vars(perplexity(masked, Examples.load(held_out, name), masking)) for name in HELD_OUT_PARTS}


@dataclass(frozen=True)
class Measured:
    """What was measured of one model.

    Attributes:
        corpus: name of its corpus.
        seed: of its training.
        tuned: whether it was fine-tuned on swapped texts.
        scores: what BEC-Pro's sentences were answered.
        perplexity: by held-out part, then ``all``, ``neutral``, ``pronouns``.
        probe: result of the probe; empty without one.
        bias: results of more tests (:class:`eval.mlm_bias.Measured`); empty without any.
    """

    corpus: str
    seed: int
    tuned: bool
    scores: Scores
    perplexity: dict[str, dict[str, float]]
    probe: dict[str, Any]
    bias: tuple[dict[str, Any], ...] = ()

    @classmethod
    def load(cls, folder: Path, corpus: str, seed: int, *, tuned: bool) -> Measured:
        """Read what :func:`measure_model` wrote."""
        with np.load(folder / SCORES) as arrays:
            scores = Scores(arrays["present"], arrays["masked"])
        found = read_json(folder / MEASURED)
        bias = tuple(found.get("bias", ()))
        return cls(corpus, seed, tuned, scores, found["perplexity"], found.get("probe", {}), bias)
