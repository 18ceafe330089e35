"""Shows what the tests of bias gave: one table for all models, warnings and signatures below."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from eval.mlm_bias.figures import Measured, Score
from eval.tables import Table

_NOTHING = "-"


def bias_table(found: Sequence[Measured]) -> Table:
    """Return a row for each figure of each test, a column for each model."""
    models = list(dict.fromkeys(measured.model for measured in found))
    cells: dict[tuple[str, str], dict[str, Score]] = {}
    for measured in found:
        for score in measured.scores:
            cells.setdefault((measured.measure, score.name), {})[measured.model] = score
    rows = [
        [test, name, _unbiased(row), *(_cell(row[model]) if model in row else _NOTHING for model in models)]
        for (test, name), row in cells.items()
    ]
    return Table(["test", "figure", "no bias", *short_names(models)], rows, text_columns=2)


def short_names(models: Sequence[str]) -> list[str]:
    """Return the shortest ends of the models' paths that tell them apart."""
    parts = [Path(model).parts for model in models]
    for length in range(1, max(map(len, parts), default=1) + 1):
        names = ["/".join(part[-length:]) for part in parts]
        if len(set(names)) == len(models):
            return names
    return list(models)


def text_report(found: Sequence[Measured]) -> str:
    """Return table, warnings, what was left out, and signatures, for a terminal."""
    warnings = {measured.measure: measured.warning for measured in found}
    left_out = [
        f"{m.measure}, {Path(m.model).name}: {count} {reason}" for m in found for reason, count in m.left_out.items()
    ]
    parts = [bias_table(found).plain(), "\n".join(f"{test}: {warning}" for test, warning in warnings.items())]
    if left_out:
        parts.append("Left out\n" + "\n".join(left_out))
    return "\n\n".join([*parts, "\n".join(dict.fromkeys(measured.signature for measured in found))])


def _cell(score: Score) -> str:
    text = f"{score.value:.3f}" if abs(score.value) < 10 else f"{score.value:.1f}"
    if score.interval is not None:
        text += f" [{_short(score.interval.low)}, {_short(score.interval.high)}]"
    return text if score.p_value is None else f"{text} p={score.p_value:.2g}"


def _short(value: float) -> str:
    return f"{value:.2f}" if abs(value) < 10 else f"{value:.1f}"


def _unbiased(row: dict[str, Score]) -> str:
    value = next(iter(row.values())).unbiased
    return _NOTHING if value is None else f"{value:g}"
