"""Scores of parts of a set: the lines of a label (a block), and what the parts of labels have in common.

Labels such as ``feminine-plural`` and ``masculine-singular`` are a table of their own, gender by number as in Amrhein
et al. (2023): the lines of each label are scored, and those of each part of a label (``plural``: both genders).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from eval.bootstrap import Interval, Ints, Resampling, percentile_interval, resampled_rates
from eval.significance import Comparison, compare
from eval.wer import WerResult

#: what joins the parts of a label
JOINT = "-"

Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class BlockScore:
    """The word error rate of one system on a part of a set.

    Attributes:
        score: word error rate in percent.
        interval: bootstrap confidence interval of the score.
        exact: share of sentences without an error, in percent.
        errors: of each sentence of the part.
        lengths: reference tokens of each sentence of the part.
        signature: of the score, with the number of its sentences.
        against: for our systems, the comparison with each published output.
    """

    score: float
    interval: Interval
    exact: float
    errors: Ints
    lengths: Ints
    signature: str
    against: Mapping[str, Comparison] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form, without per-sentence statistics (those of the whole set have them)."""
        return {
            "score": self.score,
            "interval": [self.interval.low, self.interval.high],
            "exact": self.exact,
            "sentences": len(self.errors),
            "signature": self.signature,
            "against": {name: comparison.to_dict() for name, comparison in self.against.items()},
        }


def label_parts(labels: Sequence[str]) -> list[str]:
    """Return what labels have in common: parts that several different labels share, in the order of their places.

    Labels with another number of parts, or with one part only, have nothing in common.
    """
    cut = [label.split(JOINT) for label in dict.fromkeys(labels)]
    if len({len(parts) for parts in cut}) != 1 or len(cut[0]) < 2:
        return []
    columns = [[parts[place] for parts in cut] for place in range(len(cut[0]))]
    return [part for column in columns for part in dict.fromkeys(column) if column.count(part) > 1]


def block_masks(labels: Sequence[str]) -> dict[str, Mask]:
    """Return name -> which lines: every label in order of appearance, then what :func:`label_parts` says."""
    rows = np.array(labels)
    masks = {label: rows == label for label in dict.fromkeys(labels)}
    for part in label_parts(labels):
        masks[part] = np.array([part in label.split(JOINT) for label in labels])
    return masks


def score_block(result: WerResult, mask: Mask, resampling: Resampling) -> BlockScore:
    """Return the score of some sentences of a set that was scored."""
    errors, lengths = result.errors[mask], result.lengths[mask]
    rates = resampled_rates(errors[None], lengths, resampling)[0]
    return BlockScore(
        score=100.0 * float(errors.sum()) / float(lengths.sum()),
        interval=percentile_interval(rates, resampling.level),
        exact=100.0 * float((errors == 0).mean()),
        errors=errors,
        lengths=lengths,
        signature=result.signature.replace(f"|n:{len(mask)}|", f"|n:{len(errors)}|"),
    )


def compare_blocks(
    ours: Mapping[str, BlockScore], published: Mapping[str, Mapping[str, BlockScore]], resampling: Resampling
) -> dict[str, BlockScore]:
    """Return our scores with their comparisons.

    Args:
        ours: name of the block -> score.
        published: system -> name of the block -> score.
        resampling: samples and seed of the tests.
    """
    return {
        name: replace(
            block,
            against={
                system: compare(system=block, baseline=blocks[name], resampling=resampling)
                for system, blocks in published.items()
            },
        )
        for name, block in ours.items()
    }
