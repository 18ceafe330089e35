"""What the tests beside BEC-Pro gave: a table for each test, corpora against the untouched one.

Each model's figure has an interval over items; models of a corpus differ by seed. Both are taken together: items are
the same for all seeds, so their variance does not shrink with the number of models, and that between seeds is added. A
difference to the untouched corpus is judged as if both were measured on other items: that is wider than it need be.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import fmean, variance
from typing import Any

from eval.tables import Table
from experiments.debias.config import UNTOUCHED
from experiments.debias.rows import NO_CELLS, Row

_Z = 1.959964


@dataclass(frozen=True, slots=True)
class Combined:
    """A figure of all models of a corpus.

    Attributes:
        value: mean over the models.
        error: standard error over items and seeds; None where the test gives no interval.
        unbiased: value without bias; None where the figure is none of bias.
    """

    value: float
    error: float | None
    unbiased: float | None

    @property
    def shows_bias(self) -> bool:
        """Whether the interval leaves out the value without bias."""
        if self.unbiased is None or self.error is None:
            return False
        return abs(self.value - self.unbiased) > _Z * self.error

    def minus(self, other: Combined) -> Combined:
        """Return the difference to a figure of other models."""
        error = None if self.error is None or other.error is None else sqrt(self.error**2 + other.error**2)
        return Combined(self.value - other.value, error, 0.0)

    def text(self, sign: str = "") -> str:
        """Return value and interval."""
        if self.error is None:
            return f"{self.value:{sign}.3f}"
        low, high = self.value - _Z * self.error, self.value + _Z * self.error
        return f"{self.value:{sign}.3f} ({low:.3f} to {high:.3f})"


def combine(scores: Sequence[Mapping[str, Any]]) -> Combined:
    """Return what the models of a corpus have in common.

    Args:
        scores: the same figure of each model, as :class:`eval.mlm_bias.Score` is written.
    """
    values = [float(score["value"]) for score in scores]
    widths = [s["interval"]["high"] - s["interval"]["low"] for s in scores if s["interval"] is not None]
    if len(widths) < len(scores):
        return Combined(fmean(values), None, scores[0]["unbiased"])
    items = fmean((width / (2 * _Z)) ** 2 for width in widths)
    seeds = variance(values) / len(values) if len(values) > 1 else 0.0
    return Combined(fmean(values), sqrt(items + seeds), scores[0]["unbiased"])


def figures(row: Row) -> dict[tuple[str, str], Combined]:
    """Return the figures of a corpus by test and name."""
    found: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
    for model in row.models:
        for measured in model.bias:
            for score in measured["scores"]:
                found.setdefault((measured["measure"], score["name"]), []).append(score)
    return {key: combine(scores) for key, scores in found.items()}


def tests_of(rows: Sequence[Row]) -> list[str]:
    """Return the names of the tests in the order in which they were run."""
    return list(dict.fromkeys(m["measure"] for row in rows for model in row.models for m in model.bias))


def test_table(rows: Sequence[Row], test: str) -> Table:
    """Return one row for each corpus and figure of a test, with the difference to the untouched corpus."""
    cells = [cell for row in rows for cell in _cells(row, test, _reference(rows))]
    columns = ["figure", "corpus", "fine-tuned", "seeds", "value", "no bias", "against untouched", "differs"]
    return Table(columns, sorted(cells, key=lambda cell: _order(rows, test).index(cell[0])), text_columns=3)


def _order(rows: Sequence[Row], test: str) -> list[str]:
    return list(dict.fromkeys(name for row in rows for measure, name in figures(row) if measure == test))


def _reference(rows: Sequence[Row]) -> Row | None:
    return next((row for row in rows if row.corpus == UNTOUCHED and not row.tuned), None)


def _cells(row: Row, test: str, reference: Row | None) -> Iterator[list[str]]:
    before = figures(reference) if reference is not None and reference is not row else {}
    for (measure, name), found in figures(row).items():
        if measure != test:
            continue
        old = before.get((measure, name)) if row.corpus not in NO_CELLS else None
        change = found.minus(old) if old is not None else None
        seeds = "" if row.corpus in NO_CELLS else ", ".join(map(str, row.seeds))
        yield [
            name,
            row.corpus,
            "CDS" if row.tuned else "",
            seeds,
            found.text(),
            "" if found.unbiased is None else f"{found.unbiased:g}",
            change.text("+") if change is not None else "",
            "" if change is None or change.error is None else ("yes" if change.shows_bias else "no"),
        ]


def sections(rows: Sequence[Row]) -> Iterator[str]:
    """Yield the parts of the results in Markdown: how many tests see a bias in the untouched corpus, then all tests."""
    tests = tests_of(rows)
    if not tests:
        return
    reference = _reference(rows)
    if reference is not None:
        seen = [f"{test} ({name})" for (test, name), one in figures(reference).items() if one.shows_bias]
        yield (
            "Figures of the untouched corpus whose interval leaves out the value without bias: "
            f"{', '.join(seen) if seen else 'none'}. BEC-Pro stands in the tables above."
        )
    warnings = {m["measure"]: m["warning"] for row in rows for model in row.models for m in model.bias}
    for test in tests:
        yield f"`{test}`. {warnings[test]}"
        yield test_table(rows, test).markdown()


def signatures(rows: Sequence[Row]) -> list[str]:
    """Return the signatures of all tests."""
    return sorted({m["signature"] for row in rows for model in row.models for m in model.bias})
