"""Runs the cells of an ablation: pairs, labels and vocabulary made once, then a training for each cell."""

from __future__ import annotations

import json
import os
import shutil
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np

from experiments.ablation.plan import MODEL, PARTS, VERSION, AblationRun, Budget, Cell, Plan
from experiments.ablation.report import measure, write_report
from rewriter.errors import UsageError
from rewriter.io.files import file_digest, read_json, read_pairs, write_json, write_pairs
from rewriter.model.directory import SEQ2SEQ, ModelInfo, seal
from rewriter.model.piece_table import PieceTable
from rewriter.records import Pair
from rewriter.registry import did_you_mean
from rewriter.runs.manifest import fingerprint
from rewriter.runs.resume import run_in
from rewriter.version import __version__
from train.edits.config import EditsConfig
from train.edits.labels import LabelOptions, label_file, variations_version
from train.loop.quiet import quiet_libraries
from train.seq2seq import config as seq2seq_config
from train.seq2seq.tokenizer import MODEL_FILE

#: updates whose time is measured, behind one that is not
_TIMED = 5


def run_ablation(shop: AblationRun, names: Sequence[str] = ()) -> Path:
    """Train and measure the cells that are not finished, and write ``report.md`` after each.

    Args:
        shop: plan, pairs, budget.
        names: cells; all by default.

    Returns:
        path of the report.

    Raises:
        UsageError: there is no such cell.
        ResumeError: a cell's folder was made from another plan, budget or other pairs.
    """
    chosen = list(names) or list(shop.plan.cells)
    for name in chosen:
        if name not in shop.plan.cells:
            known = list(shop.plan.cells)
            raise UsageError(f"there is no cell '{name}'{did_you_mean(name, known)}; cells: {', '.join(known)}")
    report = write_report(shop)
    for number, name in enumerate(chosen, 1):
        print(f"[{number}/{len(chosen)}] {name}", file=sys.stderr)
        run_cell(shop, name)
        report = write_report(shop)
    return report


def run_cell(shop: AblationRun, name: str) -> dict[str, Any]:
    """Train, export and measure a cell, or return what was found when it is finished."""
    cell, folder = shop.plan.cells[name], shop.output / name
    with run_in(folder, "ablation", _identity(shop, cell), keeps_time=True) as run:
        if not run.is_done:
            data = part_of_pairs(shop, cell)
            begin, before = time.monotonic(), run.manifest.seconds
            with quiet_libraries():
                counts = (_train_full if cell.target == SEQ2SEQ else _train_edits)(shop, cell, folder, data)
            counts["minutes"] = round((before + time.monotonic() - begin) / 60, 2)
            measure(shop, name, folder)
            size = (folder / MODEL / "model.bin").stat().st_size
            run.manifest.counts = counts | {"pairs": _count(data), "bytes": size}
    return run.manifest.counts


def _identity(shop: AblationRun, cell: Cell) -> dict[str, Any]:
    plan = asdict(replace(shop.plan, cells={}, tables=[]))
    plan.pop("cells")
    other = "train" if cell.target == "edits" else "edits"
    for section in (other, *(("tokenizer",) if cell.target == "edits" else ("encoder",))):
        plan.pop(section)
    identity = {
        "version": VERSION,
        "cell": {k: v for k, v in asdict(cell).items() if k != "group"},
        "plan": plan,
        "budget": asdict(shop.budget),
        "pairs": {part: file_digest(_part(shop.mix, part)) for part in PARTS},
        "tables": {path.name: file_digest(path) for path in shop.plan.tables},
        "sets": [one.name for one in shop.sets],
    }
    if cell.target == "edits":
        identity |= {"pieces": file_digest(shop.pieces), **variations_version(shop.plan.edits)}
    plain: dict[str, Any] = json.loads(json.dumps(identity, default=str))
    return plain


def _part(folder: Path, part: str) -> Path:
    return folder / f"{part}.jsonl.zst"


def _count(data: Path) -> int:
    return int(read_json(data / "counts.json")["train"])


