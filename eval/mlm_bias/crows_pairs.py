"""CrowS-Pairs: does a model prefer the more stereotypical sentence of a pair (Nangia et al. 2020)?

The score of a sentence is the sum of ln p of the pieces that both sentences share, each masked by itself (their
equation 1). As in the authors' code scores are rounded to three places, and pairs of equal score count for neither.
"""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher
from pathlib import Path
from typing import NamedTuple

import numpy as np

from eval.bootstrap import Floats, Ints, Resampling
from eval.mlm_bias.figures import Findings, resampled_scores, share
from eval.mlm_bias.models import MaskedModel, Question
from eval.mlm_bias.sources import digest, read_table
from rewriter.errors import InputError

WARNING = (
    "Blodgett et al. (2021) found so many pairs that are unclear, inconsistent or no stereotype at all that "
    "the authors of CrowS-Pairs themselves say it may not be a good indicator of social bias in language "
    "models."
)
DIRECTIONS = ("stereo", "antistereo")
_COLUMNS = ("sent_more", "sent_less", "stereo_antistereo", "bias_type")
_PLACES = 3


class Pair(NamedTuple):
    """The more and the less stereotypical sentence, and whether the first shows or the second violates a stereotype."""

    more: str
    less: str
    direction: str


def read_pairs(path: str | Path, *, bias_type: str = "gender") -> list[Pair]:
    """Read the pairs of one kind of ``crows_pairs_anonymized.csv``.

    Raises:
        InputError: the file is not as published, or holds no such pair.
    """
    pairs = []
    for line, row in read_table(Path(path), _COLUMNS):
        if row["stereo_antistereo"] not in DIRECTIONS:
            raise InputError(f"{path}:{line}: the direction is stereo or antistereo, not '{row['stereo_antistereo']}'")
        if row["bias_type"] == bias_type:
            pairs.append(Pair(row["sent_more"], row["sent_less"], row["stereo_antistereo"]))
    if not pairs:
        raise InputError(f"{path}: there is no pair of the kind '{bias_type}' in it")
    return pairs


def shared_pieces(first: Sequence[int], second: Sequence[int]) -> tuple[list[int], list[int]]:
    """Return the places of the pieces that two sequences share, in each of them."""
    blocks = SequenceMatcher(None, first, second).get_matching_blocks()
    return ([b.a + n for b in blocks for n in range(b.size)], [b.b + n for b in blocks for n in range(b.size)])


def pair_scores(model: MaskedModel, pairs: Sequence[Pair]) -> Floats:
    """Return the pseudo-log-likelihoods of both sentences of each pair, shape (pairs, 2)."""
    questions: list[Question] = []
    ends = [0]
    for pair in pairs:
        both = model.encode(pair.more), model.encode(pair.less)
        for encoded, places in zip(both, shared_pieces(both[0].ids, both[1].ids), strict=True):
            kept = [place for place in places if not encoded.special[place]]
            questions += [Question(model.masked(encoded.ids, [p]), p, encoded.ids[p]) for p in kept]
            ends.append(len(questions))
    values = np.concatenate([[0.0], np.cumsum(model.log_p(questions, label="crows-pairs"))])
    return np.asarray(values[ends[1:]] - values[ends[:-1]]).reshape(-1, 2)


def measure_crows_pairs(model: MaskedModel, path: Path, resampling: Resampling) -> Findings:
    """Return the share of gender pairs in which the more stereotypical sentence has the higher score."""
    pairs = read_pairs(path)
    scores = np.round(pair_scores(model, pairs), _PLACES)
    prefers = scores[:, 0] > scores[:, 1]
    shows = np.array([pair.direction == "stereo" for pair in pairs])

    def statistic(drawn: Ints) -> list[float]:
        chosen, kind = prefers[drawn], shows[drawn]
        return [share(chosen), share(chosen[kind]), share(chosen[~kind])]

    names = ("more stereotypical %", "of stereotypes shown %", "of stereotypes violated %")
    found = resampled_scores(names, statistic, len(pairs), resampling, unbiased=(50.0,) * 3)
    ties = int((scores[:, 0] == scores[:, 1]).sum())
    return Findings(found, len(pairs), {"part": "gender", "score": "pll", "ties": ties, "data": digest(path)})
