"""The results of the experiment: tables in Markdown, everything as JSON, plots."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from eval.bec_pro.results import Figure
from eval.tables import Table
from experiments.debias import more_tests
from experiments.debias.config import STEM, UNTOUCHED, UNTRAINED, CorpusSpec, DebiasRecipe
from experiments.debias.doses import dose_table, draw_doses, draw_tradeoff, tradeoff_notes
from experiments.debias.rows import NO_CELLS, Row, read_rows
from rewriter.errors import MissingExtraError
from rewriter.installation.extras import require
from rewriter.io.files import atomic_write, file_digest, read_json, write_json
from rewriter.runs.manifest import Manifest
from train.bert.start import weight_files

#: a reduction counts only where the untouched models' perplexity is within this factor of the best of the run,
WITHIN = 1.10
#: and where there is anything to reduce: random weights differ from zero by 0.0001, but consistently
LEAST = 0.01
MARKDOWN, JSON = "results.md", "results.json"


def write_results(recipe: DebiasRecipe, folders: Sequence[Path], run: Path) -> list[Row]:
    """Write tables, JSON and plots of all finished measurements into ``results``; return what stands there.

    Where matplotlib is missing, the plots are left out, and standard error says so.
    """
    rows = read_rows(recipe, folders, run)
    folder = run / "results"
    with atomic_write(folder / MARKDOWN) as stream:
        stream.write(as_markdown(recipe, rows, run).encode("utf-8"))
    write_json(folder / JSON, {"recipe": recipe.name, "rows": [row.to_dict() for row in rows]})
    try:
        draw_associations(rows, folder / "associations.png")
        draw_doses(recipe, rows, folder / "doses.png")
        draw_tradeoff(rows, folder / "trade-off.png")
    except MissingExtraError as error:
        print(f"no plots: {error}", file=sys.stderr)
    return rows


def as_markdown(recipe: DebiasRecipe, rows: Sequence[Row], run: Path) -> str:
    """Return the tables with a line about each, ready for a page of documentation."""
    signatures = sorted({row.bias.signature for row in rows})
    probes = sorted({m.probe["signature"] for row in rows for m in row.models if m.probe})
    parts = [
        f"Run `{recipe.name}`: {_network(recipe)}.",
        *stem_note(recipe, rows, run),
        "Associations (BEC-Pro) and ln p of the person words alone:",
        bias_table(rows).markdown(),
        "The six groups (who works in the profession / gender of the person word):",
        group_table(rows).markdown(),
        "*Stereotype* of the pronouns, of the other person words, and by pair:",
        pair_table(rows).markdown(),
        "Perplexity of held-out text, with and without *he*, *she*, *they* forms in the count, and tagging:",
        quality_table(rows).markdown(),
        "Against the untouched corpus without fine-tuning:",
        comparison_table(rows).markdown(),
        *verdict(rows),
        *_dose_sections(recipe, rows),
        *more_tests.sections(rows),
        "Corpora:",
        corpus_table(recipe, rows, run).markdown(),
        "Time and size by cell:",
        time_table(rows, run).markdown(),
        "Signatures:",
        "\n".join(f"- `{signature}`" for signature in [*signatures, *probes, *more_tests.signatures(rows)]),
    ]
    return "\n\n".join(parts) + "\n"


def _dose_sections(recipe: DebiasRecipe, rows: Sequence[Row]) -> list[str]:
    """Say what more of a treatment does, and which rows are the best trade-offs."""
    table = dose_table(recipe, rows)
    parts = ["Dose and response, without fine-tuning:", table.markdown()] if table.rows else []
    notes = tradeoff_notes(rows)
    return [*parts, *(["Trade-offs of association and perplexity:", "\n".join(notes)] if notes else [])]


def _network(recipe: DebiasRecipe) -> str:
    layers, hidden, _, _ = recipe.model.shape()
    pieces = recipe.train.steps * recipe.train.batch_size * recipe.packing.length
    seen = "seen after the stem" if recipe.has_stem else "seen"
    return f"BERT of {layers} layers, width {hidden}; {recipe.train.steps:,} steps, {pieces / 1e6:.1f} M pieces {seen}"


def stem_note(recipe: DebiasRecipe, rows: Sequence[Row], run: Path) -> list[str]:
    """Say what the cells have in common where they begin from one model, and what that model shows by itself."""
    if not recipe.has_stem:
        return []
    lines = [
        f"All cells begin from the weights and the vocabulary of one model, the *stem* ({_stem_origin(recipe, run)}). "
        "They differ in their corpus, in the order of its text, in masks and dropout. "
        + _of_the_stem(recipe)
        + " Its perplexity and tagging come from the stem in part. The row `stem` is that model before any cell's "
        "corpus."
    ]
    if _knows_persons(recipe):
        return lines
    row = next((row for row in rows if row.corpus == STEM), None)
    if row is not None and max(row.bias.absolute_average.value, row.bias.gap.value) >= LEAST:
        lines.append(
            f"The stem itself is not at zero: absolute average {row.bias.absolute_average.value:.3f}, |male - female| "
            f"{row.bias.gap.value:.3f}. Where it never saw a person word, that is how unlikely it finds any such word "
            "beside a profession, and no knowledge of gender: read *stereotype* rather than these two."
        )
    return lines


def _knows_persons(recipe: DebiasRecipe) -> bool:
    """Return True if a stem that is trained here has read of persons, before it began or in its own lines."""
    return recipe.stem is not None and (recipe.model.start is not None or recipe.stem.lines != "neutral")


def _of_the_stem(recipe: DebiasRecipe) -> str:
    if _knows_persons(recipe):
        return (
            "The stem has read of persons before, so what a cell knows of *he* and *she* comes from both, and an "
            "association that is there may be the stem's."
        )
    return (
        "The stem is to be trained on lines that are the same in every cell, so what a cell knows of *he* and *she* "
        "comes from its own corpus."
    )


def _stem_origin(recipe: DebiasRecipe, run: Path) -> str:
    """Say what the stem was trained on where it was trained here, and which weights it has."""
    parts = []
    text, bert = Manifest.load(run / STEM / "text", "stage.json"), Manifest.load(run / STEM / "bert", "stage.json")
    if recipe.stem is not None and text is not None and bert is not None and bert.counts:
        kind = "without gendered ones" if recipe.stem.lines == "neutral" else "in lines about no term of the corpus"
        parts += [f"{text.counts['words']:,} words {kind}, {text.counts['lines']:,} lines"]
        parts += [f"{bert.counts['pieces'] / 1e6:.1f} M pieces seen in {bert.seconds / 60:.1f} minutes"]
    model = recipe.stem_model(run)
    digests = [file_digest(path) for path in weight_files(model).values()] if model is not None else []
    return "; ".join([*parts, *(f"weights {digest[:12]}" for digest in digests)])


def bias_table(rows: Sequence[Row]) -> Table:
    """Return absolute average, |male - female|, and ln p of the person words."""
    columns = ["corpus", "fine-tuned", "seeds", "absolute average", "interval", "differs from zero"]
    columns += ["|male - female|", "interval", "stereotype", "interval", "ln p male, female"]
    return Table(columns, [_bias_cells(row) for row in rows], text_columns=2)


def _bias_cells(row: Row) -> list[str]:
    average, gap = row.bias.absolute_average, row.bias.gap
    words = f"{row.ln_p('male', 'masked'):.2f}, {row.ln_p('female', 'masked'):.2f}"
    return [
        row.corpus,
        _tuned(row),
        "" if row.corpus in NO_CELLS else _numbers(row.seeds),
        f"{average.value:.3f}",
        _interval(average),
        "yes" if row.bias.shows_bias else "no",
        f"{gap.value:.3f}",
        _interval(gap),
        f"{row.stereotypes.all.value:+.3f}",
        _interval(row.stereotypes.all),
        words,
    ]


def group_table(rows: Sequence[Row]) -> Table:
    """Return the associations of the six groups."""
    if not rows:
        return Table(["corpus", "fine-tuned"], [], text_columns=2)
    names = [f"{group.prof_gender} / {group.gender}" for group in rows[0].bias.groups]
    cells = [
        [row.corpus, _tuned(row), *(f"{group.association.value:+.3f}" for group in row.bias.groups)] for row in rows
    ]
    return Table(["corpus", "fine-tuned", *names], cells, text_columns=2)


def pair_table(rows: Sequence[Row]) -> Table:
    """Return the stereotype of pronouns, nouns and each pair: rewriting takes the pronouns, and leaves most nouns."""
    names = list(rows[0].stereotypes.pairs)[1:] if rows else []
    cells = []
    for row in rows:
        found = row.stereotypes
        parts = [cell for part in (found.pronouns, found.nouns) for cell in (f"{part.value:+.3f}", _interval(part))]
        cells.append([row.corpus, _tuned(row), *parts, *(f"{found.pairs[name]:+.2f}" for name in names)])
    return Table(["corpus", "fine-tuned", "pronouns", "interval", "nouns", "interval", *names], cells, text_columns=2)


def quality_table(rows: Sequence[Row]) -> Table:
    """Return perplexities and the probe's accuracy."""
    columns = ["corpus", "fine-tuned", "untouched: without forms", "all", "rewritten: without forms", "all", "tagging"]
    cells = []
    for row in rows:
        figures = [
            f"{row.perplexity(text, kind):.2f}" for text in (UNTOUCHED, "rewritten") for kind in ("neutral", "all")
        ]
        tagging = row.tagging()
        cells.append([row.corpus, _tuned(row), *figures, "" if tagging is None else f"{tagging:.2f} %"])
    return Table(columns, cells, text_columns=2)


