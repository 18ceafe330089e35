"""Does the score grow with the corpus alone? Documents are repeated by lot (Sengupta et al. 2022, appendix, table 4).

There a data set was inflated by copies of its own sentences, and score and share of male words were reported: the
share stays, and the score should not say more than that. Here whole units of documents are drawn
(:mod:`eval.genbit.counts`), with replacement, so nothing is counted again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from eval.genbit.counts import Counts
from eval.genbit.lexicon import FEMALE, GROUPS, MALE, Lexicon
from eval.genbit.metrics import Settings, evaluate
from eval.tables import Table
from rewriter.errors import MetricError, UsageError

_F, _M = GROUPS.index(FEMALE), GROUPS.index(MALE)


def inflated(counts: Counts, percent: float, *, seed: int = 12345) -> Counts:
    """Return counts of a corpus to which units of its own documents were added, until it has so many percent of them.

    How often each word was seen, and the number of tokens, are scaled: they are not kept by unit.

    Args:
        counts: of the corpus, with several units.
        percent: of its units, 100 at least.
        seed: of what is drawn.

    Raises:
        UsageError: fewer than 100 percent.
        MetricError: the documents were not kept apart in units.
    """
    units = counts.identity.units
    if percent < 100:
        raise UsageError(f"a corpus is inflated to 100 percent at least, not to {percent:g}")
    if units < 2:
        raise MetricError("the documents were counted together; count them in units (--units)")
    more = np.random.default_rng([seed, round(percent)]).integers(units, size=round((percent / 100 - 1) * units))
    times = 1 + np.bincount(more, minlength=units)
    _, unit, _, _ = counts.parts()
    return replace(
        counts,
        frequency=np.rint(counts.frequency * percent / 100).astype(np.int64),
        counts=counts.counts * times[unit],
        unit_totals=counts.unit_totals * times[:, None],
        tokens=round(counts.tokens * percent / 100),
    )


def inflation_table(
    counts: Counts, lexicon: Lexicon, settings: Settings, percents: Sequence[float], *, seed: int = 12345
) -> Table:
    """Return documents, share of male words and score of a corpus and of its inflated forms.

    Raises:
        UsageError, MetricError: as :func:`inflated`.
    """
    rows = []
    for percent in [100.0, *percents]:
        result = evaluate(inflated(counts, percent, seed=seed), lexicon, settings)
        totals = result.matrix.totals
        both = int(totals[_F] + totals[_M])
        share = f"{100 * int(totals[_M]) / both:.2f} %" if both else "-"
        scored = f"{len(result.rows.index):,}"
        rows.append([f"{percent:g} %", f"{result.counts.documents:,}", share, scored, f"{result.score:.4f}"])
    return Table(["corpus", "documents", "male of gendered words", "words scored", "score"], rows)
