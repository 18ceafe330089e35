"""Do two rankings pick the same examples? The ratio of overlap of Zayed et al. (2023), appendix A.4, figures 5 to 8.

Of both scores the top share of the examples is taken; the overlap is the share of these that both have. By chance it is
that share itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from eval.bootstrap import Floats, Ints
from eval.tables import Table
from rewriter.errors import InputError, UsageError

#: shares that are looked at, as in the figures
SHARES = tuple(n / 10 for n in range(1, 11))


def top(scores: Floats, share: float, rng: np.random.Generator) -> Ints:
    """Return the rows with the highest scores, so many percent of all; equal scores are drawn by lot."""
    order = rng.permutation(len(scores))
    ranked = order[np.argsort(-scores[order], kind="stable")]
    return ranked[: round(share * len(scores))]


def overlap(first: Floats, second: Floats, share: float, *, seed: int = 1) -> float:
    """Return which share of the examples that one score puts at the top the other puts there, too.

    Args:
        first: scores of all examples.
        second: other scores of the same.
        share: of the examples, above 0 and at most 1.
        seed: decides between equal scores; not the same way for both.

    Raises:
        InputError: the sides differ in length or are empty.
        UsageError: the share is no share, or takes no example.
    """
    if len(first) != len(second) or not len(first):
        raise InputError(f"an overlap needs two equally long sides; they have {len(first)} and {len(second)}")
    if not 0 < share <= 1:
        raise UsageError(f"a share lies above 0 and not above 1, not at {share:g}")
    one, other = (top(side, share, np.random.default_rng([seed, n])) for n, side in enumerate((first, second)))
    if not len(one):
        raise UsageError(f"{share:g} of {len(first)} examples is none; take a larger share")
    return len(np.intersect1d(one, other)) / len(one)


def overlap_table(
    name: str, scores: Floats, others: Mapping[str, Floats], shares: Sequence[float] = SHARES, *, seed: int = 1
) -> Table:
    """Return the overlap of a score with others, a row for each and a column for each share.

    Args:
        name: of the score.
        scores: of all examples.
        others: other scores by name: of single seeds (figure 5), later epochs (6), another model (7), another kind (8).
        shares: of the examples.
        seed: decides between equal scores.
    """
    rows = [
        [f"{name} / {other}", *(f"{overlap(scores, values, share, seed=seed):.3f}" for share in shares)]
        for other, values in others.items()
    ]
    chance = ["by chance", *(f"{round(share * len(scores)) / len(scores):.3f}" for share in shares)]
    return Table(["scores", *(f"{100 * share:.0f} %" for share in shares)], [*rows, chance])
