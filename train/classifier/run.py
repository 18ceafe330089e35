"""Training a classifier over seeds: Hugging Face Trainer, a checkpoint each epoch, exact resume, predictions."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from eval.classifier import TextClassifier
from eval.example_scores.core import softmax
from eval.fairness.auc import auc
from eval.pretrained import first_line, hide_bars
from rewriter.errors import ModelError, RecipeError
from rewriter.installation.extras import require
from rewriter.io.columns import write_columns
from rewriter.io.files import file_digest, write_json
from rewriter.model.downloads import advice, loading
from rewriter.runs.manifest import fingerprint, lock
from rewriter.runs.recipes import load_recipe, to_yaml
from rewriter.runs.resume import run_in
from train.classifier.config import ClassifierConfig
from train.classifier.data import LabelledTexts, make_tokenizer, read_labelled

__all__ = ["load_classifier_recipe", "train_classifier"]

STAGE_VERSION = 2
#: kinds of files that a model or vocabulary is loaded from
_LOADED = {".json", ".txt", ".model", ".safetensors"}


def load_classifier_recipe(path: str | Path, *, overrides: Sequence[str] = ()) -> ClassifierConfig:
    """Read a recipe (YAML).

    Raises:
        RecipeError: names the file and the key's path.
    """
    return load_recipe(path, ClassifierConfig, overrides=overrides)


def train_classifier(
    config: ClassifierConfig, *, output: str | Path, fresh: bool = False, callbacks: Sequence[Any] = ()
) -> list[dict[str, Any]]:
    """Train a classifier for each seed.

    Each gets ``seed-N`` with ``checkpoints/checkpoint-STEP`` (one for each epoch), ``model`` (the best epoch),
    ``metrics.json`` and ``predictions-NAME.parquet`` (the table with ``prediction``, ``score`` and, where there are two
    classes, what :func:`eval.fairness.predictions.by_group` reads). A finished seed is skipped, a killed one goes on.

    Args:
        config: options.
        output: folder of the run.
        fresh: begin anew where another run's result stands.
        callbacks: more callbacks for the Trainer.

    Returns:
        The metrics of each seed.

    Raises:
        InputError: see :func:`train.classifier.data.read_labelled`.
        ModelError: the model or tokenizer cannot be loaded.
        ResumeError: ``output`` holds the result of other options or data.
        MissingExtraError: torch or transformers is not installed.
    """
    require("torch", extra="train")
    require("transformers", extra="train")
    folder = Path(output)
    with lock(folder):
        data = _read(config)
        (folder / "recipe.yaml").write_text(to_yaml(config), encoding="utf-8")
        return [_train_seed(config, data, seed, folder / f"seed-{seed}", fresh, callbacks) for seed in config.seeds]


def _read(config: ClassifierConfig) -> dict[str, LabelledTexts]:
    columns = {"text": config.text, "label": config.label}
    train = read_labelled(config.train, **columns, positive=config.positive)
    refuse_metric(config, train.classes)
    found = {"train": train}
    for name, path in {"dev": config.dev, **config.test}.items():
        found[name] = read_labelled(path, **columns, classes=train.classes)
    return found


def _identity(config: ClassifierConfig, seed: int) -> dict[str, Any]:
    paths = {"train": config.train, "dev": config.dev, **{f"test.{k}": v for k, v in config.test.items()}}
    skipped = ("threads", "seeds", "train", "dev", "test", "name")
    options = {f"config.{key}": value for key, value in asdict(config).items() if key not in skipped}
    if not config.by_length:  # runs from before there was this option have no such key
        del options["config.by_length"]
    # A folder may move, and may hold another model the next time.
    for key in ("model", "tokenizer"):
        if (folder := Path(getattr(config, key))).is_dir() and getattr(config, key):
            files = {path.name: file_digest(path) for path in folder.iterdir() if path.suffix in _LOADED}
            options[f"config.{key}"] = fingerprint(files)
    digests = {name: file_digest(path) for name, path in paths.items()}
    return {"stage": STAGE_VERSION, "seed": seed, **options, **digests}


def _train_seed(
    config: ClassifierConfig,
    data: dict[str, LabelledTexts],
    seed: int,
    folder: Path,
    fresh: bool,
    callbacks: Sequence[Any],
) -> dict[str, Any]:
    identity = _identity(config, seed)
    if fresh and folder.exists():
        shutil.rmtree(folder)
    with run_in(folder, "classifier", identity, is_locked=True) as run:
        if not run.is_done:
            run.manifest.counts, training = _fit(config, data, seed, folder, callbacks)
            run.manifest.notes["training"] = training
    return dict(run.manifest.counts)


def _fit(
    config: ClassifierConfig, data: dict[str, LabelledTexts], seed: int, folder: Path, callbacks: Sequence[Any]
) -> tuple[dict[str, Any], dict[str, float]]:
    """Train one seed; return its figures, and the time of the last call, of the clock and of the processor."""
    import torch
    import transformers

    from train.loop.progress_bar import show_progress

    if config.threads:
        torch.set_num_threads(config.threads)
    hide_bars()
    transformers.set_seed(seed)
    tokenizer = _tokenizer(config, data["train"])
    model = _model(config, tokenizer, data["train"].classes)
    trainer = _trainer(config, model, tokenizer, data, folder, seed)
    show_progress(trainer, f"seed {seed}", shown=("loss", "accuracy"))
    for callback in callbacks:
        trainer.add_callback(callback)
    clock, processor = time.monotonic(), time.process_time()
    trainer.train(resume_from_checkpoint=transformers.trainer_utils.get_last_checkpoint(str(folder / "checkpoints")))
    spent = {"seconds": time.monotonic() - clock, "processor seconds": time.process_time() - processor}
    trainer.save_model(str(folder / "model"))
    (folder / "metrics.jsonl").write_text(
        "".join(json.dumps(entry) + "\n" for entry in trainer.state.log_history), encoding="utf-8"
    )
    figures = _predict_all(config, data, model, tokenizer, folder)
    write_json(folder / "metrics.json", figures)
    counts = {"seed": seed, "steps": int(trainer.state.global_step), "examples": len(data["train"].texts), **figures}
    return counts, spent


def _tokenizer(config: ClassifierConfig, train: LabelledTexts) -> Any:
    import transformers

    name = config.tokenizer or config.model
    if not name:
        return make_tokenizer(
            train.texts, vocab_size=config.vocab_size, lower=config.lower, max_length=config.max_length
        )
    try:
        return transformers.AutoTokenizer.from_pretrained(name, **loading(name))
    except (OSError, ValueError) as error:
        raise ModelError(f"tokenizer '{name}': cannot be loaded ({first_line(error)}). {advice(name)}") from None


def _model(config: ClassifierConfig, tokenizer: Any, classes: Sequence[str]) -> Any:
    import transformers

    labels = {"id2label": dict(enumerate(classes)), "label2id": {name: i for i, name in enumerate(classes)}}
    kind = transformers.AutoModelForSequenceClassification
    try:
        if config.model:
            return kind.from_pretrained(config.model, **loading(config.model), **labels)
        values = {"vocab_size": len(tokenizer), "pad_token_id": tokenizer.pad_token_id, **config.config}
        model_type = values.pop("model_type")
        return kind.from_config(transformers.AutoConfig.for_model(model_type, **labels, **values))
    except (OSError, ValueError) as error:
        end = advice(config.model) if config.model else "See 'config'"
        raise ModelError(f"model '{config.model or 'config'}': cannot be made ({first_line(error)}). {end}") from None


def _trainer(
    config: ClassifierConfig, model: Any, tokenizer: Any, data: dict[str, LabelledTexts], folder: Path, seed: int
) -> Any:
    import torch
    import transformers

    arguments = transformers.TrainingArguments(
        output_dir=str(folder / "checkpoints"),
        num_train_epochs=config.epochs,
        per_device_train_batch_size=config.batch,
        per_device_eval_batch_size=2 * config.batch,
        learning_rate=config.learning_rate,
        warmup_steps=_warmup_steps(config, len(data["train"].texts)),
        weight_decay=config.weight_decay,
        eval_strategy="epoch",
        save_strategy="epoch",
        logging_strategy="epoch",
        load_best_model_at_end=True,
        metric_for_best_model=f"eval_{config.metric}",
        greater_is_better=config.metric != "loss",
        bf16=config.bf16,
        # The Trainer asks for this before it lets a processor compute in bf16.
        use_cpu=config.bf16 and not torch.cuda.is_available(),
        seed=seed,
        data_seed=seed,
        train_sampling_strategy="group_by_length" if config.by_length else "random",
        report_to=[],
        disable_tqdm=True,
        dataloader_pin_memory=torch.cuda.is_available(),
    )
    stop = [transformers.EarlyStoppingCallback(config.patience)] if config.patience else []
    return transformers.Trainer(
        model=model,
        args=arguments,
        train_dataset=_encode(data["train"], tokenizer, config.max_length),
        eval_dataset=_encode(data["dev"], tokenizer, config.max_length),
        processing_class=tokenizer,
        data_collator=transformers.DataCollatorWithPadding(tokenizer),
        compute_metrics=lambda answer: figures_of(np.asarray(answer.predictions), np.asarray(answer.label_ids)),
        callbacks=stop,
    )


def _warmup_steps(config: ClassifierConfig, examples: int) -> int:
    return int(config.warmup * config.epochs * -(-examples // config.batch))


def _encode(data: LabelledTexts, tokenizer: Any, max_length: int) -> list[dict[str, Any]]:
    encoded = tokenizer(data.texts, truncation=True, max_length=max_length)
    rows = (dict(zip(encoded.keys(), values, strict=True)) for values in zip(*encoded.values(), strict=True))
    return [{**row, "labels": label} for row, label in zip(rows, data.labels, strict=True)]


def figures_of(logits: np.ndarray[Any, Any], labels: np.ndarray[Any, Any]) -> dict[str, float]:
    """Return accuracy and, of two classes, AUC (of which a set with one class only has none, written 0.5)."""
    figures = {"accuracy": float((logits.argmax(axis=1) == labels).mean())}
    if logits.shape[1] == 2:
        area = float(auc(softmax(logits.astype(np.float64))[:, 1], labels.astype(np.int64)))
        figures["AUC"] = area if area == area else 0.5
    return figures


def _predict_all(
    config: ClassifierConfig, data: dict[str, LabelledTexts], model: Any, tokenizer: Any, folder: Path
) -> dict[str, float]:
    """Write the predictions on all sets but the training set; return their figures as ``NAME AUC``."""
    classifier = TextClassifier(
        model, tokenizer, batch=2 * config.batch, max_length=config.max_length, device=str(model.device)
    )
    found: dict[str, float] = {}
    for name, labelled in data.items():
        if name == "train":
            continue
        logits = classifier.logits(labelled.texts)
        found |= {f"{name} {key}": value for key, value in figures_of(logits, np.array(labelled.labels)).items()}
        answers = [labelled.classes[number] for number in logits.argmax(axis=1).tolist()]
        columns: dict[str, Any] = {**labelled.table.columns, "prediction": answers}
        if len(labelled.classes) == 2:
            columns["score"] = softmax(logits)[:, 1].tolist()
        write_columns(folder / f"predictions-{name}.parquet", columns)
    return found


def refuse_metric(config: ClassifierConfig, classes: Sequence[str]) -> None:
    """Refuse to choose by AUC where there are not two classes.

    Raises:
        RecipeError: the metric is AUC and the classes are more than two.
    """
    if config.metric == "AUC" and len(classes) != 2:
        raise RecipeError(f"metric: AUC needs two classes, the training set has {len(classes)}; take accuracy or loss")
