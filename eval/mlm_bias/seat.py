"""SEAT: associations of sentence vectors (May et al. 2019, after WEAT, Caliskan et al. 2017).

The effect size d is the difference of the mean associations of two sets of target sentences with two sets of
attribute sentences (cosine), in standard deviations over all targets; the test asks how often a random division of
the targets has an association as large.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from eval.bootstrap import Floats, Resampling, percentile_interval
from eval.mlm_bias.figures import Findings, Score
from eval.mlm_bias.models import MaskedModel
from eval.mlm_bias.sources import digest, read_set_json
from rewriter.errors import InputError

WARNING = (
    "The authors (May et al. 2019): SEAT can find bias, but its absence proves nothing; its results are "
    "inconsistent across tests, and cosines may not suit contextual models. Sentences of one word are not "
    "independent, so intervals and p-values are too narrow."
)
TESTS = ("6", "6b", "7", "7b", "8", "8b")
_PARTS = ("targ1", "targ2", "attr1", "attr2")
_AT_ONCE = 10_000
#: what rounding may do to equal sums
_ROUNDING = 1e-9


class SeatTest(NamedTuple):
    """A test: sentences of two targets and two attributes."""

    name: str
    parts: tuple[tuple[str, ...], ...]


def read_test(path: str | Path) -> SeatTest:
    """Read a test (``sent-weat6.jsonl``).

    Raises:
        InputError: the file is not as published.
    """
    value = read_set_json(Path(path))
    try:
        parts = tuple(tuple(map(str, value[part]["examples"])) for part in _PARTS)
    except (KeyError, TypeError) as error:
        raise InputError(
            f"{path}: a test of SEAT has {', '.join(_PARTS)} with examples; {error} is not there"
        ) from None
    if any(len(part) < 2 for part in parts):
        raise InputError(f"{path}: every part of a test has at least two sentences")
    return SeatTest(Path(path).stem, parts)


def find_tests(path: Path) -> list[Path]:
    """Return the files of a test, or of SEAT 6 to 8 in a folder.

    Raises:
        InputError: there are none.
    """
    if path.is_file():
        return [path]
    found = [path / f"sent-weat{name}.jsonl" for name in TESTS if (path / f"sent-weat{name}.jsonl").exists()]
    if not found:
        raise InputError(
            f"{path}: there is no sent-weat6.jsonl ... sent-weat8b.jsonl; name the folder of SEAT, or a file"
        )
    return found


def associations(targets: Floats, attributes: tuple[Floats, Floats]) -> Floats:
    """Return s(w, A, B) of each target: its mean cosine with the first attribute less that with the second."""
    first, second = (_unit(targets) @ _unit(part).T for part in attributes)
    return np.asarray(first.mean(axis=1) - second.mean(axis=1))


def effect_size(first: Floats, second: Floats) -> float:
    """Return d from the associations of two sets of targets (deviation with n - 1, as in the authors' code)."""
    spread = float(np.concatenate([first, second]).std(ddof=1))
    return float(first.mean() - second.mean()) / spread if spread > 0 else 0.0


def permutation_p(first: Floats, second: Floats, *, permutations: int, rng: np.random.Generator) -> float:
    """Return the one-sided p-value: how many divisions of the targets have at least this difference of means.

    All divisions are looked at where there are no more than ``permutations``, else that many less one random ones and
    the observed one itself (May et al. 2019, in their code).
    """
    values, size = np.concatenate([first, second]), len(first)
    seen = float(first.sum())  # of equal sets, the difference grows with the sum of the first
    if math.comb(len(values), size) <= permutations:
        sums = np.array([values[list(chosen)].sum() for chosen in itertools.combinations(range(len(values)), size)])
        return float(np.mean(sums >= seen - _ROUNDING))
    hits, left = 1, permutations - 1
    while left:
        rows = min(left, _AT_ONCE)
        shuffled = rng.permuted(np.tile(values, (rows, 1)), axis=1)
        hits += int((shuffled[:, :size].sum(axis=1) >= seen - _ROUNDING).sum())
        left -= rows
    return hits / permutations


def holm(p_values: Sequence[float]) -> list[float]:
    """Return p-values corrected for their number (Holm 1979), in the same order."""
    order = np.argsort(p_values, kind="stable")
    corrected, highest = [0.0] * len(p_values), 0.0
    for rank, place in enumerate(order):
        highest = max(highest, min(1.0, p_values[place] * (len(p_values) - rank)))
        corrected[place] = highest
    return corrected


def measure_seat(
    model: MaskedModel, path: Path, resampling: Resampling, *, pooling: str = "cls", permutations: int = 100_000
) -> Findings:
    """Return effect sizes with intervals over sentences, p-values corrected for the number of tests, and mean |d|."""
    files = find_tests(path)
    scores, drawn = [], []
    sentences: set[str] = set()
    for test in map(read_test, files):
        score, sizes = _measure_test(model, test, resampling, pooling, permutations)
        scores.append(score)
        drawn.append(sizes)
        sentences.update(itertools.chain(*test.parts))
    corrected = holm([score.p_value or 0.0 for score in scores])
    scores = [replace(score, p_value=p) for score, p in zip(scores, corrected, strict=True)]
    average = Score(
        "mean |d|",
        float(np.mean([abs(score.value) for score in scores])),
        percentile_interval(np.abs(drawn).mean(axis=0), resampling.level),
        0.0,
    )
    fields = {"pooling": pooling, "permutations": permutations, "p": "one-sided+holm", "data": digest(*files)}
    return Findings((*scores, average), len(sentences), fields)


def _measure_test(
    model: MaskedModel, test: SeatTest, resampling: Resampling, pooling: str, permutations: int
) -> tuple[Score, Floats]:
    vectors = [model.vectors(part, pooling) for part in test.parts]
    cosines = _unit(np.concatenate(vectors[:2])) @ _unit(np.concatenate(vectors[2:])).T
    sizes = [len(part) for part in test.parts]
    values = associations(np.concatenate(vectors[:2]), (vectors[2], vectors[3]))
    first, second = values[: sizes[0]], values[sizes[0] :]
    rng = resampling.generator()
    p_value = permutation_p(first, second, permutations=permutations, rng=rng)
    drawn = np.array([_drawn_size(cosines, sizes, rng) for _ in range(resampling.samples)])
    interval = percentile_interval(drawn, resampling.level)
    return Score(f"{test.name} d", effect_size(first, second), interval, 0.0, p_value), drawn


def _drawn_size(cosines: Floats, sizes: Sequence[int], rng: np.random.Generator) -> float:
    """Return d of drawn sentences, each of the four parts by itself."""
    x, y, a, b = (rng.integers(size, size=size) for size in sizes)
    rows = cosines[np.concatenate([x, sizes[0] + y])]
    values = rows[:, a].mean(axis=1) - rows[:, sizes[2] + b].mean(axis=1)
    return effect_size(values[: sizes[0]], values[sizes[0] :])


def _unit(vectors: Floats) -> Floats:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.where(lengths > 0, lengths, 1.0))