def comparison_table(rows: Sequence[Row]) -> Table:
    """Return what changed against the untouched models without fine-tuning."""
    columns = ["corpus", "fine-tuned", "absolute average less by", "interval", "|male - female| less by", "interval"]
    columns += ["stereotype less by", "interval", "of pronouns less by", "interval"]
    columns += ["perplexity without forms", "tagging"]
    reference = _reference(rows)
    cells = []
    for row in rows:
        if reference is None or row.less is None or row.corpus in NO_CELLS:
            continue
        more = 100 * (row.perplexity(UNTOUCHED, "neutral") / reference.perplexity(UNTOUCHED, "neutral") - 1)
        tagging, before = row.tagging(), reference.tagging()
        change = "" if tagging is None or before is None else f"{tagging - before:+.2f} points"
        figures = (row.less.average, row.less.gap, row.less.stereotype, row.less.pronouns)
        less = [cell for figure in figures for cell in _percent(figure)]
        cells.append([row.corpus, _tuned(row), *less, f"{more:+.1f} %", change])
    return Table(columns, cells, text_columns=2)


def _percent(figure: Figure | None) -> tuple[str, str]:
    if figure is None:
        return "", ""
    return f"{figure.value:.0f} %", f"{figure.interval.low:.0f} to {figure.interval.high:.0f} %"


