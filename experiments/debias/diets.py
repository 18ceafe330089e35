"""Diets of text for a language model: some lines, and those counterfactuals that the model reads otherwise.

Zayed et al. (2023) rank the examples of a classifier by GE, by how much its answer differs between a text and its
counterfactual. A language model has no such answer; here the answer is what it expects of the words that both share:
GE of a line is the mean of \\|ln p - ln p'\\| over the same masked pieces of the line and of its counterfactual. The
order and the shares are theirs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

import numpy as np

from augment.diet.core import RANKED, Floats, Ints, ranked
from eval.masked_lm import load_masked_lm
from experiments.debias.config import DebiasRecipe, DietConfig
from experiments.debias.corpora import TRAIN, finished
from rewriter.io.files import read_lines, write_lines
from train.bert.packing import SPECIAL, Encoder, Unit, framed

#: raised by hand when lines are scored or chosen otherwise
DIET_VERSION = 1
SCORES = "scores.npy"
_SEED, _BATCH = 977, 64


def shared_places(first: Unit, second: Unit) -> tuple[Ints, Ints]:
    """Return the places of the pieces that two texts share, in each of them, special ones left out."""
    blocks = SequenceMatcher(None, first.ids, second.ids, autojunk=False).get_matching_blocks()
    pairs = [(b.a + n, b.b + n) for b in blocks for n in range(b.size) if not first.marks[b.a + n] & SPECIAL]
    found = np.array(pairs, dtype=np.int64).reshape(-1, 2)
    return found[:, 0], found[:, 1]


def masked_alike(first: Unit, second: Unit, share: float, mask: int, rng: np.random.Generator) -> list[dict[str, Any]]:
    """Return both texts with the same shared pieces masked, one piece at least; nothing where none is shared."""
    from train.bert.trainer import IGNORE

    places = shared_places(first, second)
    number = len(places[0])
    if not number:
        return []
    chosen = np.flatnonzero(rng.random(number) < share)
    chosen = chosen if len(chosen) else rng.integers(number, size=1)
    made = []
    for unit, at in zip((first, second), places, strict=True):
        ids = np.array(unit.ids, dtype=np.int64)
        labels = np.full(len(ids), IGNORE, dtype=np.int64)
        labels[at[chosen]] = ids[at[chosen]]
        ids[at[chosen]] = mask
        made.append({"input_ids": ids, "token_type_ids": np.zeros(len(ids), dtype=np.int64), "labels": labels})
    return made


def line_scores(recipe: DebiasRecipe, model: Path, pairs: Sequence[tuple[str, str]], device: str) -> Floats:
    """Return GE of each line and its counterfactual; 0 where they are the same or share no piece.

    Args:
        recipe: says how long an example is, and what share of it is masked.
        model: folder of a BERT.
        pairs: lines and their counterfactuals.
        device: where to compute.
    """
    from train.bert.trainer import MaskedBert

    tokenizer, plain = load_masked_lm(model, device=device)
    bert = MaskedBert(plain.config)
    bert.load_state_dict(plain.state_dict())
    bert.to(device).eval()
    encoder = Encoder(tokenizer, recipe.lang)
    scores = np.zeros(len(pairs))
    rows, items = [], []
    for row, masked in _asked(pairs, encoder, recipe, tokenizer.mask_token_id):
        rows.append(row)
        items += masked
    order = np.argsort([len(items[2 * n]["input_ids"]) for n in range(len(rows))], kind="stable")
    for start in range(0, len(order), _BATCH):
        part = order[start : start + _BATCH].tolist()
        gaps = _gaps(bert, [item for n in part for item in items[2 * n : 2 * n + 2]], device)
        scores[[rows[n] for n in part]] = gaps
    return scores


def _asked(
    pairs: Sequence[tuple[str, str]], encoder: Encoder, recipe: DebiasRecipe, mask: int
) -> Iterator[tuple[int, list[dict[str, Any]]]]:
    """Yield the rows of lines that differ from their counterfactuals, with both texts masked."""
    for row, pair in enumerate(pairs):
        if pair[0] == pair[1]:
            continue
        units = [framed([unit], encoder, recipe.packing.length) for unit in encoder.units(pair)]
        rng = np.random.default_rng([_SEED, row])
        if len(units) < 2:  # one of both has no piece
            continue
        masked = masked_alike(units[0], units[1], recipe.train.mask_share, mask, rng)
        if masked:
            yield row, masked


def _gaps(bert: Any, items: list[dict[str, Any]], device: str) -> Floats:
    """Return the mean difference of ln p of each two items that follow each other."""
    import torch

    from train.bert.trainer import IGNORE, collate

    with torch.inference_mode():
        batch = {key: value.to(device) for key, value in collate(items).items()}
        losses = bert(**batch)["losses"].double().cpu().numpy()
    counts = [int((item["labels"] != IGNORE).sum()) for item in items]
    parts = np.split(losses, np.cumsum(counts)[:-1])
    return np.array([np.abs(a - b).mean() for a, b in zip(parts[::2], parts[1::2], strict=True)])


def write_scores(recipe: DebiasRecipe, run: Path, output: Path, device: str) -> None:
    """Write GE of every line of the training part, by the stem."""
    model = recipe.stem_model(run)
    assert model is not None  # the recipe was checked
    pairs = _pairs(run)
    scores = line_scores(recipe, model, pairs, device)
    np.save(output / SCORES, scores)
    finished(output, "scores", lines=len(pairs), scored=int((scores > 0).sum()), mean=float(scores[scores > 0].mean()))


def _pairs(run: Path) -> list[tuple[str, str]]:
    return list(zip(read_lines(run / "text" / TRAIN), read_lines(run / "swapped" / TRAIN), strict=True))


def write_diet(config: DietConfig, run: Path, output: Path) -> None:
    """Write the chosen lines, and behind them the chosen counterfactuals."""
    pairs = _pairs(run)
    scores = np.load(run / "diet" / "scores" / SCORES)
    factual, other = chosen_rows(config, scores, np.array([a != b for a, b in pairs]))
    write_lines(output / TRAIN, [*(pairs[n][0] for n in factual), *(pairs[n][1] for n in other)])
    finished(output, "diet", lines=len(factual) + len(other), counterfactual=len(other))


def chosen_rows(config: DietConfig, scores: Floats, changed: Any) -> tuple[list[int], list[int]]:
    """Return the rows that a diet keeps as they are, and those of which it takes the counterfactual.

    Args:
        config: the diet.
        scores: GE of each line.
        changed: whether each line has a counterfactual that differs from it.
    """
    orders = RANKED[config.diet]
    pools = np.arange(len(scores)), np.flatnonzero(changed)
    kept = []
    for part, (pool, order, percent) in enumerate(
        zip(pools, orders, (config.factual, config.counterfactual), strict=True), 1
    ):
        rows = ranked(scores, pool, order, np.random.default_rng([config.seed, part]))
        kept.append(sorted(rows[: round(percent / 100 * len(pool))].tolist()))
    return kept[0], kept[1]
