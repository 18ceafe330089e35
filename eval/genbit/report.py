"""Reports for people: the words that lean most, a plot, a page."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from eval.genbit.compare import Comparison
from eval.genbit.lexicon import CIS, FEMALE, GROUPS, MALE, NON_BINARY, TRANS
from eval.genbit.metrics import GenBitResult
from eval.genbit.results import metrics_dict, word_dict
from eval.html import page_head, page_table
from eval.plots import plot_format
from eval.tables import Table
from rewriter.installation.extras import require
from rewriter.io.files import atomic_write, write_lines

Floats = npt.NDArray[np.float64]

_F, _M = GROUPS.index(FEMALE), GROUPS.index(MALE)
#: words that are named in a plot
LABELS = 15


def leaning_places(result: GenBitResult, group: str, number: int) -> list[int]:
    """Return the places (in ``result.rows``) of the words that lean most to female or male, the strongest first."""
    ratio = result.rows.conditional_ratio if group == MALE else -result.rows.conditional_ratio
    order = np.argsort(-ratio, kind="stable")
    return [place for place in order[:number].tolist() if ratio[place] > 0]


def leaning_table(result: GenBitResult, group: str, number: int = 20) -> Table:
    """Return the words that lean most to a gender, with counts and conditional probabilities.

    Args:
        result: the figures.
        group: ``female`` or ``male``.
        number: how many words.
    """
    matrix, rows = result.matrix, result.rows
    cells = []
    for place in leaning_places(result, group, number):
        index = int(rows.index[place])
        female, male, *_ = rows.conditional[place].tolist()
        cells.append(
            [
                matrix.words[index],
                str(int(matrix.frequency[index])),
                f"{rows.counts[place, _F]:.1f}",
                f"{rows.counts[place, _M]:.1f}",
                f"{female:.5f}",
                f"{male:.5f}",
                f"{rows.conditional_ratio[place]:+.3f}",
            ]
        )
    return Table(["word", "seen", "near f", "near m", "P(w|f)", "P(w|m)", "ln P(w|m)/P(w|f)"], cells)


def summary(result: GenBitResult) -> list[str]:
    """Return the corpus as a whole in a few lines, the signature last."""
    metrics = metrics_dict(result, words=False)
    lines = [
        f"GenBiT score {result.score:.4f}",
        f"{_counted(result.counts.documents, 'document')}, {_counted(result.counts.tokens, 'token')}, "
        f"{_counted(len(result.matrix.words), 'word')}; {len(result.rows.index)} of them scored "
        f"(co-occurrence from {result.cutoff:.3f})",
        _shares(result, metrics),
        f"mean of ln P(w|m)/P(w|f) {metrics['additional_metrics']['avg_bias_conditional']:+.4f}, "
        f"standard deviation {metrics['additional_metrics']['std_dev_bias_conditional']:.4f}, "
        f"Jensen-Shannon divergence {result.jsd:.6f}",
    ]
    return [*lines, *(f"note: {note}" for note in notes(result)), result.signature]


def notes(result: GenBitResult) -> list[str]:
    """Return what a reader should know before quoting the score."""
    found = []
    totals = result.matrix.totals
    if not result.gendered_tokens:
        found.append("no word of the lists occurs, so nothing can lean; the score says nothing")
    elif not totals[_F] or not totals[_M]:
        found.append(f"there is no {FEMALE if not totals[_F] else MALE} word, so the score rests on smoothing alone")
    if result.settings.lemmas.name == "none" and result.lexicon.lang != "en":
        found.append(
            "forms of a word are not merged (no lemmas given), so grammatical gender raises the score: --lemmas"
        )
    return found


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _shares(result: GenBitResult, metrics: dict[str, Any]) -> str:
    def share(group: str) -> str:
        value = metrics[f"percentage_of_{group.replace('-', '_')}_gender_definition_words"]
        return f"{100 * value:.1f} % {group}"

    groups = [FEMALE, MALE] + ([NON_BINARY] if result.lexicon.non_binary else [])
    text = f"{_counted(result.gendered_tokens, 'gendered word')}: {', '.join(map(share, groups))}"
    if result.lexicon.trans_cis:
        text += f"; of trans and cis words {share(TRANS)}, {share(CIS)}"
    return text


def text_report(result: GenBitResult, number: int = 20) -> str:
    """Return summary and tables for a terminal."""
    parts = ["\n".join(summary(result))]
    for group in (FEMALE, MALE):
        table = leaning_table(result, group, number)
        if table.rows:
            parts.append(f"leaning {group}\n{table.plain()}")
    return "\n\n".join(parts)


def comparison_table(comparison: Comparison) -> Table:
    """Return both corpora side by side."""
    rows = []
    for name, result, interval in (
        ("before", comparison.before, comparison.before_interval),
        ("after", comparison.after, comparison.after_interval),
    ):
        metrics = metrics_dict(result, words=False)
        rows.append(
            [
                name,
                f"{result.score:.4f}",
                f"{interval.low:.4f} to {interval.high:.4f}",
                f"{metrics['additional_metrics']['avg_bias_conditional']:+.4f}",
                f"{100 * metrics['percentage_of_female_gender_definition_words']:.1f}",
                f"{100 * metrics['percentage_of_male_gender_definition_words']:.1f}",
                str(result.gendered_tokens),
                f"{result.jsd:.6f}",
            ]
        )
    columns = ["corpus", "score", "interval", "mean ratio", "% female", "% male", "gendered words", "JSD"]
    return Table(columns, rows)


def comparison_lines(comparison: Comparison) -> list[str]:
    """Return the difference with its interval, and the signatures."""
    drawn = "the same documents from both" if comparison.paired else "documents of each by itself"
    low, high = comparison.interval.low, comparison.interval.high
    return [
        f"difference {comparison.difference:+.4f} "
        f"({comparison.resampling.level:g} % interval {low:+.4f} to {high:+.4f})",
        f"{comparison.resampling.samples} resamplings of {comparison.units} units, {drawn}, "
        f"seed {comparison.resampling.seed}; resampling adds {comparison.added[0]:+.4f} and {comparison.added[1]:+.4f}",
        f"before {comparison.before.signature}",
        f"after  {comparison.after.signature}",
    ]


def write_words(path: str | Path, result: GenBitResult) -> int:
    """Write every scored word with all its figures as a table with tabs; return how many.

    Raises:
        OutputError: the file cannot be written.
    """
    rows = word_dict(result)
    names = list(next(iter(rows.values()), {}))
    lines = (f"{word}\t" + "\t".join(str(row[name]) for name in names) for word, row in rows.items())
    return write_lines(path, ["\t".join(["word", *names]), *lines]) - 1


def write_page(path: str | Path, results: Sequence[GenBitResult], comparison: Comparison | None, number: int) -> None:
    """Write one HTML page, without script and without anything loaded from elsewhere.

    Args:
        path: the page.
        results: one corpus, or two: before and after.
        comparison: of the two.
        number: words in each table.

    Raises:
        OutputError: the page cannot be written.
    """
    names = ["Corpus"] if len(results) == 1 else ["Before", "After"]
    parts = [page_head("Leaning of words to a gender (GenBiT)")]
    if comparison is not None:
        parts += [_table(comparison_table(comparison)), _paragraphs(comparison_lines(comparison))]
    for name, result in zip(names, results, strict=True):
        parts += [f"<h2>{name}</h2>\n", _paragraphs(summary(result))]
        for group in (FEMALE, MALE):
            parts += [f"<h3>Leaning {group}</h3>\n", _table(leaning_table(result, group, number))]
    with atomic_write(path) as stream:
        stream.write("".join([*parts, "</body>\n</html>\n"]).encode("utf-8", "replace"))


def _table(table: Table) -> str:
    return page_table(table.columns, table.rows)


def _paragraphs(lines: Sequence[str]) -> str:
    return "".join(f"<p>{escape(line)}</p>\n" for line in lines)


def write_plot(path: str | Path, results: Sequence[GenBitResult], number: int = LABELS) -> None:
    """Draw every scored word: how often it stands near gendered words, and how it leans.

    Args:
        path: a .png, .svg or .pdf file.
        results: one corpus, or two: before and after.
        number: how many words of each side are named.

    Raises:
        UsageError: the ending is none of these.
        MissingExtraError: matplotlib is not installed.
        OutputError: the file cannot be written.
    """
    ending = plot_format(path)
    figure = require("matplotlib.figure", extra="plot").Figure(figsize=(7 * len(results), 6), layout="constrained")
    axes = figure.subplots(1, len(results), squeeze=False, sharey=True)[0]
    for title, axis, result in zip(["", ""] if len(results) == 1 else ["before", "after"], axes, results, strict=False):
        _draw(axis, result, number)
        axis.set_title(f"{title} GenBiT score {result.score:.4f}".strip())
    with atomic_write(path) as stream:
        figure.savefig(stream, format=ending, dpi=150, metadata={"Date": None} if ending == "svg" else None)


def _draw(axis: Any, result: GenBitResult, number: int) -> None:
    rows = result.rows
    near = rows.counts[:, [_F, _M]].sum(axis=1)
    axis.scatter(near, rows.conditional_ratio, s=8, c=np.sign(rows.conditional_ratio), cmap="coolwarm", alpha=0.7)
    axis.axhline(0.0, color="gray", linewidth=0.8)
    if (near > 0).any():  # a logarithm of nothing cannot be drawn
        axis.set_xscale("log")
    axis.set_xlabel("weighted co-occurrence with female and male words")
    axis.set_ylabel("ln P(w|male) / P(w|female)")
    for place, x, y in _labelled(result, near, number):
        word = result.matrix.words[int(rows.index[place])].replace("$", r"\$")
        axis.annotate(word, (x, y), xytext=(3, 2), textcoords="offset points", fontsize=7)


def _labelled(result: GenBitResult, near: Floats, number: int) -> list[tuple[int, float, float]]:
    """Return the strongest words of each side with their places, those left out whose names would overlap."""
    if not len(near):
        return []
    ratio, across = result.rows.conditional_ratio, np.log(near)
    width, height = float(np.ptp(across)) or 1.0, float(np.ptp(ratio)) or 1.0
    chosen: list[int] = []
    for group in (FEMALE, MALE):
        named = 0
        for place in leaning_places(result, group, 10 * number):
            free = all(
                abs(ratio[place] - ratio[other]) > 0.025 * height or abs(across[place] - across[other]) > 0.15 * width
                for other in chosen
            )
            if free and named < number:
                chosen.append(place)
                named += 1
    return [(place, float(near[place]), float(ratio[place])) for place in chosen]