def verdict(rows: Sequence[Row]) -> list[str]:
    """Say which reductions may be counted at all: an untrained model has no association either."""
    reference = _reference(rows)
    if reference is None:
        return ["There is no untouched cell yet, so nothing can be compared."]
    trained = [row for row in rows if row.corpus != UNTRAINED and not row.tuned]
    best = min(row.perplexity(UNTOUCHED, "neutral") for row in trained)
    own = reference.perplexity(UNTOUCHED, "neutral")
    if own > WITHIN * best:
        return [
            f"**Reductions do not count here.** The untouched models' perplexity {own:.2f} is not within 10 % of the "
            f"best of this run, {best:.2f}."
        ]
    trained_enough = (
        f"The perplexity without forms of the untouched models ({own:.2f}) is within 10 % of the best of this run "
        f"({best:.2f})."
    )
    return [trained_enough, _average_counts(reference), _stereotype_counts(reference)]


def _average_counts(reference: Row) -> str:
    if reference.bias.shows_bias and reference.bias.absolute_average.value >= LEAST:
        return (
            "Reductions of the absolute average count: without fine-tuning some group of the untouched corpus differs "
            "from zero."
        )
    return (
        "**Reductions of the absolute average do not count:** without fine-tuning no group of the untouched corpus "
        "differs from zero over templates and seeds."
    )


def _stereotype_counts(reference: Row) -> str:
    """Say where an association is not one of genders: every person word may be less likely beside some professions."""
    whole = reference.stereotypes.all
    told = f"{whole.value:+.3f} ({_interval(whole)}) in the untouched corpus"
    if whole.interval.low > 0:
        return f"Reductions of the stereotype count: it is {told}, above zero."
    return (
        "**There is no stereotype to reduce:** male less female words among men's professions, less the same among "
        f"women's, is {told}, not above zero. The professions change how likely any person word is; these models do "
        "not know whose professions they are, and a smaller average shows nothing about gender."
    )