def part_of_pairs(shop: AblationRun, cell: Cell) -> Path:
    """Return a folder with the pairs that a cell learns from, made once for all cells that share them."""
    choice = {"strategies": sorted(cell.strategies), "negatives": cell.negatives, "share": cell.share}
    key = fingerprint(choice | {"seed": shop.plan.seed})[:12]
    folder = shop.output / "shared" / f"pairs-{key}"
    if (folder / "counts.json").exists():
        return folder
    temporary = folder.with_name(f".{folder.name}.tmp")
    shutil.rmtree(temporary, ignore_errors=True)
    temporary.mkdir(parents=True)
    pairs = chosen_pairs(read_pairs(_part(shop.mix, "train")), cell, shop.plan.seed)
    counts = {"train": write_pairs(_part(temporary, "train"), pairs)}
    shutil.copyfile(_part(shop.mix, "dev"), _part(temporary, "dev"))
    write_json(temporary / "counts.json", counts)
    shutil.rmtree(folder, ignore_errors=True)
    temporary.rename(folder)
    return folder


def chosen_pairs(pairs: Iterator[Pair], cell: Cell, seed: int) -> Iterator[Pair]:
    """Yield the pairs of a cell's strategies and share; copies and look-alikes, which show what stays, are all kept
    unless the cell wants no negatives.

    Every pair draws its lot whether it is chosen or not, so that a smaller share is part of a larger one.
    """
    rng = np.random.default_rng([seed, 17])
    for pair in pairs:
        lot, is_copy = rng.random(), pair.source == pair.target
        wanted = cell.negatives if is_copy else not cell.strategies or pair.strategy in cell.strategies
        if lot < cell.share and wanted:
            yield pair


def _train_edits(shop: AblationRun, cell: Cell, folder: Path, data: Path) -> dict[str, Any]:
    from train.edits.export import export_edits
    from train.edits.train import train_edits

    encoder = _encoder(shop, cell)
    config = _edits_config(shop.plan, cell, steps=1)
    labels = _labels(shop, config, cell, data)
    (folder / "edits").mkdir(exist_ok=True)
    for path in labels.iterdir():
        _link(path, folder / "edits" / path.name)
    steps = shop.budget.updates or _fitting(folder, shop.budget, lambda: _seconds_of_edits(config, labels, encoder))
    config = _edits_config(shop.plan, cell, steps=steps)
    train_edits(config, data=data, output=folder / "edits", encoder=encoder)
    head = read_json(folder / "edits" / "head.json")
    export_edits(encoder_dir=folder / "edits" / "encoder", head=head, pieces=shop.pieces, output=folder / MODEL)
    seal(folder / MODEL, _info(shop, cell, folder.name))
    counts = read_json(folder / "edits" / "manifest.json")["counts"]
    return {"updates": counts["steps"], "labelled": counts["sentences"], "labels right": counts["accuracy"]}


