"""Training of the head that reads mentions for swapping (:mod:`augment.de.swapping.head`).

The encoder of a bundled model is frozen: what its last layer says about the words of read sentences is written down
once, then two networks of one hidden layer are trained on it. A sixth of the sentences read for swapping may be held
back to measure on. The same files, seed and versions of the libraries give the same head.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from augment.de.swapping.examples import UNKNOWN, Example, outputs, star_examples, swap_examples
from augment.de.swapping.head import FILE, VERSION, encoder_digest, stored
from augment.de.swapping.lexicon import SwapLexicon
from augment.de.swapping.mention import CELLS
from augment.de.swapping.reader import Reader, told_by_rewriter
from augment.generate import held_lines
from augment.gold import gold_files
from eval.reading.gold import GoldSentence, find_sentences, load_gold
from rewriter.io.files import file_digest, read_json, write_json
from rewriter.model.directory import resolve
from rewriter.model.edit_model import load_edit_model
from rewriter.runs.manifest import fingerprint

Floats = npt.NDArray[np.float32]

#: raised by hand when the same files give another head
STAGE_VERSION = 1
#: sentences whose mentions are read at once
_BATCH = 512
_SOURCES = ("swap", "twin", "star", "case")
#: one part in so many is held back
FOLDS = 6


@dataclass(frozen=True)
class HeadConfig:
    """How a head is made.

    Attributes:
        gold: files of sentences read for swapping.
        stars: files of sentences read for rewriting.
        hold_out: files of records that are measured on; sentences of their lines are left out.
        stars_at_most: so many of the latter, the first by their digests.
        star_weight: of a label from them, beside one of a sentence read for swapping.
        model: the edit model whose encoder reads.
        hidden: units of each network.
        epochs: over all examples.
        rate: highest learning rate.
        decay: of weights.
        dropout: of inputs and hidden units.
        seed: of weights, order and dropout.
        held_back: 0 to 5: that sixth of the sentences read for swapping is measured on, not trained on; -1 for none.
    """

    gold: list[str] = field(default_factory=list)
    stars: list[str] = field(default_factory=list)
    hold_out: list[str] = field(default_factory=list)
    stars_at_most: int = 10_000
    star_weight: float = 0.3
    model: str = "de"
    hidden: int = 64
    epochs: int = 12
    rate: float = 2e-3
    decay: float = 0.05
    dropout: float = 0.3
    seed: int = 1
    held_back: int = -1


@dataclass
class Rows:
    """What the networks read of mentions, with labels.

    Attributes:
        turn: inputs of the first network.
        cell: inputs of the second.
        turns: label of the first, or :data:`UNKNOWN`.
        cells: of each output of the second whether it may be right; all False where nothing is known.
        possible: of each output of the second whether a reading of the mention has it.
        source: index in the sources.
        group: first digits of the sentence's digest.
        sentence: number of the sentence.
    """

    turn: Floats
    cell: Floats
    turns: npt.NDArray[np.int8]
    cells: npt.NDArray[np.bool_]
    possible: npt.NDArray[np.bool_]
    source: npt.NDArray[np.int8]
    group: npt.NDArray[np.int64]
    sentence: npt.NDArray[np.int64]

    @classmethod
    def load(cls, path: Path) -> Rows:
        """Read rows that were saved."""
        with np.load(path, allow_pickle=False) as saved:
            found = {name: saved[name] for name in cls.__dataclass_fields__}
        found |= {name: found[name].astype(np.float32) for name in ("turn", "cell")}
        return cls(**found)

    def save(self, path: Path) -> None:
        """Save the rows, inputs as half floats."""
        halves = {name: getattr(self, name).astype(np.float16) for name in ("turn", "cell")}
        with path.with_suffix(".part").open("wb") as stream:
            np.savez(stream, **(vars(self) | halves))
        path.with_suffix(".part").replace(path)

    def chosen(self, mask: npt.NDArray[np.bool_]) -> Rows:
        """Return some of the rows."""
        return Rows(**{name: array[mask] for name, array in vars(self).items()})

    def fold(self) -> npt.NDArray[np.int64]:
        """Return which sixth each row belongs to; a sentence and its twin belong together."""
        return self.group % FOLDS


def make_head(config: HeadConfig, *, data: Path, output: Path) -> dict[str, Any]:
    """Write a head and its card into ``output``; rows that an interrupted run has read are taken again.

    Args:
        config: how.
        data: the folder of the texts.
        output: folder.

    Returns:
        What was measured on the sentences held back; empty where none were.

    Raises:
        InputError: a file of labels is missing, or a text is another version than the one that was read.
        ModelError: there is no such model.
    """
    output.mkdir(parents=True, exist_ok=True)
    gold = _rows(config, "gold", data, output)
    nothing = gold.chosen(np.zeros(len(gold.turns), np.bool_))
    rows = gold, _rows(config, "stars", data, output) if config.stars else nothing
    networks, figures = trained(rows[0], rows[1], config)
    encoder = resolve(config.model)
    record = {"version": VERSION, "encoder": encoder_digest(encoder), "cells": list(CELLS)} | networks
    write_json(output / FILE, record)
    write_json(output / "swap-head-run.json", _identity(config) | {"held back": figures})
    (output / "README.md").write_text(_card(config, rows, figures), encoding="utf-8")
    return figures


def _identity(config: HeadConfig) -> dict[str, Any]:
    files = {path.name: file_digest(path) for path in gold_files([*config.gold, *config.stars])}
    return {"stage version": STAGE_VERSION, "config": asdict(config), "files": files}


def _rows(config: HeadConfig, kind: str, data: Path, output: Path) -> Rows:
    """Return the rows of one kind of sentences: those of an earlier run with the same inputs, or new ones."""
    names = config.gold if kind == "gold" else config.stars
    encoder = resolve(config.model)
    inputs = [STAGE_VERSION, kind, config.stars_at_most, encoder_digest(encoder), sorted(held_lines(config.hold_out))]
    key = fingerprint([*inputs, [file_digest(path) for path in gold_files(names)]])
    path, note = output / f"{kind}.npz", output / f"{kind}.json"
    if path.is_file() and note.is_file() and read_json(note) == {"inputs": key}:
        return Rows.load(path)
    lexicon = SwapLexicon()
    reader = Reader(load_edit_model(encoder), lexicon)
    found = find_sentences(_records(config, names, kind), data)
    examples = swap_examples(found, lexicon) if kind == "gold" else star_examples(found, lexicon)
    rows = _read(reader, examples)
    rows.save(path)
    write_json(note, {"inputs": key})
    return Rows.load(path)  # halves, as a run that goes on reads them


def _records(config: HeadConfig, names: Sequence[str], kind: str) -> list[GoldSentence]:
    held = held_lines(config.hold_out)
    kept: dict[tuple[str, int, int, int], GoldSentence] = {}
    for record in (record for path in gold_files(names) for record in load_gold(path)):
        if record.edits is not None and (Path(record.file).name, record.line) not in held:
            kept.setdefault(record.place, record)
    ordered = sorted(kept.values(), key=lambda record: (record.digest, record.place))
    return ordered if kind == "gold" else ordered[: config.stars_at_most]


def _read(reader: Reader, examples: Iterable[Example]) -> Rows:
    parts = [_batch(reader, batch, number) for number, batch in enumerate(_batches(examples))]
    return Rows(**{name: np.concatenate([getattr(part, name) for part in parts]) for name in vars(parts[0])})


def _batches(examples: Iterable[Example]) -> Iterator[list[Example]]:
    batch: list[Example] = []
    for example in examples:
        if example.part.mentions:
            batch.append(example)
        if len(batch) == _BATCH:
            yield batch
            batch = []
    if batch:
        yield batch


def _batch(reader: Reader, batch: Sequence[Example], number: int) -> Rows:
    inputs = reader.inputs([example.part for example in batch])
    sizes = [len(example.turns) for example in batch]
    cells = _marks(cell for example in batch for cell in example.cells)
    possible = _marks(sorted({o for r in m.readings for o in outputs(r)}) for e in batch for m in e.part.mentions)
    return Rows(
        np.concatenate([turn for turn, _ in inputs]),
        np.concatenate([cell for _, cell in inputs]),
        np.array([turn for example in batch for turn in example.turns], np.int8),
        cells,
        possible,
        np.repeat(np.array([_SOURCES.index(e.source) for e in batch], np.int8), sizes),
        np.repeat(np.array([int(e.group[:8], 16) for e in batch], np.int64), sizes),
        np.repeat(np.arange(len(batch), dtype=np.int64) + number * _BATCH, sizes),
    )


def _marks(known: Iterable[Sequence[int]]) -> npt.NDArray[np.bool_]:
    """Return rows with True at some outputs of the second network."""
    rows = [[output in marked for output in range(len(CELLS) + 2)] for marked in known]
    return np.array(rows, np.bool_).reshape(-1, len(CELLS) + 2)


# ---------------------------------------------------------------------------------------------------- training


def trained(gold: Rows, stars: Rows, config: HeadConfig) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return both networks as they are stored, and what was measured on the sentences held back.

    Args:
        gold: rows of sentences read for swapping.
        stars: rows of sentences read for rewriting.
        config: how.
    """
    away = np.asarray(gold.fold() == config.held_back, np.bool_)
    own, held = gold.chosen(~away), gold.chosen(away)
    turn, cell = _turn_network(own, stars, config), _cell_network(own, stars, config)
    figures = _measured(held, turn, cell) if away.any() else {}
    return {"turn": _record(turn), "cell": _record(cell)}, figures