def corpus_table(recipe: DebiasRecipe, rows: Sequence[Row], run: Path) -> Table:
    """Return how large each corpus is and what was changed in it."""
    cells = []
    for name in dict.fromkeys(row.corpus for row in rows if row.corpus in recipe.corpora):
        spec = recipe.corpus(name)
        cells.append([name, *_corpus_cells(spec, run)])
    return Table(["corpus", "pieces", "lines added", "lines removed", "lines changed", "targets known"], cells)


def _corpus_cells(spec: CorpusSpec, run: Path) -> list[str]:
    def counts(stage: str) -> dict[str, Any]:
        record = Manifest.load(run / stage, "stage.json")
        return dict(record.counts) if record is not None else {}

    balance = counts(f"balance/{spec.base}")
    composed = counts(f"corpus/{spec.name}") or (counts(spec.change) if spec.change else {})
    values = [counts(f"data/{spec.name}").get("pieces"), balance.get("added"), balance.get("removed")]
    values.append(composed.get("changed"))
    known = "yes" if balance.get("targets_known") else ""
    return [*("" if value is None else f"{value:,}" for value in values), known]


def time_table(rows: Sequence[Row], run: Path) -> Table:
    """Return what each cell took."""
    cells = []
    for row in rows:
        for seed in row.seeds if row.corpus not in NO_CELLS and not row.tuned else []:
            path = run / "cells" / row.corpus / f"seed-{seed}" / "cell.json"
            if path.exists():
                cells.append([row.corpus, str(seed), *_time_cells(read_json(path))])
    columns = [
        "corpus",
        "seed",
        "minutes",
        "pretraining",
        "pieces/s",
        "per processor s",
        "epochs",
        "parameters",
        "MB",
        "machine",
    ]
    return Table(columns, cells, text_columns=2)


def _time_cells(cell: dict[str, Any]) -> list[str]:
    bert = cell["stages"].get("bert", {})
    return [
        f"{cell['seconds'] / 60:.1f}",
        f"{bert.get('seconds', 0) / 60:.1f}",
        f"{cell['pieces_per_second']:,}",
        f"{cell['pieces_per_processor_second']:,}" if cell.get("pieces_per_processor_second") else "",
        str(bert.get("epochs", "")),
        f"{bert.get('parameters', 0) / 1e6:.1f} M",
        f"{cell['bytes'] / 1e6:.0f}",
        cell["machine"],
    ]


def _reference(rows: Sequence[Row]) -> Row | None:
    return next((row for row in rows if row.corpus == UNTOUCHED and not row.tuned), None)


def _tuned(row: Row) -> str:
    return "CDS" if row.tuned else ""


def _numbers(values: Sequence[int]) -> str:
    return ", ".join(map(str, values))


def _interval(figure: Figure) -> str:
    return f"{figure.interval.low:.3f} to {figure.interval.high:.3f}"


#: what is drawn of every row, with its interval
_FIGURES: dict[str, Callable[[Row], Figure]] = {
    "absolute average of the six groups": lambda row: row.bias.absolute_average,
    "stereotype": lambda row: row.stereotypes.all,
    "stereotype of the pronouns": lambda row: row.stereotypes.pronouns,
}


def draw_associations(rows: Sequence[Row], path: Path) -> None:
    """Draw absolute averages and stereotypes with their intervals over templates and seeds.

    Raises:
        MissingExtraError: matplotlib is not installed.
    """
    size = (15, 1 + 0.35 * len(rows))
    figure = require("matplotlib.figure", extra="plot").Figure(figsize=size, layout="constrained")
    colors = ["tab:orange" if row.tuned else "tab:blue" for row in rows]
    axes = figure.subplots(1, len(_FIGURES), sharey=True)
    for axis, (name, value) in zip(axes, _FIGURES.items(), strict=True):
        values = [value(row) for row in rows]
        below = [max(0.0, v.value - v.interval.low) for v in values]
        above = [max(0.0, v.interval.high - v.value) for v in values]
        axis.barh([row.label for row in rows], [v.value for v in values], xerr=[below, above], color=colors, capsize=3)
        axis.set_xlabel(f"{name} (BEC-Pro)")
    axes[0].invert_yaxis()
    _save(figure, path)


def _save(figure: Any, path: Path) -> None:
    with atomic_write(path) as stream:
        figure.savefig(stream, format="png", dpi=120)