def _edits_config(plan: Plan, cell: Cell, *, steps: int) -> EditsConfig:
    """Return the options of a cell for a number of steps."""
    dense = plan.dense_share if cell.dense_share < 0 else cell.dense_share
    config = replace(
        plan.edits,
        lang=plan.lang,
        steps=steps,
        warmup=min(plan.edits.warmup, max(1, steps // 10)),
        # never 0 where some candidates are settled: all cells of one kind share the labels
        open_only_after=max(1, round(dense * steps)) if dense > 0 else 0,
        eval_every=max(1, min(plan.edits.eval_every, steps)),
        save_every=max(1, min(plan.edits.save_every, steps)),
    )
    if cell.balanced:
        return config
    return replace(config, variations=0.0, repeat_limit=1.0, common_limit=0.0, weight_limit=1.0)


def _encoder(shop: AblationRun, cell: Cell) -> Path:
    """Return an encoder folder with random weights of the cell's shape."""
    import transformers

    from train.encoder.pretraining import build_model

    plan = shop.plan.encoder
    hidden = cell.hidden or plan.hidden
    shape = replace(
        plan,
        layers=cell.layers or plan.layers,
        hidden=hidden,
        feed_forward=4 * hidden if cell.hidden else plan.feed_forward,
        heads=max(1, hidden // 64) if cell.hidden else plan.heads,
    )
    folder = shop.output / "shared" / f"encoder-{shape.layers}x{shape.hidden}"
    if not (folder / "encoder" / "model.safetensors").exists():
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(shop.pieces, folder / "pieces.model")
        transformers.set_seed(plan.seed)
        with quiet_libraries():
            build_model(shape, PieceTable.load(folder / "pieces.model").size).bert.save_pretrained(folder / "encoder")
    return folder


def _labels(shop: AblationRun, config: EditsConfig, cell: Cell, data: Path) -> Path:
    """Return a folder with the labels of a cell's pairs, made once for all cells that share them."""
    dense = (shop.plan.dense_share if cell.dense_share < 0 else cell.dense_share) > 0
    options = LabelOptions(config.lang, str(shop.pieces), not dense, config.variations, config.seed)
    key = fingerprint({"data": data.name, "open": options.open_only, "variations": options.variations})[:12]
    folder = shop.output / "shared" / f"labels-{key}"
    for part in PARTS:
        path = folder / f"labels-{part}.npz"
        if not path.exists():
            folder.mkdir(parents=True, exist_ok=True)
            made = label_file(_part(data, part), options, processes=config.processes)
            write_json(path.with_suffix(".json"), dict(sorted(made.counts.items())))
            made.save(path)
    return folder


def _link(source: Path, target: Path) -> None:
    if target.exists():
        return
    try:
        os.link(source, target)
    except OSError:
        # another file system, or one without links
        shutil.copyfile(source, target)


def _fitting(folder: Path, budget: Budget, seconds: Callable[[], float]) -> int:
    """Return how many updates fit into the budget's minutes; what was measured once for a cell counts for good."""
    path = folder / "budget.json"
    if not path.exists():
        each = seconds()
        write_json(path, {"seconds of an update": each, "updates": max(10, int(budget.minutes * 60 / each))})
    return int(read_json(path)["updates"])


def _seconds_of_edits(config: EditsConfig, labels: Path, encoder: Path) -> float:
    """Return the time of one update of an edit model."""
    import torch

    from train.edits.labels import LabelledSet
    from train.edits.model import Noise
    from train.edits.train import load_start
    from train.edits.trainer import Batches

    if config.threads:
        torch.set_num_threads(config.threads)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model = load_start(config, encoder).to(device)
    data = LabelledSet.load(labels / "labels-train.npz")
    noise = Noise(
        lower=config.lower, upper=config.upper, mask=config.mask, mask_id=PieceTable.load(encoder / "pieces.model").mask
    )
    batches = iter(
        Batches(replace(config, steps=_TIMED + 1, open_only_after=None), data, noise, model.head.out_features)
    )
    optimizer = torch.optim.AdamW(model.parameters())
    begun = 0.0
    for number, batch in enumerate(batches):
        begun = time.monotonic() if number == 1 else begun
        optimizer.zero_grad()
        with torch.autocast(device.type, torch.bfloat16):
            loss = model(**{key: value.to(device) for key, value in batch.items()})["loss"]
        loss.backward()
        optimizer.step()
    return (time.monotonic() - begun) / _TIMED


def _train_full(shop: AblationRun, cell: Cell, folder: Path, data: Path) -> dict[str, Any]:
    from train.export.ctranslate import export_seq2seq
    from train.seq2seq import train_seq2seq
    from train.seq2seq.tokenizer import train_tokenizer

    tokenizer = shop.output / "shared" / "tokenizer"
    if not (tokenizer / MODEL_FILE).exists():
        train_tokenizer(shop.plan.tokenizer, pairs=shop.mix, output=tokenizer)
    config = shop.plan.train
    if shop.budget.updates:
        steps = shop.budget.updates
        config = replace(config, steps=steps, max_minutes=None, eval_every=min(config.eval_every, steps), patience=0)
    else:
        config = replace(config, steps=10_000_000, max_minutes=shop.budget.minutes, patience=0)
    train_seq2seq(config, data=data, tokenizer=tokenizer, output=folder / "train")
    export_seq2seq(checkpoint=folder / "train", tokenizer=tokenizer, output=folder / MODEL)
    seal(folder / MODEL, _info(shop, cell, folder.name))
    last = seq2seq_config.latest_state(folder / "train")
    return {"updates": seq2seq_config.load_progress(last).step, "labelled": _count(data)}


def _info(shop: AblationRun, cell: Cell, name: str) -> ModelInfo:
    recipe = {"ablation": asdict(cell), "budget": asdict(shop.budget)}
    return ModelInfo(name, shop.plan.lang, cell.target, toolkit_version=__version__, recipe=recipe)
