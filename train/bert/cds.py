"""Fine-tuning a BERT on gender-swapped texts: GAP with Counterfactual Data Substitution (Bartl et al. 2020, 5.1).

The texts of GAP (Webster et al. 2018) with genders swapped (Maudslay et al. 2019) are cut into sentences; the model
goes on with masked language modelling for three epochs at a learning rate of 2e-5 without warm-up.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from eval.masked_lm import load_masked_lm
from rewriter.errors import InputError, ModelError
from rewriter.installation.extras import require
from rewriter.io.csv_rows import CsvRows
from rewriter.io.files import file_digest, read_lines
from rewriter.runs.resume import run_in
from train.bert.config import MlmConfig
from train.loop import processes

__all__ = ["CdsConfig", "finetune_cds"]

STAGE_VERSION = 1
HELD_OUT = 0.02


@dataclass
class CdsConfig:
    """Options of the fine-tuning; the defaults are those of the source, but for the batch size (there 1).

    Attributes:
        epochs: times over the texts.
        batch_size: sentences of a step.
        learning_rate: at the beginning; linear to zero.
        mask_share: share of the pieces that are masked.
        length: pieces of a sentence at most.
        seed: of order and masks.
        column: of the table that holds the text.
        lang: of the texts.
        precision: ``bf16`` or ``fp32``.
        device: ``auto``, ``cpu`` or ``cuda``.
        save_every: steps between checkpoints.
    """

    epochs: int = 3
    batch_size: int = 16
    learning_rate: float = 2e-5
    mask_share: float = 0.15
    length: int = 128
    seed: int = 42
    column: str = "Text"
    lang: str = "en"
    precision: str = "fp32"
    device: str = "auto"
    save_every: int = 500

    def identity(self) -> dict[str, Any]:
        """Return the options on which the result depends."""
        return {key: value for key, value in vars(self).items() if key not in ("device", "save_every")}


def finetune_cds(model: str | Path, texts: Path, config: CdsConfig, *, output: Path) -> dict[str, Any]:
    """Fine-tune a masked language model on swapped texts, or go on where an interrupted call stood.

    Args:
        model: folder, or a name on the hub; of BERT type.
        texts: a TSV with a column of texts (``gap_flipped.tsv``; .zst and .gz too), or a text file with one a line.
        config: options.
        output: leaves ``model/``, ``metrics.jsonl`` and a manifest there.

    Returns:
        counts: sentences, steps, perplexity on held-out swapped sentences before and after.

    Raises:
        ResumeError: ``output`` holds another run.
        ModelError: the model cannot be loaded, or is not of BERT type.
        InputError: the texts are missing, or there are too few.
        MissingExtraError: torch or transformers are not installed.
    """
    require("torch", extra="train")
    identity = {"stage": STAGE_VERSION, "texts": file_digest(texts), "model": _model_digest(model), **config.identity()}
    with run_in(output, "cds-finetune", identity, is_main=processes.rank() == 0) as run:
        if not run.is_done:
            run.manifest.counts = _finetune(model, texts, config, output)
    return run.manifest.counts


def _model_digest(model: str | Path) -> str:
    weights = Path(model) / "model.safetensors"
    return file_digest(weights) if weights.exists() else str(model)


def _finetune(model: str | Path, texts: Path, config: CdsConfig, output: Path) -> dict[str, Any]:
    import transformers

    from train.bert.packing import Encoder, collect, framed, split_units
    from train.bert.trainer import MaskedBert, Masking, Sets, perplexity, train_masked

    tokenizer, plain = load_masked_lm(model)
    if plain.config.model_type != "bert":
        raise ModelError(f"{model}: fine-tuning is for models of BERT type, not {plain.config.model_type}")
    encoder = Encoder(tokenizer, config.lang)
    units = list(encoder.units(split_units(read_texts(texts, config.column), "sentence", config.lang)))
    aside = max(1, round(len(units) * HELD_OUT))
    if len(units) - aside < config.batch_size:
        raise InputError(
            f"{texts}: {len(units)} sentences are too few for batches of {config.batch_size}; take more text or a "
            "smaller batch_size"
        )
    framed_units = [framed([unit], encoder, config.length) for unit in units]
    examples = [
        collect(((u, len(u.ids)) for u in part), encoder) for part in (framed_units[aside:], framed_units[:aside])
    ]
    sets = Sets(examples[0], examples[1], tokenizer)
    transformers.set_seed(config.seed)
    masked = MaskedBert(plain.config)
    masked.load_state_dict(plain.state_dict())
    masking = Masking(config.mask_share, False, tokenizer.mask_token_id, len(tokenizer))
    before = perplexity(masked, sets.held_out, masking)
    steps = config.epochs * len(sets.train) // config.batch_size
    counts = train_masked(masked, sets, _mlm(config, steps), seed=config.seed, output=output)
    return {"sentences": len(sets.train), "perplexity_before": before.all, **counts}


def _mlm(config: CdsConfig, steps: int) -> MlmConfig:
    return MlmConfig(
        steps=steps,
        batch_size=config.batch_size,
        learning_rate=config.learning_rate,
        warmup=0,
        weight_decay=0.0,
        mask_share=config.mask_share,
        precision=config.precision,
        eval_every=max(1, steps // config.epochs),
        save_every=config.save_every,
        device=config.device,
    )


def read_texts(path: Path, column: str) -> Iterator[str]:
    """Yield the texts of a table's column, or the lines of a file whose name does not end in .tsv.

    Raises:
        InputError: the file cannot be read, or has no such column.
    """
    if ".tsv" not in path.suffixes:
        yield from (line for line in read_lines(path) if line.strip())
        return
    rows = CsvRows(read_lines(path), path, delimiter="\t", quoting=csv.QUOTE_NONE)
    if column not in rows.columns:
        raise InputError(f"{path}:1: there is no column '{column}'; it has {', '.join(rows.columns)}")
    for row in rows:
        if row[column]:
            yield row[column]