def _turn_network(gold: Rows, stars: Rows, config: HeadConfig) -> Any:
    import torch

    known, further = gold.turns != UNKNOWN, stars.turns != UNKNOWN
    inputs = np.concatenate([gold.turn[known], stars.turn[further]])
    labels = torch.tensor(np.concatenate([gold.turns[known], stars.turns[further]]).astype(np.float32))
    weights = torch.tensor([1.0] * int(known.sum()) + [config.star_weight] * int(further.sum()))
    cost = torch.nn.functional.binary_cross_entropy_with_logits
    direct = inputs.shape[1] - 2 * _width(gold)
    return _fitted(inputs, lambda found, at: cost(found[:, 0], labels[at], weight=weights[at]), 1, direct, config)


def _width(rows: Rows) -> int:
    """Return the width of the encoder: a turn's inputs begin with two of its states, a cell's too."""
    return int(rows.cell.shape[1] // 2) // 32 * 32


def _cell_network(gold: Rows, stars: Rows, config: HeadConfig) -> Any:
    import torch

    known, further = gold.cells.any(axis=1), stars.cells.any(axis=1)
    inputs = np.concatenate([gold.cell[known], stars.cell[further]])
    allowed = torch.tensor(np.concatenate([gold.cells[known], stars.cells[further]]))
    possible = torch.tensor(np.concatenate([gold.possible[known], stars.possible[further]]))
    base = torch.tensor(told_by_rewriter(inputs))
    groups = (slice(0, len(CELLS)), slice(len(CELLS), len(CELLS) + 2))

    def cost(found: Any, at: Any) -> Any:
        total = found.new_zeros(())
        for group in groups:
            right = allowed[at][:, group]
            # of what the form leaves open only: that is what there is to tell
            logits = (found + base[at])[:, group].masked_fill(~(possible[at][:, group] | right), -1e4)
            is_known = right.any(dim=1)
            inside = logits.masked_fill(~right, -1e4).logsumexp(dim=1)
            total = total + ((logits.logsumexp(dim=1) - inside) * is_known).mean()
        return total

    return _fitted(inputs, cost, len(CELLS) + 2, 0, config)


def _fitted(inputs: Floats, cost: Any, outputs: int, direct: int, config: HeadConfig) -> Any:
    """Return a network of one hidden layer that makes a cost small, with what its inputs are scaled by."""
    import torch

    generator = torch.Generator().manual_seed(config.seed)
    mean, scale = inputs.mean(axis=0), inputs.std(axis=0) + 0.01
    rows = torch.tensor((inputs - mean) / scale)
    with torch.random.fork_rng():
        torch.manual_seed(config.seed)
        network = _Network(rows.shape[1], outputs, direct, config)
        steps = config.epochs * -(-len(rows) // 128) + 1
        optimizer = torch.optim.AdamW(network.module.parameters(), lr=config.rate, weight_decay=config.decay)
        schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, config.rate, total_steps=steps)
        for _ in range(config.epochs):
            for at in torch.randperm(len(rows), generator=generator).split(128):
                loss = cost(network.module(rows[at]), at)
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
                schedule.step()
    network.module.eval()
    network.mean, network.scale = mean, scale
    return network


class _Network:
    """A module of torch with the scale of its inputs."""

    def __init__(self, inputs: int, outputs: int, direct: int, config: HeadConfig) -> None:
        import torch

        class Module(torch.nn.Module):
            def __init__(self) -> None:
                super().__init__()
                self.hidden = torch.nn.Linear(inputs, config.hidden)
                self.output = torch.nn.Linear(config.hidden + direct, outputs)
                self.dropout = torch.nn.Dropout(config.dropout)

            def forward(self, rows: Any) -> Any:
                inner = self.dropout(torch.relu(self.hidden(self.dropout(rows))))
                if direct:
                    inner = torch.cat([inner, rows[:, -direct:]], dim=1)
                return self.output(inner)

        self.module = Module()
        self.mean: Floats = np.zeros(inputs, np.float32)
        self.scale: Floats = np.ones(inputs, np.float32)

    def __call__(self, inputs: Floats) -> Floats:
        import torch

        with torch.no_grad():
            found: Floats = self.module(torch.tensor((inputs - self.mean) / self.scale)).numpy()
        return found


def _record(network: Any) -> dict[str, Any]:
    module = network.module
    arrays = {
        "mean": network.mean,
        "scale": network.scale,
        "hidden": module.hidden.weight.detach().numpy(),
        "hidden bias": module.hidden.bias.detach().numpy(),
        "output": module.output.weight.detach().numpy(),
        "output bias": module.output.bias.detach().numpy(),
    }
    return {name: stored(array) for name, array in arrays.items()}


def _measured(held: Rows, turn: Any, cell: Any) -> dict[str, Any]:
    """Return how many mentions, and sentences, of those held back are read right."""
    rows = held.chosen(np.asarray((held.turns != UNKNOWN) & (held.source == _SOURCES.index("swap")), np.bool_))
    right = (turn(rows.turn)[:, 0] > 0) == (rows.turns == 1)
    by_sentence = [
        (right[rows.sentence == s].all(), (rows.turns[rows.sentence == s] == 1).any()) for s in set(rows.sentence)
    ]
    known = held.chosen(np.asarray(held.cells[:, : len(CELLS)].any(axis=1), np.bool_))
    scores = np.where(known.possible, cell(known.cell) + told_by_rewriter(known.cell), -np.inf)
    cells = scores[:, : len(CELLS)].argmax(axis=1)
    fits = known.cells[np.arange(len(cells)), cells]
    return {
        "mentions": [int(right.sum()), len(right)],
        "sentences that turn": [int(sum(r for r, turns in by_sentence if turns)), sum(bool(t) for _, t in by_sentence)],
        "sentences that stay": [int(sum(r for r, t in by_sentence if not t)), sum(not t for _, t in by_sentence)],
        "cells": [int(fits.sum()), len(fits)],
    }


def _card(config: HeadConfig, rows: Sequence[Rows], figures: dict[str, Any]) -> str:
    gold, stars = rows
    kinds = (gold, "swap"), (stars, "star")
    read = [len(set(of.sentence[of.source == _SOURCES.index(name)])) for of, name in kinds]
    turns = [int((of.turns != UNKNOWN).sum()) for of in rows]
    cases = int(stars.cells.any(axis=1).sum())
    lines = [
        "# Head for swapping German",
        "",
        f"Two networks of one hidden layer ({config.hidden} units) over the states of the encoder of the bundled model",
        f"`{config.model}`, which stays as it is: does a mention mean a person whose gender turns, and which case and",
        "number has it. Made by `gender-fair train swap-head` (`docs/train/swap.md`) from stand-off labels; language",
        "models read the sentences, no people.",
        "",
        f"- {read[0]:,} sentences with a mention read for swapping, and twins: {turns[0]:,} labels of mentions",
    ]
    if turns[1]:
        lines += [
            f"- {read[1]:,} sentences read for rewriting: {turns[1]:,} labels (weight {config.star_weight})",
            f"- {cases:,} feminines written for masculines, labelled with their case",
        ]
    lines += ["", *(f"Held back: {name} {right} of {all_} right." for name, (right, all_) in figures.items())]
    return "\n".join(lines).rstrip() + "\n"
